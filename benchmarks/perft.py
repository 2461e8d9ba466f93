"""Perft: all plays of four moves from the beginning of chess. Every side counts the last move without making it."""

from __future__ import annotations

from benchmarks import ours
from benchmarks.measure import best_of_fixed
from benchmarks.peers import openspiel, python_chess
from benchmarks.report import Row
from benchmarks.search import measurement_or_reason

LENGTH = 4
PLAYS = 197_281
"""The known count for four moves."""


def chess() -> list[Row]:
    """Perft of chess against OpenSpiel and python-chess."""
    mine = measurement_or_reason(lambda: best_of_fixed(ours.perft(ours.machine_of("chess"), LENGTH)))
    peers = (
        (openspiel.NAME, 1.0, lambda: best_of_fixed(openspiel.perft(openspiel.game_of("chess"), LENGTH))),
        (python_chess.NAME, 5.0, lambda: best_of_fixed(python_chess.perft(LENGTH))),
    )
    rows = []
    for peer, target, run in peers:
        theirs = measurement_or_reason(run)
        wrong = [side.amount for side in (mine, theirs) if not isinstance(side, str) and side.amount != PLAYS]
        note = f"WRONG: {wrong[0]:,} plays, not {PLAYS:,}" if wrong else f"{PLAYS:,} plays"
        rows.append(
            Row(
                task=f"chess, perft({LENGTH})",
                unit="plays/s",
                ours=mine,
                peer=peer,
                theirs=theirs,
                target=target,
                note=note,
            )
        )
    return rows
