"""What was probably meant where a text is no sentence of the language.

The parser knows where it stopped and which words it would have gone on with, but that is seldom where a person went
wrong: ``trun p:`` is a fine beginning of a statement, and fails at ``p``. So the diagnosis tries repairs, as a person
would: another word for the last one or the one before, a colon at the end of the line, a closing bracket, ``==`` for
``=``. Each is made on a copy of the text and read; the repair with which the reading gets furthest, and at least past
its line, says what the slip was and is offered as the fix. Since it was read successfully, a fix is never a guess at
the grammar, only at the intention; and what follows can be read, so that one run finds several slips of a declaration.

Two slips have no single repair and are recognised by the words around the stop: comparisons in a chain, and a
quantifier behind an operator. Where nothing helps, the message says what could have stood there.

Cost: some ten to twenty readings of one declaration for every slip in it; a declaration longer than ``LONGEST`` gets
the plain message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from difflib import get_close_matches

import lark
from attrs import frozen

from grammar.diagnostics import Fix, Label
from grammar.engine import Engine, Start
from grammar.layout import CLOSING, Chunk
from grammar.mistake import Mistake
from grammar.source import Span
from grammar.words import FOREIGN_SIGNS, FOREIGN_WORDS, IN_EXPRESSIONS, NOT_NEEDED, PLACES, QUOTES, RESERVED

LONGEST = 20_000
"""The longest declaration, in characters, on which repairs are tried."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "is")
OPERATORS = (*COMPARISONS, "+", "-", "*", "/", "//", "%", "..")
EQUALS = {
    "==": "asks whether two values are equal",
    ":=": "gives a variable a new value",
    "=": "says what a name means",
}
LINKS = ("that", "then", "else", "from", "at")
FEW = 4
"""Of so few words that could come, or if it is one of the links, the missing one can be told."""

OPERATOR_TERMINALS = frozenset(
    {"AND", "OR", "IN", "IS", "NOT", "WHERE", "EQUALS", "DIFFERS", "LESSTHAN", "AT_MOST", "MORETHAN", "AT_LEAST"}
    | {"PLUS", "MINUS", "STAR", "SLASH", "FLOOR", "PERCENT", "DOTS", "DOT", "LPAR", "LSQB"}
)
OPEN_WORDS = ("some", "all", "no", "count", "sum", "min", "max", "first", "last", "if", "reach", "not")


@frozen
class Word:
    """A token, by its place in the chunk; ``kind`` is the terminal as which it was read."""

    text: str
    start: int
    end: int
    kind: str


@frozen
class Stop:
    """Where and how a reading stopped: at ``word``, whose text is empty where the line, or a block, ends too early.

    ``before`` are the words read so far, ``expected`` the terminals that could have come, ``open`` the brackets that
    are still open. ``new_line`` says that the word is the first of a line that continues the one before, and ``column``
    is where lines of this block begin.
    """

    chunk: Chunk
    word: Word
    before: tuple[Word, ...]
    expected: frozenset[str]
    open: tuple[Word, ...]
    new_line: bool
    column: int

    @property
    def previous(self) -> Word:
        return self.before[-1] if self.before else Word("", 0, 0, "")


@frozen
class Repair:
    """An edit that may mend the text, and what to say if it does.

    ``shown`` is what to point at, if not the edit. A ``sure`` repair need not lead past the end of the line, only past
    the stop; one that is not ``certain`` is not offered as a fix.
    """

    code: str
    start: int
    end: int
    replacement: str
    message: str
    help: str = ""
    shown: Word | None = None
    sure: bool = False
    certain: bool = True


def diagnose(engine: Engine, chunk: Chunk, start: Start, error: lark.UnexpectedInput) -> tuple[Mistake, Chunk | None]:
    """The mistake behind an error of the parser, and the chunk with its repair, if there is a likely one."""
    stop = _stop(engine, chunk, error)
    mistake = _unrepairable(stop)
    if mistake is None and len(chunk.text) <= LONGEST:
        repair = _best(engine, stop, start)
        if repair is not None:
            return _repaired(chunk, repair), chunk.edited(repair.start, repair.end, repair.replacement)
    return mistake or _plain(engine, stop), None


def _stop(engine: Engine, chunk: Chunk, error: lark.UnexpectedInput) -> Stop:
    layout = engine.layout
    before = [_word(token) for token in layout.tokens]
    if not isinstance(error, lark.UnexpectedToken):
        assert error.pos_in_stream is not None
        word = Word(chunk.text[error.pos_in_stream], error.pos_in_stream, error.pos_in_stream + 1, "")
    elif error.token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        place = before[-1].end
        word = Word("", place, place, error.token.type)
    else:
        word = _word(error.token)
        if before and before[-1].start == word.start:
            before.pop()
    return Stop(
        chunk,
        word,
        tuple(before),
        _acceptable(error),
        tuple(map(_word, layout.brackets)),
        word.start in layout.continued,
        layout.columns[-1],
    )


def _acceptable(error: lark.UnexpectedInput) -> frozenset[str]:
    """The terminals that could have come; lark does not type what it leaves of the parser in its errors."""
    accepts: Callable[[], set[str]] = error.interactive_parser.accepts
    return frozenset(accepts())


def _word(token: lark.Token) -> Word:
    assert token.start_pos is not None and token.end_pos is not None
    return Word(str(token), token.start_pos, token.end_pos, token.type)


# ------------------------------------------------------- slips without a single repair


def _unrepairable(stop: Stop) -> Mistake | None:
    text, chunk = stop.chunk.text, stop.chunk
    if stop.word.kind == "" and stop.word.text == '"':
        line_end = text.index("\n", stop.word.start)
        return Mistake(
            "unterminated-text",
            chunk.span(stop.word.start, len(text[:line_end].rstrip())),
            "this text in quotes is not closed",
            help='write the closing " on the same line',
        )
    if stop.word.text in COMPARISONS and {"AND", "OR"} <= stop.expected:
        first = next((word for word in reversed(stop.before) if word.text in COMPARISONS), None)
        if first is not None:
            return Mistake(
                "chained-comparison",
                _span(chunk, stop.word),
                "comparisons do not chain",
                remark="a second comparison",
                labels=(Label(_span(chunk, first), "the first comparison"),),
                help="compare twice, joined by and: 1 < x and x < 4; or put one comparison in brackets",
            )
    if len(stop.before) > 1 and stop.previous.text in OPEN_WORDS and stop.before[-2].text in OPERATORS:
        word, operator = stop.previous, stop.before[-2]
        return Mistake(
            "ambiguous-comparison",
            _span(chunk, word),
            f"'{word.text}' behind '{operator.text}' needs brackets",
            remark="goes on to the right as far as it can",
            labels=(Label(_span(chunk, operator)),),
            help=f"put brackets around it: {operator.text} ({word.text} ...)",
        )
    return None


# ----------------------------------------------------------------------------- repairs


def _repairs(engine: Engine, stop: Stop) -> Iterator[Repair]:
    """What might mend the text, the likeliest first."""
    yield from _quotes(stop)
    yield from _foreign_signs(stop)
    yield from _foreign_words(engine, stop)
    yield from _equals_signs(stop)
    yield from _misspellings(engine, stop)
    yield from _missing(engine, stop)
    yield from _lines(stop)
    yield from _reserved(stop)
    if stop.word.text == ",":
        yield Repair("syntax", stop.word.start, stop.word.end, "", "one comma too many", "remove it")


def _quotes(stop: Stop) -> Iterator[Repair]:
    if stop.word.text in QUOTES:
        start, text = stop.word.start, stop.chunk.text
        line = text[start + 1 : text.index("\n", start)]
        length = next((place for place, character in enumerate(line) if character in QUOTES), None)
        if length is not None:
            message, help = f"texts do not stand in {stop.word.text}", 'write " before and behind the text'
            text = f'"{line[:length]}"'
            yield Repair("unknown-character", start, start + length + 2, text, message, help, sure=True)


def _foreign_signs(stop: Stop) -> Iterator[Repair]:
    text = stop.chunk.text
    for sign, ours in FOREIGN_SIGNS.items():
        for start in range(max(0, stop.word.start - len(sign) + 1), stop.word.start + 1):
            if text.startswith(sign, start):
                code = "foreign-word" if sign.isascii() else "unknown-character"
                help = f"write '{ours.strip()}'" if ours else "remove it"
                yield Repair(code, start, start + len(sign), ours, f"'{sign}' means nothing here", help, sure=True)


def _foreign_words(engine: Engine, stop: Stop) -> Iterator[Repair]:
    for word in (stop.previous, stop.word):
        known = word.text in engine.keywords
        message = f"'{word.text}' does not belong here" if known else f"'{word.text}' is a word of another language"
        for ours in FOREIGN_WORDS.get(word.text.lower(), ()):
            help = f"write '{ours}'" if ours else f"leave '{word.text}' out"
            yield Repair("foreign-word", word.start, word.end, ours, message, help)


def _equals_signs(stop: Stop) -> Iterator[Repair]:
    theirs = stop.word.text
    if theirs in EQUALS:
        for ours, meaning in EQUALS.items():
            if ours != theirs:
                message = f"'{theirs}' {EQUALS[theirs]}; '{ours}' {meaning}"
                help = f"write '{ours}'"
                yield Repair("equals-sign", stop.word.start, stop.word.end, ours, message, help, sure=True)
    if stop.previous.text == "is":
        message, help = "'is' asks only for none; '==' asks whether two values are equal", "write '=='"
        yield Repair("equals-sign", stop.previous.start, stop.previous.end, "==", message, help)


def _misspellings(engine: Engine, stop: Stop) -> Iterator[Repair]:
    for word in (stop.word, stop.previous):
        if word.text[:1].isalpha() and word.text not in engine.keywords:
            for near in _near(word.text, engine.keywords):
                message = f"'{word.text}' is no word that could stand here"
                yield Repair("misspelled-keyword", word.start, word.end, near, message, f"did you mean '{near}'?")


def _near(word: str, keywords: Collection[str]) -> list[str]:
    """Keywords that look like a word; of short words, those with the same letters."""
    swapped = [keyword for keyword in keywords if sorted(keyword) == sorted(word.lower())]
    near = get_close_matches(word.lower(), keywords, n=4, cutoff=0.7)
    return list(dict.fromkeys([*swapped, *near]))


def _missing(engine: Engine, stop: Stop) -> Iterator[Repair]:
    """Something left out just before the stop, or another word in its place."""
    if stop.word.kind == "_INDENT":
        return
    place = stop.previous.end
    if "COLON" in stop.expected:
        message = f"a colon is missing {'here' if stop.word.text and not stop.new_line else 'at the end of this line'}"
        help = f"write ':' behind '{stop.previous.text}'"
        yield Repair("missing-colon", place, place, ":", message, help, shown=stop.previous)
    if stop.open:
        message, help = (
            f"this '{stop.open[-1].text}' is never closed",
            f"write the missing '{CLOSING[stop.open[-1].text]}'",
        )
        closer = CLOSING[stop.open[-1].text]
        yield Repair("never-closed", place, place, closer, message, help, shown=stop.open[-1], certain=False)
    shown = stop.word if stop.word.text else stop.previous
    if "COMMA" in stop.expected:
        yield Repair("syntax", place, place, ",", f"a comma is missing before {_named(stop)}", "write ','", shown=shown)
    for literal in sorted(engine.literals.get(terminal, "") for terminal in stop.expected):
        if literal in LINKS or (literal.isalpha() and len(stop.expected) <= FEW):
            message, help = f"'{literal}' is missing before {_named(stop)}", f"write '{literal}'"
            yield Repair("syntax", place, place, f" {literal} ", message, help, shown=shown)
            message = f"'{stop.word.text}' cannot stand here"
            yield Repair("syntax", stop.word.start, stop.word.end, literal, message, help)


def _lines(stop: Stop) -> Iterator[Repair]:
    """A line that should stand further left, or not be a line of its own."""
    text, place = stop.chunk.text, stop.previous.end
    if stop.word.kind == "_INDENT":
        following = place + len(text[place:]) - len(text[place:].lstrip())
        message, help = "a colon that ends a line opens a block, and none can stand here", "go on behind the colon"
        yield Repair("syntax", place, following, " ", message, help, shown=stop.previous)
    if stop.new_line:
        line_start = text.rindex("\n", 0, stop.word.start) + 1
        message = "this line stands deeper than the line before it, which opens no block"
        help = f"begin it in column {stop.column + 1}"
        yield Repair("indentation", line_start, stop.word.start, " " * stop.column, message, help, shown=stop.word)


def _reserved(stop: Stop) -> Iterator[Repair]:
    for word in (stop.previous, stop.word):
        if word.text in (RESERVED if stop.word.text else IN_EXPRESSIONS):
            message = f"'{word.text}' is a word of the language and cannot name a value"
            new = f"{word.text}_"
            yield Repair("reserved-name", word.start, word.end, new, message, "choose another name", certain=False)


def _best(engine: Engine, stop: Stop, start: Start) -> Repair | None:
    """The repair with which the reading gets furthest, if that is far enough."""
    best, furthest = None, stop.word.end
    line_end = stop.chunk.text.find("\n", stop.word.end)
    for repair in _repairs(engine, stop):
        reached = engine.progress(stop.chunk.edited(repair.start, repair.end, repair.replacement), start)
        if reached is None:
            return repair
        reached += (repair.end - repair.start) - len(repair.replacement)
        if reached > furthest and (repair.sure or reached > line_end):
            best, furthest = repair, reached
    return best


def _repaired(chunk: Chunk, repair: Repair) -> Mistake:
    span = chunk.span(repair.start, repair.end)
    fix = Fix(span, repair.replacement, repair.help) if repair.certain else None
    shown = span if repair.shown is None else _span(chunk, repair.shown)
    return Mistake(repair.code, shown, repair.message, help=repair.help, fix=fix)


# ------------------------------------------------------------------------ plain messages


def _plain(engine: Engine, stop: Stop) -> Mistake:
    word, chunk = stop.word, stop.chunk
    if stop.word.kind == "":
        message = f"the character '{word.text}' means nothing here"
        help = "names are made of the letters a to z, digits and _; other characters stand in texts and comments"
        return Mistake("unknown-character", _span(chunk, word), message, help=help)
    for culprit in [stop.previous, word] if _begins_statement(stop) else [word]:
        if culprit.text in NOT_NEEDED:
            message = f"there is no '{culprit.text}' in this language"
            return Mistake("foreign-word", _span(chunk, culprit), message, help=NOT_NEEDED[culprit.text])
        if culprit.text in PLACES:
            message = f"'{culprit.text}' cannot stand here"
            return Mistake("syntax", _span(chunk, culprit), message, help=PLACES[culprit.text])
    if not word.text:
        message = f"something is missing behind '{stop.previous.text}'"
        return Mistake("syntax", _span(chunk, stop.previous), message, help=_expectation(engine, stop))
    if stop.expected <= {"COLON", "LSQB"} and word.text in ("=", ",", ")"):
        message = f"the type of '{stop.previous.text}' is missing"
        help = f"write it behind a colon: {stop.previous.text}: 0..9"
        return Mistake("syntax", _span(chunk, stop.previous), message, help=help)
    return Mistake("syntax", _span(chunk, word), f"'{word.text}' cannot stand here", help=_expectation(engine, stop))


def _begins_statement(stop: Stop) -> bool:
    """Whether the word before the stop was read as a name, where the word of a statement was meant."""
    line = stop.chunk.text[: stop.previous.start].rpartition("\n")[2]
    return stop.previous.kind == "NAME" and (not line.strip() or line.rstrip().endswith(":"))


def _named(stop: Stop) -> str:
    return f"'{stop.word.text}'" if stop.word.text else "the end of the line"


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


def _span(chunk: Chunk, word: Word) -> Span:
    return chunk.span(word.start, word.end)
