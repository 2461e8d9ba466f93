"""Random programs over records agree in Python and compiled; names are rebound to other records."""

from __future__ import annotations

import pytest
from all_machines import needs_llvm
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from kernel_modules import RECORDS, dump, modules
from random_cases import many

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import load

pytestmark = needs_llvm

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


@pytest.fixture
def module(tmp_path, monkeypatch):
    return modules(tmp_path, monkeypatch)


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
