"""Bounds on the sizes of sets, from their structure and their types."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

import zermelo
from zermelo.grammar.diagnostics import NOWHERE, Source, ZermeloError
from zermelo.interpreter import model
from zermelo.interpreter.check import check
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model.cardinality import (
    TOO_MUCH,
    evaluation_cost,
    member_counts,
    most_members,
    values_of_type,
    with_weights,
)
from zermelo.interpreter.model.rewriting import (
    DEEPEST_RULES,
    LARGEST_RULES,
    free_slots,
    live_statements,
    map_parts,
    operands,
    own_statements,
    reads,
    subexpressions,
    unfold,
    walk,
)
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import BOOL, NumberType, OptionalType, SetType, TupleType

_GAME = """
game "Sets"
players Ann, Bob
type Card = 1..9
type Board = grid(3, 3)
var hand: set of Card = {}
var table: set of Card = {1, 2}

define whole = Card
define few = {x in {1, 2, 3} if x in hand}
define either = if 1 in hand then {1, 2} else {1, 2, 3, 4}
define both = few + {5}
define common = hand * few
define rest = hand - table
define pairs = {(x, y) for x in {1, 2} for y in few}
define named = few
define threes = subsets(Card, 3)
define up_to_two = subsets(Card, size(hand * {1, 2}))
define joined = {h + {9} for h in subsets(Card, 2)}
define part = {h in subsets(hand, 2) if 1 in h}
define steps = {2 * d for d in directions(Board) if 1 in hand}

start at play
phase play:
    turn Ann:
        move stop:
            end
"""

_MOST = {
    "whole": 9, "few": 3, "either": 4, "both": 4, "common": 3, "rest": 9, "pairs": 6, "named": 3, "threes": 84,
    "up_to_two": 1 + 9 + 36, "joined": 36, "part": 36,
}  # fmt: skip


@pytest.fixture(scope="module")
def bodies():
    return {define.name: define.body for define in zermelo.loads(_GAME).model.defines}


@pytest.mark.parametrize("name", _MOST)
def test_the_most_members(bodies, name):
    assert most_members(bodies[name]) == _MOST[name]


def test_directions_are_not_counted_by_their_type(bodies):
    assert most_members(bodies["steps"]) == 8


@pytest.mark.parametrize(
    ("name", "counts"), [("threes", (3, 3)), ("up_to_two", (0, 2)), ("joined", (0, 3)), ("part", (2, 2))]
)
def test_the_members_of_the_sets_in_a_set_of_sets(bodies, name, counts):
    assert member_counts(bodies[name]) == counts


@pytest.mark.parametrize(
    ("type", "count"),
    [
        (OptionalType(NumberType(1, 3, 1)), 4),
        (SetType(NumberType(1, 3, 1)), 8),
        (TupleType((OptionalType(NumberType(1, 3, 1)), NumberType(0, 1, 1))), 8),
    ],
)
def test_a_type_has_so_many_values(type, count):
    """None is a value, and the empty set is one."""
    assert values_of_type(type) == count


@pytest.mark.parametrize(
    ("members", "is_sure"),
    [("x..2", True), ("x..x", False), ("(if b then {1} else {2})", True), ("(if b then {1} else s)", False)],
)
def test_a_set_that_surely_has_a_member_may_divide(members, is_sure):
    text = f"""
game "Shares"
players A, B
var x: 1..2 = 1
var b: Bool = true
var s: set of 1..2 = {{}}
start at play
phase play:
    turn A:
        move go_on:
            x := 2 // size({members})
            s := {{1}}
            b := false
            end draw
"""
    assert [finding.code for finding in zermelo.check(text)] == ([] if is_sure else ["possible-zero"])


# Weighted sums, and weights that a user sets.


TEXT = """game "Race"
players Ann, Bob
param unit: 1..5 = 2
var score[Player]: 0..9 = 0
feature lead(p) = score[p] - score[other p]
feature even(p) = if score[p] % 2 == 0 then 1 else 0
weight even = -1/4
weight lead = unit / 20
{estimate}
start at run(Ann)
phase run(p: Player):
    turn p:
        move step(n in 1..3) if score[p] + n <= 9:
            score[p] += n
            go run(other p)
    otherwise:
        end win p
"""


def race(estimate: str = "estimate for p: weighted sum") -> model.Model:
    game, findings = check(Source("race.game", TEXT.format(estimate=estimate)))
    assert game is not None, [finding.message for finding in findings]
    return game


def estimates(game: model.Model, *moves: str) -> list[Fraction | int]:
    machine = ReferenceMachine(game)
    state = machine.initial()
    for move in moves:
        state = machine.after(state, machine.find_move(state, move))
    return [machine.evaluate(state, game.estimate, player) for player in game.players]


def test_every_feature_counts_as_much_as_its_weight() -> None:
    game = race()
    assert [(feature.name, feature.weight) for feature in game.estimate.features] == [
        ("lead", Fraction(1, 10)),
        ("even", Fraction(-1, 4)),
    ]
    assert estimates(game, "step(3)", "step(2)") == [Fraction(1, 10), Fraction(-1, 10) - Fraction(1, 4)]


def test_weights_can_be_set_as_numbers_and_as_text() -> None:
    game = with_weights(race(), {"lead": 2, "even": "0.5"})
    assert [feature.weight for feature in game.estimate.features] == [2, Fraction(1, 2)]
    assert estimates(game, "step(3)", "step(2)") == [2, Fraction(-3, 2)]


def test_the_game_itself_keeps_its_weights() -> None:
    game = race()
    with_weights(game, {"lead": 5})
    assert estimates(game, "step(3)") == [Fraction(3, 10), Fraction(-11, 20)]


def test_a_feature_can_be_used_like_a_define() -> None:
    game = race("estimate for p: lead(p) / 5 + even(p)").estimate
    assert game.features == ()


def test_the_sum_must_be_the_whole_estimate() -> None:
    _, findings = check(Source("race.game", TEXT.format(estimate="estimate for p: weighted sum + 1")))
    assert [finding.code for finding in findings.errors] == ["syntax"]


@pytest.mark.parametrize(
    ("weights", "code", "help"),
    [
        ({"laed": 1}, "unknown-weight", "lead"),
        ({"lead": "much"}, "weight-not-a-number", "0.25"),
        ({"lead": "1/0"}, "weight-not-a-number", "0.25"),
    ],
)
def test_a_wrong_weight_is_refused(weights, code, help) -> None:
    with pytest.raises(ZermeloError) as raised:
        with_weights(race(), weights)
    assert raised.value.code == code
    assert help in raised.value.help


# Chains of declarations of any length, each using the next.


GAME = """
game "Chain"
players A, B
{lines}
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    if n >= 7: end win p
    turn p:
        move take(k in 1..2) if {guard}:
            {effect}
            go play(other p)
"""


def chain(kind: str, count: int) -> str:
    """A file with a chain of so many declarations that do not change the game."""
    guard, effect, steps = "n >= 0", "n += k", range(1, count)
    match kind:
        case "defines":
            lines = ["define d0 = n", *(f"define d{i} = d{i - 1} + 1" for i in steps)]
            guard = f"d{count - 1} >= {count - 1}"
        case "conditions":
            lines = ["define d0 = n < 100", *(f"define d{i} = d{i - 1} and n < {i + 20}" for i in steps)]
            guard = f"d{count - 1}"
        case "sets":
            lines = ["define d0 = {n}", *(f"define d{i} = d{i - 1} + {{{i % 5}}}" for i in steps)]
            guard = f"n in d{count - 1}"
        case "functions":
            lines = ["define d0(x: 0..9) = x", *(f"define d{i}(x: 0..9) = d{i - 1}(x)" for i in steps)]
            guard = f"d{count - 1}(n) == n"
        case "parameters":
            lines = ["param d0: 0..9 = 3", *(f"param d{i}: 0..9 = d{i - 1}" for i in steps)]
            guard = f"d{count - 1} == 3"
        case "types":
            lines = ["type T0 = 0..9", *(f"type T{i} = T{i - 1}" for i in steps)]
            lines = [*lines, f"var v: T{count - 1} = 0"]
            guard = "v == 0"
        case "parts":
            lines = ["type T0 = a | b | c", *(f"type T{i} = {{x in T{i - 1} if x != c}}" for i in steps)]
            lines = [*lines, f"var v: T{count - 1} = a"]
            guard = "v == a"
        case _:
            lines = ["action d0(k: 1..2):\n    n += k", *(f"action d{i}(k: 1..2):\n    d{i - 1}(k)" for i in steps)]
            effect = f"d{count - 1}(k)"
    return GAME.format(lines="\n".join(lines), guard=guard, effect=effect)


def turned_round(text: str) -> str:
    """The same declarations, the last one first."""
    head, rest = text.split("players A, B\n", 1)
    lines, tail = rest.split("\nvar n:", 1)
    parts: list[str] = []
    for line in lines.split("\n"):
        if line.startswith(" "):
            parts[-1] += "\n" + line
        else:
            parts.append(line)
    return head + "players A, B\n" + "\n".join(reversed(parts)) + "\nvar n:" + tail


KINDS = ("defines", "conditions", "sets", "functions", "parameters", "types", "parts", "actions")


@pytest.mark.parametrize("turn", [str, turned_round], ids=["in order", "in reverse"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_long_chain_changes_nothing(kind, turn):
    without = zermelo.solve(zermelo.loads(chain("defines", 1)))
    game = zermelo.loads(turn(chain(kind, 200)))
    for machine in ("auto", "reference"):
        assert zermelo.solve(game.on(machine)).value == without.value


@pytest.mark.parametrize("kind", KINDS)
def test_a_chain_without_end_is_a_finding_or_none(kind):
    found = [finding.code for finding in zermelo.check(chain(kind, 1_200))]
    assert found in ([], ["nested-too-deep"])
    assert found or kind in ("parameters", "types", "parts")


def test_records_in_records():
    lines = ["type T0 = (x: 0..1, y: 0..1)", *(f"type T{i} = (x: T{i - 1}, y: 0..1)" for i in range(1, 400))]
    text = GAME.format(lines="\n".join([*lines, "var v: T399? = none"]), guard="v is none", effect="n += k")
    assert next(finding.code for finding in zermelo.check(text)) == "nested-too-deep"
    doubled = [line.replace("y: 0..1", f"y: T{i - 1}") if i else line for i, line in enumerate(lines[:40])]
    text = GAME.format(lines="\n".join([*doubled, "var v: T39? = none"]), guard="v is none", effect="n += k")
    assert next(finding.code for finding in zermelo.check(text)) == "out-of-range"


@pytest.mark.parametrize(
    ("first", "further"),
    [("n + 1", "{0} * {0}"), ("n < 9", "{0} and {0}"), ("n", "max({0}, {0})"), ("n", "if n > 1 then {0} else {0}")],
)
def test_what_doubles_with_every_define_is_refused(first, further):
    lines = [f"define d0 = {first}", *(f"define d{i} = " + further.format(f"d{i - 1}") for i in range(1, 60))]
    text = GAME.format(lines="\n".join(lines), guard="d59 == d59", effect="n += k")
    (finding,) = zermelo.check(text)
    assert finding.code == "nested-too-deep"
    assert f"{LARGEST_RULES:,}" in finding.message


def test_rules_at_the_greatest_depth_are_played():
    count = (DEEPEST_RULES - 4) // 3
    game = zermelo.loads(chain("defines", count))
    assert game.model.depth > DEEPEST_RULES - 100
    assert zermelo.solve(game.on("reference")).value == zermelo.solve(zermelo.loads(chain("defines", 1))).value


def test_room_is_made_where_it_is_needed_and_not_elsewhere():
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(1_000)
        zermelo.loads(chain("defines", 5))
        assert sys.getrecursionlimit() == 1_000
        zermelo.loads(chain("defines", 200))
        assert sys.getrecursionlimit() > 1_000
    finally:
        sys.setrecursionlimit(max(before, sys.getrecursionlimit()))


@pytest.mark.parametrize(("last", "use"), [(23, "require d23 > 5"), (13, "define most = d13 - d12")])
def test_squaring_again_and_again_is_a_finding(last, use):
    lines = ["define d0 = 10", *(f"define d{k} = d{k - 1} * d{k - 1}" for k in range(1, last + 1)), use]
    (finding,) = zermelo.check(GAME.format(lines="\n".join(lines), guard=f"d{last} > n", effect="n += k"))
    assert (finding.code, finding.span.line) == ("number-too-large", 14)


def test_five_thousand_findings_are_kept_apart():
    text = 'game "Twice"\nplayers A, B\n' + "define d = 1\n" * 5_000
    model, findings = check(zermelo.Source("twice.game", text))
    assert model is None
    assert sum(finding.code == "duplicate-name" for finding in findings) == 4_999


def else_if(count):
    """A chain of so many conditions; the last one holds."""
    tests = "\n            else ".join(f"if x == {k}:\n                x := {k + 1}" for k in reversed(range(count)))
    return (
        'game "Choices"\nplayers A, B\nvar x: 0..100000 = 0\nstart at one\nphase one:\n    turn A:\n'
        f"        move go:\n            {tests}\n            go two\nphase two:\n    end payoff (x, -x)\n"
    )


@pytest.mark.parametrize("machine", ["reference", "python"])
def test_chains_of_else_if_are_as_long_as_rules_may_be(machine):
    game = zermelo.loads(else_if(DEEPEST_RULES - 20))
    assert game.on(machine).initial.after("go").payoff == (1, -1)


@pytest.mark.parametrize("count", [DEEPEST_RULES, 5_000])
def test_longer_chains_of_else_if_are_a_finding(count):
    (finding,) = zermelo.check(else_if(count))
    assert finding.code == "nested-too-deep"


# Substitution and inlining preserve the meaning of names.


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


def test_statements_are_met_in_order_however_deep_branches_are_in_branches():
    """As those of a table with thousands of rows: Python's stack would not do for a generator in each branch."""
    never = model.Const(False, type=BOOL, span=NOWHERE)
    either = model.Const(None, type=BOOL, span=NOWHERE)
    ends = [model.End(model.DrawOutcome(), span=NOWHERE) for _ in range(5_000)]
    block: model.Block = (ends[-1],)
    for place, end in reversed([*enumerate(ends[:-1])]):
        block = (model.If_(never if place % 2 else either, (end,), block, span=NOWHERE),)
    met = [statement for statement in own_statements(block) if isinstance(statement, model.End)]
    assert len(met) == 5_000 and all(one is other for one, other in zip(met, ends, strict=True))
    live = [statement for statement in live_statements(block) if isinstance(statement, model.End)]
    assert len(live) == 2_501 and all(one is other for one, other in zip(live, [*ends[::2], ends[-1]], strict=True))
