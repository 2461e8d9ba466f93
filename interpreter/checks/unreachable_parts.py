"""Parts of the rules that no play reaches with the present parameters: mistakes there are no errors.

``if k < dice: go roll(k + 1)`` is right for every number of dice: with a single one its branch is never taken. This is
abstract interpretation (Cousot and Cousot 1977) over intervals: a walk through the rules keeps track of what is known
about numbers. A condition narrows this, an assignment replaces it, and code under a condition that cannot hold is not
reached. The same goes for phases, defines and actions that only such code mentions.

It is sound: parts that it calls unreached are never evaluated, whatever the position. Numbers are in the types of their
places (otherwise the play would have ended with an error), and names have their values until they are bound anew. Any
assignment to a variable makes the walk forget what is known about its entries; a loop makes it forget, before the first
round, all that the loop assigns. Cost: one walk over all rules, and only if there are findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor

from attrs import define, field

from zermelo.grammar.diagnostics import Finding, Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.measures import NOTHING, Contexts, Place, binder_conditions, may_be_none
from zermelo.interpreter.intervals import Bound, are_disjoint, arithmetic, count_range, hull, is_whole, literal, negate
from zermelo.interpreter.model import Expr, Variable
from zermelo.interpreter.model.rewriting import (
    assigned_variables,
    blocks_of_phase,
    own_statements,
    reads,
    rules_of,
    statements,
    subexpressions,
    unfold,
    walk,
)
from zermelo.interpreter.types import NumberType, SetType, strip_none

# What conditions say about numbers: intervals of expressions, narrower than their types.
#
# ``Known`` maps names and entries of variables to intervals that contain their values; a name or an entry that it does
# not mention has the interval of its type. :func:`narrow_known` is None where a condition cannot hold.


Known = Mapping[Expr, NumberType]

_LARGEST = 100
"""The largest size of a define whose body is inspected when the define is used as a condition."""

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def interval_of(expr: Expr, known: Known) -> NumberType | None:
    """The interval of an expression, provided that its value is not none; None if it is not a number."""
    type = strip_none(expr.type).base
    if not isinstance(type, NumberType):
        return None
    match expr:
        case model.Const(value=value) if value is not None:
            return literal(value)
        case model.Local() | model.Read():
            return known.get(expr, type)
        case model.Negate(operand=operand):
            inner = interval_of(operand, known)
            return type if inner is None else negate(inner)
        case model.Arithmetic(operator=operator, left=left, right=right):
            one, two = interval_of(left, known), interval_of(right, known)
            return type if one is None or two is None else arithmetic(operator, one, two)
        case _:
            return type


def is_empty(type: NumberType) -> bool:
    return type.low is not None and type.high is not None and type.low > type.high


def narrow_known(test: Expr, holds: bool, known: Known) -> Known | None:
    """What is known if a condition holds, or if it fails; None if it cannot."""
    match test:
        case model.Const(value=bool() as value):
            return known if value is holds else None
        case model.Not(operand=operand):
            return narrow_known(operand, not holds, known)
        case model.And(parts=parts) | model.Or(parts=parts):
            return _narrow_by_parts(parts, isinstance(test, model.And) == holds, holds, known)
        case model.Compare(operator=operator, left=left, right=right):
            sign = operator if holds else _OPPOSITE[operator]
            here = _narrow_by_comparison(sign, left, right, known)
            return None if here is None else _narrow_by_comparison(_MIRRORED[sign], right, left, here)
        case model.Contains(item=item, collection=model.RangeSet(low=low, high=high)) if holds:
            above = _narrow_by_comparison(">=", item, low, known)
            return None if above is None else _narrow_by_comparison("<=", item, high, above)
        case model.Contains(item=item, collection=collection):
            return known if _may_be_in(item, collection, known) or not holds else None
        case model.Quantified(quantifier="some", binders=binders, body=body) if holds:
            inner: Known | None = known
            for binder in binders:
                inner = None if inner is None else known_inside_binder(binder.slot, binder.domain, inner)
                for condition in binder_conditions(binder):
                    inner = None if inner is None else narrow_known(condition, True, inner)
            return None if inner is None or narrow_known(body, True, inner) is None else known
        case model.Call(define=define) if define.size <= _LARGEST:
            return narrow_known(unfold(test), holds, known)
        case _:
            return known


def _narrow_by_parts(parts: Iterable[Expr], every: bool, holds: bool, known: Known) -> Known | None:
    """What is known if ``every`` part holds, or fails, or if one of them does."""
    if every:
        here: Known | None = known
        for part in parts:
            here = None if here is None else narrow_known(part, holds, here)
        return here
    found = [case for part in parts if (case := narrow_known(part, holds, known)) is not None]
    if len(found) == 1:
        return found[0]
    return known if found else None


def _narrow_by_comparison(sign: str, left: Expr, right: Expr, known: Known) -> Known | None:
    """What a comparison says about its left side; None if it cannot hold. Only ``==`` and ``!=`` compare with none."""
    one, two = interval_of(left, known), interval_of(right, known)
    if one is None or two is None:
        return known if sign not in ("==", "!=") else _compare_constants(sign, left, right, known)
    low, high = one.low, one.high
    step = 1 if is_whole(one) and is_whole(two) else 0
    match sign:
        case "<" | "<=":
            high = _lesser_bound(high, None if two.high is None else two.high - (step if sign == "<" else 0))
        case ">" | ">=":
            low = _greater_bound(low, None if two.low is None else two.low + (step if sign == ">" else 0))
        case "==":
            if may_be_none(left, NOTHING) and may_be_none(right, NOTHING):
                return known
            low, high = _greater_bound(low, two.low), _lesser_bound(high, two.high)
        case _:
            if two.low is None or two.low != two.high or may_be_none(left, NOTHING) or may_be_none(right, NOTHING):
                return known
            if one.low == one.high == two.low:
                return None
            low = low + step if low is not None and low == two.low else low
            high = high - step if high is not None and high == two.low else high
    if is_whole(one):
        low, high = None if low is None else ceil(low), None if high is None else floor(high)
    narrower = NumberType(low, high, 1 if is_whole(one) else None)
    if is_empty(narrower) or (sign in ("<", ">") and low is not None and low == high == two.low == two.high):
        return None
    return {**known, left: narrower} if isinstance(left, model.Local | model.Read) else known


def _lesser_bound(bound: Bound, other: Bound) -> Bound:
    return other if bound is None else bound if other is None else min(bound, other)


def _greater_bound(bound: Bound, other: Bound) -> Bound:
    return other if bound is None else bound if other is None else max(bound, other)


def _compare_constants(sign: str, left: Expr, right: Expr, known: Known) -> Known | None:
    if not isinstance(left, model.Const) or not isinstance(right, model.Const):
        return known
    return known if (left.value == right.value) == (sign == "==") else None


def _may_be_in(item: Expr, collection: Expr, known: Known) -> bool:
    """Whether a number may be in a constant set."""
    here = interval_of(item, known)
    if here is None or not isinstance(collection, model.Const) or collection.value is None:
        return True
    return any(not are_disjoint(here, literal(value)) for value in collection.value)


def known_inside_binder(slot: int, domain: Expr, known: Known) -> Known | None:
    """What is known where a name runs over a set; None if the set is empty."""
    rest = known_without_slot(slot, known)
    match domain:
        case model.Const(value=value) if value is not None and not value:
            return None
        case model.RangeSet(low=low, high=high):
            least, most = interval_of(low, known), interval_of(high, known)
            if least is None or most is None:
                return rest
            name = model.Local(slot, "", type=least, span=domain.span)
            among = count_range(least, most)
            return None if is_empty(among) else {**rest, name: among}
        case model.Const(value=value, type=SetType(element=NumberType() as element)) if value is not None:
            name = model.Local(slot, "", type=element, span=domain.span)
            return {**rest, name: NumberType(min(value), max(value), 1 if is_whole(element) else None)}
        case _:
            return rest


def join_known(one: Known | None, two: Known | None) -> Known | None:
    """What is known after either of two ways."""
    if one is None or two is None:
        return two if one is None else one
    return {expr: hull(type, two[expr]) for expr, type in one.items() if expr in two}


def known_without_slot(slot: int, known: Known) -> Known:
    """What is known without a name that is bound anew."""
    return _filter_known(
        known, lambda expr: all(not isinstance(part, model.Local) or part.slot != slot for part in walk(expr))
    )


def known_without_variables(variables: Iterable[Variable], known: Known) -> Known:
    """What is known without the entries of variables that are assigned."""
    assigned = set(variables)
    return _filter_known(known, lambda expr: all(read.variable not in assigned for read in reads(expr)))


def _filter_known(known: Known, still_holds: Callable[[Expr], bool]) -> Known:
    return {expr: type for expr, type in known.items() if still_holds(expr)}


def drop_unreached(game: model.Model, found: Iterable[Finding]) -> list[Finding]:
    """The findings without those in parts that no play reaches."""
    listed = list(found)
    if not listed:
        return []
    walked = _Walk(game)
    walked.everything()
    return [finding for finding in listed if walked.may_reach(finding.span)]


@define(eq=False, repr=False)
class _Walk(Contexts[Known | None]):
    """A walk: the places that some play may evaluate, those that none does, and what is called or entered there."""

    game: model.Model
    live: set[Span] = field(factory=set)
    dead: set[Span] = field(factory=set)
    visited: set[model.Define | model.Action | model.Phase] = field(factory=set)
    named: set[model.Define | model.Action] = field(factory=set)  # in dead places
    waiting: list[model.Define | model.Action | model.Phase] = field(factory=list)

    def narrow(self, test: model.Expr, holds: bool, known: Known | None) -> Known | None:
        return None if known is None else narrow_known(test, holds, known)

    def bind(self, name: model.Local, domain: model.Expr, known: Known | None) -> Known | None:
        return None if known is None else known_inside_binder(name.slot, domain, known)

    def let(self, name: model.Local, value: model.Expr, known: Known | None) -> Known | None:
        if known is None:
            return None
        now, rest = interval_of(value, known), known_without_slot(name.slot, known)
        return rest if now is None else {**rest, name: now}

    def may_reach(self, span: Span) -> bool:
        return span in self.live or not any(part.start <= span.start and span.end <= part.end for part in self.dead)

    def everything(self) -> None:
        """Walk from the beginning of a play. A phase without a ``go`` to it, reported elsewhere, counts as reached."""
        game = self.game
        self.block(game.setup, {})
        self.block((game.start,), {})
        for loose in game.loose:
            self.expr(loose.value, {})
        for variable in game.variables:
            if isinstance(variable.visibility, model.SeenBy):
                self.expr(variable.visibility.audience, {})
        blocks = [block for phase in game.phases.values() for block in blocks_of_phase(phase)]
        goals = {found.phase for block in blocks for found in statements(block) if isinstance(found, model.Go)}
        self.waiting += [phase for name, phase in game.phases.items() if name not in goals]
        self.drain()
        for phase in game.phases.values():
            if phase not in self.visited:
                self.skip_phase(phase)
        while left := self.named - self.visited:
            for part in left:
                self.visited.add(part)
                if isinstance(part, model.Define):
                    self.skip(part.body)
                else:
                    self.skip_block(part.body)

    def drain(self) -> None:
        """Walk through all that has been called, and all phases that have been entered, once each."""
        while self.waiting:
            part = self.waiting.pop()
            if part in self.visited:
                continue
            self.visited.add(part)
            match part:
                case model.Define(body=body):
                    self.expr(body, {})
                case model.Action(body=body):
                    self.block(body, {})
                case model.Phase():
                    self.phase(part)

    # ------------------------------------------------------------------ phases

    def phase(self, phase: model.Phase) -> None:
        known = self.block(phase.entry, {})
        if known is None:
            self.skip_decision(phase)
            return
        if phase.decision is not None:
            for part in subexpressions(phase.decision):
                self.expr(part, {})
        for rule in rules_of(phase.decision):
            self.rule(rule, known)
        if isinstance(phase.decision, model.Together):
            self.block(phase.decision.then, known)
        if phase.otherwise is not None:
            self.block(phase.otherwise, known)

    def rule(self, rule: model.Rule, known: Known | None) -> None:
        places, known = self.guards(rule, known)
        self.places(places)
        for part in (rule.weight, rule.probability):
            if part is not None:
                self.expr(part, known)
        if rule.ensuring is not None:
            self.expr(rule.ensuring, None if known is None else {})
        self.block(rule.body, known)

    def skip_phase(self, phase: model.Phase) -> None:
        self.skip_block(phase.entry)
        self.skip_decision(phase)

    def skip_decision(self, phase: model.Phase) -> None:
        if phase.decision is not None:
            for part in subexpressions(phase.decision):
                self.skip(part)
        for rule in rules_of(phase.decision):
            for part in subexpressions(rule):
                self.skip(part)
        for block in list(blocks_of_phase(phase))[1:]:
            self.skip_block(block)

    # -------------------------------------------------------------- statements

    def block(self, block: model.Block, known: Known | None) -> Known | None:
        """Walk through a block; what is known after it, None if its end is not reached."""
        for k, statement in enumerate(block):
            if known is None:
                self.skip_block(block[k:])
                return None
            known = self.statement(statement, known)
        return known

    def statement(self, statement: model.Statement, known: Known) -> Known | None:
        self.live.add(statement.span)
        match statement:
            case model.If_(condition=test, yes=yes, no=no):
                self.expr(test, known)
                behind_yes = self.block(yes, narrow_known(test, True, known))
                return join_known(behind_yes, self.block(no, narrow_known(test, False, known)))
            case model.For(binders=binders, body=body):
                known = forget_assigned(body, known)
                places, inner = self.binders(binders, known)
                self.places(places)
                self.block(body, None if inner is None else forget_assigned(body, inner))
                return known
        self.places(self.parts(statement, known))
        match statement:
            case model.Go(phase=name):
                if name in self.game.phases:
                    self.waiting.append(self.game.phases[name])
                return None
            case model.End():
                return None
            case model.Do(action=action):
                self.waiting.append(action)
                return forget_assigned((statement,), known)
            case model.SetLocal(slot=slot, value=value):
                return _known_after_assignment(
                    model.Local(slot, "", type=value.type, span=statement.span), value, known, statement
                )
            case model.Assign(variable=variable, indices=indices, path=(), value=value):
                entry = model.Read(variable, indices, type=value.type, span=statement.span)
                return _known_after_assignment(entry, value, known, statement)
            case _:
                return forget_assigned((statement,), known)

    def skip_block(self, block: model.Block) -> None:
        for statement in own_statements(block):
            self.dead.add(statement.span)
            if isinstance(statement, model.Do):
                self.named.add(statement.action)
            for part in subexpressions(statement):
                self.skip(part)

    # ------------------------------------------------------------- expressions

    def places(self, places: Iterable[Place[Known | None]]) -> None:
        for part, _, known in places:
            self.expr(part, known)

    def expr(self, expr: model.Expr, known: Known | None) -> None:
        """Walk through an expression, which is evaluated unless ``known`` is None."""
        if known is None:
            self.skip(expr)
            return
        self.live.add(expr.span)
        if isinstance(expr, model.Call):
            self.waiting.append(expr.define)
        self.places(self.parts(expr, known))

    def skip(self, expr: model.Expr) -> None:
        """Pass over an expression that is never evaluated."""
        for part in walk(expr):
            self.dead.add(part.span)
            if isinstance(part, model.Call):
                self.named.add(part.define)


def _known_after_assignment(
    place: model.Local | model.Read, value: model.Expr, known: Known, statement: model.Statement
) -> Known:
    now, rest = interval_of(value, known), forget_assigned((statement,), known)
    if now is None or any(isinstance(part, model.Read) for index in subexpressions(place) for part in walk(index)):
        return rest
    return {**rest, place: now}


def forget_assigned(block: model.Block, known: Known) -> Known:
    """What is known without all that a block assigns."""
    for statement in own_statements(block):
        if isinstance(statement, model.SetLocal | model.SetLocalField):
            known = known_without_slot(statement.slot, known)
    return known_without_variables(assigned_variables(block), known)
