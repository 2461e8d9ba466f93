"""The terminal: titles, tables, and progress by rich, which is imported only for a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import chain, zip_longest
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeAlias
from unicodedata import category, east_asian_width

from attrs import frozen

from zermelo.foundation.records import ByValue

if TYPE_CHECKING:
    from zermelo.solvers.common.limits import Milestone

# A line of text as columns of a terminal.
#
# Tabs are expanded, wide characters take two columns, combining ones none, and control characters are shown by their
# pictures, so that a file can neither shift the carets nor control the terminal.


TAB = 4
LINE_WIDTH = 100
"""Longer lines are cut around the marks."""

BEFORE = 30
"""How much of a cut line is kept before the first mark."""

ELLIPSIS = "…"


@frozen(eq=False, repr=False)
class Columns(ByValue):
    """``columns[k]`` is the text of column k, empty after a wide character. Character i of the line begins in column
    ``starts[i]``; the last entry is the width of the line."""

    columns: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def text(self) -> str:
        return "".join(self.columns).rstrip()

    def start(self, column: int) -> int:
        """The terminal column of the character in column ``column`` of the text (from 1); beyond it, the line's end."""
        return self.starts[min(column - 1, len(self.starts) - 1)]

    def cut(self, points: Iterable[int]) -> tuple[str, int]:
        """The text, cut to ``LINE_WIDTH`` columns around the first of these columns if it is longer, and how many
        columns are missing on the left."""
        width = len(self.columns)
        if width <= LINE_WIDTH:
            return self.text, 0
        left = max(0, min(min(points, default=0) - BEFORE, width - LINE_WIDTH))
        shown = [column or " " for column in self.columns[left : left + 1]]
        shown += self.columns[left + 1 : left + LINE_WIDTH]
        if left > 0:
            shown[0] = ELLIPSIS
        if left + LINE_WIDTH < width:
            shown[-1] = ELLIPSIS
        return "".join(shown).rstrip(), left


def columns_of(line: str) -> Columns:
    """The columns of a line."""
    shown: list[str] = []
    starts: list[int] = []
    for character in line:
        if category(character) in ("Mn", "Me") and shown:
            starts.append(len(shown) - 1)
            shown[-1] += character
            continue
        starts.append(len(shown))
        if character == "\t":
            shown.extend(" " * (TAB - len(shown) % TAB))
        elif east_asian_width(character) in "WF":
            shown.extend((character, ""))
        else:
            shown.append(printable(character))
    return Columns(tuple(shown), (*starts, len(shown)))


def printable(character: str) -> str:
    """The character, or a picture for one that is invisible or would control the terminal."""
    if ord(character) < 0x20:
        return chr(0x2400 + ord(character))
    return "\N{REPLACEMENT CHARACTER}" if category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") else character


def clean(text: str) -> str:
    """A text of several lines without characters that would control the terminal."""
    return "".join(character if character == "\n" else printable(character) for character in text)


# Colours on a terminal, and none elsewhere.


_SEQUENCES: Final = {
    "error": "1;31",
    "warning": "1;33",
    "good": "1;32",
    "strong": "1",
    "heading": "1;4",
    "faint": "2",
    "gutter": "1;34",
    "note": "1;36",
}


@frozen(eq=False, repr=False)
class Paint(ByValue):
    """Paints text by its role: ``error``, ``warning``, ``good``, ``strong``, ``heading``, ``faint``, ``gutter``,
    ``note``."""

    colour: bool = False

    def __call__(self, role: str, text: str) -> str:
        return f"\x1b[{_SEQUENCES[role]}m{text}\x1b[0m" if self.colour and text else text

    def code(self, text: str) -> str:
        """A line of a game file, its words painted by what they are."""
        if not self.colour:
            return text
        from zermelo.highlighting.pygments_lexer import colour_text

        return colour_text(text)


PLAIN: Final = Paint()
"""No colours."""


def is_lively(stream: TextIO) -> bool:
    """Whether the stream is a terminal that can move the cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint_for(stream: TextIO) -> Paint:
    """Colours if the stream is a terminal and ``NO_COLOR`` (https://no-color.org) is not set."""
    return Paint(is_lively(stream) and not os.environ.get("NO_COLOR"))


# Text in columns, as wide as their content, and wrapped at blanks if a line is too long for the terminal. Words are
# never broken: a reader who copies a number or a name has the whole of it.
#
# rich has tables, too, but every command prints one, and importing them takes 22 milliseconds, an eighth of the time of
# ``show nim``, and using them 4 more.


_GAP: Final = 2
"""Blanks between columns."""

_BLANK: Final = "(?<!≈) "
"""Where a line may end: a sign of approximation stays with its number."""

_ARGUMENTS: Final = r"\w\([^()]*\)"
"""What stays on one line that has room for it: the arguments of a move."""

_HELD: Final = "\0"
"""Stands for a blank within arguments."""


def fact_lines(rows: Sequence[tuple[str, str]], width: int, paint: Paint = PLAIN) -> str:
    """Lines of a word, which is never wrapped, and a text about it, of at most ``width`` columns."""

    def paint_word(row: int, column: int, text: str) -> str:
        return paint("strong", text) if column == 0 else text

    cells = [[clean(cell) for cell in row] for row in rows]
    return _lay_out_rows(cells, width, [max((_column_width(word) for word, _ in cells), default=0), 1], paint_word)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, paint: Paint = PLAIN) -> str:
    """Rows under heads, in lines of at most ``width`` columns; where words are too long for that, a block for each row,
    with a line for each cell that is not empty, after its head."""

    def paint_head(row: int, column: int, text: str) -> str:
        return paint("strong", text) if row == 0 else text

    cells = [[clean(cell) for cell in row] for row in (heads, *rows)]
    least = [max(map(_longest, column)) for column in zip(*cells, strict=True)]
    if len(heads) > 1 and _total(least) > width:
        blocks = ([pair for pair in zip(heads, row, strict=True) if pair[1]] for row in rows)
        return "\n\n".join(fact_lines(block, width, paint) for block in blocks)
    return _lay_out_rows(cells, width, least, paint_head)


def wrap_text(text: str, width: int) -> list[str]:
    """The lines of a text, broken at blanks to at most ``width`` columns; a longer word has a line of its own."""
    return [line for whole in text.split("\n") for line in _break_line(whole, width)]


def _lay_out_rows(
    cells: Sequence[Sequence[str]], width: int, least: Sequence[int], painted: Callable[[int, int, str], str]
) -> str:
    """Rows of equally many cells, in columns of ``least`` widths or more."""
    widths = _widths(cells, width, least)
    lines = []
    for number, row in enumerate(cells):
        for parts in zip_longest(*map(wrap_text, row, widths), fillvalue=""):
            line = ""
            for k, (part, room) in enumerate(zip(parts, widths, strict=True)):
                line += painted(number, k, part) + " " * (room + _GAP - _column_width(part))
            lines.append(line.rstrip())
    return "\n".join(lines)


def _widths(cells: Sequence[Sequence[str]], width: int, least: Sequence[int]) -> list[int]:
    """The width of each column: that of its widest cell, reduced for the widest columns until lines fit or all columns
    have their ``least`` width."""
    widths = [
        max(_column_width(line) for cell in column for line in cell.split("\n")) for column in zip(*cells, strict=True)
    ]
    for _ in range(_total(widths) - width):
        wide = [k for k in range(len(widths)) if widths[k] > least[k]]
        if not wide:
            break
        widths[max(wide, key=lambda k: (widths[k], k))] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    """The width of a line."""
    return sum(widths) + _GAP * (len(widths) - 1)


def _break_line(line: str, width: int) -> Iterator[str]:
    """The pieces of a line, each of at most ``width`` columns where blanks allow it."""
    words = (re.split(_BLANK, word) if _column_width(word) > width else [word] for word in _words(line))
    piece, *rest = chain.from_iterable(words)
    for word in rest:
        if _column_width(piece) + 1 + _column_width(word) <= width:
            piece = f"{piece} {word}"
        else:
            yield piece
            piece = word
    yield piece


def _words(line: str) -> Iterator[str]:
    """The words of a line, of which a move with its arguments is one."""
    held = re.sub(_ARGUMENTS, lambda arguments: arguments[0].replace(" ", _HELD), line)
    return (word.replace(_HELD, " ") for word in re.split(_BLANK, held))


def _longest(cell: str) -> int:
    """The width of the longest word of a cell."""
    return max(_column_width(word) for line in cell.split("\n") for word in re.split(_BLANK, line))


def _column_width(text: str) -> int:
    """The width of a text in columns of the terminal."""
    return len(text) if text.isascii() else len(columns_of(text).columns)


_NESTED: Final = 4
"""How deep JSON is indented."""


def print_json(record: Any) -> None:
    """Print a result as JSON: indented, but with anything that is nested deep, such as a decision of a strategy, on one
    line."""
    print(_indented_json(record, 0))


def _indented_json(thing: Any, depth: int) -> str:
    if depth == _NESTED or not thing or not isinstance(thing, dict | list | tuple):
        return json_text(thing)
    begin, end = "\n" + "  " * (depth + 1), "\n" + "  " * depth
    if isinstance(thing, dict):
        rows = [f"{json_text(str(key))}: {_indented_json(value, depth + 1)}" for key, value in thing.items()]
        return f"{{{begin}{f',{begin}'.join(rows)}{end}}}"
    return f"[{begin}{f',{begin}'.join(_indented_json(item, depth + 1) for item in thing)}{end}]"


def json_text(record: Any, indent: int | None = None) -> str:
    """A record as JSON: one line, unless it is indented. Characters that the standard output cannot encode are escaped,
    so that no name is changed."""
    from json import dumps  # few runs need it

    text = dumps(record, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return dumps(record, indent=indent)
    return text


def print_facts(rows: Sequence[tuple[str, str]]) -> None:
    """Lines of a word and a text about it."""
    print(fact_lines(rows, terminal_width(), paint_for(sys.stdout)))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows under heads."""
    print(table(heads, rows, terminal_width(), paint_for(sys.stdout)))


def print_remark(text: str) -> None:
    """A sentence, in lines of the width of the terminal."""
    print("\n".join(wrap_text(clean(text), terminal_width())))


def print_title(title: str, rest: str = "") -> None:
    """A title, and ``rest`` after it in parentheses."""
    print_heading(title, f" ({rest})" if rest else "")


def print_heading(words: str, rest: str = "", role: str = "strong") -> None:
    """``words`` in the style of ``role``, and ``rest`` after them in plain text."""
    print(paint_for(sys.stdout)(role, clean(words)) + clean(rest))


def terminal_width() -> int:
    """How many columns the terminal has; 80 where there is none. ``shutil`` would say the same, and takes milliseconds
    to load what compresses files."""
    with suppress(KeyError, ValueError):
        if (columns := int(os.environ["COLUMNS"])) > 0:
            return columns
    if sys.__stdout__ is not None:
        with suppress(OSError, ValueError):  # it is no terminal
            return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    return 80


class Shown:
    """Progress that is not shown; the base of progress that is."""

    def __call__(self, number: int) -> None:
        """Show the number reached."""

    def remark(self, reached: Milestone) -> None:
        """Show what an iteration has reached, from now on beside the number."""


Watch: TypeAlias = Callable[[str, str, int | None], AbstractContextManager[Shown]]
"""Begins to show progress: what is done, what is counted, and how many there will be, if that is known."""


@contextmanager
def unwatched(doing: str, what: str, total: int | None = None) -> Iterator[Shown]:
    """Shows nothing."""
    yield Shown()


class Bar(Shown):
    """Progress in words, which ``show`` shows with the number reached."""

    def __init__(self, what: str, show: Callable[[int, str], None]) -> None:
        self._what, self._show, self._begin, self._number = what, show, perf_counter(), 0
        self._reached = ""

    def __call__(self, number: int) -> None:
        rate = number / max(perf_counter() - self._begin, 1e-9)
        self._number = number
        self._show(number, f"{self._reached}{number:,} {self._what}, {rate:,.0f} a second")

    def remark(self, reached: Milestone) -> None:
        self._reached = f"{reached}; "
        self._show(self._number, str(reached))


@contextmanager
def progress(doing: str, what: str, total: int | None = None) -> Iterator[Shown]:
    """If standard error is a terminal, show the number of ``what``, their rate, and, if their ``total`` is known, the
    time remaining. Nothing may be printed meanwhile."""
    if not is_lively(sys.stderr):
        yield Shown()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    estimate = [BarColumn(), TimeRemainingColumn()] if total is not None else [TimeElapsedColumn()]
    columns = [SpinnerColumn(), TextColumn("{task.description}: {task.fields[met]}"), *estimate]
    with Progress(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        task = bar.add_task(doing, total=total, met=f"0 {what}")
        yield Bar(what, lambda number, words: bar.update(task, completed=number, met=words))
