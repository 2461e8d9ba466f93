"""How much memory things take, and how many more of a kind find room.

Whoever keeps many things of one kind, positions in a table or states that wait, cannot know beforehand how large they
are: a position of go takes more than one of nim. So some of them are measured, those that came last, whenever there are
twice as many as the last time (:class:`Room`). What is asked of the clock or of the system would differ from run to
run; this does not.

What several things share counts once. So the first half of a sample only tells what is shared (the model of the game,
the history that they all have), and the second half what one more of them takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Reversible, Sized
from gc import get_referents
from itertools import islice
from math import inf
from sys import getsizeof, maxsize
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Final, Protocol

from attrs import define, field

LATEST: Final = 16
"""So many things of a kind take no memory to speak of, and as many are looked at."""

_SLOT: Final = 64
"""What a place in a table or a list takes for each thing in it, about: tables grow before they are full."""

_SHARED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, CodeType)
"""What belongs to the program, and to no thing."""


class Things(Reversible[object], Sized, Protocol):
    """A list, a dictionary, or a queue."""


def footprint(things: Iterable[object], seen: set[int]) -> int:
    """The bytes of things with all that hangs on them, without what has been ``seen``, by identity; they are then seen,
    too."""
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
            total += 8 * len(inside)  # where the attributes stand, which does not count as part of the object
        waiting += inside
    return total


@define(eq=False)
class Budget:
    """``allowed`` bytes, of which ``filled`` are taken by what stands in its rooms. It ``is_spent`` when one of them
    has refused something."""

    allowed: float
    filled: float = 0.0
    is_spent: bool = False


@define(eq=False)
class Room:
    """Where things of one kind are kept, which take ``each`` so many bytes, and what those take that may still come is
    ``promised``. Those that are at hand in a table or list,
    are counted there, and while they are fewer than ``most``, nobody need ask for room (:meth:`grows`); others are told
    of one by one (:meth:`keep`)."""

    budget: Budget
    most: int = LATEST
    counted: int = 0
    each: float = 0.0
    promised: float = 0.0
    kept: int = 0
    latest: deque[object] = field(factory=lambda: deque(maxlen=LATEST))
    _before: set[int] = field(factory=set)
    _first: list[object] = field(factory=list)

    def grows(self, things: Things) -> bool:
        """Whether one more finds room; where there are twice as many as the last time, the latest are measured."""
        if len(things) < self.most:
            return True
        return self._grows_to(len(things), self._latest(things) if len(things) > self.counted else [])

    def keep(self, thing: object) -> bool:
        """One thing more is kept. Whether another one finds room."""
        self.kept += 1
        self.latest.append(thing)
        return self.kept < self.most or self._grows_to(self.kept, list(self.latest))

    @property
    def is_full(self) -> bool:
        """Whether no other one finds room behind those told of."""
        return self.kept >= self.most

    def _grows_to(self, count: int, latest: list[object]) -> bool:
        """Whether there is room for more than ``count``, of which these are the ``latest``."""
        if self.budget.allowed == inf:
            self.most = maxsize
            return True
        if count > self.counted:
            self.each = self._measured(latest)
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
        """Only so many things are left."""
        self.budget.filled -= max(0, self.counted - count) * self.each + self.promised
        self.counted, self.promised = min(self.counted, count), 0.0
        self.most = max(LATEST, count)

    @staticmethod
    def _latest(things: Things) -> list[object]:
        latest = islice(reversed(things), LATEST)
        if isinstance(things, dict):
            return [part for key in latest for part in (key, things[key])]
        return list(latest)

    def _measured(self, latest: list[object]) -> float:
        """What one thing takes; of a dictionary, keys and values stand side by side in ``latest``."""
        if not self._first:  # what all of them share, such as the model, is not looked through every time
            self._first = latest[:2]
            footprint(self._first, self._before)
        seen, half = set(self._before), len(latest) // 2
        footprint(latest[:half], seen)
        things = min(LATEST, len(latest)) - min(LATEST, len(latest)) // 2
        return _SLOT + footprint(latest[half:], seen) / things


def size(count: float) -> str:
    """A number of bytes as ``--memory`` takes it: ``256M``."""
    for unit, suffix in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if count >= unit:
            return f"{count / unit:.4g}{suffix}"
    return str(count)
