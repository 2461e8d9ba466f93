"""Games with hidden information that were once refused, or blamed for what is no fault."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo

FOLDER = Path(__file__).parents[1] / "trial" / "secrets"


def test_until_ends_the_inner_of_two_generators_alone():
    assert not zermelo.check((FOLDER / "until.game").read_text(encoding="utf-8"))


def test_a_variable_may_have_very_many_private_entries():
    game = zermelo.load(FOLDER / "manyentries.game", n=60)
    assert len(game.initial.moves) == 3600


def test_a_game_that_is_hidden_and_endless_has_bounds():
    """Each of them secures 0 by calling, whatever the other one does, so the bounds meet there."""
    found = zermelo.solve(zermelo.load(FOLDER / "endless.game"))
    assert found.solver == "horizon" and found.exact and found.value == (0, 0)


def test_a_game_that_is_hidden_and_goes_round_is_refused_for_both():
    text = (FOLDER / "endless.game").read_text(encoding="utf-8").replace("endless draw\n", "")
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.solve(zermelo.loads(text))
    assert refused.value.code == "no-solver"
    assert "Bob cannot tell the plays" in str(refused.value) and "lead back" in str(refused.value)
