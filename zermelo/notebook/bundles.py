"""Games, states, solutions, strategies and equilibria as HTML and SVG.

Nothing here solves a game that has not been solved before, or draws anything large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import inf
from typing import Final

from zermelo.drawing.game_trees import GrownNode, draw_nodes, grow, only_payoffs, worths_by
from zermelo.drawing.positions import draw_position
from zermelo.equilibria_page import LISTED, ListedEquilibria
from zermelo.foundation.records import Bundle
from zermelo.game import Game, State
from zermelo.grammar.names import shown
from zermelo.html_tables import CellStyles, html_table
from zermelo.interpreter.types import BoardType
from zermelo.notebook.texts import plan_of, text_of
from zermelo.numbers import with_parameters
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture
from zermelo.solutions.page import amounts_table, solution_lines
from zermelo.solutions.strategy_table import strategy_parts
from zermelo.solved_game import SolvedGame
from zermelo.solvers.forms.strategy import Strategy
from zermelo.solving import describe

# Small pieces of HTML for notebooks: tables, lists of facts, pictures. Words are escaped.


_LOOK: Final = "text-align: left; vertical-align: top; padding: 2px 12px 2px 0"
_STYLES: Final = CellStyles(_LOOK, f"{_LOOK}; white-space: nowrap", "text-align: left")
"""A notebook has no style sheet of ours."""


def page(title: str, *parts: str) -> str:
    """A title, and parts below it."""
    head = f"<h4>{escape(title)}</h4>" if title else ""
    return f'<div style="overflow-x: auto">{head}{"".join(parts)}</div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Rows under heads."""
    return html_table(heads, rows, caption, styles=_STYLES)


def facts(lines: Iterable[tuple[str, str]]) -> str:
    """Lines of a word and a text about it."""
    return html_table((), lines, is_headed=True, styles=_STYLES)


def paragraphs(sentences: Iterable[str]) -> str:
    """A paragraph for each."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def lines(texts: Iterable[str]) -> str:
    """Lines with their indents."""
    return f"<pre>{escape(chr(10).join(texts))}</pre>"


# What is drawn unasked: small trees, and positions that are not too large.
#
# The bounds count nodes and entries, not seconds, so that the same thing looks the same everywhere.


_NODES: Final = 60
"""The most nodes of a tree that is drawn unasked: all of them, or none."""

_ENTRIES: Final = 1_000
"""The most entries of a position that is drawn."""

_CELLS: Final = 100
"""The most cells of a graph that is drawn: finding places for more takes time."""

_REGULAR: Final = ("grid", "hex", "ring")
"""The shapes of boards that themselves say where their cells are."""


def whole_tree(root: State) -> list[GrownNode] | None:
    """The nodes of a tree that is small enough to be drawn whole; None if it is not."""
    nodes = grow(root, inf, _NODES)
    return None if any(node.is_cut for node in nodes) else nodes


def bounded_position(
    state: State, player: str | None, is_titled: bool = True, is_flipped: bool = False
) -> Picture | None:
    """The picture of a position, as a player sees it or, if that is None, with everything that is hidden; None if it
    is too large, or if there is nothing to be seen."""
    boards = [variable.indices[-1].base for variable in state.game.model.variables if variable.indices]
    graphs = [each for each in boards if isinstance(each, BoardType) and each.shape not in _REGULAR]
    if any(len(board.cells) > _CELLS for board in graphs):
        return None
    if sum(1 for _ in state.game.machine.entries(state.machine_state)) > _ENTRIES:
        return None
    drawn = draw_position(state, player, is_titled, is_flipped)
    return drawn if drawn.marks else None


def bundle_of(thing: object) -> Bundle | None:
    """A thing by MIME types; None for what is shown by its ``repr``. Raises ``ZermeloError`` where the rules fail."""
    text = text_of(thing)
    if text is None:
        return None
    match thing:
        case State():
            drawn = bounded_position(thing, None)
            rich = {} if drawn is None else {"image/svg+xml": svg(drawn)}
        case Game():
            rich = {"text/html": _game(thing)}
        case SolvedGame():
            rich = {"text/html": _solution(thing)}
        case Strategy():
            rich = {"text/html": page("", _strategy(thing))}
        case ListedEquilibria():
            rich = {"text/html": _equilibria(thing)}
        case _:
            rich = {}
    return {"text/plain": text, **rich}


def _game(game: Game) -> str:
    nodes = whole_tree(game.initial)
    if nodes is not None:
        drawn: Picture | None = tree_picture(draw_nodes(nodes, only_payoffs(nodes), game.facts))
    else:
        drawn = bounded_position(game.initial, None)
    below = [] if drawn is None else [svg(drawn)]
    return page(with_parameters(game.title, game), facts(describe(game.facts)), *below)


def _solution(solution: SolvedGame) -> str:
    game = solution.game
    parts = [table(*amounts_table(game, game.facts, solution)), *map(_strategy, solution.strategies)]
    plan = plan_of(solution)
    if plan:
        parts.append(lines(plan))
    parts.append(facts(solution_lines(game, solution)))
    nodes = whole_tree(solution.root)
    if nodes is not None:
        drawn = draw_nodes(nodes, worths_by(solution, solution.root, is_small=True)(nodes), game.facts)
        parts.append(svg(tree_picture(drawn)))
    return page(with_parameters(game.title, game), *parts)


def _strategy(strategy: Strategy) -> str:
    heads, rows, said = strategy_parts(strategy)
    return (table(heads, rows, f"What {shown(strategy.player)} does") if rows else "") + paragraphs(said)


def _equilibria(found: ListedEquilibria) -> str:
    payoffs, count = found.payoffs(), len(found.listed)
    parts = [] if payoffs is None else [table(*payoffs)]
    if count:
        parts.append(table(*found.profiles(LISTED)))
    if count > LISTED:
        parts.append(paragraphs([f"... and {count - LISTED:,} more"]))
    return page(with_parameters(found.game.title, found.game), *parts, facts(found.lines()))
