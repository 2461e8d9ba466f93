"""The claims of the lectures about search, tested with the solvers."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from games_by_hand import leduc_poker
from solving import solve

import zermelo
from zermelo import gamedefs
from zermelo.solvers.common.limits import Limits
from zermelo.solving import solve_knowing

LECTURES = Path(__file__).parents[2] / "docs" / "lectures.md"

DEEPENING = ["iterative_deepening", "aspiration", "principal_variation", "mtdf"]


@pytest.mark.parametrize("name", DEEPENING)
@pytest.mark.parametrize("plies", [2, 4])
def test_the_horizon_effect_is_cured_by_quiescence(name, plies):
    """The bishop is lost anyway; a search that stops while it is attacked sacrifices pawns to delay the loss."""
    text = gamedefs.path("horizon_effect").read_text(encoding="utf-8")
    short = "\n".join(line for line in text.splitlines() if not line.startswith("unsettled"))
    limits = Limits(depth=plies)
    deceived, cured = zermelo.loads(short), zermelo.loads(text)
    assert list(map(str, solve(deceived.reference, deceived.facts, name, limits=limits).best)) == ["give_pawn"]
    assert list(map(str, solve(cured.reference, cured.facts, name, limits=limits).best)) == ["wait"]


@pytest.mark.parametrize(("name", "parameters"), [("nim", {"heaps": 2}), ("uniform_tree", {}), ("two_ply_tree", {})])
def test_against_an_opponent_who_errs_minimax_gets_at_least_its_value(name, parameters):
    """Whichever player plays by minimax, and whatever the other one does."""
    game = zermelo.load(name, **parameters)
    machine = game.reference
    value = solve(machine, game.facts, "minimax").value
    random = Random(7)
    for careful in (0, 1):
        for _ in range(10):
            state = machine.initial()
            while (actor := machine.actor(state)) >= 0:
                if actor == careful:
                    move = solve(machine, game.facts, "minimax", root=state).best[0]
                else:
                    move = random.choice(machine.moves(state))
                state = machine.after(state, move)
            assert machine.payoff(state)[careful] >= value[careful]


def test_the_order_of_moves_decides_how_much_is_pruned():
    counts = {}
    for order in ("best_first", "worst_first"):
        game = zermelo.load("uniform_tree", order=order)
        counts[order] = solve(game.reference, game.facts, "alphabeta").counts["terminals"]
    assert counts["best_first"] == 3**2 + 3**2 - 1 < counts["worst_first"] <= 3**4


def test_what_was_best_at_one_depth_is_tried_first_at_the_next():
    """So iterative deepening visits fewer leaves of a badly ordered tree than alpha-beta, in spite of repetitions."""
    game = zermelo.load("uniform_tree", order="worst_first", width=4, depth=6)
    plain = solve(game.reference, game.facts, "alphabeta").counts["nodes"]
    deepened = solve(game.reference, game.facts, "principal_variation").counts["nodes"]
    assert deepened < plain


def test_the_table_of_leaves_is_what_the_searches_count():
    text = (Path(__file__).parents[2] / "docs" / "lectures.md").read_text(encoding="utf-8")
    rows = [
        [int(cell.replace(",", "")) for cell in re.findall(r"[\d,]+", row)]
        for row in re.findall(r"^\| \d.*", text, re.M)
    ]
    assert [row[0] for row in rows] == list(range(2, 9))
    for depth, every, first, formula, last in rows:
        assert formula == 4 ** ((depth + 1) // 2) + 4 ** (depth // 2) - 1
        for count, solver, order in (
            (every, "minimax", "best_first"),
            (first, "alphabeta", "best_first"),
            (last, "alphabeta", "worst_first"),
        ):
            game = zermelo.load("uniform_tree", width=4, depth=depth, order=order)
            assert solve(game.searching, game.facts, solver).counts["terminals"] == count
        assert every == 4**depth and first == formula


# Leduc poker with five ranks, compared with another program.


def test_leduc_poker_of_five_ranks_has_the_value_of_another_program():
    """And within 64 MB: 1,876 of its equations form a block, which would take 141 MB as a dense matrix."""
    text = gamedefs.path("leduc_poker").read_text(encoding="utf-8").partition("expect")[0]
    assert "J < Q < K" in text
    text = text.replace("J < Q < K", "A < B < C < D < E").replace('"J" = J, "Q" = Q, "K" = K', '"1" = A, "2" = B')
    game = zermelo.loads(text)
    solution = solve_knowing(game.facts, game, limits=Limits(memory=64 << 20))
    assert solution.exact
    assert float(solution.value[0]) == pytest.approx(leduc_poker(5).value(), abs=1e-9)
