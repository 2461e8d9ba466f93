"""How strategies decide in other programs: as the solution or the file says."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interop.playing import foreign_strategies, mixed_moves


def test_a_solution_decides_by_what_is_known():
    """Bob's only equilibrium strategy of Kuhn poker (Kuhn 1950): with J he bluffs a third of the time."""
    game = zermelo.load("kuhn_poker")
    decide, state = mixed_moves(game, game.solve()), game.initial
    assert decide(state.after("deal(Q, J)").after("check")) == [Fraction(2, 3), Fraction(1, 3)]
    assert decide(state.after("deal(Q, K)").after("bet")) == [0, 1]


def test_a_policy_decides_by_position_also_where_players_choose_at_once():
    game = zermelo.load("rock_paper_scissors")
    decide = mixed_moves(game, game.solve(policy=True))
    thirds = [Fraction(1, 3)] * 3
    assert decide(game.initial) == thirds
    assert all(decide(game.initial.after(move)) == thirds for move in game.initial.moves)


def test_a_file_decides(tmp_path):
    game, file = zermelo.load("nim", heaps=2), str(tmp_path / "nim.json")
    solution = game.solve(positions=file)
    assert solution.value[0] == 1
    decide = mixed_moves(game, file)
    state = game.initial.after("take(2, 1)")
    assert sum(decide(state)) == 1
    with pytest.raises(ZermeloError) as refused:
        mixed_moves(zermelo.load("nim"), file)
    assert refused.value.code == "bad-strategy"


def test_strategies_of_another_program_are_judged():
    """Who always makes the first move: Alice checks and folds, Bob checks and folds."""
    game = zermelo.load("kuhn_poker")
    found = foreign_strategies(game, "the first", lambda state: [1.0] + [0.0] * (len(state.moves) - 1))
    judged = game.exploit(found)
    assert not judged.is_equilibrium and judged.exploitability > 0
    assert found.record()["strategies"][0]["decisions"][0]["known"] == ["hand[Alice] = J", "to decide: opening"]
    assert mixed_moves(game, found)(game.initial.after("deal(Q, J)")) == [1, 0]
