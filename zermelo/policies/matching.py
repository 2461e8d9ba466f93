"""Strategies of files, or uniform ones, against each other in all seats.

Where everybody knows the position, but for what others choose at that moment, and every file has a policy, each
position is looked at once for each seating (:mod:`zermelo.solvers.positions.responding`); otherwise all histories are
written down, and what the players get is reckoned in the sequence form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import frozen

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff, TellingMachine
from zermelo.policies.exploiting import FollowedPolicy, are_policies, followed_policies, histories
from zermelo.policies.strategy_files import UNIFORM, read_record, read_strategies
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.positions.responding import response
from zermelo.solvers.positions.solved import before_the_root
from zermelo.solving import on_machine, search


@frozen
class Match:
    """Who sits where, and what the players get on average, each to within ``error``."""

    seats: tuple[str, ...]
    value: Payoff
    error: Fraction = Fraction(0)


def matches(names: Sequence[str], begin: State, limits: Limits, report: Progress) -> list[Match]:
    """All seatings of the files ``names``, each of which may be ``uniform``, in the game that begins in a state.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``, ``needs-end``, ``needs-endless``,
    ``earns-for-ever``, ``no-value``, ``out-of-memory``, ``out-of-time``."""
    game = begin.game
    records = {name: None if name == UNIFORM else read_record(name, game) for name in names}
    if are_policies(game, records.values()):
        return search(game, lambda machine: _by_positions(names, records, begin, machine, limits, report))
    return _by_histories(names, records, begin, limits, report)


def _by_positions(
    names: Sequence[str],
    records: Mapping[str, Mapping[str, Any] | None],
    begin: State,
    machine: TellingMachine[Any],
    limits: Limits,
    report: Progress,
) -> list[Match]:
    game, root = begin.game, on_machine(begin, machine)
    policies = followed_policies(records, begin, machine, limits, report)
    guide = policies[names[0]].guide
    earned, factor = before_the_root(machine, root)
    found = []
    for seats in product(names, repeat=len(game.players)):
        seated = [policies[name] for name in seats]

        def chances(position: int, seated: Sequence[FollowedPolicy] = seated) -> Sequence[Fraction]:
            return seated[guide.graph.actor(position)].chances(position)

        gets = [response(guide, player, False, chances, game.facts, limits) for player in range(len(seats))]
        value = tuple(before + factor * each.value for before, each in zip(earned, gets, strict=True))
        found.append(Match(seats, value, factor * max(each.error for each in gets)))
    return found


def _by_histories(
    names: Sequence[str],
    records: Mapping[str, Mapping[str, Any] | None],
    begin: State,
    limits: Limits,
    report: Progress,
) -> list[Match]:
    tree = histories(begin, limits, report)
    form = sequence_form(tree, limits)
    contestants = {name: read_strategies(name, records[name], begin, tree, form, limits) for name in records}
    for p, player in enumerate(tree.player_names):
        for name, contestant in contestants.items():
            if contestant.plans[p] is None:
                raise ZermeloError("bad-strategy", f"{name} has no strategy for {player}")
    found = []
    for seats in product(names, repeat=len(tree.player_names)):
        plans = [contestants[name].plans[p] or [] for p, name in enumerate(seats)]
        found.append(Match(seats, form.expectation(plans)))
    return found
