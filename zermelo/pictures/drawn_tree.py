"""What the picture of a tree shows."""

from __future__ import annotations

from attrs import frozen


@frozen
class DrawnNode:
    """A node of a tree. ``parent`` is a number of a node, None at the root. ``actor`` is a player, chance, or the end.

    ``label`` are the lines at the branch that leads there: the move or outcome, how likely it is; ``value`` is what the
    node is worth, and ``notes`` what else is said of it. ``is_best``: the one who moves above it may choose it;
    ``is_pruned``: nobody has looked at it. ``folded`` says what is left out below it, if anything is; it has no
    children then."""

    parent: int | None
    actor: int
    label: tuple[str, ...] = ()
    value: str = ""
    notes: tuple[str, ...] = ()
    is_best: bool = False
    is_pruned: bool = False
    folded: str | None = None


@frozen
class DrawnTree:
    """A tree: its nodes, each behind its parent, and the sets of nodes, two at least, that a player cannot tell apart.
    ``remarks`` are sentences below the picture."""

    title: str
    players: tuple[str, ...]
    nodes: tuple[DrawnNode, ...]
    information_sets: tuple[tuple[int, tuple[int, ...]], ...] = ()
    remarks: tuple[str, ...] = ()
