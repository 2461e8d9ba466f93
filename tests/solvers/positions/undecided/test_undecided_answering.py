"""When undecided positions are kept, what is said then, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from written_games import bundled_model, model_of

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.model import Model
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import answering
from zermelo.solvers.positions.answering import positions
from zermelo.solvers.positions.undecided import (
    NOTHING,
    UndecidedPolicy,
    answer_undecided,
    decisive_payoffs,
    may_leave_out,
)
from zermelo.solvers.solution import Problem

LIONS = [
    ('"l.."', '"c.."', '"..."', '"..L"'),
    ('"l.."', '"..."', '"..E"', '"L.."'),
    ('"l.g"', '"..."', '"..."', '"E.L"'),
]
"""Positions of dobutsu shogi with few pieces."""

STAYING = """\
game "To stay or to go"
players Ann, Bob
endless payoff (1, -1)
start at hold(Ann)
phase hold(p: Player):
    turn p:
        move give_up: end win other p
        move take: end win p
        move hold_on: go hold(other p)
"""


def problem_of(model: Model, machine: Any, memory: int = 1 << 28) -> Problem[Any]:
    return Problem(machine, facts(model), machine.initial(), limits=Limits(memory=memory))


@needs_llvm
@pytest.mark.parametrize("rows", LIONS)
def test_lions_with_few_pieces(rows: tuple[str, ...]) -> None:
    """Players are exchanged, captured pieces come back, and plays go round."""
    board = "".join(f"        {row}\n" for row in rows)
    game = zermelo.load_position("dobutsu_shogi", f"setup:\n    board := layout\n{board}")
    machine = native_machine(game.model)
    undecided, plain = (solve(problem_of(game.model, machine)) for solve in (answer_undecided, positions))
    assert undecided is not None and undecided.policy is not None and plain.policy is not None
    assert (undecided.value, undecided.distance, undecided.best) == (plain.value, plain.distance, plain.best)
    assert undecided.policy.first() == plain.policy.first()
    assert 10 * undecided.counts["nodes"] < plain.counts["nodes"]


@needs_llvm
def test_they_are_kept_when_all_positions_do_not_fit() -> None:
    model = bundled_model("connect_four", rows=4, columns=4)
    problem = problem_of(model, native_machine(model))
    plain, scarce = positions(problem), evolve(problem, limits=Limits(memory=3_500_000))
    found = positions(scarce)
    assert isinstance(found.policy, UndecidedPolicy) and plain.notes == ()
    assert found.notes[0].startswith("Only positions in which nobody can win at once have been kept, and one of those")
    assert (found.value, found.best, found.distance) == (plain.value, plain.best, plain.distance)
    assert 2 * found.counts["nodes"] < plain.counts["nodes"]
    with pytest.raises(ZermeloError, match="nobody can win at once have been kept") as refused:
        list(found.policy)
    assert refused.value.code == "out-of-memory" and "--after MOVES --values" in refused.value.help
    with pytest.raises(ZermeloError, match=r"there are more than .* positions") as refused:
        positions(evolve(scarce, limits=Limits(memory=1_000_000)))
    assert refused.value.code == "out-of-memory"


@needs_llvm
def test_what_is_not_kept_is_refused_before_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    model = bundled_model("connect_four", rows=4, columns=4)
    problem = evolve(problem_of(model, native_machine(model), memory=3_500_000), is_listed=True)
    monkeypatch.setattr(answering, "answer_undecided", lambda problem: pytest.fail("hours may have gone by"))
    with pytest.raises(ZermeloError, match=r"there are more than .* positions") as refused:
        positions(problem)
    assert "positions in which nobody can win at once may be enough" in (refused.value.help or "")


@pytest.mark.parametrize("name", ["pig", "goofspiel", "go", "n_person_nim", "parking"])
def test_other_games_keep_all_positions(name: str) -> None:
    """With chance, choices at once, a history, three players, and one."""
    model = bundled_model(name, **({"size": 2} if name == "go" else {}))
    problem = problem_of(model, python_machine(model))
    assert not may_leave_out(problem)
    assert answer_undecided(problem) is None


def test_what_an_endless_play_pays_has_to_be_known() -> None:
    for text, is_known in ((STAYING, True), (STAYING.replace("endless payoff (1, -1)\n", ""), False)):
        model = model_of(text)
        assert may_leave_out(problem_of(model, python_machine(model))) == is_known


def test_a_move_is_decisive_only_if_it_pays_more_than_to_stay() -> None:
    """Ann gets as much by staying for ever, so that she wins with any move but giving up, in one move at best."""
    model = model_of(STAYING)
    problem = problem_of(model, python_machine(model))
    assert list(decisive_payoffs(problem.machine, problem)) == [NOTHING, -1]
    answer = answer_undecided(problem)
    assert answer is not None and answer.value == (Fraction(1), Fraction(-1)) and answer.distance == 1


def test_rules_that_fail_are_left_to_the_search_for_all_positions() -> None:
    staying = STAYING.replace("        move take: end win p\n", "").replace("endless", "var left: 0..2 = 2\nendless")
    model = model_of(staying.replace("hold_on:", "hold_on:\n            left -= 1\n           "))
    problem = problem_of(model, python_machine(model))
    assert answer_undecided(problem) is None
    with pytest.raises(ZermeloError, match="left"):
        positions(problem)
