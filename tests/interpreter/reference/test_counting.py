"""Counts of the parts of the rules: in games written for it, and against marks that the rules tell."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from marked_rules import mark, told
from random_cases import many
from random_games.writer import write_game
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter import model as rules
from zermelo.interpreter.analysis import failed_key, held_key, ran_key
from zermelo.interpreter.check import check
from zermelo.interpreter.model.rewriting import blocks, own_statements
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.about_coverage import cover


def assert_counts_agree(model, most=None):
    """Compare the counts, if all positions have been searched; whether that is so."""
    coverage = cover(model, most, Limits(), ignore_progress)
    if coverage.fault is not None or not coverage.extent.is_whole:
        return False
    marks, decided = told(model)
    for statement in (statement for block in blocks(model) for statement in own_statements(block)):
        if statement is not model.start:
            assert coverage.used[ran_key(statement)] == marks[mark("ran", statement)], statement
        if isinstance(statement, rules.If_):
            assert coverage.used[held_key(statement.condition)] == marks[mark("held", statement.condition)], statement
            assert coverage.used[failed_key(statement.condition)] == marks[mark("failed", statement.condition)], (
                statement
            )
    for phase in model.phases.values():
        if phase.decision is not None:
            assert coverage.used[ran_key(phase.decision)] == decided[ran_key(phase.decision)]
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


LARGE = 40
"""The most members of a type in rules that are counted: loops within loops over more take the reference machine
minutes."""


@settings(max_examples=many(60))
@given(number=st.integers(0, 100_000))
def test_random_games(number):
    text = write_game(Random(number))
    note(text)
    model, _ = check(Source("random.game", text))
    if model is not None and model.notation == "phases" and all(type.size <= LARGE for type in model.types):
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
    assert coverage.used[ran_key(assign)] == 2
    assert coverage.used[failed_key(test.condition)] == 2
    assert coverage.used[held_key(test.condition)] == 0
    assert coverage.tried[held_key(test.condition)] > 0
    assert coverage.used[held_key(rule.ensuring)] == 2
    assert coverage.used[failed_key(rule.ensuring)] == 1


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
    assert coverage.used[ran_key(rule)] == 1
    assert coverage.used[ran_key(rule.body[-1])] == 0


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
    assert coverage.used[ran_key(even)] == 4  # two positions with two numbers each
    assert coverage.used[ran_key(high)] == 2
    assert coverage.used[held_key(high.body.condition)] == 1
    assert coverage.used[failed_key(high.body.condition)] == 1


def test_outcomes_that_cannot_be_listed_are_drawn():
    coverage = cover(bundled_model("four_card_whist"), None, Limits(), ignore_progress)
    assert coverage.extent.stopped == "chance has too many outcomes to list"
    assert not coverage.extent.positions
    assert coverage.extent.plays
    assert coverage.fault is None
