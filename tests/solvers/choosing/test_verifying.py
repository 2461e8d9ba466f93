"""Verification of values, right and wrong ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.choosing.verifying import Verification, second_opinion, verify
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Certainty, Solution
from zermelo.solving import facts_of

A_TIE = """\
game "A favour"
players Ann, Bob
tree:
    Ann:
        help: (1, 5)
        refuse: (1, 0)
        leave: (0, 9)
"""


def never(name: str) -> Solution:
    raise AssertionError(f"{name} is not needed")


def verified(
    game: zermelo.Game, solver: str | None = None, limits: Limits | None = None, **changes: Any
) -> Verification:
    """The verification of a solution with changes."""
    facts = facts_of(game)
    solution = evolve(solve(game.searching, facts, solver), **changes)
    root = game.reference.initial()
    return verify(solution, game.reference, root, facts, lambda name: solve(game.searching, facts, name), limits)


@pytest.mark.parametrize("machine", ["reference", "python"])
@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("two_ply_tree", "plain recursion"),
        ("three_player_tree", "satisfy their equations"),
        ("coin_flip_tree", "satisfy their equations"),
        ("kuhn_poker", "best responses"),
        ("prisoners_dilemma", "best responses"),
        ("beer_or_quiche", "best responses"),
        ("fireworks", "trying all"),
    ],
)
def test_small_games_are_walked_through(name: str, how: str, machine: str) -> None:
    found = verified(zermelo.load(name).on(machine))
    assert found.confirmed and how in found.how


def test_larger_ones_are_left_to_a_solver_of_another_kind() -> None:
    found = verified(zermelo.load("nim", heaps=2), "alphabeta", Limits(memory=50 << 10))
    assert found == Verification(True, f"by {SOLVERS['dfpn'].title}: the same value")


@pytest.mark.parametrize(
    "name", ["two_ply_tree", "coin_flip_tree", "three_player_tree", "kuhn_poker", "two_robots", "fireworks"]
)
def test_a_wrong_value_is_noticed(name: str) -> None:
    game = zermelo.load(name)
    for wrong in (Fraction(1, 10**30), Fraction(1)):
        value = tuple(amount + wrong for amount in zermelo.solve(game).value)
        with pytest.raises(ZermeloError, match="has found the value") as raised:
            verified(game, value=value)
        assert raised.value.code == "values-disagree"


def test_a_wrong_value_of_a_larger_game_is_noticed_by_the_other_solver() -> None:
    with pytest.raises(ZermeloError, match="df-pn proof-number search finds") as raised:
        verified(zermelo.load("nim", heaps=2), "alphabeta", Limits(memory=50 << 10), value=(Fraction(0), Fraction(0)))
    assert raised.value.code == "values-disagree"


def table(rows: str) -> zermelo.Game:
    """A game of one table, with the moves a and b."""
    return zermelo.loads(f'game "Table"\nplayers Row, Column\ntable:\n    Row \\ Column | a | b\n{rows}')


PENNIES = "    a | 1 | -1\n    b | -1 | 1\n"
DILEMMA = "    a | 3, 3 | 0, 4\n    b | 4, 0 | 1, 1\n"


@pytest.mark.parametrize(
    ("rows", "others", "solver", "value", "instead"),
    [
        (PENNIES, "    a | 1 | 2\n    b | 0 | 0\n", "sequence_form", (1, -1), "Column could get 1"),
        (DILEMMA, "    a | 9, 9 | 4, 0\n    b | 0, 4 | 1, 1\n", "normal_form", (3, 3), "Row could get 4"),
    ],
)
def test_strategies_that_are_no_equilibrium_are_noticed(rows, others, solver, value, instead) -> None:
    """The strategies of another game have the right payoffs, but somebody gains by deviating."""
    game, other = table(rows), table(others)
    facts = facts_of(game)
    foreign = solve(other.searching, facts_of(other), solver)
    assert [str(d.support) for s in foreign.strategies for d in s.decisions if len(d.support) == 1]
    solution = evolve(solve(game.searching, facts, solver), value=value, strategies=foreign.strategies)
    with pytest.raises(ZermeloError, match=instead) as raised:
        verify(solution, game.reference, game.reference.initial(), facts, never)
    assert raised.value.code == "values-disagree"


@pytest.mark.parametrize("solver", ["lemke", "normal_form", "team"])
def test_an_equilibrium_of_partners_is_no_value(solver: str) -> None:
    """Ann tells nothing of her card, and Bob does not listen: nobody gains alone, but together they always win."""
    game = zermelo.load("partners_signal")
    pooling = solve(game.searching, facts_of(game), "lemke")
    assert pooling.value == (Fraction(1, 2),) * 2 and not pooling.is_optimum
    assert "nobody gains" in verified(game, "lemke").how
    with pytest.raises(ZermeloError, match="other strategies bring 1 to all") as raised:
        verified(game, solver, value=pooling.value, strategies=pooling.strategies, is_optimum=True)
    assert raised.value.code == "values-disagree"


def test_what_partners_could_agree_on_may_be_too_much_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solvers.choosing.verifying._MOST_TRIED", 10)
    found = verified(zermelo.load("partners_signal"))
    assert not found.confirmed and "too many strategies that players could agree on" in found.how


def test_a_move_that_is_not_best_is_noticed() -> None:
    game = zermelo.load("two_ply_tree")
    moves = game.initial.moves
    best = zermelo.solve(game).best
    worse = tuple(move for move in moves if move not in best)
    with pytest.raises(ZermeloError, match="is not among the best moves"):
        verified(game, best=worse[:1])


def test_any_way_to_decide_ties_will_do_and_nothing_else() -> None:
    game = zermelo.loads(A_TIE)
    for value in ((1, 5), (1, 0)):
        assert verified(game, "maxn", value=tuple(map(Fraction, value))).confirmed
    with pytest.raises(ZermeloError, match=r"\(1, 0\) or \(1, 5\)"):
        verified(game, "maxn", value=(Fraction(1), Fraction(2)))


def test_what_is_not_exact_is_not_confirmed() -> None:
    found = verified(zermelo.load("two_ply_tree"), certainty=Certainty.DEPTH_LIMITED)
    assert not found.confirmed and "depth-limited" in found.how


def test_nor_is_what_does_not_fit_the_limits() -> None:
    found = verified(zermelo.load("kuhn_poker"), limits=Limits(memory=20 << 10))
    assert not found.confirmed and "histories, which is what --memory allows" in found.how
    found = verified(zermelo.load("leduc_poker"), limits=Limits(seconds=0))
    assert not found.confirmed and "within 0 s" in found.how


def test_the_second_opinion_is_of_another_kind() -> None:
    facts = facts_of(zermelo.load("tic_tac_toe"))
    assert second_opinion("enhanced_alphabeta", facts) == second_opinion("minimax", facts) == "dfpn"
    assert second_opinion("dfpn", facts) == "enhanced_alphabeta"
    dice = facts_of(zermelo.load("dice_race"))
    assert second_opinion("expectiminimax", dice) in ("star1", "star2")
    assert second_opinion("star2", dice) == "expectiminimax"
    assert second_opinion("maxn", facts_of(zermelo.load("three_player_tree"))) is None
