"""Repairs that a person might try after a syntax error."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.engine import Engine
from zermelo.grammar.habits import habits
from zermelo.grammar.layout import CLOSING
from zermelo.grammar.stop import Stop, Word
from zermelo.grammar.words import (
    AMBIGUOUS,
    FOREIGN_SIGNS,
    FOREIGN_WORDS,
    IN_EXPRESSIONS,
    NAMES,
    QUANTIFIERS,
    QUOTES,
    RESERVED,
    as_name,
    run_over,
)

EQUALS = {
    "==": "asks whether two values are equal",
    ":=": "gives a variable a new value",
    "=": "says what a name means",
}
NUMBER = re.compile(r"(?<![\w.)\]])\+?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?(?![\w.])")
"""A number as other languages write it."""
NAME = re.compile(r'"[^"\n]*"|[^\s:,|()\[\]{}=@#\\/"<>]+')
NAME_OF_SEVERAL_WORDS = re.compile(rf"(?:{NAME.pattern})(?: +\w[^\s:,|()\[\]{{}}=@#\\/\"<>]*)*")
"""What stands for a name, where nothing that separates names comes in between."""
LINKS = ("that", "then", "else", "from", "at")
AT_THE_END = (";", "++", "--")
"""Signs that leave no doubt only at the end of a line."""
CONDITIONS = ("if", "and", "or", "not", "while", "until")
"""Words before a condition."""
FEW = 4
"""If so few words are expected, or one of ``LINKS``, a missing word is named."""


@frozen(eq=False, repr=False)
class Repair(ByValue):
    """An edit that may mend the text, and the message if it does.

    ``shown`` is the word to point at, if not the edit. A ``sure`` repair need only get the reading past the stop, not
    past the end of the line; one that is not ``certain`` is not offered as a fix, and one that is ``safe`` leaves no
    doubt what was meant.
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
    safe: bool = False


def repairs(engine: Engine, stop: Stop) -> Iterator[Repair]:
    """The repairs worth trying, the likeliest first."""
    yield from _quotes(stop)
    yield from _turn_of_chance(stop)
    yield from _numbers(stop)
    yield from _habits(stop)
    yield from _foreign_signs(stop)
    yield from _foreign_words(engine, stop)
    yield from _equals_signs(stop)
    yield from _misspellings(engine, stop)
    yield from _missing(engine, stop)
    yield from _lines(stop)
    yield from _reserved(stop)
    yield from _names(stop)
    if stop.word.text == ",":
        yield Repair("syntax", stop.word.start, stop.word.end, "", "one comma too many", "remove it")


def _quotes(stop: Stop) -> Iterator[Repair]:
    if stop.word.text in QUOTES:
        start, text = stop.word.start, stop.chunk.text
        line = text[start + 1 : stop.line_end]
        closing = re.search(rf"[{QUOTES}](?!\w)|(?<!\w)[{QUOTES}]", line)  # any other is an apostrophe
        if closing is not None and '"' not in line[: closing.start()]:
            message, help = f"texts are not quoted by {stop.word.text}", 'write " before and after the text'
            end, text = start + 1 + closing.end(), f'"{line[: closing.start()]}"'
            yield Repair("unknown-character", start, end, text, message, help, sure=True, safe=True)


def _turn_of_chance(stop: Stop) -> Iterator[Repair]:
    """Outcomes cannot stand in a turn; if it is said to be one of chance, they are right, and it is wrong."""
    if stop.word.text == "outcome":
        for head in re.finditer(r"\bturn\s+chance(?=\s*:)", stop.chunk.text[: stop.word.start]):
            message = "chance draws, and has no turn"
            yield Repair("foreign-word", head.start(), head.end(), "chance", message, "write 'chance'", safe=True)


def _numbers(stop: Stop) -> Iterator[Repair]:
    begin = stop.chunk.text.rfind("\n", 0, stop.word.start) + 1
    for found in NUMBER.finditer(stop.chunk.text, begin, stop.line_end):
        if found.start() <= stop.word.start < found.end():
            from decimal import Decimal  # which few texts need

            number = f"{Decimal(found.group().replace('_', '')):f}"
            message, help = "a number is written as in 250, 0.5 or 1/3", f"write '{number}'"
            yield Repair("syntax", found.start(), found.end(), number, message, help, sure=True, safe=True)


def _habits(stop: Stop) -> Iterator[Repair]:
    for shown in habits(stop):
        edit = shown.start, shown.end, shown.replacement
        yield Repair("foreign-word", *edit, shown.message, shown.help, certain=shown.certain, safe=shown.safe)


def _foreign_signs(stop: Stop) -> Iterator[Repair]:
    text = stop.chunk.text
    for sign, ours in FOREIGN_SIGNS.items():
        for start in range(max(0, stop.word.start - len(sign) + 1), stop.word.start + 1):
            if text.startswith(sign, start):
                code = "foreign-word" if sign.isascii() else "unknown-character"
                end, help = start + len(sign), f"write '{ours.strip()}'" if ours else "remove it"
                safe = sign not in AMBIGUOUS and (sign not in AT_THE_END or not _follows(stop, end))
                word = ours
                if ours[:1].isalpha():  # which must not run into the words around it
                    before, after = text[start - 1 : start].isalnum(), text[end : end + 1].isalnum()
                    word = " " * before + ours + " " * (after and not ours.endswith(" "))
                yield Repair(code, start, end, word, f"'{sign}' means nothing here", help, sure=True, safe=safe)


def _follows(stop: Stop, place: int) -> str:
    """What follows a place on its line."""
    return stop.chunk.text[place : stop.line_end].partition("#")[0].strip(" ;")


def _foreign_words(engine: Engine, stop: Stop) -> Iterator[Repair]:
    for word in (stop.previous, stop.word):
        known = word.text in engine.keywords
        message = f"'{word.text}' does not belong here" if known else f"'{word.text}' is a word of another language"
        for ours in FOREIGN_WORDS.get(word.text.lower(), ()):
            if word.text == "set" and not _begins_line(stop, word):
                continue  # the type 'set of ...'
            help = f"write '{ours}'" if ours else f"leave out '{word.text}'"
            end = word.end if ours or stop.chunk.text[word.end : word.end + 1] != " " else word.end + 1
            safe = word.text.lower() not in AMBIGUOUS
            yield Repair("foreign-word", word.start, end, ours, message, help, safe=safe)


def _begins_line(stop: Stop, word: Word) -> bool:
    return not stop.chunk.text[: word.start].rpartition("\n")[2].strip()


def _equals_signs(stop: Stop) -> Iterator[Repair]:
    theirs = stop.word.text
    if theirs in EQUALS:
        for ours, meaning in EQUALS.items():
            if ours != theirs:
                message = f"'{theirs}' {EQUALS[theirs]}; '{ours}' {meaning}"
                help = f"write '{ours}'"
                safe = _is_meant(stop, ours)
                yield Repair("equals-sign", stop.word.start, stop.word.end, ours, message, help, sure=True, safe=safe)
    if [word.text for word in stop.before[-2:]] == ["is", "not"]:
        message, start = "'is not' asks only for none; '!=' asks whether two values differ", stop.before[-2].start
        yield Repair("equals-sign", start, stop.previous.end, "!=", message, "write '!='", safe=True)
    if stop.previous.text == "is":
        message, help = "'is' asks only for none; '==' asks whether two values are equal", "write '=='"
        yield Repair("equals-sign", stop.previous.start, stop.previous.end, "==", message, help, safe=True)


def _is_meant(stop: Stop, ours: str) -> bool:
    """Whether no sign but ``ours`` can be meant by the sign of equality at the stop. ``x =- 1`` may be ``x -= 1``, and
    ``x =! y`` may be ``x != y``. In brackets, a name before the sign may be that of an argument or of a key; and
    ``x := y = z`` may give both the value of z."""
    text = stop.chunk.text
    line = text[: stop.word.end + 1].rpartition("\n")[2]
    if re.search(r"=[-!~+*/%]", line):
        return False
    given = [
        word.start
        for word in stop.before
        if word.text in (":=", "=") and "\n" not in text[word.start : stop.word.start]
    ]
    begin = max([*given, *(word.start for word in stop.open[-1:])], default=-1)
    if ours != "==" or begin < 0:
        return True
    return any(word.start > begin and word.text in CONDITIONS for word in stop.before)


def _misspellings(engine: Engine, stop: Stop) -> Iterator[Repair]:
    for word in (stop.word, stop.previous):
        if word.text[:1].isalpha() and word.text not in engine.keywords:
            for near in _near(word.text, engine.keywords):
                message = f"'{word.text}' is not a word that can come here"
                yield Repair("misspelled-keyword", word.start, word.end, near, message, f"did you mean '{near}'?")


def _near(word: str, keywords: Collection[str]) -> list[str]:
    """Keywords that look like a word; of short words, those with the same letters."""
    from difflib import get_close_matches  # which few texts need

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
        help = f"write ':' after '{stop.previous.text}'"
        in_braces = stop.open and stop.open[-1].text == "{"  # 'if' may be missing there, or a comma
        safe = not in_braces and stop.before[0].text != "define"  # of which it may be an argument
        yield Repair("missing-colon", place, place, ":", message, help, shown=stop.previous, safe=safe)
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
    """A line that should be further left, or not be a line of its own."""
    text, place = stop.chunk.text, stop.previous.end
    if stop.word.kind == "_INDENT":
        following = place + len(text[place:]) - len(text[place:].lstrip())
        message, help = "a colon at the end of a line opens a block, and none can come here", "go on after the colon"
        yield Repair("syntax", place, following, " ", message, help, shown=stop.previous)
    if stop.new_line:
        line_start = text.rindex("\n", 0, stop.word.start) + 1
        message = "this line is indented deeper than the line before it, which opens no block"
        help = f"begin it in column {stop.column + 1}"
        yield Repair("indentation", line_start, stop.word.start, " " * stop.column, message, help, shown=stop.word)


def _reserved(stop: Stop) -> Iterator[Repair]:
    for word in (stop.previous, stop.word, *stop.before[-2:-1]):  # 'last is not' may go on with 'in'
        if word.text in (RESERVED if stop.word.text else IN_EXPRESSIONS):
            code, message = "reserved-name", f"'{word.text}' is a word of the language and cannot name a value"
            help = "choose another name"
            if word.text in ("other", "next"):
                code, message = "syntax", f"a player is missing after '{word.text}'"
                help = f"as in: {word.text} p"
            elif word.text in QUANTIFIERS and word is stop.previous and stop.word.text == "(":
                message, help = f"'{word.text}' gives the members of a set a name", run_over(word.text)
            yield Repair(code, word.start, word.end, f"{word.text}_", message, help, sure=True, certain=False)


def _names(stop: Stop) -> Iterator[Repair]:
    """Another name for one with other characters or, where only names come, of several words."""
    text, begin = stop.chunk.text, stop.word.start
    in_names = stop.before[:1] and stop.before[0].text in ("tree", "table")
    is_spaced = in_names or (stop.word.kind == "NUMBER" and stop.previous.text[:1].isupper())
    for word in reversed(stop.before):
        gap = text[word.end : begin]
        if word.kind != "NAME" or gap.strip(" ") or (gap and not is_spaced):
            break
        begin = word.start
    rest = NAME_OF_SEVERAL_WORDS if in_names else NAME
    found = rest.match(text, stop.word.start)
    written = text[begin : found.end()] if found is not None else ""
    name = as_name(written)
    is_quoted = stop.word.kind == "TEXT"
    if name not in ("", written) and (is_quoted or written[:1].isalnum()) and (in_names or name[:1].isalpha()):
        code = "syntax" if written.isascii() else "unknown-character"
        message = "names are written without quotes" if is_quoted else NAMES
        yield Repair(code, begin, begin + len(written), name, message, f"write '{name}'", sure=True)


def _named(stop: Stop) -> str:
    return f"'{stop.word.text}'" if stop.word.text else "the end of the line"
