"""Drawn moves: exactly the legal ones, all equally likely, and the same on both executors.

That a draw is uniform follows from two facts, which are tested at every position of some plays: the first candidate
drawn from the pool can be each legal move, exactly once, or one that is rejected; and after a rejection the same holds
of a pool smaller by one. So after any rejections all legal moves are equally likely to be next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from itertools import combinations
from random import Random
from typing import Any

import drawing_kernel
import pytest
from all_machines import MAKERS, native_machine, needs_llvm, python_machine
from hypothesis import given
from hypothesis import strategies as st
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.native.dialect.kernel_source import instantiate, kernel
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Text
from zermelo.interpreter.native.rules import sampling
from zermelo.interpreter.native.running.kernels import PythonKernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import unpack_state
from zermelo.interpreter.native.state_encoding import move_bounds as pools
from zermelo.interpreter.native.state_encoding.encoding import RankedSets, rank_sets
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels.plays import Series, go_on
from zermelo.solvers.search.random_plays import play_by_kernel, random_plays

POOLS = """\
game "Pools"

players A, B

type Cell = grid(3, 2)
type Pair = (one: Cell, two: Cell)

var board[Cell]: Player? = none
var clock: 0..9 = 0

define lonely(c: Cell) = board[c] is none and no d in neighbours(c, orthogonal): board[d] == A

start at play(A)

phase play(p: Player):
    turn p:
        move put(c in Cell) if lonely(c) ensuring clock < 6 or c != a1:
            board[c] := p
            clock := min(9, clock + 1)
            go play(other p)
        move swap(c in Cell, d in neighbours(c)) if board[c] == A and c.x <= d.x
                ensuring some e in Cell: board[e] == A and e.y == 2:
            let held = board[c]
            board[c] := board[d]
            board[d] := held
            clock := min(9, clock + 1)
            go toss(p)
        move rest if clock < 5 ensuring board[a1] is none or board[b2] is none:
            clock := clock + 1
            go play(other p)
        move leave if clock == 9:
            end draw
    otherwise:
        end draw

phase toss(p: Player):
    chance:
        outcome stays weight 1 + clock:
            go play(other p)
        outcome falls(c in Cell) if board[c] == B weight c.x:
            board[c] := none
            go play(other p)
"""

GAMES = (
    "tic_tac_toe",
    "connect_four",
    "othello",
    "go",
    "checkers",
    "chess",
    "backgammon",
    "kuhn_poker",
    "pig",
    "rock_paper_scissors",
)


def machine_of(name: str, make: Callable[..., LoweredMachine] = python_machine, **parameters: Any) -> LoweredMachine:
    text = POOLS if name == "pools" else files("zermelo.gamedefs").joinpath(f"{name}.game").read_text()
    model, findings = check(Source(f"{name}.game", text), parameters)
    assert model is not None, findings
    return make(model)


class Aside(Exception):
    """A draw needed more numbers than it was given."""


class Drawer:
    """Draws with given numbers instead of random ones."""

    def __init__(self, machine: LoweredMachine) -> None:
        self.machine = machine
        self.functions = execute(machine.program.text)
        self.kernels = PythonKernels(machine.program, kernel(go_on))
        self.functions["drawn"] = self._drawn
        self.given: list[int] = []
        self.bounds: list[int] = []

    def _drawn(self, registers: list[int], bound: int) -> int:
        self.bounds.append(bound)
        if len(self.bounds) > len(self.given):
            raise Aside
        return self.given[len(self.bounds) - 1]

    def draw(self, state: Any, given: list[int]) -> int | None:
        """The move number drawn with these numbers; None if there are too few."""
        program = self.machine.program
        self.given, self.bounds = given, []
        room = [0] * program.constants["MOVES"]
        kernels, held = self.kernels, [0] * program.layout.size
        kernels.put(held, state.packed)  # writes the history to the context
        try:
            context = kernels.border.context
            return int(self.functions["sample"](context, held, room, [0] * program.constants["MOVES"], [0]))
        except Aside:
            return None

    def firsts(self, state: Any, before: list[int]) -> tuple[Counter[int], list[int]]:
        """The results of the next number after ``before`` have been rejected: the moves, and the numbers that are
        rejected."""
        assert self.draw(state, before) is None, "a draw that comes to an end asks for no more"
        found: Counter[int] = Counter()
        fallen = []
        for number in range(self.bounds[-1]):
            move = self.draw(state, [*before, number])
            if move is None or move < 0:
                fallen.append(number)
            else:
                found[move] += 1
        return found, fallen


def hold_draws_against_lists(machine: LoweredMachine, plays: int, seed: int) -> int:
    """Test every position of some plays; the number of those with a rejection."""
    random, drawer, fallen_ones = Random(seed), Drawer(machine), 0
    for _ in range(plays):
        state = machine.initial()
        for _ in range(30):
            actor = machine.actor(state)
            if actor == END:
                break
            if actor == CHANCE:
                outcomes = machine.executor.outcomes(state.packed)
                total = sum(weight for _, weight in outcomes)
                found, fallen = drawer.firsts(state, [])
                size = sum(found.values())
                assert not fallen
                assert {m: Fraction(n, size) for m, n in found.items()} == {m: Fraction(w, total) for m, w in outcomes}
                state = machine.after(state, random.choice(machine.outcomes(state))[0])
                continue
            legal = Counter(machine.executor.moves(state.packed))
            before: list[int] = []
            while True:
                found, fallen = drawer.firsts(state, before)
                assert found == legal
                if not fallen or len(before) == 3:
                    break
                fallen_ones += 1
                before.append(random.choice(fallen))
            state = machine.after(state, random.choice(machine.moves(state)))
    return fallen_ones


@pytest.mark.parametrize("name", [*GAMES, "pools"])
def test_every_legal_move_is_equally_likely(name: str) -> None:
    parameters = {"othello": {"size": 4}, "go": {"size": 3}}.get(name, {})
    plays = {"pools": 12, "chess": 1, "checkers": 1, "backgammon": 1}.get(name, 2)
    fallen = hold_draws_against_lists(machine_of(name, **parameters), plays, seed=4)
    assert fallen > 0 or name not in ("connect_four", "othello", "go", "pools")


def played(machine: LoweredMachine, seed: int, plays: int) -> tuple[list[int], list[int]]:
    """The results of some random plays of the kernel."""
    kernels = machine.load(kernel(go_on))
    series = kernels.new(Series)
    series.seed, series.limit = seed, 60
    kernels.put(series.root, machine.initial().packed)
    kernels.call(go_on, series, plays, 1 << 20)
    return [series.number, series.moves, series.given_up, series.longest, series.random[0]], list(series.payoffs)


@needs_llvm
@pytest.mark.parametrize("name", [*(name for name in GAMES if name != "chess"), "pools"])
def test_the_same_seed_gives_the_same_plays_on_both_executors(name: str) -> None:
    here = played(machine_of(name), seed=7, plays=3)
    assert here == played(machine_of(name, native_machine), seed=7, plays=3)
    assert here[0][0] == 3
    assert here != played(machine_of(name), seed=8, plays=3)


def test_draws_cover_all_moves_and_are_not_lopsided() -> None:
    machine = machine_of("tic_tac_toe")
    program = machine.program
    functions = execute(program.text)
    state, registers = machine.initial(), [5]
    room = [0] * program.constants["MOVES"]
    found = Counter(
        functions["sample"]([0], unpack_state(state.packed, program.layout), room, list(room), registers)
        for _ in range(3000)
    )
    assert set(found) == set(machine.executor.moves(state.packed))
    assert min(found.values()) > 250 and max(found.values()) < 420


# Set arguments too wide for a mask in a move, or too many for a list of moves: ranking and rejection sampling.


BOARD = """
game "Sets on a board"
players A, B
type Cell = grid(8, 9)
var taken: set of Cell = {}
var width: 0..5 = 0
var round: 0..4 = 0
start at size(A)
phase size(p: Player):
    if round == 4: end win (if a1 in taken then A else B)
    turn p:
        move width(k in 0..5) if k != width:
            width := k
            go choose(p)
phase choose(p: Player):
    turn p:
        move take(s in subsets({c in Cell if c.y == 9 or c == a1} - taken, width)):
            taken := taken + s
            round += 1
            go size(other p)
        move row(l in rows(Cell)) if size(l * taken) > 0:
            taken := taken - l
            round += 1
            go size(other p)
    otherwise:
        round += 1
        go size(p)
"""

MANY = """
game "Deals"
players A, B
type Card = 1..9
type Pair = (one: Card, two: Card)
var left: set of Card = {2, 3, 5, 7}
var held: set of Card = {}
var sum_of: 0..99 = 0
start at deal
phase deal:
    chance:
        outcome deal(h in subsets(Card, 3), k in subsets(Card - h, 2), c in left) if c not in h WEIGHT:
            held := h
            sum_of := (sum x in k: x) + c
            go play
        outcome other_deal(a in Card, h in subsets(left, a % 3)) WEIGHT:
            held := h
            sum_of := a
            go play
phase play:
    turn A:
        move stop(a in held, b in Card) ensuring a != b:
            end payoff {A: a * b, B: sum_of}
    otherwise: end draw
"""


def machines(text: str, make: Any) -> tuple[Any, LoweredMachine]:
    game = zermelo.loads(text)
    return game.machine, make(game.model)


@given(size=st.integers(1, 11), data=st.data())
def test_ranks_number_the_sets_without_a_gap(size: int, data: st.DataObject) -> None:
    least = data.draw(st.integers(0, size))
    storage = RankedSets(size, least, data.draw(st.integers(least, size)))
    masks = [
        sum(1 << place for place in places)
        for count in range(storage.least, storage.most + 1)
        for places in combinations(range(size), count)
    ]
    assert sorted(map(storage.put, masks)) == list(range(len(masks)))
    assert all(storage.take(storage.put(mask)) == mask for mask in masks)
    assert (len(masks) - 1) >> storage.width == 0
    text = Text()
    storage.write_functions(text)
    functions = execute("from __future__ import annotations\n" + text.render())
    for mask in masks:
        assert functions[storage.put_text("m").removesuffix("(m)")](mask) == storage.put(mask)
        assert functions[storage.take_text("x").removesuffix("(x)")](storage.put(mask)) == mask


def test_sets_of_the_wrong_size_have_no_rank() -> None:
    assert RankedSets(8, 2, 3).put(0b1111) == RankedSets(8, 2, 3).put(1) == -1


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_moves_with_sets_of_any_width(make: Any) -> None:
    reference, machine = machines(BOARD, make)
    rows = machine.program.model.phases["choose"].decision.moves[1].parameters[0]
    assert (rank_sets(rows).least, rank_sets(rows).most) == (8, 8)
    random = Random(2)
    sizes = set()
    for _ in range(8):
        one, two = reference.initial(), machine.initial()
        while reference.actor(one) != END:
            assert two.packed is not None
            moves = reference.moves(one)
            assert machine.moves(two) == moves
            sizes.add(len(moves))
            move = random.choice(moves)
            one, two = reference.after(one, move), machine.after(two, move)
            assert machine.actor(two) == reference.actor(one)
        assert machine.payoff(two) == reference.payoff(one)
    assert max(sizes) > 20


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_dealt_hands_play_as_on_the_reference_machine(make: Any) -> None:
    reference, machine = machines(files("zermelo.gamedefs").joinpath("four_card_whist.game").read_text(), make)
    random = Random(3)
    for _ in range(4):
        one, two = reference.initial(), machine.initial()
        while reference.actor(one) != END:
            assert machine.actor(two) == reference.actor(one)
            if reference.actor(one) == CHANCE:
                move = machine.draw(two, random)
            else:
                moves = reference.moves(one)
                assert machine.moves(two) == moves
                for player in range(2):
                    told, known = reference.information_state(one, player), machine.information_state(two, player)
                    assert tuple(known) == tuple(told)
                move = random.choice(moves)
            one, two = reference.after(one, move), machine.after(two, move)
            assert two.packed is not None, "a deal is a number here, too"
        assert machine.payoff(two) == reference.payoff(one)


def chances(program: Any, state: list[int]) -> dict[int, Fraction]:
    """The exact probability of every move, and of -1, in one try of ``draw_0``."""
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    functions = execute(program.text)

    def follow(given: list[int], share: Fraction) -> None:
        bounds: list[int] = []

        class Aside(Exception):
            pass

        def drawn(registers: list[int], bound: int) -> int:
            bounds.append(bound)
            if len(bounds) > len(given):
                raise Aside
            return given[len(bounds) - 1]

        functions["drawn"] = drawn
        try:
            found[functions["draw_0"]([0] * 9, list(state), [0])] += share
        except Aside:
            for number in range(bounds[-1]):
                follow([*given, number], share / bounds[-1])

    follow([], Fraction(1))
    return dict(found)


THIRD = """\
        outcome third(b in Card) WEIGHT:
            held := {b}
            go play
phase play:"""


@pytest.mark.parametrize(
    ("cards", "weights"),
    [
        (4, ("", "", "")),  # several second sets are left whatever the first
        (3, ("", "", "")),
        (3, ("weight 1 + size(h)", "weight 1 + size(h)", "weight b")),
        (3, ("weight 1", "weight 3", "weight 2")),
        (3, ("weight 1/2", "weight 2/3", "weight 3/4")),
        (3, ("prob 1/8", "prob 1/16", "prob 1/6")),  # of two, four and three outcomes
    ],
)
def test_rejection_draws_by_exact_weights(
    cards: int, weights: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "_MOST_TRIES", 1)
    monkeypatch.setattr(pools, "ROOM", 7)
    small = (
        MANY.replace("phase play:", THIRD)
        .replace("1..9", f"1..{cards}")
        .replace("{2, 3, 5, 7}", "{2, 3}")
        .replace("(Card, 3)", "(Card, 2)")
    )
    small = small.replace("(Card - h, 2)", "(Card - h, 1)")
    for weight in weights:
        small = small.replace("WEIGHT", weight, 1)
    reference, machine = machines(small, python_machine)
    state = [0] * machine.program.layout.size
    execute(machine.program.text)["begin"]([0] * machine.program.history.context, state)
    found = chances(machine.program, state)
    kept = 1 - found.pop(-1)
    assert 0 < kept < 1
    decode = machine.program.moves.decode
    assert {decode(move): share / kept for move, share in found.items()} == dict(
        reference.outcomes(reference.initial())
    )


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_random_plays_of_deals_that_no_list_holds(make: Any) -> None:
    reference, machine = machines(MANY.replace("WEIGHT", ""), make)
    assert "def draw_0(" in machine.program.text
    kernels = machine.load(kernel(drawing_kernel.draw))
    drawing = kernels.new(drawing_kernel.Draw)
    for _ in range(40):
        drawn = kernels.call(drawing_kernel.draw, drawing)
        reference.after(reference.initial(), machine.program.moves.decode(drawn))
    assert random_plays(machine, machine.initial(), 5, 1).plays == 5


# Weights and probabilities of any size: exact up to 61 bits, beyond that on the reference machine.


GAME = """
game "Weights"
players A, B
var drawn: 0..99 = 0
var grown: 0..5 = GROWN
start at draw
phase draw:
    chance:
        outcome one KIND FIRST:
            drawn := 1
            go play
        outcome some(k in 1..3) KIND SECOND:
            drawn := k
            go play
phase play:
    turn A:
        move stop: end payoff {A: drawn, B: -drawn}
"""


def game(kind: str, first: str, second: str, grown: int = 3) -> zermelo.Game:
    text = GAME.replace("KIND", kind).replace("FIRST", first).replace("SECOND", second).replace("GROWN", str(grown))
    return zermelo.loads(text)


CASES = [
    ("weight", "10000000000", "k", 3),
    ("weight", "10000000000 * grown", "k", 0),
    ("weight", "1000000000 * grown / 7", "k / 3", 3),
    ("weight", "300000000000000000", "k * 300000000000000000", 3),
    ("prob", "999999/1000003", "4/3000009", 3),
    ("prob", "7/16777215", "16777208/50331645", 3),
]
BEYOND = [
    ("weight", "1000000000000000000", "k * 400000000000000000", 3),
    ("weight", "3000000000000000000", "k", 3),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("case", [*CASES, *BEYOND])
def test_large_weights_are_exact(case: tuple[str, str, str, int], make: Any) -> None:
    reference = game(*case).machine
    machine = make(reference.model)
    state = machine.initial()
    assert machine.outcomes(state) == reference.outcomes(reference.initial())
    assert state.is_overfull == (case in BEYOND)
    for outcome, _ in machine.outcomes(state):
        one = reference.after(reference.initial(), outcome)
        two = machine.after(state, outcome)
        assert two.packed is not None or case in BEYOND
        (stop,) = machine.moves(two)
        assert machine.payoff(machine.after(two, stop)) == reference.payoff(reference.after(one, stop))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("case", "code"),
    [
        (("weight", "10000000000 * (grown - 4)", "k", 3), "negative-weight"),
        (("prob", "grown / 16777215", "16777208/50331645", 3), "bad-probabilities"),
    ],
)
def test_large_weights_go_wrong_as_on_the_reference_machine(case: Any, code: str, make: Any) -> None:
    reference = game(*case).machine
    found = []
    for machine in (reference, make(reference.model)):
        with pytest.raises(PlayError) as error:
            machine.outcomes(machine.initial())
        found.append((error.value.code, str(error.value)))
    assert found[0] == found[1]
    assert found[0][0] == code


def test_solvers_weigh_exactly() -> None:
    loaded = game("weight", "10000000000 * grown", "k", 3)
    found = {
        name: solve(machine, facts(loaded.model), "expectiminimax").value
        for name, machine in (("reference", loaded.machine), ("native", python_machine(loaded.model)))
    }
    assert found["native"] == found["reference"]
    assert found["native"][0] == Fraction(30000000014, 30000000006)


@pytest.mark.parametrize("make", MAKERS)
def test_random_plays_draw_by_large_weights(make: Any) -> None:
    reference = game("weight", "30000000000", "k * 5000000000", 3).machine
    machine = make(reference.model)
    plays = play_by_kernel(machine, machine.initial(), 2000, 1, lambda _: None, Limits(), 1)
    assert plays.mean_payoffs is not None
    mean = Fraction(1, 2) + Fraction(1 + 4 + 9, 12)
    assert abs(plays.mean_payoffs[0] - mean) < Fraction(1, 12)


@pytest.mark.parametrize("bound", [3 << 59, (1 << 61) - 1, 5 << 40, (1 << 20) + 1, 3])
def test_large_numbers_are_drawn_evenly(bound: int) -> None:
    text = Text()
    instantiate(text, "sampling", {"drawn_below": "drawn", "drawn_large": "drawn_large"})
    functions = execute("from __future__ import annotations\n" + text.render())
    registers = [1]
    drawn = [functions["drawn"](registers, bound) for _ in range(3000)]
    assert min(drawn) >= 0 and max(drawn) < bound
    for third in range(3):
        share = sum(third * bound <= 3 * number < (third + 1) * bound for number in drawn) / len(drawn)
        assert abs(share - 1 / 3) < 0.03
