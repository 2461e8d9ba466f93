"""Every kind of picture of a game, by one call: what ``zermelo draw`` draws."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf
from os import PathLike
from typing import TYPE_CHECKING, Final

from zermelo.drawing.game_trees import HIDDEN, NODES, draw_game_tree
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import Picture
from zermelo.solvers.common.limits import Limits

if TYPE_CHECKING:
    from zermelo.solvers.learning.weights import Weights

STEPS: Final = 10_000
"""The iterations or simulations of a picture, unless a number is asked for."""

KINDS: Final = ("tree", "position", "table", "payoffs", "convergence", "sizes", "coverage", "learning")
"""What can be drawn of a state."""


def draw(
    state: State,
    what: str = "tree",
    *,
    view: str | None = None,
    flip: bool = False,
    solvers: Sequence[str] = (),
    depth: float = inf,
    nodes: int | None = None,
    deepening: bool = False,
    boards: bool = False,
    merge_symmetric: bool = False,
    hide: Collection[str] = (),
    iterations: int | None = None,
    seed: int | None = None,
    weights: Sequence[Weights | str | PathLike[str]] = (),
    theme: str | None = None,
    plain: bool = False,
    font_size: float | None = None,
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> Picture:
    """A picture of a state, of one of the :data:`KINDS`. The others are options of ``zermelo draw`` with the same
    names; each kind looks at its own and at no others. ``progress`` is called with the number of things found so far.
    :func:`zermelo.pictures.svg.encode_picture` gives the bytes of a file.

    >>> import zermelo
    >>> from zermelo.drawing.pictures import draw
    >>> from zermelo.pictures.svg import svg
    >>> picture = draw(zermelo.load("tic_tac_toe").initial, depth=2, boards=True, merge_symmetric=True)
    >>> len(picture.spots), svg(picture)[:4]
    (16, '<svg')

    Raises ``ZermeloError``: ``bad-usage`` for options that do not go together, and what the solvers raise."""
    limits, report = limits or Limits(), progress or (lambda count: None)
    match what:  # each kind imports what it needs
        case "tree":
            picture = _tree(
                state, solvers, depth, nodes or NODES, deepening, boards, merge_symmetric, hide, limits, report
            )
        case "position":
            from zermelo.drawing.positions import draw_position

            picture = draw_position(state, view, is_flipped=flip)
        case "table":
            from zermelo.drawing.tables import draw_table
            from zermelo.pictures.matrices import matrix_picture

            picture = matrix_picture(draw_table(state, limits, report))
        case "payoffs":
            from zermelo.drawing.tables import draw_payoffs
            from zermelo.pictures.matrices import region_picture

            picture = region_picture(draw_payoffs(state, limits, report))
        case "convergence":
            from zermelo.drawing.sizes import draw_convergence
            from zermelo.pictures.curves import curves_picture

            picture = curves_picture(draw_convergence(state, solvers, iterations or STEPS, seed or 0, limits, report))
        case "sizes":
            from zermelo.drawing.sizes import POSITIONS, draw_sizes
            from zermelo.pictures.curves import curves_picture

            picture = curves_picture(draw_sizes(state, nodes or POSITIONS, depth, limits, report))
        case "coverage":
            from zermelo.drawing.sizes import draw_coverage
            from zermelo.pictures.listings import listing_picture

            picture = listing_picture(draw_coverage(state, nodes, limits, report))
        case "learning":
            from zermelo.drawing.learning import learning_picture

            picture = learning_picture(state, weights)
        case _:
            raise ZermeloError("bad-usage", f"there is no picture '{what}'", f"the pictures are {', '.join(KINDS)}")
    if theme is None and not plain and font_size is None:
        return picture
    from zermelo.pictures.themes import styled

    return styled(picture, theme, plain, font_size)


def _tree(
    state: State,
    solvers: Sequence[str],
    depth: float,
    nodes: int,
    deepening: bool,
    boards: bool,
    merge_symmetric: bool,
    hide: Collection[str],
    limits: Limits,
    report: Callable[[int], None],
) -> Picture:
    """The tree of a game, or what a search has looked at."""
    is_search = _is_search(solvers)
    _check_tree(is_search, solvers, depth, deepening, boards, merge_symmetric, hide)
    if is_search:
        from zermelo.drawing.searches import search_picture

        depths = range(1, int(depth) + 1) if deepening else [depth]
        return search_picture(state, solvers[0], depths, nodes, limits, report, hide)
    from zermelo.pictures.trees import tree_picture

    solver = solvers[0] if solvers else None
    return tree_picture(
        draw_game_tree(
            state, depth, nodes, solver, limits, report, has_boards=boards, merges=merge_symmetric, hide=hide
        )
    )


def _is_search(solvers: Sequence[str]) -> bool:
    """Whether a solver is asked for that records its search."""
    if not solvers:
        return False
    from zermelo.solvers.choosing.registry import find_solver

    return find_solver(solvers[0]).traces


def _check_tree(
    is_search: bool,
    solvers: Sequence[str],
    depth: float,
    deepening: bool,
    boards: bool,
    merge_symmetric: bool,
    hide: Collection[str],
) -> None:
    """Refuse options that do not go together."""
    if len(solvers) > 1:
        raise ZermeloError("bad-usage", "argument --solver: a tree has the values of one solver", "name one")
    if deepening and (depth == inf or not is_search):
        raise ZermeloError(
            "bad-usage",
            "argument --deepening: it needs a --depth, and a --solver that records its search",
            "`zermelo draw GAME --solver minimax --deepening --depth 3`",
        )
    for option, is_asked in (("boards", boards), ("merge-symmetric", merge_symmetric)):
        if is_search and is_asked:
            raise ZermeloError(
                "bad-usage",
                f"argument --{option}: with {solvers[0]} the picture is of what a search has looked at, move by move",
                "leave out --solver: then it is the tree of the game",
            )
    if unknown := [each for each in hide if each not in HIDDEN]:
        raise ZermeloError(
            "bad-usage", f"there is no '{unknown[0]}' to hide", f"what can be hidden are {', '.join(HIDDEN)}"
        )
    if "windows" in hide and not is_search:
        raise ZermeloError(
            "bad-usage",
            "argument --hide: only the picture of a search has windows",
            "`--solver alphabeta` draws one",
        )
