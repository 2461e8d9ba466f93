"""Kernels without rules, compiled and as Python."""

from __future__ import annotations

import pytest

from zermelo.interpreter.native.dialect.kernel_source import KernelText
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.running.plain_kernels import load

TEXT = """\
def scale(A: ints[n], X: floats[n], n: int, by: int) -> int:
    for k in range(n):
        X[k] = float(A[k]) / float(by)
        A[k] = A[k] * by
    return A[n - 1]


def last(A: ints[n], n: int, k: int) -> int:
    return A[k]
"""


@pytest.fixture(params=[False, True])
def kernels(request, monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    found = load(KernelText(TEXT, ("scale", "last")), request.param)
    assert found.is_compiled == (request.param and is_available())
    return found


def test_functions_work_on_arrays(kernels):
    numbers, floats = kernels.numbers(3), kernels.floats(3)
    numbers[:] = [1, 2, 3]
    assert list(floats) == [0.0, 0.0, 0.0]
    assert kernels.call_by_name("scale", numbers, floats, 3, 4) == 12
    assert list(numbers) == [4, 8, 12]
    assert list(floats) == [0.25, 0.5, 0.75]
    assert list(kernels.flat(numbers, 2)) == [4, 8]


def test_calls_that_do_not_fit_are_refused(kernels):
    numbers, floats = kernels.numbers(3), kernels.floats(3)
    for arguments in ((numbers, floats, 3), (numbers, floats, 3, 4, 5), (numbers, 3, 3, 4), (numbers, floats, 3, None)):
        with pytest.raises(TypeError):
            kernels.call_by_name("scale", *arguments)


def test_an_index_outside_its_array_is_an_error(kernels):
    with pytest.raises(IndexError):
        kernels.call_by_name("last", kernels.numbers(3), 3, 3)
