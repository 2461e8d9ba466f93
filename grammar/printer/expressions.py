"""Expressions and types as text on one line, with brackets only where the grammar needs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from fractions import Fraction

from zermelo.grammar import syntax
from zermelo.grammar.syntax import Expression, TypeExpression


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
            return (" < " if ordered else " | ").join(map(str, members))
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
