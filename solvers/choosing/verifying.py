"""Verifying a value by an independent computation.

Exact values are exact by construction, and tests compare them with independent solutions. This verifies the case at
hand, in one of three ways:

- *Histories.* The reference machine visits every history of the game, without merging, tables, kernels or linear
  programs. With perfect information, backward induction gives all payoffs of best play, however ties are decided.
  Otherwise the strategies are followed and answered by exact best responses: if nobody gains, they are an equilibrium,
  and for two players and constant sum their payoff is the value. For players with a common payoff, branch and bound
  shows that they can agree on nothing better. The plan of a single player is followed in the same way, and compared
  with a best response to nobody.
- *Positions.* Where they have been solved one by one, the reference machine finds them again, and the values must
  satisfy their equations in all of them. If plays can come back, these may have other solutions; then interval
  iteration, which knows nothing of exact numbers, must find bounds around every value.
- *Another solver* of another kind, with perfect information and too many histories: proof-number search after
  alpha-beta, alpha-beta after solvers that visit all positions, and so on.

Cost: one visit of every history on the reference machine, and about a thousand bytes for each; or that of the other
solver.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final, Generic

from attrs import define, field, frozen

from zermelo.foundation.memory import MemoryQuota
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, State, payoff_text
from zermelo.solvers.choosing.registry import SOLVERS, Need, find_solver, unmet_needs
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress
from zermelo.solvers.forms.policy import ConditionalPlan
from zermelo.solvers.positions.graph import exploring
from zermelo.solvers.positions.graph.graph import ROOT, contest_of, find_components, goes_round
from zermelo.solvers.positions.policies import Policy, flaw, is_same_graph
from zermelo.solvers.positions.solved_positions import SolvedPositions, earned_and_factor_before
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import NoBounds, bounds
from zermelo.solvers.solution import Solution

_LONGEST: Final = 200
"""The most moves of a play visited here, each of which takes a frame of Python."""

_MOST_TIES: Final = 1000
"""The most payoffs that ties in a subgame may allow."""

_MOST_TRIED: Final = 1_000_000
"""The most visits of histories in trying the strategies that players might agree on."""

_KINDS: Final = (
    ("dfpn",),
    (
        "enhanced_alphabeta", "alphabeta_table", "alphabeta", "principal_variation", "iterative_deepening",
        "aspiration", "mtdf",
    ),
    ("minimax", "expectiminimax", "maxn"),
    ("star2", "star1"),
    ("positions",),
)  # fmt: skip
"""Kinds of solvers for perfect information; the first other kind that fits is the second opinion."""


@frozen
class Verification:
    """Whether a value has been ``confirmed``, and ``how``, or why not: a clause without a full stop."""

    confirmed: bool
    how: str


class _TooMany(Exception):
    """There are too many histories or ties; the message says which."""


@define(eq=False)
class _History:
    """A history with its continuations, and the information set of the player who decides."""

    actor: int
    moves: tuple[Move, ...]
    chances: tuple[Fraction, ...]
    children: tuple[_History, ...]
    payoff: Payoff
    known: Hashable


def verify(
    solution: Solution,
    reference: Machine[State],
    root: State,
    facts: Facts,
    again: Callable[[str], Solution],
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Verification:
    """Verify the value of a game, or of what is left of it from ``root`` on, on its ``reference`` machine or by another
    solver, which ``again`` runs.

    Results of unfinished or guessing searches are not confirmed, nor those that cannot be found again within
    ``limits``. Raises ``ZermeloError``: ``values-disagree`` if the second result differs, or an error of the rules.
    """
    limits = limits or Limits()
    if not solution.exact:
        return Verification(False, f"the value is {solution.certainty.value}, and only exact ones are found again")
    try:
        with limits.enforce():
            return _verify_exact(solution, reference, root, facts, again, limits, progress)
    except LimitReached as error:
        return Verification(False, f"it has not been found again {error.limit}")


def _verify_exact(
    solution: Solution,
    reference: Machine[State],
    root: State,
    facts: Facts,
    again: Callable[[str], Solution],
    limits: Limits,
    progress: Progress,
) -> Verification:
    """Verification in one of the three ways."""
    if solution.policy is not None:
        found = check_equations(solution, reference, root, limits, progress)
        if found is not None:
            return found
    try:
        history = _Walk(reference, facts, limits, progress, limits.room()).history(root, 0)
        histories = sum(1 for _ in _all_histories(history))
        if solution.strategies:
            return _verify_responses(solution, history, facts, histories, limits)
        if solution.plan is not None:
            return _verify_plan(solution, solution.plan, history, histories)
        if facts.perfect_information.holds:
            return _verify_by_induction(solution, history, histories)
        return Verification(False, "it comes with no strategies that could be answered")
    except _TooMany as reason:
        if solution.strategies or not facts.perfect_information.holds:
            return Verification(False, str(reason))
        return _verify_by_another(solution, facts, again, str(reason))


# ------------------------------------------------------------------ histories


@define(eq=False)
class _Walk(Generic[State]):
    """A walk through all histories of a game."""

    machine: Machine[State]
    facts: Facts
    limits: Limits
    progress: Progress
    room: MemoryQuota
    visited: int = field(default=0)

    def history(self, state: State, depth: int) -> _History:
        """The history of a state, with its continuations."""
        self.visited += 1
        if self.visited % 256 == 0:
            self.progress(self.visited)
            self.limits.check({"nodes": self.visited})
        if self.room.is_full:
            raise _TooMany(f"it has more than {self.visited - 1:,} histories, which is what --memory allows")
        if depth > _LONGEST:
            raise _TooMany(f"it has plays of more than {_LONGEST} moves")
        actor = self.machine.actor(state)
        if actor == END:
            return self.noted(_History(actor, (), (), (), self.machine.payoff(state), None))
        chances: tuple[Fraction, ...] = ()
        known: Hashable = None
        if actor == CHANCE:
            outcomes = self.machine.outcomes(state)
            moves, chances = tuple(move for move, _ in outcomes), tuple(chance for _, chance in outcomes)
        else:
            moves = self.machine.moves(state)
            if not self.facts.perfect_information.holds:
                known = actor, tuple(self.machine.information_state(state, actor))
        children = tuple(self.history(self.machine.after(state, move), depth + 1) for move in moves)
        return self.noted(_History(actor, moves, chances, children, (), known))

    def noted(self, history: _History) -> _History:
        """A history, noted as one of the latest."""
        self.room.keep(history)
        return history


def _all_histories(here: _History) -> Iterator[_History]:
    yield here
    for child in here.children:
        yield from _all_histories(child)


# ------------------------------------------------------------------ nothing hidden


def _verify_by_induction(solution: Solution, root: _History, histories: int) -> Verification:
    """By backward induction."""
    reachable = [_reachable_payoffs(child) for child in root.children]
    found = _best_play_payoffs(root, reachable)
    if solution.value not in found:
        payoffs = " or ".join(map(payoff_text, sorted(found)))
        raise _disagreement(solution, f"plain recursion over all {histories:,} histories finds {payoffs}")
    if root.actor >= 0:
        least = max(min(payoff[root.actor] for payoff in each) for each in reachable)
        best = {
            move
            for move, each in zip(root.moves, reachable, strict=True)
            if max(payoff[root.actor] for payoff in each) >= least
        }
        wrong = [move for move in solution.best if move not in best]
        if wrong:
            how = f"by plain recursion over all {histories:,} histories {wrong[0]} is not among the best moves"
            raise _disagreement(solution, how)
    return Verification(True, f"by plain recursion over all {histories:,} histories: the same value")


def _reachable_payoffs(here: _History) -> frozenset[Payoff]:
    """All payoffs of best play, however ties are decided."""
    return _best_play_payoffs(here, [_reachable_payoffs(child) for child in here.children])


def _best_play_payoffs(here: _History, payoffs: list[frozenset[Payoff]]) -> frozenset[Payoff]:
    """The payoffs of best play at a history, given those of its successors. At a decision: a payoff of a successor, if
    every other successor has one that is no better for the player. At a chance node: the means of all choices of one
    payoff from each."""
    if here.actor == END:
        return frozenset([here.payoff])
    if here.actor == CHANCE:
        if prod(map(len, payoffs)) > _MOST_TIES:
            raise _TooMany("ties allow too many payoffs")
        return frozenset(_mean_payoff(here.chances, chosen) for chosen in product(*payoffs))
    least = max(min(payoff[here.actor] for payoff in each) for each in payoffs)
    found = frozenset(payoff for each in payoffs for payoff in each if payoff[here.actor] >= least)
    if len(found) > _MOST_TIES:
        raise _TooMany("ties allow too many payoffs")
    return found


def _mean_payoff(weights: tuple[Fraction, ...], payoffs: tuple[Payoff, ...]) -> Payoff:
    columns = zip(*payoffs, strict=True)
    return tuple(sum((w * x for w, x in zip(weights, column, strict=True)), Fraction(0)) for column in columns)


# ------------------------------------------------------------------ something hidden


_Strategies = dict[Hashable, dict[Move, Fraction]]


def _verify_responses(solution: Solution, root: _History, facts: Facts, histories: int, limits: Limits) -> Verification:
    """By best responses to the strategies found."""
    strategies: _Strategies = {
        (player, tuple(decision.known)): dict(zip(decision.moves, decision.probabilities, strict=True))
        for player, strategy in enumerate(solution.strategies)
        for decision in strategy.decisions
    }
    for here in _all_histories(root):
        if here.actor >= 0 and set(strategies.get(here.known, ())) != set(here.moves):
            raise _disagreement(solution, f"its strategies say nothing of one of the {histories:,} histories")
    expected = _expected_payoffs(root, strategies)
    walked = f"over all {histories:,} histories"
    if expected != solution.value:
        raise _disagreement(solution, f"followed {walked}, its strategies bring {payoff_text(expected)}")
    for player, name in enumerate(facts.players):
        most = _Responses(player, strategies).best(root)
        if most > expected[player]:
            raise _disagreement(solution, f"{name} could get {most} by another strategy ({walked})")
    answered = f"by exact best responses {walked}: nobody gains by leaving the strategies"
    if not solution.is_optimum or len(facts.players) == 1:
        return Verification(True, answered)
    try:
        more = _better_joint_payoff(root, expected[0], histories, limits)
    except _TooMany as reason:
        return Verification(False, f"{answered}, but {reason}")
    if more is not None:
        raise _disagreement(solution, f"other strategies bring {more} to all ({walked})")
    return Verification(True, f"by trying all that players can agree on {walked}: nothing brings more")


def _better_joint_payoff(root: _History, least: Fraction, histories: int, limits: Limits) -> Fraction | None:
    """The payoff of some strategies that bring players with a common payoff more than ``least``; None if none do.

    Some pure strategies are best (Marschak and Radner 1972). Players who saw everything where their moves have not been
    fixed would do no worse; so fixed moves that do not bring more even then are dropped. If such players make one and
    the same move throughout each set, they need not see more than they do; else the moves of a set are fixed in turn.

    Raises :class:`_TooMany`."""
    waiting: list[dict[Hashable, Move]] = [{}]
    visited = 0
    while waiting:
        fixed = waiting.pop()
        visited += histories
        limits.check({"nodes": visited})
        if visited > _MOST_TRIED:
            raise _TooMany("there are too many strategies that players could agree on to try them all")
        made: dict[int, int] = {}
        if (value := _open_card_value(root, fixed, made)) <= least:
            continue
        met: dict[Hashable, set[Move]] = {}
        moves: dict[Hashable, tuple[Move, ...]] = {}
        reached = [root]
        while reached:
            here = reached.pop()
            if here.actor == CHANCE:
                reached += here.children
            elif here.actor != END:
                place = made[id(here)]
                moves[here.known] = here.moves
                met.setdefault(here.known, set()).add(here.moves[place])
                reached.append(here.children[place])
        known = next((known for known, chosen in met.items() if len(chosen) > 1), None)
        if known is None:
            return value
        waiting += [{**fixed, known: move} for move in moves[known]]
    return None


def _open_card_value(here: _History, fixed: dict[Hashable, Move], made: dict[int, int]) -> Fraction:
    """The common payoff if players see everything where their moves are not ``fixed``; ``made`` takes their moves."""
    if here.actor == END:
        return here.payoff[0]
    values = [_open_card_value(child, fixed, made) for child in here.children]
    if here.actor == CHANCE:
        return sum((chance * value for chance, value in zip(here.chances, values, strict=True)), Fraction(0))
    move = fixed.get(here.known)
    place = values.index(max(values)) if move is None else here.moves.index(move)
    made[id(here)] = place
    return values[place]


def _verify_plan(solution: Solution, plan: ConditionalPlan, root: _History, histories: int) -> Verification:
    """By following the plan of a single player, and by their best response to nobody."""
    made: _Strategies = {}
    for here in _all_histories(root):
        if here.actor == 0:
            assert isinstance(here.known, tuple)
            step = plan.step_at(here.known[1])
            chosen = here.moves[0] if step is None else step.move
            made[here.known] = {move: Fraction(move == chosen) for move in here.moves}
    walked = f"over all {histories:,} histories"
    expected = _expected_payoffs(root, made)
    if expected != solution.value:
        raise _disagreement(solution, f"followed {walked}, its plan brings {payoff_text(expected)}")
    most = _Responses(0, {}).best(root)
    if most > expected[0]:
        raise _disagreement(solution, f"another plan brings {most} ({walked})")
    return Verification(True, f"by the best of all plans {walked}: none brings more")


def _move_chances(here: _History, strategies: _Strategies) -> tuple[Fraction, ...]:
    """The probabilities of the moves of a history."""
    return here.chances if here.actor == CHANCE else tuple(strategies[here.known][move] for move in here.moves)


def _expected_payoffs(here: _History, strategies: _Strategies) -> Payoff:
    """The expected payoffs if all follow the strategies."""
    if here.actor == END:
        return here.payoff
    payoffs = tuple(_expected_payoffs(child, strategies) for child in here.children)
    return _mean_payoff(_move_chances(here, strategies), payoffs)


@define(eq=False)
class _Responses:
    """The best response of a player to the strategies of the others: in each of their information sets the move of
    greatest value over all its histories, weighted by the reach probabilities of the others and chance. Later sets are
    decided first, which perfect recall makes possible."""

    player: int
    strategies: _Strategies
    members: dict[Hashable, list[tuple[_History, Fraction]]] = field(factory=dict)
    worth: dict[int, Fraction] = field(factory=dict)
    chosen: dict[Hashable, Move] = field(factory=dict)

    def best(self, root: _History) -> Fraction:
        """The value of the best response."""
        self.reach(root, Fraction(1))
        return self.value(root, Fraction(1))

    def reach(self, here: _History, weight: Fraction) -> None:
        """Note the histories of all the player's information sets, with the others' reach probabilities."""
        if here.actor == self.player:
            self.members.setdefault(here.known, []).append((here, weight))
        for child, share in self.following(here):
            self.reach(child, weight * share)

    def following(self, here: _History) -> list[tuple[_History, Fraction]]:
        """The next histories, with the others' probabilities of them."""
        if here.actor == self.player:
            return [(child, Fraction(1)) for child in here.children]
        if here.actor == END:
            return []
        return list(zip(here.children, _move_chances(here, self.strategies), strict=True))

    def value(self, here: _History, weight: Fraction) -> Fraction:
        """The value of a history for the player, times the others' reach probability ``weight``."""
        if not weight:
            return Fraction(0)
        if id(here) not in self.worth:
            if here.actor == END:
                found = weight * here.payoff[self.player]
            elif here.actor == self.player:
                found = self.value(here.children[here.moves.index(self.move(here))], weight)
            else:
                found = sum((self.value(child, weight * share) for child, share in self.following(here)), Fraction(0))
            self.worth[id(here)] = found
        return self.worth[id(here)]

    def move(self, here: _History) -> Move:
        """The player's move in the information set of a history."""
        if here.known not in self.chosen:
            members = self.members[here.known]

            def brings(move: Move) -> Fraction:
                parts = (self.value(there.children[there.moves.index(move)], weight) for there, weight in members)
                return sum(parts, Fraction(0))

            self.chosen[here.known] = max(here.moves, key=brings)
        return self.chosen[here.known]


# ------------------------------------------------------------------ another solver


def _verify_by_another(solution: Solution, facts: Facts, again: Callable[[str], Solution], why: str) -> Verification:
    """By a solver of another kind."""
    name = second_opinion(solution.solver, facts)
    if name is None:
        return Verification(False, f"{why}, and no solver of another kind fits")
    try:
        other = again(name)
    except ZermeloError as refusal:
        if refusal.code != Need.END.code:
            raise
        return Verification(False, f"{why}, and {find_solver(name).title} has met a play that goes round")
    if not other.exact:
        return Verification(False, f"{find_solver(name).title} does not find an exact value")
    if other.value != solution.value:
        raise _disagreement(solution, f"{find_solver(name).title} finds {payoff_text(other.value)}")
    return Verification(True, f"by {find_solver(name).title}: the same value")


def second_opinion(name: str, facts: Facts) -> str | None:
    """A solver for perfect information that fits this game, of another kind than the one of this name."""
    if not facts.constant_sum.holds or len(facts.players) != 2:
        return None  # ties may lead to several values
    others = (other for kind in _KINDS if name not in kind for other in kind)
    return next((other for other in others if not unmet_needs(SOLVERS[other], facts)), None)


# ------------------------------------------------------------------ words


def _disagreement(solution: Solution, instead: str) -> ZermeloError:
    return ZermeloError(
        "values-disagree",
        f"{find_solver(solution.solver).title} has found the value {payoff_text(solution.value)}, but {instead}",
        "one of them is wrong, which is a fault of this program: please report it with the file, its parameters and "
        "the command",
    )


# Verifying what solving every position has found.


def check_equations(
    solution: Solution, reference: Machine[State], root: State, limits: Limits, progress: Progress
) -> Verification | None:
    """Look at solved positions again, on the reference machine; None if not all of them have been kept. Raises
    ``ZermeloError`` (``values-disagree``)."""
    if not isinstance(solution.policy, Policy):
        return None
    solved: SolvedPositions = solution.policy.solved
    earned, factor = earned_and_factor_before(reference, root)
    value = tuple(e + factor * p for e, p in zip(earned, solved.payoff(ROOT) or (), strict=True))
    if solution.value != value:
        raise _disagreement(solution, f"its positions are worth {payoff_text(value)}")
    graph = exploring.explore_exactly(reference, root, limits, progress)
    if not is_same_graph(graph, solved.graph):
        raise _disagreement(solution, "the reference machine finds other positions")
    position = flaw(solved)
    if position is not None:
        raise _disagreement(solution, f"position {position:,} does not satisfy its equation")
    said = f"by the reference machine: the values of all {len(graph):,} positions satisfy their equations"
    components = find_components(graph, limits, progress)
    if graph.discount < 1 or not any(goes_round(graph, component) for component in components):
        return Verification(True, said)
    contest = contest_of(graph)
    try:
        if contest is None:
            raise NoBounds("more than one number counts")
        found = bounds(contest, components, limits, progress)
    except NoBounds as reason:
        how = f"{said}, which may have other solutions in circles, and there are no bounds: {reason}"
        return Verification(False, how)
    for number in range(len(graph)):
        payoff = solved.payoff(number)
        if payoff is not None and not found.lower[number] <= payoff[0] <= found.upper[number]:
            between = f"{found.lower[number]} and {found.upper[number]}"
            raise _disagreement(solution, f"position {number:,} is worth something between {between}")
    return Verification(True, f"{said}, and lie within bounds that interval iteration finds")
