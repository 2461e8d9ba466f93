"""Everything that a machine shows of a random play."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Machine


def observed(machine: Machine[Any], choices: Random, length: int) -> tuple[list[Any], list[Hashable]]:
    """What solvers and players see of a random play, up to an error of the rules, if there is one; and its positions,
    whose form depends on the machine."""
    seen: list[Any] = []
    positions: list[Hashable] = []
    try:
        state = machine.initial()
        for _ in range(length):
            seen.append((machine.actor(state), machine.is_within_round(state), machine.earned(state)))
            players = range(len(machine.player_names))
            seen.append([tuple(map(str, machine.information_state(state, player))) for player in players])
            positions.append(machine.position(state))
            if machine.actor(state) == END:
                seen.append(machine.payoff(state))
                break
            if machine.actor(state) == CHANCE:
                seen.append(machine.outcomes(state))
                moves = [move for move, _ in seen[-1]]
            else:
                moves = list(machine.moves(state))
                seen.append(moves)
            state = machine.after(state, choices.choice(moves))
    except ZermeloError as error:
        seen.append(str(error))
    return seen, positions
