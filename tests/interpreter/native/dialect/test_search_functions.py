"""Functions that say ``yield``: the two executors do the same with them, wherever they are left and gone on with."""

from __future__ import annotations

import ast
from inspect import getsource
from types import SimpleNamespace

import pytest
from all_machines import needs_llvm
from kernel_modules import modules

from zermelo.interpreter.native.dialect.kernel_source import fields_of_call, kernel
from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.dialect.words import PlayError
from zermelo.interpreter.native.running.kernels import load
from zermelo.solvers.kernels.alphabeta import alphabeta
from zermelo.solvers.kernels.minimax import minimax

pytestmark = needs_llvm

HEAD = """\
from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import Call, GiveUp, PlayError, Visit, array, floats, ints, mix


THREE = 3

DEPTH = 2


class Search:
    calls: list[Call]
    depth: int
    nodes: int
    value: int
    seen: int
    deepest: int
    rules: ints[Literal[1]]
"""

FIBONACCI = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    search.seen = mix(search.seen, n + 3 * other)
    if n < 2:
        return n
    one: int = yield work(search, n - 1, other + 1)
    two = yield work(search, n - 2, one)
    return one + two
"""

LOOPS = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    search.deepest = max(search.deepest, search.depth)
    kept = array(4)
    for k in range(4):
        kept[k] = n * k + other
    sum: int = 0
    last: int = min(n, 4)
    for k in range(1, last):
        if k == 3 and n % 2 == 0:
            continue
        value = yield work(search, n - k, kept[k] % 5)
        sum += value + kept[k]
        if sum > 1000:
            break
    for j in range(n % 3):
        last = 2 * last + j
        for i in range(j + last % 2):
            found = yield work(search, j, i)
            sum += found
        sum = 3 * sum + j
    while sum > 700:
        less = yield work(search, 1, sum % 7)
        sum -= less + 100
    search.seen = mix(search.seen, sum)
    return sum % 1000 + last
"""

CONSTANT = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    if n <= 0:
        return other
    sum: int = 0
    for k in range(THREE):
        value = yield work(search, n - 1 - k, k)
        sum = 2 * sum + value
    return sum
"""

EXCLUDED = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    sum: int = 0
    if DEPTH > 3 and n > 1:
        sum += yield work(search, n - 1, other, 3)
    elif DEPTH == 2 or n > 5:
        if n > 0:
            value = yield work(search, n - 1, other + 1)
            sum += 2 * value
    return sum + n
"""

TRYING = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    search.seen = mix(search.seen, n + 3 * other)
    if n < 2:
        if search.seen % 8 == 0:
            search.rules[0] = search.seen
        return n
    sum: int = 0
    for k in range(3):
        if search.seen % 4 > 0:
            try:
                value = yield work(search, n - k - 1, other + k)
                sum += value
                if k == 2:
                    return 3 * sum
            except PlayError:
                value = yield work(search, n - 2, other)
                sum += 100 + value
        else:
            value = yield work(search, n - 2, other)
            sum -= value
    return sum
"""

TREES = [FIBONACCI, LOOPS, CONSTANT, EXCLUDED, TRYING]


@pytest.fixture
def module(tmp_path, monkeypatch):
    make = modules(tmp_path, monkeypatch)
    return lambda text: make(text, HEAD)


def run(kernels, made, n, budget, room):
    """A search in slices of a length, in a list that becomes longer; where it has come back, and what it has found."""
    search = kernels.new(made.Search, calls=room)
    search.calls[0].n, search.calls[0].other = n, 1
    answers = []
    while (answer := kernels.go_on_with(made.work, search, budget)) >= 0 and search.rules[0] == 0:
        answers.append((answer, [call.n for call in kernels.waiting(search)]))
        if answer + 2 >= len(search.calls):
            kernels.grow(search, calls=len(search.calls) + 3)
    answers.append((answer, [call.n for call in kernels.waiting(search)]))
    return answers, answer, search.value, search.seen, search.deepest, search.rules[0]


def straight(made, n):
    """The same by calls that call each other."""
    search = SimpleNamespace(seen=0, deepest=0, depth=0, nodes=0, rules=[0])

    def value(call):
        result, is_wrong = None, False
        while True:
            try:
                behind = call.throw(PlayError) if is_wrong else call.send(result)
            except StopIteration as returned:
                if search.rules[0]:
                    search.rules[0] = 0
                    raise PlayError from None
                return returned.value
            search.depth += 1
            try:
                result, is_wrong = value(behind), False
            except PlayError:
                is_wrong = True
            search.depth -= 1

    return value(made.work(search, n, 1)), search.seen, search.deepest


@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("budget", [1, 2, 7, 1 << 40])
def test_executors_agree_wherever_they_come_back(module, text, budget):
    made = module(text)
    found = [run(load(kernel(made.work), compiled), made, 9, budget, 3) for compiled in (False, True)]
    assert found[0] == found[1]
    assert found[0][1:] == (-1, *straight(made, 9), 0)


@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("budget", [1, 1 << 40])
def test_errors_of_the_rules_that_nobody_catches_leave_the_calls_as_they_are(module, n, budget):
    made = module(TRYING.replace("% 8 == 0", "% 3 > 0").replace("% 4 > 0", "% 4 > 1"))
    python, machine = (run(load(kernel(made.work), compiled), made, n, budget, 30) for compiled in (False, True))
    assert python == machine
    assert python[-1] == 0 or python[1] >= 0


def test_a_list_without_room_is_not_left(module):
    made = module(FIBONACCI)
    for compiled in (False, True):
        kernels = load(kernel(made.work), compiled)
        search = kernels.new(made.Search, calls=1)
        search.calls[0].n = 5
        assert [kernels.go_on_with(made.work, search, 10) for _ in range(2)] == [0, 0]
        kernels.grow(search, calls=8)
        assert kernels.go_on_with(made.work, search, 100) == -1
        assert search.value == 5


def test_a_search_may_be_given_up(module):
    made = module(FIBONACCI.replace("        return n\n", "        raise GiveUp(-7)\n"))
    found = [run(load(kernel(made.work), compiled), made, 5, 100, 30) for compiled in (False, True)]
    assert found[0] == found[1]
    assert found[0][1:3] == (-7, 0)


def test_what_calls_keep_is_what_they_need():
    function = ast.parse(getsource(minimax)).body[0]
    assert list(fields_of_call(function)) == ["state", "best", "legal", "k", "end of k"]
    function = ast.parse(getsource(alphabeta)).body[0]
    kept = ["state", "alpha", "beta", "outer", "legal", "count", "least", "most", "best", "best_move", "k"]
    assert list(fields_of_call(function)) == kept


@pytest.mark.parametrize(
    "body",
    [
        "best = 0\n    value = yield work(search, n, 0)\n    return best + value",
        "for k in range(n):\n        k = k + 1\n        value = yield work(search, k, 0)\n    return 0",
    ],
)
def test_what_calls_cannot_keep(module, body):
    made = module(f"def work(search: Search, n: int, other: int) -> Visit[int]:\n    {body}\n")
    for compiled in (False, True):
        with pytest.raises(NotDialect):
            load(kernel(made.work), compiled)


@pytest.mark.parametrize(
    "body",
    [
        "return 1 + (yield work(search, n, 0))",
        "value = yield work(search, n)\n    return value",
        "value = yield n\n    return value",
        "value = yield other_work(search, n, 0)\n    return value",
        "value = yield work(n, n, 0)\n    return value",
        "if n > 0:\n        raise ValueError(n)\n    value = yield work(search, n, 0)\n    return value",
    ],
)
def test_what_is_not_in_the_dialect(module, body):
    made = module(f"def work(search: Search, n: int, other: int) -> Visit[int]:\n    {body}\n")
    with pytest.raises(NotDialect):
        load(kernel(made.work))


def test_a_text_has_one_search_function(module):
    made = module(f"{FIBONACCI}\n{FIBONACCI.replace('work', 'other_work')}")
    with pytest.raises(NotDialect):
        load(kernel(made.work))
