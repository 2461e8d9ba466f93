"""Reading and checking a game, with a cache on disk.

An entry has the checked model, the facts proved by its rules, and, once they have been asked for, the lowered program
with its byte code, and the number of positions. All of it depends on the text of the file, the parameters and the
version of the interpreter, and on nothing else. A file with errors is not cached, and ``zermelo check`` does not use
the cache.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from importlib import import_module
from json import dumps, loads
from types import CodeType
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import define, field, fields, has

from zermelo.foundation import disk_cache
from zermelo.foundation.disk_cache import program_version
from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.interpreter.model.rewriting import make_room

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Facts
    from zermelo.interpreter.model import Model
    from zermelo.interpreter.native.dialect.lowered_text import Unsupported
    from zermelo.interpreter.native.program import Program
    from zermelo.interpreter.values import Value
    from zermelo.solvers.common.numbers import Size

# Serialization of our records as plain data, which cannot name code to run.
#
# The format has numbers, texts, tuples, lists, dictionaries, sets, records of our own packages, and a few other classes
# (``_MADE_FROM``); each object once, after those that it is made from, so that shared objects stay shared. Sets have
# numbers and texts, written in order, so that the same game is always the same bytes. Reading only makes objects of
# these classes: unlike a pickle, the data cannot name a function to call. It takes half as long again as loading a
# pickle: two thirds of a millisecond for a small game.


_PACKAGES: Final = ("zermelo.grammar.", "zermelo.interpreter.", "zermelo.solvers.")
"""The packages whose records can be read."""

_MADE_FROM: Final = {
    "fractions.Fraction": ("numerator", "denominator"),
    "zermelo.grammar.names.ShownName": ("name", "shown"),
    "zermelo.interpreter.machine.Move": ("name", "arguments"),
    "zermelo.interpreter.model.expressions.Audience": ("value",),
    "zermelo.interpreter.native.dialect.lowered_text.Beyond": ("construct", "span"),
    "zermelo.interpreter.native.dialect.lowered_text.Unsupported": ("construct", "span"),
    "zermelo.interpreter.values.Cell": ("type", "name", "index", "x", "y"),
    "zermelo.interpreter.values.Direction": ("dx", "dy"),
    "zermelo.interpreter.values.Edge": ("type", "name", "index", "ends"),
    "zermelo.interpreter.values.Member": ("type", "name", "index", "sign"),
    "zermelo.interpreter.values.OrderedSet": ("items",),
}
"""The classes other than records, and the parts that their objects are made from."""

_LISTINGS: Final[dict[str, Callable[[list[Any]], object]]] = {
    "tuple": tuple,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": lambda held: dict(zip(held[::2], held[1::2], strict=True)),
    "int": lambda held: int(held[0], 16),
}
"""Collections, made from any number of objects; a dictionary from its keys and values in turn."""

_LONG: Final = 1 << 63
"""Numbers from here on are written in base 16: reading decimal digits takes quadratic time."""


class Unreadable(Exception):
    """The data is not the output of :func:`to_bytes`."""


def to_bytes(value: object) -> bytes:
    """The value as plain data. Raises TypeError for an object of another class, and for a cycle."""
    return _Writer().write((value,))


def from_bytes(data: bytes) -> Any:
    """The value of :func:`to_bytes`; raises :class:`Unreadable`."""
    try:
        kinds, objects, rows = loads(data)
        makers = [_maker(kind) for kind in kinds]
        for row in rows:
            places = iter(row)
            make = makers[next(places)]
            objects.append(make([objects[place] for place in places]))
        return objects[-1][0]
    except (
        ArithmeticError,
        AttributeError,
        ImportError,
        LookupError,
        RecursionError,
        StopIteration,
        TypeError,
        ValueError,
    ) as error:
        raise Unreadable from error


def _maker(kind: str) -> Callable[[list[Any]], object]:
    """The constructor of objects of this kind, from their parts."""
    if kind in _LISTINGS:
        return _LISTINGS[kind]
    module, _, name = kind.rpartition(".")
    if kind in _MADE_FROM:
        made = getattr(import_module(module), name)
        return lambda held: made(*held)
    if not kind.startswith(_PACKAGES):
        raise Unreadable
    made = getattr(import_module(module), name)
    if not isinstance(made, type) or not has(made):
        raise Unreadable
    return partial(_record, made, [getattr(made, field.name).__set__ for field in fields(made)])


def _record(kind: type, setters: list[Callable[[object, Any], None]], held: list[Any]) -> object:
    made: object = object.__new__(kind)
    for put, value in zip(setters, held, strict=True):
        put(made, value)
    return made


class _Writer:
    """Numbers the objects: even numbers for ``atoms``, numbers and texts by type and value, odd ones for objects with a
    row of their own."""

    def __init__(self) -> None:
        self.atoms: dict[tuple[type, object], int] = {}
        self.kinds: dict[str, int] = {}
        self.rows: list[list[int]] = []
        self.numbers: dict[int, int] = {}  # by the identity of an object

    def write(self, whole: object) -> bytes:
        """The parts of an object are written before it, by a stack instead of recursion."""
        waiting: list[object] = [whole]
        begun: dict[int, tuple[str, Sequence[object]]] = {}
        while waiting:
            thing = waiting[-1]
            if self.number(thing) is not None:
                waiting.pop()
                continue
            again = begun.get(id(thing))
            kind, parts = again or _take_apart(thing)
            known = list(map(self.number, parts))
            if None not in known:
                self.numbers[id(thing)] = 2 * len(self.rows) + 1
                self.rows.append([self.kinds.setdefault(kind, len(self.kinds)), *cast("list[int]", known)])
            elif again:
                raise TypeError(f"{kind} holds itself")
            else:
                begun[id(thing)] = kind, parts
                waiting += [part for part, number in zip(parts, known, strict=True) if number is None][::-1]
        first = len(self.atoms)  # rows are numbered after the atoms
        rows = [[row[0], *(number // 2 + first * (number % 2) for number in row[1:])] for row in self.rows]
        return dumps([list(self.kinds), [atom for _, atom in self.atoms], rows], separators=(",", ":")).encode()

    def number(self, thing: object) -> int | None:
        """The number of an object; None if it has not been written yet."""
        found = self.numbers.get(id(thing))
        if found is not None:
            return found
        kind = type(thing)
        if thing is None or kind is bool or kind is str or (type(thing) is int and -_LONG < thing < _LONG):
            return 2 * self.atoms.setdefault((kind, thing), len(self.atoms))
        return None


def _take_apart(thing: object) -> tuple[str, Sequence[object]]:
    """The kind and the parts of an object. Raises TypeError."""
    kind, names = _form_of(type(thing))
    if names is not None:
        return kind, [getattr(thing, name) for name in names]
    name = kind.removeprefix("builtins.")
    if isinstance(thing, int):
        return name, [f"{thing:x}"]
    if isinstance(thing, dict):
        return name, [part for pair in thing.items() for part in pair]
    if isinstance(thing, Set):
        return name, sorted(thing, key=lambda part: (type(part).__name__, part))  # else by how the set was made
    if isinstance(thing, Iterable) and name in _LISTINGS:
        return name, list(thing)
    raise TypeError(f"{kind} cannot be written as plain data")


_FORMS: Final[dict[type, tuple[str, tuple[str, ...] | None]]] = {}
"""The kind of objects of each class that has been met, and the names of their parts; None if they are no records."""


def _form_of(made: type) -> tuple[str, tuple[str, ...] | None]:
    if made not in _FORMS:
        kind = f"{made.__module__}.{made.__qualname__}"
        if kind in _MADE_FROM:
            names: tuple[str, ...] | None = tuple(_MADE_FROM[kind])
        else:
            is_record = has(made) and kind.startswith(_PACKAGES)
            names = tuple(field.name for field in fields(made)) if is_record else None
        _FORMS[made] = kind, names
    return _FORMS[made]


@define(eq=False, repr=False)
class Prepared:
    """A checked game: its model, and the facts proved by the rules alone."""

    model: Model
    facts: Facts
    _lowered: Program | Unsupported | None = None
    _size: Size | None = None
    _depends_on: tuple[str, ...] = field(default=(), kw_only=True)  # its key in the cache; empty: not cached

    @property
    def program(self) -> Program:
        """The lowered program; raises :class:`~zermelo.interpreter.native.dialect.lowered_text.Unsupported`."""
        if self._lowered is None:
            from zermelo.interpreter.native.dialect.lowered_text import Unsupported
            from zermelo.interpreter.native.model_lowering import lower

            try:
                self._lowered = lower(self.model)
            except Unsupported as error:
                self._lowered = error.with_traceback(None)
            self.keep()
        if isinstance(self._lowered, Exception):
            raise self._lowered
        return self._lowered

    @property
    def _is_lowered(self) -> bool:
        """Whether the lowered program is known."""
        return self._lowered is not None and not isinstance(self._lowered, Exception)

    @property
    def is_kept(self) -> bool:
        """Whether the cache has an entry for it."""
        return bool(self._depends_on)

    def size(self, measure: Callable[[], Size]) -> Size:
        """The size of the game; a complete count is cached."""
        if self._size is not None:
            return self._size
        size = measure()
        if size.finished:
            self._size = size
            self.keep()
        return size

    def is_sound(self) -> bool:
        """Whether everything has the right class. Classes are imported only if an object may be of theirs."""
        from zermelo.interpreter.checks.game_facts import Facts
        from zermelo.interpreter.model import Model

        if not isinstance(self.model, Model) or not isinstance(self.facts, Facts):
            return False
        if self._lowered is not None:
            from zermelo.interpreter.native.dialect.lowered_text import Unsupported
            from zermelo.interpreter.native.program import Program

            if not isinstance(self._lowered, Program | Unsupported):
                return False
        if self._size is not None:
            from zermelo.solvers.common.numbers import Size

            return isinstance(self._size, Size)
        return True

    def keep(self) -> None:
        """Store what is known by now in the cache."""
        if not self._depends_on:
            return
        code = _code_to_text(self.program) if self._is_lowered else ""
        content = to_bytes((self.model, self.facts, self._lowered, self._size, code))
        disk_cache.store("games", content, *self._depends_on)


def prepare(source: Source, parameters: Mapping[str, Value], is_kept: bool) -> Prepared:
    """Read and check a game, or load it from the cache, which is used if ``is_kept``.

    Raises ``InvalidGame`` and ``ZermeloError`` (``unknown-parameter``).
    """
    depends_on: tuple[str, ...] = ()
    if is_kept:
        depends_on = (source.name, source.text, repr(sorted(parameters.items())), program_version())
        kept = disk_cache.load("games", *depends_on)
        if kept is not None:
            with suppress(Unreadable):
                return _load_entry(kept, depends_on)

    from zermelo.interpreter.check import check

    model, findings = check(source, parameters)
    if model is None:
        raise InvalidGame(findings)
    new = prepare_model(model, depends_on)
    new.keep()
    return new


def prepare_model(model: Model, depends_on: tuple[str, ...] = ()) -> Prepared:
    """A checked model with its facts. Nothing is taken over from another model, even if only the weights of an estimate
    differ: the bounds of the estimate depend on them."""
    from zermelo.interpreter.checks.proving import facts

    return Prepared(model, facts(model), depends_on=depends_on)


def _load_entry(kept: bytes, depends_on: tuple[str, ...]) -> Prepared:
    """The entry of :meth:`Prepared.keep`; raises Unreadable."""
    match from_bytes(kept):
        case (model, facts, lowered, size, str(code)):
            read = Prepared(model, facts, lowered, size, depends_on=depends_on)
            if read.is_sound() and read._is_lowered == bool(code):
                if code:
                    _remember_code(read.program, code)
                make_room(read.model.depth)
                return read
    raise Unreadable


# The byte code of the lowered rules, kept with them: without it every command would compile them, in two to thirty
# milliseconds. It is marshalled, which other versions of Python read otherwise, as the key of an entry says.


def _code_to_text(program: Program) -> str:
    from zermelo.interpreter.native.dialect.language import code_of

    return marshal.dumps(code_of(program.text)).hex()


def _remember_code(program: Program, code: str) -> None:
    """Remember the output of :func:`_code_to_text`. Raises Unreadable."""
    from zermelo.interpreter.native.dialect.language import remember_code

    try:
        read = marshal.loads(bytes.fromhex(code))
    except (EOFError, TypeError, ValueError) as error:
        raise Unreadable from error
    if not isinstance(read, CodeType):
        raise Unreadable
    remember_code(program.text, read)
