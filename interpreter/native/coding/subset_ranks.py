"""Sets of few members as numbers, where a mask would not fit into a move.

The sets with between ``least`` and ``most`` members out of ``size`` are numbered by how many members they have, and
those of one size by the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3, theorem L):
every number from 0 to C(n, k) - 1 is C(c1, 1) + C(c2, 2) + ... + C(ck, k) for exactly one set of places c1 < c2 < ... <
ck below n. So ranking takes k lookups in a table of binomials, and unranking one walk down the places, which finds the
greatest one first.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from attrs import frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.cardinality import member_counts, most_members
from zermelo.interpreter.native.coding.encoding import universe
from zermelo.interpreter.types import SetType, Type, strip_none

if TYPE_CHECKING:
    from zermelo.interpreter.native.dialect.text import Text

_LARGEST = 1 << 62
"""Replaces all larger binomials, which no ranked set reaches."""


@frozen(repr=False)
class RankedSets(Displayed):
    """Stores a mask with between ``least`` and ``most`` of ``size`` bits set as its rank. The interface is that of
    :class:`~zermelo.interpreter.native.coding.encoding.Storage`."""

    size: int
    least: int
    most: int

    @property
    def width(self) -> int:
        return (self._firsts[-1] - 1).bit_length()

    @property
    def _firsts(self) -> list[int]:
        """The first rank of each number of members, and the number of ranks."""
        firsts = [0]
        for count in range(self.least, self.most + 1):
            firsts.append(firsts[-1] + comb(self.size, count))
        return firsts

    @property
    def _name(self) -> str:
        return f"{self.size}_{self.least}_{self.most}"

    def put(self, code: int) -> int:
        count = code.bit_count()
        if not self.least <= count <= self.most:
            return -1
        rank = self._firsts[count - self.least]
        places = (place for place in range(self.size) if code >> place & 1)
        return rank + sum(comb(place, k) for k, place in enumerate(places, 1))

    def take(self, stored: int) -> int:
        count = self.least
        while count < self.most and stored >= self._firsts[count + 1 - self.least]:
            count += 1
        stored -= self._firsts[count - self.least]
        mask, place = 0, self.size - 1
        for k in range(count, 0, -1):
            while comb(place, k) > stored:
                place -= 1
            stored -= comb(place, k)
            mask |= 1 << place
        return mask

    def put_text(self, code: str) -> str:
        """:meth:`put` in the dialect."""
        return f"rank_{self._name}({code})"

    def take_text(self, stored: str) -> str:
        """:meth:`take` in the dialect."""
        return f"ranked_{self._name}({stored})"

    def write_functions(self, text: Text) -> None:
        """Write the functions that :meth:`put_text` and :meth:`take_text` call."""
        from zermelo.interpreter.native.dialect.templates import instantiate  # which only the lowering needs

        named = {"rank": f"rank_{self._name}", "ranked": f"ranked_{self._name}"}
        firsts, table = self._firsts[:-1], binomials(self.size, self.most)
        instantiate(text, "ranking", named, SIZE=self.size, LEAST=self.least, MOST=self.most,
                    FIRSTS=firsts, BINOMIALS=table)  # fmt: skip


def binomials(size: int, most: int) -> list[int]:
    """C(n, k) at ``k * (size + 1) + n``, for n up to ``size`` and k up to ``most``, cut at a limit."""
    return [min(_LARGEST, comb(n, k)) for k in range(most + 1) for n in range(size + 1)]


def ranked(parameter: model.RuleParameter) -> RankedSets:
    """The ranks for the values of a parameter that is a set."""
    base = strip_none(parameter.type).base
    assert isinstance(base, SetType)
    least, most = member_bounds(parameter.domain, base.element)
    return RankedSets(universe(base.element)[1], least, most)


def member_bounds(expr: Expr, element: Type) -> tuple[int, int]:
    """Bounds on the number of members of the sets in a set of sets."""
    _, size = universe(element)
    least, most = member_counts(expr)
    return min(least, size), size if most is None else min(most, size)


def most_values(domain: Expr) -> int:
    """A bound on the number of values of a domain."""
    found = most_members(domain)
    if found is not None:
        return found
    base = strip_none(domain.type).base
    assert isinstance(base, SetType)
    inner = strip_none(base.element).base
    if not isinstance(inner, SetType):
        return universe(inner)[1]
    least, most = member_bounds(domain, inner.element)
    return sum(comb(universe(inner.element)[1], count) for count in range(least, most + 1))
