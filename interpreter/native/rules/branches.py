"""The histories of the positions of a turn, for :mod:`zermelo.interpreter.native.rules.preferring` in games whose rules
look at the history.

The positions of a turn share the history up to the turn's first decision; behind it every one has a branch of its own.
The context holds one history at a time. So what a step adds to it is put into a *pool*, a row of words for each entry,
and a position knows the one that it was reached from, how long its history is, and where in the pool its own rows
begin. Going back along those positions writes a branch into the context again.

Two positions are the same where the rest of the play can tell nothing of how their histories differ, which is what
:meth:`zermelo.interpreter.native.coding.history.History.future` says: ``repeated`` asks for the *set* of earlier
values, so that a turn in which steps can be taken back and forth has no more positions than that, and ``repetitions``
for how often each has been. A digest that does not depend on the order tells most positions apart; where it agrees,
both branches are laid behind each other in the context and compared in full.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.native.coding.history import FIRST, MOST_ENTRIES, History
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering

_SUMMAND: Final = (1 << 48) - 1
"""What is added up in a digest, so that sums over a whole history stay within 64 bits."""

_ARRAYS: Final = ("parent", "length", "row", "pool")


def bytes_for_each(lowering: Lowering) -> int:
    """How much room the history of a position takes, beside its state."""
    return 8 * (3 + 2 * _row(lowering.history)) if lowering.model.history else 0


class Branches:
    """Writes what ``preferred_k`` does with histories: nothing at all where no rule looks at them. ``positions`` is
    how many positions there is room for."""

    def __init__(self, lowering: Lowering, positions: int) -> None:
        self.lowering = lowering
        self.history = lowering.history
        self.is_needed = bool(lowering.model.history)
        self.positions = positions
        self.length = f"[{lowering.layout.history}]"

    def begin(self, body: Body) -> None:
        """The arrays, with the first position of the turn in them."""
        if self.is_needed:
            for name in _ARRAYS[:-1]:
                body.line(f"{name} = array({self.positions})")
            body.line(f"pool = array({2 * self.positions * _row(self.history)})")
            body.line("rows: int = 0")
            body.line(f"length[0] = S{self.length}")

    def recall(self, body: Body) -> None:
        """Put the history of position ``at`` into the context."""
        if self.is_needed:
            body.line(f"{self._recalled()}(C, {', '.join(_ARRAYS)}, at, 0)")

    def digest(self, body: Body) -> None:
        """Add the history of ``T`` to the digest ``h``."""
        if self.is_needed:
            body.line(f"h = mix(h, {self._digested()}(C, length[0], T{self.length}))")

    def compare(self, body: Body) -> None:
        """Let ``same`` be 0 where the histories of position ``j`` and of ``T`` differ."""
        if not self.is_needed:
            return
        more = f"length[j] - length[0] > {MOST_ENTRIES} - T{self.length}"
        with body.block("if same != 0"):
            with body.block(f"if {more}"):
                body.line("same = 0")
            with body.block("else"):
                body.line(f"{self._recalled()}(C, {', '.join(_ARRAYS)}, j, T{self.length} - length[0])")
                body.line(f"same = {self._is_same()}(C, length[0], T{self.length}, length[j] - length[0])")

    def keep(self, overflow: int, body: Body) -> None:
        """Put what the step from ``at`` to ``T``, the new position ``found``, has added into the pool."""
        if not self.is_needed:
            return
        history, width = self.history, _row(self.history)
        body.line("parent[found] = at")
        body.line(f"length[found] = T{self.length}")
        body.line("row[found] = rows")
        with body.block("for i in range(length[at], length[found])"):
            with body.block(f"if rows >= {2 * self.positions}"):
                with body.block("if C[0] == 0"):
                    body.line(f"C[0] = {overflow}")
                body.line("return n")
            with body.block(f"for w in range({history.words})"):
                body.line(f"pool[rows * {width} + w] = C[{FIRST} + i * {history.words} + w]")
            for k, group in enumerate(history.parts):
                body.line(f"pool[rows * {width} + {history.words + k}] = C[{history.digests(group)} + i]")
            body.line("rows += 1")

    # ---------------------------------------------------------------- functions

    def _recalled(self) -> str:
        """A function that writes the branch of position j into the context, ``further`` behind where it belongs."""
        history, width, count = self.history, _row(self.history), self.positions
        heads = [f"{name}: ints[{count}]" for name in _ARRAYS[:-1]]
        lines = [
            "at: int = j",
            "while at != 0:",
            "    first: int = length[parent[at]]",
            "    for i in range(first, length[at]):",
            f"        one: int = (row[at] + i - first) * {width}",
            f"        for w in range({history.words}):",
            f"            C[{FIRST} + (i + further) * {history.words} + w] = pool[one + w]",
            *(
                f"        C[{history.digests(group)} + i + further] = pool[one + {history.words + k}]"
                for k, group in enumerate(history.parts)
            ),
            "    at = parent[at]",
            "return 0",
        ]
        pool = f"pool: ints[{2 * count * width}]"
        heads = ["C: ints[CONTEXT]", *heads, pool, "j: int", "further: int"]
        return self.lowering.helper("recall", ", ".join(heads), lines)

    def _digested(self) -> str:
        """A function that gives a digest of what the rest of the play can tell of the entries from ``first`` on."""
        history = self.history
        lines = ["h: int = 0", "total: int = 0"]
        for place in self.lowering.model.history:
            digests = history.digests(place.variables)
            lines.append("total = 0")
            if isinstance(place, model.Repeated):
                lines += [
                    "for i in range(first, n - 1):",
                    f"    if count(C, {digests}, i, C[{digests} + i]) == 0:",
                    f"        total += C[{digests} + i] & {_SUMMAND}",
                    f"h = mix(h, C[{digests} + n - 1])",
                ]
            else:
                lines += ["for i in range(first, n):", f"    d: int = C[{digests} + i]"]
                lines += [f"    d = mix(d, C[{FIRST + w} + i * {history.words}])" for w in range(history.head)]
                lines.append(f"    total += d & {_SUMMAND}")
            lines.append("h = mix(h, total)")
        lines.append("return h")
        return self.lowering.helper("branch_digest", "C: ints[CONTEXT], first: int, n: int", lines)

    def _is_same(self) -> str:
        """A function that tells whether the rest of the play can tell the entries from ``first`` to ``n`` from the
        ``more`` entries behind them."""
        lines = ["end: int = n + more"]
        for place in dict.fromkeys(self.lowering.model.history):
            times = self._times(place)
            if isinstance(place, model.Repeated):
                lines += [
                    f"if {times}(C, n - 1, end - 1, end) == 0:",
                    "    return 0",
                    "for i in range(first, n - 1):",
                    f"    if {times}(C, i, 0, first) + {times}(C, i, n, end - 1) == 0:",
                    "        return 0",
                    "for i in range(n, end - 1):",
                    f"    if {times}(C, i, 0, n - 1) == 0:",
                    "        return 0",
                ]
            else:
                lines += [
                    "if n - first != more:",
                    "    return 0",
                    "for i in range(first, n):",
                    f"    if {times}(C, i, first, n) != {times}(C, i, n, end):",
                    "        return 0",
                ]
        lines.append("return 1")
        return self.lowering.helper("same_branch", "C: ints[CONTEXT], first: int, n: int, more: int", lines)

    def _times(self, place: model.Repeated | model.Repetitions) -> str:
        """A function that tells how many of the entries from ``low`` to ``high`` are as the entry ``i`` is for a place
        in the rules that looks at the history."""
        history = self.history
        first, count = history.parts[place.variables]
        compared = [*range(first, first + count)]
        if isinstance(place, model.Repetitions):
            compared = [*range(history.head), *compared]
        tests = [f"C[one + {w}] == C[other + {w}]" for w in compared]
        lines = [
            "found: int = 0",
            f"one: int = {FIRST} + i * {history.words}",
            "for k in range(low, high):",
            f"    other: int = {FIRST} + k * {history.words}",
            f"    if {' and '.join(tests)}:",
            "        found += 1",
            "return found",
        ]
        return self.lowering.helper("times", "C: ints[CONTEXT], i: int, low: int, high: int", lines)


def _row(history: History) -> int:
    """How many words an entry takes in the pool: its own, and its digests."""
    return history.words + len(history.parts)
