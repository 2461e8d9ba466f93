"""What was probably meant where a text is no sentence of the language.

The parser knows where it stopped and which words it would have gone on with, but that is seldom where a person went
wrong: ``trun p:`` is a fine beginning of a statement, and fails at ``p``. So the diagnosis tries repairs, as a person
would: another word for the last one or the one before, a colon at the end of the line, a closing bracket, ``==`` for
``=``. Each is made on a copy of the text and read; the repair with which the reading gets furthest, and at least past
its line, says what the slip was and is offered as the fix. Since it was read successfully, a fix is never a guess at
the grammar, only at the intention; and what follows can be read, so that one run finds several slips of a declaration.

Some slips have no single repair and are recognised by the words around the stop: comparisons in a chain, a quantifier
behind an operator, effects of a move that several choose together. Where nothing helps, the message says what could
have stood there.

Cost: some ten to twenty readings of one declaration for every slip in it; a declaration longer than ``LONGEST`` gets
the plain message.
"""

from __future__ import annotations

import lark

from zermelo.grammar.diagnostics import Fix, Label
from zermelo.grammar.engine import Engine
from zermelo.grammar.layout import Chunk
from zermelo.grammar.mistake import Mistake
from zermelo.grammar.repairs import Repair, repairs
from zermelo.grammar.stop import Stop, span_of, stopped
from zermelo.grammar.words import NOT_NEEDED, PLACES

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
    """The mistake behind an error of the parser, and the chunk with its repair, if there is a likely one."""
    stop = stopped(engine.layout, error)
    mistake = _unrepairable(stop)
    if mistake is None and len(chunk.text) <= LONGEST:
        repair = _best(engine, stop)
        if repair is not None:
            return _repaired(chunk, repair), chunk.edited(repair.start, repair.end, repair.replacement)
    return mistake or _plain(engine, stop), None


def _best(engine: Engine, stop: Stop) -> Repair | None:
    """The repair with which the reading gets furthest, if that is far enough."""
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
    fix = Fix(span, repair.replacement, repair.help) if repair.certain else None
    shown = span if repair.shown is None else span_of(chunk, repair.shown)
    return Mistake(repair.code, shown, repair.message, help=repair.help, fix=fix)


# ------------------------------------------------------- slips without a single repair


def _unrepairable(stop: Stop) -> Mistake | None:
    text, chunk = stop.chunk.text, stop.chunk
    if stop.word.kind == "" and stop.word.text == '"':
        return Mistake(
            "unterminated-text",
            chunk.span(stop.word.start, len(text[: stop.line_end].rstrip())),
            "this text in quotes is not closed",
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
        return Mistake(
            "ambiguous-comparison",
            span_of(chunk, word),
            f"'{word.text}' behind '{operator.text}' needs brackets",
            remark="goes on to the right as far as it can",
            labels=(Label(span_of(chunk, operator)),),
            help=f"put brackets around it: {operator.text} ({word.text} ...)",
        )
    if stop.word.text == ":" and "_NL" in stop.expected and (name := _move_of(stop)):
        return Mistake(
            "syntax",
            span_of(chunk, stop.word),
            "a move that several choose together does nothing by itself",
            help="what follows from all their choices stands behind 'then:', in the column of 'together'; "
            f"{name}[p] is what p has chosen",
        )
    return None


def _move_of(stop: Stop) -> str:
    """The name of the move whose line it is, or nothing."""
    begin = stop.chunk.text.rfind("\n", 0, stop.word.start) + 1
    line = [word.text for word in stop.before if word.start >= begin]
    return line[1] if line[:1] == ["move"] and len(line) > 1 else ""


# ------------------------------------------------------------------------ plain messages


def _plain(engine: Engine, stop: Stop) -> Mistake:
    word, chunk = stop.word, stop.chunk
    if stop.word.kind == "":
        message = f"the character '{word.text}' means nothing here"
        help = "names are made of the letters a to z, digits and _; other characters stand in texts and comments"
        return Mistake("unknown-character", span_of(chunk, word), message, help=help)
    for culprit in [stop.previous, word] if _begins_statement(stop) else [word]:
        if culprit.text in NOT_NEEDED:
            message = f"there is no '{culprit.text}' in this language"
            return Mistake("foreign-word", span_of(chunk, culprit), message, help=NOT_NEEDED[culprit.text])
        if culprit.text in PLACES:
            message = f"'{culprit.text}' cannot stand here"
            return Mistake("syntax", span_of(chunk, culprit), message, help=PLACES[culprit.text])
    if not word.text:
        message = f"something is missing behind '{stop.previous.text}'"
        return Mistake("syntax", span_of(chunk, stop.previous), message, help=_expectation(engine, stop))
    if stop.expected <= {"COLON", "LSQB"} and word.text in ("=", ",", ")"):
        message = f"the type of '{stop.previous.text}' is missing"
        help = f"write it behind a colon: {stop.previous.text}: 0..9"
        return Mistake("syntax", span_of(chunk, stop.previous), message, help=help)
    return Mistake("syntax", span_of(chunk, word), f"'{word.text}' cannot stand here", help=_expectation(engine, stop))


def _begins_statement(stop: Stop) -> bool:
    """Whether the word before the stop was read as a name, where the word of a statement was meant."""
    line = stop.chunk.text[: stop.previous.start].rpartition("\n")[2]
    return stop.previous.kind == "NAME" and (not line.strip() or line.rstrip().endswith(":"))


def _expectation(engine: Engine, stop: Stop) -> str:
    """What could have come, in words; nothing, if that is too much to say."""
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
        return "it stands deeper than the line before it, and so continues that line"
    *others, last = kinds
    return f"here could stand {', '.join(others)}{' or ' if others else ''}{last}"
