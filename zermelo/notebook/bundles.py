"""Games, states, solutions, strategies and equilibria as HTML and SVG.

Nothing here solves what nobody has solved, or draws what is large (:mod:`.bounded`).
"""

from __future__ import annotations

from zermelo.drawing.game_trees import drawn_nodes
from zermelo.drawing.worths_of_nodes import only_payoffs, worths_by
from zermelo.game import Game, State
from zermelo.grammar.rich_display import Bundle
from zermelo.kinds import describe
from zermelo.normal_form.equilibria_page import LISTED, ListedEquilibria
from zermelo.notebook import html
from zermelo.notebook.bounded import bounded_position, whole_tree
from zermelo.notebook.texts import heading, plan_of, strategy_parts, text_of
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture
from zermelo.solutions.in_words import amounts_table, solution_lines
from zermelo.solved_game import SolvedGame
from zermelo.solvers.forms.strategy import Strategy


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
            rich = {"text/html": html.page("", _strategy(thing))}
        case ListedEquilibria():
            rich = {"text/html": _equilibria(thing)}
        case _:
            rich = {}
    return {"text/plain": text, **rich}


def _game(game: Game) -> str:
    nodes = whole_tree(game.initial)
    if nodes is not None:
        drawn: Picture | None = tree_picture(drawn_nodes(nodes, only_payoffs(nodes), game.facts))
    else:
        drawn = bounded_position(game.initial, None)
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
        drawn = drawn_nodes(nodes, worths_by(solution, solution.root, is_small=True)(nodes), game.facts)
        parts.append(html.picture(tree_picture(drawn)))
    return html.page(heading(game), *parts)


def _strategy(strategy: Strategy) -> str:
    heads, rows, said = strategy_parts(strategy)
    return (html.table(heads, rows, f"What {strategy.player} does") if rows else "") + html.paragraphs(said)


def _equilibria(found: ListedEquilibria) -> str:
    payoffs, count = found.payoffs(), len(found.listed)
    parts = [] if payoffs is None else [html.table(*payoffs)]
    if count:
        parts.append(html.table(*found.profiles(LISTED)))
    if count > LISTED:
        parts.append(html.paragraphs([f"... and {count - LISTED:,} more"]))
    return html.page(heading(found.game), *parts, html.facts(found.lines()))
