"""A search to watch: a picture of each moment, with the sentence of :mod:`zermelo.steps` about it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from zermelo.drawing.game_trees import NODES
from zermelo.drawing.searches import ALPHA, Moment, Progress, SearchDrawing, draw_search, traced
from zermelo.drawing.tables import picture_title
from zermelo.game import State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import display_text
from zermelo.numbers import count_in_words
from zermelo.pictures.marks import Picture
from zermelo.pictures.trees import DrawnNode, DrawnTree, ShownTree, tree_frames
from zermelo.solvers.choosing.choice import Requirements, check_preconditions
from zermelo.solvers.choosing.registry import find_solver, may_fit
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.steps import SearchStep, is_windowed, tell

if TYPE_CHECKING:  # other searches are watched without it
    from zermelo.solvers.search.monte_carlo_tree_search import SimulatedNode


@frozen
class Frame:
    """A moment of a search: its picture, what is ``said`` about it, the branches that are ``cut`` off at it, and the
    spot of the node in work; None at the end."""

    picture: Picture
    said: str
    cut: tuple[str, ...]
    current: str | None


def search_frames(
    state: State,
    solver: str | None = None,
    depth: float = inf,
    most: int = NODES,
    limits: Limits | None = None,
    report: Progress | None = None,
) -> list[Frame]:
    """The moments of a search of ``most`` nodes at most, by this solver or the first that fits and records its search.
    The last one is the picture of the whole search, and all have the same size. Monte Carlo tree search is told after
    1, 2, 4 ... simulations.

    Raises ``ZermeloError``: ``trace-too-large``, and what :func:`zermelo.solve` raises."""
    limits, report = limits or Limits(), report or (lambda count: None)
    name = solver or _usual(state.game.facts, depth < inf)
    if find_solver(name).name == "mcts":
        return _simulation_frames(state, min(most - 1, _SIMULATIONS), evolve(limits, depth=depth), report)
    trace, title = traced(state, name, depth, most, limits, report)
    return frames(trace, state.game.titles, title)


_USUAL: Final = ("alphabeta", "expectiminimax", "maxn")
"""The searches that are watched if none is named: the first that fits."""


def _usual(facts: Facts, deepens: bool) -> str:
    """The first of the usual searches that fits. Raises ``ZermeloError`` if none does."""
    found = [name for name in _USUAL if may_fit(find_solver(name), facts, deepens)]
    if not found:
        asked, advice = Requirements(deepens=deepens, traces=True), "no search that records its steps fits this game"
        check_preconditions(find_solver(_USUAL[-1]), facts, asked, advice)
    return found[0]


def frames(trace: Trace[Any], players: tuple[str, ...], title: str) -> list[Frame]:
    """The moments of a search that has been recorded, one for each step, and one for its end."""
    drawing = SearchDrawing(trace)
    moments, said, cut, current = list[Moment](), list[str](), list[tuple[str, ...]](), list[str | None]()
    known: dict[int, Any] = {}
    left: frozenset[int] = frozenset()
    entered = 0
    for step in tell(trace, players, is_windowed(trace)):
        node = step.node
        entered = max(entered, node.number + 1)
        if not step.is_left:
            known[node.number] = None if node.probe is None else trace.nodes[node.probe].value
        else:
            left |= {node.number}
            known[node.number] = node.value
            if node.parent is not None:
                known[node.parent] = step.above
        moments.append(Moment(entered, left, dict(known), node.number))
        said.append(_sentence(step))
        cut.append(tuple(drawing.cut_on_leaving(node)) if step.is_left else ())
        current.append(str(node.number))
    said.append(_last_sentence(drawing, said[-1]))
    remarks = _remarks(drawing)
    shown = [ShownTree(drawing.nodes(each), remarks) for each in moments]
    pictures = tree_frames(draw_search(trace, players, title), shown)
    described = (evolve(picture, description=words) for picture, words in zip(pictures, said, strict=True))
    return [Frame(*each) for each in zip(described, said, [*cut, ()], [*current, None], strict=True)]


QUESTION: Final = "Something is cut off now. Which branch is not looked at, and why?"
"""What students are asked before a cut-off."""


def _remarks(drawing: SearchDrawing) -> tuple[str, ...]:
    """What the pictures before the last one show."""
    found = ["Framed: the node in work. Broken lines: not looked at yet."]
    if drawing.has_window:
        found.append(f"{ALPHA} and β: the window now; of a node that has been left, the one in which it was entered.")
    return tuple(found)


def _sentence(step: SearchStep) -> str:
    where = "The root" if step.node.parent is None else step.where
    return f"{where}: {step.what}."


def _last_sentence(drawing: SearchDrawing, before: str) -> str:
    """What the whole search has found, and how much of it was not needed."""
    count = len(drawing.pruned)
    left_out = f", {count:,} {'branch' if count == 1 else 'branches'} cut off" if count else ""
    return f"The search is done. {before} {count_in_words(len(drawing.trace), 'node')} looked at{left_out}."


# Monte Carlo tree search: its tree after 1, 2, 4 ... simulations, with how many went through each node, and their mean.
# It is run anew for each number: for the same seed a longer search begins with a shorter one.


_SIMULATIONS: Final = 64
"""The most simulations of a search that is watched."""


def _simulation_frames(state: State, most: int, limits: Limits, report: Progress) -> list[Frame]:
    from zermelo.drawing.sizes import search_milestone
    from zermelo.solvers.search.monte_carlo_tree_search import TreeMilestone

    seen = []
    for power in range(max(1, most).bit_length()):
        found = search_milestone(state, 2**power, 0, limits, report)
        assert isinstance(found, TreeMilestone), "it is one of this search"
        seen.append(found)
    players, title = state.game.titles, f"{picture_title(state)}: Monte Carlo tree search"
    drawn = [_simulated_nodes(each.tree, len(players)) for each in seen]
    who = players[0] if len(players) == 2 else f"({', '.join(players)})"
    remarks = (f"n: simulations through a node; beside it, what {who} got on average in them. Seed 0.",)
    tree = DrawnTree(title, players, tuple(drawn[-1].values()), (), remarks)
    pictures = tree_frames(tree, [ShownTree(nodes, remarks) for nodes in drawn[:-1]])
    said = [f"After {count_in_words(each.count, 'simulation')}: {_favourite(each.tree, players)}" for each in seen]
    described = (evolve(picture, description=words) for picture, words in zip(pictures, said, strict=True))
    return [Frame(picture, words, (), None) for picture, words in zip(described, said, strict=True)]


def _simulated_nodes(tree: Sequence[SimulatedNode], players: int) -> dict[int, DrawnNode]:
    """The nodes of a tree of simulations. Best is the child of each that was simulated most, the first of equals."""
    most: dict[int, int] = {}
    for number, node in enumerate(tree):
        if node.parent is not None and tree[node.parent].actor >= 0:
            other = most.setdefault(node.parent, number)
            if node.visits > tree[other].visits:
                most[node.parent] = number
    best = {*most.values()}
    return {
        number: DrawnNode(
            node.parent,
            node.actor,
            () if node.move is None else (display_text(node.move),),
            ", ".join(map(_mean, node.means[:1] if players == 2 else node.means)),
            (f"n {node.visits:,}",),
            is_best=number in best,
        )
        for number, node in enumerate(tree)
    }


def _mean(mean: Fraction) -> str:
    return f"{float(mean):.3g}"


def _favourite(tree: Sequence[SimulatedNode], players: Sequence[str]) -> str:
    """What the search would choose at the root by now."""
    below = [node for node in tree if node.parent == 0 and node.move is not None]
    if not below or tree[0].actor < 0:
        return f"{count_in_words(len(tree), 'node')} in the tree."
    best = max(below, key=lambda node: node.visits)
    player = tree[0].actor
    worth = f"a mean of {_mean(best.means[player])} for {players[player]}"
    times = "once" if best.visits == 1 else f"{best.visits:,} times"
    assert best.move is not None, "only the root has none"
    return f"{display_text(best.move)} has been simulated most, {times}, with {worth}."
