"""Lengths of arrays in the kernel dialect that the rules of a game determine: the room for moves, for keys, for states.

Kernels import them with the other words (:mod:`.words`).
"""

from __future__ import annotations


class Length(type):
    """The kind of constants that may be lengths of arrays. For mypy they are types, as in ``ints[MOVES]``; in a running
    kernel they are numbers."""

    def __index__(cls) -> int:
        raise TypeError(f"{cls.__name__} is a number only where a kernel runs")

    def __add__(cls, other: int) -> int:
        return cls.__index__() + other

    def __radd__(cls, other: int) -> int:
        return other + cls.__index__()

    def __sub__(cls, other: int) -> int:
        return cls.__index__() - other

    def __rsub__(cls, other: int) -> int:
        return other - cls.__index__()

    def __mul__(cls, other: int) -> int:
        return cls.__index__() * other

    def __rmul__(cls, other: int) -> int:
        return other * cls.__index__()

    def __lt__(cls, other: int) -> bool:
        return cls.__index__() < other

    def __le__(cls, other: int) -> bool:
        return cls.__index__() <= other

    def __gt__(cls, other: int) -> bool:
        return cls.__index__() > other

    def __ge__(cls, other: int) -> bool:
        return cls.__index__() >= other


class MOVES(metaclass=Length):
    """The length of a list of moves."""


class KEY(metaclass=Length):
    """The words of the key of a position."""


class STATE(metaclass=Length):
    """The slots of a state."""


class PLAYERS(metaclass=Length):
    """The number of players."""


class CONTEXT(metaclass=Length):
    """The entries of the context that the rules take."""


class MOMENT(metaclass=Length):
    """The words of an entry of the history; 0 where the rules do not look at it."""


class PAST(metaclass=Length):
    """The words for what the rules have read of the history, and two for what a kernel notes of it; 0 where they do not
    look at it."""


class WORDS(metaclass=Length):
    """The most words of a player's observations of one step."""
