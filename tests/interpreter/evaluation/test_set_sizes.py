"""Bounds on the sizes of domains with unbound parameters."""

from __future__ import annotations

import pytest

from zermelo.interpreter.evaluation.context import Context, size_bounds
from zermelo.interpreter.evaluation.expressions import Compiler


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("subsets(Card - h, 3)", (35, 35)),
        ("subsets(Card, 3)", (120, 120)),
        ("Card - h", (7, 7)),
        ("h", (3, 3)),
        ("h + {c1, c2}", (3, 5)),
        ("(Card - h) + h", (10, 10)),
        ("h * {c1, c2}", (0, 2)),
        ("h - {c1, c2}", (1, 3)),
        ("{c in Card if c not in h}", (0, 10)),
        ("{(c, d) for c in h for d in Card}", (0, 30)),
        ("1..size(h)", (0, 10)),
    ],
)
def test_bounds_follow_from_the_structure(machine_of, second: str, expected: tuple[int, int]) -> None:
    assert _bounds(machine_of, f"h in subsets(Card, 3), k in {second}", 1) == expected


@pytest.mark.parametrize("third", ["subsets(Card - h - k, 3)", "subsets(Card - (h + k), 3)"])
def test_deals_to_three_are_known_exactly(machine_of, third: str) -> None:
    assert _bounds(machine_of, f"h in subsets(Card, 3), k in subsets(Card - h, 3), m in {third}", 2) == (4, 4)


def _bounds(machine_of, parameters: str, place: int) -> tuple[int, int | None]:
    machine = machine_of(
        f"""
        game "Sizes"
        players A
        type Card = c1 | c2 | c3 | c4 | c5 | c6 | c7 | c8 | c9 | c10
        start at deal
        phase deal:
            chance:
                outcome deal({parameters}):
                    end draw
        """
    )
    rule = machine.model.phases["deal"].decision.outcomes[0]
    earlier = {parameter.slot: parameter.domain for parameter in rule.parameters[:place]}
    sizing = size_bounds(Compiler(), rule.parameters[place].domain, earlier)
    return sizing(Context(()), [None] * machine.model.phases["deal"].frame_size)
