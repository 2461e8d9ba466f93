"""A tree of thousands of phases: dispatch by bisection, in texts that Python can parse."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from all_machines import python_machine
from played_alike import play_alike

import zermelo
from zermelo.interpreter.machine import END

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


def test_hundreds_of_draws():
    """Outcomes of chance are listed once for each phase, in the same time for each."""
    text = tree(9).replace("    turn B:", "    chance:")
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if line == "    chance:":
            lines[k + 1] = lines[k + 1].replace("move left", "outcome left weight 3")
            lines[k + 2] = lines[k + 2].replace("move right", "outcome right")
    game = zermelo.loads("\n".join(lines) + "\n")
    machine = python_machine(game.model)
    one, two = game.machine.initial(), machine.initial()
    while game.machine.actor(one) != END:
        assert machine.outcomes(two) == game.machine.outcomes(one)
        move = (game.machine.moves(one) or [outcome for outcome, _ in game.machine.outcomes(one)])[0]
        one, two = game.machine.after(one, move), machine.after(two, move)
    assert machine.payoff(two) == game.machine.payoff(one)
    lots = [values for (_, values) in map(_lots, machine.program.text.splitlines()) if values]
    assert any(sorted(Counter(values).values()) == [1, 3] for values in lots)


def _lots(line: str) -> tuple[str, list[int]]:
    """A table of the program's text: its name and its values."""
    found = re.fullmatch(r"(T__\d+) = \((.+?),?\)", line)
    return ("", []) if found is None else (found[1], [int(value) for value in found[2].split(",")])


def test_thousands_of_decisions():
    game = zermelo.loads(tree(DEPTH))
    machine = python_machine(game.model)
    reference, random = game.machine, Random(7)
    for _ in range(20):
        play_alike(reference, machine, reference.initial(), machine.initial(), random)
