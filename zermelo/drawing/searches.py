"""Pictures of searches: of one, or of those to several depths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from math import inf
from typing import Any, Final

from attrs import evolve

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
from zermelo.steps import is_windowed, value_text

# The tree that a search has visited as a picture shows it: windows, values, and what was cut off, crossed out.


_ALPHA: Final = "\N{GREEK SMALL LETTER ALPHA}"
_PARTS: Final = {WhichMoves.ALL: "", WhichMoves.FIRST: "probe", WhichMoves.OTHERS: "the others"}


def draw_search(trace: Trace[Any], players: tuple[str, ...], title: str, hide: Collection[str] = ()) -> DrawnTree:
    """The tree of a search: a node for each visit, in the order of visits, with the window in which it was entered if
    the search has windows. What was not looked at is a crossed-out branch. Left out is what is to ``hide``, as by
    :func:`~zermelo.drawing.game_trees.draw_game_tree`."""
    has_window = is_windowed(trace) and "windows" not in hide
    chosen = frozenset[int]() if "best" in hide else _best_children(trace)
    drawn = [_drawn_node(node, has_window, chosen, "values" in hide) for node in trace.nodes]
    for node in trace.nodes:  # behind what was looked at
        if node.tried or node.probe is not None:
            drawn += [DrawnNode(node.number, END, (display_text(move),), is_pruned=True) for move in node.pruned]
    return DrawnTree(title, players, tuple(drawn), (), _remarks(trace, has_window, players))


def _drawn_node(node: TraceNode, has_window: bool, chosen: frozenset[int], hides_values: bool) -> DrawnNode:
    label = [] if node.move is None else [display_text(node.move)]
    if node.probability is not None:
        label.append(str(node.probability))
    notes = [_PARTS[node.part]] if _PARTS[node.part] else []
    is_inner = bool(node.tried) or node.probe is not None
    if has_window and is_inner:
        notes.append(f"{_ALPHA} {_bound(node.alpha)}  β {_bound(node.beta)}")
    return DrawnNode(
        node.parent,
        node.actor if is_inner else END,
        tuple(label),
        "" if is_inner and hides_values else _value(node.value),
        tuple(notes),
        is_best=node.number in chosen,
    )


def _best_children(trace: Trace[Any]) -> frozenset[int]:
    """The first child of each player's node that gives it its value."""
    found: dict[int, int] = {}
    for node in trace.nodes:
        if node.parent is not None and trace.nodes[node.parent].actor >= 0 and node.value is not None:
            above = trace.nodes[node.parent]
            if node.value == above.value:
                found.setdefault(node.parent, node.number)
    return frozenset(found.values())


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
        found.append(f"{_ALPHA} and β: the window in which a node was entered. Crossed out: not looked at.")
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
    game, pictures = state.game, list[Picture]()
    for depth in depths:
        _check_advised(solver, state.game.facts, Requirements(deepens=depth < inf, traces=True))
        trace: Trace[Any] = Trace(game.reference, most)

        def work(_: Machine[Any], depth: float = depth, trace: Trace[Any] = trace) -> None:
            start = on_machine(state, game.reference)
            until = evolve(limits, depth=depth)
            solve(game.reference, game.facts, Request(solver, until, trace=trace), start, report)

        search(game, work)
        reach = "" if depth == inf else f", {depth} {'move' if depth == 1 else 'moves'} ahead"
        title = f"{picture_title(state)}: {find_solver(solver).title}{reach}"
        pictures.append(tree_picture(draw_search(trace, game.titles, title, hide)))
    return pictures[0] if len(pictures) == 1 else stack_pictures(pictures[-1].title, pictures)


def _check_advised(name: str, facts: Facts, asked: Requirements) -> None:
    """Refuse a solver that does not fit if no other solver that records its search fits, either. The advice that
    solving a game gives then would be about options that a picture does not have."""
    solver = find_solver(name)
    if not may_fit(solver, facts, asked.deepens) and default_solver(facts, asked) is None:
        check_preconditions(solver, facts, asked, "leave out --solver: no search that can be drawn fits this game")
