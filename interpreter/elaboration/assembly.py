"""Elaboration of a whole file, its parts in the order of their dependencies, and of what it says about its plays."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from attrs import evolve

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Label, Source, Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import (
    FileGlobals,
    elaborate_in_order,
    elaborate_unsettled,
    estimate_of,
    order_of,
)
from zermelo.interpreter.elaboration.expressions import (
    elaborate,
    elaborate_as,
    elaborate_condition,
    elaborate_constant,
    is_known,
    legend_of,
)
from zermelo.interpreter.elaboration.names import DeclaredNames, LocalName, kind_of, report_undefined
from zermelo.interpreter.elaboration.operators import elaborate_number
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import go_to, outcome_of, statements_in
from zermelo.interpreter.elaboration.trees import declare_phase, lower_tables, lower_tree, phase_of
from zermelo.interpreter.intervals import literal
from zermelo.interpreter.model.cardinality import fits, in_words
from zermelo.interpreter.model.rewriting import (
    DEEPEST_RULES,
    extent_of,
    make_room,
    reads_state,
    subexpressions,
    walk_with_defines,
)
from zermelo.interpreter.types import BOOL, INTEGER, NUMBER, BoolType, MemberType, NumberType, TupleType, UnknownType
from zermelo.interpreter.values import Value, format_value

# Events: positions as witnesses and tests describe them, ``left == 1``, ``in play if left == 1``, ``end win Ann``.


def event_of(written: syntax.Event, globals: FileGlobals, what: str) -> model.Event:
    """An event; ``what`` names its condition in messages."""
    scope = globals.scope()
    match written:
        case syntax.InPhase(phase=phase, condition=held):
            _bind_phase(phase, scope)
            return model.Event("phase", phase.text, condition=_condition(held, scope, what))
        case syntax.AtEnd(outcome=outcome, condition=held):
            paid = None
            if outcome is not None:
                paid = fixed_outcome(outcome, "the payoff of an end that is asked for", outcome.span, globals)
            return model.Event("end", paid=paid, condition=_condition(held, scope, what))
        case syntax.InPosition(condition=held):
            return model.Event("anywhere", condition=_condition(held, scope, what))


def _condition(held: syntax.Expression | None, scope: Scope, what: str) -> model.Loose | None:
    return None if held is None else model.Loose(elaborate_condition(held, scope, what), scope.frame.size)


def _bind_phase(phase: syntax.Name, scope: Scope) -> None:
    """Bind the parameters of a phase; report a phase without a decision."""
    globals = scope.globals
    written = globals.declarations.phases
    if phase.text not in written:
        report_undefined(phase.text, phase.span, "phase", written, globals.findings)
        return
    globals.refer(phase.span, written[phase.text].name.span)
    bind_parameters(phase.text, scope)
    if written[phase.text].decision is None:
        globals.findings.report(
            "wrong-kind-of-name",
            phase.span,
            f"nobody decides anything in phase '{phase}'",
            remark="no play is ever at rest there",
            help="name the phase of the decision that comes before or after it",
        )


def bind_parameters(phase: str, scope: Scope) -> None:
    """Give an expression outside the rules the parameters of a phase, in the first slots."""
    for parameter in scope.globals.phase_parameters[phase]:  # not bound, since what they hide has been reported
        declared, slot = parameter.type, scope.frame.new_slot()
        scope.names[parameter.name] = LocalName(
            parameter.name, slot, declared.base, parameter.span, "parameter", declared, expendable=True
        )


def fixed_outcome(written: syntax.Outcome, what: str, span: Span, globals: FileGlobals) -> model.FixedOutcome:
    """An outcome that is the same in every position; ``what`` names it in messages."""
    scope = globals.scope()
    outcome = outcome_of(written, scope, span)
    for expr in subexpressions(model.End(outcome, span=span)):
        if reads_state(expr):
            globals.findings.report(
                "not-constant",
                expr.span,
                f"{what} must be the same in every position",
                remark="this depends on the position",
            )
    return model.FixedOutcome(outcome, scope.frame.size, span)


# Claims, requirements, expectations and tests of a file.


def claims_of(globals: FileGlobals, phases: Mapping[str, model.Phase]) -> tuple[model.Claim, ...]:
    made = []
    for claim in globals.declarations.every(syntax.Claim):
        for item in claim.items:
            scope = _measure_scope(globals)
            if item.property == "constant_sum":
                sums = [
                    elaborate_constant(argument, scope, NUMBER, "the sum of the payoffs") for argument in item.arguments
                ]
                arguments: tuple[model.Expr, ...] = tuple(sums)
            else:
                arguments = tuple(
                    elaborate_number(argument, scope, "a measure of progress") for argument in item.arguments
                )
            claim_made = model.Claim(item.property, arguments, item.span, _by_phase(item, globals))
            made.append(_with_draws_left(claim_made, phases))
    return tuple(made)


def _measure_scope(globals: FileGlobals) -> Scope:
    """A scope whose slots begin behind those of the parameters of all phases, the number of a draw included, so that
    what is written alike in two measures without parameters is equal."""
    scope = globals.scope()
    scope.frame.size = 1 + max(map(len, globals.phase_parameters.values()), default=0)
    return scope


def _with_draws_left(claim: model.Claim, phases: Mapping[str, model.Phase]) -> model.Claim:
    """A claim with a measure whose tuples have one number more if there is a ``chance for``: how many of its draws are
    left, 0 in other phases. So an author need not count them."""
    if not claim.is_measured() or not any(phase.is_numbered for phase in phases.values()):
        return claim
    made = {}
    for name, phase in phases.items():
        measure = claim.measure(name)
        if measure:
            span = measure[-1].span
            left: model.Expr = model.Const(0, type=literal(0), span=span)
            if phase.is_numbered:
                slot, numbers = len(phase.parameters) - 1, phase.parameters[-1].type
                number = model.Local(slot, "draw", type=numbers, span=span)
                last = max(numbers.generate())
                end = model.Const(last, type=literal(last), span=span)
                left = model.Arithmetic("-", end, number, type=NumberType(0, last - 1), span=span)
            made[name] = (*measure, left)
    return evolve(claim, by_phase=made)


def _by_phase(item: syntax.ClaimItem, globals: FileGlobals) -> dict[str, tuple[model.Expr, ...]]:
    """The measures of the phases. Each phase with a decision needs one, and all have the same length."""
    made: dict[str, tuple[model.Expr, ...]] = {}
    written, findings = globals.declarations.phases, globals.findings
    for each in item.by_phase:
        name = each.phase.text
        if name not in written:
            report_undefined(name, each.phase.span, "phase", written, findings)
            continue
        globals.refer(each.phase.span, written[name].name.span)
        if name in made:
            findings.report("duplicate-name", each.phase.span, f"phase '{name}' has two measures in this claim")
        scope = globals.scope()
        bind_parameters(name, scope)
        scope.frame = _measure_scope(globals).frame
        made[name] = tuple(elaborate_number(part, scope, "a measure of progress") for part in each.measure)
        first = item.by_phase[0]
        if len(each.measure) != len(first.measure):
            message = f"the measure of '{name}' has not as many numbers as that of '{first.phase}'"
            labels = [Label(first.span, "measures of one length can be compared")]
            findings.report("type-mismatch", each.span, message, labels=labels)
    missing = [name for name, phase in written.items() if phase.decision is not None and name not in made]
    if made and missing:
        names = " and ".join(f"'{name}'" for name in missing)
        findings.report("not-exhaustive", item.span, f"phase {names} has no measure in this claim")
    return made


def report_failed_requirements(globals: FileGlobals) -> None:
    """Report every ``require`` that fails under the present parameters."""
    for requirement in globals.declarations.every(syntax.Require):
        scope = globals.scope()
        elaborate_condition(requirement.condition, scope, "a requirement")
        held = elaborate_constant(requirement.condition, scope, None, "a requirement")
        if is_known(held) and not held.value:
            values = ", ".join(
                f"{name} = {format_value(value)}"
                for name, (type, value) in globals.parameters.items()
                if not isinstance(type, UnknownType)
            )
            globals.findings.report(
                "requirement-not-met",
                requirement.span,
                f"this requirement does not hold{f' for {values}' if values else ''}",
                help="choose other parameters",
            )


def endless_of(globals: FileGlobals) -> model.FixedOutcome | None:
    for written in globals.declarations.every(syntax.Endless):
        return fixed_outcome(written.outcome, "what a play pays that never ends", written.span, globals)
    return None


def discount_of(globals: FileGlobals) -> Fraction | int:
    for written in globals.declarations.every(syntax.Discount):
        factor = elaborate_constant(written.factor, globals.scope(), NUMBER, "the discount")
        if is_known(factor) and not 0 < factor.value <= 1:
            globals.findings.report(
                "out-of-range", factor.span, f"a discount is more than 0 and at most 1, not {factor.value}"
            )
        elif is_known(factor):
            value: Fraction | int = factor.value
            return value
    return 1


# --------------------------------------------------------------- expectations and tests


def expectations_of(globals: FileGlobals) -> tuple[model.Expectation, ...]:
    return tuple(
        _expectation(written.expectation, globals, settings_of(written.settings, globals), written)
        for written in globals.declarations.every(syntax.Expect)
    )


def tests_of(globals: FileGlobals) -> tuple[model.Test, ...]:
    """The tests, which are about the game with its default parameters. With other parameters, what they name need not
    exist; the game then has no tests, and findings in them are dropped."""
    made = []
    before = len(globals.findings)
    for written in globals.declarations.every(syntax.Test):
        lines: list[model.PlayLine | model.Expectation] = []
        for line in written.lines:
            if isinstance(line, syntax.PlayLine):
                lines.append(model.PlayLine(tuple(_written_move(move, globals) for move in line.moves)))
            else:
                lines.append(_expectation(line.expectation, globals, {}, line))
        made.append(model.Test(written.title, tuple(lines), written.span))
    if globals.overrides:
        del globals.findings.found[before:]
        return ()
    return tuple(made)


def settings_of(bindings: tuple[syntax.Binding, ...], globals: FileGlobals) -> dict[str, Value]:
    """The parameters that follow ``with``."""
    settings: dict[str, Value] = {}
    for binding in bindings:
        declaration = globals.declarations.named.get(binding.name.text)
        if binding.name.text == "players" and isinstance(globals.declarations.players, syntax.PlayerCount):
            wanted = elaborate_constant(binding.value, globals.scope(), INTEGER, "the number of players")
        elif isinstance(declaration, syntax.Parameter):
            globals.refer(binding.name.span, declaration.name.span)
            type, _ = globals.parameter(declaration)
            wanted = elaborate_constant(binding.value, globals.scope(), type, f"the value of '{binding.name}'")
        else:
            message = f"'{binding.name}' is not a parameter"
            globals.findings.report("wrong-kind-of-name", binding.name.span, message)
            continue
        if is_known(wanted):
            settings[binding.name.text] = wanted.value
    return settings


def _written_move(written: syntax.PlayedMove, globals: FileGlobals) -> model.WrittenMove:
    return model.WrittenMove(globals.findings.source.excerpt(written.span).strip(), written.span)


def _expectation(
    written: syntax.Expectation, globals: FileGlobals, settings: dict[str, Value], line: syntax.Node
) -> model.Expectation:
    span = line.span
    match written:
        case syntax.ExpectValue(value=value, tolerance=tolerance):
            bound = None
            if tolerance is not None:
                bound = elaborate_constant(tolerance, globals.scope(), NUMBER, "a tolerance").value
            return model.Expectation(
                "value", span, number=_payoffs(value, settings, globals), tolerance=bound, settings=settings
            )
        case syntax.ExpectBest(move=move):
            return model.Expectation("best", span, moves=(_written_move(move, globals),), settings=settings)
        case syntax.ExpectCount(what=what, length=length, count=count):
            steps = None
            if length is not None:
                steps = elaborate_constant(length, globals.scope(), INTEGER, "the length of plays").value
            wanted = elaborate_constant(count, globals.scope(), INTEGER, "a count").value
            return model.Expectation(what, span, number=wanted, length=steps, settings=settings)
        case syntax.ExpectEquilibrium(choices=choices):
            moves = tuple(_written_move(choice, globals) for choice in choices)
            players = globals.player_type.listed
            if len(moves) != len(players):
                globals.findings.report(
                    "wrong-payoff-length",
                    span,
                    f"an equilibrium has one choice for each of {len(players)} players, not {len(moves)}",
                )
            return model.Expectation("equilibrium", span, moves=moves, settings=settings)
        case syntax.ExpectKnows(player=player, fact=fact, of_value=of_value, negated=negated):
            scope = globals.scope()
            who = elaborate_as(player, scope, globals.player_type, "who knows")
            what_scope = globals.scope()
            known_fact = elaborate(fact, what_scope, None if of_value else BOOL)
            if not of_value and not fits(known_fact.type, BOOL):
                globals.findings.report(
                    "type-mismatch",
                    fact.span,
                    f"what is known must be {in_words(BOOL)}, but this is {in_words(known_fact.type)}",
                    help="`knows_value(p, e)` is for other values: whether p knows e",
                )
            return model.Expectation(
                "knows_value" if of_value else "knows",
                span,
                player=model.Loose(who, scope.frame.size),
                condition=model.Loose(known_fact, what_scope.frame.size),
                negated=negated,
                settings=settings,
            )
        case syntax.ExpectIllegal(move=move):
            return model.Expectation("illegal", span, moves=(_written_move(move, globals),), settings=settings)
        case syntax.ExpectEvent(event=event):
            described = event_of(event, globals, "what is expected")
            return model.Expectation("event", span, event=described, settings=settings)
        case syntax.ExpectTrue(condition=written_condition):
            scope = globals.scope()
            holds = elaborate_condition(written_condition, scope, "what is expected")
            return model.Expectation("true", span, condition=model.Loose(holds, scope.frame.size), settings=settings)


def _payoffs(written: syntax.Expression, settings: dict[str, Value], globals: FileGlobals) -> tuple[Value, ...]:
    """The expected value: one number for each player, or one for the first player alone.

    Their number is not checked if the user has changed the number of players.
    """
    typed = elaborate_constant(written, globals.scope(), None, "the expected value")
    if not is_known(typed):
        return ()
    if isinstance(typed.type, NumberType):
        return (typed.value,)
    if isinstance(typed.type, TupleType) and all(isinstance(item, NumberType) for item in typed.type.items):
        players = settings.get("players", len(globals.player_type.listed))
        if len(typed.value) != players and ("players" in settings or "players" not in globals.overrides):
            globals.findings.report(
                "wrong-payoff-length",
                written.span,
                f"the game has {players} player{'s' if players != 1 else ''}, but {len(typed.value)} payoffs are given",
            )
        payoffs: tuple[Value, ...] = typed.value
        return payoffs
    message = f"a value is a payoff, or one for each player, but this is {in_words(typed.type)}"
    globals.findings.report("type-mismatch", written.span, message)
    return ()


# Witnesses: what a file declares to be ``reachable``, or ``never`` so.


def witnesses_of(globals: FileGlobals) -> tuple[model.Witness, ...]:
    return tuple(_witness(written, globals) for written in globals.declarations.every(syntax.Witness))


def _witness(written: syntax.Witness, globals: FileGlobals) -> model.Witness:
    event = event_of(written.event, globals, "what a play may come to")
    if event.condition is not None:
        _refuse_history(event.condition, globals)
    return model.Witness(written.word == "reachable", event, written.span, settings_of(written.settings, globals))


def _refuse_history(condition: model.Loose, globals: FileGlobals) -> None:
    """Report a condition on the history of a play: a witness treats plays that lead to equal positions as one."""
    for part in walk_with_defines(condition.value):
        if isinstance(part, model.Repeated | model.Repetitions):
            globals.findings.report(
                "wrong-kind-of-name",
                condition.value.span,
                "this looks at the history of the play, and not at a position",
                help="keep what you ask for in a variable",
            )
            return


# Elaboration of a whole file, its parts in the order of their dependencies.


def assemble(globals: FileGlobals) -> model.Model:
    """The model of a file. With errors among the findings it is incomplete, and of use only to find more of them."""
    declarations, findings = globals.declarations, globals.findings
    met: set[str] = set()
    kinds: tuple[type[syntax.Declaration], ...] = (syntax.Parameter, syntax.TypeDeclaration, syntax.Require)
    for kind in kinds:
        elaborate_in_order(globals, declarations.every(kind), met)
    report_failed_requirements(globals)
    elaborate_in_order(globals, declarations.every(syntax.Variable), met)
    for variable in declarations.every(syntax.Variable):
        globals.variable(variable)
    globals.report_hidden_by_file()
    for legend in declarations.every(syntax.Legend):
        made = legend_of(legend, globals.scope())
        if made is not None:
            globals.legends[made.variable.name] = made
    elaborate_in_order(globals, declarations.every(syntax.Define), met)
    drawn, grounds = _drawings(globals)
    setup_scope = globals.scope()
    notation, phases, start = _rules(globals, setup_scope, met)
    elaborate_in_order(globals, declarations.every(syntax.Action), met)
    setup = tuple(statement for written in declarations.setup for statement in statements_in(written.body, setup_scope))
    setup_scope.report_unused()
    assembled = model.Model(
        title=declarations.tree.title,
        source=findings.source,
        notation=notation,
        player_type=globals.player_type,
        parameters={name: value for name, (_, value) in globals.parameters.items()},
        domains=_domains(declarations, findings.source),
        extremes=_extremes(globals),
        types=tuple(globals.all_types),
        variables=tuple(globals.variables.values()),
        cells=globals.cells,
        defines=tuple(define for define in globals.defines.values() if define is not None),
        actions=tuple(action for action in globals.actions.values() if action is not None),
        setup=setup,
        setup_frame_size=setup_scope.frame.size,
        phases=phases,
        start=start,
        endless=endless_of(globals),
        discount=discount_of(globals),
        estimate=estimate_of(globals),
        unsettled=elaborate_unsettled(globals),
        order_moves=order_of(globals),
        claims=claims_of(globals, phases),
        expectations=expectations_of(globals),
        witnesses=witnesses_of(globals),
        tests=tests_of(globals),
        legends=tuple(globals.legends.values()),
        drawn=drawn,
        grounds=grounds,
        history=tuple(globals.history),
    )
    _report_unused(globals)
    return _with_depth(assembled, findings)


def _drawings(globals: FileGlobals) -> tuple[tuple[model.Drawn, ...], tuple[model.Ground, ...]]:
    """How things are drawn, if the file says so."""
    if not globals.declarations.every(syntax.Drawn):
        return (), ()
    from zermelo.interpreter.elaboration.drawings import drawings_of

    return drawings_of(globals)


def _extremes(globals: FileGlobals) -> dict[str, tuple[Value, Value]]:
    """The first and the last values of those parameters whose type gives them without listing all values: numbers,
    truth values and members."""
    extremes: dict[str, tuple[Value, Value]] = {}
    for name, (type, _) in globals.parameters.items():
        match type:
            case NumberType(low=low, high=high) if low is not None and high is not None:
                extremes[name] = low, high
            case BoolType():
                extremes[name] = False, True
            case MemberType(listed=(first, *rest)):
                extremes[name] = first, [first, *rest][-1]
    return extremes


def _domains(declarations: DeclaredNames, source: Source) -> dict[str, str]:
    domains = {}
    for declaration in declarations.tree.declarations:
        match declaration:
            case syntax.Parameter(name=name, domain=domain):
                domains[name.text] = source.excerpt(domain.span)
            case syntax.PlayerCount(low=low, high=high):
                domains["players"] = f"{source.excerpt(low.span)}..{source.excerpt(high.span)}"
    return domains


def _with_depth(assembled: model.Model, findings: Findings) -> model.Model:
    """The model with its depth, to which the recursion limit is raised; a model too deep is reported."""
    deepest = max((define.depth for define in assembled.defines), default=0)
    parts: list[tuple[str, object]] = [("the estimate", assembled.estimate), ("'unsettled'", assembled.unsettled)]
    parts += [("'order moves'", assembled.order_moves), ("'setup'", assembled.setup)]
    parts += [("'reachable' and 'never'", assembled.witnesses)]
    parts += [(f"phase '{name}'", phase) for name, phase in assembled.phases.items()]
    for what, part in parts:
        depth, _ = extent_of(part)
        if depth > DEEPEST_RULES:
            message = f"the rules in {what} are nested more than {DEEPEST_RULES:,} parts deep"
            findings.report("nested-too-deep", assembled.start.span, message)
            return assembled
        deepest = max(deepest, depth)
    make_room(deepest)
    return evolve(assembled, depth=deepest)


def _rules(
    globals: FileGlobals, beginnings: Scope, met: set[str]
) -> tuple[Literal["phases", "tree", "table"], dict[str, model.Phase], model.Go]:
    """The phases, in any notation, and the ``go`` to the first one, which is evaluated after ``setup`` in the same
    frame (``beginnings``); ``met`` are the names elaborated so far."""
    declarations = globals.declarations
    scopes = {name: globals.scope() for name in declarations.phases}
    for name, written in declarations.phases.items():  # also beside a tree or a table, for those who name them
        globals.phase_parameters[name] = declare_phase(written, scopes[name])
    if declarations.tree_notation is not None:
        return "tree", *lower_tree(declarations.tree_notation, globals.scope())
    if declarations.tables:
        return "table", *lower_tables(declarations.tables, globals.scope())
    elaborate_in_order(globals, declarations.every(syntax.Action), met)
    phases = {
        name: phase_of(written, globals.phase_parameters[name], scopes[name])
        for name, written in declarations.phases.items()
    }
    beginning = declarations.start
    if beginning is None:
        return "phases", phases, model.Go("", (), span=declarations.tree.span)
    return "phases", phases, go_to(beginning.phase, beginning.arguments, beginning.span, beginnings)


def _report_unused(globals: FileGlobals) -> None:
    for name, declaration in globals.declarations.named.items():
        if name not in globals.used and not name.startswith("_"):
            globals.findings.report(
                "unused-name",
                declaration.name.span,
                f"the {kind_of(declaration)} '{name}' is never used",
                help="remove it, or use it",
            )
