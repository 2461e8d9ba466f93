"""Information-set Monte Carlo tree search, in simulations a second: one search with everybody's knowledge.

Both sides search for the same player in the same position, with random plays and without what a search before it has
found. The deals are drawn once here, before the search, and by OpenSpiel's bot in every simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Final

from attrs import frozen

import zermelo
from benchmarks import ours
from benchmarks.measure import Measurement, best_of_fixed
from benchmarks.peers import openspiel
from benchmarks.report import Delay, Row
from benchmarks.search import measured
from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.beliefs.behaviour import uniform
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.beliefs.sampling import drawn_play
from zermelo.solvers.common.sampling import Sampling
from zermelo.solvers.imperfect_information.information_set_search import WeighedDeal, simulated
from zermelo.solvers.solution import Problem

_SIMULATIONS: Final = 200_000
_THEIR_SIMULATIONS: Final = 1_000
_DEALS: Final = 1_000
_WHIST: Final = (
    "deal({(two, clubs), (nine, clubs), (four, hearts), (nine, spades)}, "
    "{(three, clubs), (eight, hearts), (five, hearts), (two, spades)})"
)


@frozen
class Start:
    """A position on both sides: the play that leads to it."""

    title: str
    name: str
    play: tuple[str, ...]
    theirs: str
    their_play: tuple[int, ...]


STARTS: Final = (
    Start("Leduc poker, to bet first", "leduc_poker", ("deal(J♥)", "deal(Q♠)"), "leduc_poker", (0, 2)),
    Start("liar's dice, after a bid", "liars_dice", ("roll(3)", "roll(5)", "bid(1, 2)"), "liars_dice", (2, 4, 1)),
)


def searches() -> list[Row | Delay]:
    """The games that OpenSpiel has, too, beside its bot in Python and its bot in C++; and whist without a peer."""
    rows: list[Row | Delay] = []
    for start in STARTS:
        mine = measured(lambda start=start: best_of_fixed(search(start.name, start.play)))
        for peer, is_python, target in ((openspiel.NAME, True, 50), (f"{openspiel.NAME}, bot in C++", False, None)):
            theirs = measured(
                lambda start=start, is_python=is_python: best_of_fixed(
                    openspiel.information_set_search(
                        openspiel.game_of(start.theirs), start.their_play, _THEIR_SIMULATIONS, is_python
                    )
                )
            )
            rows.append(
                Row(
                    task=f"{start.title}, ismcts",
                    unit="simulations/s",
                    ours=mine,
                    peer=peer,
                    theirs=theirs,
                    target=target,
                    note=f"{_SIMULATIONS:,} and {_THEIR_SIMULATIONS:,} simulations",
                )
            )
    whist = measured(lambda: best_of_fixed(search("four_card_whist", (_WHIST,))))
    if isinstance(whist, Measurement):
        rows.append(Delay(task=f"whist of four cards, {_SIMULATIONS:,} simulations", ours=whist.seconds, limit=1))
    return rows


def search(name: str, play: tuple[str, ...]) -> Callable[[], int]:
    """A search of a position, which returns the number of simulations."""
    state = zermelo.load(name).initial
    for move in play:
        state = state.after(move)
    game, machine, random = state.game, ours.machine_of(name), Random(1)
    player = game.number(str(state.actor))
    following = Following(game.machine, player, state.information_state(str(state.actor)), uniform)
    drawn = [found for found in (drawn_play(following, random) for _ in range(_DEALS)) if found is not None]
    total = sum((weight for _, weight in drawn), Fraction(0))
    deals = [WeighedDeal(_again(machine, game.machine.play(there)), weight / total) for there, weight in drawn]
    problem = Problem(machine, game.facts, deals[0].state, sampling=Sampling(_SIMULATIONS))
    return lambda: simulated(problem, player, deals, is_single=False).simulations


def _again(machine: LoweredMachine, play: tuple[Move, ...]) -> LoweredState:
    """The state after the same play on the machine of another copy of the game, which has its own names."""
    state = machine.initial()
    for move in play:
        state = machine.after(state, machine.find_move(state, str(move)))
    return state
