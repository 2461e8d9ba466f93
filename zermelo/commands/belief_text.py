"""A belief as a table and as JSON: the positions by what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from zermelo.boards import in_short
from zermelo.console import print_facts, print_heading, print_table
from zermelo.game import State
from zermelo.numbers import approximation, exactly
from zermelo.plain_results import plain, play_so_far

if TYPE_CHECKING:
    from zermelo.solvers.beliefs.belief import Belief

_LISTED: Final = 20
"""How many positions are printed."""

_MOST_COLUMNS: Final = 6
"""How many columns may say the same thing twice."""


def print_belief(belief: Belief[State], player: str, others: str) -> None:
    """The most probable positions, with the entries of variables in which they differ."""
    heads, rows = _told_apart([position.state for position in belief.positions])
    if len({tuple(row) for row in rows}) < len(rows):  # what tells them apart is in no variable
        heads.append("after")
        rows = [[*row, play_so_far(each.state)] for row, each in zip(rows, belief.positions, strict=True)]
    print()
    print_heading(f"{player} believes:")
    if len(belief.positions) == 1 and belief.is_exact:
        print("the position is known")
    else:
        write = exactly if belief.is_exact else approximation
        listed = [[write(each.probability), *row] for each, row in zip(belief.positions, rows, strict=True)]
        print_table(["probability", *heads], listed[:_LISTED])
        if len(belief.positions) > _LISTED:
            left = len(belief.positions) - _LISTED
            print(f"... and {left:,} positions that are less probable; `zermelo moves --json` has them")
    print()
    print_facts(_about(belief, others))


def _told_apart(states: Sequence[State]) -> tuple[list[str], list[list[str]]]:
    """Columns with the entries of variables in which states differ, boards in short; where they are many, without those
    that follow from the ones before."""
    said = [in_short(state.game.model, state.game.machine.entries(state.machine_state)) for state in states]
    heads = [
        head for head in dict.fromkeys(head for row in said for head in row) if len({row.get(head) for row in said}) > 1
    ]
    if len(heads) > _MOST_COLUMNS:
        kept: list[str] = []
        for head in heads:
            if _classes(said, [*kept, head]) > _classes(said, kept):
                kept.append(head)
        heads = kept
    return heads, [[row.get(head, "") for head in heads] for row in said]


def _classes(said: Sequence[dict[str, str]], heads: Sequence[str]) -> int:
    """How many of the states these columns tell apart."""
    return len({tuple(row.get(head) for head in heads) for row in said})


def _about(belief: Belief[State], others: str) -> list[tuple[str, str]]:
    assumed = {"uniform": "all moves equally likely", "best": "the equilibrium that has been found"}
    plays = sum(position.plays for position in belief.positions)
    found = f"{plays:,} plays to {len(belief.positions):,} positions"
    if belief.is_exact:
        sure = f"exact, by Bayes' rule over {found}" if plays > 1 else "exact: one play fits"
    else:
        worth = approximation(belief.effective)
        sure = f"estimated by {belief.drawn:,} weighted samples, worth {worth} independent ones, along {found}"
    return [("the others", assumed.get(others, f"as {others} says")), ("certainty", sure)]


def belief_record(belief: Belief[State], player: str, others: str) -> dict[str, Any]:
    """As JSON: exact probabilities as text, estimates as decimals."""
    names = differing([position.state for position in belief.positions])
    return {
        "player": player,
        "others": others,
        "exact": belief.is_exact,
        "samples": belief.drawn or None,
        "effective_samples": None if belief.is_exact else float(belief.effective),
        "positions": [
            {
                "probability": str(position.probability) if belief.is_exact else float(position.probability),
                "plays": position.plays,
                "play": list(map(str, position.state.play)),
                "differs_in": [
                    {"variable": variable, "indices": list(map(plain, indices)), "value": plain(value)}
                    for (variable, indices), value in _of(position.state, names)
                ],
            }
            for position in belief.positions
        ],
    }


def differing(states: Sequence[State]) -> list[tuple[str, tuple[Any, ...]]]:
    """The entries of variables, by name and indices, that do not have one value in all of these states."""
    first, *rest = map(_entries, states)
    names = dict.fromkeys(name for entries in (first, *rest) for name in entries)
    return [name for name in names if any(entries.get(name) != first.get(name) for entries in rest)]


def _of(state: State, names: Sequence[tuple[str, tuple[Any, ...]]]) -> list[tuple[tuple[str, tuple[Any, ...]], Any]]:
    entries = _entries(state)
    return [(name, entries.get(name)) for name in names]


def _entries(state: State) -> dict[tuple[str, tuple[Any, ...]], Any]:
    return {(seen.variable, seen.indices): seen.value for seen in state.game.machine.entries(state.machine_state)}
