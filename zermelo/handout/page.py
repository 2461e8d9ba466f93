"""The page of a game: its rules, what is known of it, its board, its tree, its value and its strategies.

What cannot be found within the limits is said in the words of its refusal, and the rest of the page stands. Without a
solver or a limit, a game is solved if it is small: the positions that are counted for it, or its histories if something
is hidden, are a fixed number, so that the same game always has the same page.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import inf
from typing import Final

from attrs import frozen

from zermelo.declared import parameters_of, variables_of
from zermelo.drawing.captions import titled
from zermelo.drawing.game_trees import drawn_game
from zermelo.drawing.grown_tree import grow
from zermelo.drawing.positions import position_drawn
from zermelo.drawing.worths_of_nodes import HISTORIES
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.handout.html import facts, figure, indented, paragraph, rules, section, table
from zermelo.handout.style import STYLE
from zermelo.interpreter.checks.claims import verdict, words
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import PlayError, shown
from zermelo.kinds import describe
from zermelo.numbers import LEGIBLE_DIGITS
from zermelo.pictures.trees import tree_picture
from zermelo.solutions.in_words import amounts_table, solution_lines
from zermelo.solutions.plan_text import ON_THE_COMMAND_LINE, PAGE, plan_lines
from zermelo.solutions.strategy_table import strategy_table
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Solution
from zermelo.solving import informed, size_of, solve_knowing

BOARDS: Final = 12
"""The greatest number of positions of best play that are drawn."""

NODES: Final = 100
"""The greatest number of nodes of the tree."""

_LARGE: Final = "Not solved: the game is large. --solver, --depth, --nodes or --time tries it all the same."


@frozen
class Wanted:
    """What a page is made of: a ``solver`` by name, or one that fits; ``limits`` of solving; ``is_limited``: whether
    the user has set some, so that a large game is tried, too."""

    solver: str | None
    limits: Limits
    is_limited: bool


def page(root: State, wanted: Wanted, progress: Callable[[int], None]) -> str:
    """The page of a game from a state on, complete, with nothing from elsewhere.

    Raises ``PlayError`` for an error of the rules, and ``ZermeloError`` (``out-of-time``) if there was no time to find
    out what is known."""
    with wanted.limits.kept():
        known = informed(root.game)
    solution, refusal = _solved(root, known, wanted, progress)
    parts = [
        _rules(root),
        _known(root, known),
        [figure(position_drawn(root, None))],
        [_tree(root, wanted, solution, progress)],
        [paragraph(refusal)] if solution is None else _value(root, known, solution),
        [] if solution is None else _strategies(solution),
        [] if solution is None else _best_play(root, solution),
    ]
    line = "Best play" if solution is None or solution.exact else "The best play that was found"
    titles = "Rules", "What is known", "The position", "The tree", "The value", "Strategies", line
    title = escape(titled(root))
    inside = "\n".join(
        section(k, name, part) for k, (name, part) in enumerate(zip(titles, parts, strict=True), 1) if part
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{inside}\n</main>\n</body>\n</html>\n"
    )


def _solved(root: State, known: Facts, wanted: Wanted, progress: Callable[[int], None]) -> tuple[Solution | None, str]:
    """The solution, or why there is none."""
    if root.is_over:
        return None, root.status
    try:
        with wanted.limits.kept():
            if not wanted.is_limited and not _is_small(root, known, progress):
                return None, _LARGE
            start, facts = root if root.play else None, root.game.facts
            return solve_knowing(facts, root.game, start, wanted.solver, progress, wanted.limits, hurries=True), ""
    except PlayError:
        raise
    except ZermeloError as refused:
        help = f" ({refused.help})" if refused.help else ""
        return None, f"Not solved: {refused.message}{help}"


def _is_small(root: State, known: Facts, progress: Callable[[int], None]) -> bool:
    """Whether the game is solved beside the page without being asked."""
    if known.perfect_information.holds:
        return size_of(root.game, Limits(), progress).finished
    return not any(node.is_cut for node in grow(root, inf, HISTORIES, progress))


def _rules(root: State) -> list[str]:
    game = root.game
    return [
        rules(game.model.source.text),
        table("Parameters", ("name", "value", "range"), parameters_of(game), is_headed=True),
        table("Who sees what", ("variable", "seen by"), variables_of(game), is_headed=True),
    ]


def _known(root: State, known: Facts) -> list[str]:
    model = root.game.model
    claims = [(claim, verdict(claim, known, model)) for claim in model.claims]
    rows = [(model.source.excerpt(claim.span), words(fact), fact.how) for claim, fact in claims]
    return [facts(describe(known)), table("Claims of the file", ("claim", "status", "reason"), rows, is_headed=True)]


def _tree(root: State, wanted: Wanted, solution: Solution | None, progress: Callable[[int], None]) -> str:
    """The first levels of the tree; without numbers if the game is not solved."""
    try:
        solver = wanted.solver if solution is not None and solution.policy is not None else None
        with wanted.limits.kept():
            drawn = drawn_game(root, inf, NODES, solver, wanted.limits, progress)
    except PlayError:
        raise
    except ZermeloError as refused:
        return paragraph(f"Not drawn: {refused.message}")
    return figure(tree_picture(drawn))


def _value(root: State, known: Facts, solution: Solution) -> list[str]:
    return [
        table("", *amounts_table(root.game, known, solution, LEGIBLE_DIGITS), is_headed=True),
        facts(solution_lines(root.game, solution, LEGIBLE_DIGITS)),
    ]


def _strategies(solution: Solution) -> list[str]:
    parts = []
    for strategy in solution.strategies:
        found = strategy_table(strategy)
        parts.append(table(f"What {strategy.player} does", found.heads, found.rows))
        if not found.rows:
            parts.append(paragraph(f"{strategy.player} never has a choice."))
        if found.more:
            parts.append(paragraph(f"... and {found.more:,} more rows", "faint"))
        if found.unmet:
            text = f"... and {found.unmet:,} decisions to which these strategies do not lead"
            parts.append(paragraph(text, "faint"))
    if solution.plan is not None:
        lines = plan_lines(solution.plan, PAGE, ON_THE_COMMAND_LINE)
        parts.append(indented(f"The plan of {solution.plan.player}", lines))
    return parts


def _best_play(root: State, solution: Solution) -> list[str]:
    """The positions of the line of best play, and what leads to each."""
    parts, state = [], root
    for number, move in enumerate(solution.line[:BOARDS], 1):
        state = state.after(shown(move))
        parts.append(figure(position_drawn(state, None), f"{number}. {shown(move)}"))
    if len(solution.line) > BOARDS:
        parts.append(paragraph(f"... and {len(solution.line) - BOARDS:,} more moves", "faint"))
    return parts
