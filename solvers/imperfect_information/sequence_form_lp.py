"""The exact value of a two-player game of constant sum, by the linear program of its sequence form.

The first player maximizes the payoff that their plan guarantees. The second player's best response is found bottom-up:
in each of their information sets they choose the sequence with the least value v for the first player, which bounds v
from above by the value of each sequence. With a variable v for each of these sets this is a linear program, as large as
the game tree and not as its exponentially many pure strategies:

    maximize    v[root]
    such that   x is a realization plan of the first player
                v[set of s] - (sum of v over the sets after s) <= (payoff of x at the leaves of s), for every sequence s
                                                                   of the second player

The multipliers of the last rows are the second player's optimal plan, so one solution is an equilibrium of both.

Source: Koller, Megiddo and von Stengel (1994); von Stengel (1996). The value is the same for all equilibria (von
Neumann 1928). It is called exact only if :mod:`zermelo.solvers.linear_programming.exact_optimum` has proved it.
Otherwise the weights are repaired to plans, and exact best responses to these give a proved interval.

Where the rules have symmetries, the linear program is that of the game up to symmetry
(:mod:`zermelo.solvers.tree_building.grouping`), whose strategies become strategies of the whole game. The best
responses are exact ones in the whole game, so that no proof rests on the symmetries.

Cost: the extensive form in memory; a linear program with a row and a column for every sequence and information set.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.best_response import assess, check_memory
from zermelo.solvers.forms.extensive_form import SequenceForm, Sequences, plan_of, strategy_of
from zermelo.solvers.forms.extensive_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram, bytes_of_program
from zermelo.solvers.solution import Answer, Certainty, Problem
from zermelo.solvers.tree_building.building import tree_of
from zermelo.solvers.tree_building.grouping import Grouped, group_symmetric


@frozen
class Equilibrium:
    """Plans of both players, and bounds on the value of the game: the payoff that the first player's plan guarantees
    (``sure``) and the one that the second player's plan concedes (``most``). If they are equal, the plans are
    optimal."""

    plans: list[list[Fraction]]
    sure: Fraction
    most: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether the plans are proved to be an equilibrium."""
        return self.sure == self.most


def program_of(form: SequenceForm) -> LinearProgram:
    """The linear program of a game of two players. Its columns are the first player's sequences, then the values v,
    first that of the whole game and then those of the second player's sets, in units of 1 / ``form.denominator``. Its
    rows are the first player's plan, then the second player's sequences."""
    mine, theirs = form.players
    values = len(mine)
    columns = values + 1 + len(theirs.parents)
    costs = [0] * columns
    costs[values] = 1
    program = LinearProgram(costs, [False] * values + [True] * (columns - values))
    program.add([(0, 1)], 1, True)
    for i, parent in enumerate(mine.parents):
        options = mine.options(i)
        program.add([*((sequence, 1) for sequence in options), (parent, -1)], 0, True)
    rows: list[dict[int, int]] = [{} for _ in range(len(theirs))]
    rows[0][values] = 1
    for i, parent in enumerate(theirs.parents):
        rows[parent][values + 1 + i] = -1
        for sequence in theirs.options(i):
            rows[sequence][values + 1 + i] = 1
    for own, other, payoff in zip(form.leaves[0], form.leaves[1], form.payoffs[0], strict=True):
        if payoff:
            rows[other][own] = rows[other].get(own, 0) - payoff
    for row in rows:
        program.add(list(row.items()), 0, False)
    return program


def _bytes_of(form: SequenceForm) -> int:
    """The memory for solving the linear program, about, known before it is made."""
    sequences = sum(map(len, form.players))
    sets = sum(len(player.parents) for player in form.players)
    return bytes_of_program(len(form.leaves[0]) + 2 * sequences, sequences + sets)


def equilibrium(form: SequenceForm, limits: Limits, smaller: Grouped | None = None) -> Equilibrium | None:
    """An equilibrium of a game of two players and constant sum, exact if proved; None if the linear program could not
    be solved. That is the program of the ``smaller`` game, if there is one; the bounds are always those of the whole
    game.

    Raises ``ZermeloError``: ``broken-installation``, ``out-of-time``, ``out-of-memory``."""
    small = form if smaller is None else form_of(smaller.tree, limits)
    plans = _optimal_plans(small, limits)
    if plans is None:
        return None
    if smaller is not None:
        lifted = smaller.lifted([strategy_of(own, plan) for own, plan in zip(small.players, plans, strict=True)])
        plans = [plan_of(own, strategy) for own, strategy in zip(form.players, lifted, strict=True)]
    check_memory(form, plans, limits)
    sure, most = assess(form, plans).interval
    return Equilibrium(plans, sure, most)


def _optimal_plans(form: SequenceForm, limits: Limits) -> list[list[Fraction]] | None:
    """What the linear program finds; None if it could not be solved."""
    mine, theirs = form.players
    limits.require(_bytes_of(form), f"the linear program of {sum(map(len, form.players)):,} sequences")
    found = optimum(program_of(form), limits)
    if found is None:
        return None
    certificate, _ = found
    first = 1 + len(mine.parents)
    return [_repaired_plan(mine, certificate.x[: len(mine)]), _repaired_plan(theirs, certificate.y[first:])]


def _repaired_plan(sequences: Sequences, weights: Sequence[Fraction]) -> list[Fraction]:
    """The plan given by these weights, repaired if they are not quite one."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        kept = [max(Fraction(0), weight) for weight in weights[first:end]]
        total = sum(kept, Fraction(0))
        for k, weight in enumerate(kept):
            strategy[first + k] = weight / total if total else Fraction(1, end - first)
    return plan_of(sequences, strategy)


def sequence_form(problem: Problem[State]) -> Answer:
    """Solve by the linear program of the sequence form. Needs two players, a constant sum, and plays that end."""
    tree = tree_of(problem)
    form = form_of(tree, problem.limits)
    smaller = group_symmetric(problem, tree)
    found = equilibrium(form, problem.limits, smaller)
    if found is None:
        raise ZermeloError("no-solver", "the linear program of this game is beyond what double precision can solve")
    counts = {
        "nodes": tree.histories,
        "information sets": len(tree.information_sets),
        "sequences": sum(map(len, form.players)),
        **({} if smaller is None else smaller.counts),
    }
    if found.is_exact:
        notes: tuple[str, ...] = ("The value is proved: exact best responses to both strategies bring just that.",)
    else:
        notes = ("The exact check failed; the bounds are proved, since the players' strategies guarantee them.",)
    return Answer(
        value=problem.share((found.sure + found.most) / 2),
        counts=counts,
        certainty=Certainty.EXACT if found.is_exact else Certainty.BOUNDED,
        notes=notes if smaller is None else (*notes, smaller.note),
        strategies=strategies(tree, form, found.plans),
        interval=None if found.is_exact else (found.sure, found.most),
    )
