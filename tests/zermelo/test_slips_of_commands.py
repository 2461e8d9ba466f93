"""Likely slips on the command line: what was meant is said."""

from __future__ import annotations

import re

import pytest


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["solve", "tic_tac_toe", "size=4"], "did you mean '-p size=4'?"),
        (["solve", "tic_tac_toe", "--verfy"], "did you mean '--verify'?"),
        (["moves", "tic_tac_toe", "--value"], "did you mean '--values'?"),
        (["show", "tic_tac_toe", "--position"], ""),
        (["compare", "tic_tac_toe", "--solver", "minimax"], ""),
        (["explain", "bad-usage", "a=b"], ""),
    ],
)
def test_an_argument_that_a_command_does_not_have(run, words, meant):
    ran = run(*words)
    said = re.sub(r"\s+", " ", ran.err)
    assert ran.code == 2 and "error[bad-usage]" in said
    assert meant in said and ("did you mean" in said) == bool(meant)


def test_the_name_of_a_file_without_its_ending(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_game").code == 0
    assert "did you mean 'my_game.game'?" in re.sub(r"\s+", " ", run("check", "my_game").err)
    assert "there is my_game.game" in run("check", "my_gme.game").err
    assert "there is my_game.game" in run("solve", "my_game.gam").err
    assert "there is" not in run("solve", "nowhere/my_game.game").err
    assert "there is" not in run("solve", "chess960.game").err
