"""Games, states, solutions, strategies and equilibria as HTML and SVG.

Nothing here solves what nobody has solved, or draws what is large: a tree that is drawn whole has few nodes, and a
position few entries. These bounds are numbers of nodes and entries, so that the same thing is shown everywhere alike.
"""

from __future__ import annotations

from math import inf
from typing import Final

from zermelo.drawn_games import drawn_nodes
from zermelo.drawn_positions import position_drawn
from zermelo.equilibria_page import ListedEquilibria
from zermelo.finding_equilibria import LISTED
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.rich_display import Bundle
from zermelo.grown_tree import GrownNode, grow
from zermelo.interpreter.types import BoardType
from zermelo.kinds import describe
from zermelo.notebook import html
from zermelo.notebook.texts import heading, left_out, plan_of, text_of
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture
from zermelo.solution_words import amounts_table, solution_lines
from zermelo.solved_game import SolvedGame
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.forms.strategy import Strategy
from zermelo.worths_of_nodes import Worths, only_payoffs, worths_by_strategies, worths_of

_NODES: Final = 60
"""The most nodes of a tree that is drawn unasked: all of them, or none."""

_ENTRIES: Final = 1_000
"""The most entries of a position that is drawn."""

_CELLS: Final = 100
"""The most cells of a graph that is drawn: finding places for more takes time."""


def bundle_of(thing: object) -> Bundle | None:
    """A thing by MIME types; None for what is shown by its ``repr``. Raises ``ZermeloError`` where the rules fail."""
    text = text_of(thing)
    if text is None:
        return None
    match thing:
        case State():
            drawn = _position(thing)
            rich = {} if drawn is None else {"image/svg+xml": svg(drawn)}
        case Game():
            rich = {"text/html": _game(thing)}
        case SolvedGame():
            rich = {"text/html": _solution(thing)}
        case Strategy():
            rich = {"text/html": html.page("", _strategy(thing))}
        case ListedEquilibria():
            rich = {"text/html": _equilibria(thing)}
        case _:
            rich = {}
    return {"text/plain": text, **rich}


def whole_tree(root: State) -> list[GrownNode] | None:
    """The nodes of a tree that is small enough to be drawn whole; None if it is not."""
    nodes = grow(root, inf, _NODES)
    return None if any(node.is_cut for node in nodes) else nodes


def _position(state: State) -> Picture | None:
    """The picture of a position with everything that is hidden; None if it is too large."""
    model = state.game.model
    boards = [variable.indices[-1].base for variable in model.variables if variable.indices]
    placed = (board for board in boards if isinstance(board, BoardType) and board.shape not in ("grid", "hex", "ring"))
    entries = sum(1 for _ in state.game.machine.entries(state.machine_state))
    if entries > _ENTRIES or any(len(board.cells) > _CELLS for board in placed):
        return None
    return position_drawn(state, None)


def _game(game: Game) -> str:
    nodes = whole_tree(game.initial)
    if nodes is not None:
        drawn: Picture | None = tree_picture(drawn_nodes(nodes, only_payoffs(nodes), game.facts))
    else:
        drawn = _position(game.initial)
    below = [] if drawn is None else [html.picture(drawn)]
    return html.page(heading(game), html.facts(describe(game.facts)), *below)


def _solution(solution: SolvedGame) -> str:
    game = solution.game
    parts = [html.table(*amounts_table(game, game.facts, solution)), *map(_strategy, solution.strategies)]
    plan = plan_of(solution)
    if plan:
        parts.append(html.lines(plan))
    parts.append(html.facts(solution_lines(game, solution)))
    nodes = whole_tree(solution.root)
    if nodes is not None:
        drawn = drawn_nodes(nodes, worths_by(solution, nodes), game.facts)
        parts.append(html.picture(tree_picture(drawn)))
    return html.page(heading(game), *parts)


def worths_by(solution: SolvedGame, nodes: list[GrownNode]) -> Worths:
    """What the nodes of a whole, small tree are worth: by the strategies of a solution; where nothing is hidden, by the
    values of the few positions, which are found here again, whatever solver has found that of the first one; and
    nothing, if neither is known."""
    if solution.strategies:
        return worths_by_strategies(nodes, solution)
    if solution.game.facts.perfect_information.holds:
        try:
            return worths_of(nodes, "positions", Limits(), ignore_progress)
        except ZermeloError:
            return only_payoffs(nodes)
    return only_payoffs(nodes)


def _strategy(strategy: Strategy) -> str:
    heads, rows, said = left_out(strategy)
    return (html.table(heads, rows, f"What {strategy.player} does") if rows else "") + html.paragraphs(said)


def _equilibria(found: ListedEquilibria) -> str:
    payoffs, count = found.payoffs(), len(found.listed)
    parts = [] if payoffs is None else [html.table(*payoffs)]
    if count:
        parts.append(html.table(*found.profiles(LISTED)))
    if count > LISTED:
        parts.append(html.paragraphs([f"... and {count - LISTED:,} more"]))
    return html.page(heading(found.game), *parts, html.facts(found.lines()))
