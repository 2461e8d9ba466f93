"""Kernels without rules, compiled and as Python."""

from __future__ import annotations

import pytest
from kernel_modules import modules

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.running.kernels import load

TEXT = """\
def scale(numbers: list[int], shares: list[float], by: int) -> int:
    for k in range(len(numbers)):
        shares[k] = float(numbers[k]) / float(by)
        numbers[k] = numbers[k] * by
    return numbers[len(numbers) - 1]


def at(numbers: list[int], k: int) -> int:
    return numbers[k]
"""


@pytest.fixture
def made(monkeypatch, tmp_path):
    return modules(tmp_path, monkeypatch)(TEXT)


@pytest.fixture(params=[False, True])
def kernels(request, made):
    found = load(kernel(made.scale, made.at), request.param)
    assert found.is_compiled == (request.param and is_available())
    return found


def test_functions_work_on_arrays(kernels, made):
    numbers, shares = kernels.elements(int, 3), kernels.elements(float, 3)
    numbers[:] = [1, 2, 3]
    assert list(shares) == [0.0, 0.0, 0.0]
    assert kernels.call(made.scale, numbers, shares, 4) == 12
    assert list(numbers) == [4, 8, 12]
    assert list(shares) == [0.25, 0.5, 0.75]
    assert list(kernels.flat(numbers, 2)) == [4, 8]


def test_calls_that_do_not_fit_are_refused(kernels, made):
    numbers, shares = kernels.elements(int, 3), kernels.elements(float, 3)
    for arguments in ((numbers, shares), (numbers, shares, 4, 5), (numbers, 3, 4), (numbers, shares, None)):
        with pytest.raises(TypeError):
            kernels.call(made.scale, *arguments)


def test_an_index_outside_its_array_is_an_error(kernels, made):
    with pytest.raises(IndexError):
        kernels.call(made.at, kernels.elements(int, 3), 3)
