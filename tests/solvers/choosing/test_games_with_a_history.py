"""What is chosen for games whose rules look at the history: draughts on 16 squares, drawn by a third repetition."""

from __future__ import annotations

import re
from importlib.resources import files

from all_machines import needs_llvm
from solving import solve

import zermelo

REPETITION = "    if repetitions(board) >= 3: end draw\n"


def draughts(rule: str, declared: str = "") -> str:
    """The bundled checkers on 4 x 4 squares, a row of men each, without its clock."""
    text = (files("zermelo") / "gamedefs" / "checkers.game").read_text(encoding="utf-8")
    text = text.replace("grid(8, 8)", "grid(4, 4)").replace("then 8 else 1", "then 4 else 1")
    text = text.replace("s.y <= 3:", "s.y <= 1:").replace("s.y >= 6:", "s.y >= 4:").replace(", terminates", declared)
    text = text.replace("    if idle == patience: end draw\n", rule)
    text = re.split(r"^(?:test|reachable|never)\b", text, maxsplit=1, flags=re.MULTILINE)[0]  # of the whole board
    return re.sub(r"^(param|var idle|expect| +idle :=).*\n", "", text, flags=re.MULTILINE)


@needs_llvm
def test_a_third_repetition_is_worth_what_going_on_for_ever_is():
    """Who can win at all can win without coming back to a position; so the value is that of the game in which plays go
    on for ever and are drawn, which retrograde analysis finds without a history."""
    game = zermelo.loads(draughts(REPETITION))
    found = solve(game.on("native").searching, game.facts)
    assert (found.solver, found.exact) == ("dfpn", True)
    assert found.counts["nodes"] < 20_000
    endless = zermelo.loads(draughts("", "\nendless draw"))
    again = zermelo.solve(endless, "positions")
    assert again.exact and again.value == found.value


@needs_llvm
def test_deepening_solves_it_with_a_table_of_pasts():
    """Without a table 337 million nodes were not enough."""
    game = zermelo.loads(draughts(REPETITION))
    found = solve(game.on("native").searching, game.facts, "principal_variation")
    assert (found.value, found.exact) == ((0, 0), True)
    assert found.counts["nodes"] < 400_000
