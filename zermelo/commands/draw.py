"""Draw a game as a picture: its tree, a position, its table, what the players can get, how solvers come near,
how large it is, which of its rules plays use, or how well a program has learnt it.

The tree shows the players by colour and shape, chance with its probabilities, what every node is worth, and the best
moves in bold. Where something is hidden, dotted lines join what a player cannot tell apart, and the branches have the
probabilities of an equilibrium. With --solver, a search draws what it has looked at: windows, values, and crossed-out
branches; with --frames, move by move. A picture is SVG; the ending of the file's name says so, or TikZ for LaTeX
(.tex), or PNG or PDF, for which a library is needed (pip install 'zermelo[pictures]'). What does not fit is folded
into triangles that say how much they stand for.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from math import inf
from pathlib import Path

from zermelo.commands.game_options import add_game, add_limits, state_of, within
from zermelo.commands.options import positive_number, whole_number
from zermelo.drawing.drawn import DrawnPicture, check_options
from zermelo.drawing.game_trees import HIDDEN, NODES
from zermelo.drawing.pictures import KINDS, STEPS
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import TEXT_SIZE, THEMES
from zermelo.pictures.svg import ENDINGS
from zermelo.questions import draw, draw_frames

EXAMPLES = """\
examples:
  zermelo draw two_ply_tree -o tree.svg
  zermelo draw two_ply_tree --solver alphabeta -o alphabeta.svg
  zermelo draw two_ply_tree --solver alphabeta --frames -o search.pdf
  zermelo draw tic_tac_toe --depth 2 -o tic_tac_toe.png
  zermelo draw tic_tac_toe --boards --depth 2 --merge-symmetric --weight open_lines=1 -o boards.svg
  zermelo draw two_ply_tree --hide values --hide best -o exercise.svg
  zermelo draw tic_tac_toe --solver minimax --deepening --depth 2 -o deepening.svg
  zermelo draw kuhn_poker -o kuhn_poker.pdf
  zermelo draw kuhn_poker --plain --font-size 14 -o kuhn_poker.tex
  zermelo draw chess position --after "go_to(e2, e4)" -o opening.svg
  zermelo draw chicken table -o chicken.svg
  zermelo draw chicken payoffs -o payoffs.svg
  zermelo draw leduc_poker convergence --solver cfr --solver cfr+ -o convergence.svg
  zermelo draw tic_tac_toe sizes -o sizes.svg
  zermelo draw tic_tac_toe sizes -o sizes.csv
  zermelo draw tic_tac_toe coverage -o coverage.svg
  zermelo draw tic_tac_toe learning --weights seed1.json seed2.json seed3.json -o learning.svg
  zermelo draw kuhn_poker position --after "deal(J, Q)" --view Bob -o bob.svg
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser, has_several_weights=True)
    parser.add_argument(
        "what",
        metavar="PICTURE",
        nargs="?",
        choices=KINDS,
        default="tree",
        help="what to draw: tree (default), the tree of the game; position, the boards and variables of one position; "
        "table, the payoffs of two players, with best responses underlined and equilibria in frames; "
        "payoffs, what two players can get, the Pareto front and the equilibria; "
        "convergence, how near CFR has come after so many iterations, or what Monte Carlo tree search thinks of the "
        "moves after so many simulations; sizes, how many plays and positions there are after so many moves; "
        "coverage, how often plays use each line of the rules; learning, how the errors of --weights became "
        "smaller, as a mean and a band where files differ in their seeds alone",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="the picture, .svg, .png, .pdf or .tex; or the numbers that it shows, .csv, .json or .parquet, "
        "of all but positions; or the tree for other programs, .dot or .graphml (default: SVG, printed)",
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=positive_number,
        help="tree, sizes: so many moves ahead (default: as there is room)",
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=positive_number,
        help=f"tree: so many nodes at most (default: {NODES}). sizes: so many positions after a number of moves "
        "(default: 10,000). coverage: the first so many positions (default: 20,000 moves, and random plays)",
    )
    parser.add_argument(
        "--solver",
        dest="solvers",
        metavar="NAME",
        action="append",
        default=[],
        help="tree: the solver that finds the values (default: one that fits, if the game is small). One that records "
        "its search, such as alphabeta, draws what it looks at. convergence: one that iterates, or mcts or ismcts; "
        "may be repeated",
    )
    parser.add_argument(
        "--deepening",
        action="store_true",
        help="tree, with a search: iterative deepening, a tree for each depth up to --depth",
    )
    parser.add_argument(
        "--frames",
        action="store_true",
        help="tree, with a search: a picture of each step of the search, with a sentence about it, for slides: the "
        "pages of FILE.pdf, or FILE-001.svg, FILE-002.svg and so on (also .png and .tex), where those with higher "
        "numbers of an earlier search are removed; with --solver mcts the tree after 1, 2, 4 ... 64 simulations",
    )
    parser.add_argument(
        "--boards",
        action="store_true",
        help="tree: a small board at each node; where the picture ends, the file's estimate is below it, and the "
        "numbers above follow from that, unless there is none or --solver is given",
    )
    parser.add_argument(
        "--merge-symmetric",
        action="store_true",
        help="tree: of the moves at a node that differ by a symmetry of the rules alone draw one, with their number",
    )
    parser.add_argument(
        "--hide",
        metavar="WHAT",
        action="append",
        choices=HIDDEN,
        default=[],
        help="tree, for exercises: leave out the values of nodes with others below them; the windows of a search; the "
        "best moves, and how likely players make them; may be repeated",
    )
    parser.add_argument(
        "--view", metavar="PLAYER", help="position: as this player sees it (default: everything, hidden or not)"
    )
    parser.add_argument("--flip", action="store_true", help="position: the boards as seen from the other end")
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=positive_number,
        help=f"convergence: so many iterations, or simulations (default: {STEPS:,})",
    )
    parser.add_argument("--seed", metavar="N", type=whole_number, help="convergence: the random seed (default: 0)")
    parser.add_argument(
        "--theme",
        choices=THEMES,
        help="the colours of this paper for everybody (default: SVG follows the reader, all else is light)",
    )
    parser.add_argument("--plain", action="store_true", help="black and white")
    parser.add_argument(
        "--font-size",
        metavar="N",
        type=positive_number,
        help=f"the size of the words, in pixels, with all else as much larger or smaller (default: {TEXT_SIZE:g})",
    )
    add_limits(parser)


def run(options: Namespace) -> int:
    if options.output is not None:
        from zermelo.drawing.picture_files import check_picture_file

        check_picture_file(options.output)
    weights, options.weights = options.weights or [], None
    is_of_learning = options.what == "learning"
    if len(weights) > 1 and not is_of_learning:
        raise ZermeloError("bad-usage", "argument --weights: this picture is of one estimate", "name one file")
    options.weights = weights[0] if weights and not is_of_learning else None
    if options.frames:
        return _write_frames(options, state_of(options))
    return _show(_picture(options, state_of(options), weights if is_of_learning else []), options.output)


def _write_frames(options: Namespace, state: State) -> int:
    """Write a picture of each step of a search, and say where they are."""
    _check_frames(options)
    solver = options.solvers[0] if options.solvers else None
    found = draw_frames(state, solver, depth=options.depth, nodes=options.nodes, **within(options))
    written, removed = found.save(options.output, theme=options.theme, plain=options.plain, font_size=options.font_size)
    print(f"{len(found.frames)} pictures: {_first_to_last(written)}")
    if removed:
        print(f"Removed, since they are of an earlier search: {_first_to_last(removed)}")
    return 0


def _first_to_last(paths: list[Path]) -> str:
    return str(paths[0]) if len(paths) == 1 else f"{paths[0]} to {paths[-1]}"


def _check_frames(options: Namespace) -> None:
    """Refuse what says nothing about the steps of a search, or has no room for them."""
    check_options(options.what, vars(options))
    for option in ("deepening", "boards", "merge_symmetric", "hide"):
        if getattr(options, option):
            raise ZermeloError(
                "bad-usage",
                f"argument --{option.replace('_', '-')}: it does not go together with --frames",
                "the frames are those of one search, with all that it finds",
            )
    if len(options.solvers) > 1:
        raise ZermeloError("bad-usage", "argument --solver: the frames are those of one search", "name one")
    if options.output is None or options.output.suffix.lower() not in ENDINGS:
        raise ZermeloError(
            "bad-usage",
            "argument --frames: it needs the name of a file for pictures",
            "`-o search.pdf` has a page for each, and `-o search.svg` numbers files",
        )


def _show(picture: DrawnPicture, output: Path | None) -> int:
    """Write a picture to a file, or print it."""
    if output is None:
        sys.stdout.write(picture.svg)
    else:
        picture.save(output)
    return 0


def _picture(options: Namespace, state: State, weights: list[Path]) -> DrawnPicture:
    """The picture that is asked for."""
    return draw(
        state,
        options.what,
        view=options.view,
        flip=options.flip,
        solver=options.solvers,
        depth=options.depth or inf,
        nodes=options.nodes,
        deepening=options.deepening,
        boards=options.boards,
        merge_symmetric=options.merge_symmetric,
        hide=options.hide,
        iterations=options.iterations,
        seed=options.seed,
        weights=weights,
        theme=options.theme,
        plain=options.plain,
        font_size=options.font_size,
        **within(options),
    )
