"""Checks of values: those that may be none where one is needed, or 0 where one divides, and numbers out of range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor

from attrs import define, evolve, field

from zermelo.grammar.diagnostics import Findings, Fix, Label, Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.divisors import (
    conditions_after_assignment,
    conditions_of,
    conditions_of_types,
    divides,
    may_be_zero,
)
from zermelo.interpreter.checks.measures import (
    CONDITION,
    NOTHING,
    Contexts,
    Holds,
    KnownValues,
    Place,
    facts_after_let,
    facts_from_membership,
    facts_without,
    facts_without_entries,
    implied_facts,
    may_be_none,
    negation,
)
from zermelo.interpreter.evaluation.statements import share_outcome
from zermelo.interpreter.intervals import are_disjoint
from zermelo.interpreter.model.cardinality import type_in_words
from zermelo.interpreter.model.rewriting import (
    assigned_variables,
    blocks,
    blocks_of_phase,
    expressions,
    free_slots,
    live_statements,
    own_statements,
    reachable,
    reads,
    rules_of,
    slots,
    statements,
    subexpressions,
    unfold,
    walk,
)
from zermelo.interpreter.storage import type_at
from zermelo.interpreter.types import BOOL, NumberType, SetType, TupleType, Type, UnknownType, strip_none
from zermelo.interpreter.values import EvaluationError, OrderedSet, format_value

# Control flow: paths through a phase, and the graph of phases.
#
# Every path through a body must leave it by ``go`` or ``end``, and nothing may follow these. In the graph whose arrows
# are the ``go`` statements, every phase must be reachable, and an end must be reachable from every phase. A ``go`` to a
# phase that does not exist may have been meant for any phase, and so may one that is missing: phases that only it could
# reach are not reported.


# Values that may be none where a value is needed.
#
# Arithmetic, ordering and conditions need a value. An operand that may be none (the piece on an empty square, a step
# off the board) is reported unless a guard excludes it: an ``is not none`` before it, an equality with a value, a
# membership, and their consequences through defines and the tests of comprehensions. Facts hold in the scope of the
# guard: the later parts of an ``and``, the branch of an ``if``, the effects of a move.
#
# A define is checked at its calls: the needs of its body become needs of the caller, with arguments in place of
# parameters, and are reported if no guard of the caller excludes none. An assignment changes the facts about the entry
# that it names; aliases of this entry are left to the check at run time.
#
# A divisor must not be 0. One whose type admits that is reported, too, unless the conditions that hold where it divides
# exclude it (:mod:`zermelo.interpreter.checks.divisors`). These are collected only if there is such a divisor.
#
# This is flow typing in the manner of Pearce, "Sound and complete flow typing with unions, intersections and negations"
# (2013), for the single union ``T or none``. Cost: one walk over every expression, and over a define's body at each
# call.


def check_flow(game: model.Model, findings: Findings) -> None:
    """Report paths without exit, unreachable statements, and phases that are unreachable or never end."""
    for phase in game.phases.values():
        _check_phase(phase, findings)
    for action in game.actions:
        always_leaves(action.body, findings)
    always_leaves(game.setup, findings)
    _check_graph(game, findings)


def _check_phase(phase: model.Phase, findings: Findings) -> None:
    entry_leaves = always_leaves(phase.entry, findings)
    if phase.decision is None:
        if entry_leaves is False:
            _report_missing_exit(f"the phase '{phase.name}'", phase.span, phase.entry, findings)
        return
    if entry_leaves:
        findings.report(
            "unreachable-statement",
            phase.decision.span,
            f"the decision of phase '{phase.name}' is never reached",
            remark="every path before it has left the phase",
        )
    for what, span, body in _bodies(phase):
        if always_leaves(body, findings) is False:
            _report_missing_exit(what, span, body, findings)


def _bodies(phase: model.Phase) -> Iterator[tuple[str, Span, model.Block]]:
    """The bodies that must leave the phase: title, place and statements."""
    match phase.decision:
        case model.Turn(moves=rules):
            for rule in rules:
                yield f"the move '{rule.name}'", rule.span, rule.body
        case model.Chance(outcomes=rules):
            for rule in rules:
                yield f"the outcome '{rule.name}'", rule.span, rule.body
    match phase.decision:
        case model.Chance(then=then) | model.Together(then=then) if then:
            yield f"'then' of phase '{phase.name}'", then[-1].span, then
    if phase.otherwise is not None:
        otherwise = phase.otherwise
        place = otherwise[-1].span if otherwise else phase.span
        yield f"'otherwise' of phase '{phase.name}'", place, otherwise


def _report_missing_exit(what: str, span: Span, body: model.Block, findings: Findings) -> None:
    label = _open_end(body)
    findings.report(
        "missing-go",
        span,
        f"{what} can end without 'go' or 'end'",
        remark="where does the game go on from here?",
        labels=[] if label is None else [label],
        help="every path ends with 'go PHASE' or 'end'; a final 'if' needs an 'else' or a line after it",
    )


def _open_end(block: model.Block) -> Label | None:
    """The end of a path that does not leave the block."""
    if not block:
        return None
    match block[-1]:
        case model.If_(yes=yes, no=no, span=span):
            open_branch = yes if always_leaves(yes) is False else no
            return _open_end(open_branch) or Label(span, "nothing follows where this is false")
        case statement:
            return Label(statement.span, "nothing follows this")


def always_leaves(block: model.Block, findings: Findings | None = None) -> bool | None:
    """Whether every path through the block leaves it by ``go`` or ``end``; statements after that are reported.

    None means unknown, because of an action with errors.
    """
    left: bool | None = False
    for statement in block:
        if left:
            if findings is not None:
                findings.report(
                    "unreachable-statement",
                    statement.span,
                    "this is never reached",
                    remark="every path before it has left by 'go' or 'end'",
                )
            break
        found = _statement_leaves(statement, findings)
        left = found or (None if None in (left, found) else False)
    return left


def _statement_leaves(statement: model.Statement, findings: Findings | None) -> bool | None:
    match statement:
        case model.Go() | model.End():
            return True
        case model.If_(condition=model.Const(value=bool() as holds), yes=yes, no=no):
            # A parameter may switch a branch off. Both count: the statements after them serve other parameters.
            chosen, other = (yes, no) if holds else (no, yes)
            switched_off = always_leaves(other, findings)
            return always_leaves(chosen, findings) and (switched_off or None)
        case model.If_(yes=yes, no=no):
            both = [always_leaves(yes, findings), always_leaves(no, findings)]
            return False if False in both else None if None in both else True
        case model.For(body=body):
            always_leaves(body, findings)
            return False
        case model.Do(action=action):
            return None if action is model.UNKNOWN_ACTION else always_leaves(action.body)
        case _:
            return False


# ------------------------------------------------------------------- the graph of phases


def _check_graph(game: model.Model, findings: Findings) -> None:
    inside = {
        name: [s for block in blocks_of_phase(phase) for s in statements(block)] for name, phase in game.phases.items()
    }
    arrows = {name: {s.phase for s in found if isinstance(s, model.Go)} for name, found in inside.items()}
    astray = {name for name, targets in arrows.items() if not targets <= game.phases.keys()}
    astray |= {name for name, phase in game.phases.items() if _lacks_exit(phase)}
    astray |= {name for name, found in inside.items() if any(map(_is_unknown, found))}
    ending = astray | {name for name, found in inside.items() if any(isinstance(s, model.End) for s in found)}
    reached = set(reachable([game.start.phase], lambda name: arrows.get(name, set())))
    for name, phase in game.phases.items():
        if name not in reached and game.start.phase in game.phases and not astray & reached:
            findings.report(
                "unreachable-phase",
                phase.span,
                f"no path leads to phase '{name}'",
                help=f"add 'go {name}' where it should begin, or remove the phase",
            )
    in_circle = _check_circles(game, arrows, findings)
    back = {name: {other for other, targets in arrows.items() if name in targets} for name in game.phases}
    can_end = set(reachable(ending, lambda name: back.get(name, set())))
    if game.discount != 1:
        return
    for name, phase in game.phases.items():
        if name in reached and name not in can_end and name not in in_circle:
            findings.report(
                "phase-without-exit",
                phase.span,
                f"once phase '{name}' is entered, the game can never end",
                help="some path from it must lead to 'end'",
            )


def _lacks_exit(phase: model.Phase) -> bool:
    bodies = [phase.entry] if phase.decision is None else [body for _, _, body in _bodies(phase)]
    return any(always_leaves(body) is False for body in bodies)


def _is_unknown(statement: model.Statement) -> bool:
    return isinstance(statement, model.Do) and statement.action is model.UNKNOWN_ACTION


def _check_circles(game: model.Model, arrows: Mapping[str, set[str]], findings: Findings) -> set[str]:
    """Phases without a decision that lead only to each other: such a cycle never comes to rest."""
    passing = {name for name, phase in game.phases.items() if phase.decision is None}
    ends = {name for name in passing if any(isinstance(s, model.End) for s in statements(game.phases[name].entry))}
    trapped = {name for name in passing if name not in ends and arrows[name] and arrows[name] <= passing}
    while True:
        kept = {name for name in trapped if arrows[name] <= trapped}
        if kept == trapped:
            break
        trapped = kept
    for name in sorted(trapped, key=lambda name: game.phases[name].span.start):
        others = sorted(arrows[name])
        findings.report(
            "go-cycle",
            game.phases[name].span,
            f"phase '{name}' goes on forever without a decision",
            labels=[Label(game.phases[other].span, "it leads here") for other in others if other != name],
            help="a cycle of phases needs a turn, a chance or an end",
        )
        break
    return trapped


@define(eq=False, repr=False)
class _Need:
    """An expression that must not be none, or 0 (``possible-zero``), the place that needs it, and the called define if
    it is inside one, with its call. A ``match`` without a case for none is reported where it is, and not at each
    call."""

    expr: model.Expr
    span: Span
    why: str
    through: model.Define | None = None
    code: str = "possible-none"
    call: Span | None = None
    inside: Span | None = None
    """The place in the define."""

    def is_open(self, expr: model.Expr, facts: KnownValues) -> bool:
        """Whether the facts do not meet the need of this expression."""
        return (may_be_zero if self.code == "possible-zero" else may_be_none)(expr, facts)


@define(eq=False, repr=False)
class _Analysis(Contexts[KnownValues]):
    findings: Findings
    with_conditions: bool
    _needs_of: dict[str, tuple[_Need, ...]] = field(factory=dict)

    def narrow(self, test: model.Expr, holds: bool, known: KnownValues) -> KnownValues:
        return self.noting([test if holds else negation(test)], known | implied_facts(test, holds))

    def bind(self, name: model.Local, domain: model.Expr, known: KnownValues) -> KnownValues:
        is_member = model.Contains(name, domain, type=BOOL, span=domain.span)
        return self.noting([is_member], facts_without(name, known) | facts_from_membership(name, domain))

    def let(self, name: model.Local, value: model.Expr, known: KnownValues) -> KnownValues:
        return self.noting(conditions_after_assignment(name, value), facts_after_let(name, value, known))

    def noting(self, conditions: Iterable[model.Expr], known: KnownValues) -> KnownValues:
        """What is known, and that these conditions hold."""
        return known | set(map(Holds, conditions)) if self.with_conditions else known

    def of_parameters(self, parameters: tuple[model.FormalParameter, ...]) -> KnownValues:
        """What is known of parameters by their types."""
        places = (
            model.Local(slot, each.name, type=each.type.base, span=each.span) for slot, each in enumerate(parameters)
        )
        return self.noting(conditions_of_types(zip(places, (each.type for each in parameters), strict=True)), NOTHING)

    # ------------------------------------------------------------------ expressions

    def needs(self, expr: model.Expr, facts: KnownValues) -> Iterator[_Need]:
        """The needs of ``expr`` that ``facts`` do not meet."""
        match expr:
            case model.Not(operand=model.IsNone(operand=operand)):
                yield from self.needs(operand, facts)  # an entry that is not none is no entry off the board
                return
            case model.IsNone(operand=model.Read(indices=indices) as entry):
                yield from self.needs(entry, facts)
                for index in indices:
                    if may_be_none(index, facts):
                        yield _Need(index, expr.span, "", code="off-board-or-empty")
                return
        yield from self.needs_at(self.parts(expr, facts))
        match expr:
            case model.Present(operand=operand) if may_be_none(operand, facts):
                yield _Need(operand, operand.span, "", code="not-exhaustive")
            case model.Arithmetic(operator=sign, right=divisor) if divides(expr) and may_be_zero(divisor, facts):
                yield _Need(divisor, divisor.span, f"'{sign}' divides by it", code="possible-zero")
            case model.Call(define=callee):
                yield from self.needs_of_call(expr, callee, facts)

    def needs_at(self, places: Iterable[Place[KnownValues]]) -> Iterator[_Need]:
        """The needs of expressions, each with the facts at its place."""
        for part, why, facts in places:
            yield from self.needs(part, facts)
            if why is not None and may_be_none(part, facts):
                yield _Need(part, part.span, why)

    def needs_of_call(self, call: model.Call, callee: model.Define, facts: KnownValues) -> Iterator[_Need]:
        """The needs of a define's body, with the arguments in place of its parameters."""
        for need in self.needs_of(callee):
            wanted = unfold(evolve(call, define=evolve(callee, body=need.expr)))
            if need.is_open(wanted, facts):
                place = need.span if need.code == "not-exhaustive" else call.span
                yield _Need(wanted, place, need.why, callee, need.code, call.span, need.inside or need.span)

    def needs_of(self, callee: model.Define) -> tuple[_Need, ...]:
        """The needs of a define that are left to its callers; those that depend on its own local names are reported."""
        if callee.name not in self._needs_of:
            self._needs_of[callee.name] = ()
            kept = []
            parameters = set(range(len(callee.parameters)))
            for need in self.needs(callee.body, self.of_parameters(callee.parameters)):
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
                self.check([(test, CONDITION, facts)])
                behind_yes = self.block(yes, self.narrow(test, True, facts))
                behind_no = self.block(no, self.narrow(test, False, facts))
                if always_leaves(yes) or always_leaves(no):
                    return behind_no if always_leaves(yes) else behind_yes
                return self.behind_either(behind_yes, behind_no)
            case model.For(binders=binders, body=body):
                facts = self.without_changed(statement, facts)
                places, inner = self.binders(binders, facts)
                self.check(places)
                self.block(body, inner)
                return facts
        self.check(self.parts(statement, facts))
        facts = self.without_changed(statement, facts)
        match statement:
            case model.SetLocal(slot=slot, value=value):
                return self.let(model.Local(slot, "", type=value.type, span=value.span), value, facts)
            case model.Assign(variable=variable, indices=indices, path=(), value=value):
                entry = model.Read(variable, indices, type=variable.type.base, span=statement.span)
                kept = self.noting(conditions_after_assignment(entry, value), facts_without(entry, facts))
                return kept if may_be_none(value, facts) else kept | {entry}
            case model.Fill(variable=variable):
                return facts_without_entries(variable, facts)
        return facts

    def behind_either(self, one: KnownValues, other: KnownValues) -> KnownValues:
        """What is known behind either of two branches: what both know, and that the rest holds in one of them."""
        rest = [
            model.And(tuple(found), type=BOOL, span=found[0].span)
            for found in map(conditions_of, (one - other, other - one))
            if found
        ]
        return self.noting([model.Or(tuple(rest), type=BOOL, span=rest[0].span)] if len(rest) == 2 else [], one & other)

    def without_changed(self, statement: model.Statement, facts: KnownValues) -> KnownValues:
        """The facts without conditions on what the statement assigns."""
        if not self.with_conditions:
            return facts
        variables = assigned_variables((statement,))
        set_here = own_statements((statement,))
        names = {each.slot for each in set_here if isinstance(each, model.SetLocal | model.SetLocalField)}
        return frozenset(
            fact
            for fact in facts
            if not isinstance(fact, Holds)
            or (
                names.isdisjoint(slots(fact.condition))
                and variables.isdisjoint(read.variable for read in reads(fact.condition))
            )
        )

    def rule(self, rule: model.Rule, facts: KnownValues) -> None:
        places, facts = self.guards(rule, facts)
        if rule.ensuring is not None:
            places.append((rule.ensuring, CONDITION, facts))
        numbers = (number for number in (rule.weight, rule.probability) if number is not None)
        self.check([*places, *((number, "a probability is a number", facts) for number in numbers)])
        self.block(rule.body, facts)

    def phase(self, phase: model.Phase) -> None:
        facts = self.block(phase.entry, self.of_parameters(phase.parameters))
        for rule in rules_of(phase.decision):
            self.rule(rule, facts)
        if phase.decision is not None:
            self.check(self.parts(phase.decision, facts))
        if isinstance(phase.decision, model.Together):
            self.block(phase.decision.then, facts)
        if phase.otherwise is not None:
            self.block(phase.otherwise, facts)

    # -------------------------------------------------------------------- reporting

    def check(self, places: Iterable[Place[KnownValues]]) -> None:
        for need in self.needs_at(places):
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
        place = f"'{shown}'"
        if need.through is not None and need.inside is not None:
            labels.append(Label(need.inside, f"needed here, inside '{need.through.name}'"))
            place = f"'{shown}' in '{need.through.name}'"
        what, help = "none", "test it first, as in: ... is not none and ..."
        if need.code == "possible-zero":
            what, help = "0", "test it first, as in: if ... == 0 then ... else ..., or give it a range without 0"
        elif (key := _key_that_may_be_none(need.expr)) is not None:
            labels.append(Label(key.span, "this can be none"))
            missing = self.findings.source.excerpt(key.span)
            help = f"what is looked up with none is none; test '{missing}' first, as in: ... is not none and ..."
        elif isinstance(need.expr, model.Chosen):
            help = f"a player who has no move, or makes another, chooses none; {help}"
        message = f"{place} can be {what} here"
        self.findings.report(need.code, need.span, message, remark=need.why, labels=labels, help=help)


def _key_that_may_be_none(expr: model.Expr) -> model.Expr | None:
    """The index for which alone an entry of a variable can be none. Of several it is not known which one a guard before
    them leaves."""
    if not isinstance(expr, model.Read) or expr.variable.type != strip_none(expr.variable.type):
        return None
    open_keys = [index for index in expr.indices if index.type != strip_none(index.type)]
    return open_keys[0] if len(open_keys) == 1 else None


def check_nullness(game: model.Model, findings: Findings) -> None:
    """Report every place that needs a value and may get none, or divides by what may be 0, and ambiguous ``is none``
    tests."""
    analysis = _Analysis(findings, any(divides(part) for expr in expressions(game) for part in walk(expr)))
    for phase in game.phases.values():
        analysis.phase(phase)
    for action in game.actions:
        analysis.block(action.body, analysis.of_parameters(action.parameters))
    analysis.block(game.setup, NOTHING)
    for claim in game.claims:
        if claim.is_measured():
            for measure in (claim.arguments, *claim.by_phase.values()):
                analysis.check((part, "a measure is compared", NOTHING) for part in measure)
    analysis.check((loose.value, None, NOTHING) for loose in game.loose)


# Constants outside their ranges, and divisions by constant 0.
#
# Only certain errors are reported: a value whose whole interval lies outside the range, or a constant that is not in
# it. The rest is checked at run time.


def check_ranges(game: model.Model, findings: Findings) -> None:
    for root in expressions(game):
        for expr in walk(root):
            _check_expression(expr, findings)
    for block in blocks(game):
        for statement in live_statements(block):
            _check_statement(statement, game, findings)
    if game.endless is not None:
        _check_winners(game.endless.outcome, game, findings)


def _check_expression(expr: model.Expr, findings: Findings) -> None:
    match expr:
        case model.Arithmetic(operator="/" | "//" | "%", right=divisor):
            base = strip_none(divisor.type)
            if isinstance(base, NumberType) and base.low == 0 == base.high:
                findings.report("division-by-zero", divisor.span, "this divides by 0")
        case model.Read(variable=variable, indices=indices):
            _check_indices(variable, indices, findings)
        case model.Call(define=define, arguments=arguments):
            _check_arguments(arguments, define.parameters, f"'{define.name}'", findings)


def _check_statement(statement: model.Statement, game: model.Model, findings: Findings) -> None:
    match statement:
        case model.Assign(variable=variable, indices=indices, path=path, value=value):
            _check_indices(variable, indices, findings)
            place = f"this field of '{variable.name}'" if path else f"'{variable.name}'"
            _check_value(value, type_at(variable.type, path), place, variable.span, findings)
        case model.Fill(variable=variable, value=value):
            _check_value(value, variable.type, f"'{variable.name}'", variable.span, findings)
        case model.SetLocal(type=Type() as type, value=value, name=name):
            _check_value(value, type, f"'{name}'", None, findings)
        case model.SetLocalField(type=type, path=path, value=value, name=name):
            _check_value(value, type_at(type, path), f"this field of '{name}'", None, findings)
        case model.Go(phase=phase, arguments=arguments) if phase in game.phases:
            _check_arguments(arguments, game.phases[phase].parameters, f"phase '{phase}'", findings)
        case model.Do(action=action, arguments=arguments):
            _check_arguments(arguments, action.parameters, f"'{action.name}'", findings)
        case model.End(outcome=outcome):
            _check_winners(outcome, game, findings)


def _check_winners(outcome: model.Outcome, game: model.Model, findings: Findings) -> None:
    match outcome:
        case model.WinOutcome(winners=model.Const(value=OrderedSet() as winners, span=span)):
            try:
                share_outcome(game.players, winners.items, span)
            except EvaluationError as error:
                findings.report("missing-payoff", span, error.message, help=error.help)


def _check_indices(variable: model.Variable, indices: tuple[model.Expr, ...], findings: Findings) -> None:
    for index, type in zip(indices, variable.indices, strict=True):
        _check_value(index, type, f"an index of '{variable.name}'", variable.span, findings)


def _check_arguments(
    arguments: tuple[model.Expr, ...], parameters: tuple[model.FormalParameter, ...], of: str, findings: Findings
) -> None:
    for argument, parameter in zip(arguments, parameters, strict=False):  # a wrong ``go`` may have none
        _check_value(argument, parameter.type, f"'{parameter.name}' of {of}", parameter.span, findings)


def _check_value(value: model.Expr, type: Type, place: str, declared: Span | None, findings: Findings) -> None:
    """Report a value that can never belong to the type, or its parts that cannot."""
    if isinstance(value.type, UnknownType) or isinstance(type, UnknownType):
        return
    wanted = strip_none(type)
    match value:
        case model.If(yes=yes, no=no):
            for branch in (yes, no):
                _check_value(branch, type, place, declared, findings)
            return
        case model.MakeTuple(items=items) if isinstance(wanted, TupleType):
            for item, part in zip(items, wanted.items, strict=True):
                _check_value(item, part, f"this part of {place}", declared, findings)
            return
        case model.MakeSet(items=items) if isinstance(wanted, SetType):
            for item in items:
                _check_value(item, wanted.element, f"a member of {place}", declared, findings)
            return
        case model.Const(value=given):
            if given is None or type.contains(given):
                return
            message = f"{place} can never be {format_value(given)}"
        case _:
            actual, numbers = strip_none(value.type), wanted.base
            if not (
                isinstance(numbers, NumberType) and isinstance(actual, NumberType) and are_disjoint(actual, numbers)
            ):
                return
            message = f"{place} can never be this number: it is {_bounds_text(actual)}"
    labels = [] if declared is None else [Label(declared, f"declared as {type}")]
    findings.report("out-of-range", value.span, message, remark=type_in_words(type), labels=labels)


def _bounds_text(numbers: NumberType) -> str:
    if numbers.low is None or numbers.high is None:
        return f"at most {numbers.high}" if numbers.low is None else f"at least {numbers.low}"
    return str(numbers.low) if numbers.low == numbers.high else f"at least {numbers.low} and at most {numbers.high}"


# Constant probabilities of chance decisions: do they sum to exactly 1?


_LARGEST_DENOMINATOR = 100
_MOST_DIGITS = 8


def check_probabilities(game: model.Model, findings: Findings) -> None:
    """Report probabilities that are negative or do not sum to 1, with the fraction probably meant."""
    for phase in game.phases.values():
        if isinstance(phase.decision, model.Chance) and _check_values(phase.decision, findings):
            _check_sum(phase.decision, game.notation, findings)


def _check_values(chance: model.Chance, findings: Findings) -> bool:
    """Check each number by itself. Returns whether it makes sense to check their sum."""
    sensible = True
    for rule in chance.outcomes:
        for number, what in ((rule.probability, "probability"), (rule.weight, "weight")):
            value = _constant_fraction(number)
            if number is None or value is None:
                continue
            if value < 0:
                sensible = False
                findings.report("negative-probability", number.span, f"the {what} of '{rule.name}' is negative")
            elif what == "probability" and value > 1:
                sensible = False
                message = f"the probability of '{rule.name}' is more than 1"
                findings.report("probabilities-not-one", number.span, message)
    return sensible


def _constant_fraction(number: model.Expr | None) -> Fraction | None:
    if isinstance(number, model.Const) and isinstance(number.value, int | Fraction):
        return Fraction(number.value)
    return None


def _outcome_count(rule: model.Rule) -> int | None:
    """The number of outcomes of a rule, if constant."""
    if any(rule.guards):
        return None
    count = 1
    for parameter in rule.parameters:
        if not isinstance(parameter.domain, model.Const) or parameter.domain.value is None:
            return None
        count *= len(parameter.domain.value) + parameter.is_optional
    return count


def _check_sum(chance: model.Chance, notation: str, findings: Findings) -> None:
    given = [rule for rule in chance.outcomes if rule.probability is not None]
    if not given:
        return
    without = [rule for rule in chance.outcomes if rule.probability is None]
    if without:
        findings.report(
            "probabilities-not-one",
            without[0].span,
            f"the outcome '{without[0].name}' has no probability, but others have one",
            labels=[Label(given[0].span, "this one has")],
            help="give all outcomes a probability, or none",
        )
        return
    parts: list[tuple[model.Expr, Fraction, int]] = []
    for rule in given:
        value, count = _constant_fraction(rule.probability), _outcome_count(rule)
        if value is None or count is None or rule.probability is None:
            return
        parts.append((rule.probability, value, count))
    total = sum((value * count for _, value, count in parts), Fraction(0))
    if total == 1:
        return
    meant = [(number, _simplest_fraction(value), count) for number, value, count in parts]
    fits = sum((value * count for _, value, count in meant), Fraction(0)) == 1
    rounded = [
        (number, value)
        for (number, value, _), (_, given_value, _) in zip(meant, parts, strict=True)
        if value != given_value
    ]
    if fits and rounded:
        number, value = rounded[0]
        findings.report(
            "probabilities-not-one",
            number.span,
            f"the probabilities sum to {total}, not to 1",
            remark=f"did you mean {value}?",
            labels=[Label(other.span, f"and here {fraction}") for other, fraction in rounded[1:]],
            help="probabilities are exact: write the fraction",
            fix=Fix(number.span, str(value), f"write {value}"),
        )
        return
    findings.report(
        "probabilities-not-one",
        parts[-1][0].span,
        f"the probabilities sum to {total}, not to 1",
        labels=[Label(number.span, str(value * count)) for number, value, count in parts[:-1]],
        help="use 'weight' instead of 'prob' for numbers that need not sum to 1" if notation == "phases" else "",
    )


def _simplest_fraction(value: Fraction) -> Fraction:
    """The simplest fraction that rounds or truncates to this decimal (1/6 for 0.1667 and 0.16), else the number
    itself."""
    digits = next((k for k in range(2, _MOST_DIGITS + 1) if (value * 10**k).denominator == 1), None)
    if digits is None:
        return value
    for denominator in range(1, _LARGEST_DENOMINATOR + 1):
        candidate = value.limit_denominator(denominator)
        scaled = candidate * 10**digits
        if value * 10**digits in (round(scaled), floor(scaled)):
            return candidate
    return value


# ``stuck`` before the names of the decision have their values.
#
# ``stuck`` in the entry statements of a phase says that its decision offers no move. It tests the guards at once, so
# that every name in them must have been bound before.


def check_stuck(game: model.Model, findings: Findings) -> None:
    """Report every ``stuck`` that depends on an entry name without a value yet."""
    for phase in game.phases.values():
        needed = {slot for expr in _expressions_behind_stuck(phase.decision) for slot in free_slots(expr)}
        # The scope of a name inside a block ends with it, so the decision cannot use it.
        later = {each.slot: each for each in reversed(phase.entry) if isinstance(each, model.SetLocal)}
        later = {slot: first for slot, first in later.items() if slot in needed}
        for statement in phase.entry:
            for place in _uses_of_stuck(statement) if later else ():
                _report_early_stuck(place, min(later.values(), key=lambda each: each.span.start), findings)
            if isinstance(statement, model.SetLocal):
                later.pop(statement.slot, None)


def _report_early_stuck(place: model.Stuck, name: model.SetLocal, findings: Findings) -> None:
    findings.report(
        "stuck-too-early",
        place.span,
        f"'stuck' depends on the moves of the decision, but '{name.name}' has no value yet",
        labels=[Label(name.span, "it gets one here")],
        help=f"use 'stuck' after the line that defines '{name.name}'",
    )


def _uses_of_stuck(statement: model.Statement) -> Iterator[model.Stuck]:
    """The uses of ``stuck`` in a statement and those inside it."""
    for each in own_statements((statement,)):
        for expr in subexpressions(each):
            yield from (part for part in walk(expr) if isinstance(part, model.Stuck))


def _expressions_behind_stuck(decision: model.Decision | None) -> Iterator[model.Expr]:
    """The expressions that determine whether a decision offers a move."""
    if isinstance(decision, model.Together):
        yield decision.players
    for rule in rules_of(decision):
        yield from subexpressions(rule)
        if rule.ensuring is not None:
            for statement in own_statements(rule.body):
                yield from subexpressions(statement)
