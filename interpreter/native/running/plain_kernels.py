"""Running texts of the dialect that call no rules: functions and their arrays.

Such a text is the same for all games, so it is compiled once on a machine and cached. For texts that call a game's
rules see :mod:`zermelo.interpreter.native.running.kernels`, which extends this module.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from inspect import isgeneratorfunction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from zermelo.grammar.deadline import look
from zermelo.interpreter.native.dialect.kernel_source import KernelSource
from zermelo.interpreter.native.dialect.language import beginning
from zermelo.interpreter.native.dialect.records import HALF
from zermelo.interpreter.native.dialect.words import Visit
from zermelo.interpreter.native.running.border import (
    Border,
    copied_by,
    layouts_of,
    references,
    result_of,
    signature_of,
)
from zermelo.interpreter.native.running.calls import Trampoline, copying
from zermelo.interpreter.native.running.views import (
    HALVES,
    CompiledViews,
    Lengths,
    PythonViews,
    halves_in,
)

if TYPE_CHECKING:
    from zermelo.interpreter.native.llvm.optimising import Optimising

P = ParamSpec("P")
R = TypeVar("R")

_NONE: Final[Mapping[str, int]] = MappingProxyType({})


class PlainKernels(Protocol):
    """The functions of a kernel, in Python or compiled."""

    @property
    def is_compiled(self) -> bool:
        """Whether they are machine code, so that threads run in parallel."""

    def halves(self, count: int, everywhere: bool = False) -> list[int]:
        """A ``list[half]``, all 0, for records to share, as ``elements`` makes lists. A slice of it is assigned an
        ``array("i")``."""

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

    def grow(self, record: object, /, **lengths: Lengths) -> None:
        """Replace lists of a record by longer ones, with the old elements copied; raises as ``new``."""

    def replace(self, record: object, /, **lengths: Lengths) -> None:
        """Replace lists of a record by others, with nothing copied; raises as ``new``."""

    def elements(self, of: type[R], count: int, everywhere: bool = False) -> list[R]:
        """A list of ``int``, ``float``, ``State`` or records, all 0, for records to share. Unused elements take hardly
        any memory, unless the list will be used ``everywhere``: then it is in large pages."""

    def words_of(self, record: type, name: str) -> int:
        """The words of an element of a record's list, given by its dotted name."""

    def bytes_each(self, record: type, name: str) -> float:
        """The bytes of an element of such a list, 0 if unknown before there are any."""

    def call(self, function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> int:
        """Call a function. Raises ``TypeError``, before anything runs, if the arguments do not match its parameters."""

    def go_on_with(self, function: Callable[Concatenate[R, ...], Visit[Any]], search: R, budget: int) -> int:
        """Resume a search function, until ``budget`` more nodes have been counted or the stack ``search.calls`` is
        full; the depth reached, or -1 at the end, or the answer with which the function gives up. A search begins with
        ``search.depth`` 0 and the parameters of the first call in ``search.calls[0]``."""

    def waiting(self, search: Any) -> Sequence[Any]:
        """The frames of the suspended calls, from the first on."""


class _Records:
    """The records of a kernel, made and changed across its border."""

    border: Border

    def halves(self, count: int, everywhere: bool = False) -> list[int]:
        return cast(list[int], self.border.views.elements(HALF, count, everywhere))

    def new(self, record: type[R], /, **lengths: Lengths) -> R:
        return cast(R, self.border.new(record, lengths))

    def grow(self, record: object, /, **lengths: Lengths) -> None:
        self.border.grow(record, lengths)

    def replace(self, record: object, /, **lengths: Lengths) -> None:
        self.border.replace(record, lengths)

    def elements(self, of: type[R], count: int, everywhere: bool = False) -> list[R]:
        return cast(list[R], self.border.elements(of, count, everywhere))

    def words_of(self, record: type, name: str) -> int:
        return self.border.words_of(record, name)

    def bytes_each(self, record: type, name: str) -> float:
        return self.border.bytes_of(record, name)


class PythonText(_Records):
    """The functions of a kernel as plain Python."""

    is_compiled = False
    views = PythonViews

    def __init__(
        self,
        source: KernelSource,
        constants: Mapping[str, int] = _NONE,
        look: Callable[[], None] = look,
        context: list[int] | None = None,
    ) -> None:
        self._functions = beginning(look)
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
            self._functions[name] = copying(self._functions[name], tuple(kinds), copiers)

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


class CompiledText(_Records):
    """The functions of a kernel as machine code, with ``bits`` of ``width`` bits. Hurried code is replaced by optimised
    code between two calls."""

    is_compiled = True

    def __init__(
        self,
        source: KernelSource,
        constants: Mapping[str, int] = _NONE,
        width: int = 64,
        is_hurried: bool = False,
        context: Any = None,
    ) -> None:
        from zermelo.interpreter.native.llvm.engine import Library

        self._library = Library(source, width, is_hurried)
        self._functions: dict[str, Any] = {}
        self._better: Optimising | None = None
        self._source = source
        self.border = Border(source, CompiledViews(layouts_of(source, constants, width)), context)
        if not self._library.is_optimised:
            from zermelo.interpreter.native.llvm.optimising import Optimising

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
        if self._library.has_fault:
            raise self._library.fault(name)
        return result

    def _run(self, function: Any, arguments: list[int]) -> int:
        """The result of a function that returns soon."""
        return int(function(*arguments))


def load(source: KernelSource, compiled: bool = True) -> PlainKernels:
    """The functions of a kernel that calls no rules; as machine code if that is wanted and LLVM is installed."""
    if compiled:
        from zermelo.interpreter.native.llvm.engine import is_available

        if is_available():
            return CompiledText(source)
    return PythonText(source)
