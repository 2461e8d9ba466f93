"""A search to watch: a picture of each moment, with the sentence of :mod:`zermelo.steps` about it."""

from __future__ import annotations

from math import inf
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.drawing.game_trees import NODES
from zermelo.drawing.searches import ALPHA, Moment, Progress, SearchDrawing, draw_search, traced
from zermelo.game import State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.numbers import count_in_words
from zermelo.pictures.marks import Picture
from zermelo.pictures.trees import ShownTree, tree_frames
from zermelo.solvers.choosing.choice import Requirements, check_preconditions
from zermelo.solvers.choosing.registry import find_solver, may_fit
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.steps import SearchStep, is_windowed, tell


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
    The last one is the picture of the whole search, and all have the same size.

    Raises ``ZermeloError``: ``trace-too-large``, and what :func:`zermelo.solve` raises."""
    trace, title = traced(
        state,
        solver or _usual(state.game.facts, depth < inf),
        depth,
        most,
        limits or Limits(),
        report or (lambda count: None),
    )
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
