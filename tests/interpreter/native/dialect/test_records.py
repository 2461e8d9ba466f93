"""Records in kernels: both executors agree, and the host can read and write them."""

from __future__ import annotations

import ast
from threading import Thread

import pytest
from all_machines import needs_llvm
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from kernel_modules import RECORDS, dump, modules
from random_cases import many

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.records import Layouts, fields_of
from zermelo.interpreter.native.running.kernels import load
from zermelo.interpreter.native.running.views import CompiledViews

pytestmark = needs_llvm


@pytest.fixture
def module(tmp_path, monkeypatch):
    return modules(tmp_path, monkeypatch)


def both(kernel):
    return [load(kernel, compiled) for compiled in (False, True)]


def test_threads_share_the_class_of_a_record(monkeypatch):
    """Another thread that asks for a record while it is laid out waits for it, and gets the same class."""
    layouts = Layouts(64, {}, {"Pair": fields_of(ast.parse("low: int\nhigh: int").body)})
    views, found, others = CompiledViews(layouts), [], []
    measure = Layouts.size

    def size(self, kind):
        if not others:
            others.append(Thread(target=lambda: found.append(views.record("Pair"))))
            others[0].start()
            others[0].join(0.2)  # it would have failed by now, or made a class of its own
        return measure(self, kind)

    monkeypatch.setattr(Layouts, "size", size)
    made = views.record("Pair")
    others[0].join()
    assert found == [made]


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
        for other in (kernels.elements(int, 2), kernels.elements(float, 3)):
            with pytest.raises(TypeError):
                kernels.call(made.first, other)


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


# Search functions that take, keep and return records: the two executors mean the same by every name.


HEAD = """\
from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import (
    Array, Call, GiveUp, Visit, array, bits, floats, ints, masks, mix, records
)


class Pair:
    low: int
    high: int


class Box:
    pair: Pair
    many: Array[Pair, Literal[2]]
    digits: ints[Literal[3]]
    set: bits
    weight: float


class Search:
    calls: list[Call]
    depth: int
    nodes: int
    value: Pair
    last: Pair
    box: Box
    seen: int


def put(target: Pair, source: Pair) -> None:
    target.low, target.high = source.low, source.high


"""

FIBONACCI = """
def work(search: Search, n: int, given: Pair) -> Visit[Pair]:
    search.nodes += 1
    search.seen = mix(search.seen, n + given.low - given.high)
    value = Pair()
    if n < 2:
        value.low, value.high = n, n
        return value
    found = yield work(search, n - 1, given)
    put(value, found)
    found = yield work(search, n - 2, found)
    value.low += found.low
    value.high = max(value.high, found.high) + 1
    return value
"""

OWN_PARAMETERS = """
def work(search: Search, n: int, given: Pair) -> Visit[Pair]:
    search.nodes += 1
    given.low += n
    search.last.high += given.low
    if n > 0:
        found = yield work(search, n - 1, given)
        given.high += found.low
        found = yield work(search, n // 2, search.last)
        given.high += found.low + search.last.high % 7
    search.seen = mix(search.seen, given.low + given.high)
    return given
"""

RESULT_IS_AN_ALIAS = """
def work(search: Search, n: int, given: Pair) -> Visit[Pair]:
    search.nodes += 1
    if n == 0:
        search.last.low = n + 7
        return search.last
    found = yield work(search, n - 1, given)
    found.high += n
    search.value.low += 10
    search.last.low += 100
    search.seen = mix(search.seen, found.low + found.high)
    return found
"""

KEPT = """
def work(search: Search, n: int, given: Pair) -> Visit[Pair]:
    search.nodes += 1
    many = records(Pair, 3)
    box = Box()
    for k in range(3):
        many[k].low, many[k].high = k, n
    alias = box.pair
    alias.low = n
    box.many[1].low, box.digits[2], box.set, box.weight = n, n + 1, 1 << n, 0.5
    for k in range(min(n, 3)):
        found = yield work(search, n - k - 1, many[k])
        pair = many[k]
        pair.low += found.low + box.pair.low
        box.many[1].high += pair.low % 100
        box.weight = box.weight + 0.25
        for j in range(k):
            found = yield work(search, j, box.many[1])
            many[j].high += found.high % 100 + box.digits[2]
    result = Pair()
    for k in range(3):
        result.low += many[k].low + box.many[1].high
        result.high += many[k].high + given.high
    search.seen = mix(search.seen, result.low + result.high + (3 if box.weight > 0.6 else 0) + (box.set > 4))
    return result
"""

WHOLE_RECORDS = """
def work(search: Search, n: int, given: Box) -> Visit[Box]:
    search.nodes += 1
    given.digits[n % 3] += n
    given.many[n % 2].high += given.digits[0]
    given.pair.low, given.set, given.weight = n, given.set | 1 << n, given.weight + 1.5
    if n > 0:
        found = yield work(search, n - 1, given)
        given.many[0].low += found.pair.low + found.many[1].high + found.digits[1]
    search.seen = mix(search.seen, given.many[0].low + given.digits[1] + (given.weight > 3.0))
    return given
"""


@pytest.fixture
def search_module(tmp_path, monkeypatch):
    make = modules(tmp_path, monkeypatch)
    return lambda text, head=HEAD: make(text, head)


def run(kernels, made, n, budget):
    """A search in slices of a length, in a list that becomes longer: what is found, and what is left."""
    search = kernels.new(made.Search, calls=3)
    search.calls[0].n = n
    slices = 0
    while kernels.go_on_with(made.work, search, budget) >= 0:
        slices += 1
        if search.depth + 2 >= len(search.calls):
            kernels.grow(search, calls=len(search.calls) + 3)
    found = getattr(search.value, "pair", search.value)
    return slices, found.low, found.high, search.last.low, search.last.high, search.seen


@pytest.mark.parametrize("text", [FIBONACCI, OWN_PARAMETERS, RESULT_IS_AN_ALIAS, KEPT])
@pytest.mark.parametrize("budget", [1, 3, 1 << 40])
def test_executors_agree(search_module, text, budget):
    made = search_module(text)
    plain, compiled = (run(load(kernel(made.work), is_compiled), made, 6, budget) for is_compiled in (False, True))
    assert plain == compiled


def test_a_record_with_all_kinds_of_fields_is_copied(search_module):
    made = search_module(WHOLE_RECORDS, HEAD.replace("value: Pair", "value: Box"))
    plain, compiled = (run(load(kernel(made.work), is_compiled), made, 5, 2) for is_compiled in (False, True))
    assert plain == compiled


def test_what_is_found(search_module):
    made = search_module(FIBONACCI)
    for is_compiled in (False, True):
        assert run(load(kernel(made.work), is_compiled), made, 9, 5)[1:3] == (34, 9)


def test_a_call_changes_its_own_parameter_only(search_module):
    """Each caller finds what it has given as it was, and a record of the search that it passes, too."""
    made = search_module(OWN_PARAMETERS)
    for is_compiled in (False, True):
        kernels = load(kernel(made.work), is_compiled)
        search = kernels.new(made.Search, calls=9)
        search.calls[0].n = 1
        search.last.low = 5
        assert kernels.go_on_with(made.work, search, 100) == -1
        assert search.last.low == 5
        # 1; then 1 for n = 0; then 5 for n = 0, before which search.last.high was 1 + 1
        assert (search.value.low, search.value.high) == (1, 1 + 5 + (1 + 1 + 5) % 7)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("found = yield work(search, n, given)\n    other = yield work(search, n, given)\n    return found", "found"),
        (
            "found: Pair = yield work(search, n, given)\n    more = yield work(search, n, given)\n    return found",
            "found",
        ),
        ("best = given\n    found = yield work(search, n, given)\n    return best", "best"),
        ("given = Pair()\n    found = yield work(search, n, given)\n    return given", "given"),
        (
            "value = Pair()\n    found = yield work(search, n, given)\n    value = Pair()\n    put(value, found)\n"
            "    found = yield work(search, n, given)\n    return value",
            "value",
        ),
        (
            "for k in range(n):\n        value = Pair()\n        found = yield work(search, n - 1, given)\n"
            "        put(value, found)\n    return given",
            "value",
        ),
    ],
)
def test_what_calls_cannot_keep(search_module, body, what):
    """An alias behind another ``yield``, and what would be one record in machine code and two in Python."""
    made = search_module(f"def work(search: Search, n: int, given: Pair) -> Visit[Pair]:\n    {body}\n")
    for is_compiled in (False, True):
        with pytest.raises(NotDialect, match=what):
            load(kernel(made.work), is_compiled)


@pytest.mark.parametrize(
    "text",
    [
        FIBONACCI.replace("Visit[Pair]", "Visit[int]"),
        FIBONACCI.replace("Visit[Pair]", "Visit[Box]"),
        FIBONACCI.replace("    return value\n    found", "    return\n    found"),
        FIBONACCI.replace("work(search, n - 2, found)", "work(search, n - 2, n)"),
        FIBONACCI.replace("work(search, n - 2, found)", "work(search, n - 2, search.box)"),
        FIBONACCI.replace("    return value\n    found", "    return n\n    found"),
    ],
)
def test_what_is_not_in_the_dialect_in_records_of_searches(search_module, text):
    made = search_module(text)
    with pytest.raises(NotDialect):
        load(kernel(made.work))


# Random programs over records agree in Python and compiled; names are rebound to other records.


FUNCTIONS = """\
def turn(pair: Pair, other: Pair, n: int) -> int:
    pair.low, other.high = other.high ^ n, pair.low
    other.low += pair.high & 255
    return pair.low & 7


def fill(box: Box, numbers: list[int], digits: ints[Literal[4]]) -> None:
    for k in range(4):
        digits[k] = box.digits[3 - k] ^ k
        numbers[k % len(numbers)] += box.pair.low & 15
"""

BOXES = ["world.inner", "box", "other", "world.boxes[{}]", "world.boxes[k % 3]"]
PAIRS = ["pair", "world.pairs[{}]", "{box}.pair", "{box}.many[{}]", "{box}.many[k % 3]"]
NUMBERS = ["world.seen", "{pair}.low", "{pair}.high", "{box}.digits[{}]", "digits[{}]", "world.numbers[{}]", "new.low"]
FLOATS = ["world.sum", "{box}.weight", "{box}.shares[{}]", "world.weights[{}]"]
SETS = ["{box}.set"]


@st.composite
def named(draw, among):
    text = draw(st.sampled_from(among))
    while "{" in text:
        text = text.replace("{box}", draw(named(BOXES)), 1) if "{box}" in text else text
        text = text.replace("{pair}", draw(named(PAIRS)), 1) if "{pair}" in text else text
        text = text.replace("{}", str(draw(st.integers(0, 1))), 1)
    return text


boxes, pairs, numbers, floats, sets = (named(among) for among in (BOXES, PAIRS, NUMBERS, FLOATS, SETS))
small = st.integers(-9, 99).map(str)
values = st.one_of(
    numbers,
    small,
    st.tuples(numbers, numbers).map("mix({0[0]}, {0[1]}) & 65535".format),
    st.tuples(numbers, small).map("min({0[0]}, {0[1]}) - max({0[0]} & 31, k)".format),
    st.tuples(sets, small).map("popcount({0[0]}) - {0[1]}".format),
)
simple = st.one_of(
    st.tuples(numbers, values).map("{0[0]} = {0[1]}".format),
    st.tuples(numbers, small).map("{0[0]} ^= {0[1]}".format),
    st.tuples(numbers, numbers).map("{0[0]}, {0[1]} = {0[1]}, {0[0]}".format),
    st.tuples(floats, floats, numbers).map("{0[0]} = {0[1]} * 0.5 + float({0[2]})".format),
    st.tuples(sets, numbers).map("{0[0]} = {0[0]} ^ ({0[1]} & 1023)".format),
    boxes.map("box = {}".format),
    boxes.map("other = {}".format),
    pairs.map("pair = {}".format),
    boxes.map("digits = {}.digits".format),
    st.just("new = Pair()"),
    st.tuples(pairs, pairs, numbers).map("world.seen += turn({0[0]}, {0[1]}, {0[2]})".format),
    boxes.map("fill({}, world.numbers, digits)".format),
)


@st.composite
def blocks(draw, depth=0):
    lines = []
    for _ in range(draw(st.integers(1, 8 if depth == 0 else 4))):
        kind = draw(st.integers(0, 5)) if depth < 2 else 5
        if kind < 2:
            head = f"if {draw(numbers)} & 1 == 0:" if kind else f"for k in range({draw(st.integers(1, 5))}):"
            lines += [head, *(f"    {line}" for line in draw(blocks(depth + 1)))]
        else:
            lines.append(draw(simple))
    return lines


@settings(max_examples=many(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(blocks())
@example(
    [
        "fill(world.inner, world.numbers, digits)",
        "digits = world.inner.digits",
        "fill(world.inner, world.numbers, digits)",
    ]
)
def test_random_programs(module, lines):
    begin = ["k: int = 1", "new = Pair()", "box = world.boxes[1]", "other = world.boxes[0]", "pair = box.pair"]
    whole = [*begin, "digits = other.digits", *lines, "return world.seen"]
    text = "\n    ".join(["def work(world: World) -> int:", *whole])
    made = module(f"{RECORDS}\n\n{FUNCTIONS}\n\n{text}\n")
    seen = []
    for compiled in (False, True):
        kernels = load(kernel(made.work), compiled)
        world = kernels.new(made.World, boxes=3, numbers=2, weights=2)
        for place in range(3):
            world.boxes[place].pair.low, world.boxes[place].digits[1] = 10 + place, place
        seen.append(([kernels.call(made.work, world) for _ in range(2)], dump(world)))
    assert seen[0] == seen[1]
