"""Set arguments too wide for a mask in a move, or too many for a list of moves: ranking and rejection sampling."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from importlib.resources import files
from itertools import combinations
from random import Random
from typing import Any

import drawing_kernel
import pytest
from all_machines import native_machine, needs_llvm, python_machine
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Text
from zermelo.interpreter.native.rules import sampling
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.state_encoding import move_codes as pools
from zermelo.interpreter.native.state_encoding.encoding import RankedSets, rank_sets
from zermelo.solvers.search.random_plays import random_plays

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


@pytest.mark.parametrize("weight", ["", "weight 1 + size(h)"])
def test_rejection_draws_by_exact_weights(weight: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_MOST_TRIES", 1)
    monkeypatch.setattr(pools, "ROOM", 7)
    small = MANY.replace("1..9", "1..4").replace("{2, 3, 5, 7}", "{2, 3}").replace("(Card, 3)", "(Card, 2)")
    small = small.replace("(Card - h, 2)", "(Card - h, 1)").replace("WEIGHT", weight)
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
