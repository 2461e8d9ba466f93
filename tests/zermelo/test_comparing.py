""""""

from __future__ import annotations

import json
import os
import re
import sys
from fractions import Fraction
from math import inf
from multiprocessing import get_all_start_methods
from pathlib import Path
from time import sleep

import pytest
from attrs import evolve
from clocks import ahead
from small_games import ENTRY, HIDDEN_AND_ENDLESS

import zermelo
from zermelo import comparing
from zermelo.cli import main
from zermelo.comparing import Outcome, _outcome, _run, compare, disagreement
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.numbers import EQUILIBRIUM, VALUE, interval_text
from zermelo.solvers.choosing.registry import SOLVERS, unmet_needs
from zermelo.solvers.common import limits
from zermelo.solvers.common.limits import Limits

TRIAL = Path(__file__).parents[1] / "trial"

CONSTANT = facts(zermelo.load("nim").model)
"""The facts of a game of two players with a constant sum."""


def outcomes_of(name, limits=None, **parameters):
    game = zermelo.load(name, **parameters)
    return list(compare(game.machine, facts(game.model), game.machine.initial(), limits or Limits()))


def test_every_solver_that_fits_comes_to_the_same_value():
    found = outcomes_of("nim", heaps=2)
    known = facts(zermelo.load("nim").model)
    assert [outcome.solver for outcome in found] == [
        name for name, solver in SOLVERS.items() if not unmet_needs(solver, known)
    ]
    exact = [outcome for outcome in found if outcome.certainty == "exact"]
    assert {outcome.value for outcome in exact} == {(1, -1)}
    assert [outcome.solver for outcome in found if outcome not in exact] == ["mcts"]
    assert all(outcome.nodes and outcome.seconds is not None for outcome in found)
    assert disagreement(known, found) == ""


def test_what_is_left_after_some_moves(run):
    """X has b2, and O is not in a corner: X wins."""
    record = run("compare", "tic_tac_toe", "--after", "mark(b2); mark(b1)", "--json").record
    assert record["after"] == ["mark(b2)", "mark(b1)"]
    exact = [found for found in record["solvers"] if found["certainty"] == "exact"]
    assert len(exact) > 5 and all(found["value"] == {"X": "1", "O": "-1"} for found in exact)
    assert "\nafter  mark(b2), mark(b1)\n" in run("compare", "tic_tac_toe", "--after", "mark(b2); mark(b1)").out
    assert run("compare", "tic_tac_toe", "--after", "mark(b2); mark(b2)").err.startswith("error[illegal-move]: ")


@pytest.mark.parametrize(
    ("name", "stopped", "certainty"), [("hex", "out-of-time", ""), ("connect_four", "", "depth-limited")]
)
def test_a_solver_that_runs_out_of_time_says_so_if_it_has_no_estimate(name, stopped, certainty, monkeypatch):
    monkeypatch.setattr(limits, "perf_counter", ahead(20.0))
    game = zermelo.load(name)
    known, root = facts(game.model), game.machine.initial()
    found = _run(game.machine, known, root, SOLVERS["minimax"], Limits(seconds=1000))
    assert (found.stopped, found.certainty) == (stopped, certainty)
    assert (found.value is None) == bool(stopped)
    if not stopped:
        deepening = _run(game.machine, known, root, SOLVERS["iterative_deepening"], Limits(seconds=1000))
        assert deepening.certainty == "depth-limited"


def test_a_solver_that_finds_no_value_says_so():
    found = {outcome.solver: outcome for outcome in outcomes_of("kuhn_poker")}
    assert found["sequence_form"].certainty == "exact"
    assert found["normal_form"].stopped == "no-solver"


NEVER_ENDING = """\
game "To and fro"
players Ann, Bob
claim zero_sum
endless draw
start at here(Ann)
phase here(p: Player):
    turn p:
        move on: go here(other p)
        move lose: end win other p
"""


def test_what_a_solver_finds_is_what_it_finds_in_a_process_of_its_own():
    """Of one heap of three the first player takes all; with a table, and without memory there is none."""
    game = zermelo.load("nim", heaps=1)
    known, root = facts(game.model), game.machine.initial()
    for solver in (SOLVERS["minimax"], SOLVERS["alphabeta_table"]):
        found = _run(game.machine, known, root, solver, Limits())
        alone = _outcome(game.machine, known, root, solver, Limits())
        assert found.memory is None or found.memory >= 0
        assert found == evolve(alone, memory=found.memory, seconds=found.seconds)
        assert (found.solver, found.value, found.certainty) == (solver.name, (1, -1), "exact")
        assert (found.stopped, found.meaning) == ("", VALUE) and found.nodes
        assert len(found.best) == 1 and found.best[0].startswith("take(")
    assert _outcome(game.machine, known, root, SOLVERS["positions"], Limits(memory=1)).stopped == "out-of-memory"
    circle = zermelo.loads(NEVER_ENDING)
    found = _outcome(circle.machine, circle.facts, circle.machine.initial(), SOLVERS["maxn"], Limits())
    assert found.stopped == "needs-end" and "may never end" in found.why


@pytest.mark.skipif("fork" not in get_all_start_methods() or sys.platform == "darwin", reason="needs forked processes")
def test_how_a_process_may_end(monkeypatch):
    """With an error of the rules, which is raised here, or killed."""
    game = zermelo.load("nim", heaps=1)
    arguments = game.machine, facts(game.model), game.machine.initial(), SOLVERS["minimax"], Limits()

    def wrong(*_):
        raise ZermeloError("zero-divisor", "the rules divide by 0", "do not")

    monkeypatch.setattr(comparing, "_outcome", wrong)
    with pytest.raises(ZermeloError) as raised:
        _run(*arguments)
    assert (raised.value.code, raised.value.message, raised.value.help) == (
        "zero-divisor",
        "the rules divide by 0",
        "do not",
    )
    monkeypatch.setattr(comparing, "_outcome", lambda *_: os._exit(0))
    assert _run(*arguments) == Outcome("minimax", stopped="killed")


def test_values_that_differ_are_a_fault():
    one = Outcome("minimax", (1, -1), "exact", meaning=VALUE)
    other = Outcome("alphabeta", (0, 0), "exact", meaning=VALUE)
    assert "minimax finds (1, -1) and alphabeta (0, 0)" in disagreement(CONSTANT, [one, other])
    assert disagreement(CONSTANT, [one, evolve(other, certainty="depth-limited")]) == ""
    near = Outcome("cfr", (Fraction(1, 2), Fraction(-1, 2)), "bounded", (Fraction(0), Fraction(9, 10)))
    assert "minimax finds (1, -1), and cfr proves that it is between 0 and 9/10" in disagreement(CONSTANT, [near, one])
    assert disagreement(CONSTANT, [near, other]) == ""


@pytest.mark.parametrize(("amount", "code"), [(1, 0), (0, 1)])
def test_who_contradicts_another_ends_the_command_with_an_error(amount, code, run, monkeypatch):
    found = [
        Outcome("minimax", (1, -1), "exact", nodes=3, seconds=0.5, meaning=VALUE),
        Outcome("alphabeta", (amount, -amount), "exact", nodes=3, seconds=0.5, meaning=VALUE),
    ]
    monkeypatch.setattr("zermelo.comparing.compare", lambda *_: iter(found))
    ran = run("compare", "nim", "-p", "heaps=1")
    assert ran.code == code and ("both called exact; please report" in ran.err) == bool(code)
    refused = [evolve(found[0], value=None, certainty="", stopped="needs-end", why="it may never end")]
    monkeypatch.setattr("zermelo.comparing.compare", lambda *_: iter(refused))
    assert run("compare", "nim", "-p", "heaps=1").code == 1


def test_values_of_partners_that_differ_are_a_fault(run, monkeypatch):
    """Nothing brings more than the value; an equilibrium may bring less, and is no value."""
    assert run("compare", "partners_signal", "--json").code == 0
    known = zermelo.load("partners_signal").facts
    best = Outcome("team", (Fraction(1),) * 2, "exact", meaning=VALUE)
    less = Outcome("lemke", (Fraction(1, 2),) * 2, "exact", meaning=EQUILIBRIUM)
    assert disagreement(known, [best, less]) == disagreement(known, [less, best]) == ""
    assert "both called exact" in disagreement(known, [best, evolve(less, meaning=VALUE)])
    more = evolve(less, value=(Fraction(2),) * 2)
    assert "team finds (1, 1), the most of all, and lemke (2, 2)" in disagreement(known, [best, more])
    fitting = [SOLVERS["team"], SOLVERS["lemke"]]
    monkeypatch.setattr("zermelo.comparing.all_solvers", lambda: fitting)
    monkeypatch.setattr("zermelo.comparing.meaning_of_payoffs", lambda facts, solution: VALUE)
    ran = run("compare", "partners_signal")
    assert ran.code == 1 and "team finds (1, 1) and lemke (1/2, 1/2), both called exact" in ran.err


@pytest.mark.parametrize("name", ["pull", "ruin"])
def test_what_a_solver_refuses_keeps_no_other_from_its_value(run, monkeypatch, name):
    """Plays of both games go round, which only a search finds. Nobody need lose the one, and the other is fair."""
    file = str(TRIAL / "positions" / f"{name}.game")
    fitting = {each: SOLVERS[each] for each in ("dfpn", "maxn", "positions")}
    monkeypatch.setattr("zermelo.comparing.all_solvers", lambda: [*fitting.values()])
    ran = run("compare", file, "--json")
    stopped = {found["solver"]: found["stopped"] for found in ran.record["solvers"]}
    assert ran.code == 0 and stopped.pop("positions") is None and set(stopped.values()) == {"needs-end"}
    assert [set(found["value"].values()) for found in ran.record["solvers"] if found["value"]] == [{"0"}]
    assert "\nneeds-end  a play of this game may never end: " in run("compare", file).out
    monkeypatch.setattr("zermelo.comparing.all_solvers", lambda: [fitting[each] for each in stopped])
    assert run("compare", file).code == 1


def test_equilibria_may_differ(capsys, tmp_path):
    """Both are exact, and neither is wrong."""
    file = tmp_path / "entry.game"
    file.write_text(ENTRY)
    assert main(["compare", str(file)]) == 0
    shown = capsys.readouterr()
    assert "2, 2" in shown.out and "0, 4" in shown.out and shown.err == ""


def test_a_game_for_no_solver_is_refused():
    with pytest.raises(ZermeloError) as raised:
        game = zermelo.loads(HIDDEN_AND_ENDLESS)
        list(compare(game.machine, zermelo.solving.facts_of(game), game.machine.initial(), Limits()))
    assert raised.value.code == "no-solver"


def test_bounds_are_shown(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["compare", "matching_pennies", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    intervals = {entry["solver"]: entry["interval"] for entry in record["solvers"]}
    assert intervals["sequence_form"] is None
    low, high = map(Fraction, intervals["cfr"])
    assert low <= 0 <= high
    assert main(["compare", "matching_pennies"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("cfr "))
    assert "bounded" in row and row.endswith(interval_text(low, high))


def test_the_command(capsys):
    assert main(["compare", "two_ply_tree"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[2].split() == ["solver", "value", "nodes", "time", "memory"]
    assert any(line.split()[:3] == ["minimax", "3", "13"] for line in printed)
    assert main(["compare", "two_ply_tree", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    exact = [entry for entry in record["solvers"] if entry["certainty"] == "exact"]
    assert len(exact) > 5
    assert {tuple(entry["value"].values()) for entry in exact} == {("3", "-3")}


def _limits_given(monkeypatch, limits, values, seconds=0.5):
    """The seconds that solvers were given, the first of which find these values, all others the last one; without
    those that end by themselves."""
    given = []

    def ran(machine, facts, root, solver, limits):
        if not solver.samples or limits.seconds < inf:
            given.append(limits.seconds)
        value = values[min(len(given), len(values)) - 1]
        return Outcome(solver.name, (value, -value), "exact" if value else "heuristic", seconds=seconds, nodes=1)

    monkeypatch.setattr("zermelo.comparing._run", ran)
    game = zermelo.load("nim", heaps=1)
    list(compare(game.machine, facts(game.model), game.machine.initial(), limits))
    return given


def test_solvers_share_the_time_and_what_others_leave(monkeypatch, clock):
    given = _limits_given(monkeypatch, Limits(seconds=1000.0, begin=0.0), [1])
    assert given == [1000 / (len(given) - k) for k in range(len(given))]


def test_a_share_is_long_enough_to_begin_with(monkeypatch):
    """What is shorter goes into the compilation of a kernel, and is lost."""

    class Clock(Limits):
        left = 5.0

    asked = _limits_given(monkeypatch, Clock(5.0), [1])
    assert asked[:10] == [1.5] * 10 and asked[-1] == 5.0  # the last one samples


def test_a_share_to_begin_with_is_a_third_of_the_rest_at_most(monkeypatch):
    needs = ["minimax", "alphabeta", "mtdf", "aspiration"]
    asked = _asked_of_slow_ones(monkeypatch, needs, 3.0)
    assert asked[:2] == pytest.approx([1.0, 2 / 3])
    assert sum(asked) <= 3.0


def test_who_comes_too_late_does_not_begin(monkeypatch):
    assert _asked_of_slow_ones(monkeypatch, ["minimax", "alphabeta"], 0.0) == []


@pytest.mark.skipif("fork" not in get_all_start_methods(), reason="solvers run in this process")
def test_who_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr("zermelo.comparing.GRACE", 0.0)
    monkeypatch.setattr("zermelo.comparing._outcome", lambda *given: sleep(1000))
    game = zermelo.load("nim")
    found = _run(game.machine, CONSTANT, game.machine.initial(), SOLVERS["minimax"], Limits(seconds=0.01))
    assert found == Outcome("minimax", stopped="out-of-time")


def _asked_of_slow_ones(monkeypatch, names, seconds):
    """The seconds that solvers are given which use all that they have."""
    monkeypatch.setattr("zermelo.comparing.all_solvers", lambda: [SOLVERS[name] for name in names])
    asked, left = [], [seconds]

    class Clock(Limits):
        @property
        def left(self):
            return left[0]

    def run(machine, facts, root, solver, limits):
        asked.append(limits.seconds)
        left[0] -= limits.seconds
        return Outcome(solver.name, stopped="out-of-time")

    monkeypatch.setattr("zermelo.comparing._run", run)
    machine = zermelo.load("nim").machine
    found = list(compare(machine, CONSTANT, machine.initial(), Clock(seconds)))
    assert [outcome.solver for outcome in found[: len(names)]] == names
    assert {outcome.stopped for outcome in found} == {"out-of-time"}
    return asked


@pytest.mark.parametrize(
    ("values", "seconds", "first", "most"),
    [
        ([1, 1], 0.01, 2, 5.0),  # they agree at once
        ([1, 1], 3.0, 2, 60.0),
        ([0, 1, 0, 1], 0.5, 4, 10.0),  # a guess is no agreement
        ([1, 2, 1], 0.5, None, None),  # a contradiction, which the others may tell
    ],
)
def test_a_comparison_ends_when_two_exact_ones_agree(monkeypatch, values, seconds, first, most):
    given = _limits_given(monkeypatch, Limits(), values, seconds)
    first = len(given) if first is None else first
    assert given[:first] == [inf] * first
    assert given[first:] == [most] * (len(given) - first)


def test_who_needs_more_than_a_share_tries_once_more(monkeypatch):
    """Of 100 seconds minimax has a sixth, needs 30, and gets them, since the others leave most of theirs."""
    needs = {"minimax": 30, "positions": 1, "alphabeta": 1, "mtdf": 1, "aspiration": 1, "mcts": 1000}
    monkeypatch.setattr("zermelo.comparing.all_solvers", lambda: [SOLVERS[name] for name in needs])
    asked, left = [], [100.0]

    class Clock(Limits):
        @property
        def left(self):
            return left[0]

    def run(machine, facts, root, solver, limits):
        asked.append((solver.name, limits.seconds))
        need = needs[solver.name]
        left[0] -= min(need, limits.seconds)
        if solver.samples:
            return Outcome(solver.name, (Fraction(1, 2), Fraction(-1, 2)), "heuristic")
        if need > limits.seconds:
            return Outcome(solver.name, stopped="out-of-time")
        return Outcome(solver.name, (Fraction(1), Fraction(-1)), "exact", seconds=need)

    monkeypatch.setattr("zermelo.comparing._run", run)
    machine = zermelo.load("nim").machine
    found = list(compare(machine, CONSTANT, machine.initial(), Clock(100.0)))
    assert [outcome.solver for outcome in found] == [*needs, "minimax"]
    assert found[0].stopped == "out-of-time" and found[-1].certainty == "exact"
    assert asked[0][1] == pytest.approx(100 / 6) and asked[-1][1] > 30 and left[0] >= 0


# ``zermelo diff``: what it prints, its record, its exit codes, and its misuses.


def test_games_that_are_the_same(run):
    ran = run("diff", "tic_tac_toe")
    assert ran.code == 0
    assert "The games are the same: proved." in ran.out
    assert "5,478 pairs of positions, all there are" in ran.out  # the published number of positions


def test_a_record(run):
    record = run("diff", "subtraction_game", "--second", "most=4", "--json").record
    assert record["same"] is False
    assert record["difference"] == {
        "aspect": "moves",
        "after": [[], []],
        "and_after": None,
        "player": None,
        "said": ["nothing more", "take(4)"],
    }
    assert (record["first"]["parameters"]["most"], record["second"]["parameters"]["most"]) == (3, 4)


PEEK = """\
game "Toss"
players Ann, Bob
start at toss
phase toss:
    chance:
        outcome heads:
            {told}go guess(1)
        outcome tails: go guess(2)
phase guess(secret n: 1..2):
    turn Ann:
        move say(k in 1..2): end win if k == n then Ann else Bob
"""


def test_who_perceives_more_in_one_of_the_games_is_named_with_two_plays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, told in (("blind", ""), ("peeks", "tell Ann that heads\n            ")):
        Path(f"{name}.game").write_text(PEEK.replace("{told}", told), encoding="utf-8")
    ran = run("diff", "blind.game", "peeks.game", "--machine", "reference")
    assert ran.code == 1 and "verdict   Ann tells two plays apart in only one of the games.\n" in ran.out
    (after, *first), (and_after, *other) = (re.split("  +", row) for row in ran.out.splitlines()[-3:-1])
    assert (after, and_after) == ("after", "and after") and sorted([first, other]) == [["heads"] * 2, ["tails"] * 2]
    record = run("diff", "blind.game", "peeks.game", "--machine", "reference", "--json").record
    difference = record["difference"]
    assert (record["same"], record["shortest"], difference["player"]) == (False, True, "Ann")
    assert sorted([difference["after"], difference["and_after"]]) == [[["heads"]] * 2, [["tails"]] * 2]
    assert run("diff", "blind.game", "--machine", "reference").code == 0


def test_one_pair_of_positions_is_one(run):
    said = " ".join(run("diff", "subtraction_game", "--second", "most=4", "--machine", "reference").out.split())
    assert "verdict Other moves are offered. compared 1 pair of positions; no shorter play differs" in said


def test_a_limit(run):
    ran = run("diff", "tic_tac_toe", "--positions", "100")
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "No difference on any play of at most 2 moves and outcomes, nor on 10,200 random plays." in said
    record = run("diff", "tic_tac_toe", "--positions", "100", "--plays", "7", "--json").record
    assert (record["same"], record["length"], record["stopped"]) == (None, 2, "after 100 pairs of positions")
    assert (record["plays"], record["shortest"]) == (8, None)


def test_a_difference_that_only_random_plays_show(run, tmp_path):
    """The last stone wins instead of losing, in a game too long to compare."""
    game = zermelo.load("nim").model.source.text
    changed = tmp_path / "nim.game"
    assert game.count("end win other p") == 1
    changed.write_text(game.replace("end win other p", "end win p"))
    ran = run("diff", "nim", str(changed), "--positions", "10")
    assert ran.code == 1
    assert "The end pays other amounts." in ran.out and "no play of at most" in " ".join(ran.out.split())
    record = run("diff", "nim", str(changed), "--positions", "10", "--json").record
    assert (record["same"], record["shortest"]) == (False, False)
    assert record["difference"]["aspect"] == "payoffs"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("kuhn_poker", "--rename", "deal"), "is not of the form WORD=OTHER"),
        (("kuhn_poker", "no_such_game"), "there is no file and no bundled game"),
        (("nim", "--first", "sticks=3"), "the game has no parameter 'sticks'"),
        (("nim", "--second", "heaps"), "is not of the form NAME=VALUE"),
    ],
)
def test_misuses(run, arguments, said):
    ran = run("diff", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_outcomes_that_nobody_can_list_stop_the_comparison(run):
    ran = run("diff", "four_card_whist", "four_card_whist")
    assert ran.code == 1 and "stopped where chance has too many outcomes to list" in " ".join(ran.out.split())
