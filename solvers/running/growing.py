"""Records and arrays of kernels whose lengths no rules fix: what has no length, 0, grows as it must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.interpreter.native.dialect.records import Kind
from zermelo.interpreter.native.running.views import PythonViews


class Growing(dict[int, Any]):
    """An array of any length, of which what has not been written is as it is made. It has no end: it is looked at by
    place, and neither gone through nor cut."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __missing__(self, place: int) -> Any:
        made = self[place] = self._make()
        return made


class GrowingViews(PythonViews):
    """Records as objects, with arrays that grow and numbers of any size."""

    def _maker(self, kind: Kind) -> Callable[[], Any]:
        if kind.length != 0:
            return super()._maker(kind)
        make = self.record(kind.element.record) if kind.name == "array" else int
        return lambda: Growing(make)

    def _putter(self, kind: Kind) -> Callable[[Any, Any], None]:
        if kind.length != 0:
            return super()._putter(kind)
        if kind.name != "array":
            return dict.update
        put = self.putter(kind.element.record)

        def put_all(target: Growing, source: Growing) -> None:
            for place, each in source.items():
                put(target[place], each)

        return put_all

    def check_numbers(self, record: Any, name: str) -> None:
        """Nothing: numbers are of any size."""
