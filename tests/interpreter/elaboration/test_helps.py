"""What findings advise: written into the file, it is right."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check

GAME = """game "Helps"
players Ann, Bob
type Hole = ring(6)
param start: 0..5 = 2
{declared}
start at play(Ann)
phase play(p: Player):
    turn p:
        move step(k in Hole{also}):
            if {condition}: end win p
            end draw
"""


def findings(condition: str, declared: str = "", also: str = "") -> list[tuple[str, str]]:
    text = GAME.format(declared=declared, also=also, condition=condition)
    return [(finding.code, finding.help) for finding in check(Source("helps.game", text))[1].errors]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("k == start", "k == Hole(start)"),
        ("start != k", "Hole(start) != k"),
        ("k > start", "k > Hole(start)"),
        ("k in {1, start}", "k in {1, Hole(start)}"),
        ("start in neighbours(k)", "Hole(start) in neighbours(k)"),
    ],
)
def test_a_place_of_a_ring_beside_a_number(wrong: str, right: str) -> None:
    assert findings(wrong) == [("type-mismatch", "Hole(start) is the place with this number")]
    assert findings(right) == []


def test_a_place_of_a_ring_in_a_set_of_numbers() -> None:
    assert findings("k in {n * n for n in 1..2}") == [("type-mismatch", "Hole(k) is the place with the number k")]
    assert findings("k in {Hole(n * n) for n in 1..2}") == []


def test_the_parts_of_a_bare_tuple_get_names_by_a_type() -> None:
    ((code, help),) = findings("d.steps == 2", also=", d in {(1, 2)}")
    assert code == "undefined-name" and "define steps: set of Step = {(1, 2)}" in help
    declared = "type Step = (from: 0..5, steps: 1..2)\ndefine steps: set of Step = {(1, 2)}"
    assert findings("d.steps == 2", declared, also=", d in steps") == []


def test_a_line_has_a_whole_number_of_places() -> None:
    assert findings("any(lines(Hole, 5/2))") == [("out-of-range", "")]
    assert findings("any(lines(Hole, 2))") == []
