"""The page of a game: its rules, what is known of it, its board, its tree, its value and its strategies.

Where something cannot be found within the limits, the page says why, and is complete otherwise. Without a solver or a
limit, a game is solved only if it is small: if it has at most a fixed number of positions, or of histories if something
is hidden. So the same game always has the same page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import inf
from typing import Final

from attrs import frozen
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from zermelo.drawing.game_trees import HISTORIES, draw_game_tree, grow
from zermelo.drawing.positions import draw_position
from zermelo.drawing.tables import picture_title
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.highlighting.pygments_lexer import ZermeloLexer
from zermelo.html_tables import html_table
from zermelo.interpreter.checks.claims import verdict, verdict_word
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import PlayError, display_text
from zermelo.numbers import LEGIBLE_DIGITS
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture
from zermelo.positions import parameters_of, variables_of
from zermelo.solutions.page import ON_THE_COMMAND_LINE, PAGE, amounts_table, plan_lines, solution_lines
from zermelo.solutions.strategy_table import strategy_parts
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Solution
from zermelo.solving import describe, facts_with_information, size_of, solve_knowing

# HTML by small functions: text is escaped where it enters, and markup is put together from what these return.


_CLASSES = {Comment: "c", Keyword: "k", Operator.Word: "k", Name.Function: "f", Number: "n", String: "s"}


def section(number: int, title: str, parts: Iterable[str]) -> str:
    """A section of the page under a heading; nothing if it has no parts."""
    inside = "\n".join(part for part in parts if part)
    heading = f'<h2 id="section-{number}">{escape(title)}</h2>'
    return f'<section aria-labelledby="section-{number}">\n{heading}\n{inside}\n</section>' if inside else ""


def paragraph(text: str, kind: str = "") -> str:
    """Text as a paragraph, of a class."""
    return f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(text)}</p>"


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """Words, and a text about each."""
    return table("", (), rows, is_headed=True)


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], is_headed: bool = False) -> str:
    """Rows under heads; ``is_headed``: the first cell of a row is its head. Nothing if there are no rows."""
    if not rows:
        return ""
    inside = html_table(heads, rows, caption, is_headed)
    return f"{_scroll_box('wide', caption or 'Table')}\n{inside}\n</div>"


def figure(picture: Picture, caption: str = "") -> str:
    """A picture, on white paper whatever the colours of the page."""
    below = f"<figcaption>{escape(caption)}</figcaption>\n" if caption else ""
    return f"<figure>\n{_scroll_box('wide paper', caption or picture.title)}\n{svg(picture)}</div>\n{below}</figure>"


def indent_lines(head: str, lines: Iterable[str]) -> str:
    """Lines with their indents, below a head."""
    text = escape("\n".join(lines))
    return f'<h3>{escape(head)}</h3>\n<pre class="wide" tabindex="0">{text}</pre>'


def rules(text: str) -> str:
    """The text of a file, its words in colours."""
    parts = []
    for _, kind, value in ZermeloLexer().get_tokens_unprocessed(text):
        name = next((name for known, name in _CLASSES.items() if kind in known), None)
        parts.append(escape(value) if name is None else f'<span class="{name}">{escape(value)}</span>')
    return f'<pre class="wide" tabindex="0"><code>{"".join(parts)}</code></pre>'


def _scroll_box(kind: str, label: str) -> str:
    """The opening tag of a part that scrolls sideways, also by keys, where the page is narrow."""
    return f'<div class="{kind}" role="region" aria-label="{escape(label)}" tabindex="0">'


# How the page looks: in light and dark, on a telephone and on paper.


STYLE: Final = """\
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --line: #d0d7de; --faint: #59636e;
  --soft: #f6f8fa; --key: #8250df; --name: #0550ae; --text: #0a6b2d; --count: #953800; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #3d444d; --faint: #9198a1;
  --soft: #161b22; --key: #d2a8ff; --name: #79c0ff; --text: #7ee787; --count: #ffa657; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: break-word; }
h1 { line-height: 1.2; margin: .5rem 0; }
h2 { border-bottom: 1px solid var(--line); margin: 2rem 0 .75rem; }
.faint, figcaption { color: var(--faint); }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; margin: .5rem 0; }
caption { text-align: left; font-weight: bold; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 600; white-space: nowrap; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; font-size: .85rem;
  overflow-wrap: normal; }
figure { margin: .75rem 0; }
.paper { background: #ffffff; border: 1px solid var(--line); border-radius: 6px; }
.paper svg { display: block; max-width: max(100%, 54rem); height: auto; }
.c { color: var(--faint); font-style: italic; } .k { color: var(--key); } .f { color: var(--name); }
.n { color: var(--count); } .s { color: var(--text); }
@media (max-width: 30rem) { body { padding: .5rem; } h1 { font-size: 1.5rem; } tbody th { white-space: normal; } }
@media print {
  :root { color-scheme: light; --ink: #000000; --paper: #ffffff; --line: #999999; --faint: #444444; --soft: #ffffff;
    --key: #5a2ca0; --name: #0550ae; --text: #0a6b2d; --count: #953800; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .wide { overflow: visible; } pre { white-space: pre-wrap; } .paper { border: 0; }
  .paper svg { max-width: 100%; max-height: 22cm; height: auto; }
  h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
}
"""


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
    with wanted.limits.enforce():
        known = facts_with_information(root.game)
    solution, refusal = _solve(root, known, wanted, progress)
    parts = [
        _rules(root),
        _known_facts(root, known),
        [figure(draw_position(root, None))],
        [_tree(root, wanted, solution, progress)],
        [paragraph(refusal)] if solution is None else _value(root, known, solution),
        [] if solution is None else _strategies(solution),
        [] if solution is None else _best_play(root, solution),
    ]
    line = "Best play" if solution is None or solution.exact else "The best play that was found"
    titles = "Rules", "What is known", "The position", "The tree", "The value", "Strategies", line
    title = escape(picture_title(root))
    inside = "\n".join(
        section(k, name, part) for k, (name, part) in enumerate(zip(titles, parts, strict=True), 1) if part
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{inside}\n</main>\n</body>\n</html>\n"
    )


def _solve(root: State, known: Facts, wanted: Wanted, progress: Callable[[int], None]) -> tuple[Solution | None, str]:
    """The solution, or why there is none."""
    if root.is_over:
        return None, root.status
    try:
        with wanted.limits.enforce():
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
    """Whether the game is small enough to be solved unasked."""
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


def _known_facts(root: State, known: Facts) -> list[str]:
    model = root.game.model
    claims = [(claim, verdict(claim, known, model)) for claim in model.claims]
    rows = [(model.source.excerpt(claim.span), verdict_word(fact), fact.how) for claim, fact in claims]
    return [facts(describe(known)), table("Claims of the file", ("claim", "status", "reason"), rows, is_headed=True)]


def _tree(root: State, wanted: Wanted, solution: Solution | None, progress: Callable[[int], None]) -> str:
    """The first levels of the tree; without numbers if the game is not solved."""
    try:
        solver = wanted.solver if solution is not None and solution.policy is not None else None
        with wanted.limits.enforce():
            drawn = draw_game_tree(root, inf, NODES, solver, wanted.limits, progress)
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
        heads, rows, said = strategy_parts(strategy)
        parts += [
            table(f"What {shown(strategy.player)} does", heads, rows),
            *(paragraph(text, "faint") for text in said),
        ]
    if solution.plan is not None:
        lines = plan_lines(solution.plan, PAGE, ON_THE_COMMAND_LINE)
        parts.append(indent_lines(f"The plan of {shown(solution.plan.player)}", lines))
    return parts


def _best_play(root: State, solution: Solution) -> list[str]:
    """The positions of the line of best play, and what leads to each."""
    parts, state = [], root
    for number, move in enumerate(solution.line[:BOARDS], 1):
        state = state.after(display_text(move))
        parts.append(figure(draw_position(state, None), f"{number}. {display_text(move)}"))
    if len(solution.line) > BOARDS:
        parts.append(paragraph(f"... and {len(solution.line) - BOARDS:,} more moves", "faint"))
    return parts
