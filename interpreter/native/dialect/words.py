"""The words of the kernel dialect, for kernels and algorithms to import, so that mypy checks these modules. Among them
are the lengths of arrays that the rules of a game determine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, MutableSequence, Sequence
from math import log as log
from math import sqrt as sqrt
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, cast, overload


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


class LISTED(metaclass=Length):
    """The length of a list of moves that are tried one by one; 0 where a mask takes its place."""


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


class TERMS(metaclass=Length):
    """How many features the estimate of the file is a weighted sum of; 0 where it is none."""


class WORDS(metaclass=Length):
    """The most words of a player's observations of one step; 0 where no observations are lowered."""


# The words of the kernel dialect, for kernels and algorithms to import, so that mypy checks these modules.
#
# The dialect is defined in :mod:`zermelo.interpreter.native.dialect.language`. Here are its types, by which mypy tells
# arrays of different lengths apart; its functions in Python; and the constants and functions of the rules of a game,
# which have no body here: :mod:`zermelo.interpreter.native.model_lowering` writes them.


F = TypeVar("F", bound=Callable[..., int])
R = TypeVar("R")

_WORD: Final = (1 << 64) - 1
_ODD: Final = 0x9E3779B97F4A7C15

# ------------------------------------------------------------------- types

N = TypeVar("N")

bits: TypeAlias = int
"""A set, or a slot of a state."""

half: TypeAlias = int
"""A whole number of 32 bits, as ``list[half]`` holds it; elsewhere an ``int``."""


class ints(list[int], Generic[N]):
    """N numbers."""


class floats(list[float], Generic[N]):
    """N numbers of kind ``float``."""


class masks(list[int], Generic[N]):
    """N sets. ``masks(N)`` makes them; they live until the function returns."""

    def __init__(self, count: type[N] | int) -> None: ...


LANES: Final = 8
"""How many numbers ``lanes`` are."""


class lanes:
    """LANES numbers of kind ``float`` side by side; ``lanes(x)`` are LANES times x. Each lane is computed by itself."""

    __slots__ = ("_each",)

    def __init__(self, number: float) -> None:
        self._each: Sequence[float] = [number] * LANES

    @classmethod
    def _of(cls, each: Sequence[float]) -> lanes:
        made = cls.__new__(cls)
        made._each = each
        return made

    def __add__(self, other: lanes) -> lanes:
        return lanes._of([a + b for a, b in zip(self._each, other._each, strict=True)])

    def __sub__(self, other: lanes) -> lanes:
        return lanes._of([a - b for a, b in zip(self._each, other._each, strict=True)])

    def __mul__(self, other: lanes) -> lanes:
        return lanes._of([a * b for a, b in zip(self._each, other._each, strict=True)])

    def __truediv__(self, other: lanes) -> lanes:
        return lanes._of([a / b for a, b in zip(self._each, other._each, strict=True)])


def rows_of(array: Sequence[float]) -> int:
    """How many rows of LANES entries an array has."""
    return len(array) // LANES


def lanes_at(array: Sequence[float], row: int) -> lanes:
    """A row of an array, which begins with row 0: LANES entries from ``row * LANES`` on."""
    return lanes._of(array[row * LANES : row * LANES + LANES])


def put_lanes(array: MutableSequence[float], row: int, entries: lanes) -> None:
    """Set a row of an array."""
    array[row * LANES : row * LANES + LANES] = entries._each


def where(test: lanes, yes: lanes, no: lanes) -> lanes:
    """In each lane ``yes`` if ``test`` is above 0, else ``no``."""
    chosen = zip(test._each, yes._each, no._each, strict=True)
    return lanes._of([one if number > 0.0 else other for number, one, other in chosen])


class Array(list[R], Generic[R, N]):
    """N records, inside another one."""


class State(list[int]):
    """A position of the game."""


class states(list[State], Generic[N]):
    """N states. ``scratches(N)`` makes them; they live until the function returns."""


class Context(list[int]):
    """Data of the rules beside the state; each thread has its own."""


class Call:
    """A frame of the search function: its parameters and live locals."""

    def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None: ...


Visit: TypeAlias = Generator[Any, R, R]
"""What a search function returns: a number or a record, in the end."""


class GiveUp(Exception):
    """``raise GiveUp(answer)`` ends a search at any depth, with a negative answer."""


class PlayError(Exception):
    """A fault of a rule, which a search function may catch around a ``yield``."""


Random: TypeAlias = ints[Literal[1]]
"""The state of a random generator."""


def hole(function: F) -> F:
    """Marks a function that the host fills with an expression in the function's parameters."""
    vars(function)["is_hole"] = True
    return function


# --------------------------------------------------------------- functions


def popcount(mask: bits) -> int:
    """The number of one bits."""
    return mask.bit_count()


def lowest(mask: bits) -> int:
    """The place of the lowest one bit."""
    return (mask & -mask).bit_length() - 1


def highest(mask: bits) -> int:
    """The place of the highest one bit."""
    return mask.bit_length() - 1


def mix(hash: int, key: int) -> int:
    """A hash of two numbers, at least 0."""
    stirred = ((hash ^ key) & _WORD) * _ODD & _WORD
    return (stirred ^ stirred >> 29) & _WORD >> 1


@overload
def array(count: type[N]) -> ints[N]: ...
@overload
def array(count: int) -> ints[Any]: ...
def array(count: Any) -> Any:
    """A new array of numbers, which lives until the function returns."""
    return [0] * count


def records(of: type[R], count: type[N] | int) -> Array[R, N]:
    """New records, for as long as the function runs."""
    return cast("Array[R, N]", defaultdict(of))  # which are made when they are used first


def copy(target: MutableSequence[int], source: Sequence[int], count: Any) -> None:
    """Copy the first entries of a state or of ``masks``."""
    target[:count] = source[:count]


def scratch() -> State:
    """A new state, which lives until the function returns."""
    return State()


def scratches(count: type[N]) -> states[N]:
    """New states, which live until the function returns."""
    return cast("states[N]", defaultdict(list))  # which are made when they are used first


def count(numbers: Sequence[int], first: int, count: int, wanted: int) -> int:
    """How many of ``count`` entries, from index ``first`` on, equal ``wanted``."""
    return numbers[first : first + count].count(wanted)


def prefetch(element: object) -> None:
    """This will be read soon."""


def claim(array: MutableSequence[int], place: int) -> int:
    """Set an entry from 0 to 1 atomically: 1 on success, 0 if it was set."""
    if array[place]:
        return 0
    array[place] = 1
    return 1


def acquire(array: Sequence[int], place: int) -> int:
    """An entry that another thread may have written."""
    return array[place]


def release(array: MutableSequence[int], place: int, number: int) -> None:
    """Set an entry that another thread may read."""
    array[place] = number


def poll() -> int:
    """1 if the host wants the kernel to stop soon."""


# --------------------------------------------------------------- the rules

END = -2
"""The actor at the end of a play."""

CHANCE = -1
"""The actor of a chance node."""


def set_up(rules: Context, state: State) -> int:
    """Make the state after ``setup``."""


def begin(rules: Context, state: State) -> int:
    """Make the state in which a play begins."""


def actor(state: State) -> int:
    """Who acts: a player's number, -1 for chance, -2 at the end."""


def moves(rules: Context, state: State, legal: ints[MOVES]) -> int:
    """Write the legal moves to ``legal``; their number."""


def untried(rules: Context, state: State, listed: ints[LISTED]) -> bits:
    """The legal moves, to be tried one by one in their order, of which none has been tried; 0 if there is none. (They
    are a mask, or there is a list of them.)"""


def first_untried(rules: Context, state: State, rest: bits, listed: ints[LISTED]) -> int:
    """The first of the moves that have not been tried."""


def left_untried(rest: bits, move: int) -> bits:
    """What is left when this first one has been tried; 0 if there is none."""


def outcomes(rules: Context, state: State, drawn: ints[MOVES], weights: ints[MOVES]) -> int:
    """Write the outcomes of chance and their weights; their number."""


def apply(rules: Context, state: State, move: int) -> int:
    """Make a move in place."""


def after(rules: Context, state: State, move: int) -> State:
    """The state after a move, as an argument with which a search function calls itself."""
    there = scratch()
    copy(there, state, STATE)
    apply(rules, there, move)
    return there


def passed(rules: Context, state: State) -> int:
    """Let the other player move instead, in place; whether that is possible."""


def sample(rules: Context, state: State, legal: ints[MOVES], weights: ints[MOVES], random: Random) -> int:
    """One of the legal moves at random, or one of the outcomes by its weight; -1 if there is none."""


def drawn(random: Random, count: int) -> int:
    """A random number below ``count``."""


def hurry(rules: Context, state: State, move: int) -> int:
    """Make a move in place, perhaps to a decision that offers nothing."""


def leave(rules: Context, state: State, steps: int) -> int:
    """Go on from a decision that offers nothing, as ``sample`` has found; ``steps`` is the result of ``hurry``."""


def payoff(state: State, player: int) -> int:
    """A player's payoff at the end, over the program's ``denominator``: the sum of ``ended`` and ``earned``."""


def ended(state: State, player: int) -> int:
    """A player's payoff at the end without earnings. With a discount it is undiscounted, on a scale of its own."""


def earned(state: State, player: int) -> int:
    """A player's earnings so far."""


def afresh(state: State) -> int:
    """Forget what has been earned, and how many decisions discount what comes: the state as if the play began here."""


def is_within_round(state: State) -> int:
    """Whether others have chosen already of those who choose at once with the player to act."""


def pack(state: State, key: ints[KEY]) -> int:
    """Write the key of the position."""


def unpack(rules: Context, state: State, key: ints[KEY], actor: int) -> int:
    """Write the state of a key in which ``actor`` acts over another state of the same game: as if the play began
    there. Not where the rules look at the history of the play."""


def least_image(state: State, key: ints[KEY]) -> int:
    """Write the least key of a position and its images; the number of the image that has it. Only where the host has
    added the images."""


def renamed_player(image: int, player: int) -> int:
    """Who a player is in an image, likewise."""


def moments(state: State) -> int:
    """How many entries the history of the play has; 0 where the rules do not look at it."""


def is_same_past(rules: Context, before: int, now: int) -> int:
    """Whether the rest of the present play depends on the same history at two moments of it, given the entries that it
    has then. True where the rules do not look at it."""


def recorded(rules: Context, entry: int, word: int) -> int:
    """A word of an entry of the history."""


def take_reads(rules: Context, past: ints[PAST]) -> int:
    """Write what the rules have looked for in the history since this was asked last, and forget it."""


def add_reads(rules: Context, past: ints[PAST]) -> int:
    """The rules have looked for this, too."""


def may_read(rules: Context, past: ints[PAST], entry: int) -> int:
    """Whether what the rules have looked for may be what an entry of the history has."""


def estimate(rules: Context, state: State, player: int) -> int:
    """The file's estimate of a position for a player, over the program's ``estimate_denominator``. This and the other
    hints exist only where the file gives them and they can be lowered."""


def features(rules: Context, state: State, player: int, terms: ints[TERMS]) -> int:
    """Write the features of a position for a player, over the program's ``feature_denominators``. Only where the
    estimate is a weighted sum, or a network: then the units are written, as the player sees them from whose point of
    view it looks at the position, and this player is returned; else 0."""


def unsettled(rules: Context, state: State) -> int:
    """Whether the file calls a position unsettled, so that a search must not be cut off there."""


def order_key(rules: Context, state: State) -> int:
    """The file's key for ordering moves, asked in the position right after a move: the larger it is, the earlier the
    move is tried."""


def perceive(rules: Context, last: State, state: State, move: int) -> int:
    """Update the digests of the players' observations on coming to a state from the decision before it."""


def observed(rules: Context, last: State, state: State, move: int, player: int, seen: ints[WORDS]) -> int:
    """Write a player's observations on coming to a state, each preceded by its length; the number of words."""


def perceived(state: State, player: int, digest: ints[Literal[2]]) -> int:
    """Write the digests of all observations of a player."""


# -------------------------------------------------- inside the rules alone

LONGEST: int = 0
"""The most decisions after which amounts are still discounted."""

WORTH: tuple[int, ...] = ()
"""The worth of 1 after each number of decisions, over the program's denominator."""


def steps(rules: Context, state: State, legal: ints[MOVES]) -> int:
    """Write the moves of a turn before any clause leaves some out; their number."""


def effects(rules: Context, state: State, move: int) -> int:
    """Make a move or an outcome in place, without entering a phase; whether others are to choose before it counts."""


def settle(rules: Context, state: State) -> int:
    """Enter phases until a decision offers something or the play ends."""


def arrive(rules: Context, state: State) -> int:
    """Enter phases until one has a decision or the play ends; their number if its moves are unknown, else 0."""


def moved(move: int, mover: int, player: int, seen: ints[WORDS], count: int) -> int:
    """Write a player's observation of a move behind ``count`` words; the number of words then."""
