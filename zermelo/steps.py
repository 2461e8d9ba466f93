"""A small search, told as a lecturer tells it at the board: node by node, left to right.

The record of a search (:mod:`zermelo.solvers.common.trace`) has every node in the order of visits. Each row tells what
happens at a moment: a node is entered, with the window that holds there; a leaf is worth something; a node is
left with its value, after all its moves or because the window has closed. Each value is told together with what it
changes one level up. A search that bounds draws is told with what is known of each of them after every outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import inf
from typing import Any, Final

from attrs import asdict, frozen

from zermelo.game import Game
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE, END, Move, display_text
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.results import Tabular
from zermelo.solvers.choosing.choice import solve
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import (
    Between,
    Bound,
    Trace,
    TraceNode,
    TraceTooLarge,
    WhichMoves,
    bounds_of_value,
    known_bounds,
)
from zermelo.solvers.solution import Request

# What is known of a draw while its outcomes are searched one after the other.
#
# The value of an outcome that has not been searched lies between the least and the most that the game can pay. The mean
# of the lower bounds of all outcomes bounds the value of the draw from below, that of the upper ones from above:
# :mod:`zermelo.solvers.kernels.star`.


Interval = tuple[Fraction, Fraction]


class BoundedDraw:
    """A draw, and what is known of each of its outcomes; ``everything`` is what is known of all values."""

    def __init__(self, node: TraceNode, everything: Between) -> None:
        self._outcomes = node.outcomes
        self._known = dict.fromkeys(node.outcomes, (everything.low, everything.high))

    def learn(self, visit: TraceNode) -> None:
        """An outcome has been visited."""
        move = _outcome(visit)
        self._known[move] = _narrow(self._known[move], visit.value)

    def value_behind(self, visit: TraceNode) -> Fraction | Between:
        """What is known of the value of the draw once an outcome has been visited."""
        move = _outcome(visit)
        return self._mean({**self._known, move: _narrow(self._known[move], visit.value)})

    def of(self, move: Move) -> Interval:
        """The bounds between which the value of an outcome lies."""
        return self._known[move]

    @property
    def unknown(self) -> list[Move]:
        """The outcomes whose values are not known."""
        return [move for move, (low, high) in self._known.items() if low != high]

    def _mean(self, values: dict[Move, Interval]) -> Fraction | Between:
        low, high = (
            sum((chance * values[move][side] for move, chance in self._outcomes.items()), Fraction(0))
            for side in (0, 1)
        )
        return known_bounds(low, high)


def _outcome(visit: TraceNode) -> Move:
    assert visit.move is not None, "only the root has none"
    return visit.move


def _narrow(interval: Interval, value: Any) -> Interval:
    (low, high), (least, most) = bounds_of_value(value), interval
    return max(least, low), min(most, high)


MOST: Final = 500
"""The most nodes that are told."""

Row = tuple[str, ...]


@frozen
class SearchStep:
    """A moment of a search: a node is entered, or left with its value, which for a leaf is the same moment. The
    ``window`` is the one that holds there, and ``what`` says what happens. ``above`` is what is known of the value of
    the node above when this one is left: that of the best move so far, or what a draw is worth within bounds."""

    node: TraceNode
    depth: int
    window: tuple[Bound, Bound]
    what: str
    is_left: bool = False
    above: Any = None

    @property
    def where(self) -> str:
        """The node by the move to it."""
        return _name(self.node)


_PARTS: Final = {
    WhichMoves.ALL: "",
    WhichMoves.FIRST: ": a probe, the first move alone",
    WhichMoves.OTHERS: ": the other moves",
}


@frozen
class ToldStep:
    """A moment of a search in words: the node, so many levels below the root, the window there, and what happens."""

    node: str
    depth: int
    alpha: Bound
    beta: Bound
    what: str


@frozen(repr=False)
class ToldSearch(Tabular):
    """A small search told node by node, from ``zermelo.solve(game, steps=True)``. ``pruned`` are the plays to the nodes
    that were not looked at. Where alpha-beta has searched, ``orders`` tell what it would look at if the moves came in
    another order; they are empty if the tree is too large for that, and None of other searches. If it ``has_window``,
    the search has bounds; else each alpha is minus infinity, and each beta infinity."""

    steps: tuple[ToldStep, ...]
    has_window: bool
    pruned: tuple[str, ...]
    orders: tuple[Visited, ...] | None

    def __repr__(self) -> str:
        return f"<search of {len(self.steps)} steps: {len(self.pruned)} nodes not looked at>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each step."""
        return [asdict(step) for step in self.steps]

    def table(self) -> tuple[Row, list[Row]]:
        """The heads and the rows of a table: where, the window if there is one, and what happens there."""
        heads = ("node", "alpha", "beta", "what happens") if self.has_window else ("node", "what happens")
        return heads, [self._row(step) for step in self.steps]

    def _row(self, step: ToldStep) -> Row:
        where = f"{'| ' * (step.depth - 1)}{step.node}"
        window = (_number(step.alpha), _number(step.beta)) if self.has_window else ()
        return (where, *window, step.what)


def tell_search(trace: Trace[Any], players: tuple[str, ...], orders: Iterable[Visited] | None) -> ToldSearch:
    """A recorded search in words."""
    has_window = is_windowed(trace)
    told = (ToldStep(step.where, step.depth, *step.window, step.what) for step in tell(trace, players, has_window))
    return ToldSearch(tuple(told), has_window, tuple(pruned_plays(trace)), None if orders is None else tuple(orders))


def tell(trace: Trace[Any], players: tuple[str, ...], has_window: bool) -> Iterator[SearchStep]:
    """The steps of a search."""
    return _Told(trace.nodes, players, has_window).below(trace.nodes[0], 0)


def certainty(trace: Trace[Any], has_window: bool) -> dict[int, str]:
    """For each inner node whose value is certain on one side only, since something below was left out: ``most`` if it
    is worth at most that, or ``least``. A search that bounds draws says itself what is certain."""
    told = _Told(trace.nodes, (), has_window)
    inner = (node for node in trace.nodes if node.tried or node.probe is not None)
    return {} if told.everything is not None else {n.number: side for n in inner if (side := told.open_side(n))}


def is_windowed(trace: Trace[Any]) -> bool:
    """Whether the search had windows: whether some node has a bound, or something was pruned."""
    return any(inf > node.alpha > -inf or inf > node.beta > -inf or node.pruned for node in trace.nodes)


def pruned_plays(trace: Trace[Any]) -> list[str]:
    """The nodes that were not looked at: the plays to them from the root."""
    plays: list[str] = []
    found = []
    for node in trace.nodes:
        plays.append("" if node.parent is None else f"{plays[node.parent]}{_name(node)}, ")
        if node.tried or node.probe is not None:
            found += [f"{plays[-1]}{display_text(move)}" for move in node.pruned]
    return found


class _Told:
    """The telling of a record. Where the search bounds draws, the window of the root is ``everything``: what a play
    pays the first player at least and at most."""

    def __init__(self, nodes: list[TraceNode], players: tuple[str, ...], has_window: bool) -> None:
        self.players = players
        self.has_window = has_window
        self.nodes = nodes
        self.everything: Between | None = None
        self.draws: dict[int, BoundedDraw] = {}
        if has_window and nodes[0].beta < inf:
            self.everything = Between(Fraction(nodes[0].alpha), Fraction(nodes[0].beta))
            chance = (node for node in nodes if node.actor == CHANCE)
            self.draws = {node.number: BoundedDraw(node, self.everything) for node in chance}
        self.children: list[list[TraceNode]] = [[] for _ in nodes]
        for node in nodes[1:]:
            assert node.parent is not None, "only the root has none"
            self.children[node.parent].append(node)
        self.is_whole: dict[int, bool] = {}
        for node in reversed(nodes):
            below = (self.is_whole[child.number] for child in self.children[node.number])
            self.is_whole[node.number] = all(below) and not node.pruned

    def below(self, node: TraceNode, depth: int, said: str = "", above: Any = None) -> Iterator[SearchStep]:
        """The steps of a node and of all under it. ``said``: what its value changes one level up, and ``above`` what is
        known there then."""
        if not node.tried and node.probe is None:
            yield SearchStep(node, depth, (node.alpha, node.beta), f"{self.leaf(node)}{said}", True, above)
            return
        yield SearchStep(node, depth, (node.alpha, node.beta), self.turn(node))
        best: Any = None if node.probe is None else self.nodes[node.probe].value
        for child in self.children[node.number]:
            known = self.known_with(node, child, best)
            yield from self.below(child, depth + 1, self.change(node, child, best), known)
            if node.number in self.draws:
                self.draws[node.number].learn(child)
            best = known
        yield SearchStep(node, depth, node.window_behind, f"{self.cut(node)}{self.result(node)}{said}", True, above)

    def known_with(self, parent: TraceNode, child: TraceNode, best: Any) -> Any:
        """What is known of the value of a node once a child has been left; None of a draw without bounds."""
        if parent.actor == CHANCE:
            draw = self.draws.get(parent.number)
            return None if draw is None else draw.value_behind(child)
        return child.value if best is None or self.is_better(parent.actor, child.value, best) else best

    def turn(self, node: TraceNode) -> str:
        turn = "chance draws" if node.actor == CHANCE else f"{self.players[node.actor]} is to move{_PARTS[node.part]}"
        if node.number == 0 and self.everything is not None:
            return f"{turn}; a play pays {self.players[0]} {_interval(self.everything)}"
        return f"{turn}{self.window_in_draw(node)}"

    def window_in_draw(self, node: TraceNode) -> str:
        """What the edges of the window mean for an outcome, if they are not the bounds that are known of its value."""
        if node.parent not in self.draws or node.move is None:
            return ""
        draw = self.nodes[node.parent]
        low, high = self.draws[node.parent].of(node.move)
        edges = []
        if node.alpha > low:
            edges.append(f"{_number(node.alpha)} or less leaves {_name(draw)} at most alpha {_number(draw.alpha)}")
        if node.beta < high:
            edges.append(f"{_number(node.beta)} or more leaves {_name(draw)} at least beta {_number(draw.beta)}")
        return "".join(f"; {edge}" for edge in edges)

    def leaf(self, node: TraceNode) -> str:
        if node.actor == END:
            return f"the end: {value_text(node.value)}"
        return f"{'the horizon, estimated' if node.is_horizon else 'the table knows it'}: {value_text(node.value)}"

    def change(self, parent: TraceNode, child: TraceNode, best: Any) -> str:
        """What the value of a child changes at its parent, where the ``best`` was known before."""
        if parent.actor == CHANCE:
            draw = self.draws.get(parent.number)
            so_far = "" if draw is None else f"; {_name(parent)} is now {self.known(draw.value_behind(child))}"
            return f", with probability {child.probability}{so_far}"
        player, there = self.players[parent.actor], _name(parent)
        if best is not None and not self.is_better(parent.actor, child.value, best):
            return f"; no better for {player} at {there}"
        share = self.share(parent.actor, child.value)
        if not self.has_window:
            return f"; {value_text(share)} is the best so far for {player} at {there}"
        alpha, beta = parent.alpha, parent.beta
        if parent.actor == 0:
            return (
                f"; alpha at {there} is now {value_text(share)}"
                if share > alpha
                else f"; no more than alpha at {there}"
            )
        return f"; beta at {there} is now {value_text(share)}" if share < beta else f"; no less than beta at {there}"

    def share(self, player: int, value: Any) -> Any:
        """What a value is to a player: their own share of a tuple, or the bound that they can be sure of."""
        return value[player] if isinstance(value, tuple) else bounds_of_value(value)[player]

    def is_better(self, player: int, value: Any, best: Any) -> bool:
        """Whether a value is better than the best so far for a player."""
        share, so_far = self.share(player, value), self.share(player, best)
        return bool(share < so_far if player == 1 and not isinstance(value, tuple) else share > so_far)

    def cut(self, node: TraceNode) -> str:
        """Why the remaining moves or outcomes were not looked at, if so. Those of a probe come later, or the draw above
        says why they do not."""
        if node.part is WhichMoves.FIRST:
            return ""
        once = self.probed_alone(node)
        if not node.pruned and not once:
            return ""
        left_out = [
            f"{_moves_text(moves)} {'is' if len(moves) == 1 else 'are'} not looked at{further}"
            for moves, further in ((list(node.pruned), ""), (once, " again"))
            if moves
        ]
        return f"{self.why(node)}; {' and '.join(left_out)}; "

    def why(self, node: TraceNode) -> str:
        """Why something was left out."""
        alpha, beta = node.window_behind
        if node.actor == CHANCE:
            closed, other = node.decision, self.players[0 if bounds_of_value(node.value)[1] <= alpha else 1]
        else:
            closed, other = f"alpha {_number(alpha)} >= beta {_number(beta)}", self.players[1 - node.actor]
            limit = None if self.everything is None else bounds_of_value(self.everything)[1 - node.actor]
            if limit is not None and (node.beta if node.actor == 0 else node.alpha) == limit:
                return f"{closed}: no play pays {self.players[node.actor]} more"
        return f"{closed}: {other} has something as good elsewhere and would not let this happen"

    def probed_alone(self, node: TraceNode) -> list[Move]:
        """The outcomes of a draw that were only probed, since the probe was enough to leave the draw."""
        if node.number not in self.draws:
            return []
        unknown = self.draws[node.number].unknown
        alone = (child for child in self.children[node.number] if child.part is WhichMoves.FIRST and not child.goes_on)
        return [child.move for child in alone if child.move in unknown]

    def result(self, node: TraceNode) -> str:
        """What a node is worth when it is left. Where something below was left out, this is certain only within the
        window, and outside a bound on the far side (fail-soft: :mod:`zermelo.solvers.kernels.alphabeta`). Where draws
        are bounded, each value says itself what is certain."""
        if self.everything is not None:
            return self.known(node.value)
        side = self.open_side(node)
        return f"worth at {side} {value_text(node.value)}" if side else f"worth {value_text(node.value)}"

    def open_side(self, node: TraceNode) -> str:
        """Whether a node is worth at ``most`` or at ``least`` its value; empty if its value is certain."""
        if self.is_whole[node.number] or node.alpha < node.value < node.beta:
            return ""
        return "most" if node.value <= node.alpha else "least"

    def known(self, value: Fraction | Between) -> str:
        """What is known of a value, without the bounds of all values."""
        if not isinstance(value, Between):
            return f"worth {value_text(value)}"
        least, most = bounds_of_value(self.everything)
        if value.low == least and value.high < most:
            return f"worth at most {value_text(value.high)}"
        if value.high == most and value.low > least:
            return f"worth at least {value_text(value.low)}"
        return f"worth {_interval(value)}"


def value_text(value: Any) -> str:
    """A value, or the tuple of all players' shares."""
    return f"({', '.join(map(value_text, value))})" if isinstance(value, tuple) else str(Fraction(value))


def _interval(value: Between) -> str:
    return f"between {value_text(value.low)} and {value_text(value.high)}"


def _moves_text(moves: list[Move]) -> str:
    return " and ".join(filter(None, [", ".join(map(display_text, moves[:-1])), display_text(moves[-1])]))


def _name(node: TraceNode) -> str:
    return "the root" if node.move is None else display_text(node.move)


def _number(bound: Bound) -> str:
    return "-inf" if bound == -inf else "inf" if bound == inf else str(Fraction(bound))


# How much alpha-beta looks at if the moves come in another order: the exercise of every course.
#
# Minimax visits the tree and says what every move is worth. Then alpha-beta itself searches the same game three times:
# with the moves in the order of the game, with the best ones first in every position, and with the best ones last.


MOST_ORDERS: Final = 20_000
"""The most nodes of a tree whose moves are put in order."""

Plays = Mapping[tuple[Move, ...], Any]
"""What the positions behind plays are worth to the first player."""


class Sorted(ReferenceMachine):
    """The game, with the moves sorted by what they are worth to the player who makes them."""

    def __init__(self, model: Model, worth: Plays, best_first: bool) -> None:
        super().__init__(model)
        self._worth = worth
        self._best_first = best_first

    def moves(self, state: ReferenceState) -> tuple[Move, ...]:
        legal, play = super().moves(state), self.play(state)
        if not all((*play, move) in self._worth for move in legal):  # at the horizon, nobody has looked behind them
            return legal
        falls = (self.actor(state) == 0) is self._best_first
        return tuple(sorted(legal, key=lambda move: self._worth[*play, move], reverse=falls))


@frozen
class Visited:
    """How many nodes a search visits, and how many of them are leaves: ends of plays, or at the horizon."""

    how: str
    nodes: int
    leaves: int


def orders_of_moves(game: Game, facts: Facts, root: ReferenceState, limits: Limits) -> list[Visited]:
    """What is visited with each order of moves; nothing where the tree is too large."""
    machine = game.reference
    trace = Trace(machine, MOST_ORDERS)
    try:
        solve(machine, facts, Request("minimax", limits, trace=trace), root)
    except TraceTooLarge:
        return []
    begin = machine.play(root)
    plays: list[tuple[Move, ...]] = []
    for node in trace.nodes:
        if node.parent is None or node.move is None:
            plays.append(begin)
        else:
            plays.append((*plays[node.parent], node.move))
    worth = {play: node.value for play, node in zip(plays, trace.nodes, strict=True)}
    searches = [
        ("alpha-beta, as they stand", "alphabeta", machine),
        ("alpha-beta, best first", "alphabeta", Sorted(game.model, worth, best_first=True)),
        ("alpha-beta, best last", "alphabeta", Sorted(game.model, worth, best_first=False)),
        ("minimax, in any order", "minimax", machine),
    ]
    found = []
    for how, name, ordered in searches:
        counts = solve(ordered, facts, Request(name, limits), root).counts
        found.append(Visited(how, counts["nodes"], counts["terminals"] + counts.get("estimates", 0)))
    return found
