"""The kernel dialect: restricted, typed Python, shared by two executors.

A text of the dialect is a Python module of constants, tables, records and functions. It runs unchanged as plain Python
(:func:`execute`), and it is compiled to machine code (:mod:`zermelo.interpreter.native.llvm`). Both give the same
numbers, since the dialect leaves out everything in which they could differ. The rules of a game are lowered to such a
text. A kernel is a module to import (its words are in :mod:`zermelo.interpreter.native.dialect.words`), from which
:mod:`zermelo.interpreter.native.dialect.kernel_source` makes the text.

**Types.** Every name has one type: that of its annotation, or else that of the first value assigned to it.

===============  ==============================================================================================
``int``          a signed whole number of 64 bits
``bits``         an unsigned word of W bits, W = 64, 128, ... fixed for the module: a set, or a slot of a state
``float``        a double-precision number of IEEE 754
``lanes``        LANES (8) ``float`` side by side; for names and results of functions alone
``ints[n]``      an array of n ``int``
``floats[n]``    an array of n ``float``
``masks[n]``     an array of n ``bits``
``State``        an array of ``STATE`` ``bits``: a position of the game; in the rules, ``state``
``Context``      an array of ``int``: data of the rules beside the state
``Random``       ``ints[Literal[1]]``, the state of a random generator
a record         its fields, by their names
``Array[R, n]``  an array of n records R
``list[T]``      an array of ``int``, ``float``, ``bits``, ``State`` or records, whose length the host chooses
``list[half]``   the same of signed whole numbers of 32 bits, in half the memory; an element is read as an ``int``
``states[n]``    an array of n states; ``a[i]`` is a state
``rows[n, k]``   an array of n arrays of k ``int``; ``a[i]`` is one of them
===============  ==============================================================================================

Lengths are constants: those of the game (``MOVES``, ``KEY``, ...), holes that are a ``Length``, and ``Literal[n]``. In
texts that are not modules they are also parameters of the same function, and a parameter times or plus a constant; the
type ``rows`` is for these alone. ``bool`` is ``int``, and so is the result ``None``.

A comparison gives 0 or 1 (Python's False and True, which count as numbers). ``bits`` used as an ``int`` are truncated
to their lowest 64 bits; an ``int`` used as ``bits`` must not be negative. Arrays and records are passed by reference.
If arrays of numbers passed to a function without record parameters overlap, it must not write to them.

There is no implicit conversion from or to ``float``: ``0.5`` and ``2.0`` are such numbers, ``2`` is not, and
``float(n)`` converts an ``int``. Functions called by the host take and return floats in arrays and records only.

**Records.** A class with annotated fields and nothing else is a record::

    class Ply:  # a position on the path
        state: State
        legal: ints[MOVES]
        tried: int

    class Search:
        rules: Context
        path: list[Ply]
        depth: int

Arrays of constant length and records are stored inside the record, a ``list`` outside. A list may be shared, as is the
context, which the host fills in by itself. A record with a ``list`` or a context can be neither an array element nor a
local. A name may refer to a record or an array, and later to another of the same type:
``ply = search.path[search.depth]``. Such a name is an alias: writing through it writes to the record. A record or an
array is never assigned as a whole; ``copy`` copies states. ``entry = Entry()`` makes a record, all 0, which lives until
its function returns. Two references may be to the same record.

The host makes records with ``kernels.new(Search, path=64)``, which gives the length of every list, or a list to share
(made by ``kernels.elements(Entry, n)``), and a mapping of these for an inner record. ``kernels.grow(search, path=256)``
makes a list longer, ``kernels.put(search.path[0].state, packed)`` writes a state, and
``kernels.call(go_on, search, budget)`` calls a function of the module. All else is read and written as in the dialect:
``search.path[0].legal[:n]``. A mismatch is a ``TypeError`` before anything runs. When a list grows, references to its
elements remain references to the old list.

**Holes** are filled by the host: an annotated constant without a value, a class of the kind ``Length``, which is a
constant that may be a length, and a function without a body, marked as a hole::

    SCOUTS: int

    class FEATURES(metaclass=Length):
        'How many features a state has.'

    @hole
    def worth(rules: Context, state: State) -> int:
        'What a position is worth where the search is cut off.'

The host fills them where it names the functions it calls, a function with an expression in its parameters::

    kernel(start, go_on, SCOUTS=1, FEATURES=12, worth="estimate(rules, state, 0) * 3")

Each must be filled, and with its kind; two modules may leave the same one open. Code excluded by a constant costs
nothing: ``if SCOUTS != 0`` leaves no trace in machine code.

**Search functions** call themselves, to any depth, and can be suspended and resumed at these calls, which are marked
with ``yield``. So they are generators as plain Python. A text has at most one::

    def minimax(search: Search, state: State) -> Visit[int]:
        if actor(state) == END:
            return payoff(state, 0)
        best: int = -INFINITE if actor(state) == 0 else INFINITE
        legal = array(MOVES)
        for k in range(moves(search.rules, state, legal)):
            value = yield minimax(search, after(search.rules, state, legal[k]))
            best = max(best, value) if actor(state) == 0 else min(best, value)
        return best

The first parameter, the same in all calls, is a record with the fields ``calls: list[Call]``, the call stack;
``depth: int``, the number of suspended calls on it; ``nodes: int``, which the search counts; and ``value``, the result
of the first call. (The depth is known in the search function itself, and after a slice; functions that it calls take
it as an argument.) The others are numbers, states and records without lists, and belong to the call: a state is
``after(rules, state, move)``, all else is copied. Names that are live across a ``yield`` (:mod:`.kernel_source` defines
this) must be annotated numbers, or arrays, states and records made by the call itself, without a second name; an alias
does not survive a ``yield``. The variable of a loop with a ``yield`` is not assigned in it. ``x = yield f(...)`` is a
statement, never part of an expression. ``raise GiveUp(answer)`` ends the search with a negative answer.

After a fault of a rule the last call suspended within a ``try`` is resumed at its ``except PlayError``, if there is
one; the calls above it, and the fault, are dropped.

With ``-> Visit[R]`` a call returns a record: ``return r`` copies it into ``search.value``, which is of that kind, and
``found = yield f(...)`` is an alias of that, for use before the next ``yield``.

The host puts the parameters of the first call into ``search.calls[0]``, sets ``search.depth`` to 0 and calls
``kernels.go_on_with(minimax, search, budget)``, which returns the depth after ``budget`` nodes, when the stack is full,
or after a fault of a rule, and -1 at the end. ``kernels.waiting(search)`` is the stack of suspended calls.

**Modules** may import words of the dialect, functions, records and constants of other kernels, and numbers of any
module, without renaming them. Their texts are joined, each once, so no two of them define the same name, and none a
name of the rules (:mod:`zermelo.interpreter.native.dialect.lowered_text`).

**Statements.** ``x = e``, ``x: t = e``, ``x += e`` (and the like), ``a[i] = e``, ``r.x = e``, ``x, r.y = e, f`` (both
evaluated before either is assigned), ``if``/``elif``/``else``, ``while``, ``for x in range(...)`` (the bounds are
evaluated once, the step is 1), ``break``, ``continue``, ``return e``, ``return``, ``pass`` and calls. There is
no unbounded recursion and no exception apart from search functions, and no object.

**Expressions.** Numbers, names, ``+ - * / // % & | ^ << >>``, ``-x``, comparisons (not chained), ``and or not`` and ``a
if c else b`` (which short-circuit, and whose parts are all numbers), ``a[i]``, calls of functions of
the module, and

=======================  =======================================================================================
``popcount(m)``          the number of one bits
``lowest(m)``            the place of the lowest one bit of ``bits``, which must not be 0
``highest(m)``           the place of the highest one bit of ``bits``, which must not be 0
``mix(h, k)``            a hash of the low 64 bits of two numbers, at least 0
``len(a)``               the length of an array
``min(h, k)``            the smaller of two ``int`` or ``float``, ``max(h, k)`` the larger; h if they are equal
``array(n)``             a new array of n numbers, uninitialized, n a constant; it lives until its function returns
``masks(n)``             a new array of n ``bits``, likewise
``records(R, n)``        an array of n new records R, uninitialized, n a constant; it lives until its function returns
``scratch()``            a new state, uninitialized; it lives until its function returns
``scratches(n)``         n of them, as ``states``
``copy(t, s, n)``        copies the first n entries of ``s`` to ``t``
``prefetch(a[i])``       nothing: a hint that this row will be read soon
``count(a, k, n, x)``    how many of the n entries of the array from index k on are x
``float(n)``             the ``float`` nearest to an ``int``
``sqrt(x)``              the square root of a ``float`` that is not negative
``log(x)``               the natural logarithm of a ``float`` above 0
``lanes(x)``             LANES times the ``float`` x
``rows_of(a)``           how many rows of LANES entries an array of ``float`` has
``lanes_at(a, r)``       row r of an array of ``float``: the LANES entries from r LANES on
``put_lanes(a, r, x)``   nothing: sets this row to x
``where(x, y, z)``       in each lane y if x is above 0, else z, of three ``lanes``
``claim(a, i)``          sets ``a[i]`` from 0 to 1 atomically: 1 on success, 0 if it was set
``acquire(a, i)``        ``a[i]``, which another thread may have written
``release(a, i, x)``     nothing: ``a[i] = x``, which another thread may read
``poll()``               1 if the host wants the kernel to stop soon
=======================  =======================================================================================

**Arithmetic.** ``//`` and ``%`` floor, as in Python, and the divisor is never 0. No sum, difference or product of
``int`` overflows 64 bits: the author of a text proves this from the ranges of the game's types, or tests beforehand.
``bits`` take no part in sums, apart from ``m - 1`` for m > 0 and from uses as an ``int``.
``>>`` keeps the sign of an ``int`` and fills ``bits`` with zeros; no shift reaches the width of its left side.

``float`` have ``+ - * /``, ``-x`` and comparisons; the divisor of ``/`` is never 0. Each operation, and ``sqrt``,
rounds its exact result once, to the nearest number, in the order of the text: nothing is contracted or reordered, so
both executors give the same bits. ``log`` is that of the C library, for both. ``lanes`` have ``+ - * /``, each of which
does in every lane what it does to two ``float``.

**Arrays.** No index is negative or beyond the end. Compiled code checks this all the same: it replaces such an index by
0 and sets the fault word of the module, on which the host raises an error. Tables are tuples of numbers at module
level; they are ``int`` unless annotated ``bits``. A number written to a ``list[half]`` has at most 32 bits, sign
included; compiled code checks this, too, and never cuts a number. ``count``, ``claim``, ``acquire`` and ``release`` are
for arrays of ``int``.

**Threads.** Kernels in several threads may share an array of ``int``. Of all that ``claim`` the same entry one gets 1.
Writes of a thread before its ``release`` are visible to a thread that finds the new entry with ``acquire``, or claims
it when it is 0 again. All other shared data must not change meanwhile, unless a thread uses it only between its own
``claim`` of an entry and its ``release`` of that entry.

**Faults of rules** do not change the flow of control: the first entry of the context that every function takes then
holds the number of the fault's site, and execution continues with a harmless value. The first fault counts. A loop of
the rules that the host has stopped leaves :data:`STOPPED` there, and nothing computed since is valid. In plain Python,
``poll`` raises instead.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from threading import Lock
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter.native.dialect import words

Namespace = dict[str, Any]

STOPPED: Final = 1 << 40
"""Takes the place of a fault's site after the host has stopped a loop of the rules."""


LEFT_ARRAY: Final = 1
BEYOND_HALF: Final = 2
"""What the fault word says: an index has left its array; a number has not fitted into a ``half``."""


class NotDialect(Exception):
    """The text is not in the dialect: a fault of its author."""


_BUILTINS: Final[Namespace] = {
    "popcount": words.popcount,
    "lowest": words.lowest,
    "highest": words.highest,
    "mix": words.mix,
    "array": words.array,
    "masks": words.array,
    "copy": words.copy,
    "records": words.records,
    "scratch": list,
    "scratches": words.scratches,
    "count": words.count,
    "prefetch": words.prefetch,
    "claim": words.claim,
    "acquire": words.acquire,
    "release": words.release,
    "sqrt": words.sqrt,
    "lanes": words.lanes,
    "rows_of": words.rows_of,
    "lanes_at": words.lanes_at,
    "put_lanes": words.put_lanes,
    "where": words.where,
    "log": words.log,
    "GiveUp": words.GiveUp,
    "PlayError": words.PlayError,
}

WORDS: Final = frozenset({*_BUILTINS, "after", "poll", "float", "range", "len", "min", "max"})
"""The names that a text must not define."""


class _Definitions(dict[str, Any]):
    """The definitions of texts, executed with these as their local namespace, which detects second definitions."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name in WORDS or (name in self and value is not annotations and not name.startswith("__")):
            raise NotDialect(f"'{name}' is defined twice")  # every module has dunder names
        super().__setitem__(name, value)


def _make_poll(check_deadline: Callable[[], None]) -> Callable[[], int]:
    """The dialect's ``poll``, which raises the exceptions of ``check_deadline``."""

    def poll() -> int:
        check_deadline()
        return 0

    return poll


def execute(*texts: str) -> Namespace:
    """The functions of texts that call each other, as plain Python. Their ``poll`` looks at the deadline, which raises
    an exception to stop them. Raises :class:`NotDialect` if a name is defined twice."""
    namespace = initial_namespace(check_deadline)
    execute_in(namespace, *texts)
    return namespace


def initial_namespace(check_deadline: Callable[[], None]) -> Namespace:
    """The initial namespace of every text."""
    names = {**_BUILTINS, "poll": _make_poll(check_deadline)}
    names["after"] = FunctionType(words.after.__code__, names)
    return names


def execute_in(namespace: Namespace, *texts: str) -> None:
    """Define the functions of texts in a namespace."""
    found = _Definitions()
    for text in texts:
        exec(code_of(text), namespace, found)
    if twice := [name for name in found if name in namespace and not name.startswith("__") and name != "annotations"]:
        raise NotDialect(f"'{twice[0]}' is defined twice")
    namespace.update(found)


_codes: Final[dict[str, CodeType]] = {}
"""The byte code of the latest texts: the rules of a game are executed alone and together with kernels."""

_MOST_CODES: Final = 4


def code_of(text: str) -> CodeType:
    """The byte code of a text."""
    known = _codes.get(text)
    return remember_code(text, compile(text, "<kernel dialect>", "exec")) if known is None else known


def remember_code(text: str, code: CodeType) -> CodeType:
    """Remember the byte code of a text: compiling the rules of a large game takes a thirtieth of a second."""
    for oldest in list(_codes)[: 1 - _MOST_CODES]:
        _codes.pop(oldest, None)  # another thread may have been here
    _codes[text] = code
    return code


# Parsing of texts, one at a time.
#
# Python 3.11 counts the depth of syntax trees across threads, and parsing in two threads at once may fail
# (https://github.com/python/cpython/issues/106905); code may be compiled in the background.


_parsing: Final = Lock()


def parse_module(text: str) -> ast.Module:
    """The tree of a text."""
    with _parsing:
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The tree of an expression. Raises ``SyntaxError``."""
    with _parsing:
        return ast.parse(text, mode="eval").body


def nodes_in(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, unordered, except for those that say whether a name is read or written: ``ast.walk`` takes
    twice as long, which is felt in compiling."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Name):
            continue
        for name in node._fields:
            part = getattr(node, name)
            if isinstance(part, list):
                waiting += [each for each in part if isinstance(each, ast.AST)]
            elif isinstance(part, ast.AST):
                waiting.append(part)


# Dead branches: an ``if`` whose test is decided by constants is replaced by one of its branches.
#
# LLVM would do so as well, but not in a search function: LLVM must assume that a call could be resumed anywhere in it,
# and the frame of the function must be known beforehand.


_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

_BLOCKS: Final = ("body", "orelse", "handlers")
"""The parts of a node that are statements, or have some."""

Block = TypeVar("Block", bound=ast.stmt)


def without_excluded(function: ast.FunctionDef, constants: Mapping[str, int]) -> ast.FunctionDef:
    """A function without the branches that its constants exclude; the remaining statements are shared with it."""
    return _Excluding(constants).within(function)


@frozen(eq=False, repr=False)
class _Excluding:
    constants: Mapping[str, int]

    def within(self, node: Block) -> Block:
        """A statement without the branches that are excluded inside it."""
        blocks = {name: getattr(node, name) for name in _BLOCKS if getattr(node, name, None)}
        if not blocks:
            return node
        left = copy(node)
        for name, statements in blocks.items():
            setattr(left, name, list(self._remaining_statements(statements)) or [ast.Pass()])
        return left

    def _remaining_statements(self, statements: list[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in statements:
            holds = self._holds(statement.test) if isinstance(statement, ast.If) else None
            if holds is None:
                yield self.within(statement)
            elif isinstance(statement, ast.If):
                yield from self._remaining_statements(statement.body if holds else statement.orelse)

    def _holds(self, test: ast.expr) -> bool | None:
        """Whether a test holds, if constants decide it."""
        match test:
            case ast.BoolOp(op=op, values=parts):
                found = [self._holds(part) for part in parts]
                deciding = isinstance(op, ast.Or)
                return deciding if deciding in found else None if None in found else not deciding
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two = self._number(left), self._number(right)
                return None if one is None or two is None else _COMPARE[type(op)](one, two)
            case _:
                return None

    def _number(self, node: ast.expr) -> int | None:
        match node:
            case ast.Name(id=name):
                return self.constants.get(name)
            case ast.Constant(value=int(number)):
                return number
            case _:
                return None
