"""Folded graphs, found by the kernel, are those that follow from all positions; and what cannot be folded is not."""

from __future__ import annotations

import re

import pytest
from all_machines import MAKERS, native_machine, needs_llvm, python_machine
from folded import ByHand, ComesBack, flat_fold, kernel_fold
from found_graphs import Maker, exact_graph, kernel_graph
from written_games import bundled_model, model_of

from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.folding import folding
from zermelo.solvers.positions.folding.folding import CannotFold
from zermelo.solvers.positions.graph.graph import TooManyPositions

GAMES = {
    "bear_off_race": {},
    "pig": {"target": 12},
    "ludo": {},
    "dice_race": {},
    "landlords": {},
    "gamblers_ruin": {},
    "three_mens_morris": {},
    "horizon_effect": {},
}

TWO_STEPS = """\
game "Two steps"
players Ann, Bob
var at: 0..4 = 0
var left: 0..2 = 0
start at toss(Ann)
phase toss(p: Player):
    chance:
        outcome go_on:
            left := 2
            go step(p)
        outcome rest: go toss(other p)
phase step(p: Player):
    turn p:
        move up if at < 4:
            at += 1
            left -= 1
            if at == 4: end payoff {p: 1, other p: -1}
            if left > 0: go step(p)
            go toss(other p)
        move stay:
            left -= 1
            if left > 0: go step(p)
            go toss(other p)
"""


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
def test_folded_as_by_hand(name: str) -> None:
    model = bundled_model(name, **GAMES[name])
    expected = ByHand(exact_graph(ReferenceMachine(model))).folded()
    assert flat_fold(kernel_fold(native_machine(model))) == flat_fold(expected)


@needs_llvm
def test_a_larger_game_is_folded_as_by_hand() -> None:
    """All positions are found by another kernel, in a small part of the time that the reference machine needs."""
    machine = native_machine(bundled_model("hypergammon", men=1))
    assert flat_fold(kernel_fold(machine)) == flat_fold(ByHand(kernel_graph(machine)).folded())


@pytest.mark.parametrize("make", MAKERS)
def test_everything_grows(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists, tables, and room for a turn; the same in Python and as machine code."""
    model = model_of(TWO_STEPS)
    expected = flat_fold(ByHand(exact_graph(ReferenceMachine(model))).folded())
    assert flat_fold(kernel_fold(make(model))) == expected
    for name, number in (("_FIRST", 4), ("_TURN", 2), ("_AHEAD", 4), ("_CHUNK", 3), ("_PATTERNS", 1)):
        monkeypatch.setattr(folding, name, number)
    assert flat_fold(kernel_fold(make(model))) == expected


def test_positions_within_turns_are_not_kept() -> None:
    graph = kernel_fold(python_machine(model_of(TWO_STEPS)))
    assert len(graph) == 4 * 2 + 2  # who is to toss, at 0 to 3, and two ends
    assert [len(targets) for targets in graph.turns(0)] == [3, 1]  # 0, 1 or 2 up; nothing to decide


def in_one_turn(body: str, rest: str = "") -> str:
    return f"""\
game "One"
players Ann, Bob
var at: 0..3 = 0
{rest}start at toss
phase toss:
    chance:
        outcome low: go step
        outcome high: end payoff (1, -1)
phase step:
    turn Ann:
        move on if at < 3:
            at += 1
            go step
{body}        move out: go toss
"""


@pytest.mark.parametrize(
    "text",
    [
        in_one_turn("        move back if at > 0:\n            at -= 1\n            go step\n"),
        in_one_turn("        move wait: go step\n"),
        in_one_turn("        move paid:\n            earn Ann: 1\n            go toss\n"),
        in_one_turn("", "discount 9/10\n"),
    ],
    ids=["back", "wait", "earns", "discount"],
)
def test_what_cannot_be_folded(text: str) -> None:
    """A turn in which its player can stay for ever, and what lists do not say."""
    with pytest.raises(CannotFold):
        kernel_fold(python_machine(model_of(text)))


def test_circles_in_a_turn_are_found_by_hand_too() -> None:
    text = in_one_turn("        move back if at > 0:\n            at -= 1\n            go step\n")
    with pytest.raises(ComesBack):
        ByHand(exact_graph(ReferenceMachine(model_of(text))))


@pytest.mark.parametrize("name", ["rock_paper_scissors_match", "n_person_nim", "bear_off", "snakes_and_ladders"])
def test_games_that_cannot_be_folded(name: str) -> None:
    """Rounds, many players, and payments on the way."""
    with pytest.raises(CannotFold):
        kernel_fold(python_machine(bundled_model(name)))


def test_a_folded_graph_that_does_not_fit_is_refused() -> None:
    limits = Limits(memory=1 << 14)
    with pytest.raises(TooManyPositions):
        kernel_fold(python_machine(bundled_model("hypergammon", men=1)), limits)
    assert limits.free == 1 << 14


@needs_llvm
def test_what_is_far_too_large_is_refused_soon() -> None:
    """Backgammon, of which a throw leads to some hundred positions: when memory is far from full."""
    limits = Limits(memory=1 << 28, seconds=300)
    with pytest.raises(TooManyPositions) as refused:
        kernel_fold(native_machine(bundled_model("backgammon")), limits)
    (found,) = re.findall(r"more than ([\d,]+) positions", refused.value.message)
    assert int(found.replace(",", "")) < 1_000_000
