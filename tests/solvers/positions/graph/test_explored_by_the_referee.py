"""The two referees agree: by histories, with nothing merged, and by positions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from random_cases import many, seeds
from random_games.circling import write_circling
from random_games.winding import Winding, windings
from referee import values
from referee.exploring import explored
from referee.histories import Endless, TooLarge, histories
from referee.positions import may_last
from referee.rounds import round_numbers

import zermelo
from zermelo.grammar.diagnostics import ZermeloError


@given(windings())
@settings(max_examples=many(60), deadline=None)
def test_positions_are_worth_what_histories_say(winding: Winding) -> None:
    """With earnings, a discount, and positions that remember; payoffs sum to 0."""
    game = zermelo.loads(winding.text())
    try:
        root = histories(game.reference, 2_000)
        graph, _ = explored(game.reference, 2_000)
    except (TooLarge, Endless):
        return
    assert not may_last(graph)
    truth = values.reachable(root, {})
    assert {payoff[0] for payoff in truth} == {round_numbers(graph, (1, -1))[0]}


@pytest.mark.parametrize("seed", seeds(150))
def test_with_chance_too(seed: int) -> None:
    """The same in circling games that happen to have no circle, and those that have are found to have one."""
    try:
        game = zermelo.loads(write_circling(Random(seed), "against", True, False))
    except ZermeloError as error:
        assert error.code == "phase-without-exit"
        return
    graph, states = explored(game.reference)
    assert len(states) == len(graph)
    try:
        root = histories(game.reference, 2_000)
    except (TooLarge, Endless):
        return
    truth = values.reachable(root, {})
    assert {payoff[0] for payoff in truth} == {round_numbers(graph, (1, -1))[0]}
