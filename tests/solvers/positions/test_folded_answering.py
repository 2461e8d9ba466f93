"""Answers by whole turns: those of the solver that keeps all positions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.model import Model
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import answering
from zermelo.solvers.positions.answering import positions
from zermelo.solvers.positions.folded_answering import FoldedPolicy, folded_answer
from zermelo.solvers.solution import Answer, Certainty, Problem

SHARED = """\
game "A shared walk"
players Ann, Bob
var at: 0..6 = 2
start at toss(Ann)
phase toss(p: Player):
    chance:
        outcome low: go step(p, 1)
        outcome high weight 2: go step(p, 2)
        outcome over: end payoff (at, at)
phase step(p: Player, far: 1..2):
    turn p:
        move up if at + far <= 6:
            at += far
            go again(p)
        move down if at >= far:
            at -= far
            go toss(other p)
phase again(p: Player):
    turn p:
        move once_more if at > 0:
            at -= 1
            go toss(other p)
        move stop: go toss(other p)
"""


def problem_of(model: Model, machine: Any, play: tuple[int, ...] = (), memory: int = 1 << 28) -> Problem[Any]:
    """What is left of a game after moves and outcomes, given by their numbers."""
    root = machine.initial()
    for place in play:
        moves = machine.moves(root) or tuple(outcome for outcome, _ in machine.outcomes(root))
        root = machine.after(root, moves[place])
    return Problem(machine, facts(model), root, limits=Limits(memory=memory))


def agree(folded: Answer | None, plain: Answer) -> None:
    """Both say the same of the root."""
    assert folded is not None and folded.interval is not None and folded.certainty is Certainty.BOUNDED
    for bounded, exact in zip(folded.value, plain.value, strict=True):
        assert abs(bounded - exact) <= folded.error + plain.error
    assert set(folded.best) <= set(plain.best)
    assert plain.policy is not None and folded.policy is not None
    for worth, other in zip(folded.policy.first(), plain.policy.first(), strict=True):
        assert worth.move == other.move and worth.payoff is not None and other.payoff is not None
        for bounded, exact in zip(worth.payoff, other.payoff, strict=True):
            assert abs(bounded - exact) <= worth.error + other.error <= 1e-11


@needs_llvm
@pytest.mark.parametrize("play", [(0,), (0, 1), (3, 0, 0)])
def test_hypergammon_with_a_man_each(play: tuple[int, ...]) -> None:
    """From a turn, from the middle of one, and from a position between two; from the first throw on see below."""
    model = bundled_model("hypergammon", men=1)
    machine = native_machine(model)
    problem = problem_of(model, machine, play)
    agree(folded_answer(problem), positions(problem))


@pytest.mark.parametrize("play", [(), (0,), (0, 0)])
def test_a_common_payoff(play: tuple[int, ...]) -> None:
    """Both get the same, so they want the same; chance ends the play, and pays what has been reached."""
    model = model_of(SHARED)
    problem = problem_of(model, python_machine(model), play)
    agree(folded_answer(problem), positions(problem))


@needs_llvm
def test_turns_are_folded_when_positions_do_not_fit() -> None:
    model = bundled_model("hypergammon", men=1)
    machine = native_machine(model)
    whole = positions(problem_of(model, machine))
    assert whole.exact and not isinstance(whole.policy, FoldedPolicy)
    answer = positions(problem_of(model, machine, memory=600_000))
    assert isinstance(answer.policy, FoldedPolicy) and answer.counts["nodes"] == 995
    assert any("between turns" in note for note in answer.notes)
    agree(answer, whole)
    with pytest.raises(ZermeloError) as refused:
        next(iter(answer.policy))
    assert refused.value.code == "out-of-memory" and "within turns" in refused.value.message
    with pytest.raises(ZermeloError, match=r"there are more than .* positions") as refused:
        positions(problem_of(model, machine, memory=100_000))
    assert refused.value.code == "out-of-memory"


@needs_llvm
def test_what_a_folded_game_does_not_keep_is_refused_before_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    model = bundled_model("hypergammon", men=1)
    problem = evolve(problem_of(model, native_machine(model), memory=600_000), is_listed=True)
    monkeypatch.setattr(answering, "folded_answer", lambda problem: pytest.fail("hours may have gone by"))
    with pytest.raises(ZermeloError, match=r"there are more than .* positions") as refused:
        positions(problem)
    assert refused.value.code == "out-of-memory"
    assert "without --policy and --positions" in (refused.value.help or "")


def test_games_that_are_not_folded() -> None:
    """Without chance, where plays may stay, and where there is more than one number."""
    for text in ("tic_tac_toe", "pig"):
        model = bundled_model(text)
        assert folded_answer(problem_of(model, python_machine(model))) is None
    model = model_of(SHARED.replace("payoff (at, at)", "payoff (at, 2)"))
    assert folded_answer(problem_of(model, python_machine(model))) is None


def test_the_line_goes_to_the_end_of_the_turn() -> None:
    model = model_of(SHARED)
    answer = folded_answer(problem_of(model, python_machine(model), (0,)))
    assert answer is not None and [str(move) for move in answer.line] == ["up", "stop"]
    assert answer.value[0] == answer.value[1] > Fraction(2)
