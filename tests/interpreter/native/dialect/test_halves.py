"""Lists of whole numbers of 32 bits, in both executors."""

from __future__ import annotations

import ctypes
from array import array

import pytest
from kernel_modules import modules

from zermelo.interpreter.native.dialect.kernel_source import KernelText, kernel
from zermelo.interpreter.native.dialect.language import NotDialect
from zermelo.interpreter.native.llvm.engine import Library, is_available
from zermelo.interpreter.native.running.kernels import load

WORDS = """\
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import array, half, prefetch
"""

LISTS = """\
class Edges:
    targets: list[half]
    firsts: list[int]
    used: int


def put(edges: Edges, place: int, number: int) -> int:
    prefetch(edges.targets[place])
    edges.targets[place] = number
    edges.used += 1
    found = edges.targets[place]
    return found


def add(targets: list[half], place: int, more: int) -> int:
    targets[place] += more
    last: int = targets[place]
    targets[0], targets[place] = targets[place], targets[0]
    return last * 4 + len(targets)


def wide(targets: list[half], place: int) -> int:
    many = targets
    return many[place] * many[place]


def least(targets: list[half]) -> None:
    targets[0], targets[1] = -2147483648, 2147483647
"""

LARGE = [1 << 31, -(1 << 31) - 1, 1 << 32, (1 << 62) + 5]


@pytest.fixture
def lists(tmp_path, monkeypatch):
    return modules(tmp_path, monkeypatch)(LISTS, WORDS)


@pytest.fixture(params=[False, True])
def kernels(request, lists):
    found = load(kernel(lists.put, lists.add, lists.wide, lists.least), request.param)
    assert found.is_compiled == (request.param and is_available())
    return found


def test_elements_are_read_and_written_as_numbers(kernels, lists):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    assert kernels.call(lists.put, edges, 4, -7) == -7
    assert kernels.call(lists.add, edges.targets, 4, 10) == 3 * 4 + 5
    assert list(edges.targets[:5]) == [3, 0, 0, 0, 0]
    kernels.call(lists.least, edges.targets)
    assert [edges.targets[0], edges.targets[1]] == [-(1 << 31), (1 << 31) - 1]
    assert kernels.call(lists.wide, edges.targets, 0) == 1 << 62
    assert edges.used == 1


@pytest.mark.parametrize("number", LARGE)
def test_a_kernel_never_cuts_a_number(kernels, lists, number):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    with pytest.raises(OverflowError):
        kernels.call(lists.put, edges, 1, number)


def test_an_index_outside_its_list_is_another_error(kernels, lists):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    with pytest.raises(IndexError):
        kernels.call(lists.put, edges, 5, 1)


@pytest.mark.parametrize("number", LARGE)
def test_the_host_never_cuts_a_number(kernels, lists, number):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    for targets in (edges.targets, kernels.halves(3)):
        with pytest.raises(OverflowError):
            targets[0] = number
        assert not any(targets)
        targets[1:3] = array("i", [-4, 5])
        assert list(targets[:3]) == [0, -4, 5]


def test_lists_grow_and_are_shared(kernels, lists):
    shared = kernels.halves(2)
    shared[1] = 8
    edges = kernels.new(lists.Edges, targets=shared, firsts=2)
    assert kernels.call(lists.put, edges, 0, 5) == shared[0] == 5
    kernels.grow(edges, targets=6)
    assert list(edges.targets) == [5, 8, 0, 0, 0, 0]
    assert list(shared) == [5, 8]


def test_lists_of_other_numbers_do_not_fit(kernels, lists):
    with pytest.raises(TypeError):
        kernels.new(lists.Edges, targets=kernels.elements(int, 4), firsts=2)
    with pytest.raises(TypeError):
        kernels.new(lists.Edges, targets=4, firsts=kernels.halves(2))
    with pytest.raises(TypeError):
        kernels.call(lists.wide, kernels.elements(int, 4), 0)


def test_a_list_takes_half_the_memory(kernels, lists):
    assert kernels.bytes_each(lists.Edges, "targets") == 4
    assert kernels.bytes_each(lists.Edges, "firsts") == 8
    if kernels.is_compiled:
        assert ctypes.sizeof(kernels.halves(100)) == 400


def test_numbers_in_memory_are_not_copied(kernels, lists):
    for numbers in (array("i", [3, 4]), kernels.halves(2)):
        given = kernels.as_halves(numbers)
        kernels.call(lists.add, given, 1, 40000)
        assert numbers[0] == given[0] == 40000 + (4 if numbers[1] == 3 else 0)


def test_other_numbers_are_copied(kernels, lists):
    numbers = [3, 4]
    assert kernels.call(lists.wide, kernels.as_halves(numbers), 1) == 16
    assert list(kernels.as_halves(())) == []
    assert list(kernels.as_halves(range(3))) == [0, 1, 2]
    other = load(kernel(lists.wide), not kernels.is_compiled).halves(2)
    other[1] = -3
    assert kernels.call(lists.wide, kernels.as_halves(other), 1) == 9
    with pytest.raises(OverflowError):
        kernels.as_halves([1 << 31])


@pytest.mark.parametrize(
    "line",
    [
        "k: half = 3",
        "return count(A, 0, 1, 2)",
        "return claim(A, 0)",
        "return acquire(A, 0)",
        "release(A, 0, 1)",
        "A[0] = 0.5",
        "a: list[int] = A",
    ],
)
def test_where_halves_have_no_place(line):
    text = f"def f(A: list[half]) -> int:\n    {line}\n    return 0\n"
    with pytest.raises(NotDialect):
        Library(KernelText(text, ("f",)), 64)


@pytest.mark.parametrize("field", ["one: half", "all: ints[half]", "some: Array[half, Literal[2]]"])
def test_fields_are_no_halves(tmp_path, monkeypatch, field):
    made = modules(tmp_path, monkeypatch)(
        f"class R:\n    {field}\n\n\ndef f(r: R) -> int:\n    return 0\n",
        WORDS.replace("array", "Array, ints").replace("from z", "from typing import Literal\nfrom z"),
    )
    with pytest.raises(NotDialect):
        load(kernel(made.f), True).new(made.R)
