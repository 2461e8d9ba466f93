"""A refusal that asks for a smaller game says how parameters may make it so."""

from __future__ import annotations

import re

import pytest

SIZED = """\
game "Boards"

players A, B

type Colour = red | green
param rows: 2..5 = 3
param columns: 1..4 = 1
param step: 0..4 by 2 = 4
param open: Bool = true
param tint: Colour = red
param most: 2..9 = 3

require most >= rows

var taken: 0..1000 = 0

start at play(A)

phase play(p: Player):
    if taken == 1000:
        end draw
    turn p:
        move take(n in 1..most) if taken + n <= 1000:
            taken += n
            go play(other p)
"""


def test_the_full_board_names_smaller_ones(run):
    """Blind tic-tac-toe has too many histories for every solver; two columns are solved."""
    ran = run("solve", "blind_tic_tac_toe", "--memory", "50M")
    assert ran.code == 1 and ran.err.startswith("error[out-of-memory]")
    assert "a smaller game may fit; with -p width=2, -p height=2 or -p run=2 it may be smaller" in flat(ran.err)
    assert run("solve", "blind_tic_tac_toe", "-p", "width=2", "-p", "run=2", "--memory", "50M").code == 0
    assert run("exploit", "blind_tic_tac_toe", "uniform", "--memory", "50M").err.count("-p width=2") == 1


def test_only_what_the_file_allows_is_proposed(run, tmp_path):
    file = tmp_path / "boards.game"
    file.write_text(SIZED, encoding="utf-8")
    ran = run("solve", str(file), "--solver", "alphabeta", "--steps")
    assert ran.code == 1 and ran.err.startswith("error[trace-too-large]")
    assert "; with -p rows=2 it may be smaller" in flat(ran.err)  # fewer than 3 may be taken only with 2 rows


def test_a_game_without_such_parameters_gets_no_advice(run, tmp_path):
    file = tmp_path / "boards.game"
    text = re.sub(r"(?m)^(param|require).*\n", "", SIZED).replace("1..most", "1..3")
    file.write_text(text, encoding="utf-8")
    ran = run("solve", str(file), "--solver", "alphabeta", "--steps")
    assert ran.code == 1 and flat(ran.err).rstrip().endswith("a smaller game, or a solver that visits fewer nodes")


def test_a_deal_that_is_too_large_names_a_smaller_one(run):
    ran = run("plays", "four_card_whist", "1")
    assert "error[too-many-outcomes]" in ran.err and "with -p each=3 it may be smaller" in flat(ran.err)


@pytest.mark.parametrize("solver", ["sequence_form", "cfr", "cfr_plus"])
def test_every_solver_says_so(run, solver):
    ran = run("solve", "blind_tic_tac_toe", "--solver", solver, "--memory", "50M")
    assert "-p width=2" in flat(ran.err)


def flat(text):
    return re.sub(r"\s+", " ", text)
