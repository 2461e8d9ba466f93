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

import re
from collections.abc import Collection, Iterator

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Fix, Label, Mistake, Span
from zermelo.grammar.engine import END, Engine, Unexpected
from zermelo.grammar.layout import CLOSING, Chunk, Layout, Lexeme
from zermelo.grammar.names import INVISIBLE, as_name
from zermelo.grammar.words import (
    AMBIGUOUS,
    FOREIGN_SIGNS,
    FOREIGN_WORDS,
    IN_EXPRESSIONS,
    LEAVES,
    LEAVES_HELP,
    MARGIN,
    NAMES,
    NOT_NEEDED,
    PLACES,
    QUANTIFIERS,
    QUOTES,
    RESERVED,
    quantifier_example,
)

# Where the parser stopped, and the words that it expected.


@frozen(eq=False, repr=False)
class Word(ByValue):
    """A token with its offsets in the chunk; ``kind`` is its terminal."""

    text: str
    start: int
    end: int
    kind: str


@frozen(eq=False, repr=False)
class Stop(ByValue):
    """Where a reading stopped: at ``word``, whose text is empty if a line or a block ends too early.

    ``before`` are the words read so far, ``expected`` the acceptable terminals, ``open`` the open brackets.
    ``new_line`` says that the word is the first of a line that continues the one before, and ``column`` is the column
    of the block.
    """

    chunk: Chunk
    word: Word
    before: tuple[Word, ...]
    expected: frozenset[str]
    open: tuple[Word, ...]
    new_line: bool
    column: int

    @property
    def line_end(self) -> int:
        """The offset of the end of the line on which the reading stopped; a chunk may end without a line end."""
        end = self.chunk.text.find("\n", self.word.end)
        return len(self.chunk.text) if end < 0 else end

    @property
    def previous(self) -> Word:
        return self.before[-1] if self.before else Word("", 0, 0, "")


def stop_of(layout: Layout, error: Unexpected) -> Stop:
    """The stop of an error of the parser; ``layout`` still holds the progress of that reading."""
    chunk = layout.chunk
    before = [_word(token) for token in layout.tokens]
    if error.token is None:
        word = Word(chunk.text[error.offset], error.offset, error.offset + 1, "")
    elif error.token.type in ("_NL", "_INDENT", "_DEDENT", END):
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
        error.expected,
        tuple(map(_word, layout.brackets)),
        word.start in layout.continued,
        layout.columns[-1],
    )


def _word(token: Lexeme) -> Word:
    return Word(str(token), token.start_pos, token.end_pos, token.type)


def span_of(chunk: Chunk, word: Word) -> Span:
    return chunk.span(word.start, word.end)


# Repairs that a person might try after a syntax error.


EQUALS = {
    "==": "asks whether two values are equal",
    ":=": "gives a variable a new value",
    "=": "says what a name means",
}
NUMBER = re.compile(r"(?<![\w.)\]])\+?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?(?![\w.])")
"""A number as other languages write it."""
NAME = re.compile(r'"[^"\n]*"|[^\s:,|()\[\]{}=@#\\/"<>]+')
NAME_OF_SEVERAL_WORDS = re.compile(rf"(?:{NAME.pattern})(?: +\w[^\s:,|()\[\]{{}}=@#\\/\"<>]*)*")
"""What may be meant as one name: words with nothing but spaces between them."""
LINKS = ("that", "then", "else", "from", "at")
AT_THE_END = (";", "++", "--")
"""Signs that leave no doubt only at the end of a line."""
CONDITIONS = ("if", "and", "or", "not", "while", "until")
"""Words before a condition."""
DECISIONS = ("turn", "chance", "together")
IN_PHASES = ({"MOVE"}, {"OUTCOME"}, {"OTHERWISE"})
"""What may go on with a decision or come after it, and no statement may."""
FEW = 5
"""A missing word is suggested if at most this many terminals are expected; those of ``LINKS`` always are."""


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
    yield from _ends_of_trees(stop)
    yield from _numbers(stop)
    yield from _habits(stop)
    yield from _foreign_signs(stop)
    yield from _invisible_characters(stop)
    yield from _foreign_words(engine, stop)
    yield from _equals_signs(stop)
    yield from _misspellings(engine, stop)
    yield from _omissions(engine, stop)
    yield from _misplaced_lines(stop)
    yield from _reserved_words(stop)
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
    """Outcomes cannot stand in a turn; below ``turn chance`` they are right, and the word ``turn`` is wrong."""
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
    """The habits that the line of the stop shows."""
    text = stop.chunk.text
    begin = text.rfind("\n", 0, stop.word.start) + 1
    line = text[begin : stop.line_end]
    from zermelo.grammar.habits import HABITS  # which few texts need

    for habit in HABITS:
        match = re.search(habit.pattern, line)
        if match is not None:
            new = match.expand(habit.new) if isinstance(habit.new, str) else habit.new(match)
            edit = begin + match.start("old"), begin + match.end("old"), new
            yield Repair("foreign-word", *edit, habit.message, habit.help, certain=habit.certain, safe=habit.safe)


def _foreign_signs(stop: Stop) -> Iterator[Repair]:
    text = stop.chunk.text
    for sign, ours in FOREIGN_SIGNS.items():
        for start in range(max(0, stop.word.start - len(sign) + 1), stop.word.start + 1):
            if text.startswith(sign, start):
                code = "foreign-word" if sign.isascii() else "unknown-character"
                end, help = start + len(sign), f"write '{ours.strip()}'" if ours else "remove it"
                safe = sign not in AMBIGUOUS and (sign not in AT_THE_END or not _rest_of_line(stop, end))
                word = ours
                if ours[:1].isalpha():  # which must not run into the words around it
                    before, after = text[start - 1 : start].isalnum(), text[end : end + 1].isalnum()
                    word = " " * before + ours + " " * (after and not ours.endswith(" "))
                yield Repair(code, start, end, word, f"'{sign}' means nothing here", help, sure=True, safe=safe)


def _invisible_characters(stop: Stop) -> Iterator[Repair]:
    if re.fullmatch(INVISIBLE, stop.word.text):
        message = f"the invisible character U+{ord(stop.word.text):04X} means nothing here"
        start, end = stop.word.start, stop.word.end
        yield Repair("unknown-character", start, end, "", message, "remove it", sure=True, safe=True)


def _rest_of_line(stop: Stop, place: int) -> str:
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
            start, end = word.start, word.end
            if not ours:  # one of the spaces around it goes, too
                is_spaced = stop.chunk.text[end : end + 1] == " "
                start, end = start - (not is_spaced and stop.chunk.text[start - 1 : start] == " "), end + is_spaced
            safe = word.text.lower() not in AMBIGUOUS
            yield Repair("foreign-word", start, end, ours, message, help, safe=safe)


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
            for near in _similar_keywords(word.text, engine.keywords):
                message = f"'{word.text}' is not a word that can come here"
                yield Repair("misspelled-keyword", word.start, word.end, near, message, f"did you mean '{near}'?")


def _similar_keywords(word: str, keywords: Collection[str]) -> list[str]:
    """The keywords that look like a word, first those with the same letters."""
    from difflib import get_close_matches  # which few texts need

    swapped = [keyword for keyword in keywords if sorted(keyword) == sorted(word.lower())]
    near = get_close_matches(word.lower(), keywords, n=4, cutoff=0.7)
    return list(dict.fromkeys([*swapped, *near]))


def _omissions(engine: Engine, stop: Stop) -> Iterator[Repair]:
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
    for head in stop.before[:1]:
        if head.text in ("tree", "table") and re.match(r"\s*(?:#.*)?\n", stop.chunk.text[head.end :]):
            message, help = "a colon is missing at the end of this line", f"write ':' after '{head.text}'"
            yield Repair("missing-colon", head.end, head.end, ":", message, help, shown=head, safe=True)
    if stop.open:
        closer = CLOSING[stop.open[-1].text]
        message, help = f"this '{stop.open[-1].text}' is never closed", f"write the missing '{closer}'"
        yield Repair("never-closed", place, place, closer, message, help, shown=stop.open[-1], certain=False)
    shown = stop.word if stop.word.text else stop.previous
    if "COMMA" in stop.expected:
        message = f"a comma is missing before {_stop_in_words(stop)}"
        yield Repair("syntax", place, place, ",", message, "write ','", shown=shown)
    for literal in sorted(engine.literals.get(terminal, "") for terminal in stop.expected):
        if literal in LINKS or (literal.isalpha() and len(stop.expected) <= FEW):
            message, help = f"'{literal}' is missing before {_stop_in_words(stop)}", f"write '{literal}'"
            spaced = f" {literal}" if stop.chunk.text[place : place + 1] == " " else f" {literal} "
            yield Repair("syntax", place, place, spaced, message, help, shown=shown)
            if stop.word.text != ",":  # which lists something
                message = f"'{stop.word.text}' cannot stand here"
                yield Repair("syntax", stop.word.start, stop.word.end, literal, message, help)


def _misplaced_lines(stop: Stop) -> Iterator[Repair]:
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


def _reserved_words(stop: Stop) -> Iterator[Repair]:
    for word in (stop.previous, stop.word, *stop.before[-2:-1]):  # 'last is not' may go on with 'in'
        if word.text in (RESERVED if stop.word.text else IN_EXPRESSIONS):
            code, message = "reserved-name", f"'{word.text}' is a word of the language and cannot name a value"
            help = "choose another name"
            if word.text in ("other", "next"):
                code, message = "syntax", f"a player is missing after '{word.text}'"
                help = f"as in: {word.text} p"
            elif word.text == "not" and word is stop.previous:
                code, message, help = "syntax", "a condition is missing after 'not'", "as in: not x"
            elif word.text in QUANTIFIERS and word is stop.previous and stop.word.text == "(":
                message, help = f"'{word.text}' gives the members of a set a name", quantifier_example(word.text)
            yield Repair(code, word.start, word.end, f"{word.text}_", message, help, sure=True, certain=False)


def _end_in_tree(stop: Stop) -> Span | None:
    """What is written in place of the payoffs of a tree: a statement, or whatever else begins with a name."""
    if len(stop.before) < 2 or stop.before[0].text != "tree" or not stop.previous.text[:1].isalpha():
        return None
    if stop.word.text in ("", ":") or stop.word.kind == "_INDENT" or stop.new_line:
        return None
    colon = stop.before[-2]
    if colon.text != ":" or "\n" in stop.chunk.text[colon.end : stop.previous.start]:
        return None
    return span_of(stop.chunk, stop.previous).to(span_of(stop.chunk, stop.word))


def _ends_of_trees(stop: Stop) -> Iterator[Repair]:
    payoffs = re.compile(r"payoff\s*(?=[-(\d])").match(stop.chunk.text, stop.word.start)
    if payoffs is not None and _end_in_tree(stop) is not None:
        yield Repair(
            "foreign-word", stop.previous.start, payoffs.end(), "", LEAVES, "leave 'end payoff' out", sure=True
        )
    line = stop.chunk.text[: stop.line_end].rpartition("\n")[2]
    if stop.before[:1] and stop.before[0].text == "tree" and stop.word.text == "," and not stop.open:
        leaf = line.partition("#")[0].rpartition(":")[2].strip()
        start = stop.line_end - len(line) + line.rindex(leaf)
        help = f"put them in brackets: ({leaf})"
        yield Repair("syntax", start, start + len(leaf), f"({leaf})", LEAVES, help, sure=True, safe=True)


def _names(stop: Stop) -> Iterator[Repair]:
    """A valid name for one with other characters or, where only names may stand, of several words."""
    if _end_in_tree(stop) is not None:
        return
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
    if is_quoted and (number := re.fullmatch(r'"(-?\d+(?:[./]\d+)?)"', written)):
        message, help = "numbers are written without quotes", f"write {number[1]}"
        yield Repair("syntax", begin, begin + len(written), number[1], message, help, sure=True)
        return
    if name not in ("", written) and (is_quoted or written[:1].isalnum()) and (in_names or name[:1].isalpha()):
        code = "syntax" if written.isascii() else "unknown-character"
        message = "names are written without quotes" if is_quoted else NAMES
        yield Repair(code, begin, begin + len(written), name, message, f"write '{name}'", sure=True)


def _stop_in_words(stop: Stop) -> str:
    return f"'{stop.word.text}'" if stop.word.text else "the end of the line"


HEADS = {
    "type": "as in: 1..9, red | blue, J < Q < K, or a board: grid(3, 3), hex(5, 5), ring(12), graph(a - b - c)",
    "players": "as in: players Ann, Bob; a number of them that can be set is written players 2..4 = 2",
}
"""What may stand after the word of a declaration, where an expression that goes on without end would not help."""

LONGEST = 20_000
"""The longest declaration, in characters, on which repairs are tried."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "is")
OPERATORS = (*COMPARISONS, "+", "-", "*", "/", "//", "%", "..")
OPERATOR_TERMINALS = frozenset(
    {"AND", "OR", "IN", "IS", "NOT", "WHERE", "EQUALS", "DIFFERS", "LESSTHAN", "AT_MOST", "MORETHAN", "AT_LEAST"}
    | {"PLUS", "MINUS", "STAR", "SLASH", "FLOOR", "PERCENT", "DOTS", "DOT", "LPAR", "LSQB"}
)
OPEN_WORDS = ("some", "all", "no", "count", "sum", "min", "max", "first", "last", "if", "reach", "not")


def diagnose(engine: Engine, chunk: Chunk, error: Unexpected) -> tuple[Mistake, Chunk | None]:
    """The mistake that caused an error of the parser, and the chunk with its repair, if there is a likely one."""
    stop = stop_of(engine.layout, error)
    mistake = _unrepairable_mistake(stop)
    if mistake is None and len(chunk.text) <= LONGEST:
        repair = _best_repair(engine, stop)
        if repair is not None:
            return _repairable_mistake(chunk, repair), chunk.edited(repair.start, repair.end, repair.replacement)
    return mistake or _plain_mistake(engine, stop), None


def _best_repair(engine: Engine, stop: Stop) -> Repair | None:
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


def _repairable_mistake(chunk: Chunk, repair: Repair) -> Mistake:
    span = chunk.span(repair.start, repair.end)
    fix = Fix(span, repair.replacement, repair.help, repair.safe) if repair.certain else None
    shown = span if repair.shown is None else span_of(chunk, repair.shown)
    return Mistake(repair.code, shown, repair.message, help=repair.help, fix=fix)


# ------------------------------------------------------- slips without a single repair


def _unrepairable_mistake(stop: Stop) -> Mistake | None:
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
    if stop.before[:1] and stop.before[0].text == "tree" and (said := _message_about_nodes(stop)) is not None:
        return Mistake("syntax", span_of(chunk, said[0]), said[1], help=said[2])
    if stop.word.text == "|" and [word.text for word in stop.before[-2:]] == ["table", ":"]:
        message, help = "the first line of a table names its players", r"as in: Ann \ Bob | left | right"
        return Mistake("syntax", span_of(chunk, stop.word), message, help=help)
    if [word.text for word in stop.before] == ["language"] and not any(_habits(stop)):
        word = stop.word if stop.word.text else stop.previous
        return Mistake("syntax", span_of(chunk, word), "the language of a file is a number", help="as in: language 2")
    if (end := _end_in_tree(stop)) is not None and not any(_ends_of_trees(stop)):
        return Mistake("foreign-word", end, LEAVES, help=LEAVES_HELP)
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


def _message_about_nodes(stop: Stop) -> tuple[Word, str, str] | None:
    """Where, what and help, for a node of a tree whose player is missing, or a branch that has or lacks a probability
    against what its node is."""
    if stop.word.kind == "_INDENT" and stop.previous.text == ":" and stop.before[-2].kind == "NAME":
        name = stop.before[-2].text
        return stop.before[-2], f"it is not said who moves at '{name}'", f"as in: {name}: Ann: or {name}: chance:"
    if stop.word.text == ":" and stop.previous.kind == "NAME" and _begins_line(stop, stop.previous):
        name = stop.previous.text
        return stop.previous, f"the branch '{name}' of chance has no probability", f"write it first: 1/2 {name}:"
    is_probability = re.compile(r"\d[\d./]*\s+[^\W\d]").match(stop.chunk.text, stop.word.start) is not None
    if is_probability and _begins_line(stop, stop.word) and not stop.new_line:
        return (
            stop.word,
            "only the branches of chance have probabilities",
            "leave it out, or write chance for the player",
        )
    return None


def _move_of(stop: Stop) -> str:
    """The name of the move in whose head the reading stopped; empty for another line."""
    begin = stop.chunk.text.rfind("\n", 0, stop.word.start) + 1
    line = [word.text for word in stop.before if word.start >= begin]
    return line[1] if line[:1] == ["move"] and len(line) > 1 and ":" not in line else ""


# ------------------------------------------------------------------------ plain messages


def _plain_mistake(engine: Engine, stop: Stop) -> Mistake:
    word, chunk = stop.word, stop.chunk
    if stop.word.kind == "":
        message = f"the character '{word.text}' means nothing here"
        help = f"{NAMES}; other characters belong in texts and comments"
        return Mistake("unknown-character", span_of(chunk, word), message, help=help)
    if (said := _message_about_lists(engine, stop)) is not None:
        return Mistake("syntax", span_of(chunk, word), said[0], help=said[1])
    for culprit in [stop.previous, word] if _begins_statement(stop) else [word]:
        if culprit.text in NOT_NEEDED:
            message = f"there is no '{culprit.text}' in this language"
            return Mistake("foreign-word", span_of(chunk, culprit), message, help=NOT_NEEDED[culprit.text])
        if ours := FOREIGN_WORDS.get(culprit.text, ("",))[0]:
            message = f"'{culprit.text}' is a word of another language"
            return Mistake("foreign-word", span_of(chunk, culprit), message, help=f"write '{ours}'")
        if culprit.text == "//":
            message, fix = "'//' divides; a comment begins with '#'", Fix(span_of(chunk, culprit), "#", "write '#'")
            return Mistake("foreign-word", span_of(chunk, culprit), message, help="write '#'", fix=fix)
        if help := _place(stop, culprit) or PLACES.get(culprit.text, ""):
            return Mistake("syntax", span_of(chunk, culprit), f"'{culprit.text}' cannot stand here", help=help)
    if not word.text:
        message = f"something is missing after '{stop.previous.text}'"
        if "NUMBER" not in stop.expected and stop.before[0].text in HEADS and "PLUS" in stop.expected:
            message = f"this cannot stand after '{stop.before[0].text}'"
            span = span_of(chunk, stop.before[0]).to(span_of(chunk, stop.previous))
            return Mistake("syntax", span, message, help=HEADS[stop.before[0].text])
        return Mistake("syntax", span_of(chunk, stop.previous), message, help=_expectation(engine, stop))
    if stop.expected <= {"COLON", "LSQB"} and word.text in ("=", ",", ")"):
        name = stop.before[1] if stop.previous.text == "]" else stop.previous
        example = "Player" if stop.before[-2].text in ("(", ",") else "0..9"  # a parameter of rules, or a variable
        help = f"write it after a colon: {chunk.text[name.start : stop.previous.end]}: {example}"
        return Mistake("syntax", span_of(chunk, name), f"the type of '{name.text}' is missing", help=help)
    return Mistake("syntax", span_of(chunk, word), f"'{word.text}' cannot stand here", help=_expectation(engine, stop))


def _place(stop: Stop, culprit: Word) -> str:
    """Where a word belongs by what has been read before it, which says more than the word alone; empty if nothing
    does."""
    before = stop.chunk.text[: culprit.start].rstrip(" ")
    if before.endswith(":") and (stop.expected == {"_INDENT"} or culprit.text in DECISIONS):
        return "put it in a line of its own, below this one and indented deeper"
    if culprit is not stop.word or not culprit.text or not _begins_line(stop, culprit):
        return ""
    if stop.expected == {"THEN"}:
        return "'then:' comes first, in the column of the decision, and what happens afterwards stands below it"
    if not any(stop.expected and stop.expected <= {*place, "_DEDENT"} for place in IN_PHASES):
        return ""
    if culprit.text in DECISIONS:
        return "a phase has one decision; for the next one go to another phase"
    return "the statements of a phase come before its decision, those of a move or outcome in the block below it"


def _message_about_lists(engine: Engine, stop: Stop) -> tuple[str, str] | None:
    """The message and the help for ways of other languages with lists and tables that this one does not have."""
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
        line = stop.chunk.text[stop.word.start : stop.line_end]
        if re.match(r"\w+(?:\[[^\]]*\])?\s*[:=]=?\s*[^\s#]", line):
            return "say first what it is: var, param, type or define"
        plain = "a line at the left margin begins a declaration; indent it if it belongs to the one above"
        return MARGIN.get(stop.word.text.lower(), plain)
    expected = set(stop.expected)
    kinds = []
    if {"NUMBER", "LPAR"} <= expected:
        kinds.append("a value")
    elif "NAME" in expected:
        kinds.append("a name")
    if "TEXT" in expected and stop.previous.kind != "NAME":  # behind which a display name may always stand
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
