"""Kernel modules for tests, and all that the host sees of their records."""

from __future__ import annotations

import ast
import importlib.util
import sys
from itertools import count

from attrs import frozen

from zermelo.interpreter.native.dialect.language import parse_module

HEAD = """\
from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import (
    Array,
    Length,
    array,
    bits,
    floats,
    hole,
    ints,
    masks,
    mix,
    popcount,
)

"""

RECORDS = """\
class Pair:
    \"\"\"Two numbers.\"\"\"

    low: int
    high: int


class Box:
    pair: Pair
    many: Array[Pair, Literal[3]]
    digits: ints[Literal[4]]
    shares: floats[Literal[2]]
    set: bits
    weight: float


class World:
    boxes: list[Box]
    numbers: list[int]
    weights: list[float]
    inner: Box
    pairs: Array[Pair, Literal[2]]
    seen: int
    sum: float
"""
"""Records of every kind of field; :func:`dump` shows what a ``World`` holds."""

_numbers = count()


@frozen
class KernelText:
    """A text of the dialect, to be compiled in place of a kernel."""

    identity: str
    exports: tuple[str, ...]

    def tree(self) -> ast.Module:
        return parse_module(self.identity)


def modules(folder, monkeypatch):
    """Makes a module of a text, as if it had been imported."""
    monkeypatch.setenv("ZERMELO_CACHE", str(folder))

    def make(text, head=HEAD):
        name = f"kernel_of_tests_{next(_numbers)}"
        path = folder / f"{name}.py"
        path.write_text(f"{head}\n{text}")
        spec = importlib.util.spec_from_file_location(name, path)
        made = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, made)
        spec.loader.exec_module(made)
        return made

    return make


def dump(world):
    """All that a ``World`` holds."""

    def pair(pair):
        return pair.low, pair.high

    def box(box):
        many = [pair(box.many[k]) for k in range(3)]
        return pair(box.pair), many, list(box.digits[:4]), list(box.shares[:2]), box.set, box.weight

    boxes = [box(world.boxes[k]) for k in range(len(world.boxes))]
    ends = [pair(world.pairs[k]) for k in range(2)]
    return boxes, world.numbers[:], world.weights[:], box(world.inner), ends, world.seen, world.sum
