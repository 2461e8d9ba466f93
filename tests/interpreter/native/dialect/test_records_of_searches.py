"""Search functions that take, keep and return records: the two executors mean the same by every name."""

from __future__ import annotations

import pytest
from all_machines import needs_llvm
from kernel_modules import modules

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.running.kernels import load

pytestmark = needs_llvm

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
def module(tmp_path, monkeypatch):
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
def test_executors_agree(module, text, budget):
    made = module(text)
    plain, compiled = (run(load(kernel(made.work), is_compiled), made, 6, budget) for is_compiled in (False, True))
    assert plain == compiled


def test_a_record_with_all_kinds_of_fields_is_copied(module):
    made = module(WHOLE_RECORDS, HEAD.replace("value: Pair", "value: Box"))
    plain, compiled = (run(load(kernel(made.work), is_compiled), made, 5, 2) for is_compiled in (False, True))
    assert plain == compiled


def test_what_is_found(module):
    made = module(FIBONACCI)
    for is_compiled in (False, True):
        assert run(load(kernel(made.work), is_compiled), made, 9, 5)[1:3] == (34, 9)


def test_a_call_changes_its_own_parameter_only(module):
    """Each caller finds what it has given as it was, and a record of the search that it passes, too."""
    made = module(OWN_PARAMETERS)
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
def test_what_calls_cannot_keep(module, body, what):
    """An alias behind another ``yield``, and what would be one record in machine code and two in Python."""
    made = module(f"def work(search: Search, n: int, given: Pair) -> Visit[Pair]:\n    {body}\n")
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
def test_what_is_not_in_the_dialect(module, text):
    made = module(text)
    with pytest.raises(NotDialect):
        load(kernel(made.work))
