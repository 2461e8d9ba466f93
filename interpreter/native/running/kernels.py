"""Running kernels: texts of the dialect that call a game's rules, with their arrays.

A kernel runs in slices: it returns after a number of steps with its progress in its arrays, and is called again. In
between Python handles Ctrl-C, shows progress and checks the time.

Several threads may run the same kernels at once, each with a context of its own (:meth:`Kernels.another`): machine code
does not hold Python's global lock. The shared code and tables never change, except for arrays that kernels share on
purpose (:mod:`zermelo.interpreter.native.dialect.language`, "Threads"). The fault word is only ever set, and the first
thread that returns reports it.

Compilation takes from a twentieth of a second to some seconds, and many games are finished sooner in Python, for which
:class:`Trial` sets a time limit. After that, hurriedly compiled code takes over, and later the code that has been
optimised in the meantime (:mod:`zermelo.interpreter.native.llvm.engine`); see ``LoweredMachine.run``.
"""

from __future__ import annotations

import ast
import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from inspect import get_annotations, isgeneratorfunction
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from attrs import define, evolve, field

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter.native.dialect.kernel_source import (
    Kernel,
    call_record,
    copied_parameters,
    fields_in,
    kernel,
    module_of,
    search_function,
)
from zermelo.interpreter.native.dialect.language import STOPPED, initial_namespace, parse_module, without_excluded
from zermelo.interpreter.native.dialect.records import HALF, Kind, Layouts, annotation
from zermelo.interpreter.native.dialect.words import State, Visit
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running import single_calls
from zermelo.interpreter.native.running.single_calls import SingleCall
from zermelo.interpreter.native.running.views import (
    HALVES,
    Amount,
    CompiledViews,
    Lengths,
    Packed,
    PythonViews,
    RuleError,
    Stopped,
    Trampoline,
    Views,
    check_number,
    halves_in,
    pack_state,
    unpack_state,
    wrap_with_copies,
)
from zermelo.interpreter.native.state_encoding.state_layout import FIRST, NothingHidden, NotLowered

if TYPE_CHECKING:
    from zermelo.interpreter.native.llvm.engine import Optimising

# Type checks at the border between the host and kernels: a mismatched call is refused before it runs.


_NUMBERS: Final[Mapping[type, str]] = {int: "int", float: "float"}


@define(eq=False, repr=False)
class Border:
    """Checks the arguments of a kernel's functions and the construction of its records. ``context`` is the context of
    the rules in records."""

    source: Kernel
    views: Views
    context: Any = None
    _signatures: dict[Callable[..., object], list[tuple[str, Kind]]] = field(factory=dict)

    def signature(self, function: Callable[..., object]) -> list[tuple[str, Kind]]:
        """The parameters of a function of the kernel. Raises ``TypeError`` for one that the host cannot call."""
        if function not in self._signatures:
            if function not in self.source.functions:
                raise TypeError(f"{function.__name__} is not among what the host calls")
            kinds = signature_of(function, self.views.layouts)
            if isgeneratorfunction(function):
                kinds = [kinds[0], ("budget", Kind("int"))]
            for name, kind in kinds:
                if kind.name in ("bits", "float", "context"):
                    raise TypeError(f"'{name}' of {function.__name__} is {kind}: the host gives it in a record")
            self._signatures[function] = kinds
        return self._signatures[function]

    def check(
        self, function: Callable[..., object], arguments: Sequence[object], named: Mapping[str, object]
    ) -> list[tuple[Any, Kind]]:
        """The arguments of a call, with their kinds. Raises ``TypeError`` for a mismatch."""
        signature = self.signature(function)
        if named or len(arguments) != len(signature):
            raise TypeError(f"{function.__name__} takes {len(signature)} arguments in their order")
        for argument, (name, kind) in zip(arguments, signature, strict=True):
            if kind.name == "int":
                check_number(argument, f"'{name}' of {function.__name__}")
            elif not self.views.fits(argument, kind):
                raise TypeError(f"'{name}' of {function.__name__} is {kind}, not this {type(argument).__name__}")
            elif kind.name == "record":
                if not self.views.is_under(argument, self.context):
                    raise TypeError(f"'{name}' of {function.__name__} belongs to kernels of another thread")
                self.views.check_numbers(argument, kind.record)
        return [(argument, kind) for argument, (_, kind) in zip(arguments, signature, strict=True)]

    def new(self, record: type, lengths: Mapping[str, Any]) -> Any:
        """A record, all 0, with lists given by lengths or to share. Raises ``TypeError`` if they are not those of the
        record."""
        name = self._name(record)
        return self.views.new(name, self._lists(name, lengths), self.context)

    def elements(self, of: type, count: int, everywhere: bool) -> Any:
        """A list, all 0, of numbers, states or records."""
        if of in _NUMBERS:
            kind = Kind(_NUMBERS[of])
        elif of is State:
            kind = self.views.layouts.kind(annotation("State"))
        else:
            kind = Kind("record", record=self._name(of))
        return self.views.elements(kind, count, everywhere)

    def element(self, record: type, name: str) -> Kind:
        """The kind of the elements of a record's list, given by its dotted name."""
        kind = Kind("record", record=self._name(record))
        for part in name.split("."):
            kind = self.views.layouts[kind.record].fields[part].kind
        return kind.element

    def _name(self, record: type) -> str:
        if self.source.records.get(record.__name__) is not record:
            raise TypeError(f"{record.__name__} is no record of this kernel")
        return record.__name__

    def replace(self, record: Any, lengths: Mapping[str, Any]) -> None:
        """Replace lists of a record by others."""
        for path, other in self._lists(self._name_of(record), lengths, is_whole=False).items():
            self.views.lay(record, path, other)

    def _name_of(self, record: Any) -> str:
        name = type(record).__name__
        if name not in self.views.layouts or type(record) is not self.views.record(name):
            raise TypeError(f"{name} is no record of this kernel")
        return name

    def grow(self, record: Any, lengths: Mapping[str, Any]) -> None:
        """Replace lists of a record by longer ones, with the old elements copied."""
        for path, longer in self._lists(self._name_of(record), lengths, is_whole=False).items():
            before = record
            for each in path.split("."):
                before = getattr(before, each)
            if len(longer) < len(before):
                raise TypeError(f"'{path}' is longer already")
            self.views.copy(longer, before)
            self.views.lay(record, path, longer)

    def _lists(self, record: str, lengths: Mapping[str, Any], is_whole: bool = True) -> dict[str, Any]:
        """The lists of a record by their dotted names: all of them, or only the given ones."""
        found: dict[str, Any] = {}
        fields = self.views.layouts[record].fields
        if unknown := [name for name in lengths if name not in fields]:
            raise TypeError(f"'{record}' has no list '{unknown[0]}'")
        for name, member in fields.items():
            if name not in lengths and not is_whole:
                continue
            if member.kind.name == "record":
                inner = self._lists(member.kind.record, lengths.get(name, {}), is_whole)
                found.update({f"{name}.{each}": elements for each, elements in inner.items()})
            elif member.kind.name == "list":
                if name not in lengths:
                    raise TypeError(f"how long is '{name}' of '{record}'?")
                found[name] = self._list(name, member.kind, lengths[name])
            elif name in lengths:
                raise TypeError(f"'{name}' of '{record}' is no list")
        return found

    def _list(self, name: str, kind: Kind, given: Any) -> Any:
        if not isinstance(given, int):
            if not self.views.fits(given, kind):
                raise TypeError(f"'{name}' is {kind}, and cannot share this {type(given).__name__}")
            return given
        if given < 0:
            raise TypeError(f"'{name}' cannot have {given} elements")
        return self.views.elements(kind.element, given)


def signature_of(function: Callable[..., object], layouts: Layouts) -> list[tuple[str, Kind]]:
    """The parameters of a function of the dialect, with their kinds."""
    annotations = get_annotations(function)
    return [(name, layouts.kind(annotation(text))) for name, text in annotations.items() if name != "return"]


def result_of(function: Callable[..., object], layouts: Layouts) -> Kind:
    """The kind of a function's result."""
    return layouts.kind(annotation(get_annotations(function)["return"]))


@lru_cache(maxsize=64)
def copied_by(function: Callable[..., object]) -> Set[str]:
    """The parameters of a search function that are passed by copy."""
    return copied_parameters(_definition(function))


@lru_cache(maxsize=64)
def _definition(function: Callable[..., object]) -> ast.FunctionDef:
    """The tree of a function of a kernel."""
    statements = parse_module(module_of(function.__module__).source).body
    return next(each for each in statements if isinstance(each, ast.FunctionDef) and each.name == function.__name__)


def layouts_of(source: Kernel, constants: Mapping[str, int], width: int) -> Layouts:
    """The layouts of the records of a source. ``constants`` are those besides its own."""
    declared: dict[str, Mapping[str, ast.expr]] = {name: fields_in(record) for name, record in source.records.items()}
    for function in filter(isgeneratorfunction, source.functions):
        declared.update(_call_record(function, frozenset(source.constants.items())))
    return Layouts(width, {**constants, **source.constants}, declared)


@lru_cache(maxsize=64)
def _call_record(
    function: Callable[..., object], constants: frozenset[tuple[str, int]]
) -> Mapping[str, Mapping[str, ast.expr]]:
    """The frame record of a search function."""
    return call_record(search_function([without_excluded(_definition(function), dict(constants))]))


def references(arguments: Sequence[tuple[Any, Kind]]) -> list[int]:
    """Arguments for machine code: numbers and addresses; after the address of a list, its length."""
    found: list[int] = []
    for argument, kind in arguments:
        if kind.name == "int":
            found.append(argument)
        else:
            found.append(ctypes.addressof(argument))
            if kind.name == "list":
                found.append(len(argument))
    return found


# Running texts of the dialect that call no rules: functions and their arrays.
#
# Such a text is the same for all games, so it is compiled once on a machine and cached. For texts that call a game's
# rules see below.


P = ParamSpec("P")
R = TypeVar("R")

_NONE: Final[Mapping[str, int]] = MappingProxyType({})


class PlainKernels(Protocol):
    """The functions of a kernel, in Python or compiled."""

    border: Border

    @property
    def is_compiled(self) -> bool:
        """Whether they are machine code, so that threads run in parallel."""

    def halves(self, count: int, everywhere: bool = False) -> list[int]:
        """A ``list[half]``, all 0, for records to share, as ``elements`` makes lists. A slice of it is assigned an
        ``array("i")``."""
        return cast(list[int], self.border.views.elements(HALF, count, everywhere))

    def shortened(self, numbers: list[int], count: int) -> list[int]:
        """The first ``count`` of a ``list[half]``: the same memory, which is to be used in place of the list."""

    def as_halves(self, numbers: Sequence[int]) -> list[int]:
        """Numbers as a ``list[half]``, to be read: the same memory if they are one of any executor's, else a copy.
        Raises ``OverflowError`` for a number of more than 32 bits."""

    def flat(self, numbers: list[int], count: int) -> array[int]:
        """A copy of the first ``count`` elements of a list of whole numbers."""

    def new(self, record: type[R], /, **lengths: Lengths) -> R:
        """A record, all 0, with its context. ``lengths`` gives, for each of its lists, the length or a list to share,
        and a mapping of these for each inner record with lists. Raises ``TypeError`` for missing lists, and for names
        of other fields."""
        return cast(R, self.border.new(record, lengths))

    def grow(self, record: object, /, **lengths: Lengths) -> None:
        """Replace lists of a record by longer ones, with the old elements copied; raises as ``new``."""
        self.border.grow(record, lengths)

    def replace(self, record: object, /, **lengths: Lengths) -> None:
        """Replace lists of a record by others, with nothing copied; raises as ``new``."""
        self.border.replace(record, lengths)

    def elements(self, of: type[R], count: int, everywhere: bool = False) -> list[R]:
        """A list of ``int``, ``float``, ``State`` or records, all 0, for records to share. Unused elements take hardly
        any memory, unless the list will be used ``everywhere``: then it is in large pages."""
        return cast(list[R], self.border.elements(of, count, everywhere))

    def beginning(self, elements: list[R], count: int) -> list[R]:
        """The first ``count`` of a list of records: the same memory, of which more may be asked for later."""
        return cast(list[R], self.border.views.beginning(elements, count))

    def words_of(self, record: type, name: str) -> int:
        """The words of an element of a record's list, given by its dotted name."""
        return self.border.views.layouts.size(self.border.element(record, name))

    def bytes_each(self, record: type, name: str) -> float:
        """The bytes of an element of such a list, 0 if unknown before there are any."""
        return self.border.views.layouts.bytes(self.border.element(record, name))

    def call(self, function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> int:
        """Call a function. Raises ``TypeError``, before anything runs, if the arguments do not match its parameters."""

    def go_on_with(self, function: Callable[Concatenate[R, ...], Visit[Any]], search: R, budget: int) -> int:
        """Resume a search function, until ``budget`` more nodes have been counted or the stack ``search.calls`` is
        full; the depth reached, or -1 at the end, or the answer with which the function gives up. A search begins with
        ``search.depth`` 0 and the parameters of the first call in ``search.calls[0]``."""

    def waiting(self, search: Any) -> Sequence[Any]:
        """The frames of the suspended calls, from the first on."""


class PythonText(PlainKernels):
    """The functions of a kernel as plain Python."""

    is_compiled = False
    views = PythonViews

    def __init__(
        self,
        source: Kernel,
        constants: Mapping[str, int] = _NONE,
        check_deadline: Callable[[], None] = check_deadline,
        context: list[int] | None = None,
    ) -> None:
        self._functions = initial_namespace(check_deadline)
        source.define(self._functions)
        layouts = layouts_of(source, constants, 64)
        views = self.views(layouts)
        self.border = Border(source, views, context)
        for name in source.records:
            self._functions[name] = views.record(name)
        self._trampolines: dict[str, Trampoline] = {}
        for function in filter(isgeneratorfunction, source.functions):
            name = function.__name__
            kinds = dict(signature_of(function, layouts)[1:])
            result, copied = result_of(function, layouts), copied_by(function)
            put = views.putter(result.record) if result.name == "record" else None
            self._trampolines[name] = Trampoline(self._functions[name], tuple(kinds), put)
            copiers = {each: views.copier(kind) for each, kind in kinds.items() if each in copied}
            self._functions[name] = wrap_with_copies(self._functions[name], tuple(kinds), copiers)

    def flat(self, numbers: list[int], count: int) -> array[int]:
        return array("q", numbers[:count])

    def as_halves(self, numbers: Sequence[int]) -> list[int]:
        is_one = isinstance(numbers, array) and numbers.typecode == HALVES
        return cast(list[int], numbers if is_one else array(HALVES, numbers))

    def shortened(self, numbers: list[int], count: int) -> list[int]:
        del numbers[count:]
        return numbers

    def call(self, function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> int:
        self.border.check(function, arguments, named)
        return self._call(function.__name__, arguments)

    def go_on_with(self, function: Callable[Concatenate[R, ...], Visit[Any]], search: R, budget: int) -> int:
        self.border.check(function, (search, budget), {})
        return self._call(function.__name__, (search, budget))

    def waiting(self, search: Any) -> Sequence[Any]:
        (trampoline,) = self._trampolines.values()
        return trampoline.waiting(search.depth)

    def _call(self, name: str, arguments: Sequence[Any]) -> int:
        function = self._trampolines.get(name) or self._functions[name]
        return int(function(*arguments) or 0)


class CompiledText(PlainKernels):
    """The functions of a kernel as machine code, with ``bits`` of ``width`` bits. Hurried code is replaced by optimised
    code between two calls."""

    is_compiled = True

    def __init__(
        self,
        source: Kernel,
        constants: Mapping[str, int] = _NONE,
        width: int = 64,
        is_hurried: bool = False,
        context: Any = None,
    ) -> None:
        from zermelo.interpreter.native.llvm.engine import Library, Optimising

        self._library = Library(source, width, is_hurried)
        self._functions: dict[str, Any] = {}
        self._better: Optimising | None = None
        self._source = source
        self.border = Border(source, CompiledViews(layouts_of(source, constants, width)), context)
        if not self._library.is_optimised:
            self._better = Optimising(self._library, lambda: Library(source, width))

    def flat(self, numbers: list[int], count: int) -> array[int]:
        return array("q", bytes(memoryview(cast(Any, numbers)).cast("B")[: 8 * count]))

    def as_halves(self, numbers: Sequence[int]) -> list[int]:
        if isinstance(numbers, ctypes.Array) and numbers._type_ is ctypes.c_int32:
            return cast(list[int], numbers)
        is_one = isinstance(numbers, array) and numbers.typecode == HALVES
        return cast(list[int], halves_in(numbers if is_one else array(HALVES, numbers)))

    def shortened(self, numbers: list[int], count: int) -> list[int]:
        return cast(list[int], halves_in(numbers, count))

    def call(self, function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> int:
        return self._call(function.__name__, references(self.border.check(function, arguments, named)))

    def go_on_with(self, function: Callable[Concatenate[R, ...], Visit[Any]], search: R, budget: int) -> int:
        return self._call(function.__name__, references(self.border.check(function, (search, budget), {})))

    def waiting(self, search: Any) -> Sequence[Any]:
        return [search.calls[depth] for depth in range(search.depth)]

    def _call(self, name: str, plain: list[int]) -> int:
        if self._better is not None and (better := self._better.library()) is not None:
            self._library, self._functions, self._better = better, {}, None
        if name not in self._functions:
            self._functions[name] = self._library.function(name, len(plain))
        result = self._run(self._functions[name], plain)
        if self._better is not None:
            self._better.note_time()
        if self._library.has_fault:
            raise self._library.fault(name)
        return result

    def _run(self, function: Any, arguments: list[int]) -> int:
        """The result of a function that returns soon."""
        return int(function(*arguments))


def load(source: Kernel, compiled: bool = True) -> PlainKernels:
    """The functions of a kernel that calls no rules; as machine code if that is wanted and LLVM is installed."""
    if compiled:
        from zermelo.interpreter.native.llvm.engine import is_available

        if is_available():
            return CompiledText(source)
    return PythonText(source)


@define(eq=False, repr=False)
class Standby:
    """A kernel that calls no rules, for work that is mostly small. Machine code is loaded as soon as ``worth`` steps
    have been asked for since the program began, at once or one after the other: about as many as Python does meanwhile.
    So both together take at most twice what the better one takes (Karlin, Manasse, Rudolph and Sleator, "Competitive
    snoopy caching", 1988). Results do not depend on it."""

    make: Callable[[], Kernel]
    worth: int
    _steps: int = field(default=0, init=False)
    _loaded: dict[bool, PlainKernels] = field(factory=dict, init=False)

    def compiled(self, steps: int) -> PlainKernels | None:
        """Machine code for work of so many steps, if it is worth loading it, or has been."""
        self._steps += steps
        found = self._load(compiled=True) if self._steps >= self.worth else None
        return found if found is not None and found.is_compiled else None

    def interpreted(self) -> PlainKernels:
        """The functions in Python."""
        return self._load(compiled=False)

    def _load(self, compiled: bool) -> PlainKernels:
        if compiled not in self._loaded:
            self._loaded[compiled] = load(self.make(), compiled)
        return self._loaded[compiled]


_COMPILING: Final = 2.5e-6
"""The approximate seconds of a hurried compilation for each character of a text."""

_ROW_BYTES: Final = 200
_NUMBER_BYTES: Final = 40
"""The approximate bytes of a row in Python, and of each of its numbers with its place in the list."""

_AT_LEAST: Final = 0.015
_AT_MOST: Final = 0.2
"""The most seconds of a trial."""


class Outgrown(Exception):
    """The trial of kernels in Python is over."""


@define(eq=False, repr=False)
class Trial:
    """The trial of kernels in Python before compilation, a quarter of the expected time of compilation. So a small game
    needs no compiler, and a large one loses little."""

    characters: int
    begin: float = field(factory=perf_counter)

    def is_over(self) -> bool:
        """Whether machine code should take over now."""
        return perf_counter() - self.begin > max(_AT_LEAST, min(_AT_MOST, _COMPILING * self.characters / 4))


def never() -> bool:
    """The ``is_over`` of kernels in Python without a trial."""
    return False


class Kernels(PlainKernels, Protocol):
    """The functions of a kernel together with a game's rules, compiled or not."""

    program: Program

    def row_bytes(self, length: int) -> int:
        """The bytes of a used row."""

    def put(self, there: State, state: Packed) -> None:
        """Copy a state to a record or a list, and the history of its play to the context."""

    def packed(self, state: State) -> Packed:
        """A state of a record, with the history in the context."""

    def call(self, function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> int:
        """Call a function. Raises :class:`RuleError`, and ``TypeError``, before anything runs, if the arguments do not
        match its parameters."""

    def ask(self, function: Callable[..., int], record: object, *numbers: int) -> int:
        """Call a function with a record and numbers, which are not compared with its parameters. Raises
        :class:`RuleError`."""

    def another(self) -> Kernels:
        """The same functions with a context of their own."""

    def stop(self) -> None:
        """Stop a call in another thread, if a rule may take long. The call then raises
        :class:`~zermelo.interpreter.native.running.views.Stopped`. To be repeated until the call has returned."""

    def go_on(self) -> None:
        """Allow calls again, after stopped ones have returned."""


class PythonKernels(PythonText):
    """Kernels in Python. Calls raise :class:`Outgrown` once ``is_over``."""

    def __init__(self, program: Program, source: Kernel, is_over: Callable[[], bool] = never) -> None:
        self.program = program
        self._source = source
        self._context = [0] * program.history.context
        self._is_over = is_over
        super().__init__(source.with_rules(program.text), program.constants, self._check_limits, self._context)

    def _check_limits(self) -> None:
        """Raise an exception if the time, or that of the trial, is up: loops of the rules call this as ``poll``."""
        check_deadline()
        if self._is_over():
            raise Outgrown

    def row_bytes(self, length: int) -> int:
        if self._is_over is not never:
            return 8 * length  # a trial uses few rows, and should behave like machine code
        return _ROW_BYTES + _NUMBER_BYTES * length

    def put(self, there: State, state: Packed) -> None:
        size = _state_bytes(self.program)
        there[:] = unpack_state(state[:size], self.program.layout)
        for first, taken in self.program.history.context_of(state[size:]):
            self._context[first : first + len(taken)] = taken

    def packed(self, state: State) -> Packed:
        words = self._context[FIRST : _end_of_history(self.program, state)]
        return pack_state(state, self.program.layout) + array("Q", words).tobytes()

    def _call(self, name: str, arguments: Sequence[Any]) -> int:
        if self._is_over():
            raise Outgrown
        self._context[0] = 0
        result = super()._call(name, arguments)
        if self._context[0]:
            raise RuleError(self._context[0])
        return result

    def ask(self, function: Callable[..., int], record: object, *numbers: int) -> int:
        return self._call(function.__name__, (record, *numbers))

    def another(self) -> PythonKernels:
        return PythonKernels(self.program, self._source, self._is_over)

    def stop(self) -> None:
        """Nothing: kernels in Python run in the calling thread."""

    def go_on(self) -> None:
        """Nothing, likewise."""

    def watch(self, name: str) -> list[int]:
        """A list to which the last argument of each later call of a function is appended."""
        function = self._functions[name]
        made: list[int] = []

        def call_and_note(*arguments: Any) -> int:
            made.append(arguments[-1])
            return int(function(*arguments))

        self._functions[name] = call_and_note
        return made


class CompiledKernels(CompiledText):
    """Kernels as machine code."""

    def __init__(self, program: Program, source: Kernel, is_hurried: bool = False) -> None:
        self.program = program
        self._context = _new_context(program)
        whole, width = source.with_rules(program.text), program.layout.width
        super().__init__(whole, program.constants, width, is_hurried, self._context)

    def row_bytes(self, length: int) -> int:
        return 8 * length

    def put(self, there: State, state: Packed) -> None:
        size = _state_bytes(self.program)
        ctypes.memmove(cast(ctypes.Array[ctypes.c_uint64], there), state[:size], size)
        for first, taken in self.program.history.context_of(state[size:]):
            self._context[first : first + len(taken)] = taken

    def packed(self, state: State) -> Packed:
        end = _end_of_history(self.program, state, self.program.layout.width // 64)
        return bytes(state) + bytes(memoryview(self._context).cast("B")[8 * FIRST : 8 * end])

    def _call(self, name: str, plain: list[int]) -> int:
        self._context[0] = 0
        result = super()._call(name, plain)
        if self._context[0]:
            raise RuleError(self._context[0])
        return result

    def _run(self, function: Any, arguments: list[int]) -> int:
        if not self.program.may_take_long:
            return super()._run(function, arguments)
        from zermelo.interpreter.native.llvm.engine import run_interruptibly

        try:  # an interrupt waits until the code has returned, which uses arrays of the caller
            result = run_interruptibly(lambda: int(function(*arguments)), self._library.stop)
        except BaseException:  # an interrupt, or the time is up: the code may run again
            self._library.go_on()
            raise
        if self._context[0] == STOPPED:
            raise Stopped
        return result

    def ask(self, function: Callable[..., int], record: object, *numbers: int) -> int:
        return self._call(function.__name__, [ctypes.addressof(cast(ctypes.Structure, record)), *numbers])

    def stop(self) -> None:
        if self.program.may_take_long:
            self._library.stop()

    def go_on(self) -> None:
        self._library.go_on()

    def another(self) -> CompiledKernels:
        twin = object.__new__(CompiledKernels)
        twin.program, twin._library, twin._better, twin._functions = self.program, self._library, self._better, {}
        twin._source, twin._context = self._source, _new_context(self.program)
        twin.border = evolve(self.border, context=twin._context)
        return twin


def _new_context(program: Program) -> Any:
    """A context for machine code, all 0."""
    return (ctypes.c_int64 * program.history.context)()


def _state_bytes(program: Program) -> int:
    return program.layout.size * program.layout.width // 8


def _end_of_history(program: Program, state: State, words_each: int = 1) -> int:
    """Where the history of a state, whose slots have so many words, ends in the context."""
    slot = program.layout.history
    return FIRST if slot is None else FIRST + state[slot * words_each] * program.history.words


# The executor, which runs a lowered program one call at a time.


WORTH_COMPILING: Final = 20_000
"""The number of calls after which compilation pays."""

_ASKED: Final = (
    single_calls.begin_play,
    single_calls.actor_now,
    single_calls.list_moves,
    single_calls.list_outcomes,
    single_calls.make_move,
    single_calls.payoff_of,
    single_calls.ended_with,
    single_calls.earned_by,
    single_calls.write_key,
)
_ASKED_OF_PERCEPTION: Final = (single_calls.set_up_last, single_calls.observe)

_AMOUNTS: Final[Mapping[Amount, Callable[[SingleCall, int], int]]] = {
    "payoff": single_calls.payoff_of,
    "ended": single_calls.ended_with,
    "earned": single_calls.earned_by,
}


class Executor:
    """Runs the functions of a program one call at a time: in Python, which starts at once; unless it is None, from call
    number ``compiles_after`` on as machine code. All methods raise :class:`RuleError`. Its calls share a record, so
    that one thread may use it. Kernels that do more in a call are faster (:mod:`zermelo.solvers.running`)."""

    def __init__(self, program: Program, compiles_after: int | None = None) -> None:
        self.program = program
        self.compiles_after = compiles_after
        self._calls = 0
        self._load(is_compiled=compiles_after == 0)

    def _load(self, is_compiled: bool) -> None:
        is_blind = isinstance(self.program.perception, NothingHidden | NotLowered)
        source = kernel(*_ASKED, *(() if is_blind else _ASKED_OF_PERCEPTION))
        kernels: Kernels = (CompiledKernels if is_compiled else PythonKernels)(self.program, source)
        self._asked: Packed | None = None  # the state that the call holds, if nothing has changed it there
        self._kernels, self._call = kernels, kernels.new(SingleCall)

    def begin(self) -> Packed:
        """The state in which a play begins."""
        self._asked = None
        self._kernels.ask(single_calls.begin_play, self._call)
        return self._kernels.packed(self._call.state)

    def actor(self, state: Packed) -> int:
        """The actor."""
        call = self._in(state)
        return self._kernels.ask(single_calls.actor_now, call)

    def moves(self, state: Packed) -> list[int]:
        """The legal moves, as numbers."""
        call = self._in(state)
        return call.legal[: self._kernels.ask(single_calls.list_moves, call)]

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        """The outcomes of chance, as numbers, with their weights."""
        call = self._in(state)
        count = self._kernels.ask(single_calls.list_outcomes, call)
        return list(zip(call.legal[:count], call.weights[:count], strict=True))

    def apply(self, state: Packed, move: int) -> Packed:
        """The state after a move."""
        call = self._in(state)
        self._asked = None
        self._kernels.ask(single_calls.make_move, call, move)
        return self._kernels.packed(call.state)

    def amount(self, what: Amount, state: Packed, player: int) -> int:
        """A player's payoff, over the program's denominator."""
        call = self._in(state)
        return self._kernels.ask(_AMOUNTS[what], call, player)

    def key(self, state: Packed) -> tuple[int, ...]:
        """The key of the position."""
        call = self._in(state)
        self._kernels.ask(single_calls.write_key, call)
        return tuple(word & (1 << 64) - 1 for word in call.key[:])

    def history(self, state: Packed) -> list[tuple[int, ...]]:
        """The entries of the history, oldest first."""
        return self.program.history.entries(state[_state_bytes(self.program) :])

    def observed(self, last: Packed | None, state: Packed, move: int, player: int) -> list[int]:
        """A player's observations on coming to a state from the previous decision (None: from the beginning) by this
        move, each preceded by its length."""
        call = self._in(state, last)
        self._asked = None
        if last is None:
            self._kernels.ask(single_calls.set_up_last, call)
        return call.seen[: self._kernels.ask(single_calls.observe, call, move, player)]

    def _in(self, state: Packed, last: Packed | None = None) -> SingleCall:
        """The call about a state. It may load other kernels, which are to answer it."""
        self._calls += 1
        if self._calls == self.compiles_after:
            self._load(is_compiled=True)
        if last is not None or state is not self._asked:
            self._asked = None  # an interrupt must not leave another state under the name of the one before
            if last is not None:
                self._kernels.put(self._call.last, last)
            self._kernels.put(self._call.state, state)
            self._asked = state
        return self._call
