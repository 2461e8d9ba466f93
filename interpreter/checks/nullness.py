"""Values that may be none where a value is needed.

Arithmetic, ordering and conditions need a value. An operand that may be none (the piece on an empty square, a step off
the board) is reported unless a guard excludes it: an ``is not none`` before it, an equality with a value, a membership,
and their consequences through defines and the tests of comprehensions. Facts hold in the scope of the guard: the later
parts of an ``and``, the branch of an ``if``, the effects of a move.

A define is checked at its calls: the needs of its body become needs of the caller, with arguments in place of
parameters, and are reported if no guard of the caller excludes none. An assignment changes the facts about the entry
that it names; aliases of this entry are left to the check at run time.

This is flow typing in the manner of Pearce, "Sound and complete flow typing with unions, intersections and negations"
(2013), for the single union ``T or none``. Cost: one walk over every expression, and over a define's body at each call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.flow import leaves
from zermelo.interpreter.checks.known_values import (
    NOTHING,
    KnownValues,
    from_membership,
    implied,
    known_behind_let,
    may_be_none,
    without,
    without_entries,
)
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model.rewriting import Whole, free_slots, operands, substitute
from zermelo.interpreter.model.walks import rules_of


@define(eq=False, repr=False)
class _Need:
    """An expression that must not be none, the place that needs it, and the called define if it is inside one, with
    its call. A ``match`` without a case for none is reported where it is, and not at each call."""

    expr: model.Expr
    span: Span
    why: str
    through: model.Define | None = None
    code: str = "possible-none"
    call: Span | None = None


@define(eq=False, repr=False)
class _Analysis:
    findings: Findings
    _needs_of: dict[str, tuple[_Need, ...]] = field(factory=dict)

    # ------------------------------------------------------------------ expressions

    def needs(self, expr: model.Expr, facts: KnownValues) -> Iterator[_Need]:
        """The needs of ``expr`` that ``facts`` do not meet."""
        match expr:
            case model.And(parts=parts) | model.Or(parts=parts):
                holds = isinstance(expr, model.And)
                for part in parts:
                    yield from self.condition(part, facts)
                    facts |= implied(part, holds)
            case model.Not(operand=model.IsNone(operand=operand)):
                yield from self.needs(operand, facts)  # an entry that is not none is no entry off the board
            case model.Not(operand=operand):
                yield from self.condition(operand, facts)
            case model.IsNone(operand=model.Read(indices=indices) as entry):
                yield from self.needs(entry, facts)
                for index in indices:
                    if may_be_none(index, facts):
                        yield _Need(index, expr.span, "", code="off-board-or-empty")
            case model.Present(operand=operand):
                yield from self.needs(operand, facts)
                if may_be_none(operand, facts):
                    yield _Need(operand, operand.span, "", code="not-exhaustive")
            case model.If(condition=test, yes=yes, no=no):
                yield from self.condition(test, facts)
                yield from self.needs(yes, facts | implied(test, True))
                yield from self.needs(no, facts | implied(test, False))
            case model.Let(slot=slot, value=value, body=body):
                yield from self.needs(value, facts)
                yield from self.needs(body, self.bound(slot, value, facts))
            case model.Quantified(quantifier=kind, binders=binders, body=body):
                for binder in binders:
                    yield from self.binder(binder, facts)
                    facts = self.behind(binder, facts)
                if kind in ("sum", "min", "max"):
                    yield from self.value(body, facts, f"'{kind}' needs a number")
                else:
                    yield from self.condition(body, facts)
            case model.Comprehension(element=element, binders=binders):
                for binder in binders:
                    yield from self.binder(binder, facts)
                    facts = self.behind(binder, facts)
                yield from self.needs(element, facts)
            case model.Compare(operator="<" | "<=" | ">" | ">=" as sign, left=left, right=right):
                yield from self.value(left, facts, f"'{sign}' compares values")
                yield from self.value(right, facts, f"'{sign}' compares values")
            case model.Apply(function=function, arguments=arguments):
                built_in = FUNCTIONS[function]
                for k, argument in enumerate(arguments):
                    if built_in.needs_value(k):
                        yield from self.value(argument, facts, f"'{built_in.spoken or function}' needs a value")
                    else:
                        yield from self.needs(argument, facts)
            case model.Call(define=callee, arguments=arguments):
                for argument in arguments:
                    yield from self.needs(argument, facts)
                yield from self.needs_of_call(expr, callee, facts)
            case _:
                yield from self.within(expr, facts)

    def within(self, whole: Whole, facts: KnownValues) -> Iterator[_Need]:
        """The needs of the expressions directly inside a record."""
        for part, why in operands(whole):
            yield from self.needs(part, facts) if why is None else self.value(part, facts, why)

    def condition(self, expr: model.Expr, facts: KnownValues) -> Iterator[_Need]:
        return self.value(expr, facts, "a condition is true or false")

    def value(self, expr: model.Expr, facts: KnownValues, why: str) -> Iterator[_Need]:
        yield from self.needs(expr, facts)
        if may_be_none(expr, facts):
            yield _Need(expr, expr.span, why)

    def binder(self, binder: model.Binder, facts: KnownValues) -> Iterator[_Need]:
        yield from self.value(binder.domain, facts, "'in' needs a set")
        if binder.stop_condition is not None:
            yield from self.condition(binder.stop_condition, facts)
            if binder.stop == "while":
                facts |= implied(binder.stop_condition, True)
        for test in binder.tests:
            yield from self.condition(test, facts)
            facts |= implied(test, True)

    def behind(self, binder: model.Binder, facts: KnownValues) -> KnownValues:
        """The facts in the scope of a binder."""
        local = model.Local(binder.slot, binder.name, type=binder.domain.type, span=binder.domain.span)
        facts = without(local, facts) | from_membership(local, binder.domain)
        if binder.stop == "while" and binder.stop_condition is not None:
            facts |= implied(binder.stop_condition, True)
        for test in binder.tests:
            facts |= implied(test, True)
        return facts

    def bound(self, slot: int, value: model.Expr, facts: KnownValues) -> KnownValues:
        """The facts after a ``let``: the name is not none if its value is not."""
        return known_behind_let(model.Local(slot, "", type=value.type, span=value.span), value, facts)

    def needs_of_call(self, call: model.Call, callee: model.Define, facts: KnownValues) -> Iterator[_Need]:
        """The needs of a define's body, with the arguments in place of its parameters."""
        arguments = dict(enumerate(call.arguments))
        for need in self.needs_of(callee):
            wanted = substitute(need.expr, arguments)
            if may_be_none(wanted, facts):
                place = need.span if need.code == "not-exhaustive" else call.span
                yield _Need(wanted, place, need.why, callee, need.code, call.span)

    def needs_of(self, callee: model.Define) -> tuple[_Need, ...]:
        """The needs of a define that are left to its callers; those that depend on its own local names are reported."""
        if callee.name not in self._needs_of:
            self._needs_of[callee.name] = ()
            kept = []
            parameters = set(range(len(callee.parameters)))
            for need in self.needs(callee.body, NOTHING):
                if free_slots(need.expr) <= parameters:
                    kept.append(need)
                else:
                    self.report(need)
            self._needs_of[callee.name] = tuple(kept)
        return self._needs_of[callee.name]

    # ------------------------------------------------------------------- statements

    def block(self, block: model.Block, facts: KnownValues) -> KnownValues:
        """Check a block; the facts after it."""
        for statement in block:
            facts = self.statement(statement, facts)
        return facts

    def statement(self, statement: model.Statement, facts: KnownValues) -> KnownValues:
        match statement:
            case model.If_(condition=model.Const(value=bool() as holds), yes=yes, no=no):
                return self.block(yes if holds else no, facts)  # a parameter switches the other branch off
            case model.If_(condition=test, yes=yes, no=no):
                self.check(self.condition(test, facts))
                behind_yes = self.block(yes, facts | implied(test, True))
                behind_no = self.block(no, facts | implied(test, False))
                if leaves(yes) or leaves(no):
                    return behind_no if leaves(yes) else behind_yes
                return behind_yes & behind_no
            case model.For(binders=binders, body=body):
                inner = facts
                for binder in binders:
                    self.check(self.binder(binder, inner))
                    inner = self.behind(binder, inner)
                self.block(body, inner)
            case model.SetLocal(slot=slot, value=value):
                self.check(self.needs(value, facts))
                facts = self.bound(slot, value, facts)
            case model.Assign(variable=variable, indices=indices, path=(), value=value):
                for expr in (*indices, value):
                    self.check(self.needs(expr, facts))
                entry = model.Read(variable, indices, type=variable.type.base, span=statement.span)
                kept = without(entry, facts)
                facts = kept if may_be_none(value, facts) else kept | {entry}
            case model.Fill(variable=variable, value=value):
                self.check(self.needs(value, facts))
                facts = without_entries(variable, facts)
            case model.End(outcome=model.PayoffForOutcome(player=player, amount=amount, binders=binders)):
                for binder in binders:
                    self.check(self.binder(binder, facts))
                    facts = self.behind(binder, facts)
                self.check(self.needs(player, facts))
                self.check(self.value(amount, facts, "a payoff is a number"))
            case model.End(outcome=model.PayoffOutcome(entries=entries)):
                for player, amount in entries:
                    self.check(self.needs(player, facts))
                    self.check(self.value(amount, facts, "a payoff is a number"))
            case _:
                self.check(self.within(statement, facts))
        return facts

    def rule(self, rule: model.Rule, facts: KnownValues) -> None:
        for parameter, tests in zip((None, *rule.parameters), rule.guards, strict=True):
            if parameter is not None:
                self.check(self.value(parameter.domain, facts, "'in' needs a set"))
                local = model.Local(parameter.slot, parameter.name, type=parameter.type, span=parameter.span)
                facts |= from_membership(local, parameter.domain)
            for test in tests:
                self.check(self.condition(test, facts))
                facts |= implied(test, True)
        if rule.ensuring is not None:
            self.check(self.condition(rule.ensuring, facts))
        for number in (rule.weight, rule.probability):
            if number is not None:
                self.check(self.value(number, facts, "a probability is a number"))
        self.block(rule.body, facts)

    def phase(self, phase: model.Phase) -> None:
        facts = self.block(phase.entry, NOTHING)
        for rule in rules_of(phase.decision):
            self.rule(rule, facts)
        if phase.decision is not None:
            self.check(self.within(phase.decision, facts))
        if isinstance(phase.decision, model.Together):
            self.block(phase.decision.then, facts)
        if phase.otherwise is not None:
            self.block(phase.otherwise, facts)

    # -------------------------------------------------------------------- reporting

    def check(self, needs: Iterable[_Need]) -> None:
        for need in needs:
            self.report(need)

    def report(self, need: _Need) -> None:
        shown = self.findings.source.excerpt(need.expr.span)
        labels: list[Label] = []
        if need.code == "off-board-or-empty":
            self.findings.report(
                need.code,
                need.span,
                f"this holds also where '{shown}' is none itself",
                remark="an empty place, or no place at all?",
                labels=[Label(need.expr.span, "this can be none")],
                help=f"say what is meant: '{shown} is none or ...', or '{shown} is not none and ...'",
            )
            return
        if need.code == "not-exhaustive":
            if need.call is not None:
                labels.append(Label(need.call, f"with this '{shown}', for example"))
            self.findings.report(
                need.code,
                need.span,
                "the match has no case for none",
                remark=f"'{self.findings.source.excerpt(need.span)}' can be none",
                labels=labels,
                help="add 'none:', or 'else:' for the rest",
            )
            return
        if need.through is not None:
            labels.append(Label(need.expr.span, f"needed here, inside '{need.through.name}'"))
            message = f"'{shown}' in '{need.through.name}' can be none here"
        else:
            message = f"'{shown}' can be none here"
        help = "test it first, as in: ... is not none and ..."
        if isinstance(need.expr, model.Chosen):
            help = f"a player who has no move, or makes another, chooses none; {help}"
        self.findings.report(
            "possible-none",
            need.span,
            message,
            remark=need.why,
            labels=labels,
            help=help,
        )


def check_nullness(game: model.Model, findings: Findings) -> None:
    """Report every place that needs a value and may get none, and ambiguous ``is none`` tests."""
    analysis = _Analysis(findings)
    for phase in game.phases.values():
        analysis.phase(phase)
    for action in game.actions:
        analysis.block(action.body, NOTHING)
    analysis.block(game.setup, NOTHING)
    for claim in game.claims:
        if claim.is_measured():
            for measure in (claim.arguments, *claim.by_phase.values()):
                for part in measure:
                    analysis.check(analysis.value(part, NOTHING, "a measure is compared"))
    for loose in game.loose:
        analysis.check(analysis.needs(loose.value, NOTHING))
