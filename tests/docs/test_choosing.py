"""The page on the choice of a solver agrees with what is chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import zermelo
from zermelo.solvers.choosing.choice import choose_solver, settle
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.common.limits import Limits

PAGE = Path(__file__).parents[2] / "docs" / "choosing.md"
ROW = re.compile(r"^\| (.*) \| `(\w+)` \| .* \| (.*) \|$", re.M)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8").split("## What it costs")[0])


def test_every_bundled_game_is_in_one_row():
    named = [game for _, _, games in ROWS for game in games.split(", ")]
    assert sorted(named) == list(zermelo.games())
    assert all(solver in SOLVERS for _, solver, _ in ROWS)


@pytest.mark.parametrize(
    ("kind", "solver", "name"), [(kind, solver, game) for kind, solver, games in ROWS for game in games.split(", ")]
)
def test_the_default_is_the_one_of_the_page(kind, solver, name):
    """By what the rules prove, and where plays may go round, by a look at the positions."""
    game = zermelo.load(name)
    facts = game.facts
    if "if plays can go in circles" in kind:
        machine = game.searching
        facts = settle(machine, facts, None, machine.initial(), Limits(memory=1 << 28)).facts
    assert choose_solver(facts).name == solver
