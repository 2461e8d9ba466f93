"""Hurriedly compiled code, and the optimised code that replaces it."""

from __future__ import annotations

import os
from threading import Event, Thread
from time import sleep
from types import SimpleNamespace

import pytest
from all_machines import native_machine, needs_llvm
from kernel_modules import KernelText
from solving import solve

import zermelo
from zermelo.interpreter.native.llvm import engine
from zermelo.interpreter.native.llvm.engine import Library, is_cached
from zermelo.interpreter.native.running.kernels import CompiledKernels
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import TO_THE_END, CallSearch, sight
from zermelo.solvers.search.alphabeta import MINIMAX
from zermelo.solvers.solution import Problem
from zermelo.solving import facts_of

pytestmark = needs_llvm


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))


@pytest.mark.parametrize(
    ("name", "parameters", "solver"),
    [
        ("tic_tac_toe", {}, "minimax"),
        ("connect_four", {"rows": 4, "columns": 4}, "enhanced_alphabeta"),
        ("othello", {"size": 4}, "alphabeta_table"),
        ("dice_race", {"goal": 6}, "expectiminimax"),
        ("kalah", {"pits": 2, "seeds": 2}, "alphabeta"),
    ],
)
def test_code_made_in_a_hurry_finds_the_same(name, parameters, solver, monkeypatch):
    game = zermelo.load(name, **parameters)
    careful = native_machine(game.model)
    hurried = machine_over(careful.program, careful.executor)
    monkeypatch.setattr(hurried, "load", lambda kernel: CompiledKernels(hurried.program, kernel, is_hurried=True))
    first = solve(hurried, facts_of(game), solver)
    second = solve(careful, facts_of(game), solver)
    assert (first.value, first.best, first.counts) == (second.value, second.best, second.counts)


def test_better_code_takes_over_in_the_middle_of_a_search(monkeypatch):
    monkeypatch.setattr(engine, "_PAYS_AFTER", 0.0)
    game = zermelo.load("tic_tac_toe")
    machine = native_machine(game.model)
    sees = sight(LoweredBackend(machine), Problem(machine, game.facts, machine.initial()))
    kernels = CompiledKernels(machine.program, sees.source(MINIMAX), is_hurried=True)
    hurried = kernels._library
    root = machine.initial()
    backend, known = LoweredBackend(machine), sees.known(kernels)
    search = CallSearch(MINIMAX, backend, kernels, Limits(), lambda nodes: None, sees.path, endgames=known)
    search.search.plies = TO_THE_END
    search.start(root)
    while kernels._library is hurried:
        assert search.go_on(root, 1) >= 0
        sleep(0.001)
    assert not hurried.is_optimised and kernels._library.is_optimised
    assert 1 < search.counts["nodes"] < 549_946
    while search.go_on(root, 100_000) >= 0:
        pass
    assert search.counts == {"nodes": 549_946, "terminals": 255_168, "lookups": 0, "estimates": 0}


def test_what_is_kept_of_both():
    text, exports = "STATE = 1\n\n\ndef f(k: int) -> int:\n    return k + 1\n", ("f",)
    assert not is_cached(KernelText(text, exports), 64)
    assert not Library(KernelText(text, exports), 64, is_hurried=True).is_optimised
    assert is_cached(KernelText(text, exports), 64)
    assert not Library(KernelText(text, exports), 64, is_hurried=True).is_optimised
    assert Library(KernelText(text, exports), 64).is_optimised
    assert Library(KernelText(text, exports), 64, is_hurried=True).is_optimised


def test_many_short_runs_are_a_long_one(monkeypatch):
    clock, made = [0.0], []
    monkeypatch.setattr(engine, "process_time", lambda: clock[0])
    monkeypatch.setattr(engine, "_PAYS_AFTER", 0.1)
    hurried = SimpleNamespace(key=("short runs",))
    for seconds in (0.0, 0.04, 0.08, 0.12):
        assert not made
        work = engine.Optimising(hurried, lambda: made.append(True), since=clock[0])
        work.library()
        work.join()
        assert bool(made) == (seconds > 0.1)
        clock[0] += 0.04  # a call
        work.note_time()
        clock[0] += 1.0  # other work


def test_of_one_text_only_one_is_made_at_a_time(monkeypatch):
    monkeypatch.setattr(engine, "_PAYS_AFTER", 0.0)
    hurried, go_on, made = SimpleNamespace(key=("two at once",)), Event(), []

    def make():
        go_on.wait()
        made.append(True)
        return hurried

    first, second = (engine.Optimising(hurried, make, since=-1.0) for _ in range(2))
    assert first.library() is None
    assert second.library() is None
    go_on.set()
    first.join()
    second.join()
    assert made == [True]
    second.library()  # it begins now, and finds in the code cache what the first one has made
    second.join()
    assert first.library() is second.library() is hurried


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_nothing_is_compiled_while_a_process_is_forked(monkeypatch):
    class Late(Thread):
        def run(self):
            sleep(0.2)
            super().run()

    monkeypatch.setattr(engine, "Thread", Late)
    monkeypatch.setattr(engine, "_PAYS_AFTER", 0.0)
    done = []
    work = engine.Optimising(SimpleNamespace(key=("a fork",)), lambda: done.append(True), since=0.0)
    work.library()
    child = os.fork()
    if child == 0:
        os._exit(0 if done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
