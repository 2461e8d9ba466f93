"""Declarations, trees and tables as lines."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.grammar import syntax
from zermelo.grammar.printer.expressions import (
    Level,
    print_amounts,
    print_arguments,
    print_bindings,
    print_clause,
    print_closed,
    print_expression,
    print_formals,
    print_item,
    print_list,
    print_type,
)
from zermelo.grammar.printer.statements import (
    Lines,
    block_lines,
    body_lines,
    decision_lines,
    print_outcome,
    value_lines,
)
from zermelo.grammar.syntax import Name


def print_declaration(declaration: syntax.Declaration) -> Lines:
    """The lines of a declaration."""
    match declaration:
        case syntax.Players(names):
            return [f"players {_names(names)}"]
        case syntax.PlayerCount(low, high, default):
            bounds = f"{print_closed(low, Level.SUM)}..{print_closed(high, Level.SUM)}"
            return [f"players {bounds} = {print_expression(default)}"]
        case syntax.Parameter(name, domain, default):
            return [f"param {name}: {print_type(domain)} = {print_expression(default)}"]
        case syntax.Require(condition):
            return [f"require {print_expression(condition)}"]
        case syntax.TypeDeclaration(name, definition):
            return [f"type {name} = {print_type(definition)}"]
        case syntax.Variable():
            return [_variable(declaration)]
        case syntax.Feature(name=name, parameters=parameters, body=body):
            return value_lines(f"feature {name}({parameters[0].name}) =", body)
        case syntax.Define(name, parameters, type, body):
            of_type = "" if type is None else f": {print_type(type)}"
            return value_lines(f"define {name}{print_formals(parameters)}{of_type} =", body)
        case syntax.Action(name, parameters, block):
            return block_lines(f"action {name}{print_formals(parameters)}", body_lines(block))
        case syntax.Setup(block):
            return block_lines("setup", body_lines(block))
        case syntax.Start(phase, arguments):
            return [f"start at {phase}{print_arguments(arguments)}"]
        case syntax.Phase(name, parameters, entry, decision, otherwise):
            lines = body_lines(entry) + ([] if decision is None else decision_lines(decision))
            lines += [] if otherwise is None else block_lines("otherwise", body_lines(otherwise))
            return block_lines(f"phase {name}{print_formals(parameters)}", lines)
        case syntax.Claim(claims):
            return [f"claim {', '.join(map(_claim, claims))}"]
        case syntax.Endless(outcome):
            return [f"endless {print_outcome(outcome)}"]
        case syntax.Discount(factor):
            return [f"discount {print_expression(factor)}"]
        case syntax.Weight(feature, value):
            return [f"weight {feature} = {print_expression(value)}"]
        case syntax.Estimate(player, syntax.WeightedSum()):
            return [f"estimate for {player}: weighted sum"]
        case syntax.Estimate(player, value):
            return [f"estimate for {player}: {print_expression(value)}"]
        case syntax.Unsettled(condition):
            return [f"unsettled if {print_expression(condition)}"]
        case syntax.OrderMoves(key):
            return [f"order moves by {print_expression(key)}"]
        case syntax.Legend(target, entries):
            return block_lines(f"legend {target}", [f'"{entry.text}" = {print_item(entry.value)}' for entry in entries])
        case syntax.Expect(expectation, settings):
            others = f" with {print_bindings(settings)}" if settings else ""
            return [f"expect {_expectation(expectation)}{others}"]
        case syntax.Witness(word, event, settings):
            others = f" with {print_bindings(settings)}" if settings else ""
            return [f"{word} {_event(event)}{others}"]
        case syntax.Test(title, tests):
            return block_lines(f'test "{title}"', map(_test_line, tests))
        case syntax.Tree(root):
            return block_lines("tree", _node_lines("", root))
        case syntax.Table():
            return _table_lines(declaration)
    raise TypeError(f"{declaration} is not a declaration")


def _names(names: Iterable[Name]) -> str:
    return ", ".join(map(str, names))


def _variable(variable: syntax.Variable) -> str:
    indices = ", ".join(
        print_type(index.type) if index.name is None else f"{index.name}: {print_type(index.type)}"
        for index in variable.indices
    )
    text = f"var {variable.name}{f'[{indices}]' if indices else ''}: {print_type(variable.type)}"
    if variable.initial is not None:
        text += f" = {print_expression(variable.initial)}"
    if variable.visibility is not None:
        audience = variable.visibility.audience
        text += f" {variable.visibility.kind}" if audience is None else print_clause("seen by", audience)
    return text


def _claim(claim: syntax.ClaimItem) -> str:
    if claim.by_phase:
        return f"terminates by {{{', '.join(f'{each.phase}: {_measure(each.measure)}' for each in claim.by_phase)}}}"
    if not claim.arguments:
        return claim.property
    if claim.property == "terminates":
        return f"terminates by {_measure(claim.arguments)}"
    return f"{claim.property} {print_item(claim.arguments[0])}"


def _measure(measure: tuple[syntax.Expression, ...]) -> str:
    return f"({print_list(measure)})" if len(measure) > 1 else print_item(measure[0])


def _expectation(expectation: syntax.Expectation) -> str:
    match expectation:
        case syntax.ExpectValue(value, tolerance):
            within = "" if tolerance is None else f" within {print_item(tolerance)}"
            return f"value == {print_item(value)}{within}"
        case syntax.ExpectBest(move):
            return f"best == {_played(move)}"
        case syntax.ExpectCount(what, length, count):
            return f"{what}{'' if length is None else f'({print_item(length)})'} == {print_item(count)}"
        case syntax.ExpectEquilibrium(choices):
            return f"equilibrium ({', '.join(map(_played, choices))})"
        case syntax.ExpectTrue(condition):
            return print_expression(condition)
        case syntax.ExpectEvent(event):
            return _event(event)
        case syntax.ExpectKnows(player, fact, of_value, negated):
            word = f"{'not ' if negated else ''}knows{'_value' if of_value else ''}"
            return f"{word}({print_item(player)}, {print_item(fact)})"
        case syntax.ExpectIllegal(move):
            return f"illegal {_played(move)}"


def _event(event: syntax.Event) -> str:
    match event:
        case syntax.InPosition(condition):
            return print_expression(condition)
        case syntax.InPhase(phase, condition):
            head = f"in {phase}"
        case syntax.AtEnd(outcome, condition):
            head = "end" if outcome is None else f"end {print_outcome(outcome)}"
    return head if condition is None else f"{head} if {print_expression(condition)}"


def _played(move: syntax.PlayedMove) -> str:
    return f"{move.name}{print_arguments(move.arguments)}"


def _test_line(line: syntax.PlayLine | syntax.ExpectLine) -> str:
    if isinstance(line, syntax.PlayLine):
        return f"play {', '.join(map(_played, line.moves))}"
    return f"expect {_expectation(line.expectation)}"


def _node_lines(head: str, node: syntax.TreeNode) -> Lines:
    """``head`` precedes the node on its line."""
    match node:
        case syntax.Leaf(amounts):
            return [f"{head}{print_amounts(amounts)}"]
        case syntax.DecisionNode(player, label, branches):
            lines = [line for name, child in branches for line in _node_lines(f"{name}: ", child)]
            return block_lines(f"{head}{player}{'' if label is None else f' @{label}'}", lines)
        case syntax.ChanceNode(chances):
            lines = []
            for branch in chances:
                lines += _node_lines(f"{print_closed(branch.probability, Level.SUM)} {branch.name}: ", branch.child)
            return block_lines(f"{head}chance", lines)


def _table_lines(table: syntax.Table) -> Lines:
    others = ", ".join(f"{player} = {choice}" for player, choice in table.others)
    heading = " | ".join([f"{table.row_player} \\ {table.column_player}", *map(str, table.columns)])
    rows = [" | ".join([str(row.choice), *(print_list(cell.amounts) for cell in row.cells)]) for row in table.rows]
    return block_lines(f"table {others}" if others else "table", [heading, *rows])
