"""Records in kernels: both executors agree, and the host can read and write them."""

from __future__ import annotations

import pytest
from all_machines import needs_llvm
from kernel_modules import RECORDS, dump, modules

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.running.kernels import load

pytestmark = needs_llvm


@pytest.fixture
def module(tmp_path, monkeypatch):
    return modules(tmp_path, monkeypatch)


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


def test_one_list_is_shared(module):
    made = module(WALK)
    for kernels in both(kernel(made.work)):
        numbers, boxes = kernels.elements(int, 4), kernels.elements(made.Box, 2, everywhere=True)
        one = kernels.new(made.World, boxes=boxes, numbers=numbers, weights=1)
        other = kernels.new(made.World, boxes=one.boxes, numbers=one.numbers, weights=1)
        del one
        numbers[1], boxes[1].pair.low = 5, 6
        assert (other.numbers[1], other.boxes[1].pair.low) == (5, 6)
        kernels.call(made.work, other, 3)
        assert numbers[:] == other.numbers[:] != [0, 5, 0, 0]


@pytest.mark.parametrize(
    "lengths",
    [
        {"boxes": 1, "numbers": 1},
        {"boxes": 1, "numbers": 1, "weights": 1, "pairs": 2},
        {"boxes": 1, "numbers": 1, "weights": 1, "others": 2},
        {"boxes": 1, "numbers": -1, "weights": 1},
        {"boxes": 1, "numbers": 1, "weights": [1, 2]},
        {"boxes": [1], "numbers": 1, "weights": 1},
        {"boxes": 1, "numbers": 1, "weights": 1, "inner": {"pair": 1}},
    ],
)
def test_lists_that_a_record_does_not_have(module, lengths):
    made = module(WALK)
    for kernels in both(kernel(made.work)):
        with pytest.raises(TypeError):
            kernels.new(made.World, **lengths)


def test_calls_that_do_not_fit_are_refused(module):
    made = module(WALK)
    runs = module(WALK)
    for kernels in both(kernel(made.work, made.swap, made.total, made.add)):
        world = kernels.new(made.World, boxes=2, numbers=2, weights=2)
        assert kernels.call(made.total, world.numbers) == 0
        assert kernels.call(made.add, world.boxes[0].pair, 4) == 0
        assert world.boxes[0].pair.low == 4
        other = load(kernel(runs.work), kernels.is_compiled).new(runs.World, boxes=2, numbers=2, weights=2)
        for function, arguments in (
            (made.work, (world,)),
            (made.work, (world, 1, 2)),
            (made.work, (world, 1.0)),
            (made.work, (world, 1 << 63)),
            (made.work, (world, None)),
            (made.work, (3, 3)),
            (made.work, (world.inner, 3)),
            (made.work, (other, 3)),
            (made.total, (world.weights,)),
            (made.total, (world.boxes,)),
            (made.add, (world.boxes, 1)),
            (runs.work, (world, 1)),
        ):
            with pytest.raises(TypeError):
                kernels.call(function, *arguments)
        with pytest.raises(TypeError):
            kernels.call(made.work, world, n=3)
        with pytest.raises(TypeError):
            kernels.new(runs.World, boxes=2, numbers=2, weights=2)
        with pytest.raises(TypeError):
            kernels.grow(world, numbers=1)
        assert world.numbers[:] == [0, 0]


def test_arrays_that_are_too_short_are_refused(module):
    made = module("def first(numbers: ints[Literal[3]]) -> int:\n    return numbers[0]\n")
    for kernels in both(kernel(made.first)):
        assert kernels.call(made.first, kernels.elements(int, 3)) == 0
        for given in (kernels.elements(int, 2), kernels.elements(float, 3)):
            with pytest.raises(TypeError):
                kernels.call(made.first, given)


def test_an_index_outside_a_list_is_an_error(module):
    made = module(f"{RECORDS}\n\ndef at(world: World, k: int) -> int:\n    return world.boxes[k].pair.low\n")
    for kernels in both(kernel(made.at)):
        world = kernels.new(made.World, boxes=2, numbers=0, weights=0)
        assert kernels.call(made.at, world, 1) == 0
        with pytest.raises(IndexError):
            kernels.call(made.at, world, 2)


HOLES = """\
class ROOM(metaclass=Length):
    \"\"\"A length.\"\"\"


class Row:
    numbers: ints[ROOM]


SCALE: int
BASE = 5 * 8


@hole
def worth(row: Row, k: int) -> int:
    \"\"\"What an entry is worth.\"\"\"


def sum_of(row: Row) -> int:
    sum: int = BASE
    for k in range(ROOM):
        sum += worth(row, k) * SCALE
    return sum
"""


def test_holes_are_filled(module):
    made = module(HOLES)
    for kernels in both(kernel(made.sum_of, ROOM=3, SCALE=-2, worth="row.numbers[k] + k")):
        row = kernels.new(made.Row)
        row.numbers[2] = 10
        assert kernels.call(made.sum_of, row) == 40 - 2 * 13


@pytest.mark.parametrize(
    "holes",
    [
        {"ROOM": 3, "SCALE": 1},
        {"ROOM": 3, "SCALE": 1, "worth": "k", "other": 1},
        {"ROOM": 3, "SCALE": 1, "worth": "k", "sum_of": "1"},
    ],
)
def test_holes_that_are_left_open_or_are_none(module, holes):
    with pytest.raises(NotDialect):
        kernel(module(HOLES).sum_of, **holes)


def test_a_hole_is_filled_with_an_expression_in_its_parameters(module):
    made = module(HOLES)
    with pytest.raises(NotDialect):
        load(kernel(made.sum_of, ROOM=3, SCALE=1, worth="k + there"))
    for compiled in (False, True):
        with pytest.raises(NotDialect):
            load(kernel(made.sum_of, ROOM=3, SCALE=1, worth="k +"), compiled)


def test_modules_are_included_once(module, monkeypatch):
    base = module(f"{RECORDS}\nSTEP = 3\n\n\ndef add(pair: Pair) -> int:\n    pair.low += STEP\n    return pair.low\n")
    head = f"from __future__ import annotations\n\nfrom {base.__name__} import STEP, Pair, add\n"
    one = module("def twice(pair: Pair) -> int:\n    return add(pair) + add(pair)\n", head)
    head = f"{head}from {one.__name__} import twice\n"
    both_of = module("def work(pair: Pair) -> int:\n    return twice(pair) * 100 + add(pair) + STEP\n", head)
    for kernels in both(kernel(both_of.work)):
        assert kernels.call(both_of.work, kernels.new(base.Pair)) == 900 + 9 + 3


@pytest.mark.parametrize("name", ["leave", "begin", "body_2", "MOVES", "x__3"])
def test_names_of_the_rules_are_refused(module, name):
    with pytest.raises(NotDialect):
        kernel(getattr(module(f"def {name}(k: int) -> int:\n    return k\n"), name))


@pytest.mark.parametrize(
    "line",
    [
        "world.numbers = world.numbers",
        "world.inner = world.boxes[0]",
        "world.seen = world.boxes[0]",
        "box = world.boxes[0]\n    box = world.pairs[0]",
        "world.there = 1",
        "world.seen.low = 1",
        "world.sum = 1",
        "world.boxes[0].set.low = 1",
        "new = World()",
        "new = Pair()\n    new = world.pairs[0]",
        "add(world.inner)",
        "add(world.pairs[2])",
        "world.pairs[0].low = len(world)",
    ],
)
def test_what_is_not_in_the_dialect(module, line):
    add = "def add(pair: Pair) -> int:\n    return 0\n"
    work = f"def work(world: World) -> int:\n    {line}\n    return 0\n"
    with pytest.raises(NotDialect):
        load(kernel(module(f"{RECORDS}\n\n{add}\n\n{work}").work))


@pytest.mark.parametrize("line", ["some, none = none, some", "one, n = box.pair, 3", "box.weight, n = box.shares, 3"])
def test_only_numbers_are_assigned_several_at_once(module, line):
    work = f"def work(box: Box, some: Pair, none: Pair) -> int:\n    {line}\n    return some.low\n"
    with pytest.raises(NotDialect, match=r"in line .* in work: only numbers are assigned several at once"):
        load(kernel(module(f"{RECORDS}\n\n{work}").work))


@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 1 << 80])
def test_a_number_of_more_than_64_bits_is_refused_where_the_host_writes_it(module, number):
    made = module("class Inner:\n    n: int\n\n\nclass Outer:\n    inner: Inner\n    m: int\n\n\n"
                  "def work(outer: Outer) -> int:\n    return outer.m + outer.inner.n\n")  # fmt: skip
    for kernels in both(kernel(made.work)):
        outer = kernels.new(made.Outer)
        outer.m, outer.inner.n = -(1 << 63), (1 << 63) - 1
        assert kernels.call(made.work, outer) == -1
        for name, record in (("m", outer), ("n", outer.inner)):
            with pytest.raises(TypeError, match=f"'{name}' of .* is a whole number of 64 bits"):
                setattr(record, name, number)
                kernels.call(made.work, outer)
            setattr(record, name, 0)
        assert kernels.call(made.work, outer) == 0


@needs_llvm
@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 1 << 80])
def test_a_number_of_more_than_64_bits_is_refused_in_an_array_of_machine_code(module, number):
    """Python's arrays hold it as it is."""
    made = module("class Outer:\n    those: ints[Literal[2]]\n    some: list[int]\n\n\n"
                  "def work(outer: Outer) -> int:\n    return outer.those[1] + outer.some[1]\n")  # fmt: skip
    kernels = load(kernel(made.work))
    outer = kernels.new(made.Outer, some=3)
    outer.those[1], outer.some[:] = -(1 << 63), [0, (1 << 63) - 1, 0]
    assert kernels.call(made.work, outer) == -1
    for numbers in (outer.those, outer.some, kernels.elements(int, 2)):
        before = list(numbers)
        with pytest.raises(OverflowError):
            numbers[1] = number
        with pytest.raises(OverflowError):
            numbers[:2] = [0, number]
        assert list(numbers) == before


@pytest.mark.parametrize(
    "fields",
    ["boxes: list[World]", "them: Array[World, Literal[2]]\n    n: list[int]", "world: World", "n: ints[n]", "x: dict"],
)
def test_records_that_cannot_be(module, fields):
    made = module(f"class World:\n    {fields}\n    m: int\n\n\ndef work(world: World) -> int:\n    return world.m\n")
    for compiled in (False, True):
        with pytest.raises(NotDialect):
            load(kernel(made.work), compiled)
