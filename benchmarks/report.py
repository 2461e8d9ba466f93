"""Reports: rows of this project against a peer, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from attrs import frozen

from benchmarks.facts import Facts
from benchmarks.measure import Measurement

_MISSED: Final = " missed"


@frozen(kw_only=True)
class Row:
    """One comparison.

    ``ours`` and ``theirs`` are measurements, or the reason for a missing one. ``target`` is the ratio of rates to reach
    (this project's over the peer's).
    """

    task: str
    unit: str
    ours: Measurement | str
    peer: str
    theirs: Measurement | str
    target: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """This project's rate over the peer's."""
        if isinstance(self.ours, str) or isinstance(self.theirs, str):
            return None
        return self.ours.rate / self.theirs.rate

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None without a target or a ratio."""
        return None if self.target is None or self.ratio is None else self.ratio >= self.target

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        ratio = "" if self.ratio is None else f"{self.ratio:.3g} x"
        target = "" if self.target is None else f"{self.target:g} x{_MISSED if self.is_met is False else ''}"
        return self.task, self.unit, _rate(self.ours), self.peer, _rate(self.theirs), ratio, target, self.note

    def record(self) -> dict[str, Any]:
        """The row as JSON."""
        return {
            "task": self.task,
            "unit": self.unit,
            "ours": _measurement_record(self.ours),
            "peer": self.peer,
            "theirs": _measurement_record(self.theirs),
            "ratio": self.ratio,
            "target": self.target,
            "met": self.is_met,
            "note": self.note,
        }


@frozen(kw_only=True)
class Delay:
    """The time of a task without a peer. ``limit`` is its bound, in seconds."""

    task: str
    ours: float
    limit: float

    @property
    def is_met(self) -> bool:
        """Whether it is within the limit."""
        return self.ours < self.limit

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        limit = f"under {self.limit:g}{'' if self.is_met else _MISSED}"
        return self.task, "seconds", _seconds(self.ours), "", "", "", limit, ""

    def record(self) -> dict[str, Any]:
        """The row as JSON."""
        return {
            "task": self.task,
            "unit": "seconds",
            "ours": {"seconds": self.ours},
            "limit": self.limit,
            "met": self.is_met,
        }


@frozen(kw_only=True)
class Growth:
    """The growth of a time with doubled sizes: ``seconds`` for each size, and their ``exponent`` at the end, which
    should stay below the ``limit``."""

    task: str
    seconds: tuple[float, ...]
    exponent: float
    limit: float

    @property
    def is_met(self) -> bool:
        """Whether the exponent is within the limit."""
        return self.exponent < self.limit

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        ratios = " ".join(f"{later / earlier:.1f}" for earlier, later in pairwise(self.seconds))
        limit = f"under {self.limit:g}{'' if self.is_met else _MISSED}"
        note = f"{_seconds(self.seconds[0])} to {_seconds(self.seconds[-1])} s, each doubling x {ratios}"
        return self.task, "exponent", f"{self.exponent:.2f}", "", "", "", limit, note

    def record(self) -> dict[str, Any]:
        """The row as JSON."""
        return {
            "task": self.task,
            "unit": "exponent",
            "ours": {"exponent": self.exponent, "seconds": list(self.seconds)},
            "limit": self.limit,
            "met": self.is_met,
        }


@frozen
class Report:
    """All rows of a run, and where it ran."""

    facts: Facts
    rows: Sequence[Row | Delay | Growth]

    def record(self) -> dict[str, Any]:
        """The report as JSON."""
        return {"facts": self.facts.record(), "rows": [row.record() for row in self.rows]}

    def print(self) -> None:
        """Print the table."""
        from rich.console import Console
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for head in ("task", "unit", "ours", "peer", "theirs", "ratio", "target", "note"):
            is_number = head in ("ours", "theirs", "ratio", "target")
            style = "dim" if head == "note" else ""
            table.add_column(head, header_style="bold", style=style, justify="right" if is_number else "left")
        for row in self.rows:
            table.add_row(*row.cells())
        console = Console(markup=False, highlight=False)
        if not console.is_terminal:
            console = Console(markup=False, highlight=False, width=220)
        console.print(table)
        console.print(self.facts.text(), style="dim")


def markdown_row(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def _rate(side: Measurement | str) -> str:
    """A rate with three digits, or the reason for a missing one."""
    if isinstance(side, str):
        return side
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if side.rate >= size:
            return f"{side.rate / size:.3g}{letter}"
    return f"{side.rate:.3g}"


def _seconds(seconds: float) -> str:
    """Seconds with two decimals, or two significant digits."""
    return f"{seconds:.2f}" if seconds >= 0.1 else f"{seconds:.2g}"


def _measurement_record(side: Measurement | str) -> dict[str, Any]:
    if isinstance(side, str):
        return {"unavailable": side}
    return {"rate": side.rate, "amount": side.amount, "seconds": side.seconds, "parts": side.parts}
