"""The tree of a game as a picture shows it: values at the nodes, best moves, probabilities, information sets."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from zermelo.drawing.captions import LONG, in_short, titled
from zermelo.drawing.grown_tree import NODES, GrownNode, grow
from zermelo.drawing.worths_of_nodes import NodeWorth, Worths, worths_of
from zermelo.game import CHANCE, State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE as CHANCE_ACTS
from zermelo.interpreter.machine import END, Payoff, shown
from zermelo.meanings import is_told_by_one
from zermelo.numbers import short_text
from zermelo.pictures.drawn_tree import DrawnNode, DrawnTree
from zermelo.solvers.common.limits import Limits
from zermelo.solving import informed


def drawn_game(
    root: State,
    depth: float = inf,
    most: int = NODES,
    solver: str | None = None,
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> DrawnTree:
    """The tree of a game from a state on: ``depth`` levels below it, and whole levels of ``most`` nodes together. A
    node beyond which the play goes on outside the picture says how much lies there.

    Raises ``ZermeloError`` as :func:`zermelo.solve` does, if a ``solver`` is named."""
    nodes = grow(root, depth, most, progress)
    worths = worths_of(nodes, solver, limits or Limits(), progress or (lambda count: None))
    return drawn_nodes(nodes, worths, informed(root.game))


def drawn_nodes(nodes: list[GrownNode], worths: Worths, facts: Facts) -> DrawnTree:
    """The tree of these nodes, the first of which is its root, with what they are worth."""
    root = nodes[0].state
    is_told = is_told_by_one(facts)
    drawn = [_drawn(number, nodes, worths, is_told) for number in range(len(nodes))]
    return DrawnTree(
        titled(root),
        root.game.players,
        tuple(drawn),
        _information_sets(nodes),
        _remarks(root, worths, is_told, any(node.is_cut for node in nodes)),
    )


def _drawn(number: int, nodes: list[GrownNode], worths: Worths, is_told: bool) -> DrawnNode:
    node, own = nodes[number], worths.nodes[number]
    label: list[str] = []
    is_best = False
    if node.parent is not None and node.move is not None:
        above = worths.nodes[node.parent]
        place = number - nodes[node.parent].children[0]  # children follow each other
        label.append(shown(node.move))
        is_best = place in above.best
        likely = node.probability if above.chances is None else above.chances[place]
        if likely is not None and len(nodes[node.parent].children) > 1:
            label.append(in_short(likely))
    return DrawnNode(
        node.parent,
        _actor(node.state),
        tuple(label),
        _worth(own, is_told),
        is_best=is_best,
        folded=_folded(node, own) if node.is_cut else None,
    )


def _actor(state: State) -> int:
    if state.actor is None:
        return END
    return CHANCE_ACTS if state.actor == CHANCE else state.game.number(state.actor)


def _folded(node: GrownNode, worth: NodeWorth) -> str:
    """What lies below a node that the picture leaves out."""
    if worth.below:
        return f"{worth.below:,} node{'s' if worth.below > 1 else ''}"
    return f"{node.outcomes:,} outcomes" if node.outcomes else "goes on"


def _worth(worth: NodeWorth, is_told: bool) -> str:
    """A value: the first player's alone where it says what the others get, too."""
    if worth.payoff is None:
        return ""
    if is_told or len(worth.payoff) == 1:
        value = worth.payoff[0]
        return short_text((value - worth.error, value + worth.error)) if worth.error else in_short(value)
    return tuple_text(worth.payoff)


def tuple_text(payoff: Payoff) -> str:
    """What all players get."""
    return f"({', '.join(map(in_short, payoff))})"


def _information_sets(nodes: list[GrownNode]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The nodes that their player cannot tell apart, two at least."""
    found: dict[tuple[int, Any], list[int]] = {}
    for number, node in enumerate(nodes):
        actor = node.state.actor
        if actor is not None and actor != CHANCE:
            known = tuple(node.state.information_state(actor))
            found.setdefault((_actor(node.state), known), []).append(number)
    return tuple((player, tuple(alike)) for (player, _), alike in found.items() if len(alike) > 1)


def _remarks(root: State, worths: Worths, is_told: bool, is_cut: bool) -> tuple[str, ...]:
    """What a reader must know to read the picture."""
    game, found = root.game, []
    if worths.solution is not None:
        by_strategies = "in equilibrium" if worths.solution.exact else "with these strategies"
        if worths.solution.plan is not None:
            by_strategies = "by the plan"
        how = "if everybody plays best" if game.facts.perfect_information.holds else by_strategies
        who = game.players[0] if is_told else f"({', '.join(game.players)})"
        found.append(f"Numbers: what {who} get{'s' if is_told else ''} {how}. Bold: moves that are made then.")
        numbers = (number for worth in worths.nodes for number in (*(worth.payoff or ()), *(worth.chances or ())))
        if any(len(str(number)) > LONG for number in numbers):
            found.append("Decimals are rounded.")
    if is_cut:
        found.append("Grey triangles: what is left out.")
    return tuple(found)
