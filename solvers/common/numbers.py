"""Exact numbers and the two infinities, columns of whole numbers; cycles, rounds and sizes of plays."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Sequence
from fractions import Fraction
from math import inf, lcm
from sys import getsizeof
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Loop

# Exact numbers and the two infinities.


Number = int | Fraction | float
"""An exact payoff; the only floats are the two infinities."""


class Infinite(float):
    """More or less than every number. Negation, and sums and differences with numbers, are exact: Python would convert
    the number to a float, which may overflow."""

    def __neg__(self) -> Infinite:
        return Infinite(-float(self))

    def _itself(self, _: object) -> Infinite:
        return self

    __add__ = __radd__ = __sub__ = _itself

    def __rsub__(self, _: object) -> Infinite:
        return -self


INFINITE: Final = Infinite(inf)


@frozen(eq=False, repr=False)
class JustAbove(ByValue):
    """More than an amount, and less than every number above that amount."""

    amount: Number

    def __le__(self, number: Number) -> bool:
        return self.amount < number

    def __gt__(self, number: Number) -> bool:
        return self.amount >= number


# Rational numbers over a common denominator.


def over_one_denominator(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """The same numbers as numerators over their least common denominator. Sums of products then need no greatest common
    divisors, which make sums of fractions slow."""
    denominator = lcm(*{number.denominator for number in numbers})
    return [number.numerator * (denominator // number.denominator) for number in numbers], denominator


def bytes_over_one_denominator(numbers: Sequence[Fraction]) -> int:
    """The bytes of the digits from :func:`over_one_denominator`, for numbers of size about 1; many if denominators have
    few common factors."""
    return len(numbers) * (lcm(*{number.denominator for number in numbers}).bit_length() // 8)


# Columns of whole numbers: arrays, with eight bytes each, if the numbers fit, otherwise lists.


OBJECT_BYTES: Final = 40
"""The bytes of a number in a list, about."""


def column(numbers: list[int]) -> Sequence[int]:
    """Numbers in an array, if they fit."""
    try:
        return array("q", numbers)
    except OverflowError:
        return numbers


def bytes_of(*columns: Sequence[int]) -> int:
    """The memory of columns."""
    return sum(
        8 * len(numbers) + (0 if isinstance(numbers, array) else sum(map(getsizeof, numbers))) for numbers in columns
    )


# Cycles found by searches.


class GoesRound(ZermeloError):
    """The refusal (``needs-end``) of a game in which a search has found a cycle, the ``loop``. ``beside`` says why the
    search could not go on nevertheless."""

    def __init__(self, loop: Loop, beside: str = "") -> None:
        message = f"a play of this game may never end: {loop}{', ' if beside else ''}{beside}"
        super().__init__("needs-end", message)
        self.loop = loop


# Positions in which some of those who choose at once have chosen.


def within_round_error() -> ZermeloError:
    """Why what is left of a round is not solved."""
    return ZermeloError(
        "no-value",
        "somebody has chosen already, and others, who choose at the same moment, do not know what: the position has no "
        "value of its own, since it depends on what they think",
        "name in --after the choices of all of them, or of none",
    )


# The size of a game.


@frozen(eq=False, repr=False)
class Size(ByValue):
    """The number of positions, of ends among them, and of moves of the longest play (None if unknown or unbounded).
    ``stopped`` says what ended the count early, empty if nothing did. ``loop`` is a play with a cycle, if one was
    met."""

    positions: int
    terminals: int
    longest: int | None
    stopped: str
    loop: Loop | None = None

    @property
    def finished(self) -> bool:
        return not self.stopped


# Recursion without the stack of Python, which a long play would overflow.


Node = TypeVar("Node")
Result = TypeVar("Result")


def depth_first(visit: Callable[[Node], Generator[Node, Result, Result]], root: Node) -> Result:
    """The result of ``visit(root)``, a generator that yields the nodes whose results it needs and is sent these."""
    path = [visit(root)]
    results: list[Result] = []
    while path:
        try:
            asked = path[-1].send(results.pop()) if results else next(path[-1])
        except StopIteration as ended:
            path.pop()
            results.append(ended.value)
        else:
            path.append(visit(asked))
    return results.pop()
