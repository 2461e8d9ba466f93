"""``zermelo solve``."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from all_machines import needs_llvm
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from zermelo.cli import main
from zermelo.numbers import LEGIBLE, LEGIBLE_DIGITS, exact_text, interval_text
from zermelo.solvers.choosing.registry import SOLVERS


def test_solve(run):
    ran = run("solve", "two_ply_tree", "--solver", "minimax")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[0] == "A two-ply tree"
    for line in (
        "players      MAX, MIN",
        "MAX     3",
        "MIN     -3",
        "solver     minimax",
        "best move  A1",
        "best play  A1, A11",
    ):
        assert line in lines
    assert any(line.startswith("sum          zero (") for line in lines)
    assert any(line.startswith("counts     nodes 13, terminals 9") for line in lines)


def test_solve_as_json(run):
    record = run("solve", "coin_flip_tree", "--json").record
    assert record["game"] == "coin_flip_tree" and record["parameters"] == {} and record["title"]
    assert record["solver"] == "positions" and record["exact"] is True
    assert record["machine"] in ("native", "reference")
    assert record["value"] == {"MAX": "3", "MIN": "-3"} and record["best"] == ["left"]
    assert record["counts"]["nodes"] > record["counts"]["terminals"] > 0
    assert isinstance(record["seconds"], float)
    assert record["facts"]["chance"]["holds"] is True and record["facts"]["sum"] == "0"
    assert record["survey"] is None  # the rules prove everything


def test_time_takes_no_other_solver_where_it_suffices(run):
    plain = run("solve", "tic_tac_toe", "--json").record
    timed = run("solve", "tic_tac_toe", "--time", "100", "--json").record
    assert timed["facts"]["perfect_information"]["holds"] and plain["solver"] == "enhanced_alphabeta"
    same = ("solver", "value", "counts")
    assert [timed[what] for what in same] == [plain[what] for what in same]


NO_FIELDS = """\
game "Equal in the end"
players Ann, Bob
claim terminates
var x: 0..9 = 1
var y: 0..9 = 1
start at play
phase play:
    turn Ann:
        move more:
            x := 9 - x
            y := 9 - y
            go last
phase last:
    turn Bob:
        move stop: end payoff (x * x, -y * y)
"""


def test_solve_surveys_what_the_rules_leave_open_and_a_solver_needs(run, game_file):
    record = run("solve", game_file(NO_FIELDS), "--json").record
    assert record["survey"]["positions"] == 3 and record["survey"]["finished"] is True
    assert record["facts"]["constant_sum"]["holds"] is True and record["solver"] == "enhanced_alphabeta"
    record = run("solve", "pirates", "-p", "players=3", "-p", "gold=2", "--solver", "maxn", "--json").record
    assert record["survey"]["positions"] == 60 and record["survey"]["finished"] is True
    assert record["facts"]["constant_sum"]["holds"] is None  # max^n does not need it
    assert record["facts"]["terminates"]["holds"] is True


ROUND = """\
game "Round"
players Ann, Bob
var is_on: Bool = false
start at play(Ann)
phase play(p: Player):
    turn p:
        move switch:
            is_on := not is_on
            go play(other p)
        move leave: end win p
"""


def test_solve_finds_the_play_that_goes_round(run, game_file):
    for name, help in (("minimax", "--solver positions"), ("mtdf", "--depth N --estimate rollouts")):
        ran = run("solve", game_file(ROUND), "--solver", name)
        assert "switch, switch lead back to the same position" in ran.err and help in ran.err
    assert "depth-limited" not in run("solve", game_file(ROUND), "--solver", "mtdf").out


def test_solve_shows_fractions_with_a_decimal(run, game_file):
    text = 'game "Die"\nplayers A, B\ntree:\n    chance:\n        1/3 low: 1\n        2/3 high: 0\n'
    ran = run("solve", game_file(text))
    assert "A       1/3 ≈ 0.3333" in ran.out and "B       -1/3 ≈ -0.3333" in ran.out
    assert run("solve", "test.game", "--json").record["value"] == {"A": "1/3", "B": "-1/3"}


def test_solve_reports_ties(run, game_file):
    text = 'game "Tie"\nplayers A, B\ntree:\n    A:\n        l: (1, 2)\n        r: (1, 0)\n'
    ran = run("solve", game_file(text))
    assert "also possible: (1, 0)" in ran.out
    assert run("solve", "test.game", "--json").record["alternatives"] == [{"A": "1", "B": "0"}]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["tic_tac_toe", "--solver", "sequence_form"], "needs-imperfect-information"),
        (["three_player_tree", "--solver", "alphabeta"], "needs-two-players"),
        (["coin_flip_tree", "--solver", "minimax"], "needs-no-chance"),
        (["rock_paper_scissors", "--solver", "minimax"], "needs-perfect-information"),
    ],
)
def test_solve_refuses_with_a_code(run, words, code):
    ran = run("solve", *words)
    assert ran.code == 1 and ran.err.startswith(f"error[{code}]: ")
    assert run("solve", *words, "--json").record["code"] == code


# Solvers that iterate, from the command line.


def test_the_result_says_what_is_proved(capsys):
    assert main(["solve", "kuhn_poker", "--solver", "cfr+", "--exploitability", "1e-3"]) == 0
    printed = capsys.readouterr().out
    assert "value, bounded" in printed
    assert "the value of the game for Alice is between -0.05" in printed
    assert "exploitability  ≈ 0.000" in printed


def test_json_has_the_bounds_as_fractions(capsys):
    assert main(["solve", "kuhn_poker", "--iterations", "100", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    low, high = map(Fraction, record["interval"])
    assert low <= Fraction(-1, 18) <= high
    assert Fraction(record["exploitability"]) == (high - low) / 2
    assert record["solver"] == "predictive_cfr_plus"
    assert record["certainty"] == "bounded" and record["exact"] is False
    assert record["counts"]["iterations"] == 100


def test_a_checkpoint_is_taken_up_again(capsys, tmp_path):
    file = tmp_path / "work"
    command = ["solve", "kuhn_poker", "--solver", "cfr", "--checkpoint", str(file), "--json"]
    counts = []
    for iterations in ("10", "30"):
        assert main([*command, "--iterations", iterations]) == 0
        counts.append(json.loads(capsys.readouterr().out)["counts"]["iterations"])
    assert counts == [10, 30]
    file.write_bytes(b"something else")
    assert main([*command, "--iterations", "40"]) == 1
    assert "bad-checkpoint" in capsys.readouterr().out
    assert file.read_bytes() == b"something else"


@pytest.mark.parametrize("words", [["--exploitability", "small"], ["--exploitability", "-1"], ["--iterations", "0"]])
def test_goals_that_are_no_numbers(capsys, words):
    assert main(["solve", "kuhn_poker", "--solver", "cfr", *words]) == 2
    assert "bad-usage" in capsys.readouterr().err


@given(st.fractions(), st.fractions(min_value=0))
def test_an_interval_in_decimals_contains_the_interval(low, width):
    near = width * Fraction(103, 100)
    for digits, room in ((None, near), (LEGIBLE_DIGITS, max(near, width + Fraction(2, 10**LEGIBLE_DIGITS)))):
        shown = interval_text(low, low + width, digits).split(" and ")
        assert Fraction(shown[0]) <= low <= low + width <= Fraction(shown[1])
        assert Fraction(shown[1]) - Fraction(shown[0]) <= room


def test_fractions_that_nobody_would_read():
    assert exact_text(Fraction(-1, 18)) == "-1/18 ≈ -0.05556"
    long = Fraction(10**LEGIBLE + 1, 3 * 10**LEGIBLE)
    assert exact_text(long) == "≈ 0.3333"


# ``zermelo solve --verify``: a value is confirmed by a second search, or the disagreement is reported.


def test_a_value_is_found_again(run):
    ran = run("solve", "kuhn_poker", "--verify")
    assert ran.code == 0
    how = "by exact best responses over all 55 histories: nobody gains by leaving the strategies"
    assert f"\nverified  {how}\n" in ran.out
    record = run("solve", "two_ply_tree", "--verify", "--json").record
    assert record["verification"] == {
        "confirmed": True,
        "how": "by plain recursion over all 13 histories: the same value",
    }
    assert run("solve", "two_ply_tree", "--json").record["verification"] is None


def test_what_cannot_be_found_again_is_said_not_to_be(run):
    ran = run("solve", "kuhn_poker", "--verify", "--solver", "cfr+", "--iterations", "5")
    assert ran.code == 0
    assert "\nnot verified    the value is bounded, and only exact ones are found again\n" in ran.out


def test_a_proof_in_circles_is_not_found_again_by_a_search_to_the_end(run):
    result = run("solve", "three_mens_morris", "--solver", "dfpn", "--verify")
    assert result.code == 0
    assert "has met a play that goes round" in " ".join(result.out.split())


@needs_llvm
def test_a_value_by_some_of_the_positions_is_found_again_by_another_solver(run):
    ran = run("solve", "tic_tac_toe", "--solver", "positions", "--memory", "200K", "--verify")
    assert "Only positions in which nobody can win at once" in ran.out
    assert "\nverified    by df-pn proof-number search: the same value\n" in ran.out


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_wrong_solver_is_found_out(run, monkeypatch, format):
    right = SOLVERS["minimax"].algorithm

    def wrong(problem):
        return evolve(right(problem), value=(Fraction(4), Fraction(-4)))

    monkeypatch.setattr("zermelo.solvers.search.alphabeta.minimax", wrong)
    words = ("solve", "two_ply_tree", "--solver", "minimax", "--machine", "reference", "--format", format)
    assert run(*words).code == 0, "without --verify there is no second search"
    ran = run(*words, "--verify")
    assert ran.code == 2
    assert "values-disagree" in (ran.err if format == "text" else ran.out)
    assert "finds (3, -3)" in (ran.err if format == "text" else ran.out)


# Numbers certified to many digits, in a game in which to stay costs something: against a recursion.


CLIMB = """game "Climb"
players Ann
var at: 0..120 = 0
start at climb
phase climb:
    if at == 120: end payoff (0)
    turn Ann:
        move try:
            earn Ann: -1
            go slope
        move rest:
            earn Ann: -1/2
            go climb
phase slope:
    chance:
        outcome up prob (at * at * 999983 + 1000003) / (at * at * 999983 + 50003 * at + 1000333):
            at += 1
            go climb
        outcome fall prob 1 - (at * at * 999983 + 1000003) / (at * at * 999983 + 50003 * at + 1000333):
            at := at * 3 // 4
            go climb
"""


def test_certified_numbers_where_staying_costs(run, game_file):
    """The exact number has more than 1,000 digits. From place k it takes h(k) tries to come to k + 1, where
    h(k) = 1 + (1 - p) (h(3k // 4) + ... + h(k)) if a try succeeds with probability p."""
    tries: list[Fraction] = []
    for k in range(120):
        up = Fraction(k * k * 999983 + 1000003, k * k * 999983 + 50003 * k + 1000333)
        tries.append((1 + (1 - up) * sum(tries[3 * k // 4 :])) / up)
    right = -sum(tries)
    assert right.denominator > 10**1000
    record = run("solve", game_file(CLIMB), "--digits", "30", "--json").record
    low, high = map(Fraction, record["interval"])
    assert not record["exact"] and low <= right <= high and high - low <= Fraction(1, 10**30)
    assert record["duration"]["ends"] == "1"
    assert abs(Fraction(record["duration"]["length"]) + right) < Fraction(1, 10**9)  # they never rest


# Strategies sampled from the rules, from the command line: printed, saved, and played.


TIGHT = ["--memory", "200k", "--iterations", "300"]
"""So little memory that the tree of Leduc poker does not fit."""


def printed(capsys, *words, code=0):
    assert main(list(words)) == code
    out = capsys.readouterr()
    return out.out if code == 0 else out.err


@pytest.fixture
def saved(tmp_path, capsys):
    """Saves strategies after a change to them; the name of the file."""

    def save(game, solver, *words, change=lambda record: None):
        found = json.loads(printed(capsys, "solve", game, "--solver", solver, *words, "--json"))
        change(found)
        path = tmp_path / "sampled.json"
        path.write_text(json.dumps(found), encoding="utf-8")
        return str(path)

    return save


@pytest.mark.parametrize("solver", ["external_sampling", "outcome_sampling"])
def test_the_page_says_what_is_estimated(solver, capsys):
    text = " ".join(printed(capsys, "solve", "leduc_poker", "--solver", solver, *TIGHT).split())
    assert "these strategies pay" in text and "value, bounded" not in text
    assert "Sampled from the rules, since memory has no room for the tree" in text
    assert "by responses learned from samples: an estimate, no proof" in text
    assert "proved the value" not in text


def test_other_solvers_stop_where_the_tree_does_not_fit(capsys):
    assert "out-of-memory" in printed(capsys, "solve", "leduc_poker", "--solver", "cfr", *TIGHT, code=1)


@pytest.mark.parametrize("words", [["--exploitability", "0.1"], ["--checkpoint", "work"]])
def test_what_needs_the_tree_is_refused(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    command = ["solve", "leduc_poker", "--solver", "external_sampling", "--memory", "200k", *words]
    text = printed(capsys, *command, code=1)
    assert "error[no-solver]" in text and f"leave out {words[0]}" in text
    assert not (tmp_path / "work").exists()


def test_json_has_estimates_and_says_what_is_not_listed(capsys):
    found = json.loads(printed(capsys, "solve", "leduc_poker", "--solver", "external_sampling", *TIGHT, "--json"))
    assert found["exploitability"] is None and found["exact"] is False and found["certainty"] == "heuristic"
    assert found["sampled_exploitability"]["margin"] > 0
    assert found["meaning"] == "these strategies pay" and found["standard_errors"] is not None
    for strategy in found["strategies"]:
        assert strategy["elsewhere"] == "uniform"
        for decision in strategy["decisions"]:
            assert sum(Fraction(told["probability"]) for told in decision["moves"].values()) == 1
            assert all("loses" not in told for told in decision["moves"].values())


def test_sampled_strategies_are_judged_where_the_tree_fits(saved, capsys):
    file = saved("leduc_poker", "external_sampling", "--memory", "4M", "--iterations", "3000")
    answers = json.loads(printed(capsys, "exploit", "leduc_poker", file, "--json"))["answers"]
    gains = [float(Fraction(answer["gain"])) for answer in answers]
    assert all(0 < gain < 2 for gain in gains)


def test_sampled_strategies_play(saved, capsys):
    """In decisions that are not listed, too: with so few iterations most are not."""
    file = saved("leduc_poker", "outcome_sampling", "--memory", "200k", "--iterations", "20")
    words = ["--seat", f"Ann={file}", "--seat", "Bob=random", "--plays", "20", "--jobs", "1", "--json"]
    names = json.loads(printed(capsys, "solve", "leduc_poker", "--solver", "cfr", "--iterations", "1", "--json"))
    words = [word.replace("Ann", names["players"][0]).replace("Bob", names["players"][1]) for word in words]
    assert json.loads(printed(capsys, "match", "leduc_poker", *words))["plays"] == 20


def test_an_unknown_rule_for_decisions_that_are_not_listed_is_refused(saved, capsys):
    def change(found):
        found["strategies"][0]["elsewhere"] = "best"

    file = saved("leduc_poker", "external_sampling", *TIGHT, change=change)
    for words in (["exploit", "leduc_poker", file], ["match", "leduc_poker", file, "uniform"]):
        assert "`elsewhere` of a strategy is best, and not 'uniform'" in printed(capsys, *words, code=2)


def test_moves_have_no_values_against_sampled_strategies(capsys):
    command = ["moves", "leduc_poker", "--after", "deal(J♥), deal(Q♠)", "--values", "--solver", "external_sampling"]
    assert "strategies from samples" in printed(capsys, *command, "--memory", "200k", code=1)
