"""Answers by positions up to symmetry: those of the solver that keeps all positions."""

from __future__ import annotations

from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Model
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import answering
from zermelo.solvers.positions.answering import KEPT_ALONE, FirstMoves, images_of, positions, symmetric_guide
from zermelo.solvers.solution import Answer, Problem

WALK = """\
game "A walk in the square"
players Ann, Bob
type Cell = grid(3, 3)
var at: Cell = b2
var met: set of Cell = {b2}
var ahead[Player]: 0..9 = 0
endless draw
start at blow(Ann)
phase blow(p: Player):
    chance:
        outcome wind(d in directions(Cell)) weight (if at + d is none then 1 else 2):
            at := if at + d is none then at else at + d
            go step(p)
phase step(p: Player):
    turn p:
        move go_to(c in neighbours(at, orthogonal)):
            at := c
            if c not in met:
                met += {c}
                ahead[p] += 1
            if size(met) > 6: end payoff {q: ahead[q] - ahead[other q] for q in Player}
            go blow(other p)
        move rest: go blow(other p)
"""

CIRCLING = """\
game "Round and round"
players Ann, Bob
type Cell = grid(3, 2)
var piece[Cell]: Player? = none
endless draw
setup:
    piece[a1] := Ann
    piece[c1] := Ann
    piece[a2] := Bob
    piece[c2] := Bob
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_to(from in {c in Cell if piece[c] == p}, to in neighbours(from, orthogonal)) if piece[to] != p:
            piece[to] := p
            piece[from] := none
            if no c in Cell: piece[c] == other p: end win p
            go play(other p)
"""


def problem_of(model: Model, machine: Any, play: tuple[int, ...] = (), memory: int = 1 << 28) -> Problem[Any]:
    """What is left of a game after moves and outcomes, given by their numbers."""
    root = machine.initial()
    for place in play:
        moves = machine.moves(root) or tuple(outcome for outcome, _ in machine.outcomes(root))
        root = machine.after(root, moves[place % len(moves)])
    return Problem(machine, facts(model), root, limits=Limits(memory=memory))


def check(problem: Problem[Any]) -> tuple[int, int]:
    """Check the answer by canonical positions against that by all; how many positions each has found."""
    plain = positions(problem)
    guide = symmetric_guide(problem)
    assert guide is not None
    found = answering._answer(problem, guide)
    assert (found.value, found.best, found.distance) == (plain.value, plain.best, plain.distance)
    assert (found.duration, found.lasting, found.perhaps_lasting) == (
        plain.duration, plain.lasting, plain.perhaps_lasting
    )  # fmt: skip
    assert plain.policy is not None and found.policy is not None
    assert found.policy.first() == plain.policy.first()
    follow(problem, found)
    return found.counts["nodes"], plain.counts["nodes"]


def follow(problem: Problem[Any], found: Answer) -> None:
    """Make the moves of the line, and see that each is legal and a best one, and that it ends where it is said to."""
    machine, state = problem.machine, problem.root
    for number, move in enumerate(found.line):
        listed = machine.moves(state)
        assert move in listed
        if number < 12:
            assert move in positions(evolve(problem, root=state)).best
        state = machine.after(state, move)
        assert machine.actor(state) != CHANCE or number == len(found.line) - 1
    if found.distance is not None:
        assert machine.actor(state) == END and found.distance == len(found.line)


@needs_llvm
@pytest.mark.parametrize(
    ("name", "parameters", "play"),
    [
        ("tic_tac_toe", {}, ()),
        ("tic_tac_toe", {}, (0, 3)),
        ("three_mens_morris", {}, ()),
        ("three_mens_morris", {}, (1, 2, 3)),
        ("nim", {}, ()),
        ("connect_four", {"rows": 4, "columns": 4, "run": 3}, (1,)),
        ("dots_and_boxes", {"rows": 2, "columns": 1}, ()),
        ("hex", {"size": 3}, ()),
        ("breakthrough", {"columns": 3, "rows": 5, "deep": 1}, (2,)),
        ("n_person_nim", {}, ()),
    ],
)
def test_bundled_games(name: str, parameters: dict[str, int], play: tuple[int, ...]) -> None:
    model = bundled_model(name, **parameters)
    some, every = check(problem_of(model, native_machine(model), play))
    assert some < every


@needs_llvm
def test_tic_tac_toe_has_765_positions_up_to_symmetry() -> None:
    """138 of them are ends, of which here those that pay the same are one: 627 others, and 3."""
    model = bundled_model("tic_tac_toe")
    guide = symmetric_guide(problem_of(model, native_machine(model)))
    assert guide is not None and len(guide.graph) == 627 + 3


@needs_llvm
@pytest.mark.parametrize("play", [(), (2, 1), (2, 0, 5, 3)])
@pytest.mark.parametrize("text", [WALK, CIRCLING])
def test_chance_and_circles(text: str, play: tuple[int, ...]) -> None:
    model = model_of(text)
    some, every = check(problem_of(model, native_machine(model), play))
    assert 1.4 * some < every


@needs_llvm
def test_memory_decides_how_positions_are_kept_and_nothing_else() -> None:
    model = model_of(WALK)
    problem = problem_of(model, native_machine(model))
    plain, scarce = positions(problem), evolve(problem, limits=Limits(memory=800_000))
    found = positions(scarce)
    assert found.notes == (KEPT_ALONE,) and plain.notes == ()
    assert (found.value, found.best, found.distance) == (plain.value, plain.best, plain.distance)
    assert found.counts["nodes"] < plain.counts["nodes"]
    assert isinstance(found.policy, FirstMoves)
    with pytest.raises(ZermeloError, match="is not listed") as refused:
        list(found.policy)
    assert refused.value.code == "out-of-memory" and "--policy" in refused.value.help
    with pytest.raises(ZermeloError, match="more than") as refused:
        positions(evolve(scarce, is_listed=True))
    assert "without --policy and --positions, positions up to symmetry or the positions" in refused.value.help
    with pytest.raises(ZermeloError, match="more than"):
        positions(evolve(scarce, limits=Limits(memory=200_000)))


def test_games_without_symmetries_that_keep_the_players() -> None:
    for name in ("chess", "pig", "goofspiel"):
        assert images_of(python_machine(bundled_model(name))) is None


TIES = """\
game "Bob does not care"
players Ann, Bob
var heap[1..8]: 0..3 = 0
var turns: 0..8 = 0
start at play(Ann)
phase play(p: Player):
    turn p:
        move add(h in 1..8) if turns < 8 and heap[h] < 3:
            turns += 1
            heap[h] += 1
            go play(other p)
    otherwise: end payoff {q: if q == Ann then count h in 1..8: heap[h] > 0 else {other} for q in Player}
"""


@needs_llvm
def test_memory_does_not_decide_how_ties_are_broken() -> None:
    """Whether an empty heap comes first or a full one is not the same up to symmetry: so the moves that are as good as
    another for Bob, and what they bring Ann, are others. Where Bob cares, there is nothing to choose."""
    for other, is_answered in (("0", False), ("-(count h in 1..8: heap[h] > 0)", True)):
        model = model_of(TIES.replace("{other}", other))
        problem = problem_of(model, native_machine(model))
        plain, guide = positions(problem), symmetric_guide(problem)
        assert guide is not None
        assert (answering._answer(problem, guide).best == plain.best) == is_answered
        scarce = evolve(problem, limits=Limits(memory=200_000))
        if is_answered:
            found = positions(scarce)
            assert (found.value, found.best) == (plain.value, plain.best)
            assert found.counts["nodes"] < plain.counts["nodes"]
        else:
            with pytest.raises(ZermeloError, match="there are more than"):
                positions(scarce)


FAILING = """\
game "A rule that fails in a mirror"
players Ann, Bob
type Cell = grid(2, 1)
var full[Cell]: 0..1 = 0
var turns: 0..3 = 0
setup:
    full[b1] := 1
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on if turns < 3 and (some c in Cell: 1 / (1 - full[c]) == 1):
            turns += 1
            for c in Cell: full[c] := full[c]
            go play(other p)
    otherwise: end win p
"""


def test_rules_that_fail_in_an_image_alone() -> None:
    """The rules find the empty cell before they would divide by 0, and do so in the mirror, whose key is less."""
    model = model_of(FAILING)
    problem = problem_of(model, python_machine(model))
    assert positions(problem).value == (-1, 1)
    assert images_of(problem.machine) is not None
    assert symmetric_guide(problem) is None
