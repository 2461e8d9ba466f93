"""Records and arrays of kernels for any machine: an array of length 0 grows as needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define

from zermelo.interpreter.native.dialect.records import Kind
from zermelo.interpreter.native.running.views import PythonViews


class Growing(dict[int, Any]):
    """An array of any length, whose elements are made on first access. It has no end: it is indexed, and neither
    iterated nor sliced."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __missing__(self, place: int) -> Any:
        made = self[place] = self._make()
        return made


@define
class GrowingViews(PythonViews):
    """Records as objects, with arrays that grow and numbers of any size."""

    def _maker(self, kind: Kind) -> Callable[[], Any]:
        if kind.length != 0:
            return super()._maker(kind)
        make = self.record(kind.element.record) if kind.name == "array" else int
        return lambda: Growing(make)

    def _pairs(self, kind: Kind, place: str) -> str:
        if kind.length != 0:
            return super()._pairs(kind, place)
        return f"((target{place}[k], each) for k, each in source{place}.items())"

    def _assignment(self, kind: Kind, place: str) -> str:
        return super()._assignment(kind, place) if kind.length != 0 else f"target{place}.update(source{place})"

    def check_numbers(self, record: Any, name: str) -> None:
        """Nothing: numbers are of any size."""
