"""Information-set Monte Carlo tree search, in simulations a second: one search by what everybody knows.

Both sides search for the same player in the same position, with random plays and nothing left over from an earlier
search. Our time is that of the whole choice of a move, from drawing the deals to the means; optimised code is cached,
as it is after a few such choices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from attrs import frozen

import zermelo
from benchmarks.measure import Measurement, best_of_fixed
from benchmarks.peers import openspiel
from benchmarks.report import Delay, Row
from benchmarks.search import measurement_or_reason
from zermelo.decisions import simulate

_SIMULATIONS: Final = 200_000
_THEIR_SIMULATIONS: Final = 1_000
_WHIST: Final = (
    "deal({(two, clubs), (nine, clubs), (four, hearts), (nine, spades)}, "
    "{(three, clubs), (eight, hearts), (five, hearts), (two, spades)})"
)


@frozen
class Start:
    """A position on both sides: the play that leads to it; and the ratios to reach beside their bots in Python and in
    C++."""

    title: str
    name: str
    play: tuple[str, ...]
    their_play: tuple[int, ...]
    targets: tuple[float | None, float | None]


STARTS: Final = (
    Start("Leduc poker, first bet", "leduc_poker", ("deal(J♥)", "deal(Q♠)"), (0, 2), (50, 10)),
    Start("Kuhn poker, first bet", "kuhn_poker", ("deal(J, Q)",), (0, 1), (50, None)),
)


def searches() -> list[Row | Delay]:
    """Games of which OpenSpiel draws deals, too, beside its bots in Python and in C++; and whist, without a peer."""
    rows: list[Row | Delay] = []
    for start in STARTS:
        mine = measurement_or_reason(partial(_ours, search(start.name, start.play)))
        bots = ((openspiel.NAME, True), (f"{openspiel.NAME}, C++", False))
        for (peer, is_python), target in zip(bots, start.targets, strict=True):
            rows.append(
                Row(
                    task=f"{start.title}, information-set search",
                    unit="simulations/s",
                    ours=mine,
                    peer=peer,
                    theirs=measurement_or_reason(partial(_theirs, start, is_python)),
                    target=target,
                    note=f"{_SIMULATIONS:,} and {_THEIR_SIMULATIONS:,} simulations",
                )
            )
    whist = _ours(search("four_card_whist", (_WHIST,)))
    return [*rows, Delay(task=f"whist, {_SIMULATIONS:,} simulations", ours=whist.seconds, limit=1)]


def search(name: str, play: tuple[str, ...]) -> Callable[[], int]:
    """The choice of a move, which returns the number of simulations."""
    state = zermelo.load(name).initial
    for move in play:
        state = state.after(move)
    return lambda: simulate(state, simulations=_SIMULATIONS).counts["simulations"]


def _ours(choose: Callable[[], int]) -> Measurement:
    """The fastest of several choices by optimised code, which is made while others are made for a while."""
    from zermelo.interpreter.native.llvm.engine import finish

    best_of_fixed(choose)
    finish()
    return best_of_fixed(choose)


def _theirs(start: Start, is_python: bool) -> Measurement:
    game = openspiel.game_of(start.name)
    return best_of_fixed(openspiel.information_set_search(game, start.their_play, _THEIR_SIMULATIONS, is_python))
