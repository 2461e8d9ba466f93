"""The kernel dialect: restricted, typed Python, which two executors share.

A text of the dialect is a Python module that holds nothing but constants, tables and functions. It runs as it stands,
as plain Python (:func:`execute`), and it is compiled to machine code (:mod:`zermelo.interpreter.native.llvm`). Both
give the same numbers, since the dialect leaves out everything in which the two could differ.

**Types.** Every name has one type for good: that of its annotation, or else that of the first value assigned to it.

===============  ==============================================================================================
``int``          a whole number of 64 bits with a sign
``bits``         a word of W bits without a sign, W = 64, 128, ... fixed for the module: a set, or an entry of a state
``float``        a number of 64 bits as IEEE 754 has it, double precision
``ints[n]``      an array of n ``int``
``floats[n]``    an array of n ``float``
``masks[n]``     an array of n ``bits``
``state``        an array of ``bits``, ``STATE`` entries long: a position of the game
``states[n]``    an array of n states; ``a[i]`` is a state
``rows[n, k]``   an array of n arrays of k ``int``; ``a[i]`` is one of them
===============  ==============================================================================================

Lengths are numbers, constants of the module, parameters of the same function, or a parameter times or plus a constant.

A comparison gives 0 or 1 (Python's False and True, which count as numbers). A ``bits`` where an ``int`` is wanted is
cut to its lowest 64 bits; an ``int`` where ``bits`` are wanted must not be negative. Arrays are passed by reference.

Nothing turns into a ``float`` or out of one by itself: ``0.5`` and ``2.0`` are such numbers, ``2`` is not, and
``float(n)`` makes one of an ``int``. Functions that are called from outside take and give them in arrays only.

**Statements.** ``x = e``, ``x: t = e``, ``x += e`` (and the like), ``a[i] = e``, ``if``/``elif``/``else``, ``while``,
``for x in range(...)`` (the bounds are evaluated once, the step is 1), ``break``, ``continue``, ``return e``, ``pass``
and calls. There is no recursion without a bound, no exception, no object.

**Expressions.** Numbers, names, ``+ - * / // % & | ^ << >>``, ``-x``, comparisons (not chained), ``and or not`` and ``a
if c else b`` (which evaluate no more than is needed, and whose parts are all numbers), ``a[i]``, calls of functions of
the module, and

=======================  =======================================================================================
``popcount(m)``          the number of ones in ``bits``
``lowest(m)``            the place of the lowest one in ``bits``, which must not be 0
``highest(m)``             the place of the highest one in ``bits``, which must not be 0
``mix(h, k)``            a number made of two, the low 64 bits of both well stirred, at least 0
``array(n)``             a new array of n numbers, not set yet, n a constant; it lives as long as its function runs
``masks(n)``             a new array of n ``bits``, likewise
``scratch()``             a new state, not filled yet; it lives as long as its function runs
``scratches(n)``          n of them, as ``states``
``copy(t, s, n)``        the first n entries of ``s`` into ``t``
``prefetch(a[i])``        nothing: a hint that this row will be read soon
``count(a, k, n, x)``    how many of the n entries of the array from number k on are x
``float(n)``             the ``float`` nearest to an ``int``
``sqrt(x)``              the square root of a ``float`` that is not negative
``log(x)``               the natural logarithm of a ``float`` above 0
``claim(a, i)``          1 if ``a[i]`` was 0, and is 1 now; 0 otherwise
``acquire(a, i)``        ``a[i]``, which another thread may have written
``release(a, i, x)``     nothing: ``a[i] = x``, which another thread may read
``poll()``               1 where the host wants the kernel to stop soon
=======================  =======================================================================================

**Arithmetic.** ``//`` and ``%`` floor, as in Python, and the divisor is never 0. No sum, difference or product of
``int`` leaves 64 bits: who writes the text proves so from the ranges of the game's types or tests beforehand. ``bits``
take no part in sums, apart from ``m - 1`` for m > 0 and from cases where an ``int`` is wanted.
``>>`` keeps the sign of an ``int`` and fills ``bits`` with zeros; no shift reaches the width of its left side.

``float`` have ``+ - * /``, ``-x`` and comparisons; the divisor of ``/`` is never 0. Every one of them, and ``sqrt``,
rounds its exact result once, to the nearest number, in the order that the text says: nothing is contracted or
reordered, so both executors give the same bits. ``log`` is that of the C library, for both.

**Arrays.** No index is negative or beyond the end. Compiled code tests so all the same: such an index then counts as 0
and sets the fault word of the module, on which the host raises an error. Tables are tuples of numbers on the module's
level; they are ``int`` unless annotated ``bits``.

**Threads.** Kernels that run side by side may share an array of ``int`` if they take care. Of all that ``claim`` the
same entry one gets 1. What a thread wrote before its ``release`` is seen by whoever finds the new entry with
``acquire``. All else that is shared must not change meanwhile.

**Rules that go wrong** leave no trace in the flow of control: ``C[0]``, the first entry of the context ``C`` that every
function takes, then holds the number of the place in the rules, and what follows works on with a harmless value. The
first error counts. A loop of the rules that was left because the host wanted so leaves :data:`STOPPED` there: then
nothing that was worked out since means anything. As plain Python nothing is left so; there ``poll`` raises.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from math import log, sqrt
from types import CodeType
from typing import Any, Final

from zermelo.grammar.deadline import look

Namespace = dict[str, Any]

STOPPED: Final = 1 << 40
"""What stands for the number of a place where a loop of the rules was told to stop."""


class NotDialect(Exception):
    """The text leaves the dialect: a fault of whoever wrote it."""


_WORD = (1 << 64) - 1
_ODD = 0x9E3779B97F4A7C15


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _highest(mask: int) -> int:
    return mask.bit_length() - 1


def mix(hash: int, key: int) -> int:
    """The dialect's ``mix``."""
    stirred = ((hash ^ key) & _WORD) * _ODD & _WORD
    return (stirred ^ stirred >> 29) & _WORD >> 1


def _count(numbers: list[int], first: int, count: int, wanted: int) -> int:
    return numbers[first : first + count].count(wanted)


def _array(count: int) -> list[int]:
    return [0] * count


def _copy(target: list[int], source: list[int], count: int) -> None:
    target[:count] = source[:count]


def _claim(array: list[int], place: int) -> int:
    if array[place]:
        return 0
    array[place] = 1
    return 1


def _acquire(array: list[int], place: int) -> int:
    return array[place]


def _release(array: list[int], place: int, number: int) -> None:
    array[place] = number


def _prefetch(row: list[int]) -> None:
    pass


_BUILTINS: Final[Namespace] = {
    "popcount": int.bit_count,
    "lowest": _lowest,
    "highest": _highest,
    "mix": mix,
    "array": _array,
    "masks": _array,
    "copy": _copy,
    "scratch": list,
    "scratches": lambda count: defaultdict(list),
    "count": _count,
    "prefetch": _prefetch,
    "claim": _claim,
    "acquire": _acquire,
    "release": _release,
    "sqrt": sqrt,
    "log": log,
}

WORDS: Final = frozenset({*_BUILTINS, "poll", "float", "range"})
"""What a text must not define."""


class _Definitions(dict[str, Any]):
    """What texts define: they are executed with these as their local names, so that a second definition is noticed."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name in WORDS or (name in self and value is not annotations and not name.startswith("__")):
            raise NotDialect(f"'{name}' is defined twice")  # what every module has is none of its definitions
        super().__setitem__(name, value)


def _asking(look: Callable[[], None]) -> Callable[[], int]:
    """The dialect's ``poll``, which raises what ``look`` raises."""

    def poll() -> int:
        look()
        return 0

    return poll


def execute(*texts: str, look: Callable[[], None] = look) -> Namespace:
    """The functions of texts that call each other, as plain Python. Where they ask whether the host wants them to stop,
    ``look`` raises an exception if it does. Raises :class:`NotDialect` where a name is defined twice."""
    namespace: Namespace = {**_BUILTINS, "poll": _asking(look)}
    found = _Definitions()
    for text in texts:
        exec(_code(text), namespace, found)
    namespace.update(found)
    return namespace


@lru_cache(maxsize=4)
def _code(text: str) -> CodeType:
    """The byte code of a text: the rules of a game are executed by themselves and together with kernels."""
    return compile(text, "<kernel dialect>", "exec")
