"""Canonical forms of states, on both executors, beside the reference machine."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import pytest
from all_machines import LOWERED_AT_ONCE, python_machine
from hypothesis import given, note, settings
from hypothesis import strategies as st
from images_kernel import Asked, bring
from near_symmetries import made_up
from random_cases import many
from relabelled_plays import move_image, state_image
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import END, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.algorithms import phases
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.images import images
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.group import symmetries

KINDS = """\
game "All kinds of values"
players Ann, Bob
type Cell = grid(3, 3)
type Suit = hearts | spades | clubs
type Card = (suit: Suit, rank: 1..3)
var marks[Cell]: Suit? = none
var ours: set of Cell = {b2}
var maybe: set of Suit? = none
var held[Player, Suit]: set of Cell = {}
var cards[Suit]: Card? = none
var facing: Direction = north
var newest: Cell? = none
var points[Player]: 0..9 = 0
var heaps[1..3]: 0..20 = 9
start at play(Ann, b2)
phase play(p: Player, at: Cell):
    turn p:
        move mark(c in Cell, s in Suit) if marks[c] is none:
            marks[c] := s
            ours += {c}
            newest := c
            maybe := {s}
            go play(other p, at)
        move hold(s in Suit) if ours != {}:
            held[p, s] += ours
            ours := {}
            cards[s] := (s, 2)
            maybe := none
            go play(other p, at)
        move turn_to(d in neighbours(at)):
            facing := direction(at, d)
            points[p] := (points[p] + 1) % 10
            go play(other p, d)
        move take(h in 1..3, n in 1..3) if heaps[h] >= n:
            heaps[h] -= n
            go play(other p, at)
        move stop if size(ours) > 2:
            end win p
"""


def orbits(model: Model, make: Callable[[Model], LoweredMachine], plays: int, length: int) -> int:
    """Check on random plays that states get the same key if and only if one is an image of the other, and that the
    moves of the canonical form are those of the state, renamed; the number of different keys."""
    reference, machine, found = ReferenceMachine(model), make(model), symmetries(model)
    keys: dict[tuple[int, ...], frozenset[Hashable]] = {}
    code = kernel(bring).with_rules(images(machine.program, found).text)

    def work(kernels: Any) -> None:
        asked = kernels.new(Asked)
        for seed in range(plays):
            random, state, there = Random(seed), reference.initial(), machine.initial()
            for _ in range(length):
                if reference.actor(state) == END:
                    break
                kernels.put(asked.state, there.packed)
                kernels.call(bring, asked)
                orbit = frozenset(reference.position(state_image(model, each, state)) for each in found)
                assert keys.setdefault(tuple(asked.key[: len(asked.key)]), orbit) == orbit
                listed = reference.moves(state) or [move for move, _ in reference.outcomes(state)]
                moves = {machine.program.moves.decode(number) for number in asked.legal[: asked.count]}
                assert moves == {move_image(model, found[asked.image], state, move) for move in listed}
                if not listed:
                    break
                move = random.choice(listed)
                try:
                    state, there = reference.after(state, move), machine.after(there, move)
                except PlayError:
                    break

    machine.run(code, work)
    assert len(set(keys.values())) == len(keys)
    return len(keys)


@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
@pytest.mark.parametrize("name", ["tic_tac_toe", "dobutsu_shogi", "connect_four", "nim", "dice_race", "dots_and_boxes"])
def test_images_of_one_another_have_one_key(name: str, make: Callable[[Model], LoweredMachine]) -> None:
    assert orbits(bundled_model(name), make, 12, 20) > 12


@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
def test_small_games_meet_the_same_orbits_again(make: Callable[[Model], LoweredMachine]) -> None:
    """Of three men's morris nearly all orbits of the first moves are met many times."""
    assert orbits(bundled_model("three_mens_morris"), make, 60, 5) < 150


@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
def test_all_kinds_of_values(make: Callable[[Model], LoweredMachine]) -> None:
    model = model_of(KINDS)
    assert (
        len(symmetries(model)) == 2 * 8 * 2 * 2
    )  # the players, the square, two suits, two heaps: with more there are too many
    assert orbits(model, make, 12, 15) > 50


@settings(max_examples=many(40), deadline=None)
@given(st.integers(0, 1_000_000))
def test_made_up_rules(number: int) -> None:
    """Boards of all kinds, sets, none, chance and earnings."""
    text = made_up(number)
    note(text)
    model, _ = check(Source("made_up.game", text))
    if model is not None:
        try:
            orbits(model, python_machine, 3, 8)
        except PlayError:  # already at the beginning, or in what the moves of a position are
            return


def test_the_history_of_a_play_has_no_images() -> None:
    program = lower(bundled_model("go", size=2))
    with pytest.raises(Unsupported, match="images"):
        images(program, symmetries(bundled_model("go", size=2)))


def test_keys_are_compared_word_by_word_without_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phases, "KEY", 2, raising=False)
    monkeypatch.setattr(phases, "HALF", (1 << 32) - 1, raising=False)
    words = [0, 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 33) + 5, (1 << 33) + 4, (1 << 62) + 3, -(1 << 63), -1]
    keys: list[Any] = [(one, other) for one in words for other in words]

    def unsigned(key: tuple[int, int]) -> list[int]:
        return [word % (1 << 64) for word in key]

    for one in keys:
        for other in keys:
            assert bool(phases.is_less(one, other)) == (unsigned(one) < unsigned(other))
