"""The diagnosis of syntax errors: what was probably meant.

The parser knows where it stopped and which words it expected, but that is seldom where a person went wrong: ``trun p:``
is a fine beginning of a statement, and fails at ``p``. So the diagnosis tries repairs, as a person would: another word
for the last one or the one before, a colon at the end of the line, a closing bracket, ``==`` for ``=``. Each is tried
on a copy of the text; the repair that lets the parser get furthest, and at least past its line, names the slip and is
offered as the fix. Since it was parsed successfully, a fix is never a guess at the grammar, only at the intention; and
the parser goes on from there, so that one run finds several slips of a declaration.

Some slips have no single repair and are recognised by the words around the stop: comparisons in a chain, a quantifier
after an operator, effects of a move of ``together``. If nothing helps, the message lists the expected words.

Cost: some ten to twenty readings of one declaration for each slip in it; a declaration longer than ``LONGEST`` gets the
plain message.
"""

from __future__ import annotations

import lark

from zermelo.grammar.diagnostics import Fix, Label
from zermelo.grammar.engine import Engine
from zermelo.grammar.layout import Chunk
from zermelo.grammar.mistake import Mistake
from zermelo.grammar.repairs import Repair, repairs
from zermelo.grammar.stop import Stop, span_of, stop_of
from zermelo.grammar.words import NAMES, NOT_NEEDED, PLACES

LONGEST = 20_000
"""The longest declaration, in characters, on which repairs are tried."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "is")
OPERATORS = (*COMPARISONS, "+", "-", "*", "/", "//", "%", "..")
OPERATOR_TERMINALS = frozenset(
    {"AND", "OR", "IN", "IS", "NOT", "WHERE", "EQUALS", "DIFFERS", "LESSTHAN", "AT_MOST", "MORETHAN", "AT_LEAST"}
    | {"PLUS", "MINUS", "STAR", "SLASH", "FLOOR", "PERCENT", "DOTS", "DOT", "LPAR", "LSQB"}
)
OPEN_WORDS = ("some", "all", "no", "count", "sum", "min", "max", "first", "last", "if", "reach", "not")


def diagnose(engine: Engine, chunk: Chunk, error: lark.UnexpectedInput) -> tuple[Mistake, Chunk | None]:
    """The mistake that caused an error of the parser, and the chunk with its repair, if there is a likely one."""
    stop = stop_of(engine.layout, error)
    mistake = _unrepairable(stop)
    if mistake is None and len(chunk.text) <= LONGEST:
        repair = _best(engine, stop)
        if repair is not None:
            return _repaired(chunk, repair), chunk.edited(repair.start, repair.end, repair.replacement)
    return mistake or _plain(engine, stop), None


def _best(engine: Engine, stop: Stop) -> Repair | None:
    """The repair that lets the parser get furthest, if that is far enough."""
    best, furthest = None, stop.word.end
    for repair in repairs(engine, stop):
        reached = engine.progress(stop.chunk.edited(repair.start, repair.end, repair.replacement))
        if reached is None:
            return repair
        reached += (repair.end - repair.start) - len(repair.replacement)
        if reached > furthest and (repair.sure or reached > stop.line_end):
            best, furthest = repair, reached
    return best


def _repaired(chunk: Chunk, repair: Repair) -> Mistake:
    span = chunk.span(repair.start, repair.end)
    fix = Fix(span, repair.replacement, repair.help, repair.safe) if repair.certain else None
    shown = span if repair.shown is None else span_of(chunk, repair.shown)
    return Mistake(repair.code, shown, repair.message, help=repair.help, fix=fix)


# ------------------------------------------------------- slips without a single repair


def _unrepairable(stop: Stop) -> Mistake | None:
    text, chunk = stop.chunk.text, stop.chunk
    if stop.word.kind == "" and stop.word.text == '"':
        return Mistake(
            "unterminated-text",
            chunk.span(stop.word.start, len(text[: stop.line_end].rstrip())),
            "this quoted text is not closed",
            help='write the closing " on the same line',
        )
    if stop.word.text in COMPARISONS and {"AND", "OR"} <= stop.expected:
        first = next((word for word in reversed(stop.before) if word.text in COMPARISONS), None)
        if first is not None:
            return Mistake(
                "chained-comparison",
                span_of(chunk, stop.word),
                "comparisons do not chain",
                remark="a second comparison",
                labels=(Label(span_of(chunk, first), "the first comparison"),),
                help="compare twice, joined by and: 1 < x and x < 4; or put one comparison in brackets",
            )
    if len(stop.before) > 1 and stop.previous.text in OPEN_WORDS and stop.before[-2].text in OPERATORS:
        word, operator = stop.previous, stop.before[-2]
        if (operator.text, word.text) != ("is", "not"):
            return Mistake(
                "ambiguous-comparison",
                span_of(chunk, word),
                f"'{word.text}' after '{operator.text}' needs brackets",
                remark="extends as far right as it can",
                labels=(Label(span_of(chunk, operator)),),
                help=f"put brackets around it: {operator.text} ({word.text} ...)",
            )
    if stop.before[:1] and stop.before[0].text == "tree" and _pays_inside(stop):
        return Mistake(
            "syntax",
            span_of(chunk, stop.word if stop.word.text else stop.previous),
            "in a tree, payoffs stand only at the ends",
            help="add this one to those of all ends below",
        )
    if stop.word.text == ":" and "_NL" in stop.expected and (name := _move_of(stop)):
        return Mistake(
            "syntax",
            span_of(chunk, stop.word),
            "a move of 'together' has no effects of its own",
            help="write the effects of all choices under 'then:', in the column of 'together'; "
            f"{name}[p] is what p has chosen",
        )
    return None


def _pays_inside(stop: Stop) -> bool:
    """Whether a node of a tree, and not an end, is given a payoff."""
    text = stop.chunk.text
    if stop.word.kind == "_INDENT":
        return text[stop.previous.end :].lstrip().startswith("earn ")
    node_follows = text[stop.word.start : stop.line_end].partition("#")[0].rstrip().endswith(":")
    return stop.word.text == "earn" or (stop.previous.text == ")" and stop.word.kind == "NAME" and node_follows)


def _move_of(stop: Stop) -> str:
    """The name of the move in whose head the reading stopped; empty for another line."""
    begin = stop.chunk.text.rfind("\n", 0, stop.word.start) + 1
    line = [word.text for word in stop.before if word.start >= begin]
    return line[1] if line[:1] == ["move"] and len(line) > 1 and ":" not in line else ""


# ------------------------------------------------------------------------ plain messages


def _plain(engine: Engine, stop: Stop) -> Mistake:
    word, chunk = stop.word, stop.chunk
    if stop.word.kind == "":
        message = f"the character '{word.text}' means nothing here"
        help = f"{NAMES}; other characters belong in texts and comments"
        return Mistake("unknown-character", span_of(chunk, word), message, help=help)
    if (said := _of_other_lists(engine, stop)) is not None:
        return Mistake("syntax", span_of(chunk, word), said[0], help=said[1])
    for culprit in [stop.previous, word] if _begins_statement(stop) else [word]:
        if culprit.text in NOT_NEEDED:
            message = f"there is no '{culprit.text}' in this language"
            return Mistake("foreign-word", span_of(chunk, culprit), message, help=NOT_NEEDED[culprit.text])
        if culprit.text == "//":
            message, fix = "'//' divides; a comment begins with '#'", Fix(span_of(chunk, culprit), "#", "write '#'")
            return Mistake("foreign-word", span_of(chunk, culprit), message, help="write '#'", fix=fix)
        if culprit.text in PLACES:
            message = f"'{culprit.text}' cannot stand here"
            return Mistake("syntax", span_of(chunk, culprit), message, help=PLACES[culprit.text])
    if not word.text:
        message = f"something is missing after '{stop.previous.text}'"
        return Mistake("syntax", span_of(chunk, stop.previous), message, help=_expectation(engine, stop))
    if stop.expected <= {"COLON", "LSQB"} and word.text in ("=", ",", ")"):
        name = stop.before[1] if stop.previous.text == "]" else stop.previous
        help = f"write it after a colon: {chunk.text[name.start : stop.previous.end]}: 0..9"
        return Mistake("syntax", span_of(chunk, name), f"the type of '{name.text}' is missing", help=help)
    return Mistake("syntax", span_of(chunk, word), f"'{word.text}' cannot stand here", help=_expectation(engine, stop))


def _of_other_lists(engine: Engine, stop: Stop) -> tuple[str, str] | None:
    """The message and the help for what other languages do with lists and tables, and this one does otherwise."""
    word = stop.word.text
    if word == "for" and stop.open and stop.open[-1].text == "{":
        return (
            "a table {key: value, ...} is written out, without 'for'",
            "for a value of each key, write define worth(i: 1..3) = ..., or in 'setup': for i in 1..3: pile[i] := ...",
        )
    if word == "[" and [before.text for before in stop.before[-2:-1]] == ["var"]:
        return "a local variable has no entries", "declare it at the left margin, and clear it after use"
    if word == "|" and [engine.literals.get(terminal) for terminal in stop.expected] == ["\\"]:
        return "a table has two players", r"write ROW \ COLUMN first; the choices of one player alone make a tree"
    return None


def _begins_statement(stop: Stop) -> bool:
    """Whether the word before the stop was read as a name but begins a line, so that a statement's keyword was
    meant."""
    line = stop.chunk.text[: stop.previous.start].rpartition("\n")[2]
    return stop.previous.kind == "NAME" and (not line.strip() or line.rstrip().endswith(":"))


def _expectation(engine: Engine, stop: Stop) -> str:
    """The expected words as a help line; empty if they are too many."""
    if not stop.before:
        return "a line at the left margin begins a declaration; indent it if it belongs to the one above"
    expected = set(stop.expected)
    kinds = []
    if {"NUMBER", "LPAR"} <= expected:
        kinds.append("a value")
    elif "NAME" in expected:
        kinds.append("a name")
    if "TEXT" in expected:
        kinds.append("a text in quotes")
    if "_NL" in expected:
        kinds.append("the end of the line")
    if {"PLUS", "AND"} & expected and "NUMBER" not in expected:
        kinds.append("an operator")
        expected -= OPERATOR_TERMINALS
    if "NUMBER" not in expected:
        kinds += sorted(f"'{engine.literals[terminal]}'" for terminal in expected if terminal in engine.literals)
    if not kinds or len(kinds) > 6:
        return ""
    if stop.new_line and "_NL" in expected:
        return "it is indented deeper than the line before it, so it continues that line"
    *others, last = kinds
    return f"expected here: {', '.join(others)}{' or ' if others else ''}{last}"
