"""Records in kernels: the two executors do the same with them, and the host sees what they hold."""

from __future__ import annotations

import importlib.util
import sys
from itertools import count

import pytest

from interpreter.native.kernel import kernel
from interpreter.native.llvm.engine import is_available
from interpreter.native.plain_kernels import load

pytestmark = pytest.mark.skipif(not is_available(), reason="llvmlite is not installed")

HEAD = """\
from __future__ import annotations

from typing import Literal

from interpreter.native.words import Array, Length, array, bits, floats, hole, ints, masks, mix

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

_numbers = count()


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Makes a module of a text, as if it had been imported."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))

    def make(text, head=HEAD):
        name = f"kernel_of_tests_{next(_numbers)}"
        path = tmp_path / f"{name}.py"
        path.write_text(f"{head}\n{text}")
        spec = importlib.util.spec_from_file_location(name, path)
        made = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, made)
        spec.loader.exec_module(made)
        return made

    return make


def both(kernel):
    return [load(kernel, compiled) for compiled in (False, True)]


WALK = f"""
{RECORDS}

def add(pair: Pair, n: int) -> None:
    if n < 0:
        return
    pair.low += n
    pair.high = max(pair.high, pair.low)


def total(numbers: list[int]) -> int:
    sum: int = 0
    for k in range(len(numbers)):
        sum += numbers[k]
    return sum


def swap(world: World, i: int, j: int) -> int:
    one = world.boxes[i]
    other = world.boxes[j]
    one.pair.low, other.pair.low = other.pair.low, one.pair.low
    return one.pair.low


def work(world: World, n: int) -> int:
    box = world.boxes[0]
    for k in range(n):
        box.digits[k % 4] = k
        box = world.boxes[k % len(world.boxes)]
        add(box.pair, k)
        add(box.many[k % 3], -k if k % 2 == 0 else k)
        box.digits[k & 3] += k
        box.set = box.set | (1 << k)
        box.weight = box.weight + float(k) * 0.5
        box.shares[k % 2] = box.weight
        new = Pair()
        add(new, k)
        world.inner.many[k % 3].low += new.low + new.high
        world.numbers[k % len(world.numbers)] += mix(k, box.pair.low) & 1023
        digits = world.inner.digits
        digits[k & 3] = new.low
    for k in range(len(world.weights)):
        world.weights[k] = world.boxes[0].weight
    swap(world, 0, 1)
    swap(world, 1, 1)
    world.pairs[1].high = 7
    world.seen = total(world.numbers)
    return world.seen
"""


def dump(record):
    """All that the host sees of a world."""

    def pair(pair):
        return pair.low, pair.high

    def box(box):
        many = [pair(box.many[k]) for k in range(3)]
        return pair(box.pair), many, list(box.digits[:4]), list(box.shares[:2]), box.set, box.weight

    boxes = [box(record.boxes[k]) for k in range(len(record.boxes))]
    ends = [pair(record.pairs[k]) for k in range(2)]
    return boxes, record.numbers[:], record.weights[:], box(record.inner), ends, record.seen, record.sum


def test_records_are_the_same_in_both(module):
    made = module(WALK)
    seen = []
    for kernels in both(kernel(made.work, made.swap)):
        world = kernels.new(made.World, boxes=3, numbers=5, weights=2)
        world.boxes[2].pair.low = 40
        found = [kernels.call(made.work, world, 29)]
        kernels.grow(world, boxes=4, numbers=9)
        world.inner.digits[2] = -5
        found += [kernels.call(made.work, world, 11), dump(world)]
        seen.append(found)
    assert seen[0] == seen[1]
    assert seen[0][0] > 0
