"""Sampling from the rules: against exact best responses in games whose tree fits, and on all machines."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from statistics import mean, variance
from types import SimpleNamespace

import pytest
from all_machines import LOWERED_AT_ONCE, MACHINES, compiled_machine, needs_llvm, python_machine
from overstepping import overstepping

import zermelo
from zermelo.decisions import fitting_deals, sample_online
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.policies.strategy_files import read_strategies
from zermelo.solutions.strategy_table import record
from zermelo.solvers.common.limits import Goal, Limits, ignore_progress
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.imperfect_information import sampling_from_rules
from zermelo.solvers.imperfect_information.sampling_from_rules import (
    SampledPlay,
    marks_of,
    online_strategy,
    sample_from_rules,
    source,
)
from zermelo.solvers.kernels import sampling_from_rules as kernel
from zermelo.solvers.kernels.sampling_from_rules import NOBODY
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.solution import Problem
from zermelo.solvers.tree_building.building import build_tree
from zermelo.solving import on_machine

DIFFERENT_MOVES = """\
game "Guess the card"
players Ann, Bob

type Card = J | Q | K
var card: Card   hidden

start at deal

phase deal:
    chance:
        outcome deal(c in Card):
            card := c
            go guess

phase guess:
    turn Ann:
        move name(c in Card) if c != card: end win Bob
"""


@pytest.fixture
def few_plays(monkeypatch):
    """Judge by few plays, which take long in Python."""
    monkeypatch.setattr(sampling_from_rules, "PLAYS", 100)


def sampled(model, machine, by_outcome=False, iterations=2_000, seed=0, memory=1 << 30):
    """The answer on a machine."""
    goal, limits = Goal(iterations=iterations), Limits(memory=memory)
    problem = Problem(machine, facts(model), machine.initial(), limits=limits, seed=seed, goal=goal)
    return sample_from_rules(problem, by_outcome)


def exact_exploitability(game, answer):
    """That of the strategies, by best responses in the whole tree."""
    machine = game.searching
    tree = build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    form = sequence_form(tree, Limits())
    saved = {"strategies": [record(strategy) for strategy in answer.strategies]}
    found = read_strategies("sampled", saved, game.initial, tree, form, Limits())
    return assess(form, found.plans).exploitability


def tables(answer):
    return [
        (tuple(map(str, decision.known)), decision.moves, decision.probabilities, decision.reached)
        for strategy in answer.strategies
        for decision in strategy.decisions
    ]


@needs_llvm
@pytest.mark.parametrize("by_outcome", [False, True])
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "coin_game", "kuhn_poker_for_several"])
def test_python_and_machine_code_agree(name, by_outcome, few_plays):
    model = zermelo.load(name).model
    one, other = (sampled(model, make(model), by_outcome, 20, 3) for make in (python_machine, compiled_machine))
    assert tables(one) == tables(other)
    assert one.value == other.value and one.sampled_exploitability == other.sampled_exploitability


@pytest.mark.parametrize("make", [ReferenceMachine, *LOWERED_AT_ONCE])
@pytest.mark.parametrize("by_outcome", [False, True])
def test_the_error_shrinks_in_kuhn_poker(make, by_outcome, few_plays):
    game = zermelo.load("kuhn_poker")
    iterations = 5_000 if make is compiled_machine else 1_000
    early, late = (
        exact_exploitability(game, sampled(game.model, make(game.model), by_outcome, count))
        for count in (10, iterations)
    )
    assert late < early / 2


@needs_llvm
@pytest.mark.parametrize(("name", "parameters", "bound"), [("leduc_poker", {}, 0.4), ("liars_dice", {"sides": 4}, 0.2)])
def test_larger_games_come_near_an_equilibrium(name, parameters, bound):
    """Uniform strategies lose 2.37 and 0.66 here."""
    game = zermelo.load(name, **parameters)
    assert exact_exploitability(game, sampled(game.model, compiled_machine(game.model), False, 20_000)) < bound


@needs_llvm
@pytest.mark.parametrize("by_outcome", [False, True])
@pytest.mark.parametrize(("name", "iterations"), [("kuhn_poker", 5_000), ("leduc_poker", 50_000)])
def test_the_estimate_is_a_lower_bound_and_not_far_below(name, iterations, by_outcome):
    """By as many standard errors as do not occur by accident."""
    game = zermelo.load(name)
    for seed in range(3):
        answer = sampled(game.model, compiled_machine(game.model), by_outcome, iterations, seed)
        truth, found = float(exact_exploitability(game, answer)), answer.sampled_exploitability
        assert float(found.mean) - 2.5 * float(found.margin) < truth
        assert truth < 2 * float(found.mean) + 2.5 * float(found.margin)


@needs_llvm
@pytest.mark.parametrize(("name", "truth"), [("kuhn_poker", 11 / 24), ("leduc_poker", 2.373611)])
def test_the_response_to_uniform_strategies_gains_what_openspiel_says(name, truth, monkeypatch):
    """Nothing is learned by the strategies, much by the responses."""
    learn = sampling_from_rules.SampledPlay.learn
    monkeypatch.setattr(sampling_from_rules.SampledPlay, "learn", lambda play, wanted, *rest: learn(play, 1, *rest))
    monkeypatch.setattr(sampling_from_rules.SampledPlay, "sets", forget)
    model = zermelo.load(name).model
    found = sampled(model, compiled_machine(model), iterations=20_000).sampled_exploitability
    assert float(found.mean) == pytest.approx(truth, abs=2.5 * float(found.margin))


def forget(play):
    """The sets, without what has been learned in them: all averages are uniform from now on."""
    table = play.sampling.table
    for row in range(table.rows):
        table.sums[row] = 0.0
    return SETS(play)


SETS = sampling_from_rules.SampledPlay.sets


@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "battleship"])
def test_lists_that_grow_change_nothing(make, name, monkeypatch, few_plays):
    model = zermelo.load(name).model
    grown = sampled(model, make(model), iterations=60)
    monkeypatch.setattr(sampling_from_rules, "_AT_FIRST", 1 << 16)
    assert tables(sampled(model, make(model), iterations=60)) == tables(grown)


@needs_llvm
def test_a_full_table_is_said_and_still_a_strategy():
    game = zermelo.load("leduc_poker")
    roomy = sampled(game.model, compiled_machine(game.model), iterations=5_000)
    tight = sampled(game.model, compiled_machine(game.model), iterations=5_000, memory=1 << 20)
    assert not any("full" in note for note in roomy.notes)
    assert any(note.startswith("The table was full at 1M of memory") for note in tight.notes)
    assert 100 < len(tables(tight)) < len(tables(roomy)) / 2
    assert exact_exploitability(game, roomy) < exact_exploitability(game, tight) < Fraction("2.37")
    found = tight.sampled_exploitability
    assert float(found.mean - 2 * found.margin) < float(exact_exploitability(game, tight))


@pytest.mark.parametrize("by_outcome", [False, True])
def test_nothing_is_added_to_a_full_table_nor_while_plays_are_judged(by_outcome):
    """What has been met is played on with, and the response to it has room again."""
    game = zermelo.load("leduc_poker")
    machine = python_machine(game.model)
    problem = problem_of(game, machine)

    def work(backend, kernels):
        play = SampledPlay(backend, kernels, problem, by_outcome)
        knowledge, table = play.sampling.knowledge, play.sampling.table
        play.learn(1, 0.0, Fraction(1))
        assert table.count == 2, "one more for the traversal of each player"
        play.learn(5, 0.0, Fraction(1))

        def met():
            return knowledge.count, knowledge.used, table.count, table.rows

        first, regrets = met(), table.regrets[: table.rows]
        play.sampling.is_full = 1
        play.learn(30, 0.0, Fraction(1))
        assert met() == first and table.regrets[: table.rows] != regrets
        regrets = table.regrets[: table.rows]
        play.judge(NOBODY, 20, 0.0)
        assert met() == first and table.regrets[: table.rows] == regrets
        play.respond(0, 5, 0.0, Fraction(1))
        after = met()
        assert all(now > before for now, before in zip(after, first, strict=True))
        play.judge(0, 20, 0.0)
        assert met() == after

    run_with_fallback(
        machine, problem.limits, lambda backend: backend.run(source(backend), lambda kernels: work(backend, kernels))
    )


def test_a_single_player_learns_too():
    """External sampling has nobody else whose turn is next."""
    game = zermelo.load("tiger")
    answer = sampled(game.model, game.searching, iterations=3_000)
    assert float(answer.value[0]) == pytest.approx(float(zermelo.solve(game).value[0]), rel=0.1)


@pytest.mark.parametrize("make", MACHINES)
def test_different_moves_of_one_set_are_refused(make, few_plays):
    model = zermelo.loads(DIFFERENT_MOVES).model
    with pytest.raises(ZermeloError, match="may choose from other moves") as refused:
        sampled(model, make(model))
    assert refused.value.code == "moves-differ"


@pytest.mark.parametrize("make", MACHINES)
def test_an_error_of_the_rules_has_its_play(make, few_plays):
    secret = "phase play(p: Player):", "var coin: 0..1 hidden\nphase play(p: Player):"
    model = zermelo.loads(overstepping(9).replace(*secret)).model
    with pytest.raises(PlayError) as raised:
        sampled(model, make(model), iterations=200)
    assert raised.value.code == "assigned-out-of-range"


def test_the_same_seed_gives_the_same_strategies(few_plays):
    game = zermelo.load("kuhn_poker")
    one, again, other = (tables(sampled(game.model, game.searching, iterations=100, seed=seed)) for seed in (1, 1, 2))
    assert one == again != other


@needs_llvm
def test_responses_in_a_game_whose_tree_does_not_fit(monkeypatch):
    """Against uniform strategies in dark hex on 3x3 a public program has best responses worth 0.666318 and 1.166488
    beyond the uniform value of 0.333684."""
    learn = sampling_from_rules.SampledPlay.learn
    monkeypatch.setattr(sampling_from_rules.SampledPlay, "learn", lambda play, wanted, *rest: learn(play, 1, *rest))
    monkeypatch.setattr(sampling_from_rules.SampledPlay, "sets", forget)
    model = zermelo.load("dark_hex", size=3).model
    answer = sampled(model, compiled_machine(model), by_outcome=True, iterations=100_000)
    found, truth = answer.sampled_exploitability, (0.666318 + 1.166488) / 2
    assert float(answer.value[0]) == pytest.approx(0.333684, abs=5 * float(answer.standard_errors[0]))
    assert truth / 2 < float(found.mean) < truth + 2.5 * float(found.margin)


# Online outcome sampling: unbiased wherever plays are led, and what it learns against exact best responses.


ITERATIONS = 3_000
"""How many single iterations are averaged, with an aim and without."""

KUHN = ("deal(J, Q)", "deal(K, Q); check", "deal(Q, K); check; bet")


def after(game: Game, play: str) -> State:
    state = game.initial
    for move in filter(None, play.split("; ")):
        state = state.after(move)
    return state


def aims_of(state: State, machine, deals: int = 100):
    found = fitting_deals(state, deals, Random(0), Limits(), ignore_progress)
    return [(on_machine(State(state.game, each), machine), share) for each, share in found.states]


def problem_of(game: Game, machine, seed: int = 0) -> Problem:
    return Problem(machine, game.facts, machine.initial(), seed=seed)


@needs_llvm
@pytest.mark.parametrize("play", KUHN)
def test_what_an_iteration_adds_is_the_same_on_average_wherever_it_is_led(play):
    """From one table, in which all moves are made, many times one iteration with and without an aim: the means of all
    additions to regrets and averages agree, to as many standard errors as do not occur by accident; and at the aim they
    scatter less."""
    game = zermelo.load("kuhn_poker")
    machine = compiled_machine(game.model)
    problem, aims = problem_of(game, machine), aims_of(after(game, play), machine)

    def work(backend, kernels):
        sampled = SampledPlay(backend, kernels, problem, by_outcome=True)
        sampled.learn(300, 0.0, Fraction(1))
        sampled.sampling.is_full = 1  # no more sets
        free = additions(sampled, ITERATIONS)
        sampled.aim_at(aims, 0.7)
        return free, additions(sampled, ITERATIONS), sampled.sampling.aim.row

    free, led, row = run_with_fallback(
        machine, problem.limits, lambda backend: backend.run(source(backend), lambda kernels: work(backend, kernels))
    )
    for (one, scatter), (other, led_scatter) in zip(free, led, strict=True):
        assert abs(one - other) <= 4.5 * sqrt(scatter + led_scatter) + 1e-9
    assert led[row][1] < free[row][1]


def additions(sampled: SampledPlay, count: int) -> list[tuple[float, float]]:
    """What one iteration adds to each regret and to each sum of strategies, on average over so many, each from the same
    table, with the variances of the means. The regrets are so large that everybody goes on to make all moves."""
    sampling, table = sampled.sampling, sampled.sampling.table
    regrets, sums = [1e4 * (1 + row % 3) for row in range(table.rows)], [0.0] * table.rows
    added: list[list[float]] = []
    for _ in range(count):
        for row in range(table.rows):
            table.regrets[row], table.sums[row] = regrets[row], sums[row]
        sampling.wanted = sampling.iterations + 1
        sampled.kernels.call(kernel.go_on, sampling, 1_000)
        added.append([table.regrets[row] - regrets[row] for row in range(table.rows)] + table.sums[: table.rows])
    columns = list(zip(*added, strict=True))
    return [(mean(column), variance(column) / count) for column in columns]


def test_marks_carry_the_shares_and_the_chances_of_the_plays():
    game = zermelo.load("kuhn_poker")
    machine = ReferenceMachine(game.model)
    aims = aims_of(after(game, "deal(Q, K); check; bet"), machine)
    problem = problem_of(game, machine)
    marks = run_with_fallback(machine, problem.limits, lambda backend: marks_of(backend, problem.root, aims))
    assert {len(column) for column in marks.values()} == {1 + 3 * 2}, "two deals, each with a check and a bet"
    assert marks["shares"][0] == pytest.approx(1) and marks["chances"][0] == 1
    first = marks["children"][0]
    other = marks["siblings"][first]
    assert marks["shares"][first] == pytest.approx(0.5) and marks["chances"][first] == pytest.approx(1 / 6)
    assert marks["shares"][other] == pytest.approx(0.5) and marks["siblings"][other] == 0
    assert marks["children"].count(0) == 2


@pytest.mark.parametrize("shares", [(1, 2, 5), (5, 2, 1), (4, 4)])
def test_a_play_that_is_led_takes_each_way_by_its_share(shares, monkeypatch):
    """The siblings are the marks from 1 on, under a mark that has half of all."""
    count = sum(shares)
    aim = SimpleNamespace(
        mark=0, moves=[*range(10, 11 + len(shares))], children=[1], siblings=[0, *range(2, 1 + len(shares)), 0],
        shares=[1 / 2, *(share / count / 2 for share in shares)],
    )  # fmt: skip
    monkeypatch.setattr(kernel, "share_drawn", lambda random: random)
    led = [kernel.prescribed(aim, (k + 1 / 2) / count) for k in range(count)]
    assert led == [10 + mark for mark, share in enumerate(shares, 1) for _ in range(share)]


@pytest.mark.parametrize("play", KUHN)
def test_an_aim_to_which_nothing_is_led_changes_nothing(play):
    game = zermelo.load("kuhn_poker")
    machine = python_machine(game.model)
    problem = problem_of(game, machine, 7)

    def learned(backend, kernels, is_aimed):
        sampled = SampledPlay(backend, kernels, problem, by_outcome=True)
        if is_aimed:
            sampled.aim_at(aims_of(after(game, play), machine), 0.0)
        sampled.learn(200, 0.0, Fraction(1))
        return sampled.sampling.table.sums[:], sampled.sampling.table.regrets[:]

    one, other = (
        run_with_fallback(
            machine,
            problem.limits,
            lambda backend, aimed=aimed: backend.run(source(backend), lambda kernels: learned(backend, kernels, aimed)),
        )
        for aimed in (False, True)
    )
    assert one == other


@needs_llvm
@pytest.mark.parametrize("play", KUHN)
def test_python_and_machine_code_agree_in_online_outcome_sampling(play):
    game = zermelo.load("kuhn_poker")
    found = []
    for make in (python_machine, compiled_machine):
        machine = make(game.model)
        stages = [aims_of(after(game, play), machine)]
        found.append(online_strategy(problem_of(game, machine, 3), stages, 200))
    assert found[0] == found[1]


def test_the_same_seed_gives_the_same_strategy():
    state = after(zermelo.load("kuhn_poker"), "deal(Q, K)")
    one, again, other = (sample_online(state, 100, seed=seed).chances for seed in (1, 1, 2))
    assert one == again != other


@needs_llvm
def test_it_learns_what_is_dominated():
    """In Kuhn poker nobody who knows that they win calls less than always, or folds with a King; with a Jack nobody
    calls."""
    game = zermelo.load("kuhn_poker")
    for card, best in ("K", "call"), ("J", "fold"):
        found = sample_online(after(game, f"deal(Q, {card}); bet"), 20_000)
        assert [str(each.move) for each in found.worths if each.chance > Fraction(19, 20)] == [best]


@needs_llvm
def test_each_decision_of_a_play_has_its_stage():
    game = zermelo.load("kuhn_poker")
    assert sample_online(after(game, "deal(Q, K)"), 50).counts["iterations"] == 50
    assert sample_online(after(game, "deal(Q, K); check; bet"), 50).counts["iterations"] == 100
