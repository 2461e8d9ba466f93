"""Play a game in the terminal, against people at the same keyboard or against the computer.

Each person sees what their player sees. While playing, type 'help' for the list of commands, such as 'undo', 'why
MOVE', which explains why a move is not legal, 'hint', which names a best move, 'values', which says what each move is
worth, and 'belief', which says how probable each position is that fits what the person has perceived.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import suppress
from functools import partial
from importlib import import_module
from random import Random
from typing import Final

from zermelo.commands.game_options import add_game, add_memory, add_table, state_of
from zermelo.commands.options import whole_number
from zermelo.game import State
from zermelo.numbers import parameters_text
from zermelo.playing.contestants import helping_table
from zermelo.playing.seats import KINDS, is_kind, seats_of
from zermelo.playing.session import Session
from zermelo.report.console import print_facts, print_title, progress
from zermelo.solvers.common.limits import Limits

EXAMPLES = """\
examples:
  zermelo play tic_tac_toe                              two people at one keyboard
  zermelo play tic_tac_toe --seat O=best                you are X
  zermelo play kuhn_poker --seat Alice=random
  zermelo play connect_four --seat Yellow=mcts:1000
  zermelo play tic_tac_toe --seat O=best --table tic_tac_toe.table
  zermelo play tic_tac_toe --after "mark(b2); mark(b1)"  from a position on
  zermelo play four_card_hand --seat MIN=pimc
  zermelo play liars_dice --seat Bob=ismcts
  zermelo solve kuhn_poker --json > kuhn.json
  zermelo play kuhn_poker --seat Alice=kuhn.json        against saved strategies
  zermelo play pig --seat Ann=random --seat Bob=random  watch
"""

_PATIENCE: Final = 10.0
"""Seconds in which the values of moves are looked for."""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--seat",
        dest="seats",
        metavar="NAME=KIND",
        type=_seat,
        action="append",
        default=[],
        help="who plays for a player: human (default), random, best, greedy, which looks one move ahead by the "
        "estimate, mcts, which makes simulations by Monte Carlo tree search, pimc, which solves deals that fit with "
        "open cards, ismcts, Monte Carlo tree search by what the players know, oos, which learns how to mix by "
        "sampling, or a FILE of strategies or weights; greedy:4 and learnt.json:4 look four moves ahead, mcts:1000 "
        "and ismcts:1000 make so many simulations for each move; may be repeated",
    )
    add_memory(parser)
    add_table(
        parser,
        "--seat NAME=best plays by it where it has the position, and else searches up to its positions; the "
        "simulations of NAME=mcts end there",
    )
    parser.add_argument("--seed", metavar="S", type=whole_number, help="the random seed: the same chance every time")


def run(options: Namespace) -> int:
    begin = state_of(options)
    game = begin.game
    random = Random(options.seed)
    table = helping_table(options.table, [kind for _, kind in options.seats], game)
    seats = seats_of(game, options.seats, random, options.memory, table)
    print_title(game.title, parameters_text(game))
    if len(seats) < len(game.players):
        print("Type a move, or help.")
    with suppress(ImportError):
        import_module("readline")  # if there is one, it makes the input line editable
    tells = (partial(told, options.memory) for told in (_print_belief, _print_hint, _print_values))
    Session(game, seats, random, begin, *tells).run()
    return 0


def _print_belief(memory: int, state: State, player: str, others: str) -> None:
    from zermelo.commands.moves import print_belief
    from zermelo.decisions import belief

    with progress("looking at the plays", "plays") as report:
        found = belief(state, player, others, limits=Limits(memory=memory), progress=report)
    print_belief(found, player, others)


def _print_hint(memory: int, state: State) -> None:
    from zermelo.playing.analysis import hint

    print(hint(state, memory).said)


def _print_values(memory: int, state: State) -> None:
    """Print the best that is found in some seconds, or until Ctrl-C."""
    from zermelo.commands.moves import print_values
    from zermelo.playing.analysis import Appraisal, assessments

    found: list[Appraisal] = []
    try:
        with progress("analysing", "assessments") as report:
            for assessment in assessments(state, _PATIENCE, memory):
                found.append(assessment)
                report(len(found))
    except KeyboardInterrupt:
        if not found:
            raise
    print_values(state, found[-1].evaluation)
    if not found[-1].is_exact:
        print_facts([("known", found[-1].certainty(state))])


def _seat(text: str) -> tuple[str, str]:
    player, _, kind = text.partition("=")
    if not is_kind(kind):
        kinds = ", ".join(KINDS)
        raise ArgumentTypeError(f"'{text}' is not NAME=KIND, where KIND is {kinds}, or a FILE of strategies")
    return player, kind
