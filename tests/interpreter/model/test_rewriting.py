"""Substitution and inlining preserve the meaning of names."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter import model
from zermelo.interpreter.check import check
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model.cardinality import TOO_MUCH, evaluation_cost
from zermelo.interpreter.model.rewriting import free_slots, map_parts, operands, reads, subexpressions, unfold, walk
from zermelo.interpreter.types import NumberType, SetType

DEFINES = """
game "Defines"
players Ann, Bob
type Digit = 0..9
var left: Digit = 3
define doubled(n: Digit) = u + u where u = n
define shifted(n: Digit) = sum k in 1..3: n + k
define both(n: Digit, m: Digit) = max k in {doubled(m), shifted(n)}: k + (sum j in {n}: j + m)
define nested = doubled(2) + shifted(1) + both(1, 2)
define rest = left + 1
define behind = rest * 2
start at play
phase play:
    turn Ann:
        move stop if nested > behind: end draw
        move on:
            left := 0
            end draw
"""


@pytest.fixture(scope="module")
def defines() -> dict[str, model.Define]:
    game, findings = check(Source("defines.game", DEFINES.strip()))
    assert game is not None, [finding.message for finding in findings]
    return {define.name: define for define in game.defines}


def unfolded(expr: model.Expr) -> model.Expr:
    """The expression with every call in it inlined, outermost first."""
    if isinstance(expr, model.Call):
        return unfolded(unfold(expr))
    return map_parts(expr, unfolded)


def test_an_unfolded_define_has_the_same_value(defines: dict[str, model.Define]) -> None:
    body = defines["nested"].body
    opened = unfolded(body)
    assert not any(isinstance(part, model.Call) for part in walk(opened))
    assert not free_slots(opened)
    assert evaluate_constant(opened) == evaluate_constant(body) == 25


def test_reads_are_found_through_defines(defines: dict[str, model.Define]) -> None:
    assert [read.variable.name for read in reads(defines["behind"].body)] == ["left"]
    assert defines["behind"].reads_state
    assert not defines["nested"].reads_state


def test_the_work_of_an_expression_is_bounded(defines: dict[str, model.Define]) -> None:
    assert 10 < evaluation_cost(defines["nested"].body) < 200
    slot = model.Local(0, "k", type=defines["nested"].body.type, span=defines["nested"].span)
    whole = defines["nested"].body
    numbers = [model.Const(bound, type=whole.type, span=whole.span) for bound in (1, 10**9)]
    endless = model.RangeSet(*numbers, type=SetType(NumberType(1, 10**9)), span=whole.span)
    counted = model.Quantified("sum", (model.Binder(0, "k", endless),), slot, type=whole.type, span=whole.span)
    assert evaluation_cost(counted) == TOO_MUCH


def test_the_parts_of_records_are_found_by_their_fields_with_why_they_must_not_be_none(machine_of) -> None:
    game = machine_of(
        """
        game "Parts"
        players Ann, Bob
        start at play
        phase play:
            turn Ann preferring (1, 2):
                move take(n in 1..3) if n > 1 ensuring n < 4:
                    earn Ann: -n
                    if n == 2: end win {p in Player if p == Ann}
                    end payoff {Ann: 1, Bob: 2}
        """
    ).model
    turn = game.phases["play"].decision
    (rule,) = turn.moves
    earn, choice, end = rule.body

    def shown(whole):
        return [(game.source.excerpt(part.span), why) for part, why in operands(whole)]

    assert shown(turn) == [("Ann", None), *((text, "'preferring' compares values") for text in "12")]
    assert shown(rule) == [("1..3", None), ("n > 1", None), ("n < 4", None)]
    assert shown(earn) == [("Ann", None), ("-n", "what is earned is a number")]
    assert shown(earn.amount) == [("n", "'-' needs a number")]
    assert shown(choice) == [("n == 2", None)]
    assert [text for text, _ in shown(end)] == ["Ann", "1", "Bob", "2"]
    assert all(subexpressions(each) == tuple(part for part, _ in operands(each)) for each in (turn, rule, earn, end))
