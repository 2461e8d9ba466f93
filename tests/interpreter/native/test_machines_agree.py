"""The lowered machines against the reference machine, move by move, over the bundled games."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import pytest
from all_machines import LOWERED_AT_ONCE
from random_cases import many
from written_games import bundled_model

from zermelo.interpreter.machine import CHANCE, END, Machine
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine

COVERED = (
    "tic_tac_toe",
    "connect_four",
    "nim",
    "pig",
    "kuhn_poker",
    "othello",
    "two_ply_tree",
    "coin_flip_tree",
    "forked_roads",
    "three_player_tree",
    "prisoners_dilemma",
    "rock_paper_scissors",
    "blind_tic_tac_toe",
    "template",
    "checkers",
    "go",
    "backgammon",
    "chess",
    "breakthrough",
    "domineering",
    "hex",
    "chomp",
    "kalah",
    "subtraction_game",
    "fibonacci_nim",
    "dots_and_boxes",
    "dice_race",
    "n_person_nim",
    "pirates",
    "uniform_tree",
    "monotone_transformation_with_dice",
    "horizon_effect",
    "tug_of_war",
    "bear_off",
    "bear_off_race",
    "brinkmanship",
    "dobutsu_shogi",
    "gamblers_ruin",
    "hypergammon",
    "landlords",
    "ludo",
    "parking",
    "rock_paper_scissors_match",
    "rook_ending",
    "snakes_and_ladders",
    "three_mens_morris",
)
LONG = {
    "breakthrough": 3,
    "hex": 2,
    "domineering": 3,
    "othello": 2,
    "checkers": 2,
    "go": 1,
    "backgammon": 1,
    "dobutsu_shogi": 3,
    "hypergammon": 2,
    "chess": 1,
}


def hold_against_reference(model: Model, machine: Machine[Any], plays: int, seed: int) -> None:
    reference = ReferenceMachine(model)
    random = Random(seed)
    there: dict[Hashable, Hashable] = {}
    back: dict[Hashable, Hashable] = {}
    for _ in range(plays):
        one, two = reference.initial(), machine.initial()
        for _ in range(120):
            actor = reference.actor(one)
            assert machine.actor(two) == actor
            here, also = reference.position(one), machine.position(two)
            assert there.setdefault(here, also) == also
            assert back.setdefault(also, here) == here
            if actor == END:
                assert machine.payoff(two) == reference.payoff(one)
                assert machine.play(two) == reference.play(one)
                break
            if actor == CHANCE:
                outcomes = reference.outcomes(one)
                assert machine.outcomes(two) == outcomes
                move = random.choice(outcomes)[0]
            else:
                moves = reference.moves(one)
                assert machine.moves(two) == moves
                move = random.choice(moves)
            one, two = reference.after(one, move), machine.after(two, move)
            assert machine.earned(two) == reference.earned(one)


@pytest.mark.parametrize("name", COVERED)
@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
def test_a_bundled_game_plays_as_on_the_reference_machine(name: str, make: Callable[[Model], Machine[Any]]) -> None:
    model = bundled_model(name)
    hold_against_reference(model, make(model), many(LONG.get(name, 12)), seed=1)
