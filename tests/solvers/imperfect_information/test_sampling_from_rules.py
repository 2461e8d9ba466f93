"""Sampling from the rules: against exact best responses in games whose tree fits, and on all machines."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import LOWERED_AT_ONCE, MACHINES, compiled_machine, needs_llvm, python_machine
from overstepping import overstepping

import zermelo
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
from zermelo.solvers.imperfect_information.sampling_from_rules import sample_from_rules
from zermelo.solvers.solution import Problem
from zermelo.solvers.tree_building.building import build_tree

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
