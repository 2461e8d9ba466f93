"""The kernel dialect: restricted, typed Python, which two executors share.

A text of the dialect is a Python module that holds nothing but constants, tables, records and functions. It runs as it
stands, as plain Python (:func:`execute`), and it is compiled to machine code (:mod:`zermelo.interpreter.native.llvm`).
Both give the same numbers, since the dialect leaves out everything in which the two could differ. The rules of a game
are lowered to such a text. A kernel is a module that one imports (:mod:`zermelo.interpreter.native.dialect.words` has
the words, and :mod:`zermelo.interpreter.native.dialect.kernel_source` makes what runs of it).

**Types.** Every name has one type for good: that of its annotation, or else that of the first value assigned to it.

===============  ==============================================================================================
``int``          a whole number of 64 bits with a sign
``bits``         a word of W bits without a sign, W = 64, 128, ... fixed for the module: a set, or an entry of a state
``float``        a number of 64 bits as IEEE 754 has it, double precision
``ints[n]``      an array of n ``int``
``floats[n]``    an array of n ``float``
``masks[n]``     an array of n ``bits``
``State``        an array of ``bits``, ``STATE`` entries long: a position of the game; in the rules, ``state``
``Context``      an array of ``int``: what the rules write down beside a state
``Random``       ``ints[Literal[1]]``, the state of a random generator
a record         its fields, by their names
``Array[R, n]``  an array of n records R
``list[T]``      an array of ``int``, ``float``, ``bits``, ``State`` or records, as long as the host has made it
``states[n]``    an array of n states; ``a[i]`` is a state
``rows[n, k]``   an array of n arrays of k ``int``; ``a[i]`` is one of them
===============  ==============================================================================================

Lengths are constants: those of the game (``MOVES``, ``KEY``, ...), holes that are a ``Length``, and ``Literal[n]``. In
texts that are no modules they are also parameters of the same function, and a parameter times or plus a constant; the
types ``states`` and ``rows`` are for these alone. ``bool`` is ``int``, and so is the result ``None``.

A comparison gives 0 or 1 (Python's False and True, which count as numbers). A ``bits`` where an ``int`` is wanted is
cut to its lowest 64 bits; an ``int`` where ``bits`` are wanted must not be negative. Arrays and records are passed by
reference. Of two arrays of numbers that are passed to a function that takes no record, neither may be written if they
overlap.

Nothing turns into a ``float`` or out of one by itself: ``0.5`` and ``2.0`` are such numbers, ``2`` is not, and
``float(n)`` makes one of an ``int``. Functions that are called from outside take and give them in arrays and records
only.

**Records.** A class that has annotated fields and nothing else is a record::

    class Ply:  # a position on the path
        state: State
        legal: ints[MOVES]
        tried: int

    class Search:
        rules: Context
        path: list[Ply]
        depth: int

Arrays of constant length and records lie inside the record; a ``list`` lies elsewhere and may be shared, and so does
the context, which the host puts there by itself. A record that holds a ``list`` or a context can be neither the element
of an array nor a local. A name may stand for a record or an array, now for one and now for another of the same type:
``ply = search.path[search.depth]``. Such a name is an alias: what is written through it is written in the record. A
record or an array is never assigned as a whole; ``copy`` copies states. ``entry = Entry()`` makes a record, all 0,
which lives as long as its function runs. Two references may be to one and the same record.

The host makes records with ``kernels.new(Search, path=64)``, where it says how long every list is, or which one it
shares (``kernels.elements(Entry, n)`` makes one); a record within has its own in a mapping. ``kernels.grow(search,
path=256)`` makes a list longer, ``kernels.put(search.path[0].state, packed)`` puts a state, and
``kernels.call(go_on, search, budget)`` calls a function of the module. All else is read and written as it is here:
``search.path[0].legal[:n]``. What does not fit is a ``TypeError`` before anything runs. Whoever holds an element of a
list while the list grows holds the old one.

**Holes** are what a kernel leaves to the host: a constant that is annotated and has no value, a class of the kind
``Length``, which is a constant that may be a length, and a function without a body that is marked as a hole::

    SCOUTS: int

    class FEATURES(metaclass=Length):
        'How many features a state has.'

    @hole
    def worth(rules: Context, state: State) -> int:
        'What a position is worth where the search is cut off.'

The host fills them where it says which functions it calls; a function with an expression in its parameters::

    kernel(start, go_on, SCOUTS=1, FEATURES=12, worth="estimate(rules, state, 0) * 3")

Each must be filled, and with what it is; two modules may leave the same one open. What a constant excludes costs
nothing: ``if SCOUTS != 0`` leaves no trace in machine code.

**Search functions** call themselves, to any depth, and may be left and gone on with there. They say ``yield`` where
they do, and so are generators as plain Python; a text has one at most::

    def minimax(search: Search, state: State) -> Visit[int]:
        if actor(state) == END:
            return payoff(state, 0)
        best: int = -INFINITE if actor(state) == 0 else INFINITE
        legal = array(MOVES)
        for k in range(moves(search.rules, state, legal)):
            value = yield minimax(search, after(search.rules, state, legal[k]))
            best = max(best, value) if actor(state) == 0 else min(best, value)
        return best

The first parameter is a record with the fields ``calls: list[Call]``, where calls that are under way keep what they
will need; ``depth: int``, how many wait for another one; and ``value``, what the first call has returned. It is the
same for all of them. The others are numbers, states and records that hold no list, and those of a call are its own: a
state is ``after(rules, state, move)``, and what else is passed is copied. What is needed behind a ``yield`` without
having been assigned since (:mod:`.searches` says what that is) must be a number with an annotation, or else made by the
call itself: an array, a state or a record, which has no second name; an alias does not last so long. The variable of a
loop that says ``yield`` is not assigned in it. ``x = yield f(...)`` is a statement, and no part of an expression.
``raise GiveUp(answer)`` ends the search with a negative answer.

With ``-> Visit[R]`` a call returns a record: ``return r`` copies it into ``search.value``, which is of that kind, and
``found = yield f(...)`` is an alias of that, for use before the next ``yield``.

The host puts the parameters of the first call into ``search.calls[0]``, sets ``search.depth`` to 0 and says
``kernels.go_on_with(minimax, search, budget)``, which comes back after so many calls, when the list is full, or when a
rule has gone wrong, with the depth; at the end with -1. ``kernels.waiting(search)`` is what the calls keep that wait.

**Modules** may import words of the dialect, functions, records and constants of other kernels, and numbers of any
module, under the names that they have there. What runs is the text of all of them, each once, so no two of them define
the same name, and none a name of the rules (:mod:`zermelo.interpreter.native.dialect.names`).

**Statements.** ``x = e``, ``x: t = e``, ``x += e`` (and the like), ``a[i] = e``, ``r.x = e``, ``x, r.y = e, f`` (both
worked out before either is assigned), ``if``/``elif``/``else``, ``while``, ``for x in range(...)`` (the bounds are
evaluated once, the step is 1), ``break``, ``continue``, ``return e``, ``return``, ``pass`` and calls. There is
no recursion without a bound apart from search functions, no exception, no object.

**Expressions.** Numbers, names, ``+ - * / // % & | ^ << >>``, ``-x``, comparisons (not chained), ``and or not`` and ``a
if c else b`` (which evaluate no more than is needed, and whose parts are all numbers), ``a[i]``, calls of functions of
the module, and

=======================  =======================================================================================
``popcount(m)``          the number of ones in ``bits``
``lowest(m)``            the place of the lowest one in ``bits``, which must not be 0
``highest(m)``             the place of the highest one in ``bits``, which must not be 0
``mix(h, k)``            a number made of two, the low 64 bits of both well stirred, at least 0
``len(a)``               the length of an array
``min(h, k)``            the smaller of two ``int``, and ``max(h, k)`` the larger
``array(n)``             a new array of n numbers, not set yet, n a constant; it lives as long as its function runs
``masks(n)``             a new array of n ``bits``, likewise
``records(R, n)``         an array of n new records R, not set yet, n a constant; it lives as long as its function runs
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
from types import CodeType, FunctionType
from typing import Any, Final

from zermelo.grammar.deadline import look
from zermelo.interpreter.native.dialect import words

Namespace = dict[str, Any]

STOPPED: Final = 1 << 40
"""What stands for the number of a place where a loop of the rules was told to stop."""


class NotDialect(Exception):
    """The text leaves the dialect: a fault of whoever wrote it."""


def _array(count: int) -> list[int]:
    return [0] * count


_BUILTINS: Final[Namespace] = {
    "popcount": words.popcount,
    "lowest": words.lowest,
    "highest": words.highest,
    "mix": words.mix,
    "array": _array,
    "masks": _array,
    "copy": words.copy,
    "records": words.records,
    "scratch": list,
    "scratches": lambda count: defaultdict(list),
    "count": words.count,
    "prefetch": words.prefetch,
    "claim": words.claim,
    "acquire": words.acquire,
    "release": words.release,
    "sqrt": words.sqrt,
    "log": words.log,
    "GiveUp": words.GiveUp,
}

WORDS: Final = frozenset({*_BUILTINS, "after", "poll", "float", "range", "len", "min", "max"})
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
    namespace = beginning(look)
    execute_in(namespace, *texts)
    return namespace


def beginning(look: Callable[[], None]) -> Namespace:
    """The names that every text begins with."""
    names = {**_BUILTINS, "poll": _asking(look)}
    names["after"] = FunctionType(words.after.__code__, names)
    return names


def execute_in(namespace: Namespace, *texts: str) -> None:
    """Put the functions of texts among names that they use."""
    found = _Definitions()
    for text in texts:
        exec(_code(text), namespace, found)
    if twice := [name for name in found if name in namespace and not name.startswith("__") and name != "annotations"]:
        raise NotDialect(f"'{twice[0]}' is defined twice")
    namespace.update(found)


@lru_cache(maxsize=4)
def _code(text: str) -> CodeType:
    """The byte code of a text: the rules of a game are executed by themselves and together with kernels."""
    return compile(text, "<kernel dialect>", "exec")
