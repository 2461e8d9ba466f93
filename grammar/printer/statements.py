"""Statements and decisions as lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.grammar import syntax
from zermelo.grammar.printer.expressions import (
    Level,
    print_amounts,
    print_arguments,
    print_binders,
    print_clause,
    print_closed,
    print_entries,
    print_expression,
    print_generators,
    print_item,
    print_secret,
    print_type,
)
from zermelo.grammar.syntax import Expression, Statement

STEP = "    "

Lines = list[str]


def indented(lines: Iterable[str]) -> Lines:
    return [STEP + line for line in lines]


def block_lines(head: str, lines: Iterable[str]) -> Lines:
    return [f"{head}:", *indented(lines)]


def body_lines(statements: Iterable[Statement]) -> Lines:
    return [line for statement in statements for line in print_statement(statement)]


def value_lines(head: str, value: Expression) -> Lines:
    """``head`` and the value after its ``=``, ``:=`` or colon: an expression, or a ``match`` with its block."""
    if not isinstance(value, syntax.Match):
        return [f"{head} {print_expression(value)}"]
    cases = [line for case in value.cases for line in value_lines(f"{_patterns(case.patterns)}:", case.body)]
    return block_lines(f"{head} match {print_expression(value.subject)}", cases)


def _patterns(patterns: Sequence[Expression]) -> str:
    return ", ".join(print_closed(pattern, Level.INTERVAL) for pattern in patterns) or "else"


def print_statement(statement: Statement) -> Lines:
    """The lines of a statement."""
    match statement:
        case syntax.Let(name, value):
            return value_lines(f"let {name} =", value)
        case syntax.LocalVariable(name, type, initial):
            head = f"var {name}: {print_type(type)}"
            return [head] if initial is None else value_lines(f"{head} =", initial)
        case syntax.Assignment(target, operator, value):
            return value_lines(f"{print_expression(target)} {operator}", value)
        case syntax.LayoutAssignment(name, rows):
            return [f"{name} := layout", *indented(f'"{row.text}"' for row in rows)]
        case syntax.If(branches, otherwise):
            lines: Lines = []
            for condition, body in branches:
                lines += block_lines(f"{'else if' if lines else 'if'} {print_expression(condition)}", body_lines(body))
            return lines if otherwise is None else lines + block_lines("else", body_lines(otherwise))
        case syntax.MatchStatement(subject, cases):
            inner = [line for case in cases for line in block_lines(_patterns(case.patterns), body_lines(case.body))]
            return block_lines(f"match {print_expression(subject)}", inner)
        case syntax.For(binders, guard, body):
            return block_lines(f"for {print_binders(binders)}{print_clause('if', guard)}", body_lines(body))
        case syntax.Go(phase, arguments):
            return [f"go {phase}{print_arguments(arguments)}"]
        case syntax.End(outcome):
            return ["end" if outcome is None else f"end {print_outcome(outcome)}"]
        case syntax.Earn(player, amount):
            return [f"earn {print_expression(player)}: {print_expression(amount)}"]
        case syntax.Tell(audience, label, arguments):
            return [f"tell {print_expression(audience)} that {label}{print_arguments(arguments)}"]
        case syntax.Reveal(value, audience):
            return [f"reveal {print_expression(value)}{print_clause('to', audience)}"]
        case syntax.Do(action, arguments):
            return [f"{action}{print_arguments(arguments)}"]
    raise TypeError(f"{statement} is not a statement")


def print_outcome(outcome: syntax.Outcome) -> str:
    match outcome:
        case syntax.Win(winners):
            return f"win {print_expression(winners)}"
        case syntax.Draw():
            return "draw"
        case syntax.PayoffMap(entries):
            return f"payoff {{{print_entries(entries)}}}"
        case syntax.PayoffComprehension(player, amount, generators):
            return f"payoff {{{print_item(player)}: {print_item(amount)} {print_generators(generators)}}}"
        case syntax.PayoffTuple(amounts):
            return f"payoff {print_amounts(amounts)}"


def decision_lines(decision: syntax.Decision) -> Lines:
    match decision:
        case syntax.Turn(player, clauses, moves):
            told = "".join(f" {clause.word} {print_amounts(clause.values)}" for clause in clauses)
            return block_lines(f"turn {print_expression(player)}{told}", _moves(moves))
        case syntax.Chance(outcomes):
            return block_lines("chance", [line for outcome in outcomes for line in _chance_outcome(outcome)])
        case syntax.Together(binder, moves, then):
            who = "" if binder is None else f" {print_binders([binder])}"
            return block_lines(f"together{who}", _moves(moves)) + block_lines("then", body_lines(then))


def _moves(moves: Iterable[syntax.Move]) -> Lines:
    lines: Lines = []
    for move in moves:
        secret = " secret" if move.secret else ""
        head = f"move {move.name}{_move_formals(move.parameters)}{secret}{print_clause('if', move.guard)}"
        head += print_clause("ensuring", move.ensuring)
        lines += [head] if move.body is None else block_lines(head, body_lines(move.body))
    return lines


def _chance_outcome(outcome: syntax.OutcomeClause) -> Lines:
    head = f"outcome {outcome.name}{_move_formals(outcome.parameters)}{print_clause('if', outcome.guard)}"
    head += print_clause("weight", outcome.weight) + print_clause("prob", outcome.probability)
    return block_lines(head, body_lines(outcome.body))


def _move_formals(formals: Sequence[syntax.MoveParameter]) -> str:
    inner = ", ".join(
        f"{print_secret(formal.secret)}{formal.name} in {print_closed(formal.domain, Level.INTERVAL)}"
        for formal in formals
    )
    return f"({inner})" if inner else ""
