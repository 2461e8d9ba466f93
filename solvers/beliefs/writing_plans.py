"""A conditional plan, written down from the moves that a search has chosen."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

from zermelo.interpreter.machine import InformationState, Move
from zermelo.solvers.forms.conditional_plan import Branch, ConditionalPlan, PlannedStep

Node = TypeVar("Node", bound=Hashable)

Heard: TypeAlias = Sequence[tuple[InformationState, Node]]
"""What may be perceived, and what the player holds possible then: a node of the search."""


@frozen(eq=False)
class PlannedMove(Generic[Node]):
    """The step of a plan in a node."""

    move: Move
    possible: int
    heard: Heard[Node]
    ends: tuple[Fraction, ...]


def written_plan(
    player: str,
    known: InformationState,
    begins: Heard[Node],
    ends: tuple[Fraction, ...],
    chosen: Callable[[Node], PlannedMove[Node]],
) -> ConditionalPlan:
    """The plan of a player who knows ``known`` and begins in some nodes. Its steps stand in an order in which none
    leads back: the reverse of that in which a walk depth first leaves them. What is chosen must not lead back to a
    node."""
    steps: dict[Node, PlannedMove[Node]] = {}
    left: dict[Node, None] = {}
    waiting = [(node, False) for _, node in begins]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            left[node] = None
        elif node not in steps:
            steps[node] = chosen(node)
            waiting.append((node, True))
            waiting += [(after, False) for _, after in steps[node].heard]
    numbers = {node: number for number, node in enumerate(reversed(left))}

    def branches(heard: Heard[Node]) -> tuple[Branch, ...]:
        return tuple(Branch(perceived, numbers[node]) for perceived, node in heard)

    written = (steps[node] for node in numbers)
    return ConditionalPlan(
        player,
        known,
        branches(begins),
        tuple(PlannedStep(each.move, each.possible, branches(each.heard), each.ends) for each in written),
        ends,
    )
