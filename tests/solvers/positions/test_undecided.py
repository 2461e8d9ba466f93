"""Answers by undecided positions: those of the solver that keeps all positions, move by move."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from all_machines import compiled_machine, native_machine, needs_llvm, python_machine
from attrs import evolve
from contests import contests, even_contests
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from written_games import bundled_model, model_of

import zermelo
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.group import symmetries
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import undecided
from zermelo.solvers.positions.answering import positions
from zermelo.solvers.positions.graph.exploring import Exploring
from zermelo.solvers.positions.retrograde import Analyser
from zermelo.solvers.positions.undecided import (
    NOTHING,
    FirstMoves,
    answer_undecided,
    decisive_payoffs,
    may_leave_out,
)
from zermelo.solvers.solution import Answer, Problem

LOWERED = [
    pytest.param(python_machine, id="python"),
    pytest.param(compiled_machine, id="compiled", marks=needs_llvm),
]


def problem_of(model: Model, machine: Any, root: Any = None, memory: int = 1 << 28) -> Problem[Any]:
    start = machine.initial() if root is None else root
    return Problem(machine, facts(model), start, limits=Limits(memory=memory))


def agree(undecided: Answer | None, plain: Answer, problem: Problem[Any]) -> None:
    """Both say the same of the root and of each of its moves; and the line brings what is said, as soon as is said."""
    assert undecided is not None and undecided.exact
    assert (undecided.value, undecided.distance) == (plain.value, plain.distance)
    assert undecided.best == plain.best
    assert undecided.policy is not None and plain.policy is not None
    assert undecided.policy.first() == plain.policy.first()
    if undecided.lasting is not None:
        assert set(undecided.lasting) == set(plain.lasting or ())
    machine, state = problem.machine, problem.root
    for move in undecided.line:
        state = machine.after(state, move)
    if machine.actor(state) == END:
        assert machine.payoff(state) == undecided.value
        if undecided.value != machine.endless():
            assert len(undecided.line) == undecided.distance
    else:
        assert undecided.value == machine.endless()


def roots(machine: Any, most: int) -> list[Any]:
    """The states of some positions in which somebody moves, breadth first."""
    found = {machine.position(machine.initial()): machine.initial()}
    for state in (waiting := [machine.initial()]):
        for after in (machine.after(state, move) for move in machine.moves(state)):
            if machine.actor(after) != END and machine.position(after) not in found and len(found) < most:
                found[machine.position(after)] = after
                waiting.append(after)
    return waiting


def checked(text: str) -> Model:
    model, _ = check(Source("test.game", text), {})
    assume(model is not None)  # else there is no way from some position to an end
    assert model is not None
    return model


def compare(model: Model, make: Callable[[Model], LoweredMachine], most: int) -> None:
    """From every position, against the reference machine."""
    machine, plain = make(model), ReferenceMachine(model)
    for root, other in zip(roots(machine, most), roots(plain, most), strict=True):
        problem = problem_of(model, machine, root)
        agree(answer_undecided(problem), positions(problem_of(model, plain, other)), problem)


@given(contests())
@settings(max_examples=many(100))
def test_random_contests(text: str) -> None:
    """With circles, several moves in turn, ends that are not the best, and endless plays of every worth."""
    compare(checked(text), python_machine, 9)


@given(even_contests())
@settings(max_examples=many(60))
def test_players_are_exchanged_in_random_contests(text: str) -> None:
    model = checked(text)
    assert len(symmetries(model)) == 2
    compare(model, python_machine, 14)


@needs_llvm
@given(st.one_of(contests(), even_contests()))
@settings(max_examples=many(4))
def test_machine_code_finds_the_same(text: str) -> None:
    compare(checked(text), compiled_machine, 2)


@pytest.mark.parametrize("make", LOWERED)
@pytest.mark.parametrize(
    ("name", "parameters", "most"),
    [
        ("tic_tac_toe", {}, 25),
        ("three_mens_morris", {}, 4),
        ("connect_four", {"columns": 3, "rows": 3, "run": 3}, 10),
        ("tug_of_war", {}, 8),
        ("breakthrough", {"columns": 3, "rows": 4}, 3),
        ("nim", {}, 6),
    ],
)
def test_bundled_games(
    make: Callable[[Model], LoweredMachine], name: str, parameters: dict[str, int], most: int
) -> None:
    model = bundled_model(name, **parameters)
    machine = make(model)
    for root in roots(machine, most):
        problem = problem_of(model, machine, root)
        agree(answer_undecided(problem), positions(problem), problem)


EVEN = """\
game "Nothing to gain"
players Ann, Bob
start at first_choice
phase first_choice:
    turn Ann:
        move on: go second_choice
        move stop: end draw
phase second_choice:
    turn Bob:
        move wait: go last_choice
        move stop: end draw
phase last_choice:
    turn Ann:
        move stop: end draw
"""


def test_all_hurry_where_nobody_has_anything_to_gain() -> None:
    model = model_of(EVEN)
    compare(model, python_machine, 3)
    machine = python_machine(model)
    found = answer_undecided(problem_of(model, machine))
    assert found is not None and found.distance == 1 and [move.name for move in found.best] == ["stop"]


# Without edges: all moves are made again.


@pytest.fixture
def scarce(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Edges are never kept that may be left out. For each solution, whether they have been kept."""
    kept, keep = list[bool](), Exploring.keep_beside_edges
    monkeypatch.setattr(undecided, "RESULT_BYTES", 1 << 60)

    def noting(exploring: Exploring, needed: int) -> None:
        keep(exploring, needed)
        kept.append(exploring.keeps_edges)

    monkeypatch.setattr(Exploring, "keep_beside_edges", noting)
    return kept


@given(st.one_of(contests(), even_contests()))
@settings(max_examples=many(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_contests_without_edges(scarce: list[bool], text: str) -> None:
    compare(checked(text), python_machine, 9)


@pytest.mark.parametrize("make", LOWERED)
@pytest.mark.parametrize(
    ("name", "parameters", "most"),
    [
        ("tic_tac_toe", {}, 25),
        ("connect_four", {"columns": 3, "rows": 3, "run": 3}, 10),
        ("hex", {"size": 3}, 3),
    ],
)
def test_bundled_games_without_edges(
    make: Callable[[Model], LoweredMachine], name: str, parameters: dict[str, int], most: int, scarce: list[bool]
) -> None:
    """Up to symmetry, with players exchanged."""
    test_bundled_games(make, name, parameters, most)
    assert scarce and not any(scarce)


def test_all_hurry_without_edges_too(scarce: list[bool]) -> None:
    test_all_hurry_where_nobody_has_anything_to_gain()
    assert scarce and not any(scarce)


@needs_llvm
@pytest.mark.parametrize("memory", [1_800_000, 1_300_000], ids=["in the end", "on the way"])
def test_edges_are_left_out_if_they_do_not_fit(memory: int) -> None:
    """With what is known of its positions connect four takes 2.4 million bytes, 1.7 million while edges are found, and
    1.1 million without these."""
    model = bundled_model("connect_four", rows=4, columns=4)
    machine = native_machine(model)
    found, plain = (answer_undecided(problem_within(model, machine, each)) for each in (memory, 2_500_000))
    assert found is not None and plain is not None and found.policy is not None and plain.policy is not None
    assert (found.value, found.best, found.distance, found.line) == (
        plain.value, plain.best, plain.distance, plain.line,
    )  # fmt: skip
    assert (found.counts, found.policy.first()) == (plain.counts, plain.policy.first())
    assert answer_undecided(problem_within(model, machine, 1_000_000)) is None


CLIMBING = """\
game "Climbing"
players Ann, Bob
endless payoff (1, -1)
var height: 0..70000 = 0
start at climb(Ann)
phase climb(p: Player):
    turn p:
        move up if height < 70000:
            height += 1
            go climb(other p)
        move down if height == 70000:
            height := 1
            go climb(other p)
        move stop if height == 70000: end draw
"""

SCORING = """\
game "Scoring"
players Ann, Bob
var height: 0..40000 = 0
start at climb(Ann)
phase climb(p: Player):
    turn p:
        move up if height < 40000:
            height += 1
            go climb(other p)
        move stop: end payoff (height, -height)
"""


@needs_llvm
def test_no_table_is_kept_while_positions_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """With edges, all positions are looked up by the table once they are solved."""
    searches, lengths = list[Exploring](), list[int]()
    finish, analyse = Exploring.finished, Analyser.analyse

    def note_search(self: Exploring) -> Any:
        searches.append(self)
        return finish(self)

    def note_table(self: Analyser, middle: int, with_circles: bool = True) -> Any:
        lengths.append(len(searches[-1].search.positions.table))
        return analyse(self, middle, with_circles)

    monkeypatch.setattr(Exploring, "finished", note_search)
    monkeypatch.setattr(Analyser, "analyse", note_table)
    model = bundled_model("three_mens_morris")
    problem = problem_of(model, python_machine(model))
    assert answer_undecided(problem) is not None
    assert lengths[0] == 0
    assert len(searches[-1].search.positions.table) > 0


def test_edges_are_needed_where_one_leads_back() -> None:
    """It is found when memory is short already, and edges have been left out: only the last one leads back."""
    model = model_of(CLIMBING.replace("70000", "40000"))
    machine = native_machine(model)
    assert answer_undecided(problem_within(model, machine, 1 << 24)) is not None
    assert answer_undecided(problem_within(model, machine, 900_000)) is None


@needs_llvm
@pytest.mark.parametrize(
    "text",
    [CLIMBING.replace("height := 1\n            go climb(other p)", "end win Ann"), SCORING],
    ids=["far", "many"],
)
def test_ratings_without_edges_are_refused_if_they_are_too_large(text: str, scarce: list[bool]) -> None:
    """The end is too far away, or there are too many amounts."""
    model = model_of(text)
    assert answer_undecided(problem_within(model, native_machine(model))) is None
    assert scarce == [False]


# When undecided positions are kept, what is said then, and what is refused.


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


def problem_within(model: Model, machine: Any, memory: int = 1 << 28) -> Problem[Any]:
    return Problem(machine, facts(model), machine.initial(), limits=Limits(memory=memory))


@needs_llvm
@pytest.mark.parametrize("rows", LIONS)
def test_lions_with_few_pieces(rows: tuple[str, ...]) -> None:
    """Players are exchanged, captured pieces come back, and plays go round."""
    board = "".join(f"        {row}\n" for row in rows)
    game = zermelo.load_position("dobutsu_shogi", f"setup:\n    board := layout\n{board}")
    machine = native_machine(game.model)
    undecided, plain = (solve(problem_within(game.model, machine)) for solve in (answer_undecided, positions))
    assert undecided is not None and undecided.policy is not None and plain.policy is not None
    assert (undecided.value, undecided.distance, undecided.best) == (plain.value, plain.distance, plain.best)
    assert undecided.policy.first() == plain.policy.first()
    assert 10 * undecided.counts["nodes"] < plain.counts["nodes"]


@needs_llvm
def test_they_are_kept_when_all_positions_do_not_fit() -> None:
    model = bundled_model("connect_four", rows=4, columns=4)
    problem = problem_within(model, native_machine(model))
    plain, scarce = positions(problem), evolve(problem, limits=Limits(memory=3_500_000))
    found = positions(scarce)
    assert isinstance(found.policy, FirstMoves) and plain.notes == ()
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
    problem = evolve(problem_within(model, native_machine(model), memory=3_500_000), is_listed=True)
    monkeypatch.setattr(undecided, "answer_undecided", lambda problem: pytest.fail("hours may have gone by"))
    with pytest.raises(ZermeloError, match=r"there are more than .* positions") as refused:
        positions(problem)
    assert "positions in which nobody can win at once may be enough" in (refused.value.help or "")


@pytest.mark.parametrize("name", ["pig", "goofspiel", "go", "n_person_nim", "parking"])
def test_other_games_keep_all_positions(name: str) -> None:
    """With chance, choices at once, a history, three players, and one."""
    model = bundled_model(name, **({"size": 2} if name == "go" else {}))
    problem = problem_within(model, python_machine(model))
    assert not may_leave_out(problem)
    assert answer_undecided(problem) is None


def test_what_an_endless_play_pays_has_to_be_known() -> None:
    for text, is_known in ((STAYING, True), (STAYING.replace("endless payoff (1, -1)\n", ""), False)):
        model = model_of(text)
        assert may_leave_out(problem_within(model, python_machine(model))) == is_known


def test_a_move_is_decisive_only_if_it_pays_more_than_to_stay() -> None:
    """Ann gets as much by staying for ever, so that she wins with any move but giving up, in one move at best."""
    model = model_of(STAYING)
    problem = problem_within(model, python_machine(model))
    assert list(decisive_payoffs(problem.machine, problem)) == [NOTHING, -1]
    answer = answer_undecided(problem)
    assert answer is not None and answer.value == (Fraction(1), Fraction(-1)) and answer.distance == 1


def test_rules_that_fail_are_left_to_the_search_for_all_positions() -> None:
    staying = STAYING.replace("        move take: end win p\n", "").replace("endless", "var left: 0..2 = 2\nendless")
    model = model_of(staying.replace("hold_on:", "hold_on:\n            left -= 1\n           "))
    problem = problem_within(model, python_machine(model))
    assert answer_undecided(problem) is None
    with pytest.raises(ZermeloError, match="left"):
        positions(problem)
