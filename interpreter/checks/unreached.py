"""Parts of the rules that no play reaches with the present parameters: what would be wrong there is no error.

``if k < dice: go roll(k + 1)`` is right for every number of dice: with a single one its branch is never taken. This is
abstract interpretation (Cousot and Cousot 1977) over :mod:`intervals <zermelo.interpreter.checks.narrowing>`: a walk
through the rules carries what is known of numbers, a condition narrows it, an assignment replaces it, and where a
condition cannot hold nothing is reached. So are phases, defines and actions that only such places mention.

It is sound: what it calls unreached is never evaluated, whatever the position. Numbers are in the types of their places
(a play ends with an error where they would not be), and names have their values until they are bound anew. What is
known of an entry is forgotten with any assignment to its variable, and of what a loop assigns before its first round.
Cost: one walk over all rules; it is taken only if there are findings.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from zermelo.grammar.diagnostics import Finding
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.narrowing import (
    Known,
    bound,
    joined,
    narrowed,
    number,
    without_slot,
    without_variables,
)
from zermelo.interpreter.model.rewriting import subexpressions, walk
from zermelo.interpreter.model.walks import blocks_of_phase, own_statements, rules_of, statements


def reached(game: model.Model, found: Iterable[Finding]) -> list[Finding]:
    """The findings without those in parts that no play reaches."""
    listed = list(found)
    if not listed:
        return []
    walked = _Walk(game)
    walked.everything()
    return [finding for finding in listed if walked.may_reach(finding.span)]


@define(eq=False, repr=False)
class _Walk:
    """The places that are evaluated in some play, perhaps, and those in none; what is called, and entered, there."""

    game: model.Model
    live: set[Span] = field(factory=set)
    dead: set[Span] = field(factory=set)
    visited: set[model.Define | model.Action | model.Phase] = field(factory=set)
    named: set[model.Define | model.Action] = field(factory=set)  # where nothing is reached
    waiting: list[model.Define | model.Action | model.Phase] = field(factory=list)

    def may_reach(self, span: Span) -> bool:
        return span in self.live or not any(part.start <= span.start and span.end <= part.end for part in self.dead)

    def everything(self) -> None:
        """Walk from where a play begins. A phase to which no ``go`` leads is reported as such, and read like others."""
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
        for parameter, tests in zip((None, *rule.parameters), rule.guards, strict=True):
            if parameter is not None:
                self.part(parameter.domain, known)
                known = None if known is None else bound(parameter.slot, parameter.domain, known)
            for test in tests:
                self.part(test, known)
                known = None if known is None else narrowed(test, True, known)
        for part in (rule.weight, rule.probability):
            if part is not None:
                self.part(part, known)
        if rule.ensuring is not None:
            self.part(rule.ensuring, None if known is None else {})
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
                behind_yes = self.block(yes, narrowed(test, True, known))
                return joined(behind_yes, self.block(no, narrowed(test, False, known)))
            case model.For(binders=binders, body=body):
                known = forgotten(body, known)
                inner = self.binders(binders, known)
                self.block(body, None if inner is None else forgotten(body, inner))
                return known
        for part in subexpressions(statement):
            self.expr(part, known)
        match statement:
            case model.Go(phase=name):
                if name in self.game.phases:
                    self.waiting.append(self.game.phases[name])
                return None
            case model.End():
                return None
            case model.Do(action=action):
                self.waiting.append(action)
                return forgotten((statement,), known)
            case model.SetLocal(slot=slot, value=value):
                return _with(model.Local(slot, "", type=value.type, span=statement.span), value, known, statement)
            case model.Assign(variable=variable, indices=indices, path=(), value=value):
                entry = model.Read(variable, indices, type=value.type, span=statement.span)
                return _with(entry, value, known, statement)
            case _:
                return forgotten((statement,), known)

    def skip_block(self, block: model.Block) -> None:
        for statement in own_statements(block):
            self.dead.add(statement.span)
            if isinstance(statement, model.Do):
                self.named.add(statement.action)
            for part in subexpressions(statement):
                self.skip(part)

    # ------------------------------------------------------------- expressions

    def part(self, expr: model.Expr, known: Known | None) -> None:
        if known is None:
            self.skip(expr)
        else:
            self.expr(expr, known)

    def expr(self, expr: model.Expr, known: Known) -> None:
        """Walk through an expression that is evaluated."""
        self.live.add(expr.span)
        match expr:
            case model.And(parts=parts) | model.Or(parts=parts):
                here: Known | None = known
                for part in parts:
                    self.part(part, here)
                    here = None if here is None else narrowed(part, isinstance(expr, model.And), here)
            case model.If(condition=test, yes=yes, no=no):
                self.expr(test, known)
                self.part(yes, narrowed(test, True, known))
                self.part(no, narrowed(test, False, known))
            case model.Let(slot=slot, value=value, body=body):
                self.expr(value, known)
                name = model.Local(slot, "", type=value.type, span=value.span)
                now = number(value, known)
                self.expr(body, without_slot(slot, known) if now is None else {**without_slot(slot, known), name: now})
            case model.Quantified(binders=binders, body=last) | model.Comprehension(binders=binders, element=last):
                self.part(last, self.binders(binders, known))
            case _:
                if isinstance(expr, model.Call):
                    self.waiting.append(expr.define)
                for part in subexpressions(expr):
                    self.expr(part, known)

    def binders(self, binders: tuple[model.Binder, ...], known: Known | None) -> Known | None:
        """Walk through binders; what is known behind them."""
        for binder in binders:
            self.part(binder.domain, known)
            known = None if known is None else bound(binder.slot, binder.domain, known)
            if binder.stop_condition is not None:
                self.part(binder.stop_condition, known)
                if binder.stop == "while":
                    known = None if known is None else narrowed(binder.stop_condition, True, known)
            for test in binder.tests:
                self.part(test, known)
                known = None if known is None else narrowed(test, True, known)
        return known

    def skip(self, expr: model.Expr) -> None:
        """Pass over an expression that is never evaluated."""
        for part in walk(expr):
            self.dead.add(part.span)
            if isinstance(part, model.Call):
                self.named.add(part.define)


def _with(place: model.Local | model.Read, value: model.Expr, known: Known, statement: model.Statement) -> Known:
    """What is known after an assignment."""
    now, rest = number(value, known), forgotten((statement,), known)
    if now is None or any(isinstance(part, model.Read) for index in subexpressions(place) for part in walk(index)):
        return rest
    return {**rest, place: now}


def forgotten(block: model.Block, known: Known) -> Known:
    """What is known without all that a block assigns."""
    variables = set()
    for statement in statements(block):
        if isinstance(statement, model.Assign | model.Fill):
            variables.add(statement.variable)
    for statement in own_statements(block):
        if isinstance(statement, model.SetLocal | model.SetLocalField):
            known = without_slot(statement.slot, known)
    return without_variables(variables, known)
