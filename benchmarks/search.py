"""Search: minimax over the whole tree, and alpha-beta. Both sides visit the same nodes, so nodes a second can be
compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import zermelo
from benchmarks import ours
from benchmarks.measure import REPEATS, Measurement, Unavailable, best_of_fixed
from benchmarks.peers import cpp, openspiel
from benchmarks.report import Row

_SHORT_RUNS = 20
_SIMULATIONS = 20_000
_THEIR_SIMULATIONS = 500


def _nodes(
    task: str,
    work: Callable[[], Measurement],
    peers: Mapping[str, Callable[[], Measurement]],
    targets: Mapping[str, float],
) -> list[Row]:
    mine = measurement_or_reason(work)
    rows = []
    for peer, run in peers.items():
        theirs = measurement_or_reason(run)
        rows.append(
            Row(
                task=task,
                unit="nodes/s",
                ours=mine,
                peer=peer,
                theirs=theirs,
                target=targets.get(peer),
                note=_counts(mine, theirs),
            )
        )
    return rows


def measurement_or_reason(work: Callable[[], Measurement]) -> Measurement | str:
    """A measurement, or the reason for a missing one."""
    try:
        return work()
    except Unavailable as reason:
        return str(reason)


def _counts(mine: Measurement | str, theirs: Measurement | str) -> str:
    counts = [side.amount for side in (mine, theirs) if isinstance(side, Measurement)]
    if len(set(counts)) == 1:
        return f"{counts[0]:,} nodes"
    return f"{' and '.join(f'{count:,}' for count in counts)} nodes: not the same"


def minimax() -> list[Row]:
    """Minimax over the whole tree of tic-tac-toe."""
    return _nodes(
        "tic-tac-toe, minimax, whole tree",
        lambda: best_of_fixed(ours.minimax(ours.machine_of("tic_tac_toe"))),
        {
            openspiel.NAME: lambda: best_of_fixed(openspiel.minimax(openspiel.game_of("tic_tac_toe"))),
            cpp.NAME: lambda: cpp.run("tic_tac_toe", _SHORT_RUNS),
            f"{cpp.NAME}, bit boards": lambda: cpp.run("tic_tac_toe_bits", _SHORT_RUNS),
        },
        {cpp.NAME: 4},
    )


def alphabeta() -> list[Row]:
    """Alpha-beta on tic-tac-toe, without a table."""
    return _nodes(
        "tic-tac-toe, alpha-beta, no table",
        lambda: best_of_fixed(ours.alphabeta(ours.machine_of("tic_tac_toe"))),
        {openspiel.NAME: lambda: best_of_fixed(openspiel.alphabeta(openspiel.game_of("tic_tac_toe")))},
        {},
    )


def alphabeta_with_table() -> list[Row]:
    """Alpha-beta with a transposition table on connect four."""
    return _nodes(
        "connect four 5x5, alpha-beta, table",
        lambda: best_of_fixed(ours.alphabeta(ours.machine_of("connect_four", rows=5, columns=5), ours.TABLE)),
        {cpp.NAME: lambda: cpp.run("connect_four", REPEATS, ours.TABLE)},
        {cpp.NAME: 0.8},
    )


def monte_carlo() -> list[Row]:
    """Monte Carlo tree search on connect four, with random plays, on both sides by UCT from the beginning."""
    machine, facts = ours.machine_of("connect_four"), zermelo.load("connect_four").facts
    mine = measurement_or_reason(lambda: best_of_fixed(ours.monte_carlo_tree_search(machine, facts, _SIMULATIONS)))
    theirs = measurement_or_reason(
        lambda: best_of_fixed(openspiel.monte_carlo_tree_search(openspiel.game_of("connect_four"), _THEIR_SIMULATIONS))
    )
    return [
        Row(
            task="connect four, Monte Carlo tree search",
            unit="simulations/s",
            ours=mine,
            peer=openspiel.NAME,
            theirs=theirs,
            target=20,
            note=f"{_SIMULATIONS:,} and {_THEIR_SIMULATIONS:,} simulations",
        )
    ]
