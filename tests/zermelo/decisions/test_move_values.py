"""`zermelo moves --values`: what every move brings, from known results and by a second way."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError

EARNING = """\
game "Earnings on the way"
players Ann, Bob
discount 1/2
var left: 0..2 = 2
start at pick
phase pick:
    turn Ann:
        move take(n in 1..2) if n <= left:
            earn Ann: n
            left -= n
            go answer
phase answer:
    turn Bob:
        move give: end payoff (4, 0)
        move keep:
            if left == 0: end payoff (0, 0)
            go pick
"""


def values(run, *words: str) -> dict[str, tuple[dict[str, str], bool]]:
    """The value of each move to each player, and whether it is best."""
    ran = run("moves", *words, "--values", "--json")
    assert ran.code == 0, ran.out
    return {row["move"]: (row["value"], row["best"]) for row in ran.record["values"]["moves"]}


@pytest.mark.parametrize(
    "words",
    [
        ("tic_tac_toe", "--after", "mark(b2); mark(b1); mark(a1)"),
        ("nim", "-p", "heaps=2"),
        ("two_ply_tree",),
        ("three_player_tree",),
        ("coin_flip_tree",),
        ("coin_flip_tree", "--after", "left"),
    ],
)
def test_two_ways_agree(run, words):
    at_once = values(run, *words)
    assert at_once
    for solver in "maxn", "enhanced_alphabeta":
        ran = run("moves", *words, "--values", "--json", "--solver", solver)
        if ran.code == 0:
            break
    one_by_one = {row["move"]: (row["value"], row["best"]) for row in ran.record["values"]["moves"]}
    assert {move: value for move, (value, _) in one_by_one.items()} == {m: value for m, (value, _) in at_once.items()}
    for move, (_, is_best) in at_once.items():  # who hurries leaves out moves that win later
        assert is_best <= one_by_one[move][1]


def test_the_fork_of_tic_tac_toe(run):
    ran = run("moves", "tic_tac_toe", "--after", "mark(b2); mark(b1)", "--values")
    assert "\nmove      value for X        moves to the end\nmark(a1)  1            best  5\n" in ran.out
    assert "\nmark(b3)  0                  7\n" in ran.out
    assert "\nsolver  values of all positions\n" in ran.out


def test_outcomes_of_chance(run):
    ran = run("moves", "pig", "-p", "target=8", "--after", "roll", "--values")
    assert "outcome  probability  value for Ann       value for Bob       moves on average\n" in ran.out
    found = values(run, "pig", "-p", "target=8", "--after", "roll")
    mean = sum(Fraction(amounts["Ann"]) for amounts, _ in found.values()) / 6
    before = values(run, "pig", "-p", "target=8")
    assert before == {"roll": ({"Ann": str(mean), "Bob": str(-mean)}, True)}
    assert not any(is_best for _, is_best in found.values())


def test_what_has_been_earned_before_counts(run, game_file):
    """After take(1) Ann has 1; give brings her a half of 4 more, and keep a quarter of 1 and then an eighth of 4."""
    game = game_file(EARNING)
    found = values(run, game, "--after", "take(1)")
    one_by_one = values(run, game, "--after", "take(1)", "--solver", "maxn")
    assert found == one_by_one
    assert [found[move][0]["Ann"] for move in ("give", "keep")] == ["3", "7/4"]


def test_a_round_against_the_mixture_of_the_other(run):
    """By hand: Two bids 3 for the prize of 3. After bid(2), One has a 1 that beats nothing, and loses; after bid(1)
    they have {2, 3} against {1, 2} and draw if they win both other prizes: matching pennies, half a loss on average."""
    moves = run("moves", "goofspiel", "-p", "open=true", "--values", "--json").record["values"]["moves"]
    rows = {row["move"]: (row["value"]["One"], row["best"], row["probability"]) for row in moves}
    assert rows == {"bid(1)": ("-1/2", False, "0"), "bid(2)": ("-1", False, "0"), "bid(3)": ("0", True, "1")}


def test_a_round_in_which_all_mix(run):
    ran = run("moves", "rock_paper_scissors", "--values", "--json")
    for row in ran.record["values"]["moves"]:
        assert (row["value"], row["best"], row["probability"]) == ({"One": "0", "Two": "0"}, True, "1/3")


@pytest.mark.parametrize(
    ("after", "expected"),
    [  # Kuhn 1950: who holds the queen is indifferent; the others know what they would get
        ("deal(Q, K); check; bet", {"fold": "-1", "call": "-1"}),
        ("deal(K, Q); bet", {"fold": "-1", "call": "-1"}),
        ("deal(Q, K); bet", {"fold": "-1", "call": "2"}),
        ("deal(Q, J); bet", {"fold": "-1", "call": "-2"}),
        ("deal(K, J); check; bet", {"fold": "-1", "call": "2"}),
    ],
)
def test_hidden_cards(run, after, expected):
    found = values(run, "kuhn_poker", "--after", after)
    assert {move: next(iter(value.values())) for move, (value, _) in found.items()} == expected
    best = max(map(Fraction, expected.values()))
    assert {move for move, (_, is_best) in found.items() if is_best} == {
        move for move, value in expected.items() if Fraction(value) == best
    }


def test_the_mean_over_what_is_possible(run):
    """Whatever Alice holds is dealt to her in a third of all plays, and the means make up -1/18 (Kuhn 1950)."""
    parts = [
        max(Fraction(value["Alice"]) for value, _ in values(run, "kuhn_poker", "--after", f"deal({card})").values())
        for card in ("J, Q", "Q, J", "K, J")
    ]
    assert sum(parts) / 3 == Fraction(-1, 18)


def test_an_information_set_within_a_round(run):
    found = values(run, "rock_paper_scissors", "--after", "show(rock)")
    assert all(value == {"Two": "0"} and is_best for value, is_best in found.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kuhn_poker",), "an outcome of chance has no value of its own"),
        (("goofspiel", "-p", "open=true", "--after", "bid(3)"), "somebody has chosen already"),
        (("battle_of_the_sexes", "--after", "football", "--solver", "positions"), "somebody has chosen already"),
    ],
)
def test_what_has_no_value_of_its_own(run, words, said):
    ran = run("moves", *words, "--values")
    assert ran.code == 1 and ran.err.startswith("error[no-value]: ") and said in ran.err
    assert run("moves", *words, "--values", "--json").record["code"] == "no-value"


NEVER_THERE = """\
game "A door that nobody opens"
players Ann, Bob
type Door = left | right
start at first
phase first:
    turn Ann:
        move stay: end payoff (5, -5)
        move left secret: go guess(left)
        move right secret: go guess(right)
phase guess(secret door: Door):
    turn Bob:
        move say(named in Door):
            if named == door: end payoff (0, 0)
            end payoff (1, -1)
"""


def test_where_the_equilibrium_never_leads(run, game_file):
    ran = run("moves", game_file(NEVER_THERE), "--after", "left", "--values")
    assert ran.code == 1 and ran.err.startswith("error[no-value]: ") and "Bob never sees what they see here" in ran.err


def test_nothing_to_value_at_the_end(run):
    words = ["moves", "two_ply_tree", "--after", "A1; A12", "--values"]
    assert run(*words).code == 0 and "values" not in run(*words, "--json").record


def test_there_is_no_move_at_the_end_in_python():
    over = zermelo.load("two_ply_tree").initial.after("A1").after("A12")
    for solver in (None, "pimc", "ismcts", "oos", "maxn"):
        with pytest.raises(ZermeloError) as refused:
            zermelo.values(over, solver)
        assert refused.value.code == "no-value"


def test_observers_that_are_neither():
    with pytest.raises(ZermeloError) as refused:
        zermelo.values(zermelo.load("rock_paper_scissors").initial, "ismcts", observers="all")
    assert refused.value.code == "bad-usage"


@pytest.mark.parametrize("solver", ["pimc", "alphamu", "ismcts", "oos"])
def test_what_is_of_one_decision_solves_no_game(run, solver):
    ran = run("solve", "kuhn_poker", "--solver", solver)
    assert ran.code == 2 and f"--values --solver {solver}` compares the moves" in ran.err


def test_limits(run):
    ran = run("moves", "domineering", "--values", "--time", "0.3", "--solver", "alphabeta")
    assert ran.code == 1 and ran.err.startswith("error[out-of-time]: ")
    assert run("moves", "connect_four", "--values", "--memory", "1M").err.startswith("error[out-of-memory]: ")
    assert run("moves", "nim", "--values", "--solver", "nothing").code == 2


def test_so_many_moves_ahead(run):
    """Behind each move it is what `solve` finds there with that depth."""
    record = run("moves", "tic_tac_toe", "--values", "--depth", "2", "--json").record["values"]
    assert record["certainty"] == "depth-limited" and record["exact"] is False
    for worth in record["moves"]:
        there = run("solve", "tic_tac_toe", "--after", worth["move"], "--depth", "2", "--json").record
        assert worth["value"] == there["value"]
    assert [worth["move"] for worth in record["moves"] if worth["best"]] == ["mark(b2)"]


def test_a_depth_is_for_solvers_that_deepen(run):
    ran = run("moves", "tic_tac_toe", "--values", "--depth", "2", "--solver", "positions")
    assert ran.code == 1 and ran.err.startswith("error[searches-to-the-end]: ")
