"""Counts of the parts of the rules: in games written for it, and against a second count. For that the rules are changed
to ``tell`` everybody a mark before each statement and in each branch; played by the machine without counters, they say
what ran."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_games.writer import write_game
from written_games import bundled_model, model_of

from zermelo.grammar.source import Source
from zermelo.interpreter import model as rules
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import END
from zermelo.interpreter.model.parts import failed, held, ran
from zermelo.interpreter.model.walks import blocks, own_statements
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import SetType
from zermelo.interpreter.values import OrderedSet
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.validation.covering import cover


def mark(what, thing):
    return f"{what} {type(thing).__name__} {thing.span.start} {thing.span.end}"


class Marked:
    """A model whose statements say that they run."""

    def __init__(self, model: rules.Model) -> None:
        self.everybody = rules.Const(OrderedSet(model.players), type=SetType(model.player_type), span=model.start.span)
        self.actions = {}
        phases = {name: self.phase(phase) for name, phase in model.phases.items()}
        self.model = evolve(model, setup=self.block(model.setup), phases=phases)

    def tell(self, what, thing):
        return rules.Tell(self.everybody, mark(what, thing), (), span=thing.span)

    def block(self, block):
        return tuple(step for statement in block for step in (self.tell("ran", statement), self.statement(statement)))

    def statement(self, statement):
        match statement:
            case rules.If_(condition=test, yes=yes, no=no):
                yes = (self.tell("held", test), *self.block(yes))
                return evolve(statement, yes=yes, no=(self.tell("failed", test), *self.block(no)))
            case rules.For(body=body):
                return evolve(statement, body=self.block(body))
            case rules.Do(action=action):
                return evolve(statement, action=self.action(action))
        return statement

    def action(self, action):
        if action not in self.actions:
            self.actions[action] = evolve(action, body=self.block(action.body))
        return self.actions[action]

    def phase(self, phase):
        decision = phase.decision
        match decision:
            case rules.Turn(moves=moves):
                decision = evolve(decision, moves=tuple(map(self.rule, moves)))
            case rules.Together(moves=moves):
                decision = evolve(decision, moves=tuple(map(self.rule, moves)), then=self.block(decision.then))
            case rules.Chance(outcomes=outcomes):
                decision = evolve(decision, outcomes=tuple(map(self.rule, outcomes)))
        otherwise = None if phase.otherwise is None else self.block(phase.otherwise)
        return evolve(phase, entry=self.block(phase.entry), decision=decision, otherwise=otherwise)

    def rule(self, rule):
        return evolve(rule, body=self.block(rule.body))


def told(model):
    """What ran when each move was made once in every position, and how often each decision was to be made."""
    machine = ReferenceMachine(Marked(model).model)
    waiting, known = [machine.initial()], set()
    marks, decided = Counter(label for label in labels(waiting[0])), Counter()
    for state in waiting:
        if state.actor == END or machine.position(state) in known:
            continue
        known.add(machine.position(state))
        decided[ran(state.phase.model.decision)] += 1
        for move in choices(machine, state):
            waiting.append(machine.after(state, move))
            marks.update(labels(waiting[-1]))
    return marks, decided


def labels(state):
    """The marks since the state before."""
    return [told.label for _, told in state.told if " " in told.label]


def assert_counts_agree(model, most=None):
    """Compare the counts, if all positions have been searched; whether that is so."""
    coverage = cover(model, most, Limits(), ignore_progress)
    if coverage.fault is not None or not coverage.extent.is_whole:
        return False
    marks, decided = told(model)
    for statement in (statement for block in blocks(model) for statement in own_statements(block)):
        if statement is not model.start:
            assert coverage.used[ran(statement)] == marks[mark("ran", statement)], statement
        if isinstance(statement, rules.If_):
            assert coverage.used[held(statement.condition)] == marks[mark("held", statement.condition)], statement
            assert coverage.used[failed(statement.condition)] == marks[mark("failed", statement.condition)], statement
    for phase in model.phases.values():
        if phase.decision is not None:
            assert coverage.used[ran(phase.decision)] == decided[ran(phase.decision)]
    return True


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "kuhn_poker",
        "battleship",
        "goofspiel",
        "liars_dice",
        "rock_paper_scissors_match",
        "oshi_zumo",
        "three_mens_morris",
        "n_person_nim",
    ],
)
def test_bundled_games(name):
    assert assert_counts_agree(bundled_model(name))


@settings(max_examples=60)
@given(number=st.integers(0, 100_000))
def test_random_games(number):
    text = write_game(Random(number))
    note(text)
    model, _ = check(Source("random.game", text))
    if model is not None and model.notation == "phases":
        assert_counts_agree(model, 150)


ENSURED = """
    game "Ensured"
    players Ann, Bob
    var n: 0..3 = 0
    start at choose
    phase choose:
        turn Ann:
            move add(k in 1..3) ensuring n < 3:
                n := k
                if k == 3:
                    end draw
                go last
    phase last:
        turn Bob:
            move stop: end win Bob
"""


def test_effects_that_are_only_tried_out_are_counted_apart():
    model = model_of(ENSURED)
    coverage = cover(model, None, Limits(), ignore_progress)
    (rule,) = model.phases["choose"].decision.moves
    assign, test, _ = rule.body
    assert coverage.used[ran(assign)] == 2
    assert coverage.used[failed(test.condition)] == 2
    assert coverage.used[held(test.condition)] == 0
    assert coverage.tried[held(test.condition)] > 0
    assert coverage.used[held(rule.ensuring)] == 2
    assert coverage.used[failed(rule.ensuring)] == 1


PREFERRING = """
    game "Preferring"
    players Ann, Bob
    var n: 0..3 = 0
    start at choose
    phase choose:
        turn Ann preferring n:
            move add(k in 1..3):
                n := k
                if k == 3: end draw
                end win Bob
"""


def test_moves_that_preferring_leaves_out_are_not_made():
    model = model_of(PREFERRING)
    coverage = cover(model, None, Limits(), ignore_progress)
    (rule,) = model.phases["choose"].decision.moves
    assert coverage.used[ran(rule)] == 1
    assert coverage.used[ran(rule.body[-1])] == 0


DEFINES = """
    game "Defines"
    players Ann, Bob
    var n: 0..4 = 0
    define even(k: 0..4) = (k % 2 == 0)
    define high = (if n > 2 then true else false)
    start at choose
    phase choose:
        turn Ann:
            move add(k in 1..2) if even(k):
                n += k
                if high: end draw
                go choose
"""


def test_a_define_is_counted_by_its_calls_and_its_choices_by_the_times_it_was_worked_out():
    model = model_of(DEFINES)
    coverage = cover(model, None, Limits(), ignore_progress)
    even, high = model.defines
    assert coverage.used[ran(even)] == 4  # two positions with two numbers each
    assert coverage.used[ran(high)] == 2
    assert coverage.used[held(high.body.condition)] == 1
    assert coverage.used[failed(high.body.condition)] == 1


def test_outcomes_that_cannot_be_listed_are_drawn():
    coverage = cover(bundled_model("four_card_whist"), None, Limits(), ignore_progress)
    assert coverage.extent.stopped == "chance has too many outcomes to list"
    assert not coverage.extent.positions
    assert coverage.extent.plays
    assert coverage.fault is None
