"""A policy from a file: the output of ``zermelo solve --policy --json``, or of ``--positions FILE.json``.

A policy has a decision for each position of its game, and says it in words. To follow it in every history, its game is
gone through once more, from the root of the extensive form down, beside a machine that says which position each node
is. Where players choose at once the position is that after the first choices of those before, of all nodes that the
player cannot tell apart: so each information set takes the decision of the one that the policy names.

Cost: one step of the machine for every node, and for each position its words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from zermelo.game import Game, State
from zermelo.interpreter.machine import TellingMachine
from zermelo.policies.advice import state_text
from zermelo.policies.listed_moves import probabilities, quoted, refuse
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm
from zermelo.solving import on_machine

_BYTES_OF_NODE: Final = 500
"""The memory that a node takes while the game is gone through, about: a position and its place in a table."""


@frozen
class Listed:
    """A decision of a file: where it stands, for messages, and its moves with their probabilities, as written."""

    here: str
    moves: Mapping[str, Any]


def listing(game: Game) -> str:
    """Which command writes a file for a game, in words."""
    if Need.PUBLIC.is_met(game.facts):
        return "`zermelo solve GAME --positions FILE.json` writes down what to do in every position"
    return "`zermelo solve GAME --json` prints strategies"


def listed_policy(
    name: str, listed: Any, begin: State, tree: ExtensiveForm, limits: Limits
) -> dict[int, list[Fraction]]:
    """The probabilities of the moves in the information sets of the game that begins in a state, with this ``tree``, as
    the policy of a file ``listed`` them. A best move will do where several are listed: the first is made.

    Raises ``ZermeloError``: ``bad-strategy``, ``out-of-memory``, ``out-of-time``."""
    decisions = listed_decisions(name, listed, tree.player_names)
    limits.require(_BYTES_OF_NODE * tree.nodes, "the positions of a policy")
    machine = begin.game.searching
    sets = tree.information_sets
    words: dict[tuple[str, Hashable], str] = {}
    found: dict[int, tuple[str, list[Fraction]]] = {}
    unsaid: dict[int, str] = {}
    for node, state in _states(machine, on_machine(begin, machine), tree, limits):
        s = tree.sets_of[node]
        if s == CHANCE_NODE or sets.count(s) == 1:
            continue
        player = tree.player_names[sets.players[s]]
        position = player, machine.position(state)
        if position not in words:
            words[position] = state_text(begin.game, machine, state)
        told = decisions.get((player, words[position]))
        if told is None:
            unsaid.setdefault(s, f"{player} does at {words[position]}")
            continue
        chances = probabilities(name, told.here, tuple(map(str, sets.moves_of(s))), told.moves)
        here, before = found.setdefault(s, (told.here, chances))
        if before != chances:
            refuse(name, f"{here} and {told.here} differ, but the player cannot tell their positions apart")
    for s, what in unsaid.items():
        if s not in found:
            refuse(name, f"it does not say what {what}", listing(begin.game))
    return {s: chances for s, (_, chances) in found.items()}


def listed_decisions(name: str, listed: Any, players: Sequence[str]) -> dict[tuple[str, str], Listed]:
    """The decisions of a policy, by their players and the words of their positions. Raises ``ZermeloError``
    (``bad-strategy``)."""
    if not isinstance(listed, list):
        refuse(name, "its policy is not a list of decisions")
    found: dict[tuple[str, str], Listed] = {}
    for number, decision in enumerate(listed, 1):
        here = f"decision {number} of the policy"
        if not isinstance(decision, dict) or not isinstance(decision.get("position"), str):
            refuse(name, f"{here} does not say in which position (`position`)")
        text, player, moves = decision["position"], decision.get("player"), decision.get("moves")
        if not isinstance(player, str) or player not in players:
            refuse(name, f"{here} is for {quoted(player)}, a player that the game does not have")
        if not isinstance(moves, dict) or not moves:
            refuse(name, f"{here} lists no moves")
        if not any(moves.values()):
            moves = {move: int(k == 0) for k, move in enumerate(moves)}
        if found.setdefault((player, text), Listed(here, moves)).moves != moves:
            refuse(name, f"{here} is not what an earlier one says of the same position")
    return found


def _states(machine: TellingMachine[Any], root: Any, tree: ExtensiveForm, limits: Limits) -> Iterator[tuple[int, Any]]:
    """Every node, with a state of it, from the root down. A state is kept until those behind it have been made."""
    states = {tree.nodes - 1: root}
    for node in reversed(range(tree.nodes)):  # a node is numbered after its children
        if node % 256 == 0:
            limits.check({"nodes": tree.nodes - node})
        state, s = states.pop(node), tree.sets_of[node]
        moves = (
            tuple(outcome for outcome, _ in machine.outcomes(state))
            if s == CHANCE_NODE
            else tree.information_sets.moves_of(s)
        )
        for edge, move in zip(range(tree.firsts[node], tree.firsts[node + 1]), moves, strict=True):
            child = tree.children[edge]
            if child >= 0 and child not in states:
                states[child] = machine.after(state, move)
        yield node, state
