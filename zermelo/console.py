"""The terminal: tables and progress by rich, which is imported only where something is shown with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from zermelo.report.paint import is_lively

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console() -> Console:
    """Standard output, where square brackets are nothing but square brackets."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def print_json(record: Any) -> None:
    """A result as JSON on standard output."""
    print(json.dumps(record, ensure_ascii=False, indent=2))


def print_facts(rows: Sequence[tuple[str, str]]) -> None:
    """Lines of a word and what is to be said about it."""
    table = _grid()
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for word, text in rows:
        table.add_row(word, text)
    _print(table)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows under heads."""
    table = _grid()
    table.show_header = True
    for head in heads:
        table.add_column(head, header_style="bold")
    for row in rows:
        table.add_row(*row)
    _print(table)


def print_title(title: str, rest: str = "") -> None:
    """A title, and what stands behind it in parentheses."""
    from rich.text import Text

    console().print(Text(title, style="bold") + Text(f" ({rest})" if rest else ""))


def _print(table: Table) -> None:
    """Print a table without the blanks that fill its lines."""
    terminal = console()
    with terminal.capture() as captured:
        terminal.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _grid() -> Table:
    from rich.table import Table

    return Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))


class Shown:
    """Progress that nobody looks at, and what progress that is looked at begins from."""

    def __call__(self, number: int) -> None:
        """Show how many have been met."""

    def say(self, words: str) -> None:
        """Show this instead."""


class _Bar(Shown):
    """Progress on a terminal: ``show`` writes beside the bar."""

    def __init__(self, what: str, show: Callable[[int, str], None]) -> None:
        self._what, self._show, self._begin, self._number = what, show, perf_counter(), 0

    def __call__(self, number: int) -> None:
        rate = number / max(perf_counter() - self._begin, 1e-9)
        self._number = number
        self._show(number, f"{number:,} {self._what}, {rate:,.0f} a second")

    def say(self, words: str) -> None:
        self._show(self._number, words)


@contextmanager
def progress(doing: str, what: str, total: int | None = None) -> Iterator[Shown]:
    """Shows on standard error how many ``what`` have been met, how many a second, and, where their ``total`` is known,
    how long it is likely to take, if that is a terminal. Nothing must be printed meanwhile."""
    if not is_lively(sys.stderr):
        yield Shown()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    estimate = [BarColumn(), TimeRemainingColumn()] if total is not None else [TimeElapsedColumn()]
    columns = [SpinnerColumn(), TextColumn("{task.description}: {task.fields[met]}"), *estimate]
    with Progress(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        task = bar.add_task(doing, total=total, met=f"0 {what}")
        yield _Bar(what, lambda number, words: bar.update(task, completed=number, met=words))
