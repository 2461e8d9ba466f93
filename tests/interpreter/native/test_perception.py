"""What players perceive on the lowered machines, against the reference machine: the same records, word for word."""

from __future__ import annotations

from random import Random

import pytest

import zermelo
from interpreter.machine import CHANCE, END
from interpreter.native.executor import PythonExecutor
from interpreter.native.llvm.executor import CompiledExecutor
from interpreter.native.machine import LoweredMachine
from interpreter.native.perception import Perception
from interpreter.native.program import lower

GAMES = {
    "kuhn_poker": {},
    "rock_paper_scissors": {},
    "prisoners_dilemma": {},
    "forked_roads": {},
    "blind_tic_tac_toe": {},
    "leduc_poker": {},
    "liars_dice": {"sides": 3},
    "liars_dice with two dice": {"sides": 3, "dice": 2},
}


@pytest.mark.parametrize("make", [PythonExecutor, CompiledExecutor])
@pytest.mark.parametrize("name", GAMES)
def test_records_are_the_same(name, make):
    game = zermelo.load(name.split(" ")[0], **GAMES[name])
    reference = game.reference
    program = lower(game.model)
    assert isinstance(program.perception, Perception)
    machine = LoweredMachine(program, make(program))
    there, back = {}, {}
    for seed in range(40):
        random = Random(seed)
        one, two = reference.initial(), machine.initial()
        for _ in range(60):
            actor = reference.actor(one)
            for player in range(len(game.players)):
                known, found = reference.information_state(one, player), machine.information_state(two, player)
                assert tuple(map(str, found)) == tuple(map(str, known))
                assert there.setdefault((player, known), found) == found
                assert back.setdefault((player, found), known) == known
            if actor == END:
                break
            move = reference.draw(one, random) if actor == CHANCE else random.choice(reference.moves(one))
            one, two = reference.after(one, move), machine.after(two, move)
