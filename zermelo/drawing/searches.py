"""Pictures of searches: of one, or of those to several depths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from math import inf
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.drawing.tables import picture_title, short_number
from zermelo.game import State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import END, Machine, display_text
from zermelo.numbers import count_in_words
from zermelo.pictures.marks import Picture, stack_pictures
from zermelo.pictures.trees import DrawnNode, DrawnTree, tree_picture
from zermelo.solvers.choosing.choice import Requirements, check_preconditions, default_solver, solve
from zermelo.solvers.choosing.registry import find_solver, may_fit
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Between, Bound, Trace, TraceNode, WhichMoves
from zermelo.solvers.solution import Request
from zermelo.solving import on_machine, search
from zermelo.steps import certainty, is_windowed, value_text

# The tree that a search has visited as a picture shows it: windows, values, and what was cut off, crossed out.


ALPHA: Final = "\N{GREEK SMALL LETTER ALPHA}"
_PARTS: Final = {WhichMoves.ALL: "", WhichMoves.FIRST: "probe", WhichMoves.OTHERS: "the others"}
_SIDES: Final = {"": "", "most": "≤ ", "least": "≥ "}
"""What stands before a value that is certain on one side only."""


@frozen
class Moment:
    """What a search knows at a moment: how many nodes it has ``entered``, which of them it has ``left``, and what is
    ``known`` of the value of each. ``current`` is the node in work; None once the search is done."""

    entered: int
    left: frozenset[int]
    known: Mapping[int, Any]
    current: int | None = None


def draw_search(trace: Trace[Any], players: tuple[str, ...], title: str, hide: Collection[str] = ()) -> DrawnTree:
    """The tree of a search: a node for each visit, in the order of visits, with the window in which it was entered if
    the search has windows. What was not looked at is a crossed-out branch. Left out is what is to ``hide``, as by
    :func:`~zermelo.drawing.game_trees.draw_game_tree`."""
    search = SearchDrawing(trace, hide)
    nodes = search.nodes(search.end)
    return DrawnTree(title, players, tuple(nodes.values()), (), _remarks(trace, search.has_window, players))


class SearchDrawing:
    """What a picture shows of a search at any moment. A node has the number of its visit; behind these are the branches
    that were never looked at."""

    def __init__(self, trace: Trace[Any], hide: Collection[str] = ()) -> None:
        self.trace = trace.nodes
        self.has_window = is_windowed(trace) and "windows" not in hide
        self.hide = hide
        self.certainty = certainty(trace, is_windowed(trace))
        self.pruned = [
            (node, move) for node in self.trace if node.tried or node.probe is not None for move in node.pruned
        ]

    @property
    def end(self) -> Moment:
        """The moment when the search is done."""
        everything = frozenset(range(len(self.trace)))
        return Moment(len(self.trace), everything, {node.number: node.value for node in self.trace})

    def nodes(self, moment: Moment) -> dict[int, DrawnNode]:
        """The nodes that the search has met by then, and as faint branches the moves that it may try next."""
        chosen = frozenset[int]() if "best" in self.hide else self._best_children(moment)
        drawn = {}
        for node in self.trace:
            if node.number < moment.entered:
                drawn[node.number] = self._visited(node, moment, node.number in chosen)
            elif node.parent is not None and node.parent < moment.entered and node.probe is None:
                drawn[node.number] = DrawnNode(node.parent, END, _label(node), is_ahead=True)
        for number, (node, move) in enumerate(self.pruned, len(self.trace)):
            is_pruned = _decider(node) in moment.left
            if is_pruned or (node.number < moment.entered and node.part is not WhichMoves.FIRST):
                label = (display_text(move),)
                drawn[number] = DrawnNode(node.number, END, label, is_pruned=is_pruned, is_ahead=not is_pruned)
        return drawn

    def cut_on_leaving(self, node: TraceNode) -> list[str]:
        """The moves of which it is known, once a node is left, that nobody looks at them."""
        return [display_text(move) for below, move in self.pruned if _decider(below) == node.number]

    def _visited(self, node: TraceNode, moment: Moment, is_best: bool) -> DrawnNode:
        is_current, is_left = node.number == moment.current, node.number in moment.left
        notes = [_PARTS[node.part]] if _PARTS[node.part] else []
        is_inner = bool(node.tried) or node.probe is not None
        if self.has_window and is_inner:
            is_old = is_left and not is_current
            alpha, beta = (node.alpha, node.beta) if is_old else node.window_with(moment.known.get(node.number))
            notes.append(f"{ALPHA} {_bound(alpha)}  β {_bound(beta)}")
        value = "" if is_inner and "values" in self.hide else self._value(node, moment, is_left)
        return DrawnNode(
            node.parent,
            node.actor if is_inner else END,
            _label(node),
            value,
            tuple(notes),
            is_best=is_best,
            is_current=is_current,
        )

    def _value(self, node: TraceNode, moment: Moment, is_left: bool) -> str:
        """What is known of the value of a node: the best so far is a bound, if the window tells so."""
        known = moment.known.get(node.number)
        if is_left:
            return f"{_SIDES[self.certainty.get(node.number, '')]}{_value(known)}"
        if known is None or isinstance(known, Between) or node.actor < 0:
            return _value(known)
        if isinstance(known, tuple):
            return f"{_value(known)} …"
        is_bound = known > node.alpha if node.actor == 0 else known < node.beta
        return f"{_SIDES['least' if node.actor == 0 else 'most']}{_value(known)}" if is_bound else ""

    def _best_children(self, moment: Moment) -> frozenset[int]:
        """The first child of each player's node that gives it its value."""
        found: dict[int, int] = {}
        for node in self.trace[: moment.entered]:
            if node.parent is not None and self.trace[node.parent].actor >= 0 and node.number in moment.left:
                known = moment.known[node.number]
                if known is not None and known == moment.known.get(node.parent):
                    found.setdefault(node.parent, node.number)
        return frozenset(found.values())


def _decider(node: TraceNode) -> int:
    """The node on leaving which it is known what is not looked at below a node: for a probe the draw above."""
    return node.parent if node.part is WhichMoves.FIRST and node.parent is not None else node.number


def _label(node: TraceNode) -> tuple[str, ...]:
    if node.move is None:
        return ()
    name = display_text(node.move)
    return (name,) if node.probability is None else (name, str(node.probability))


def _value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Between):
        return f"{short_number(value.low)} to {short_number(value.high)}"
    return value_text(value) if isinstance(value, tuple) else short_number(value)


def _bound(bound: Bound) -> str:
    return "-∞" if bound == -inf else "∞" if bound == inf else short_number(Fraction(bound))


def _remarks(trace: Trace[Any], has_window: bool, players: tuple[str, ...]) -> tuple[str, ...]:
    who = f"({', '.join(players)})" if any(isinstance(node.value, tuple) for node in trace.nodes) else players[0]
    nodes = count_in_words(len(trace.nodes), "node")
    found = [f"Numbers: what {who} get{'' if who.startswith('(') else 's'}. {nodes} visited."]
    if any(node.is_horizon for node in trace.nodes):
        found.append("The leaves at the horizon are estimates.")
    if has_window:
        found.append(f"{ALPHA} and β: the window in which a node was entered. Crossed out: not looked at.")
    return tuple(found)


Progress = Callable[[int], None]


def search_picture(
    state: State,
    solver: str,
    depths: Iterable[float],
    most: int,
    limits: Limits,
    report: Progress,
    hide: Collection[str] = (),
) -> Picture:
    """What a solver looks at to each of these depths, of ``most`` nodes at most; ``inf`` is the end of all plays.

    Raises ``ZermeloError``: ``trace-too-large``, and what :func:`zermelo.solve` raises."""
    pictures = []
    for depth in depths:
        trace, title = traced(state, solver, depth, most, limits, report)
        pictures.append(tree_picture(draw_search(trace, state.game.titles, title, hide)))
    return pictures[0] if len(pictures) == 1 else stack_pictures(pictures[-1].title, pictures)


def traced(
    state: State, solver: str, depth: float, most: int, limits: Limits, report: Progress
) -> tuple[Trace[Any], str]:
    """The record of a search to a depth, and the title of its picture. Raises as :func:`search_picture` does."""
    game = state.game
    _check_advised(solver, game.facts, Requirements(deepens=depth < inf, traces=True))
    trace: Trace[Any] = Trace(game.reference, most)

    def work(_: Machine[Any]) -> None:
        start = on_machine(state, game.reference)
        until = evolve(limits, depth=depth)
        solve(game.reference, game.facts, Request(solver, until, trace=trace), start, report)

    search(game, work)
    reach = "" if depth == inf else f", {depth} {'move' if depth == 1 else 'moves'} ahead"
    return trace, f"{picture_title(state)}: {find_solver(solver).title}{reach}"


def _check_advised(name: str, facts: Facts, asked: Requirements) -> None:
    """Refuse a solver that does not fit if no other solver that records its search fits, either. The advice that
    solving a game gives then would be about options that a picture does not have."""
    solver = find_solver(name)
    if not may_fit(solver, facts, asked.deepens) and default_solver(facts, asked) is None:
        check_preconditions(solver, facts, asked, "leave out --solver: no search that can be drawn fits this game")
