"""Make a page of a game to hand out: one HTML file, with nothing from elsewhere.

It has the rules in colours, who sees what, what is proved, the position, the first levels of the tree, the value and
how it is known, the strategies as tables, and the positions of best play. A small game is solved; a large one if a
solver or a limit is given. What cannot be found within the limits is said on the page. The same game always has the
same page.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from zermelo.commands.game_options import add_depth, add_game, add_limits, state_of, within
from zermelo.questions import hand_out
from zermelo.solvers.choosing.registry import find_solver

EXAMPLES = """\
examples:
  zermelo report tic_tac_toe -o tic_tac_toe.html
  zermelo report nim -p heaps=2 -o nim.html
  zermelo report kuhn_poker -o kuhn_poker.html
  zermelo report chess --depth 2 -o chess.html
  zermelo report my_game.game --time 60 -o my_game.html
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="the page (default: printed)")
    parser.add_argument("--solver", metavar="NAME", help="the solver (default: one that fits, if the game is small)")
    add_depth(parser)
    add_limits(parser)


def run(options: Namespace) -> int:
    if options.solver is not None:  # a misspelled name is reported before the game is read
        find_solver(options.solver)
    found = hand_out(state_of(options), options.solver, depth=options.depth, nodes=options.nodes, **within(options))
    if options.output is None:
        sys.stdout.write(found.html)
    else:
        found.save(options.output)
    return 0
