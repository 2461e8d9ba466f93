"""Exploring: growing lists, limits, and errors of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from all_machines import MACHINES, MAKERS, python_machine
from found_graphs import AnyMaker, Maker, exact_graph, flat, graph_of, kernel_graph
from small_games import ADDING
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph import exploring

SCORES = """\
game "Scores"
players Ann, Bob
var score: 0..3000 = 0
start at add(Ann)
phase add(p: Player):
    turn p:
        move more(n in 1..3) if score + n <= 2000:
            score += n
            earn p: n
            go add(other p)
        move stop: end payoff (score, -score)
"""


@pytest.mark.parametrize("make", MAKERS)
def test_everything_grows(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists, tables, and the amounts, of which there are many."""
    expected = flat(exact_graph(ReferenceMachine(model := model_of(SCORES))))
    for first in (1 << 7, 1 << 12):
        monkeypatch.setattr(exploring, "_FIRST", first)
        monkeypatch.setattr(exploring, "_AHEAD", first)
        monkeypatch.setattr(exploring, "_CHUNK", 1000)
        assert flat(kernel_graph(make(model))) == expected


@pytest.mark.parametrize("make", MACHINES)
def test_a_graph_that_does_not_fit_is_refused(make: AnyMaker) -> None:
    model = bundled_model("connect_four", rows=4, columns=4)
    limits = Limits(memory=1 << 20)
    with pytest.raises(ZermeloError) as refused:
        graph_of(make(model), model, limits)
    assert refused.value.code == "out-of-memory"
    assert "positions" in refused.value.message
    assert "bytes each" in refused.value.message
    assert limits.free == 1 << 20


@pytest.mark.parametrize("make", MAKERS)
def test_memory_is_refused_alike_whatever_the_slices(make: Maker) -> None:
    """The least memory that is enough does not depend on the clock."""
    machine = make(bundled_model("nim"))

    def is_enough(memory: int) -> bool:
        try:
            kernel_graph(machine, Limits(memory=memory))
        except ZermeloError:
            return False
        return True

    low, high = 0, 1 << 24
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    assert all(is_enough(high) and not is_enough(low) for _ in range(5))


@pytest.mark.parametrize("make", MACHINES)
def test_the_graph_holds_its_memory(make: AnyMaker) -> None:
    model, limits = bundled_model("tic_tac_toe"), Limits()
    graph = graph_of(make(model), model, limits)
    assert limits.ledger.held >= 4 * (2 * len(graph) + len(graph.targets))
    del graph
    assert limits.ledger.held == 0


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(("code", "limits"), [("out-of-nodes", {"nodes": 50}), ("out-of-time", {"seconds": 0.0})])
def test_limits(make: AnyMaker, code: str, limits: dict[str, Any]) -> None:
    model = bundled_model("tic_tac_toe")
    with pytest.raises(ZermeloError) as stopped:
        graph_of(make(model), model, Limits(**limits))
    assert stopped.value.code == code


def test_progress_is_told() -> None:
    model, told = bundled_model("tic_tac_toe"), list[int]()
    for machine in (python_machine(model), ReferenceMachine(model)):
        told.clear()
        exploring.explore(machine, facts(model), machine.initial(), Limits(), told.append)
        assert told == sorted(told)
        assert told[-1] > 4_000


DEAD = """\
game "Dead"
players Ann, Bob
var total: 0..99 = 0
start at add(Ann)
phase add(p: Player):
    turn p:
        move more(n in 2..3) if 60 // (20 - total) > 0 and total < 40:
            total += n
            go add(other p)
        move stop: end win p
"""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(
    ("text", "length"),
    [(ADDING, 334), (ADDING.replace("= 999", "= 14"), 5), (DEAD, 7)],
    ids=["in a move", "in an early move", "in a guard"],
)
def test_an_error_of_the_rules_comes_with_a_shortest_play(text: str, length: int, make: AnyMaker) -> None:
    model, _ = check(Source("wrong.game", text))
    assert model is not None
    with pytest.raises(PlayError) as found:
        graph_of(make(model), model)
    with pytest.raises(PlayError) as expected:
        exact_graph(ReferenceMachine(model))
    assert str(found.value) == str(expected.value)
    assert len(found.value.play) == length
