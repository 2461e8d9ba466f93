"""In the terminal a person sees nothing but what their player knows.

Every bundled game with secrets is played by a person along a play at random, whose other moves and chance follow a
script, and then along other plays that leave the person with the same information. Whatever they ask, their screens
must be the same to the letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial, reduce
from io import StringIO
from random import Random
from unittest.mock import patch

import pytest
from attrs import define

import zermelo
from zermelo.commands.play import _print_belief, _print_hint, _print_values
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move
from zermelo.playing.session import Session

PLAYS = 6
"""How many plays at random of each game."""

LONGEST = 60
"""The most moves and draws of a play."""

OTHERS = 3
"""How many other plays are compared with each."""

SAMPLES = 100
"""How many plays the belief is made of that gives the others."""

LAST, TRIED = 6, 10
"""So many of the last moves are changed, each to so many others."""

FEW = 3
"""After so many moves and draws the belief is asked for: later it may take long."""

MEMORY = 1 << 30

WITH_SECRETS = [name for name in zermelo.games() if not zermelo.load(name).facts.perfect_information.holds]

UNASKED = {"bridge", "coin_game", "four_card_whist", "oh_hell"}
"""Games in which nobody asks for the belief, which takes too long for a test."""

SMALLER = {"bridge": {"ranks": 2}}
"""Games with fewer cards: of more, hardly a deal that is drawn has the dummy that has been laid open."""


@define(eq=False)
class Script:
    """Makes the moves of a play."""

    moves: Sequence[Move]

    def choose(self, state: State) -> tuple[Move, str]:
        return self.moves[len(state.play)], ""


def screen(game: Game, player: str, moves: Sequence[Move], asked: Sequence[str]) -> str:
    """What a player sees along a play, in which the others are not at the keyboard, and when they ask these questions
    at the end of it."""
    seats = dict.fromkeys((each for each in game.players if each != player), Script(moves))
    tells = [partial(told, MEMORY) for told in (_print_belief, _print_hint, _print_values)]
    session = Session(game, seats, Random(0), game.initial, *tells)
    waiting = iter(asked)

    def typed(prompt: str) -> str:
        print(prompt)
        if len(session.state.play) < len(moves):
            return str(moves[len(session.state.play)])
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    def drawn(state: State, random: Random) -> Move:
        return moves[len(state.play)]

    keyboard, chance = patch("zermelo.playing.session._typed", typed), patch.object(State, "sample", drawn)
    with redirect_stdout(StringIO()) as printed, keyboard, chance:
        session.run()
    return printed.getvalue()


def decisions(game: Game, random: Random) -> list[State]:
    """The states of a play at random in which somebody has to choose."""
    state, found = game.initial, []
    while not state.is_over and len(state.play) < LONGEST:
        if state.actor != CHANCE:
            found.append(state)
        state = state.after(state.sample(random) if state.actor == CHANCE else random.choice(state.moves))
    return found


def changed(here: State, random: Random) -> Iterator[State]:
    """States of plays that differ from this one in one of the last moves or draws."""
    passed = [here.game.initial]
    for move in here.play:
        passed.append(passed[-1].after(move))
    for k in range(max(0, len(here.play) - LAST), len(here.play)):
        state = passed[k]
        others = [state.sample(random) for _ in range(TRIED)] if state.actor == CHANCE else state.moves[:TRIED]
        for other in others:
            with suppress(ZermeloError):  # what followed may be illegal then
                yield reduce(State.after, here.play[k + 1 :], state.after(other))


def possible(here: State, player: str, seed: int) -> list[State]:
    """Other states that leave the player with the same information: of plays with one change, among which are those in
    which others have chosen at the same moment, and of their belief."""
    known = here.information_state(player)
    found = list(changed(here, Random(seed)))
    found += [each.state for each in zermelo.belief(here, player, samples=SAMPLES, seed=seed).positions]
    return [
        state
        for state in found
        if state.actor == player and state.play != here.play and state.information_state(player) == known
    ]


def compared(game: Game, seed: int, asks: bool) -> list[tuple[str, str]]:
    """Screens of a play at random up to some decision, each beside that of another play with the same information."""
    random = Random(seed)
    passed = decisions(game, random)
    here = random.choice(passed)
    player = here.actor or ""
    elsewhere = list(dict.fromkeys(str(move) for state in passed for move in state.moves if move not in here.moves))
    refused = random.sample(elsewhere, min(8, len(elsewhere)))
    asked = ["board", "moves", *(f"why {move}" for move in refused)]
    if asks and len(here.play) <= FEW:
        asked.append("belief")
    others = list({state.play: state for state in possible(here, player, seed)})[:OTHERS]
    seen = screen(game, player, here.play, asked) if others else ""
    return [(seen, screen(game, player, other, asked)) for other in others]


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_screens_are_the_same_where_the_information_is(name):
    game = zermelo.load(name, **SMALLER.get(name, {}))
    pairs = [pair for seed in range(PLAYS) for pair in compared(game, seed, name not in UNASKED)]
    assert pairs
    for one, other in pairs:
        assert one == other
