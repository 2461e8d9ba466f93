"""What is proved to commute with relabellings, and what is not, rule by rule."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from near_symmetries import made_up
from random_cases import many
from random_games.writer import write_game
from relabelled_plays import fault, fault_somewhere
from typed_rules import typed_rules
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.equivariance import Relabelling, is_affine
from zermelo.interpreter.symmetries.group import symmetries
from zermelo.interpreter.types import BoardType

GAME = """\
game "One rule"
players A, B
type Cell = {board}
var board[Cell]: Player? = none
var at: Cell? = none
var owner: Player = A
var heap[1..3]: 0..5 = 3
var turns: 0..9 = 0
define held(q: Player) = count x in Cell: board[x] == q
start at play(A)
phase play(p: Player):
    turn p:
        move m(c in Cell, h in 1..3) if turns < 5 and board[c] is none and heap[h] > 0:
            turns += 1
            board[c] := p
            at := c
            heap[h] -= 1
{effects}
            go play(other p)
    otherwise:
{end}
"""


def game(effects: str = "", end: str = "end win owner", board: str = "grid(2, 2)") -> Model:
    def indented(text: str, by: int) -> str:
        return "\n".join(" " * by + line for line in text.splitlines())

    return model_of(GAME.format(board=board, effects=indented(effects, 12), end=indented(end, 8)))


def count(model: Model) -> int:
    """The number of symmetries, which hold on some plays."""
    found, machine = symmetries(model), ReferenceMachine(model)
    for number, relabelling in enumerate(found[1:]):
        assert not fault(machine, relabelling, Random(number))
    return len(found)


SQUARE, PLAYERS, HEAPS = 8, 2, 6
# with all together there are more than are kept
ALL = 48


@pytest.mark.parametrize(
    ("effects", "symmetric"),
    [
        ("owner := p", SQUARE * HEAPS),
        ("owner := p\nat := a1", PLAYERS * HEAPS),  # a corner stays where it is if the square is mirrored
        ("owner := if p == A then B else A", SQUARE * HEAPS),
        ("owner := if c.x == 1 then p else other p", PLAYERS * 4),
    ],
)
def test_parts_that_fix_something(effects: str, symmetric: int) -> None:
    assert count(game(effects)) >= min(symmetric, ALL) // 2


EXCHANGING = {
    "owner := p": True,
    "owner := other p": True,
    "owner := A": False,
    "owner := if p == A then B else A": True,
    "owner := if p == A then A else A": False,
    "if p == A: owner := B\nelse: owner := A": True,
    "if p == A: owner := B\nelse: owner := B": False,
    "if held(A) > held(B): owner := p": False,
    "if held(A) == held(B): owner := p": True,
    "if held(A) + held(B) > 2: owner := p": True,
    "if held(A) - held(B) > 2: owner := p": False,
    "if max(held(A), held(B)) > 1: owner := p": True,
    "owner := p\nearn A: 1\nearn B: 1": True,
    "earn A: 1\nearn B: 2": False,
    "owner := p\nearn A: held(A)\nearn B: held(B)": True,
    "earn A: held(A)\nearn B: held(B)": False,  # the owner is A for ever
    "earn A: held(B)\nearn B: held(B)": False,
    "owner := first q in Player: board[c] == q": False,
    "var x: Player = p\n"
    "if x == A:\n"
    "    if p == A: x := B\n"
    "    else: x := B\n"
    "    owner := if x == A then A else A\n"
    "else:\n"
    "    if p == A: x := A\n"
    "    else: x := A\n"
    "    owner := if x == B then B else A": False,
    "for q in Player: owner := q": False,
    "for q in Player: heap[1] := if q == p then 1 else heap[1]": False,
}
"""Effects, and whether the players can be exchanged: the last but two gives ``x`` another value in each case."""


@pytest.mark.parametrize(("effects", "can"), EXCHANGING.items())
def test_exchanging_the_players(effects: str, can: bool) -> None:
    model = game(effects)
    count(model)
    assert any(set(model.players) & relabelling.members.keys() for relabelling in symmetries(model)) == can


TURNING = {
    "at := first x in Cell: board[x] is none": 1,
    "at := first x in ray(c, north): board[x] is none": 2,  # left and right alone
    "at := c + north": 2,
    "at := c + (if board[c] == A then north else south)": 2,
    "for x in neighbours(c): board[x] := p": 8,
    "for x in neighbours(c): board[x] := board[c]": 1,  # an entry is read that may have been written
    "for x in Cell: board[x] := if board[x] == p then none else board[x]": 8,
    "for x in Cell: at := x": 1,
    "if c in {a1, b2}: at := none": 4,  # the diagonals, and half a turn
    "if c.x + c.y == 3: at := none": 4,
    "if connected({x in Cell if board[x] == p}): at := none": 8,
    "if some x in Cell, y in Cell: distance(x, y) == 1 and board[x] == board[y]: at := none": 8,
    "if some l in lines(Cell, 2): all x in l: board[x] == p: at := none": 8,
    "if size({x in Cell while board[x] is none}) > 1: at := none": 1,
    "if (first x in Cell: true) == c: at := none": 2,  # the diagonal through a1
}
"""Effects, and how many ways to turn the square are proved."""


@pytest.mark.parametrize(("effects", "ways"), TURNING.items())
def test_turning_the_board(effects: str, ways: int) -> None:
    model = game(f"owner := p\n{effects}")
    count(model)
    found = [tuple((cell, each.of(cell)) for cell in model.types[1].members) for each in symmetries(model)]
    assert len(set(found)) == ways


@pytest.mark.parametrize(("board", "ways"), [("grid(3, 1)", 4), ("grid(2, 2)", 8), ("hex(2, 2)", 4)])
def test_cells_are_moved_by_a_matrix_as_steps_are(board: str, ways: int) -> None:
    """Of all permutations of the cells, with every matrix that keeps the directions of the board."""
    cells = game(board=board).types[1]
    assert isinstance(cells, BoardType)
    found = 0
    for order in permutations(cells.cells):
        for matrix in product((-1, 0, 1), repeat=4):
            relabelling = Relabelling(dict(zip(cells.cells, order, strict=True)), matrix, {})
            if {relabelling.of(step) for step in cells.directions} == set(cells.directions):
                found += is_affine(cells, relabelling)
    assert found == ways


PERMUTING = {
    "owner := p": 6,
    "if h == 2: owner := p": 2,
    "if heap[1] == heap[3]: owner := p": 2,
    "if heap[1] < heap[3]: owner := p": 1,
    "heap[4 - h] := 1": 2,
    "owner := if h > 1 then p else other p": 2,
    "if (sum k in 1..3: heap[k]) > 4: owner := p": 6,
    "if (sum k in 1..3: k * heap[k]) > 4: owner := p": 1,
    "for k in 1..3 if heap[k] > 1: heap[k] := 1": 6,
    "if (first k in 1..3: heap[k] == 0) == h: owner := p": 1,
    "heap[1] := heap[2]": 1,
}
"""Effects, and how many permutations of the heaps are proved."""


@pytest.mark.parametrize(("effects", "ways"), PERMUTING.items())
def test_permuting_heaps(effects: str, ways: int) -> None:
    model = game(effects, board="graph(x1 - y1 - z1, y1 - z1 - w1)")
    count(model)
    heap = next(variable for variable in model.variables if variable.name == "heap")
    found = [tuple(each.at((heap, 0), k) for k in (1, 2, 3)) for each in symmetries(model)]
    assert len(set(found)) == ways


ENDS = {
    "end win owner": 2,
    "end win A": 1,
    "end draw": 2,
    "end payoff {A: 1, B: -1}": 1,
    "end payoff {A: 1, B: 1}": 2,
    "end payoff {q: heap[1] for q in Player}": 2,
    "end payoff (turns, 0)": 1,
    "if p == A: end payoff {A: 2, B: 0}\nelse: end payoff {A: 0, B: 2}": 2,
    "if p == A: end payoff {A: 2, B: 0}\nelse: end payoff {A: 0, B: 1}": 1,
}


@pytest.mark.parametrize(("end", "ways"), ENDS.items())
def test_ends(end: str, ways: int) -> None:
    model = game("owner := p", end=end)
    count(model)
    assert len({tuple(map(each.of, model.players)) for each in symmetries(model)}) == ways


@pytest.mark.parametrize(("chance", "ways"), [("1/2", 2), ("1/3", 1)])
@pytest.mark.parametrize("word", ["prob", "weight"])
def test_outcomes_are_alike_if_they_are_as_likely(word: str, chance: str, ways: int) -> None:
    model = model_of(f"""\
game "Toss"
players A
type Side = heads | tails
start at toss
phase toss:
    chance:
        outcome toss(s in Side) {word} if s == heads then {chance} else 1 - {chance}: end draw
""")
    assert count(model) == ways


# Random rules that are nearly symmetric: what is called a symmetry is one on random plays.
#
# Whatever relabelling is proved, plays and their images are compared on the reference machine.


def check_plays(model: Model, seed: int, plays: int = 3) -> int:
    """Check what is proved of a game on random plays; the number of symmetries."""
    machine, found = ReferenceMachine(model), symmetries(model)
    for number, relabelling in enumerate(found[1:12]):
        for play in range(plays):
            shown = fault(machine, relabelling, Random(f"{seed} {number} {play}"))
            assert not shown, (shown, relabelling.members, relabelling.matrix, relabelling.numbers)
    return len(found)


@settings(max_examples=many(150), deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_made_up_rules_holds_on_plays(number: int) -> None:
    text = made_up(number)
    note(text)
    model, _ = check(Source("made_up.game", text))
    if model is not None:
        check_plays(model, number)


def test_made_up_rules_are_of_all_kinds() -> None:
    """Groups of many sizes are proved, and no size is that of most games: so the test above is not idle."""
    counts: Counter[int] = Counter()
    for number in range(150):
        model, _ = check(Source("made_up.game", made_up(number)))
        counts[0 if model is None else check_plays(model, number, plays=1)] += 1
    assert counts[0] < 60
    assert len(counts) > 6
    assert max(counts.values()) < 60


@settings(max_examples=many(60), deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_random_games_holds_on_plays(number: int) -> None:
    text = write_game(Random(number))
    note(text)
    model, _ = check(Source("random.game", text))
    if model is not None:
        check_plays(model, number)


@settings(max_examples=many(25), deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_typed_rules_holds_everywhere(number: int) -> None:
    """In all of the first positions, for all moves."""
    text = typed_rules(number)
    note(text)
    model, _ = check(Source("typed.game", text))
    if model is not None:
        found = symmetries(model)
        machine = ReferenceMachine(model)
        for relabelling in Random(number).sample(found[1:], min(2, len(found) - 1)):
            shown = fault_somewhere(machine, relabelling, 12)
            assert not shown, (shown, relabelling.members, relabelling.matrix, relabelling.numbers)


def test_typed_rules_are_of_all_kinds() -> None:
    models = [check(Source("typed.game", typed_rules(number)))[0] for number in range(60)]
    sizes = Counter(0 if model is None else len(symmetries(model)) for model in models)
    assert sizes[0] < 10
    assert len(sizes) > 6
    assert max(sizes.values()) < 30
