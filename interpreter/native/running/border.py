"""Type checks at the border between the host and kernels: a mismatched call is refused before it runs."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from inspect import get_annotations, isgeneratorfunction
from typing import Any, Final

from attrs import define, field

from zermelo.interpreter.native.dialect.excluding import without_excluded
from zermelo.interpreter.native.dialect.kernel_source import KernelSource, fields_in, module_of
from zermelo.interpreter.native.dialect.parsing import parse_module
from zermelo.interpreter.native.dialect.records import Kind, Layouts, annotation
from zermelo.interpreter.native.dialect.searches import call_record, copied_parameters
from zermelo.interpreter.native.dialect.words import State
from zermelo.interpreter.native.running.views import Views, check_number

_NUMBERS: Final[Mapping[type, str]] = {int: "int", float: "float"}


@define(eq=False, repr=False)
class Border:
    """Checks the arguments of a kernel's functions and the construction of its records. ``context`` is the context of
    the rules in records."""

    source: KernelSource
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

    def words_of(self, record: type, name: str) -> int:
        """The words of an element of a record's list, given by its dotted name."""
        return self.views.layouts.size(self._element(record, name))

    def bytes_of(self, record: type, name: str) -> int:
        """The bytes of such an element in compiled code."""
        return self.views.layouts.bytes(self._element(record, name))

    def _element(self, record: type, name: str) -> Kind:
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


def layouts_of(source: KernelSource, constants: Mapping[str, int], width: int) -> Layouts:
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
    return call_record([without_excluded(_definition(function), dict(constants))])


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
