"""Proofs about payoffs: constant sums, common payoffs, and bounds, from the outcomes that phases lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import inf
from typing import Literal

from attrs import define, field

from zermelo.grammar.diagnostics import NOWHERE
from zermelo.interpreter import model
from zermelo.interpreter.analysis import BINDING, FEW, list_values, open_parts, simplify
from zermelo.interpreter.checks.game_facts import Bounds
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.intervals import hull, literal
from zermelo.interpreter.model.rewriting import (
    blocks_of_phase,
    free_slots,
    map_parts,
    reachable,
    statements,
    subexpressions,
    substitute,
    unfold,
    walk,
)
from zermelo.interpreter.types import BOOL, NUMBER, NumberType, strip_none
from zermelo.interpreter.values import Member, Value

# Proofs that a numeric expression has the same value in every state.
#
# They show that payoffs have a constant sum. An expression is brought into a linear normal form: a constant and a
# linear combination of *atoms*, expressions that are left as they are (``tricks[North]``). If all atoms cancel, the
# constant is the value. Otherwise defines are inlined, and then the proof splits into cases: a name or an entry with
# few values takes each of them in turn, or the condition of an ``if`` is true and then false. All cases must give the
# same constant.
#
# The method is sound but incomplete: None means "not proved". Equal atoms have equal values, since the whole expression
# is evaluated in one state and slots are unique; a name or an entry has one of the values of its type, or reading it is
# an error; and one of the cases holds. A budget bounds their number and size.


STEPS = 200
"""The most expressions that one proof examines."""

PARTS = 16_000
"""The most parts of these together: the cost of an expression grows with its parts. The proof that the payoffs of
bridge sum to 0 takes 12,000 in 10 steps."""


def proved_constant(expr: model.Expr) -> Fraction | None:
    """The value of the expression in every state, or None if not proved."""
    return _Proof().value(expr)


def linear_form(expr: model.Expr) -> dict[model.Expr, Fraction]:
    """The coefficients of a number's linear normal form, without its constant; defines are inlined, sums over sets are
    atoms."""
    linear = _Linear()
    linear.add(inline_defines(expr), Fraction(1))
    return linear.terms


def bounds_of_difference(one: model.Expr, other: model.Expr) -> tuple[Fraction | int | float, Fraction | int | float]:
    """Bounds of ``one - other``, two numbers in one state. Terms that do not cancel are bounded by their types."""
    linear = _Linear()
    linear.add(inline_defines(one), Fraction(1))
    linear.add(inline_defines(other), Fraction(-1))
    low: Fraction | int | float = linear.constant
    high: Fraction | int | float = linear.constant
    for term, factor in linear.terms.items():
        base = term.type.base
        if not isinstance(base, NumberType) or base.low is None or base.high is None:
            return -inf, inf
        ends = (factor * base.low, factor * base.high)
        low, high = low + min(ends), high + max(ends)
    return low, high


def inline_defines(expr: model.Expr) -> model.Expr:
    """The expression with all called defines inlined, at any depth."""
    while any(isinstance(part, model.Call) for part in walk(expr)):
        expr = _unfold_once(expr)
    return expr


def _unfold_once(expr: model.Expr) -> model.Expr:
    return unfold(expr) if isinstance(expr, model.Call) else map_parts(expr, _unfold_once)


@define(eq=False, repr=False)
class _Linear:
    constant: Fraction = Fraction(0)
    terms: dict[model.Expr, Fraction] = field(factory=dict)

    def add(self, expr: model.Expr, factor: Fraction) -> None:
        match expr:
            case model.Const(value) if value is not None:
                self.constant += factor * value
            case model.Negate(operand):
                self.add(operand, -factor)
            case model.Arithmetic("+", left, right):
                self.add(left, factor)
                self.add(right, factor)
            case model.Arithmetic("-", left, right):
                self.add(left, factor)
                self.add(right, -factor)
            case model.Arithmetic("*", model.Const(value), other) | model.Arithmetic(
                "*", other, model.Const(value)
            ) if value is not None:
                self.add(other, factor * value)
            case model.Arithmetic("/", left, model.Const(value)) if value:
                self.add(left, factor / value)
            case _:
                self.terms[expr] = self.terms.get(expr, Fraction(0)) + factor
                if not self.terms[expr]:
                    del self.terms[expr]


@define(eq=False, repr=False)
class _Proof:
    """One proof. ``varies`` is set when two values of a name or an entry give different numbers: then no other split
    can succeed."""

    steps: int = 0
    parts: int = 0
    varies: bool = False

    def value(self, expr: model.Expr) -> Fraction | None:
        self.steps += 1
        self.parts += sum(1 for _ in walk(expr))
        if self.varies or self.steps > STEPS or self.parts > PARTS:
            return None
        expr = simplify(expr)
        linear = _Linear()
        linear.add(expr, Fraction(1))
        if not linear.terms:
            return linear.constant
        if any(isinstance(part, model.Call) for part in open_parts(expr)):
            return self.value(unfold_calls(expr))
        for part in self.openings(expr):
            value = self.same_in_all(_case_expressions(expr, part), final=not isinstance(part, model.If))
            if value is not None:
                return value
        return None

    def same_in_all(self, cases: Iterator[model.Expr], final: bool) -> Fraction | None:
        """The common value of all cases. If two differ and ``final`` is set, the proof has failed."""
        first = self.value(next(cases))
        if first is None:
            return None
        for case in cases:
            value = self.value(case)
            if value != first:
                self.varies = self.varies or (final and value is not None)
                return None
        return first

    def openings(self, expr: model.Expr) -> Iterator[model.Expr]:
        """The parts to split into cases, most promising first: a name, an entry, an ``if``."""
        parts = list(open_parts(expr))
        for kind in (model.Local, model.Read | model.Chosen, model.If):
            for part in parts:
                if isinstance(part, kind) and (isinstance(part, model.If) or has_few_values(part)):
                    yield part
                    break


def _case_expressions(expr: model.Expr, part: model.Expr) -> Iterator[model.Expr]:
    """The expression for every value of a part, or of the condition of an ``if``."""
    changing, type = (part.condition, BOOL) if isinstance(part, model.If) else (part, part.type)
    for value in type.generate():
        yield replace(expr, changing, model.Const(value, type=type, span=part.span))


def has_few_values(expr: model.Expr) -> bool:
    """Whether the expression can be split into cases: its type is small, and its parts are constant."""
    has_few = expr.type.is_finite and 0 < expr.type.size <= FEW
    return has_few and all(isinstance(part, model.Const) for part in subexpressions(expr))


def unfold_calls(expr: model.Expr) -> model.Expr:
    """The expression with called defines inlined, except inside binding expressions."""
    if isinstance(expr, model.Call):
        return unfold(expr)
    if isinstance(expr, BINDING):
        return expr
    return map_parts(expr, unfold_calls)


def replace(expr: model.Expr, old: model.Expr, new: model.Expr) -> model.Expr:
    if expr == old:
        return new
    return map_parts(expr, lambda part: replace(part, old, new))


# Reachable phases, and the blocks that may run in them.


def reachable_phases(game: model.Model) -> tuple[model.Phase, ...]:
    """The phases reachable from the start by chains of ``go``: a superset of those that plays reach."""
    return tuple(reachable([game.phases[game.start.phase]], partial(_next_phases, game)))


def phases_after(game: model.Model, first: model.Phase) -> tuple[model.Phase, ...]:
    """The phases reachable from a phase by one ``go`` or more."""
    return tuple(reachable(_next_phases(game, first), partial(_next_phases, game)))


def _next_phases(game: model.Model, phase: model.Phase) -> Iterator[model.Phase]:
    for block in blocks_of_phase(phase):
        yield from (game.phases[each.phase] for each in statements(block) if isinstance(each, model.Go))


def reachable_blocks(game: model.Model, phases: tuple[model.Phase, ...]) -> Iterator[model.Block]:
    """Every block that may run: ``setup``, and those of ``phases``."""
    yield game.setup
    for phase in phases:
        yield from blocks_of_phase(phase)


# Constant-sum games, and games with a common payoff.
#
# A play pays what its ``end`` says and what was earned on the way. The sum is proved constant if every ``end`` (and
# ``endless``) has the same sum in every state, and every group of adjacent ``earn`` statements sums to zero. Proofs
# that an amount is constant are those above. The payoff is common if every ``end`` and every such group give all
# players the same.
#
# Soundness: a play reaches no other ``end``. Adjacent ``earn`` statements pay in the same state with the same discount,
# and all or none of them run: no statement between them could leave or change anything. A payoff with as many entries
# as players has one for each, or it is an error. ``end win`` shares out 1 and -1, or it is an error, but for a single
# player, who wins 1. A sum other than 0 shrinks with a discount, so it is not constant then. Two ends with different
# sums refute a constant sum only if plays reach both, as in trees and tables.


Amounts = tuple[model.Expr, ...]
Earned = tuple[tuple[model.Expr, model.Expr], ...]
"""Who earns, and how much."""


def constant_sum(game: model.Model, phases: tuple[model.Phase, ...]) -> tuple[Fact, Fraction | None]:
    """Whether all plays pay the same sum, and this sum. ``phases`` are the reachable ones."""
    for place, earned in earnings(game, phases):
        if _total(tuple(amount for _, amount in earned)) != 0:
            return Fact(None, f"it is not proved that what is earned in {place} sums to 0"), None
    sums: dict[Fraction, str] = {}
    for place, outcome in outcomes_of_ends(game, phases):
        amount = _payoff_sum(outcome, len(game.players))
        if amount is None:
            return Fact(None, f"it is not proved that the payoffs in {place} always have the same sum"), None
        sums.setdefault(amount, place)
    if len(sums) > 1:
        (one, here), (another, there), *_ = sums.items()
        elsewhere = f" in {there}" if there != here else ""
        how = f"the payoffs sum to {one} in {here} and to {another}{elsewhere}"
        return Fact(_counterexample_verdict(game) if game.discount == 1 else None, how), None
    amount = next(iter(sums), Fraction(0))
    if amount != 0 and game.discount != 1:
        return Fact(None, f"the payoffs sum to {amount}, but the discount makes late ones smaller"), None
    return Fact(True, f"the payoffs sum to {amount} wherever a play ends"), amount


def common_payoff(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether all players always get the same. ``phases`` are the reachable ones."""
    players = len(game.players)
    if players == 1:
        return Fact(True, "there is one player")
    for place, outcome in outcomes_of_ends(game, phases):
        if tells_winners(outcome):
            return Fact(_counterexample_verdict(game), f"{place} tells winners from losers")
        amounts = _amounts(outcome, players)
        difference = None if amounts is None else _first_difference(amounts)
        if difference is None:
            return Fact(None, f"it is not proved that {place} pays all players the same")
        if difference != 0:
            return Fact(_counterexample_verdict(game), f"{place} pays unequal amounts")
    for place, earned in earnings(game, phases):
        if not _pays_all_the_same(earned, game.players):
            return Fact(None, f"it is not proved that all earn the same in {place}")
    return Fact(True, "all players get the same wherever a play ends")


def _first_difference(amounts: Amounts) -> Fraction | None:
    """The first difference from the first amount that is not proved to be 0: its value, or None if it is not proved to
    have one. 0 if there is no such difference."""
    differences = (proved_constant(_arithmetic("-", amount, amounts[0])) for amount in amounts[1:])
    return next((found for found in differences if found != 0), Fraction(0))


def _counterexample_verdict(game: model.Model) -> bool | None:
    """The verdict of a counterexample in the rules: in a tree or a table some play reaches every payoff, so the fact is
    False; elsewhere it stays open (None), since perhaps no play reaches the counterexample."""
    return None if game.notation == "phases" else False


def outcomes_of_ends(game: model.Model, phases: tuple[model.Phase, ...]) -> Iterator[tuple[str, model.Outcome]]:
    """The outcomes of all reachable ends, with their places. Every play of a tree or a table ends."""
    for block in reachable_blocks(game, phases):
        yield from _outcomes_in_block(block, {}, [])
    if game.endless is not None and game.notation == "phases":
        yield "'endless'", game.endless.outcome


def _outcomes_in_block(
    block: model.Block, known: Mapping[int, model.Expr], found: list[tuple[str, model.Outcome]]
) -> list[tuple[str, model.Outcome]]:
    """The outcomes of the ends of a block, each with its line, after those ``found`` before. A local name whose value
    is ``known`` is replaced by this value: nothing that the value depends on has changed since."""
    for statement in block:
        match statement:
            case model.End(outcome):
                put = map_parts(outcome, partial(substitute, values=known)) if known else outcome
                found.append((f"line {statement.span.line}", put))
            case model.SetLocal(slot, value):
                value = substitute(value, known)
                known = {name: held for name, held in {**known, slot: value}.items() if slot not in free_slots(held)}
            case model.If_(_, yes, no):
                _outcomes_in_block(yes, known, found)
                _outcomes_in_block(no, known, found)
                if not all(isinstance(inner, model.End | model.Earn | model.Tell) for inner in (*yes, *no)):
                    known = {}
            case model.For(_, body):
                _outcomes_in_block(body, {}, found)
                known = {}
            case model.Do(action, _):
                _outcomes_in_block(action.body, {}, found)
                known = {}
            case model.Earn() | model.Tell():
                pass
            case _:
                known = {}
    return found


def _payoff_sum(outcome: model.Outcome, players: int) -> Fraction | None:
    """The sum of the payoffs. A win shares out 1 and -1, since it is an error if nobody loses, or nobody wins."""
    if tells_winners(outcome):
        return Fraction(1 if players == 1 and isinstance(outcome, model.WinOutcome) else 0)
    return _total(_amounts(outcome, players))


def tells_winners(outcome: model.Outcome) -> bool:
    """Whether an outcome is a win of some players over the others, or a draw for want of them."""
    match outcome:
        case model.PayoffOutcome(largest_wins=tells) | model.PayoffForOutcome(largest_wins=tells):
            return tells
        case _:
            return isinstance(outcome, model.WinOutcome)


def _amounts(outcome: model.Outcome, players: int) -> Amounts | None:
    """One amount for each player, in any order; None if the amounts are not known.

    Every player must occur in a payoff, so as many entries as players are one for each.
    """
    match outcome:
        case model.DrawOutcome():
            return (_zero(),) * players
        case model.PayoffOutcome(entries) if len(entries) == players:
            return tuple(amount for _, amount in entries)
        case model.PayoffForOutcome(_, amount, (binder,)):
            values = list_values(binder)
            if values is not None and len(values) == players:
                return tuple(substitute(amount, {binder.slot: value}) for value in values)
    return None


def _pays_all_the_same(earned: Earned, players: tuple[Member, ...]) -> bool:
    """Whether a group of ``earn`` statements surely gives every player the same."""
    parts: dict[Value, Amounts] = dict.fromkeys(players, ())
    for player, amount in earned:
        if not isinstance(player, model.Const):
            return False
        parts[player.value] += (amount,)
    first, *others = parts.values()
    return all(_total((*map(_negative, first), *other)) == 0 for other in others)


def earnings(game: model.Model, phases: tuple[model.Phase, ...]) -> Iterator[tuple[str, Earned]]:
    """The groups of adjacent ``earn`` statements, with the places where they begin."""
    for block in reachable_blocks(game, phases):
        yield from _earning_groups(block)


def _earning_groups(block: model.Block) -> Iterator[tuple[str, Earned]]:
    place = ""
    group: Earned = ()
    for statement in block:
        earned = _earnings_of(statement)
        if earned:
            place = place or f"line {statement.span.line}"
            group += earned
            continue
        if group:
            yield place, group
            place, group = "", ()
        match statement:
            case model.If_(_, yes, no):
                yield from _earning_groups(yes)
                yield from _earning_groups(no)
            case model.For(_, body):
                yield from _earning_groups(body)
            case model.Do(action, _):
                yield from _earning_groups(action.body)
    if group:
        yield place, group


def _earnings_of(statement: model.Statement) -> Earned:
    """The earnings of an ``earn``, or of a loop over known values that contains only ``earn``; empty for others."""
    match statement:
        case model.Earn(player, amount):
            return ((player, amount),)
        case model.For((binder,), body) if all(isinstance(inner, model.Earn) for inner in body):
            values = list_values(binder) or []
            return tuple(
                (substitute(inner.player, {binder.slot: value}), substitute(inner.amount, {binder.slot: value}))
                for value in values
                for inner in body
                if isinstance(inner, model.Earn)
            )
    return ()


def _total(amounts: Amounts | None) -> Fraction | None:
    if amounts is None:
        return None
    if all(isinstance(amount, model.Const) for amount in amounts):  # in a table with a cell for each end
        return sum((Fraction(amount.value) for amount in amounts if isinstance(amount, model.Const)), Fraction(0))
    total: model.Expr = _zero()
    for amount in amounts:
        total = _arithmetic("+", total, amount)
    return proved_constant(total)


def _zero() -> model.Expr:
    return model.Const(0, type=NUMBER, span=NOWHERE)


def _negative(amount: model.Expr) -> model.Expr:
    return _arithmetic("-", _zero(), amount)


def _arithmetic(operator: Literal["+", "-"], left: model.Expr, right: model.Expr) -> model.Expr:
    return model.Arithmetic(operator, left, right, type=NUMBER, span=left.span)


# Bounds of each player's payoff.
#
# A search stops as soon as a player has secured the upper bound. The bounds come from every reachable ``end``: a win
# pays between -1 and 1, and an amount lies within the type of its expression. An amount for a player who is not given
# as a constant may go to any player. Earnings have no bound here, since a play may repeat them.
#
# Sound, since a play pays what one ``end`` (or ``endless``) says, times a discount between 0 and 1, and the type of an
# expression contains all its values (:mod:`zermelo.interpreter.storage`).


def payoff_bounds(
    game: model.Model, phases: tuple[model.Phase, ...], sum: Fraction | None
) -> tuple[Bounds | None, ...]:
    """The bounds of each player's payoff, None if unknown.

    ``phases`` are the reachable ones. If two payoffs have the constant ``sum``, a bound of one also bounds the other.
    """
    players = len(game.players)
    if any(earnings(game, phases)):
        return (None,) * players
    found = [_player_bounds(game, phases, player) for player in range(players)]
    if sum is not None and players == 2:
        one, two = found
        found = [
            _tighter_bounds(one, _complementary_bounds(two, sum)),
            _tighter_bounds(two, _complementary_bounds(one, sum)),
        ]
    return tuple(found)


def _player_bounds(game: model.Model, phases: tuple[model.Phase, ...], player: int) -> Bounds | None:
    known: NumberType | None = None
    for _, outcome in outcomes_of_ends(game, phases):
        for amount in _amount_types(outcome, player, len(game.players)):
            known = amount if known is None else hull(known, amount)
    if known is not None and game.discount != 1:  # what comes later shrinks towards 0
        known = hull(known, literal(0))
    return None if known is None else _finite_bounds(known)


def _amount_types(outcome: model.Outcome, player: int, players: int) -> Iterator[NumberType]:
    """The types of the amounts that an outcome may pay a player."""
    match outcome:
        case _ if tells_winners(outcome):
            yield literal(1)
            if players > 1 or not isinstance(outcome, model.WinOutcome):
                yield literal(-1)
        case model.DrawOutcome():
            yield literal(0)
        case model.PayoffOutcome(entries):
            for to, amount in entries:
                if not isinstance(to, model.Const) or to.value.index == player:
                    yield _amount_range(amount)
        case model.PayoffForOutcome(_, amount, _):
            yield _amount_range(amount)


def _amount_range(amount: model.Expr) -> NumberType:
    base = strip_none(amount.type).base
    if isinstance(amount, model.Const):
        return literal(amount.value)
    return base if isinstance(base, NumberType) else NumberType(None, None, None)


def bounds_of_expression(amount: model.Expr) -> Bounds | None:
    """The bounds of a number; None if one is missing."""
    return _finite_bounds(_amount_range(amount))


def _finite_bounds(known: NumberType) -> Bounds | None:
    return None if known.low is None or known.high is None else (known.low, known.high)


def _complementary_bounds(bounds: Bounds | None, sum: Fraction) -> Bounds | None:
    return None if bounds is None else (sum - bounds[1], sum - bounds[0])


def _tighter_bounds(one: Bounds | None, two: Bounds | None) -> Bounds | None:
    if one is None or two is None:
        return one or two
    return max(one[0], two[0]), min(one[1], two[1])
