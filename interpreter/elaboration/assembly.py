"""Elaboration of a whole file, its parts in the order of their dependencies."""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Source
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.annotations import (
    claims_of,
    discount_of,
    endless_of,
    expectations_of,
    require_all,
    tests_of,
    witnesses_of,
)
from zermelo.interpreter.elaboration.declarations import (
    FileGlobals,
    elaborate_in_order,
    estimate_of,
    order_of,
    unsettled_of,
)
from zermelo.interpreter.elaboration.names import DeclaredNames, kind_of
from zermelo.interpreter.elaboration.phases import declare_phase, phase_of
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import go_to, statements_in
from zermelo.interpreter.elaboration.trees import lower_tables, lower_tree
from zermelo.interpreter.elaboration.type_expressions import legend_of
from zermelo.interpreter.model.rewriting import DEEPEST_RULES, extent_of, make_room
from zermelo.interpreter.types import BoolType, MemberType, NumberType
from zermelo.interpreter.values import Value


def assemble(globals: FileGlobals) -> model.Model:
    """The model of a file. With errors among the findings it is incomplete, and of use only to find more of them."""
    declarations, findings = globals.declarations, globals.findings
    met: set[str] = set()
    kinds: tuple[type[syntax.Declaration], ...] = (syntax.Parameter, syntax.TypeDeclaration, syntax.Require)
    for kind in kinds:
        elaborate_in_order(globals, declarations.every(kind), met)
    require_all(globals)
    elaborate_in_order(globals, declarations.every(syntax.Variable), met)
    for variable in declarations.every(syntax.Variable):
        globals.variable(variable)
    globals.report_hidden_by_file()
    for legend in declarations.every(syntax.Legend):
        made = legend_of(legend, globals.scope())
        if made is not None:
            globals.legends[made.variable.name] = made
    elaborate_in_order(globals, declarations.every(syntax.Define), met)
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
        unsettled=unsettled_of(globals),
        order_moves=order_of(globals),
        claims=claims_of(globals),
        expectations=expectations_of(globals),
        witnesses=witnesses_of(globals),
        tests=tests_of(globals),
        legends=tuple(globals.legends.values()),
        history=tuple(globals.history),
    )
    _report_unused(globals)
    return _measured(assembled, findings)


def _extremes(globals: FileGlobals) -> dict[str, tuple[Value, Value]]:
    """The first and the last values of the parameters that are numbers, truth values or members: they are known without
    listing all."""
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
    """The domains of parameters as the file writes them."""
    domains = {}
    for declaration in declarations.tree.declarations:
        match declaration:
            case syntax.Parameter(name=name, domain=domain):
                domains[name.text] = source.excerpt(domain.span)
            case syntax.PlayerCount(low=low, high=high):
                domains["players"] = f"{source.excerpt(low.span)}..{source.excerpt(high.span)}"
    return domains


def _measured(assembled: model.Model, findings: Findings) -> model.Model:
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
    """Report unused names of the file."""
    for name, declaration in globals.declarations.named.items():
        if name not in globals.used and not name.startswith("_"):
            globals.findings.report(
                "unused-name",
                declaration.name.span,
                f"the {kind_of(declaration)} '{name}' is never used",
                help="remove it, or use it",
            )
