"""The best extensive-form correlated equilibrium, by a linear program solved exactly.

A mediator draws a pure strategy for each player and keeps it secret. Whoever reaches an information set is told the
move that their strategy has there. Who once does something else is told nothing more. If nobody gains by doing so, this
is an *extensive-form correlated equilibrium* (von Stengel and Forges 2008). Every correlated equilibrium of the table
is one: there players are told their whole strategy in advance, know more, and can do more with it.

Payoffs and incentives (:mod:`zermelo.solvers.imperfect_information.obedience`) are linear in z, the probabilities that
everybody is told the sequences of a tuple. That z is a mixture of pure strategies is said in one of two ways:

- for two players and triangle-free games by equations
  (:mod:`zermelo.solvers.imperfect_information.correlation_plans`), as many as relevant pairs of sequences;
- for others by a column for every profile of pure strategies. With hidden deals to find the best equilibrium is NP-hard
  (von Stengel and Forges 2008), so no small program can be expected.

The optimum is proved by the certificate of the linear program, and that z is a mixture, by writing it as one.

Cost: a linear program with a column for every relevant pair, or for every profile and every tuple that matters.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod

from attrs import frozen

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.correlation_plans import CorrelationPlans, Told
from zermelo.solvers.imperfect_information.following_sets import FollowingSets
from zermelo.solvers.imperfect_information.obedience import (
    Joint,
    joints_of,
    leaves_of,
    require_obedience,
    size_of,
)
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram, bytes_of_program
from zermelo.solvers.normal_form.normal_form import NoTable, check_count, count_strategies, pure_plans


@frozen
class ExtensiveFormCorrelated:
    """The sequences that players are told together, with their probabilities, the expected payoffs, and the size of the
    linear program in words."""

    drawn: dict[Told, Fraction]
    payoff: Payoff
    counts: dict[str, int]

    @property
    def welfare(self) -> Fraction:
        """The sum of the players' payoffs."""
        return sum(self.payoff, Fraction(0))


def best_in_extensive_form(
    tree: ExtensiveForm, form: SequenceForm, limits: Limits, favoured: int | None = None
) -> ExtensiveFormCorrelated:
    """The extensive-form correlated equilibrium with the greatest welfare, or with the greatest payoff of the player
    ``favoured``; ``form`` is the sequence form of the game ``tree``.

    Raises ``ZermeloError``: :class:`NoTable` (``too-many-strategies``) if the equations do not suffice and there are
    too many profiles, ``no-solver`` if no optimum could be proved, ``broken-installation``, ``out-of-time``,
    ``out-of-memory``."""
    plans = CorrelationPlans(form) if len(form.players) == 2 else None
    if plans is not None and plans.crossing() is None:
        return by_equations(form, plans, limits, favoured)
    try:
        check_count(tree, tree.player_names, [count_strategies(own) for own in form.players])
    except NoTable as error:
        raise NoTable(error.code, f"{_why_listed(tree)}, and {error.message}", error.help) from None
    return by_profiles(form, limits, favoured)


def by_equations(
    form: SequenceForm, plans: CorrelationPlans, limits: Limits, favoured: int | None = None
) -> ExtensiveFormCorrelated:
    """The same for two players and a triangle-free game, by a program with a column for every relevant pair. Raises as
    :func:`best_in_extensive_form`."""
    coefficients, lines = size_of(form, plans.sides)
    pairs = plans.count()
    memory = bytes_of_program(coefficients + 4 * pairs, lines + 3 * pairs)
    limits.require(memory, f"a linear program of {pairs:,} pairs of sequences")
    plans.number()
    program = _program(form, plans.place, favoured)
    program.add([(0, 1)], 1, True)
    for row in plans.consistency():
        program.add(row, 0, True)
    require_obedience(program, form, plans.sides, plans.place)
    return _told(form, plans.mixture(_solved(program, limits)[:pairs]), {"pairs of sequences": pairs})


def by_profiles(form: SequenceForm, limits: Limits, favoured: int | None = None) -> ExtensiveFormCorrelated:
    """The same for any game, by a program with a column for every profile. Raises as
    :func:`best_in_extensive_form`."""
    sides = [FollowingSets(own) for own in form.players]
    strategies = [[frozenset(chosen) | {0} for chosen in pure_plans(own)] for own in form.players]
    following = [
        [[k for k, told in enumerate(own) if sequence in told] for sequence in range(len(side.own))]
        for own, side in zip(strategies, sides, strict=True)
    ]
    joints, profiles = joints_of(form, sides), prod(map(len, strategies))
    coefficients, lines = size_of(form, sides)
    coefficients += sum(1 + prod(map(len, map(list.__getitem__, following, joint))) for joint in joints)
    memory = bytes_of_program(coefficients + profiles, lines + 2 * len(joints) + profiles)
    limits.require(memory, f"a linear program of {profiles:,} profiles")
    place = {joint: k for k, joint in enumerate(joints)}
    program = _program(form, place, favoured)
    first = len(joints)
    program.costs += [0] * profiles
    program.is_free += [False] * profiles
    program.add([(first + k, 1) for k in range(profiles)], 1, True)
    for joint, column in place.items():
        row = [(column, -1)]
        for profile in product(*map(list.__getitem__, following, joint)):
            look()
            number = 0
            for own, k in zip(strategies, profile, strict=True):
                number = number * len(own) + k
            row.append((first + number, 1))
        program.add(row, 0, True)
    require_obedience(program, form, sides, place)
    weights = _solved(program, limits)[first : first + profiles]
    drawn = {told: weight for told, weight in zip(product(*strategies), weights, strict=True) if weight}
    return _told(form, drawn, {"profiles": profiles})


def _program(form: SequenceForm, place: dict[Joint, int], favoured: int | None) -> LinearProgram:
    """The program without rows: its objective is the sum of payoffs, or the payoff of the player ``favoured``."""
    program = LinearProgram([0] * len(place), [False] * len(place))
    wanted = form.payoffs if favoured is None else [form.payoffs[favoured]]
    for leaf, amounts in zip(leaves_of(form), zip(*wanted, strict=True), strict=True):
        program.costs[place[leaf]] += sum(amounts)
    return program


def _solved(program: LinearProgram, limits: Limits) -> list[Fraction]:
    """The optimal solution, proved."""
    found = optimum(program, limits)
    if found is None or not found[1]:
        raise ZermeloError("no-solver", "the linear program of this game is beyond what double precision can solve")
    return found[0].x


def _told(form: SequenceForm, drawn: dict[Told, Fraction], counts: dict[str, int]) -> ExtensiveFormCorrelated:
    """What is drawn, with what the players expect if everybody does as they are told."""
    reached: dict[Joint, Fraction] = defaultdict(Fraction)
    for told, chance in drawn.items():
        for joint in product(*told):
            reached[joint] += chance
    chances = [reached.get(leaf, Fraction(0)) for leaf in leaves_of(form)]
    sums = (
        sum((chance * amount for chance, amount in zip(chances, own, strict=True) if chance), Fraction(0))
        for own in form.payoffs
    )
    return ExtensiveFormCorrelated(drawn, tuple(total / form.denominator for total in sums), counts)


def _why_listed(tree: ExtensiveForm) -> str:
    """Why the equations do not suffice, in words."""
    if len(tree.player_names) != 2:
        return "with more or fewer than two players, what a mediator can do needs a list of pure strategies"
    one, other = tree.player_names
    return f"chance tells {one} and {other} different things, so what a mediator can do needs a list of pure strategies"
