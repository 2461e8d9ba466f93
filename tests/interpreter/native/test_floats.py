"""Floating point in the dialect: both executors give the same bits."""

from __future__ import annotations

import ctypes
import struct
from math import inf, nan

import pytest
from all_machines import needs_llvm
from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.native.dialect.kernel_source import KernelText
from zermelo.interpreter.native.dialect.language import NotDialect, execute
from zermelo.interpreter.native.llvm.engine import Library

pytestmark = needs_llvm

TEXT = """\
from __future__ import annotations

HALF = 0.5


def mean(a: float, b: float) -> float:
    return (a + b) * HALF


def reckoned(X: floats[8], n: int) -> int:
    a: float = X[0]
    b: float = X[1]
    X[2] = a * b + X[3]
    X[3] = a - -b
    X[4] = mean(a, b)
    X[5] += float(n) * a
    X[6] = a / b if b != 0.0 else 0.0
    X[7] = sqrt(a * a) if not a * a < HALF else log(sqrt(b * b) + 1.0)
    return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b)


def nearer(X: floats[n], n: int) -> int:
    for k in range(n - 1):
        a: float = X[k]
        X[k] = min(max(a, X[k + 1]), max(0.0, -a))
    return 0


def summed(X: floats[n], n: int) -> int:
    total = 0.0
    for k in range(n):
        x: float = X[k]
        total += x if x > 0.0 else -x * x
    X[0] = total
    return 0
"""


@pytest.fixture(scope="module")
def compiled():
    return Library(KernelText(TEXT, ("reckoned", "nearer", "summed")), 64)


def bits(numbers):
    return [struct.pack("d", number) for number in numbers]


amounts = st.floats(-1e100, 1e100)


def both(compiled, name, numbers, n):
    here, there = list(numbers), (ctypes.c_double * len(numbers))(*numbers)
    assert compiled.function(name, 2)(ctypes.addressof(there), n) == execute(TEXT)[name](here, n)
    assert bits(there) == bits(here)
    assert not compiled.has_fault
    return here


@given(st.lists(amounts, min_size=8, max_size=8), st.integers(-(1 << 62), 1 << 62))
def test_every_operation(compiled, numbers, n):
    both(compiled, "reckoned", numbers, n)


@given(st.lists(amounts, min_size=1, max_size=40))
def test_sums_keep_their_order(compiled, numbers):
    both(compiled, "summed", numbers, len(numbers))


@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, inf, -inf, nan]), min_size=2, max_size=40))
def test_the_smaller_and_the_larger_are_those_of_python(compiled, numbers):
    both(compiled, "nearer", numbers, len(numbers))


def test_products_are_rounded_before_they_are_added(compiled):
    below, above = 1.0 - 2.0**-30, 1.0 + 2.0**-30
    assert both(compiled, "reckoned", [below, above, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0], 0)[2] == 0.0


def test_not_a_number_is_unequal_to_all(compiled):
    numbers = (ctypes.c_double * 8)(nan, nan)
    assert compiled.function("reckoned", 2)(ctypes.addressof(numbers), 1) == 32


@pytest.mark.parametrize(
    "line",
    [
        "x: float = 1",
        "x: float = n",
        "x: float = n + X[0]",
        "k: int = X[0]",
        "k: int = 0.5",
        "x = X[0] % 2.0",
        "X[0] = n",
        "k: int = 1 if X[0] else 0",
        "k: int = n < X[0]",
        "k: int = max(n, X[0])",
        "X[0] = min(X[0], 1)",
    ],
)
def test_nothing_turns_into_a_float_by_itself(line):
    text = f"def f(X: floats[n], n: int) -> int:\n    {line}\n    return 0\n"
    with pytest.raises(NotDialect):
        Library(KernelText(text, ("f",)), 64)
