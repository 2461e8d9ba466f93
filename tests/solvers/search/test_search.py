from __future__ import annotations

import sys

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.analysis import Fact
from zermelo.interpreter.machine import END, Move
from zermelo.solvers.search.alphabeta import alphabeta, minimax
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.maxn import maxn
from zermelo.solvers.solution import Problem

ALGORITHMS = [minimax, alphabeta, expectiminimax, maxn]
OPEN = Fact(None, "it is not proved that every play ends")


@pytest.fixture
def usual_recursion():
    """Python's own limit: deep rules of other tests raise it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("usual_recursion")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("terminates", [Fact(True, ""), OPEN])
def test_deep_plays_need_no_recursion(toy, answer, algorithm, terminates):
    length = 5_000

    def chain(k):
        return (END, (1, -1)) if k == length else (k % 2, {"on": k + 1})

    found = answer(algorithm, toy(0, chain), terminates=terminates)
    assert found.value == (1, -1)
    assert found.counts["nodes"] == length + 1
    assert len(found.line) == length


def rounds(position):
    """Whoever wants to may go round a, b, c for ever."""
    return {
        "start": (0, {"begin": "a"}),
        "a": (0, {"left": "b", "stop": "won"}),
        "b": (1, {"right": "c"}),
        "c": (0, {"back": "a"}),
        "won": (END, (1, -1)),
    }[position]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_play_that_goes_round_is_shown(toy, answer, algorithm):
    with pytest.raises(ZermeloError) as raised:
        answer(algorithm, toy("start", rounds), terminates=OPEN)
    assert raised.value.code == "needs-end"
    assert "after begin, left, right, back lead back to the same position" in raised.value.message


def test_position_on_another_path_is_no_loop(toy, answer):
    def diamond(position):
        return {
            "top": (0, {"l": "left", "r": "right"}),
            "left": (1, {"m": "middle"}),
            "right": (1, {"m": "middle"}),
            "middle": (0, {"e": "end"}),
            "end": (END, (2, -2)),
        }[position]

    found = answer(minimax, toy("top", diamond), terminates=OPEN)
    assert found.value == (2, -2)
    assert found.counts["nodes"] == 7


def test_search_may_begin_inside_a_play(toy, known):
    machine = toy("start", rounds)
    inside = machine.after(machine.initial(), Move("begin"))
    with pytest.raises(ZermeloError, match="after begin, left, right, back lead"):
        minimax(Problem(machine, known(terminates=OPEN), inside))
    won = machine.after(inside, Move("stop"))
    assert minimax(Problem(machine, known(), won)).value == (1, -1)


def test_progress_is_reported_and_an_interrupt_passes(toy, known):
    def binary(k):
        return (END, (0, 0)) if k >= 2**14 else (0, {"l": 2 * k, "r": 2 * k + 1})

    machine = toy(1, binary)
    seen: list[int] = []
    minimax(Problem(machine, known(), machine.initial(), seen.append))
    assert 0 < seen[0] < 2**15 - 1
    assert 2**15 - 1 in seen

    def interrupt(nodes):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimax(Problem(machine, known(), machine.initial(), interrupt))
