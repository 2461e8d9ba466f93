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


@contextmanager
def progress(doing: str, what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Shows on standard error how many ``what`` have been met, how many a second, and, where their ``total`` is known,
    how long it is likely to take, if that is a terminal. Nothing must be printed meanwhile."""
    if not is_lively(sys.stderr):
        yield _show_nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    estimate = [BarColumn(), TimeRemainingColumn()] if total is not None else [TimeElapsedColumn()]
    columns = [SpinnerColumn(), TextColumn("{task.description}: {task.fields[met]}"), *estimate]
    begin = perf_counter()
    with Progress(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        task = bar.add_task(doing, total=total, met=f"0 {what}")

        def show(number: int) -> None:
            rate = number / max(perf_counter() - begin, 1e-9)
            bar.update(task, completed=number, met=f"{number:,} {what}, {rate:,.0f} a second")

        yield show


def _show_nothing(number: int) -> None:
    """Nobody looks."""
