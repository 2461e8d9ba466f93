"""From trees to canonical text: what :func:`grammar.parse.parse` reads back as an equal tree.

Brackets stand only where the grammar needs them, every block stands on lines of its own, and lines are not broken.
Comments are not printed. A tree that no text has (an ``And`` directly inside an ``And``, a negative ``Number``, a range
as the step of a range) is printed as text that has another tree, or none; a ``match`` in the middle of an expression
raises TypeError.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from fractions import Fraction

from grammar import syntax
from grammar.syntax import Expression, Name, Statement, TypeExpression

STEP = "    "


class Level(IntEnum):
    """How tightly an expression holds together; a looser one than its place asks for is put in brackets."""

    WHERE = 0
    OPEN = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    OPERAND = 6
    INTERVAL = 7
    SUM = 8
    PRODUCT = 9
    SIGNED = 10
    PREFIX = 11
    POSTFIX = 12
    ATOM = 13


_LEVELS: dict[type[Expression], Level] = {
    syntax.Where: Level.WHERE,
    syntax.Quantified: Level.OPEN,
    syntax.Conditional: Level.OPEN,
    syntax.Reach: Level.OPEN,
    syntax.Or: Level.OR,
    syntax.And: Level.AND,
    syntax.Not: Level.NOT,
    syntax.Comparison: Level.COMPARISON,
    syntax.Membership: Level.COMPARISON,
    syntax.IsNone: Level.COMPARISON,
    syntax.Next: Level.OPERAND,
    syntax.Range: Level.INTERVAL,
    syntax.Negation: Level.SIGNED,
    syntax.Other: Level.PREFIX,
    syntax.Field: Level.POSTFIX,
    syntax.Index: Level.POSTFIX,
}


def _level(expression: Expression) -> Level:
    if isinstance(expression, syntax.Arithmetic):
        return Level.SUM if expression.operator in ("+", "-") else Level.PRODUCT
    return _LEVELS.get(type(expression), Level.ATOM)


def print_game(game: syntax.GameFile) -> str:
    """The text of a whole file."""
    lines = [f'game "{game.title}"']
    for declaration in game.declarations:
        printed = print_declaration(declaration)
        if len(printed) > 1:
            lines.append("")
        lines += printed
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- expressions


def print_expression(expression: Expression) -> str:
    """An expression as a whole value, on one line."""
    return _print(expression, Level.WHERE, Level.WHERE)


def _item(expression: Expression) -> str:
    """An expression in a list, where an unbracketed ``where`` would swallow the next comma."""
    return _print(expression, Level.OPEN, Level.OPEN)


def _closed(expression: Expression, level: Level) -> str:
    """An expression that more may follow, so that nothing in it may extend as far right as it can."""
    return _print(expression, level, None)


def _print(expression: Expression, level: Level, tail: Level | None) -> str:
    """An expression where ``level`` is asked for.

    ``tail`` is the level of an open expression's last part if one may end here, and None if none may.
    """
    own = _level(expression)
    fits = own >= level if own is not Level.OPEN else tail is not None and level <= Level.NOT
    if not fits:
        return f"({print_expression(expression)})"
    match expression:
        case syntax.Number(value):
            return _number(value)
        case syntax.Boolean(value):
            return "true" if value else "false"
        case syntax.NoneLiteral():
            return "none"
        case syntax.Reference(name):
            return name
        case syntax.Field(target, name):
            return f"{_closed(target, Level.POSTFIX)}.{name}"
        case syntax.Index(target, arguments):
            return f"{_closed(target, Level.POSTFIX)}[{_list(arguments)}]"
        case syntax.Call(name, arguments):
            return f"{name}({_list(arguments)})"
        case syntax.Other(player):
            return f"other {_closed(player, Level.PREFIX)}"
        case syntax.Next(player, among):
            nested = isinstance(player, syntax.Next) and player.among is None
            behind = "" if among is None else f" in {_closed(among, Level.INTERVAL)}"
            return f"next {_closed(player, Level.OPERAND if nested else Level.PREFIX)}{behind}"
        case syntax.Negation(operand):
            return f"-{_closed(operand, Level.SIGNED)}"
        case syntax.Arithmetic(operator, left, right):
            return f"{_closed(left, own)} {operator} {_closed(right, Level(own + 1))}"
        case syntax.Range(low, high):
            return f"{_closed(low, Level.SUM)}..{_closed(high, Level.SUM)}"
        case syntax.Comparison(operator, left, right):
            return f"{_closed(left, Level.OPERAND)} {operator} {_closed(right, Level.OPERAND)}"
        case syntax.Membership(item, collection, negated):
            word = "not in" if negated else "in"
            return f"{_closed(item, Level.INTERVAL)} {word} {_closed(collection, Level.INTERVAL)}"
        case syntax.IsNone(operand, negated):
            return f"{_closed(operand, Level.OPERAND)} {'is not none' if negated else 'is none'}"
        case syntax.Not(operand):
            return f"not {_print(operand, Level.NOT, tail)}"
        case syntax.And(parts):
            return _chain(" and ", parts, Level.NOT, tail)
        case syntax.Or(parts):
            return _chain(" or ", parts, Level.AND, tail)
        case syntax.Quantified(quantifier, binders, body):
            assert tail is not None
            return f"{quantifier} {_binders(binders)}: {_print(body, tail, tail)}"
        case syntax.Conditional(condition, yes, no):
            assert tail is not None
            head = f"if {print_expression(condition)} then {print_expression(yes)}"
            return f"{head} else {_print(no, tail, tail)}"
        case syntax.Reach(name, start, step):
            assert tail is not None
            return f"reach {name} from {_closed(start, Level.INTERVAL)}: {_print(step, tail, tail)}"
        case syntax.Where(body, bindings):
            return f"{_closed(body, Level.OR)} where {_bindings(bindings)}"
        case syntax.TupleLiteral(items):
            return f"({_list(items)})"
        case syntax.SetLiteral(items):
            return f"{{{_list(items)}}}"
        case syntax.TableLiteral(entries):
            return f"{{{_entries(entries)}}}"
        case syntax.Comprehension(element, generators):
            if element is not None:
                return f"{{{_item(element)} {_generators(generators)}}}"
            return f"{{{_generators(generators).removeprefix('for ')}}}"
    raise TypeError(f"{type(expression).__name__} is no expression that stands within a line")


def _number(value: Fraction) -> str:
    """The decimal of a number, exactly; its denominator divides a power of ten."""
    whole, rest = divmod(value, 1)
    digits = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{whole}.{digits}" if digits else str(whole)


def _chain(word: str, parts: Sequence[Expression], level: Level, tail: Level | None) -> str:
    return word.join([*(_closed(part, level) for part in parts[:-1]), _print(parts[-1], level, tail)])


def _list(expressions: Iterable[Expression]) -> str:
    return ", ".join(_item(expression) for expression in expressions)


def _arguments(arguments: Sequence[Expression]) -> str:
    """The arguments of what may also stand without any."""
    return f"({_list(arguments)})" if arguments else ""


def _amounts(amounts: Sequence[Expression]) -> str:
    """A tuple of payoffs; one of one is a plain expression."""
    return print_expression(amounts[0]) if len(amounts) == 1 else f"({_list(amounts)})"


def _entries(entries: Iterable[tuple[Expression, Expression]]) -> str:
    return ", ".join(f"{_item(key)}: {_item(value)}" for key, value in entries)


def _binders(binders: Iterable[syntax.Binder]) -> str:
    return ", ".join(f"{binder.name} in {_closed(binder.domain, Level.INTERVAL)}" for binder in binders)


def _bindings(bindings: Iterable[syntax.Binding]) -> str:
    return ", ".join(f"{binding.name} = {_item(binding.value)}" for binding in bindings)


def _generators(generators: Iterable[syntax.Generator]) -> str:
    words = []
    for generator in generators:
        words.append(f"for {_binders([generator.binder])}")
        if generator.stop_condition is not None:
            words.append(f"{generator.stop} {print_expression(generator.stop_condition)}")
        words += [f"if {print_expression(test)}" for test in generator.tests]
    return " ".join(words)


# ---------------------------------------------------------------------- types


def print_type(type: TypeExpression) -> str:
    match type:
        case syntax.NamedType(name):
            return name
        case syntax.Enumeration(members, ordered):
            return (" < " if ordered else " | ").join(map(str, members))
        case syntax.RangeType(low, high, step):
            by = "" if step is None else f" by {_closed(step, Level.SUM)}"
            return f"{_closed(low, Level.SUM)}..{_closed(high, Level.SUM)}{by}"
        case syntax.RecordType(fields):
            return f"({', '.join(f'{field.name}: {print_type(field.type)}' for field in fields)})"
        case syntax.OptionalType(inner):
            return f"{print_type(inner)}?"
        case syntax.SetType(element):
            return f"set of {print_type(element)}"
        case syntax.PartType(members):
            return print_expression(members)
        case syntax.BoardType(shape, arguments):
            return f"{shape}({_list(arguments)})"
        case syntax.GraphType(chains):
            return f"graph({', '.join(' - '.join(map(str, chain)) for chain in chains)})"
        case syntax.EdgesType(board):
            return f"edges({print_type(board)})"
    raise TypeError(f"{type} is no type")


def _formals(formals: Sequence[syntax.FormalParameter]) -> str:
    inner = ", ".join(f"{_secret(formal.secret)}{formal.name}: {print_type(formal.type)}" for formal in formals)
    return f"({inner})" if inner else ""


def _secret(secret: bool) -> str:
    return "secret " if secret else ""


# ----------------------------------------------------------------- statements

Lines = list[str]


def _indented(lines: Iterable[str]) -> Lines:
    return [STEP + line for line in lines]


def _block(head: str, lines: Iterable[str]) -> Lines:
    return [f"{head}:", *_indented(lines)]


def _body(statements: Iterable[Statement]) -> Lines:
    return [line for statement in statements for line in print_statement(statement)]


def _value(head: str, value: Expression) -> Lines:
    """What stands behind ``=`` or ``:=``, or a case's colon: an expression, or a ``match`` with its block."""
    if not isinstance(value, syntax.Match):
        return [f"{head} {print_expression(value)}"]
    cases = [line for case in value.cases for line in _value(f"{_patterns(case.patterns)}:", case.body)]
    return _block(f"{head} match {print_expression(value.subject)}", cases)


def _patterns(patterns: Sequence[Expression]) -> str:
    return ", ".join(_closed(pattern, Level.INTERVAL) for pattern in patterns) or "else"


def print_statement(statement: Statement) -> Lines:
    """The lines of a statement."""
    match statement:
        case syntax.Let(name, value):
            return _value(f"let {name} =", value)
        case syntax.LocalVariable(name, type, initial):
            head = f"var {name}: {print_type(type)}"
            return [head] if initial is None else _value(f"{head} =", initial)
        case syntax.Assignment(target, operator, value):
            return _value(f"{print_expression(target)} {operator}", value)
        case syntax.LayoutAssignment(name, rows):
            return [f"{name} := layout", *_indented(f'"{row.text}"' for row in rows)]
        case syntax.If(branches, otherwise):
            lines: Lines = []
            for condition, body in branches:
                lines += _block(f"{'else if' if lines else 'if'} {print_expression(condition)}", _body(body))
            return lines if otherwise is None else lines + _block("else", _body(otherwise))
        case syntax.MatchStatement(subject, cases):
            inner = [line for case in cases for line in _block(_patterns(case.patterns), _body(case.body))]
            return _block(f"match {print_expression(subject)}", inner)
        case syntax.For(binders, guard, body):
            return _block(f"for {_binders(binders)}{_clause('if', guard)}", _body(body))
        case syntax.Go(phase, arguments):
            return [f"go {phase}{_arguments(arguments)}"]
        case syntax.End(outcome):
            return ["end" if outcome is None else f"end {_outcome(outcome)}"]
        case syntax.Earn(player, amount):
            return [f"earn {print_expression(player)}: {print_expression(amount)}"]
        case syntax.Tell(audience, label, arguments):
            return [f"tell {print_expression(audience)} that {label}{_arguments(arguments)}"]
        case syntax.Do(action, arguments):
            return [f"{action}{_arguments(arguments)}"]
    raise TypeError(f"{statement} is no statement")


def _clause(word: str, expression: Expression | None) -> str:
    return "" if expression is None else f" {word} {print_expression(expression)}"


def _outcome(outcome: syntax.Outcome) -> str:
    match outcome:
        case syntax.Win(winners):
            return f"win {print_expression(winners)}"
        case syntax.Draw():
            return "draw"
        case syntax.PayoffMap(entries):
            return f"payoff {{{_entries(entries)}}}"
        case syntax.PayoffComprehension(player, amount, generators):
            return f"payoff {{{_item(player)}: {_item(amount)} {_generators(generators)}}}"
        case syntax.PayoffTuple(amounts):
            return f"payoff {_amounts(amounts)}"


# ------------------------------------------------------------------ decisions


def _decision(decision: syntax.Decision) -> Lines:
    match decision:
        case syntax.Turn(player, preferring, moves):
            best = f" preferring {_amounts(preferring)}" if preferring else ""
            return _block(f"turn {print_expression(player)}{best}", _moves(moves))
        case syntax.Chance(outcomes):
            return _block("chance", [line for outcome in outcomes for line in _chance_outcome(outcome)])
        case syntax.Together(binder, moves, then):
            who = "" if binder is None else f" {_binders([binder])}"
            return _block(f"together{who}", _moves(moves)) + _block("then", _body(then))


def _moves(moves: Iterable[syntax.Move]) -> Lines:
    lines: Lines = []
    for move in moves:
        secret = " secret" if move.secret else ""
        head = f"move {move.name}{_move_formals(move.parameters)}{secret}{_clause('if', move.guard)}"
        head += _clause("ensuring", move.ensuring)
        lines += [head] if move.body is None else _block(head, _body(move.body))
    return lines


def _chance_outcome(outcome: syntax.OutcomeClause) -> Lines:
    head = f"outcome {outcome.name}{_move_formals(outcome.parameters)}{_clause('if', outcome.guard)}"
    head += _clause("weight", outcome.weight) + _clause("prob", outcome.probability)
    return _block(head, _body(outcome.body))


def _move_formals(formals: Sequence[syntax.MoveParameter]) -> str:
    inner = ", ".join(
        f"{_secret(formal.secret)}{formal.name} in {_closed(formal.domain, Level.INTERVAL)}" for formal in formals
    )
    return f"({inner})" if inner else ""


# --------------------------------------------------------------- declarations


def print_declaration(declaration: syntax.Declaration) -> Lines:
    """The lines of a declaration."""
    match declaration:
        case syntax.Players(names):
            return [f"players {_names(names)}"]
        case syntax.PlayerCount(low, high, default):
            bounds = f"{_closed(low, Level.SUM)}..{_closed(high, Level.SUM)}"
            return [f"players {bounds} = {print_expression(default)}"]
        case syntax.Parameter(name, domain, default):
            return [f"param {name}: {print_type(domain)} = {print_expression(default)}"]
        case syntax.Require(condition):
            return [f"require {print_expression(condition)}"]
        case syntax.TypeDeclaration(name, definition):
            return [f"type {name} = {print_type(definition)}"]
        case syntax.Variable():
            return [_variable(declaration)]
        case syntax.Define(name, parameters, body):
            return _value(f"define {name}{_formals(parameters)} =", body)
        case syntax.Action(name, parameters, block):
            return _block(f"action {name}{_formals(parameters)}", _body(block))
        case syntax.Setup(block):
            return _block("setup", _body(block))
        case syntax.Start(phase, arguments):
            return [f"start at {phase}{_arguments(arguments)}"]
        case syntax.Phase(name, parameters, entry, decision, otherwise):
            lines = _body(entry) + ([] if decision is None else _decision(decision))
            lines += [] if otherwise is None else _block("otherwise", _body(otherwise))
            return _block(f"phase {name}{_formals(parameters)}", lines)
        case syntax.Claim(claims):
            return [f"claim {', '.join(map(_claim, claims))}"]
        case syntax.Endless(outcome):
            return [f"endless {_outcome(outcome)}"]
        case syntax.Discount(factor):
            return [f"discount {print_expression(factor)}"]
        case syntax.Estimate(player, value):
            return [f"estimate for {player}: {print_expression(value)}"]
        case syntax.Unsettled(condition):
            return [f"unsettled if {print_expression(condition)}"]
        case syntax.OrderMoves(key):
            return [f"order moves by {print_expression(key)}"]
        case syntax.Legend(variable, entries):
            return _block(f"legend {variable}", [f'"{entry.character}" = {_item(entry.value)}' for entry in entries])
        case syntax.Expect(expectation, settings):
            others = f" with {_bindings(settings)}" if settings else ""
            return [f"expect {_expectation(expectation)}{others}"]
        case syntax.Test(title, tests):
            return _block(f'test "{title}"', map(_test_line, tests))
        case syntax.Tree(root):
            return _block("tree", _tree_node("", root))
        case syntax.Table():
            return _table(declaration)
    raise TypeError(f"{declaration} is no declaration")


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
        text += f" {variable.visibility.kind}" if audience is None else _clause("seen by", audience)
    return text


def _claim(claim: syntax.ClaimItem) -> str:
    if not claim.arguments:
        return claim.property
    if claim.property == "terminates":
        by = f"({_list(claim.arguments)})" if len(claim.arguments) > 1 else _item(claim.arguments[0])
        return f"terminates by {by}"
    return f"{claim.property} {_item(claim.arguments[0])}"


def _expectation(expectation: syntax.Expectation) -> str:
    match expectation:
        case syntax.ExpectValue(value, tolerance):
            within = "" if tolerance is None else f" within {_item(tolerance)}"
            return f"value == {_item(value)}{within}"
        case syntax.ExpectBest(move):
            return f"best == {_played(move)}"
        case syntax.ExpectCount(what, length, count):
            return f"{what}{'' if length is None else f'({_item(length)})'} == {_item(count)}"
        case syntax.ExpectEquilibrium(choices):
            return f"equilibrium ({', '.join(map(_played, choices))})"
        case syntax.ExpectTrue(condition):
            return print_expression(condition)
        case syntax.ExpectKnows(player, fact):
            return f"knows({_item(player)}, {_item(fact)})"
        case syntax.ExpectIllegal(move):
            return f"illegal {_played(move)}"


def _played(move: syntax.PlayedMove) -> str:
    return f"{move.name}{_arguments(move.arguments)}"


def _test_line(line: syntax.PlayLine | syntax.ExpectLine) -> str:
    if isinstance(line, syntax.PlayLine):
        return f"play {', '.join(map(_played, line.moves))}"
    return f"expect {_expectation(line.expectation)}"


# ----------------------------------------------------------- trees and tables


def _tree_node(head: str, node: syntax.TreeNode) -> Lines:
    """``head`` is what stands before the node on its line."""
    match node:
        case syntax.Leaf(amounts):
            return [f"{head}{_amounts(amounts)}"]
        case syntax.DecisionNode(player, label, branches):
            lines = [line for name, child in branches for line in _tree_node(f"{name}: ", child)]
            return _block(f"{head}{player}{'' if label is None else f' @{label}'}", lines)
        case syntax.ChanceNode(chances):
            lines = []
            for branch in chances:
                lines += _tree_node(f"{_closed(branch.probability, Level.SUM)} {branch.name}: ", branch.child)
            return _block(f"{head}chance", lines)


def _table(table: syntax.Table) -> Lines:
    others = ", ".join(f"{player} = {choice}" for player, choice in table.others)
    heading = " | ".join([f"{table.row_player} \\ {table.column_player}", *map(str, table.columns)])
    rows = [" | ".join([str(row.choice), *(_list(cell.amounts) for cell in row.cells)]) for row in table.rows]
    return _block(f"table {others}" if others else "table", [heading, *rows])


__all__ = ["print_declaration", "print_expression", "print_game", "print_statement", "print_type"]
