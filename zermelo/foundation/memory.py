"""The memory that objects take, and how many more of a kind fit into a budget; and that of processes.

The size of the entries of a table or a queue is not known beforehand: a position of go takes more than one of nim. So
the latest entries are measured whenever their number has doubled (:class:`MemoryQuota`). Unlike figures from the clock
or from the system, this is the same in every run.

Shared parts count once. The first half of a sample therefore only finds what is shared (the model of the game, the
common history), and the second half the size of one more entry.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Reversible, Sized
from contextlib import suppress
from gc import get_referents
from itertools import islice
from math import ceil, inf
from pathlib import Path
from sys import getsizeof, maxsize
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Final, Protocol

from attrs import define, field

SAMPLE_SIZE: Final = 16
"""The size of a sample; so few entries take no memory worth counting."""

_SLOT: Final = 64
"""About how many bytes a table or a list itself takes for each entry: tables grow before they are full."""

_SHARED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, CodeType)
"""Parts of the program, which count for no entry."""


class Entries(Reversible[object], Sized, Protocol):
    """A list, a dictionary, or a queue."""


def footprint(things: Iterable[object], seen: set[int]) -> int:
    """The bytes of all objects reachable from ``things``, without those in ``seen`` (identities), to which they are
    added."""
    total = 0
    waiting = list(things)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or thing is None or isinstance(thing, _SHARED):
            continue
        seen.add(id(thing))
        total += getsizeof(thing)
        if isinstance(thing, (int, str, bytes, float)):
            continue
        inside = get_referents(thing)
        if type(thing).__dictoffset__:
            total += 8 * len(inside)  # the array of attribute values, which getsizeof does not count
        waiting += inside
    return total


@define(eq=False, repr=False)
class MemoryBudget:
    """``allowed`` bytes, of which the entries of its rooms take ``filled``. It ``is_spent`` once one of them has
    refused an entry."""

    allowed: float
    filled: float = 0.0
    is_spent: bool = False


@define(eq=False, repr=False)
class MemoryQuota:
    """The share of one kind of entries in a budget: ``each`` takes so many bytes, and ``promised`` are the bytes of
    those still to come. The entries of a table or list are counted there (:meth:`grows`), and while they are fewer than
    ``most``, no call is needed; others are announced one by one (:meth:`keep`)."""

    budget: MemoryBudget
    most: int = SAMPLE_SIZE
    counted: int = 0
    each: float = 0.0
    promised: float = 0.0
    kept: int = 0
    latest: deque[object] = field(factory=lambda: deque(maxlen=SAMPLE_SIZE))
    _before: set[int] = field(factory=set)
    _first: list[object] = field(factory=list)

    def grows(self, things: Entries) -> bool:
        """Whether one more fits; if their number has doubled since the last time, the latest are measured."""
        if len(things) < self.most:
            return True
        return self._grows_to(len(things), self._latest(things) if len(things) > self.counted else [])

    def keep(self, thing: object) -> bool:
        """Count one more entry, and return whether another one fits."""
        self.kept += 1
        self.latest.append(thing)
        return self.kept < self.most or self._grows_to(self.kept, list(self.latest))

    @property
    def is_full(self) -> bool:
        """Whether no entry fits beyond those announced."""
        return self.kept >= self.most

    def _grows_to(self, count: int, latest: list[object]) -> bool:
        """Whether more than ``count`` entries fit, of which these are the ``latest``."""
        if self.budget.allowed == inf:
            self.most = maxsize
            return True
        if count > self.counted:
            self.each = self._bytes_per_entry(latest)
            self.budget.filled += (count - self.counted) * self.each
            self.counted = count
        self.budget.filled -= self.promised
        more = max(0, min(count, int((self.budget.allowed - self.budget.filled) / self.each)))
        self.promised = more * self.each
        self.budget.filled += self.promised
        self.most = count + more
        self.budget.is_spent = not more
        return more > 0

    def shrink(self, count: int) -> None:
        """Only so many entries are left."""
        self.budget.filled -= max(0, self.counted - count) * self.each + self.promised
        self.counted, self.promised = min(self.counted, count), 0.0
        self.most = max(SAMPLE_SIZE, count)

    @staticmethod
    def _latest(things: Entries) -> list[object]:
        latest = islice(reversed(things), SAMPLE_SIZE)
        if isinstance(things, dict):
            return [part for key in latest for part in (key, things[key])]
        return list(latest)

    def _bytes_per_entry(self, latest: list[object]) -> float:
        """The bytes of one entry; for a dictionary, ``latest`` holds keys and values in turn."""
        if not self._first:  # shared parts, such as the model, are not traversed every time
            self._first = latest[:2]
            footprint(self._first, self._before)
        seen, half = set(self._before), len(latest) // 2
        footprint(latest[:half], seen)
        things = min(SAMPLE_SIZE, len(latest)) - min(SAMPLE_SIZE, len(latest)) // 2
        return _SLOT + footprint(latest[half:], seen) / things


_UNITS: Final = ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K"))


def format_bytes(count: float) -> str:
    """A number of bytes, in a few digits: ``3.373M``."""
    for unit, suffix in _UNITS:
        if count >= unit:
            return f"{count / unit:.4g}{suffix}"
    return str(count)


def memory_option(count: float) -> str:
    """The option that allows at least so many bytes, which takes whole numbers: ``--memory 4M``."""
    unit, suffix = next((each for each in _UNITS if count >= each[0]), _UNITS[-1])
    return f"--memory {ceil(count / unit)}{suffix}"


# The memory of processes, where the system tells (Linux), and the addresses that they may use, which `ulimit -v` bounds
# on many clusters: what is laid out ahead takes addresses, and no memory before it is used.


UNLIMITED: Final = 1 << 62
"""More bytes than there are."""


def resident_bytes(process: int | str = "self") -> int:
    """The bytes of memory that a process uses; 0 if the system does not tell, or it has ended."""
    return _pages(process, 1)


def address_space_bytes() -> int:
    """The bytes of addresses that this process has taken, used or not; 0 if the system does not tell."""
    return _pages("self", 0)


def address_limit() -> int:
    """The bytes of addresses that this process may take; :data:`UNLIMITED` if nothing bounds them."""
    try:
        import resource
    except ImportError:  # Windows
        return UNLIMITED
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft


def _pages(process: int | str, column: int) -> int:
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[column])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0
