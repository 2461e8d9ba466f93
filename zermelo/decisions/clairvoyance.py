"""A move for a player who does not know the position, by deals that fit what they have perceived
(:mod:`zermelo.solvers.clairvoyance`)."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, Final

from attrs import frozen

from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.open_cards import with_open_cards
from zermelo.interpreter.machine import Asked, Move
from zermelo.solvers.beliefs.behaviour import uniform
from zermelo.solvers.beliefs.belief import Belief
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.beliefs.enumerating import enumerated
from zermelo.solvers.beliefs.sampling import sampled
from zermelo.solvers.choosing.fitting import objection
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.clairvoyance.alphamu import alphamu
from zermelo.solvers.clairvoyance.averaging import AveragedMove, Deal, averages, best_of
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.solution import Problem
from zermelo.solving import on_machine

_NEEDS: Final = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.END)
"""What must hold of the rest of a play with open cards; and for alpha-mu, that chance does not draw in it."""

_MOST_LISTED: Final = 2_000
"""How many states are looked at for the exact belief, before deals are drawn instead."""

DEALS: Final = 100
"""How many deals are drawn unless a number is asked for."""

MOVES: Final = 2
"""How many moves of the player alpha-mu looks ahead before the cards are open, unless a number is asked for."""


@frozen
class Averaged:
    """What each move of ``player`` brings on average over ``deals`` deals, in the order of the rules, and the ``best``
    of them. ``covers``: the deals are all that fit, with their exact probabilities."""

    player: str
    method: str
    moves: tuple[AveragedMove, ...]
    deals: int
    covers: bool
    ahead: int

    @property
    def best(self) -> tuple[Move, ...]:
        return best_of(self.moves)


def averaged(
    state: State, method: str, deals: int, ahead: int, seed: int, limits: Limits, progress: Progress
) -> Averaged:
    """The averages of a method for the player to move.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; a code that begins with ``needs-`` if what is left
    of the game, with open cards, is not for two players, of constant sum, and sure to end, or for alpha-mu, not without
    chance; ``never-perceived``, ``out-of-time``."""
    game, player = state.game, state.actor
    if player is None or player == CHANCE:
        raise ZermeloError(
            "no-value", f"{state.status}, so there is no move to choose", "`--after` leads to a decision"
        )
    number = game.number(player)
    known = state.information_state(player)
    asked = known[-1] if len(known) else None
    facts = with_open_cards(game.facts, game.model, asked.phase if isinstance(asked, Asked) else "")
    needs = _NEEDS if method == "pimc" else (*_NEEDS, Need.NO_CHANCE)
    for need in (need for need in needs if not need.is_met(facts)):
        open_play = f"{method} solves what is left of a play with open cards, which it can in {need.kind}"
        raise ZermeloError(need.code, f"{open_play}; {objection(need, facts)}")
    following = Following(game.machine, number, known, uniform)
    found = enumerated(following, limits, progress, _MOST_LISTED, by_standing=True) or sampled(
        following, Random(seed), deals, limits, progress, by_standing=True
    )
    machine = game.searching
    drawn = [
        Deal(on_machine(State(game, each), machine), weight) for each, weight in _drawn(found, deals, Random(seed))
    ]
    problem = Problem(machine, facts, drawn[0].state, progress, limits)
    moves = averages(problem, number, drawn) if method == "pimc" else alphamu(problem, number, drawn, ahead)
    covers = found.is_exact and len(drawn) == len(found.positions)
    return Averaged(player, method, moves, len(drawn) if covers else deals, covers, ahead)


def _drawn(found: Belief[Any], deals: int, random: Random) -> list[tuple[Any, Fraction]]:
    """So many positions of a belief at random, those that come up several times once, with that weight; all of them
    with their probabilities if they are no more."""
    if len(found.positions) <= deals:
        return [(each.state, each.probability) for each in found.positions]
    chances = [float(each.probability) for each in found.positions]
    counts: dict[int, int] = {}
    for k in random.choices(range(len(chances)), chances, k=deals):
        counts[k] = counts.get(k, 0) + 1
    return [(found.positions[k].state, Fraction(count)) for k, count in counts.items()]
