"""A tree written out as thousands of phases: what happens next is found by halving, in texts that Python can read."""

from __future__ import annotations

from random import Random

import zermelo
from interpreter.native.machine import python_machine

DEPTH = 11


def tree(depth: int) -> str:
    """A full binary tree, each decision a phase of its own."""
    lines = ['game "Tree"', "players A, B", "start at node1"]
    for node in range(1, 2**depth):
        lines += [f"phase node{node}:", f"    turn {'AB'[node.bit_length() % 2]}:"]
        for name, child in (("left", 2 * node), ("right", 2 * node + 1)):
            there = f"go node{child}" if child < 2**depth else f"end win {'AB'[child * 7 % 5 % 2]}"
            lines.append(f"        move {name}: {there}")
    return "\n".join(lines) + "\n"


def test_thousands_of_decisions():
    game = zermelo.loads(tree(DEPTH))
    machine = python_machine(game.model, game.machine)
    reference, random = game.machine, Random(7)
    for _ in range(20):
        one, two = reference.initial(), machine.initial()
        while reference.actor(one) >= 0:
            moves = reference.moves(one)
            assert machine.moves(two) == moves
            move = random.choice(moves)
            one, two = reference.after(one, move), machine.after(two, move)
            assert machine.actor(two) == reference.actor(one)
        assert machine.payoff(two) == reference.payoff(one)
