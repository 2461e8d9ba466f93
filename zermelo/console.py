"""The terminal: titles, tables, and progress by rich, which is imported only for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from zermelo.report.columns import clean
from zermelo.report.paint import is_lively, paint_for
from zermelo.report.tables import fact_lines, table, wrapped

if TYPE_CHECKING:
    from zermelo.solvers.common.progress import Milestone

_NESTED: Final = 4
"""How deep JSON is indented."""


def print_json(record: Any) -> None:
    """A result as JSON on standard output: indented, and what is nested deep, such as a decision of a strategy, in a
    line."""
    print(_laid_out(record, 0))


def _laid_out(thing: Any, depth: int) -> str:
    if depth == _NESTED or not thing or not isinstance(thing, dict | list | tuple):
        return json_text(thing)
    begin, end = "\n" + "  " * (depth + 1), "\n" + "  " * depth
    if isinstance(thing, dict):
        rows = [f"{json_text(str(key))}: {_laid_out(value, depth + 1)}" for key, value in thing.items()]
        return f"{{{begin}{f',{begin}'.join(rows)}{end}}}"
    return f"[{begin}{f',{begin}'.join(_laid_out(item, depth + 1) for item in thing)}{end}]"


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
    print(fact_lines(rows, _width(), paint_for(sys.stdout)))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows under heads."""
    print(table(heads, rows, _width(), paint_for(sys.stdout)))


def print_remark(text: str) -> None:
    """A sentence, in lines of the width of the terminal."""
    print("\n".join(wrapped(clean(text), _width())))


def print_title(title: str, rest: str = "") -> None:
    """A title, and ``rest`` after it in parentheses."""
    print_heading(title, f" ({rest})" if rest else "")


def print_heading(words: str, rest: str = "", role: str = "strong") -> None:
    """``words`` in the style of ``role``, and ``rest`` after them in plain text."""
    print(paint_for(sys.stdout)(role, clean(words)) + clean(rest))


def _width() -> int:
    """How many columns the terminal has; 80 where there is none."""
    return get_terminal_size().columns


class Shown:
    """Progress that is not shown; the base of progress that is."""

    def __call__(self, number: int) -> None:
        """Show the number reached."""

    def remark(self, reached: Milestone) -> None:
        """Show what an iteration has reached instead of the number."""


class Bar(Shown):
    """Progress in words, which ``show`` shows with the number reached."""

    def __init__(self, what: str, show: Callable[[int, str], None]) -> None:
        self._what, self._show, self._begin, self._number = what, show, perf_counter(), 0

    def __call__(self, number: int) -> None:
        rate = number / max(perf_counter() - self._begin, 1e-9)
        self._number = number
        self._show(number, f"{number:,} {self._what}, {rate:,.0f} a second")

    def remark(self, reached: Milestone) -> None:
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
