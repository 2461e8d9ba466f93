"""The whole of a file, elaborated in the order in which its parts depend on each other, and put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from grammar import syntax
from grammar.diagnostics import Findings
from interpreter import model
from interpreter.elaboration.declarations import FileGlobals, file_globals
from interpreter.elaboration.estimates import estimate_of, order_of, unsettled_of
from interpreter.elaboration.layouts import legend_of
from interpreter.elaboration.phases import declare_phase, phase_of
from interpreter.elaboration.sayings import (
    claims_of,
    discount_of,
    endless_of,
    expectations_of,
    require_all,
    tests_of,
)
from interpreter.elaboration.scope import Scope
from interpreter.elaboration.statements import go_to, statements_in
from interpreter.elaboration.tables import lower_tables
from interpreter.elaboration.trees import lower_tree
from interpreter.names import Declarations, kind_of


def assemble(declarations: Declarations, findings: Findings, overrides: Mapping[str, Any]) -> model.Model:
    """The model of a file. Where findings hold errors it is incomplete, and good only for finding more of them."""
    globals = file_globals(declarations, findings, overrides)
    for parameter in declarations.every(syntax.Parameter):
        globals.parameter(parameter)
    for type_declaration in declarations.every(syntax.TypeDeclaration):
        globals.named_type(type_declaration)
    require_all(globals)
    for variable in declarations.every(syntax.Variable):
        globals.variable(variable)
    globals.report_hidden_by_file()
    for legend in declarations.every(syntax.Legend):
        made = legend_of(legend, globals.scope())
        if made is not None:
            globals.legends[made.variable.name] = made
    for define in declarations.every(syntax.Define):
        globals.define(define)
    setup_scope = globals.scope()
    notation, phases, start = _rules(globals, setup_scope)
    for action in declarations.every(syntax.Action):
        globals.action(action)
    setup = tuple(statement for written in declarations.setup for statement in statements_in(written.body, setup_scope))
    setup_scope.report_unused()
    assembled = model.Model(
        title=declarations.tree.title,
        source=findings.source,
        notation=notation,
        player_type=globals.player_type,
        parameters={name: value for name, (_, value) in globals.parameters.items()},
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
        tests=tests_of(globals),
        legends=tuple(globals.legends.values()),
        history=tuple(globals.history),
    )
    _report_unused(globals)
    return assembled


def _rules(
    globals: FileGlobals, beginnings: Scope
) -> tuple[Literal["phases", "tree", "table"], dict[str, model.Phase], model.Go]:
    """The phases, whatever the notation, and the way into the first one, which is evaluated behind ``setup`` in one
    frame with it: ``beginnings``."""
    declarations = globals.declarations
    if declarations.tree_notation is not None:
        return "tree", *lower_tree(declarations.tree_notation, globals.scope())
    if declarations.tables:
        return "table", *lower_tables(declarations.tables, globals.scope())
    scopes = {name: globals.scope() for name in declarations.phases}
    for name, written in declarations.phases.items():
        globals.phase_parameters[name] = declare_phase(written, scopes[name])
    phases = {
        name: phase_of(written, globals.phase_parameters[name], scopes[name])
        for name, written in declarations.phases.items()
    }
    beginning = declarations.start
    if beginning is None:
        return "phases", phases, model.Go("", (), span=declarations.tree.span)
    return "phases", phases, go_to(beginning.phase, beginning.arguments, beginning.span, beginnings)


def _report_unused(globals: FileGlobals) -> None:
    """Names of the file that nothing uses."""
    for name, declaration in globals.declarations.named.items():
        if name not in globals.used and not name.startswith("_"):
            globals.findings.report(
                "unused-name",
                declaration.name.span,
                f"the {kind_of(declaration)} '{name}' is never used",
                help="remove it, or use it",
            )
