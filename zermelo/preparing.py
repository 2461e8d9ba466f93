"""Reading and checking a game, with a cache on disk.

An entry has the checked model, the facts proved by its rules, and, once they have been asked for, the lowered program
and the number of positions. All of it depends on the text of the file, the parameters and the version of the
interpreter, and on nothing else. A file with errors is not cached, and ``zermelo check`` does not use the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import define, field

from zermelo.grammar import disk_cache
from zermelo.grammar.diagnostics import InvalidGame
from zermelo.grammar.source import Source
from zermelo.interpreter.model.depth import make_room
from zermelo.interpreter.version import version
from zermelo.plain_data import Unreadable, from_bytes, to_bytes

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Facts
    from zermelo.interpreter.model import Model
    from zermelo.interpreter.native.dialect.unsupported import Unsupported
    from zermelo.interpreter.native.program import Program
    from zermelo.solvers.common.size import Size


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
        """The lowered program; raises :class:`~zermelo.interpreter.native.dialect.unsupported.Unsupported`."""
        if self._lowered is None:
            from zermelo.interpreter.native.dialect.unsupported import Unsupported
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
            from zermelo.interpreter.native.dialect.unsupported import Unsupported
            from zermelo.interpreter.native.program import Program

            if not isinstance(self._lowered, Program | Unsupported):
                return False
        if self._size is not None:
            from zermelo.solvers.common.size import Size

            return isinstance(self._size, Size)
        return True

    def keep(self) -> None:
        """Store what is known by now in the cache."""
        if not self._depends_on:
            return
        content = to_bytes((self.model, self.facts, self._lowered, self._size))
        disk_cache.store("games", content, *self._depends_on)


def prepare(source: Source, parameters: Mapping[str, int | Fraction | bool | str], is_kept: bool) -> Prepared:
    """Read and check a game, or load it from the cache, which is used if ``is_kept``.

    Raises ``InvalidGame`` and ``ZermeloError`` (``unknown-parameter``).
    """
    depends_on: tuple[str, ...] = ()
    if is_kept:
        depends_on = (source.name, source.text, repr(sorted(parameters.items())), version())
        kept = disk_cache.load("games", *depends_on)
        if kept is not None:
            with suppress(Unreadable):
                return _read(kept, depends_on)

    from zermelo.interpreter.check import check

    model, findings = check(source, parameters)
    if model is None:
        raise InvalidGame(findings)
    new = prepared(model, depends_on)
    new.keep()
    return new


def prepared(model: Model, depends_on: tuple[str, ...] = ()) -> Prepared:
    """A checked model with its facts. Nothing is taken over from another model, even if only the weights of an estimate
    differ: the bounds of the estimate depend on them."""
    from zermelo.interpreter.checks.proving import facts

    return Prepared(model, facts(model), depends_on=depends_on)


def _read(kept: bytes, depends_on: tuple[str, ...]) -> Prepared:
    """The entry of :meth:`Prepared.keep`; raises Unreadable."""
    match from_bytes(kept):
        case (model, facts, lowered, size):
            read = Prepared(model, facts, lowered, size, depends_on=depends_on)
            if read.is_sound():
                make_room(read.model.depth)
                return read
    raise Unreadable
