"""The graph of positions of a small game, found by steps of the reference machine."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from math import lcm

from referee.histories import TooLarge
from zermelo.interpreter.machine import CHANCE, END, Payoff
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph


def explored(machine: ReferenceMachine, most: int = 10_000) -> tuple[PositionGraph, list[ReferenceState]]:
    """The graph of positions of a game, and a state for each of them. Raises :class:`TooLarge`."""
    amounts: dict[Payoff, int] = {(Fraction(0),) * len(machine.player_names): 0}
    numbers: dict[Hashable, int] = {}
    states: list[ReferenceState] = []
    kinds: list[int] = []
    edges: list[list[tuple[Fraction, int, int]]] = []

    def numbered(state: ReferenceState) -> int:
        actor = machine.actor(state)
        key: Hashable = ("end", state.end) if actor == END else ("goes on", machine.position(state))
        if key not in numbers:
            numbers[key] = len(states)
            states.append(state)
            if actor == END:
                assert state.end is not None, "an end pays something"
                kinds.append(PAYS - amounts.setdefault(state.end, len(amounts)))
            else:
                is_within = bool(state.chosen)
                kinds.append(DRAWS if actor == CHANCE else actor + is_within * len(machine.player_names))
        return numbers[key]

    numbered(machine.initial())
    while len(edges) < len(states):
        state = states[len(edges)]
        ways = [(move, Fraction(1)) for move in machine.moves(state)]
        if machine.actor(state) == CHANCE:
            ways = list(machine.outcomes(state))
        found = []
        for move, share in ways:
            after = machine.after(state, move)
            earned = (new - old for old, new in zip(state.earned, after.earned, strict=True))
            reward = tuple(amount / state.factor for amount in earned)
            found.append((share, amounts.setdefault(reward, len(amounts)), numbered(after)))
        edges.append(found)
        if len(states) > most:
            raise TooLarge(f"more than {most} positions")
    firsts = [0]
    for found in edges:
        firsts.append(firsts[-1] + len(found))
    flat = [edge for found in edges for edge in found]
    scales = [lcm(*(share.denominator for share, _, _ in found)) for found in edges]
    weights = [int(share * scale) for found, scale in zip(edges, scales, strict=True) for share, _, _ in found]
    return PositionGraph(
        machine.player_names, kinds, firsts, [target for _, _, target in flat],
        weights if DRAWS in kinds else None,
        [reward for _, reward, _ in flat] if any(reward for _, reward, _ in flat) else None,
        tuple(amounts), machine.discount, machine.endless(),
    ), states  # fmt: skip
