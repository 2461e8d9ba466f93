"""Kinds of games in words: for the help, and for why a solver was chosen."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.solvers.choosing.choice import kind_of_game
from zermelo.solvers.choosing.registry import SOLVERS, solvers_by_kind
from zermelo.solving import facts_with_information


def test_every_solver_is_listed_once_under_a_kind_of_game():
    lines = solvers_by_kind().splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(listed) == sorted(SOLVERS)
    heads = [line for line in lines if line.startswith("solvers where ")]
    assert len(heads) == len(set(heads)) == 6
    assert "there is no chance" in next(head for head in heads if lines[lines.index(head) + 1].startswith("  enhanced"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rock_paper_scissors", "two players, zero sum, no chance, choices at once"),
        ("kuhn_poker", "two players, zero sum, chance, hidden information"),
        ("nim", "two players, zero sum, no chance, perfect information"),
        ("parking", "one player against chance, perfect information"),
    ],
)
def test_choices_at_once_are_not_called_hidden(name, kind):
    assert kind_of_game(facts_with_information(zermelo.load(name))) == kind
