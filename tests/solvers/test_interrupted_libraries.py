"""Libraries that ignore interrupts run where nobody has to wait for them: HiGHS in a thread, FLINT in a process."""

from __future__ import annotations

import os
import signal
import sys
from fractions import Fraction
from threading import Event, current_thread, main_thread
from time import sleep

import pytest

from zermelo.solvers.common.libraries import results_until
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.linear_programming import rational_basis
from zermelo.solvers.linear_programming.exact_optimum import refine_optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram
from zermelo.solvers.linear_programming.rational_basis import Singular, solve_equations

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="processes that are forked")


def full(size):
    """A dense system of equations, solved by ones for the right side ``size + 1``."""
    return [[(j, 2 if i == j else 1) for j in range(size)] for i in range(size)]


def test_a_large_system_is_solved_in_a_process_of_its_own(monkeypatch):
    pytest.importorskip("flint")
    pytest.importorskip("scipy")
    assert solve_equations(full(200), [201] * 200, Limits()) == [Fraction(1)] * 200
    monkeypatch.setattr(rational_basis, "_by_flint", lambda block, right: [(os.getpid(), 1)] * len(block))
    assert solve_equations(full(200), [201] * 200, Limits()) != [Fraction(os.getpid())] * 200
    assert solve_equations(full(40), [41] * 40, Limits()) == [Fraction(os.getpid())] * 40


def test_the_end_of_the_time_ends_a_large_system(monkeypatch):
    pytest.importorskip("flint")
    pytest.importorskip("scipy")
    monkeypatch.setattr(rational_basis, "_by_flint", lambda block, right: sleep(600))
    with pytest.raises(LimitReached, match=r"within 0\.2 s"):
        solve_equations(full(200), [201] * 200, Limits(0.2))


def test_a_search_that_is_given_up_ends():
    given_up = Event()
    found = results_until(600.0, 2**30, lambda: iter([sleep(600)]), given_up)
    given_up.set()
    assert list(found) == []


def test_a_singular_large_system_has_no_solution():
    pytest.importorskip("flint")
    pytest.importorskip("scipy")
    twice = [[(i, 1), ((i + 1) % 200, 1)] for i in range(200)]
    with pytest.raises(Singular):
        solve_equations(twice, list(range(200)), Limits())


def test_highs_works_in_a_thread(monkeypatch):
    highspy = pytest.importorskip("highspy")
    run, in_main = highspy.Highs.run, []

    def watched(highs):
        in_main.append(current_thread() is main_thread())
        return run(highs)

    monkeypatch.setattr(highspy.Highs, "run", watched)
    program = LinearProgram(costs=[1, 1], rows=[[(0, 1)], [(1, 1)]], bounds=[2, 3], is_equality=[False] * 2,
                            is_free=[False] * 2)  # fmt: skip
    found = refine_optimum(program, Limits())
    assert found is not None and found[0].x == [2, 3]
    assert in_main and not any(in_main)


def test_an_interrupt_is_for_the_process_that_waits():
    def search():
        yield signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    assert list(results_until(60, 1 << 30, search)) == [True]
    assert not next(search())
