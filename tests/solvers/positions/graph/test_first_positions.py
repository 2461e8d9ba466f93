"""The graph of the first positions: the beginning of the whole graph, the same by kernels and over any machine."""

from __future__ import annotations

import pytest
from all_machines import compiled_machine, needs_llvm, python_machine
from found_graphs import exact_graph, flat
from written_games import bundled_model

from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph import exploring

GAMES = ["kuhn_poker", "leduc_poker", "ludo", "nim", "subtraction_game", "tug_of_war", "rock_paper_scissors_match"]


@pytest.mark.parametrize("most", [1, 2, 7, 64, 65, 10_000])
@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_beginning_of_the_whole(name, most):
    model = bundled_model(name)
    machine = ReferenceMachine(model)
    whole = exact_graph(machine)
    part = exploring.explore_exactly(machine, machine.initial(), Limits(), most=most)
    moving = sum(part.actor(position) != END for position in range(len(part)))
    searched = moving - part.unsearched
    all_moving = sum(whole.actor(position) != END for position in range(len(whole)))
    assert searched == min(most, all_moving)
    assert list(part.kinds[:moving]) == list(whole.kinds[:moving])
    assert list(part.firsts[: searched + 1]) == list(whole.firsts[: searched + 1])
    assert all(not part.edges(position) for position in range(searched, len(part)))
    for edge in range(part.firsts[searched]):
        one, other = part.targets[edge], whole.targets[edge]
        assert one == other or part.payoff(one) == whole.payoff(other)


@needs_llvm
@pytest.mark.parametrize("make", [python_machine, compiled_machine])
@pytest.mark.parametrize("most", [1, 7, 64, 65, 1000])
@pytest.mark.parametrize("name", GAMES)
def test_kernels_find_the_same(name, most, make):
    model = bundled_model(name)
    machine, reference = make(model), ReferenceMachine(model)
    by_kernel = exploring.explore_by_kernel(machine, facts(model), machine.initial(), Limits(), ignore_progress, most)
    exactly = exploring.explore_exactly(reference, reference.initial(), Limits(), most=most)
    assert flat(by_kernel) == flat(exactly)
    assert by_kernel.unsearched == exactly.unsearched
