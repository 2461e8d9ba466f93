"""A value is promised only where a game has one; an equilibrium of several, a guess and a mean are called that."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.numbers import exact_text, sample_decimals, sample_text

TELEGRAPH = str(Path(__file__).parents[1] / "trial" / "values" / "telegraph.game")
"""One sees a card and sends a signal, the other one guesses: they can agree to be right every time."""


def _head(printed):
    """The head of the column of payoffs."""
    return next(line for line in printed.splitlines() if line.startswith("player  ")).split("  ", 1)[1].strip()


@pytest.mark.parametrize(
    ("words", "head"),
    [
        (["two_ply_tree"], "value"),
        (["parking"], "value"),  # a single player
        (["forked_roads"], "value"),
        (["two_taxis"], "value"),  # a common payoff
        (["partners_signal"], "value"),  # a common payoff, and the most that can be agreed on
        (["partners_signal", "--solver", "normal_form"], "value"),
        (["partners_signal", "--solver", "lemke"], "an equilibrium pays"),
        ([TELEGRAPH, "-p", "kinds=5"], "value"),
        ([TELEGRAPH, "-p", "kinds=5", "--solver", "lemke"], "an equilibrium pays"),
        ([TELEGRAPH, "-p", "kinds=5", "--solver", "subgame_perfect"], "an equilibrium pays"),
        ([TELEGRAPH, "-p", "kinds=3", "--solver", "subgame_perfect"], "value"),
        (["three_player_tree"], "an equilibrium pays"),
        (["battle_of_the_sexes"], "an equilibrium pays"),
        (["pirates", "-p", "players=3"], "an equilibrium pays"),
        (["three_player_tree", "--solver", "paranoid"], "a guess"),
        (["kuhn_poker_for_several", "--solver", "cfr+", "--iterations", "5"], "these strategies pay"),
        (["chess", "--depth", "1"], "value, depth-limited"),
        (["tic_tac_toe", "--solver", "mcts", "--simulations", "50"], "a guess"),
    ],
)
def test_what_the_payoffs_are(run, words, head):
    assert _head(run("solve", *words).out) == head
    assert run("solve", *words, "--json").record["meaning"] == head.partition(",")[0]


def test_an_expectation_of_one_equilibrium_says_so(run, tmp_path):
    """Both pure equilibria are equilibria: what another pays is no contradiction."""
    file = tmp_path / "ballet.game"
    table = "    Ann \\ Bob | opera | football\n    opera     | 3, 2  | 0, 0\n    football  | 0, 0  | 2, 3\n"
    file.write_text(f'game "Ballet"\nplayers Ann, Bob\ntable:\n{table}expect value == (2, 3)\n')
    assert "an equilibrium pays (3, 2); others may differ" in " ".join(run("test", str(file)).out.split())


def test_heads_of_moves_and_of_comparisons(run):
    assert "an equilibrium pays A" in run("moves", "three_player_tree", "--values").out
    assert "value for MAX" in run("moves", "two_ply_tree", "--values").out
    assert "an equilibrium pays" in run("compare", "three_player_tree").out
    assert "an equilibrium pays Ann" in run("moves", "partners_signal", "--after", "deal(hearts)", "--values").out


def test_a_mean_of_simulations_comes_with_its_standard_error(run):
    words = "solve", "n_person_nim", "--solver", "mcts", "--simulations", "400"
    record = run(*words, "--json").record
    printed = run(*words).out
    for player, mean in record["value"].items():
        error = record["standard_errors"][player]
        assert 0 < float(error) < 0.2 and len(mean) < 8
        assert f"{player}      ≈ {mean} ± {error}\n" in printed
    assert run("solve", "nim", "-p", "heaps=1", "--json").record["standard_errors"] is None


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(2, 5), "2/5 = 0.4"),
        (Fraction(-1, 1000), "-1/1000 = -0.001"),
        (Fraction(1, 18), "1/18 ≈ 0.05556"),
        (Fraction(12345, 1000), "2469/200 ≈ 12.35"),
        (3, "3"),
    ],
)
def test_a_decimal_that_is_the_number_is_equal_to_it(number, text):
    assert exact_text(number) == text


@given(st.fractions(-1000, 1000), st.fractions(Fraction(1, 10**6), 100))
def test_as_many_decimals_as_the_standard_error_allows(mean, error):
    shown = Fraction(sample_decimals(mean, error))
    assert abs(shown - mean) <= max(error / 20, Fraction(1, 2) if error >= 10 else 0)


def test_a_sample_without_spread():
    assert sample_text(1, Fraction(0)) == "≈ 1 ± 0"
    assert sample_text(Fraction(-12863088, 12864661), Fraction(13, 10_000)) == "≈ -0.9999 ± 0.0013"
