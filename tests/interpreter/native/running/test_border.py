"""Calls of compiled rules: mismatched arguments are refused before anything runs."""

from __future__ import annotations

import ctypes

import pytest
from all_machines import native_machine, needs_llvm

import zermelo
from zermelo.interpreter.native.running.kernels import CompiledExecutor
from zermelo.solvers.running.backend import UNWATCHED
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import sight
from zermelo.solvers.search.alphabeta import MINIMAX
from zermelo.solvers.solution import Problem

pytestmark = needs_llvm


@pytest.fixture(scope="module")
def executor():
    return CompiledExecutor(native_machine(zermelo.load("tic_tac_toe").model).program)


def test_a_record_goes_with_the_kernels_that_made_it():
    game = zermelo.load("tic_tac_toe")
    machine = native_machine(game.model)
    sees = sight(LoweredBackend(machine), Problem(machine, game.facts, machine.initial()))
    kernels = machine.load(MINIMAX.source(**sees.holes))
    twin = kernels.another()
    mine, other = (each.new(MINIMAX.record, calls=4, watch=UNWATCHED.lengths(4)) for each in (kernels, twin))
    twin.call(MINIMAX.start, other)
    with pytest.raises(TypeError):
        twin.call(MINIMAX.start, mine)


def test_calls_of_rules_that_do_not_fit_are_refused(executor):
    program = executor.program
    state = executor._buffer(executor.begin())
    moves, context = executor._moves, executor._context
    assert executor._ask("moves", context, state, moves) == 9
    for name, arguments in (
        ("moves", (context, state)),
        ("moves", (context, state, moves, moves)),
        ("moves", (context, 7, moves)),
        ("moves", (context, state, (ctypes.c_int64 * (program.most_moves - 1))())),
        ("actor", (ctypes.create_string_buffer(program.layout.size * 8 - 1),)),
        ("payoff", (state,)),
        ("payoff", (state, state)),
        ("payoff", (state, 1 << 63)),
        ("payoff", (state, 0.0)),
    ):
        with pytest.raises(TypeError):
            executor._ask(name, *arguments)
