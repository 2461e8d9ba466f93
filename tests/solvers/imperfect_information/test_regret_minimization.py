"""Iteration to a goal: stopping, statements about the result, and checkpoints."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from ctypes import sizeof
from fractions import Fraction
from pathlib import Path
from time import sleep

import pytest
from iterating_alike import iterate_alike
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.choosing.registry import SOLVERS, find_solver
from zermelo.solvers.common.limits import Goal, Limits, ignore_progress
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import plan_of, sequence_form
from zermelo.solvers.imperfect_information.counterfactual_regret import (
    VARIANTS,
    CounterfactualRegret,
    MonteCarloRegret,
    minimizer,
)
from zermelo.solvers.imperfect_information.regret_minimization import round_strategy
from zermelo.solvers.solution import Certainty
from zermelo.solvers.tree_building.building import build_tree

ITERATED = [name for name, solver in SOLVERS.items() if solver.iterates]
VALUE = Fraction(-1, 18)
"""Of Kuhn's poker, for the first player."""


def solved(name, solver, goal=None, on="searching", **changes):
    game = zermelo.load(name)
    return solve(getattr(game, on), facts(game.model), solver, goal=goal, **changes)


def mixtures(found):
    return [[decision.probabilities for decision in strategy.decisions] for strategy in found.strategies]


@pytest.mark.parametrize("name", ITERATED)
def test_the_value_of_kuhn_poker_is_within_the_bounds(name):
    found = solved("kuhn_poker", name, Goal(exploitability=0.01))
    low, high = found.interval
    assert low <= VALUE <= high
    assert low <= found.value[0] <= high
    assert found.exploitability == (high - low) / 2 <= Fraction("0.010001")
    assert found.certainty is Certainty.BOUNDED
    assert found.notes == ()
    assert found.counts["iterations"] > 1


@pytest.mark.parametrize("name", ITERATED)
def test_the_machines_agree(name):
    goal = Goal(iterations=60)
    fast, plain = (solved("kuhn_poker", name, goal, on) for on in ("searching", "reference"))
    assert fast.value == plain.value
    assert mixtures(fast) == mixtures(plain)
    assert fast.notes == plain.notes == ("Stopped after 60 iterations.",)


def test_iterating_is_asked_for_by_a_goal():
    assert solved("kuhn_poker", None, Goal(exploitability=0.1)).solver == "predictive_cfr_plus"
    with pytest.raises(ZermeloError) as raised:
        solved("kuhn_poker", "sequence_form", Goal(exploitability=0.1))
    assert raised.value.code == "does-not-iterate"
    assert "cfr_plus" in raised.value.help


def test_names_with_a_plus():
    assert find_solver("CFR+") is SOLVERS["cfr_plus"]
    assert find_solver("cfr") is SOLVERS["cfr"]
    assert find_solver("predictive CFR+") is SOLVERS["predictive_cfr_plus"]


def test_without_a_constant_sum_nothing_is_promised():
    found = solved("prisoners_dilemma", "cfr")
    assert found.certainty is Certainty.HEURISTIC
    assert found.interval is None
    assert found.exploitability < Fraction(1, 100)
    assert "need not converge" in found.notes[-1]
    assert [strategy.decisions[0].probabilities[1] > 0.99 for strategy in found.strategies] == [True, True]


def test_to_more_than_two_nothing_is_promised_with_a_constant_sum_either():
    game = zermelo.loads(
        'game "One of three wins"\nplayers A, B, C\nstart at choose\nphase choose:\n    together:\n'
        "        move show(n in 0..2)\n    then:\n        let left = (show[A].n + show[B].n + show[C].n) % 3\n"
        "        if left == 0: end payoff (1, 0, 0)\n        if left == 1: end payoff (0, 1, 0)\n"
        "        end payoff (0, 0, 1)\n"
    )
    assert game.facts.constant_sum.holds is True
    found = solve(game.searching, game.facts, "cfr", goal=Goal(iterations=5))
    assert (found.certainty, found.interval) == (Certainty.HEURISTIC, None)
    assert "need not converge" in found.notes[-1]


def test_time_ends_an_iteration_with_what_there_is(clock):
    """An iteration takes a second."""

    def tick(reached):
        clock[0] = float(reached.count)

    found = solved("kuhn_poker", "cfr", limits=Limits(seconds=20, begin=0.0), remark=tick)
    assert found.notes == ("Stopped after 20 s.",)
    assert found.counts["iterations"] == 22  # the first look after 20
    assert found.interval[0] <= VALUE <= found.interval[1]


def test_an_interrupt_ends_an_iteration_with_what_there_is():
    def interrupt(reached):
        if reached.count == 20:
            raise KeyboardInterrupt

    found = solved("kuhn_poker", "cfr", remark=interrupt)
    assert found.notes == ("Stopped by an interrupt.",)
    assert found.counts["iterations"] == 20
    assert found.interval[0] <= VALUE <= found.interval[1]


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_saved_goes_on_bit_for_bit(form_of, name):
    form = form_of("kuhn_poker")
    whole, before = CounterfactualRegret(form, VARIANTS[name]), CounterfactualRegret(form, VARIANTS[name])
    whole.iterate(300)
    before.iterate(77)
    for is_compiled in (False, True):
        after = CounterfactualRegret(form, VARIANTS[name], is_compiled)
        after.load(before.save())
        after.iterate(300 - 77)
        assert after.save() == whole.save()


@pytest.mark.parametrize("name", ["cfr", "outcome_sampling"])
def test_what_is_interrupted_in_an_iteration_is_not_saved(name):
    def interrupted(frame, event, argument):
        if frame.f_code.co_name in ("match", "update"):
            raise KeyboardInterrupt

    game = zermelo.load("kuhn_poker")
    tree = build_tree(game.reference, game.facts, game.reference.initial(), Limits(), ignore_progress)
    players = minimizer(name, game.reference, tree, sequence_form(tree, Limits()), 0, Limits())
    players.iterate(3)
    before = players.save()
    assert before is not None
    sys.setprofile(interrupted)
    with pytest.raises(KeyboardInterrupt):
        players.iterate()
    assert sys.getprofile() is None  # a failing profiler is removed
    assert players.save() is None
    players.iterate()
    assert players.save() is not None


@pytest.mark.parametrize("name", ["cfr_plus", "outcome_sampling"])
def test_a_checkpoint_goes_on_to_the_same_end(tmp_path, name):
    file, goal = tmp_path / "work", Goal(exploitability=0.02)
    whole = solved("kuhn_poker", name, goal)
    assert whole.counts["iterations"] > 7
    solved("kuhn_poker", name, Goal(iterations=7, checkpoint=file))
    resumed = solved("kuhn_poker", name, Goal(exploitability=0.02, checkpoint=file))
    assert (resumed.value, resumed.counts) == (whole.value, whole.counts)
    again = solved("kuhn_poker", name, Goal(exploitability=0.02, checkpoint=file))
    assert (again.value, again.counts) == (whole.value, whole.counts)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda content: b"", "not a checkpoint"),
        (lambda content: content[:-1], "damaged"),
        (lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:], "damaged"),
    ],
)
def test_a_spoiled_checkpoint_is_refused(tmp_path, spoil, why):
    file = tmp_path / "work"
    goal = Goal(iterations=5, checkpoint=file)
    solved("kuhn_poker", "cfr", goal)
    spoiled = spoil(file.read_bytes())
    file.write_bytes(spoiled)
    with pytest.raises(ZermeloError, match=why) as raised:
        solved("kuhn_poker", "cfr", goal)
    assert raised.value.code == "bad-checkpoint"
    assert file.read_bytes() == spoiled


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    goal = Goal(iterations=5, checkpoint=tmp_path / "work")
    solved("kuhn_poker", "cfr", goal)
    for name, solver in (("kuhn_poker", "cfr_plus"), ("rock_paper_scissors", "cfr")):
        with pytest.raises(ZermeloError, match="another game") as raised:
            solved(name, solver, goal)
        assert raised.value.code == "bad-checkpoint"
    with pytest.raises(ZermeloError, match="cannot be written"):
        solved("kuhn_poker", "cfr", Goal(iterations=5, checkpoint=tmp_path / "nowhere" / "work"))


KILLED = """\
import sys, zermelo
from pathlib import Path
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.choosing.choice import solve
from zermelo.solvers.common import limits
from zermelo.solvers.common.limits import Goal
from zermelo.solvers.solution import Request

limits._EVERY = 0.0
game = zermelo.load("kuhn_poker")
goal = Goal(exploitability=0.0, checkpoint=Path(sys.argv[1]))
solve(game.searching, facts(game.model), Request("cfr", goal=goal))
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_checkpoint_survives_being_killed(tmp_path, form_of):
    file: Path = tmp_path / "work"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(file)])
    while not file.exists():
        assert process.poll() is None
        sleep(0.01)
    sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (tmp_path / "work.part").write_bytes(b"half of it")  # as if it had been killed while it wrote
    killed = solved("kuhn_poker", "cfr", Goal(iterations=1, checkpoint=file))
    regret = CounterfactualRegret(form_of("kuhn_poker"), VARIANTS["cfr"])
    regret.iterate(killed.counts["iterations"])
    low, high = killed.interval
    assert float(high - low) == pytest.approx(sum(regret.gains()), abs=1e-9)
    assert file.read_bytes().endswith(regret.save() + file.read_bytes()[-32:])
    assert list(tmp_path.iterdir()) == [file]


def test_gains_are_those_of_exact_best_responses(form_of):
    form = form_of("leduc_poker")
    regret = CounterfactualRegret(form, VARIANTS["cfr_plus"])
    regret.iterate(100)
    plans = [[Fraction(weight) for weight in weights] for weights in regret.averages()]
    assert float(assess(form, plans).exploitability) == pytest.approx(sum(regret.gains()) / 2)


# Counterfactual regret minimization: the kernel as Python and as machine code, and against other programs.


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_python_and_machine_code_agree_bit_for_bit(random_form, name, players):
    for seed in range(5):
        form = random_form(seed, players, zero_sum=False)
        plain, compiled = (CounterfactualRegret(form, VARIANTS[name], is_compiled) for is_compiled in (False, True))
        iterate_alike(plain, compiled, (1, 2, 30))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_value_of_kuhn_poker(form_of, name):
    form = form_of("kuhn_poker")
    regret = CounterfactualRegret(form, VARIANTS[name])
    regret.iterate(20_000)
    pairs = zip(form.players, regret.averages(), strict=True)
    plans = [plan_of(own, round_strategy(own, weights)) for own, weights in pairs]
    assessment = assess(form, plans)
    low, high = assessment.interval
    assert low <= Fraction(-1, 18) <= high
    assert high - low < Fraction(1, 1000)
    assert float(assessment.exploitability) == pytest.approx(sum(regret.gains()) / 2, abs=1e-9)


@pytest.mark.parametrize("name", VARIANTS)
def test_regret_vanishes_in_random_games(random_form, name):
    for seed in range(10):
        regret = CounterfactualRegret(random_form(seed), VARIANTS[name])
        regret.iterate(5)
        before = sum(regret.gains())
        regret.iterate(2000)
        assert sum(regret.gains()) < max(0.02, before / 10)


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize(("name", "theirs"), [("cfr", "CFRSolver"), ("cfr_plus", "CFRPlusSolver")])
def test_openspiel_is_as_far_after_every_iteration(form_of, game, name, theirs):
    pyspiel = pytest.importorskip("pyspiel")
    peer_game = pyspiel.load_game(game)
    peer, regret = getattr(pyspiel, theirs)(peer_game), CounterfactualRegret(form_of(game), VARIANTS[name])
    for count in (1, 1, 4, 14):
        regret.iterate(count)
        for _ in range(count):
            peer.evaluate_and_update_policy()
        theirs_now = pyspiel.exploitability(peer_game, peer.average_policy())
        assert sum(regret.gains()) / 2 == pytest.approx(theirs_now, abs=1e-12)


# The estimated memory of iterations is that of their arrays.


def forms(name):
    game = zermelo.load(name)
    tree = build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    return game, tree, sequence_form(tree, Limits())


def held(players):
    """The bytes of the lists of a record; one without elements has a word all the same."""
    parts = [part for name, part in players.record.kept.items() if name]
    return sum(sizeof(part) for part in parts)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker_for_several", "battleship"])
@pytest.mark.parametrize("is_sampled", [False, True])
def test_every_array_is_counted(name, is_sampled):
    _, tree, form = forms(name)

    def made(limits=None):
        if is_sampled:
            return MonteCarloRegret(tree, form, False, limits=limits)
        return CounterfactualRegret(form, VARIANTS["cfr_plus"], limits=limits)

    needed = held(made())
    assert held(made(Limits(memory=needed))) == needed
    with pytest.raises(ZermeloError) as raised:
        made(Limits(memory=needed - 1))
    assert raised.value.code == "out-of-memory"
    assert "iteration would take about" in raised.value.message


@pytest.mark.parametrize("solver", ["cfr_plus", "external_sampling"])
def test_what_does_not_fit_is_refused_with_its_size(solver):
    game, tree, form = forms("kuhn_poker_for_several")
    with pytest.raises(ZermeloError) as raised:
        minimizer(solver, game.searching, tree, form, 0, Limits(memory=10_000))  # the way into the arrays needs some
    assert raised.value.code == "out-of-memory"
    assert "iteration over 312 leaves would take about" in raised.value.message
    assert minimizer(solver, game.searching, tree, form, 0, Limits(memory=1 << 20)).iterations == 0


# Monte Carlo counterfactual regret minimization: the kernel as Python and as machine code, and its results.


GAMES = ("kuhn_poker", "rock_paper_scissors", "prisoners_dilemma", "tiger")


def trees(name):
    game = zermelo.load(name)
    machine = game.searching
    tree = build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    return tree, sequence_form(tree, Limits())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("by_outcome", [False, True])
@pytest.mark.parametrize("seed", [0, 7])
def test_python_and_machine_code_agree_bit_for_bit_in_monte_carlo_cfr(name, by_outcome, seed):
    tree, form = trees(name)
    plain, compiled = (MonteCarloRegret(tree, form, by_outcome, seed, is_compiled) for is_compiled in (False, True))
    iterate_alike(plain, compiled, (1, 2, 200))


@pytest.mark.parametrize("by_outcome", [False, True])
def test_the_error_shrinks_in_kuhn_poker(by_outcome):
    sampled = MonteCarloRegret(*trees("kuhn_poker"), by_outcome)
    sampled.iterate(1000)
    early = sum(sampled.gains()) / 2
    sampled.iterate(999_000)
    assert sum(sampled.gains()) / 2 < min(0.004, early / 4)


@pytest.mark.parametrize("by_outcome", [False, True])
def test_an_only_player_learns_as_well(by_outcome):
    """Nobody else sums up their strategies."""
    sampled = MonteCarloRegret(*trees("tiger"), by_outcome)
    before = sum(sampled.gains())
    sampled.iterate(200_000)
    assert sum(sampled.gains()) < before / 100


@pytest.mark.parametrize("by_outcome", [False, True])
def test_what_is_saved_goes_on_bit_for_bit_in_monte_carlo_cfr(by_outcome):
    tree, form = trees("kuhn_poker")
    whole, before = (MonteCarloRegret(tree, form, by_outcome, 3) for _ in range(2))
    whole.iterate(500)
    before.iterate(123)
    for is_compiled in (False, True):
        after = MonteCarloRegret(tree, form, by_outcome, 3, is_compiled)
        after.load(before.save())
        after.iterate(500 - 123)
        assert after.save() == whole.save()
