"""What is known of a move's parameter from its domain: whether filling it is known to fill an empty cell."""

from __future__ import annotations

import pytest
from written_games import model_of

from zermelo.interpreter.checks.proving import facts

RULES = """
game "Filling"
players A, B
type Cell = grid(2, 2)
var board[Cell]: Player? = none
var marked[Cell]: Bool = false
define free(c: Cell) = board[c] is none
start at play(A)
phase play(p: Player):
    turn p:
        move mark(c in Cell) if not marked[c]:
            marked[c] := true
            go play(other p)
        move fill(c in {domain}) if marked[a1]:
            board[c] := p
            go play(other p)
    otherwise:
        end draw
"""

EMPTY = [
    "{e for d in directions(Cell) for e in ray(a1, d) while free(e)}",
    "{e for d in Cell if marked[d] for e in Cell if free(e)}",
    "{e in Cell while free(e)}",
]

PERHAPS_NOT = [
    "{e for d in directions(Cell) for e in ray(a1, d) until free(e)}",
    "{e for d in Cell if free(d) for e in Cell}",
    "{e for d in Cell for e in Cell if free(e) or d != e}",
    "{e in Cell until free(e)}",
]


@pytest.mark.parametrize("domain", EMPTY)
def test_a_condition_on_every_member_is_known_of_each(domain: str) -> None:
    assert facts(model_of(RULES.replace("{domain}", domain))).terminates.holds is True


@pytest.mark.parametrize("domain", PERHAPS_NOT)
def test_what_is_not_about_the_member_is_not(domain: str) -> None:
    assert facts(model_of(RULES.replace("{domain}", domain))).terminates.holds is None
