"""Kernels detect cycles as the reference does: the same games are refused, for the same play."""

from __future__ import annotations

import pytest
from all_machines import MAKERS, native_machine, needs_llvm, python_machine
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.running import path_search
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.search.alphabeta import alphabeta
from zermelo.solvers.solution import Problem

WATCHING = ["enhanced_alphabeta", "minimax", "alphabeta", "alphabeta_table", "dfpn", "maxn", "expectiminimax"]

# Steps back and forth; to stand on 9 is to win.
TO_AND_FRO = """\
game "To and fro"
players A, B
claim zero_sum, perfect_information
var at: 0..9 = 2
start at play(A)
phase play(p: Player):
    turn p:
        move step(d in -1..2) if d != 0 and at + d >= 0 and at + d <= 9:
            at += d
            if at == 9: end win p
            go play(other p)
"""

# A long path through many positions that do not recur, with a short cycle at its end.
FAR = """\
game "Far"
players A, B
claim zero_sum, perfect_information
var left: 0..9000 = 9000
var turned: 0..1 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move on if left > 0:
            left -= 1
            go play(other p)
        move turn if left == 0:
            turned := 1 - turned
            go play(p)
        move stop if left == 0: end win p
"""

# Every possible position soon occurs; then the play has a cycle.
SATURATED = """\
game "Saturated"
players A, B
claim zero_sum, perfect_information
var lit: 0..1 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move switch:
            lit := 1 - lit
            go play(p)
        move give_up if not repeated(lit): end win other p
"""

GRAPHS = st.integers(2, 5).flatmap(
    lambda n: st.lists(
        st.tuples(st.sampled_from("AB"), st.lists(st.integers(0, n - 1), max_size=2), st.integers(-2, 2)),
        min_size=n,
        max_size=n,
    )
)


def graph_text(graph) -> str:
    """A file with positions, moves between them and to payoffs; the first move goes to any of them."""
    lines = ['game "Graph"', "players A, B", "claim zero_sum, perfect_information", "start at begin"]
    lines += ["phase begin:", "    turn A:", *(f"        move to{k}: go at{k}" for k in range(len(graph)))]
    for k, (player, others, payoff) in enumerate(graph):
        moves = [f"        move m{j}: go at{j}" for j in sorted(set(others))]
        lines += [f"phase at{k}:", f"    turn {player}:", *moves, f"        move out: end payoff ({payoff}, {-payoff})"]
    return "\n".join(lines) + "\n"


def said(machine, known, solver):
    """The result of a solver: the answer with its counts, or the message of its refusal. The window kernel searches
    again for its line, so its counts are not compared."""
    try:
        found = solve(machine, known, solver)
    except ZermeloError as error:
        return error.code, error.message
    return (found.value, found.best) if solver == "enhanced_alphabeta" else (found.value, found.best, found.counts)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("solver", WATCHING)
def test_a_play_that_goes_round_is_refused_as_by_the_reference(make, solver):
    game = zermelo.loads(TO_AND_FRO)
    known = facts(game.model)
    expected = said(game.reference, known, solver)
    assert expected[0] == "needs-end"
    assert said(make(game.model), known, solver) == expected


@settings(max_examples=many(40))
@given(graph=GRAPHS)
def test_random_graphs(graph):
    game = zermelo.loads(graph_text(graph))
    known = facts(game.model)
    machine = python_machine(game.model)
    for solver in WATCHING:
        assert said(machine, known, solver) == said(game.reference, known, solver)


@needs_llvm
@pytest.mark.parametrize("solver", ["enhanced_alphabeta", "alphabeta_table", "dfpn"])
def test_a_game_that_ends_and_is_not_proved_to(solver, monkeypatch):
    monkeypatch.setattr(path_search, "_FIRST", 1 << 20)  # so that no entry is lost
    game = zermelo.load("kalah", pits=3, seeds=3)
    known = facts(game.model)
    machine = native_machine(game.model)
    assert LoweredBackend(machine).watch(Problem(machine, known, machine.initial())).is_on
    assert said(machine, known, solver) == said(game.reference, known, solver)


@needs_llvm
def test_a_long_path_is_watched_without_looking_at_all_of_it():
    game = zermelo.loads(FAR)
    code, message = said(native_machine(game.model), facts(game.model), "alphabeta")
    assert code == "needs-end"
    assert "turn, turn lead back to the same position" in message


# Which of two lamps is lit tells a position, and which have been lit before.
LAMPS = """\
game "Lamps"
players A, B
claim zero_sum, perfect_information
var lit: 0..4 = 0
var switched: 0..2 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move light(lamp in 1..4) if not repeated(switched) or lamp > 2:
            lit := lamp
            switched := lamp % 3
            go play(other p)
        move give_up if repeated(switched): end win other p
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("text", [SATURATED, LAMPS])
@pytest.mark.parametrize("solver", WATCHING)
def test_a_position_has_come_back_once_the_history_is_the_same(make, text, solver):
    game = zermelo.loads(text)
    machine, known = make(game.model), facts(game.model)
    assert LoweredBackend(machine).watch(Problem(machine, known, machine.initial())).is_on
    expected = said(game.reference, known, solver)
    assert expected[0] == "needs-end"
    assert said(machine, known, solver) == expected


HISTORIES = st.builds(
    lambda graph, asks: (graph, asks),
    st.lists(
        st.tuples(st.sampled_from("AB"), st.lists(st.integers(0, 4), min_size=1, max_size=2)), min_size=5, max_size=5
    ),
    st.lists(
        st.sampled_from(["", "if repeated(at)", "if not repeated(at)", "if repeated(half)"]), min_size=5, max_size=5
    ),
)


@settings(max_examples=many(150), deadline=None)
@given(drawn=HISTORIES)
def test_random_graphs_with_a_history(drawn):
    graph, asks = drawn
    lines = ['game "Graph"', "players A, B", "claim zero_sum, perfect_information", "var at: 0..4 = 0"]
    lines += ["var half: 0..2 = 0", "start at at0"]
    for k, ((player, there), asked) in enumerate(zip(graph, asks, strict=True)):
        lines += [f"phase at{k}:", f"    turn {player}:"]
        for to in sorted(set(there)):
            lines += [f"        move m{to} {asked}:", f"            at := {to}", f"            half := {to // 2}"]
            lines += [f"            go at{to}"]
        lines += [f"    otherwise: end payoff ({k}, {-k})"]
    game = zermelo.loads("\n".join(lines) + "\n")
    known = facts(game.model)
    machine = python_machine(game.model)
    for solver in ("minimax", "alphabeta", "dfpn", "enhanced_alphabeta"):
        assert said(machine, known, solver)[:2] == said(game.reference, known, solver)[:2]


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_watch_a_history_themselves(make):
    game = zermelo.loads(SATURATED)
    machine, known = make(game.model), facts(game.model)
    with pytest.raises(ZermeloError, match="lead back to the same position"):
        alphabeta.on(LoweredBackend(machine), Problem(machine, known, machine.initial()))
