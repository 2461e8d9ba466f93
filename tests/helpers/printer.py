"""From trees to canonical text, which :func:`zermelo.grammar.parse.parse` reads back as an equal tree.

Brackets are printed only where the grammar needs them, every block is on lines of its own, and lines are not broken.
Comments are not printed. A tree that no text has (an ``And`` directly inside an ``And``, a negative ``Number``, a range
as the step of a range) is printed as text with another tree, or none; a ``match`` in the middle of an expression raises
TypeError.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from fractions import Fraction

from zermelo.grammar import syntax
from zermelo.grammar.syntax import Expression, Name, Statement, TypeExpression


def print_game(game: syntax.GameFile) -> str:
    """The text of a whole file."""
    languages = [each for each in game.declarations if isinstance(each, syntax.Language)]
    lines = [f"language {_number(each.edition.value)}" for each in languages] + [f'game "{game.title}"']
    for declaration in game.declarations[len(languages) :]:
        printed = print_declaration(declaration)
        if len(printed) > 1:
            lines.append("")
        lines += printed
    return "\n".join(lines) + "\n"


# Expressions and types as text on one line, with brackets only where the grammar needs them.


class Level(IntEnum):
    """The precedence of an expression; one looser than its place asks for is put in brackets."""

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


def _declared(name: Name) -> str:
    """A name where it is declared, with its display name."""
    return f'{name} "{name.shown}"' if name.shown else str(name)


def print_expression(expression: Expression) -> str:
    """An expression as a whole value, on one line."""
    return _print(expression, Level.WHERE, Level.WHERE)


def print_item(expression: Expression) -> str:
    """An expression in a list, where an unbracketed ``where`` would swallow the next comma."""
    return _print(expression, Level.OPEN, Level.OPEN)


def print_closed(expression: Expression, level: Level) -> str:
    """An expression that more may follow, so that no open expression may end it."""
    return _print(expression, level, None)


def _print(expression: Expression, level: Level, tail: Level | None) -> str:
    """An expression in a place of precedence ``level``.

    ``tail`` is the level of the last part of an open expression if one may end here, else None.
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
            return f"{print_closed(target, Level.POSTFIX)}.{name}"
        case syntax.Index(target, arguments):
            return f"{print_closed(target, Level.POSTFIX)}[{print_list(arguments)}]"
        case syntax.Call(name, arguments):
            return f"{name}({print_list(arguments)})"
        case syntax.Other(player):
            return f"other {print_closed(player, Level.PREFIX)}"
        case syntax.Next(player, among):
            nested = isinstance(player, syntax.Next) and player.among is None
            rest = "" if among is None else f" in {print_closed(among, Level.INTERVAL)}"
            return f"next {print_closed(player, Level.OPERAND if nested else Level.PREFIX)}{rest}"
        case syntax.Negation(operand):
            return f"-{print_closed(operand, Level.SIGNED)}"
        case syntax.Arithmetic(operator, left, right):
            return f"{print_closed(left, own)} {operator} {print_closed(right, Level(own + 1))}"
        case syntax.Range(low, high):
            return f"{print_closed(low, Level.SUM)}..{print_closed(high, Level.SUM)}"
        case syntax.Comparison(operator, left, right):
            return f"{print_closed(left, Level.OPERAND)} {operator} {print_closed(right, Level.OPERAND)}"
        case syntax.Membership(item, collection, negated):
            word = "not in" if negated else "in"
            return f"{print_closed(item, Level.INTERVAL)} {word} {print_closed(collection, Level.INTERVAL)}"
        case syntax.IsNone(operand, negated):
            return f"{print_closed(operand, Level.OPERAND)} {'is not none' if negated else 'is none'}"
        case syntax.Not(operand):
            return f"not {_print(operand, Level.NOT, tail)}"
        case syntax.And(parts):
            return _chain(" and ", parts, Level.NOT, tail)
        case syntax.Or(parts):
            return _chain(" or ", parts, Level.AND, tail)
        case syntax.Quantified(quantifier, binders, body):
            assert tail is not None
            return f"{quantifier} {print_binders(binders)}: {_print(body, tail, tail)}"
        case syntax.Conditional(condition, yes, no):
            assert tail is not None
            head = f"if {print_expression(condition)} then {print_expression(yes)}"
            return f"{head} else {_print(no, tail, tail)}"
        case syntax.Reach(name, start, step):
            assert tail is not None
            return f"reach {name} from {print_closed(start, Level.INTERVAL)}: {_print(step, tail, tail)}"
        case syntax.Where(body, bindings):
            return f"{print_closed(body, Level.OR)} where {print_bindings(bindings)}"
        case syntax.TupleLiteral(items):
            return f"({print_list(items)})"
        case syntax.SetLiteral(items):
            return f"{{{print_list(items)}}}"
        case syntax.TableLiteral(entries):
            return f"{{{print_entries(entries)}}}"
        case syntax.Comprehension(element, generators):
            if element is not None:
                return f"{{{print_item(element)} {print_generators(generators)}}}"
            return f"{{{print_generators(generators).removeprefix('for ')}}}"
    raise TypeError(f"{type(expression).__name__} is not an expression that fits on a line")


def _number(value: Fraction) -> str:
    """The decimal of a number, exactly; its denominator divides a power of ten."""
    whole, rest = divmod(value, 1)
    digits = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{whole}.{digits}" if digits else str(whole)


def _chain(word: str, parts: Sequence[Expression], level: Level, tail: Level | None) -> str:
    return word.join([*(print_closed(part, level) for part in parts[:-1]), _print(parts[-1], level, tail)])


def print_list(expressions: Iterable[Expression]) -> str:
    return ", ".join(print_item(expression) for expression in expressions)


def print_arguments(arguments: Sequence[Expression]) -> str:
    """Arguments with their brackets; nothing if there are none."""
    return f"({print_list(arguments)})" if arguments else ""


def print_amounts(amounts: Sequence[Expression]) -> str:
    """A tuple of payoffs; a single one is printed without brackets."""
    return print_expression(amounts[0]) if len(amounts) == 1 else f"({print_list(amounts)})"


def print_entries(entries: Iterable[tuple[Expression, Expression]]) -> str:
    return ", ".join(f"{print_item(key)}: {print_item(value)}" for key, value in entries)


def print_binders(binders: Iterable[syntax.Binder]) -> str:
    return ", ".join(f"{binder.name} in {print_closed(binder.domain, Level.INTERVAL)}" for binder in binders)


def print_bindings(bindings: Iterable[syntax.Binding]) -> str:
    return ", ".join(f"{binding.name} = {print_item(binding.value)}" for binding in bindings)


def print_generators(generators: Iterable[syntax.Generator]) -> str:
    words = []
    for generator in generators:
        words.append(f"for {print_binders([generator.binder])}")
        if generator.stop_condition is not None:
            words.append(f"{generator.stop} {print_expression(generator.stop_condition)}")
        words += [f"if {print_expression(test)}" for test in generator.tests]
    return " ".join(words)


def print_clause(word: str, expression: Expression | None) -> str:
    return "" if expression is None else f" {word} {print_expression(expression)}"


def print_type(type: TypeExpression) -> str:
    match type:
        case syntax.NamedType(name):
            return name
        case syntax.Enumeration(members, ordered):
            return (" < " if ordered else " | ").join(map(_declared, members))
        case syntax.RangeType(low, high, step):
            by = "" if step is None else f" by {print_closed(step, Level.SUM)}"
            return f"{print_closed(low, Level.SUM)}..{print_closed(high, Level.SUM)}{by}"
        case syntax.RecordType(fields):
            return f"({', '.join(f'{field.name}: {print_type(field.type)}' for field in fields)})"
        case syntax.OptionalType(inner):
            return f"{print_type(inner)}?"
        case syntax.SetType(element):
            return f"set of {print_type(element)}"
        case syntax.PartType(members):
            return print_expression(members)
        case syntax.BoardType(shape, arguments):
            return f"{shape}({print_list(arguments)})"
        case syntax.GraphType(chains):
            return f"graph({', '.join(' - '.join(map(str, chain)) for chain in chains)})"
        case syntax.EdgesType(board):
            return f"edges({print_type(board)})"
    raise TypeError(f"{type} is not a type")


def print_formals(formals: Sequence[syntax.FormalParameter]) -> str:
    inner = ", ".join(f"{print_secret(formal.secret)}{formal.name}: {print_type(formal.type)}" for formal in formals)
    return f"({inner})" if inner else ""


def print_secret(secret: bool) -> str:
    return "secret " if secret else ""


# Statements and decisions as lines.


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
        case syntax.PayoffMap(entries, largest_wins):
            return f"{'by' if largest_wins else 'payoff'} {{{print_entries(entries)}}}"
        case syntax.PayoffComprehension(player, amount, generators, largest_wins):
            word = "by" if largest_wins else "payoff"
            return f"{word} {{{print_item(player)}: {print_item(amount)} {print_generators(generators)}}}"
        case syntax.PayoffTuple(amounts):
            return f"payoff {print_amounts(amounts)}"
        case syntax.PayoffTo(player, amount):
            return f"payoff {print_expression(player)}: {print_expression(amount)}"


def decision_lines(decision: syntax.Decision) -> Lines:
    match decision:
        case syntax.Turn(player, clauses, moves):
            told = "".join(f" {clause.word} {print_amounts(clause.values)}" for clause in clauses)
            return block_lines(f"turn {print_expression(player)}{told}", _moves(moves))
        case syntax.Chance(outcomes, binders, guard, then):
            drawn = [line for outcome in outcomes for line in _chance_outcome(outcome)]
            if not binders:
                return block_lines("chance", drawn)
            head = f"chance for {print_binders(binders)}{print_clause('if', guard)}"
            return block_lines(head, drawn) + block_lines("then", body_lines(then))
        case syntax.Together(binder, moves, then):
            who = "" if binder is None else f" {print_binders([binder])}"
            return block_lines(f"together{who}", _moves(moves)) + block_lines("then", body_lines(then))


def _moves(moves: Iterable[syntax.Move]) -> Lines:
    lines: Lines = []
    for move in moves:
        secret = " secret" if move.secret else ""
        head = f"move {_declared(move.name)}{_move_formals(move.parameters)}{secret}{print_clause('if', move.guard)}"
        head += print_clause("ensuring", move.ensuring)
        lines += [head] if move.body is None else block_lines(head, body_lines(move.body))
    return lines


def _chance_outcome(outcome: syntax.OutcomeClause) -> Lines:
    head = f"outcome {_declared(outcome.name)}{_move_formals(outcome.parameters)}{print_clause('if', outcome.guard)}"
    head += print_clause("weight", outcome.weight) + print_clause("prob", outcome.probability)
    return block_lines(head, body_lines(outcome.body))


def _move_formals(formals: Sequence[syntax.MoveParameter]) -> str:
    inner = ", ".join(
        f"{print_secret(formal.secret)}{formal.name} in {print_closed(formal.domain, Level.INTERVAL)}"
        f"{'?' if formal.is_optional else ''}"
        for formal in formals
    )
    return f"({inner})" if inner else ""


# Declarations, trees and tables as lines.


def print_declaration(declaration: syntax.Declaration) -> Lines:
    """The lines of a declaration."""
    match declaration:
        case syntax.Players(names):
            return [f"players {', '.join(map(_declared, names))}"]
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
        case syntax.Drawn(target, look, entries):
            head = f"drawn {target} as{'' if look is None else f' {_look(look)}'}"
            if not entries:
                return [head]
            return block_lines(head, [f"{print_item(entry.value)} = {_look(entry.look)}" for entry in entries])
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


def _variable(variable: syntax.Variable) -> str:
    indices = ", ".join(
        print_type(index.type) if index.name is None else f"{index.name}: {print_type(index.type)}"
        for index in variable.indices
    )
    text = f"var {_declared(variable.name)}{f'[{indices}]' if indices else ''}: {print_type(variable.type)}"
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


def _look(look: syntax.Look) -> str:
    return " ".join(f'"{word.text}"' if word.is_quoted else word.text for word in look.words)


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
            lines = [line for name, child in branches for line in _node_lines(f"{_declared(name)}: ", child)]
            return block_lines(f"{head}{player}{'' if label is None else f' @{label}'}", lines)
        case syntax.ChanceNode(chances):
            lines = []
            for branch in chances:
                lines += _node_lines(
                    f"{print_closed(branch.probability, Level.SUM)} {_declared(branch.name)}: ", branch.child
                )
            return block_lines(f"{head}chance", lines)


def _table_lines(table: syntax.Table) -> Lines:
    others = ", ".join(f"{player} = {choice}" for player, choice in table.others)
    heading = " | ".join([f"{table.row_player} \\ {table.column_player}", *map(_declared, table.columns)])
    rows = [
        " | ".join([_declared(row.choice), *(print_list(cell.amounts) for cell in row.cells)]) for row in table.rows
    ]
    return block_lines(f"table {others}" if others else "table", [heading, *rows])
