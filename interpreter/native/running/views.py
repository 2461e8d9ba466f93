"""Packed states, errors of calls, search functions in Python, and the data of kernels as hosts see them."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from inspect import getgeneratorlocals
from types import SimpleNamespace
from typing import Any, Final, Literal, Protocol, cast

from attrs import define, field

from zermelo.interpreter.model.rewriting import may_pass
from zermelo.interpreter.native.dialect.records import HALF, Field, Kind, Layouts, RecordLayout
from zermelo.interpreter.native.dialect.words import GiveUp, PlayError, Visit
from zermelo.interpreter.native.state_encoding.state_layout import ACTOR, PHASE, StateLayout

# States as bytes, and how a call can fail.


Packed = bytes
"""A ``state`` array as bytes, slots in little-endian order, followed by the history of the play."""

Amount = Literal["payoff", "ended", "earned"]
"""A player's payoff: in all, by the end, by earnings so far."""


class Stopped(Exception):
    """A running call has been stopped (:data:`~zermelo.interpreter.native.dialect.language.STOPPED`)."""


class RuleError(Exception):
    """A fault of a rule at site number ``site`` of the program."""

    def __init__(self, site: int) -> None:
        super().__init__(f"site {site}")
        self.site = site


def pack_state(state: list[int], layout: StateLayout) -> Packed:
    """The bytes of a state, with signed slots in two's complement."""
    size, whole = layout.width // 8, (1 << layout.width) - 1
    return b"".join((entry & whole).to_bytes(size, "little") for entry in state)


def unpack_state(packed: Packed, layout: StateLayout) -> list[int]:
    """The slots of a state."""
    size = layout.width // 8
    state = [int.from_bytes(packed[k : k + size], "little") for k in range(0, len(packed), size)]
    for slot in layout.signed_slots:
        if state[slot] >> layout.width - 1:
            state[slot] -= 1 << layout.width
    return state


def with_other_mover(state: Packed, layout: StateLayout) -> Packed | None:
    """A state with the other of two players to move, whether they have a move or not; None if nobody can pass."""
    size = layout.width // 8
    if not may_pass(layout.model, layout.phases[state[PHASE * size]]):
        return None
    there = bytearray(state)
    there[layout.arguments * size] ^= 1
    there[ACTOR * size] ^= 1
    return bytes(there)


# How a run of lowered code can fail, beside the errors of the rules.


class Disagreement(AssertionError):
    """The two machines differ: a fault of the lowering, never of a game."""


class BeyondLimits(Exception):
    """A play exceeds a limit of kernels, which ``why`` names in words. The machine itself can continue the play."""

    def __init__(self, why: str = "numbers are too large for 64 bits") -> None:
        super().__init__(why)
        self.why = why


# Search functions in Python: generators on an explicit stack, run by a trampoline.
#
# It returns exactly where machine code does (:mod:`zermelo.interpreter.native.llvm.functions`).


_DONE: Final = -1


@define(eq=False, repr=False)
class Trampoline:
    """Resumes the stack ``calls`` of a search function. The first call takes its ``parameters`` from
    ``search.calls[0]``. A result that is a record is ``put`` into ``search.value``."""

    function: Callable[..., Visit[Any]]
    parameters: Sequence[str]
    put: Callable[[Any, Any], None] | None
    calls: list[Visit[Any]] = field(factory=list)
    _waited: list[SimpleNamespace] | None = None

    def __call__(self, search: Any, budget: int) -> int:
        if search.depth == 0:
            first = search.calls[0]
            self.calls[:] = [self.function(search, *[getattr(first, name) for name in self.parameters])]
        calls, last, most = self.calls, search.nodes + budget, len(search.calls) - 1
        rules, put = getattr(search, "rules", [0]), self.put
        result: Any = None
        waited: list[SimpleNamespace] = []
        wrong, self._waited = 0, None
        while wrong or search.depth < most:
            try:
                call = calls[-1].throw(PlayError) if wrong else calls[-1].send(result)
            except GiveUp as given_up:
                return int(given_up.args[0])
            except PlayError:
                calls.pop()
                search.depth -= 1
                if not calls:
                    self._waited = waited
                    rules[0], search.depth = wrong, len(waited)
                    break
                continue
            except StopIteration as returned:
                if rules[0] == 0:
                    result = returned.value
                    if put is not None:
                        put(search.value, result)
                        result = search.value
                    if search.depth == 0:
                        search.value = result
                        return _DONE
                    calls.pop()
                    search.depth -= 1
            else:
                calls.append(call)
                result = None
                search.depth += 1
                if search.nodes >= last and rules[0] == 0:
                    break
            wrong = rules[0]
            if wrong:
                waited, rules[0] = _suspended_frames(calls[:-1]), 0
        return int(search.depth)

    def waiting(self, depth: int) -> Sequence[SimpleNamespace]:
        """The frames of the calls suspended now, or when a rule failed."""
        return _suspended_frames(self.calls[:depth]) if self._waited is None else self._waited


def _suspended_frames(calls: Sequence[Visit[Any]]) -> list[SimpleNamespace]:
    return [SimpleNamespace(**getgeneratorlocals(call)) for call in calls]


def wrap_with_copies(
    function: Callable[..., Visit[Any]], parameters: Sequence[str], copiers: Mapping[str, Callable[[Any], Any]]
) -> Callable[..., Visit[Any]]:
    """A search function for its recursive calls, with copies of the arguments of some ``parameters``, never the
    first."""
    if not copiers:
        return function
    given = (f"copy_{each}({each})" if each in copiers else each for each in parameters)
    names: dict[str, Any] = {f"copy_{name}": copier for name, copier in copiers.items()} | {"function": function}
    call = eval(f"lambda search, {', '.join(parameters)}: function(search, {', '.join(given)})", names)
    return cast(Callable[..., Visit[Any]], call)


# The host's views of the records and arrays of kernels: objects with fields, in Python and in compiled code's memory.
#
# A record is declared by a class of a kernel module. In Python it is an object with attributes; compiled it is a
# ``ctypes`` structure over the memory of machine code. ``search.path[0].best`` reads it either way.


Lengths = int | list[Any] | Mapping[str, Any]
"""The length of a list, or a list to share; for an inner record, a mapping of these by name."""

_EMPTY: Final = {"int": 0, "bits": 0, "float": 0.0}
_UNMADE: Final = (*_EMPTY, "list", "context")
"""Kinds of fields for which a new record in Python has no object of its own."""


_LEAST: Final = -1 << 63
_MOST: Final = (1 << 63) - 1


def check_number(given: object, name: str) -> None:
    """Raise ``TypeError`` unless something is a whole number of 64 bits."""
    if not isinstance(given, int) or not _LEAST <= given <= _MOST:
        raise TypeError(f"{name} is a whole number of 64 bits, not {given!r}")


class Views(Protocol):
    """Makes records and arrays, and checks their kinds."""

    layouts: Layouts

    def record(self, name: str) -> Any:
        """The class of the views of a record."""

    def elements(self, kind: Kind, count: int, everywhere: bool = False) -> Any:
        """A new list; in large pages if it will be used ``everywhere``."""

    def beginning(self, elements: Any, count: int) -> Any:
        """The first ``count`` of a list of records: the same memory."""

    def new(self, name: str, lists: Mapping[str, Any], context: Any) -> Any:
        """A new record, given its lists by their dotted names."""

    def lay(self, record: Any, name: str, elements: Any) -> None:
        """Replace a list of a record, given by its dotted name."""

    def copy(self, target: Any, source: Any) -> None:
        """Copy a list to the beginning of another of the same kind."""

    def is_under(self, record: Any, context: Any) -> bool:
        """Whether a record has this context, or none."""

    def check_numbers(self, record: Any, name: str) -> None:
        """Raise ``TypeError`` for a number that the host has written into a field of a record, or of records inside it,
        and that has more than 64 bits."""

    def fits(self, argument: object, kind: Kind) -> bool:
        """Whether an argument is an array or a record of this kind, and long enough."""


CODES: Final = {"int": "q", "half": "i"}
"""The type codes of whole numbers of 64 and 32 bits, as Python's arrays have them, which refuse larger ones."""

_PLAIN: Final[Mapping[str, Any]] = {"int": ctypes.c_int64, "half": ctypes.c_int32}

_MAPPED: Final = 1 << 16
"""The bytes from which on a list is mapped into memory by a call of the system, which takes as long as many small
ones."""

_LINE: Final = 64
"""The bytes of a line of the processor's cache, at which a list begins: rows of numbers across two lines are slower."""

HALVES: Final = CODES["half"]


def _contexts(layouts: Layouts, record: Any, name: str) -> Iterator[tuple[Any, str]]:
    """The fields for a context in a record and in records inside it, with the record that each belongs to."""
    for each in layouts[name].fields.values():
        if each.kind.name == "context":
            yield record, each.name
        elif each.kind.name == "record":
            yield from _contexts(layouts, getattr(record, each.name), each.kind.record)


# ------------------------------------------------------------------ Python


class _Elements(dict[int, Any]):
    """Records or states, made at their first use."""

    def __init__(self, kind: Kind, count: int, make: Callable[[], Any]) -> None:
        self.kind, self.count, self.make = kind, count, make

    def __missing__(self, place: int) -> Any:
        if not 0 <= place < self.count:
            raise IndexError(place)
        made = self[place] = self.make()
        return made

    def __len__(self) -> int:
        return self.count


@define(eq=False, repr=False)
class PythonViews:
    """Records as objects."""

    layouts: Layouts
    _classes: dict[str, Any] = field(factory=dict)

    def record(self, name: str) -> Any:
        if name not in self._classes:
            fields = self.layouts[name].fields.values()
            zeros = {each.name: _EMPTY.get(each.kind.name) for each in fields}  # until they are written
            makers = {each.name: self._maker(each.kind) for each in fields if each.kind.name not in _UNMADE}
            lines = ["def __init__(self):", *(f"self.{each} = make_{each}()" for each in makers), "pass"]
            exec("\n    ".join(lines), made := {f"make_{each}": maker for each, maker in makers.items()})
            self._classes[name] = type(name, (), {**zeros, "__init__": made["__init__"]} if makers else zeros)
        return self._classes[name]

    def putter(self, name: str) -> Callable[[Any, Any], None]:
        """A function that assigns one record to another."""
        names: dict[str, Any] = {}
        lines = ["def put(target, source):", *self._assignments(name, "", names)]
        exec("\n    ".join(lines), names)
        return cast(Callable[[Any, Any], None], names["put"])

    def _assignments(self, name: str, at: str, names: dict[str, Any]) -> Iterator[str]:
        """The statements of this function; what they call is added to ``names``."""
        for each in self.layouts[name].fields.values():
            place, kind = f"{at}.{each.name}", each.kind
            if kind.name == "record":
                yield from self._assignments(kind.record, place, names)
            elif kind.name == "array":
                put = f"put_{kind.element.record}"
                names[put] = self.putter(kind.element.record)
                yield f"for one, other in {self._pairs(kind, place)}: {put}(one, other)"
            elif kind.name in _EMPTY:
                yield f"target{place} = source{place}"
            else:
                yield self._assignment(kind, place)

    def _pairs(self, kind: Kind, place: str) -> str:
        """The records of two arrays, side by side."""
        return f"zip(target{place}, source{place})"

    def _assignment(self, kind: Kind, place: str) -> str:
        """The statement that assigns an array of numbers."""
        return f"target{place}[:] = source{place}"

    def copier(self, kind: Kind) -> Callable[[Any], Any]:
        """A function that copies a state or a record."""
        if kind.name != "record":
            return list
        record, put = self.record(kind.record), self.putter(kind.record)

        def copy(source: Any) -> Any:
            made = record()
            put(made, source)
            return made

        return copy

    def _maker(self, kind: Kind) -> Callable[[], Any]:
        """What makes a value of a kind."""
        if kind.name == "record":
            return cast(Callable[[], Any], self.record(kind.record))
        count = kind.length
        assert isinstance(count, int)
        if kind.name == "array":
            made = self.record(kind.element.record)
            return lambda: [made() for _ in range(count)]
        zeros = [_EMPTY[kind.element.name]] * count
        return zeros.copy

    def elements(self, kind: Kind, count: int, everywhere: bool = False) -> Any:
        if kind.name in _EMPTY:
            return [_EMPTY[kind.name]] * count
        if kind == HALF:
            return array(HALVES, [0]) * count
        return _Elements(kind, count, self._maker(kind))

    def beginning(self, elements: Any, count: int) -> Any:
        elements.count = count
        return elements

    def new(self, name: str, lists: Mapping[str, Any], context: Any) -> Any:
        record = self.record(name)()
        for each, elements in lists.items():
            self.lay(record, each, elements)
        for holder, place in _contexts(self.layouts, record, name):
            setattr(holder, place, context)
        return record

    def lay(self, record: Any, name: str, elements: Any) -> None:
        *path, last = name.split(".")
        for each in path:
            record = getattr(record, each)
        setattr(record, last, elements)

    def copy(self, target: Any, source: Any) -> None:
        if isinstance(source, _Elements):
            target.update(source)
        else:
            target[: len(source)] = source

    def is_under(self, record: Any, context: Any) -> bool:
        return True  # every thread has classes of its own

    def check_numbers(self, record: Any, name: str) -> None:
        for each in self.layouts[name].fields.values():
            if each.kind.name == "int":
                check_number(getattr(record, each.name), f"'{each.name}' of {name}")
            elif each.kind.name == "record":
                self.check_numbers(getattr(record, each.name), each.kind.record)

    def fits(self, argument: object, kind: Kind) -> bool:
        if kind.name == "record":
            return type(argument) is self.record(kind.record)
        if kind.name == "list" and kind.element == HALF:
            return isinstance(argument, array) and argument.typecode == HALVES
        if kind.name == "list" and kind.element.name not in _EMPTY:
            return isinstance(argument, _Elements) and argument.kind == kind.element
        if kind.name == "array":
            return isinstance(argument, list) and all(self.fits(each, kind.element) for each in argument)
        if not isinstance(argument, list):
            return False
        is_float = kind.element.name == "float"
        if argument and isinstance(argument[0], float) != is_float:
            return False
        return kind.name in ("list", "state") or _is_long_enough(len(argument), kind)


# ---------------------------------------------------------------- compiled


@define(eq=False, repr=False)
class CompiledViews:
    """Records as structures in memory. A record keeps its lists and its context alive in its attribute ``kept``, by
    dotted name."""

    layouts: Layouts
    _classes: dict[str, Any] = field(factory=dict)

    def record(self, name: str) -> Any:
        """The class of a record: one for all threads, so that they can share lists of it."""
        if name not in self._classes:
            with self.layouts.lock:
                if name not in self._classes:
                    self._classes[name] = self._structure(self.layouts[name])
        return self._classes[name]

    def _structure(self, layout: RecordLayout) -> Any:
        parts: list[tuple[str, Any]] = []
        members: dict[str, Any] = {}
        for each in layout.fields.values():
            if each.kind.name == "list":
                parts += [(f"{each.name} address", ctypes.c_uint64), (f"{each.name} length", ctypes.c_int64)]
                members[each.name] = self._list(each)
            elif each.kind.name == "context":
                parts.append((f"{each.name} address", ctypes.c_uint64))
            else:
                parts.append((each.name, self._type(each.kind)))
        numbers = {each.name for each in layout.fields.values() if each.kind.name == "int"}

        def put(self: Any, field: str, value: Any) -> None:
            if field in numbers:  # ctypes would truncate it
                check_number(value, f"'{field}' of {layout.name}")
            ctypes.Structure.__setattr__(self, field, value)

        made = type(layout.name, (ctypes.Structure,), {**members, "_fields_": parts, "__setattr__": put})
        assert ctypes.sizeof(made) == 8 * layout.size
        return made

    def _type(self, kind: Kind) -> Any:
        match kind.name:
            case "int" | "half":
                return _PLAIN[kind.name]
            case "float":
                return ctypes.c_double
            case "bits":
                words = self.layouts.size(kind)
                return ctypes.c_uint64 if words == 1 else ctypes.c_uint64 * words
            case "record":
                return self.record(kind.record)
            case "state":
                return ctypes.c_uint64 * self.layouts.size(kind)
            case _:
                assert isinstance(kind.length, int)
                return self._array(kind.element, kind.length)

    def _list(self, member: Field) -> property:
        """A property that views a list field in memory."""
        of = member.kind.element

        def elements(record: Any) -> Any:
            count = getattr(record, f"{member.name} length")
            seen = self._array(of, count).from_address(getattr(record, f"{member.name} address"))
            seen.holder = record  # keeps its lists alive
            return seen

        return property(elements)

    def _array(self, kind: Kind, count: int) -> Any:
        """The type of an array in memory."""
        return numbers_type(kind.name, count) if kind.name in CODES else self._type(kind) * count

    def elements(self, kind: Kind, count: int, everywhere: bool = False) -> Any:
        size, array = count * self.layouts.bytes(kind), self._array(kind, count)
        if size >= _MAPPED:
            return array.from_buffer(zeroed(size, everywhere))
        room = (ctypes.c_char * (size + _LINE))()
        return array.from_buffer(room, -ctypes.addressof(room) % _LINE)

    def beginning(self, elements: Any, count: int) -> Any:
        return (elements._type_ * count).from_buffer(elements)

    def new(self, name: str, lists: Mapping[str, Any], context: Any) -> Any:
        record = self.record(name)()
        record.kept = {"": context}
        for each, elements in lists.items():
            self.lay(record, each, elements)
        for holder, place in _contexts(self.layouts, record, name):
            setattr(holder, f"{place} address", ctypes.addressof(context))
        return record

    def lay(self, record: Any, name: str, elements: Any) -> None:
        record.kept[name] = elements
        *path, last = name.split(".")
        for each in path:
            record = getattr(record, each)
        setattr(record, f"{last} address", ctypes.addressof(elements))
        setattr(record, f"{last} length", len(elements))

    def copy(self, target: Any, source: Any) -> None:
        ctypes.memmove(target, source, ctypes.sizeof(source))

    def is_under(self, record: Any, context: Any) -> bool:
        return not hasattr(record, "kept") or record.kept[""] is context  # parts of records have no context

    def check_numbers(self, record: Any, name: str) -> None:
        """They are checked when they are written."""

    def fits(self, argument: object, kind: Kind) -> bool:
        if kind.name == "record":
            return isinstance(argument, self.record(kind.record))
        if not isinstance(argument, ctypes.Array):
            return False
        if kind.name == "state":
            return argument._type_ is ctypes.c_uint64 and len(argument) >= self.layouts.size(kind)
        return argument._type_ is self._type(kind.element) and _is_long_enough(len(argument), kind)


@lru_cache(maxsize=256)
def numbers_type(kind: str, count: int) -> Any:
    """The type of an array of whole numbers in memory, which raises ``OverflowError`` for larger ones than it holds:
    ctypes would cut them. In Python such an array holds any."""
    code, plain = CODES[kind], _PLAIN[kind] * count

    def put(self: Any, place: Any, given: Any) -> None:
        plain.__setitem__(self, place, array(code, given) if isinstance(place, slice) else array(code, [given])[0])

    return type(kind, (plain,), {"__setitem__": put})


def halves_in(memory: Any, count: int | None = None) -> Any:
    """The first ``count`` numbers of 32 bits, by default all, that lie in memory, as an array of machine code: the same
    memory."""
    return numbers_type("half", len(memory) if count is None else count).from_buffer(memory)


def _is_long_enough(length: int, kind: Kind) -> bool:
    return not isinstance(kind.length, int) or length >= kind.length


def zeroed(size: int, everywhere: bool) -> mmap.mmap:
    """Zeroed memory, in the largest pages of the system if it is read ``everywhere``: with random access, translating
    addresses takes longer than reading. Such a page takes all its memory as soon as a part of it is written. Raises
    ``MemoryError`` if the system gives no more addresses, as where `ulimit -v` bounds them."""
    try:
        if not (everywhere and hasattr(mmap, "MADV_HUGEPAGE")):
            return mmap.mmap(-1, size)
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError from error
    with suppress(OSError):  # the system may not support it
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
