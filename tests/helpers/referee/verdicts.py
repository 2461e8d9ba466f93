"""The judge: machines, checks and solvers compared with the referee's histories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from math import prod
from typing import Any

from attrs import define, field
from solving import solve

from referee import values
from referee.histories import Endless, History, TooLarge, differing_moves, histories
from referee.perceiving import WrongNode
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts, count_information_sets, survey
from zermelo.interpreter.machine import CHANCE, END, Machine, PlayError
from zermelo.solvers.choosing.registry import SOLVERS, unmet_needs
from zermelo.solvers.common.limits import Goal, Limits
from zermelo.solvers.solution import Solution
from zermelo.solving import facts_of

ITERATIONS = 20
"""For solvers that iterate."""

REFUSALS = ("no-solver", "too-many-strategies")
"""Codes with which a solver may refuse a suitable game: it has too many strategies, or no pure equilibria."""

EXPONENTIAL = ("normal_form", "subgame_perfect", "team")
"""Solvers that enumerate strategies, which may take very long on a small game: they are run only if all players
together have at most so many."""

MOST_STRATEGIES = 20_000

MOST_JOINT = 50_000
"""The most joint strategies, times histories, that the referee evaluates."""


@define(eq=False)
class Verdict:
    """The judge's findings. ``complaints`` are disagreements, each beginning with its subject; ``judged`` counts the
    comparisons by solver or other subject."""

    root: History | None = None
    complaints: list[str] = field(factory=list)
    judged: Counter[str] = field(factory=Counter)

    def hold(self, subject: str, is_so: bool, message: Callable[[], str] | str) -> None:
        """Count a comparison, and note a complaint if it fails."""
        self.judged[subject] += 1
        if not is_so:
            self.complaints.append(f"{subject}: {message if isinstance(message, str) else message()}")


def judge(game: Game, most: int = 20_000, solvers: Iterable[str] | None = None, seconds: float = 20) -> Verdict:
    """Compare everything about a game with the referee: the machines' positions and information sets, the facts, and
    the results of all (or these) solvers that accept it. A game that is too large is not judged."""
    verdict = Verdict()
    try:
        root = verdict.root = histories(game.reference, most)
    except Endless as play:
        verdict.hold("terminates", game.facts.terminates.holds is not True, f"proved, but {play} can go on forever")
        return verdict
    except PlayError as error:
        is_proved = error.code == "endless-go" and game.facts.terminates.holds is True
        verdict.hold("terminates", not is_proved, f"proved, but {error}")
        return verdict
    except WrongNode as error:
        verdict.hold("tree", False, f"{error}, but not in the file")
        return verdict
    except TooLarge:
        return verdict
    if differing_moves(root):
        _expect_moves_differ(game, verdict)
        return verdict
    try:
        facts = facts_of(game)
    except ZermeloError as error:
        verdict.hold("facts", False, f"{error.code}: {error}")
        return verdict
    for known in (game.facts, facts):
        _judge_facts(known, root, verdict)
    machines = {"reference": game.reference, "searching": game.searching}
    for name, machine in machines.items():
        _judge_positions(name, machine, root, verdict)
        _judge_sizes(name, machine, root, verdict)
    if not all(complaint.startswith("refuted") for complaint in verdict.complaints):
        return verdict  # the facts on which solvers rely are wrong
    is_small = prod({here.set: len(here.moves) for here in root.all() if here.actor >= 0}.values()) <= MOST_STRATEGIES
    for name in SOLVERS if solvers is None else solvers:
        if name in EXPONENTIAL and not is_small:
            continue
        if not unmet_needs(SOLVERS[name], facts) and not SOLVERS[name].samples:
            _judge_solver(name, game, facts, root, verdict, seconds)
    return verdict


def _expect_moves_differ(game: Game, verdict: Verdict) -> None:
    try:
        count_information_sets(game.reference, 1_000_000)
    except ZermeloError as error:
        verdict.hold("moves-differ", error.code == "moves-differ", f"{error.code}: {error}")
    else:
        verdict.hold("moves-differ", False, "one information set offers different moves, and nobody noticed")


# ---------------------------------------------------------------------- facts


def _judge_facts(facts: Facts, root: History, verdict: Verdict) -> None:
    leaves = [here for here in root.all() if here.actor == END]
    sums = {sum(leaf.payoff, Fraction(0)) for leaf in leaves}
    draws = any(here.actor == CHANCE for here in root.all())
    together = any(len(here.state.waiting) > 1 for here in root.all())

    def settled(word: str, holds: bool | None, truth: bool) -> None:
        verdict.hold("facts", holds in (None, truth), f"{word} is said to be {holds}, and is {truth}")

    def refuted(word: str, is_wrong: bool) -> None:
        """Facts that are wrongly refuted; no solver relies on refutations."""
        verdict.hold("refuted", not is_wrong, word)

    settled("constant sum", facts.constant_sum.holds, len(sums) == 1)
    if facts.constant_sum.holds:
        verdict.hold("facts", sums == {facts.sum}, f"the sum is said to be {facts.sum}, and is {sorted(sums)}")
    settled("common payoff", facts.common_payoff.holds, all(len(set(leaf.payoff)) == 1 for leaf in leaves))
    verdict.hold("facts", facts.chance.holds is not False or not draws, "chance is said never to draw, and draws")
    verdict.hold("facts", facts.simultaneous.holds is not False or not together, "two choose at once unnoticed")
    refuted("chance", facts.chance.holds is True and not draws)
    refuted("end", facts.terminates.holds is False)
    futures: dict[Hashable, set[int]] = {}
    for here in root.all():
        if here.actor >= 0:
            futures.setdefault(here.set, set()).add(here.future)
    if facts.perfect_information.holds:
        is_known = all(len(found) == 1 for found in futures.values())
        verdict.hold("facts", is_known, "information is said to be perfect, and somebody is in doubt")
    begun: dict[Hashable, set[int]] = {}
    values: dict[Hashable, set[Hashable]] = {}
    for here, beginning in with_rounds(root):
        if here.actor >= 0:
            begun.setdefault(here.set, set()).add(beginning.future)
            state = beginning.state
            values.setdefault(here.set, set()).add((state.phase.name, state.arguments, state.values))
    is_public = all(len(found) == 1 for found in begun.values())
    settled("public between rounds", facts.public_between_rounds.holds or None, is_public)
    is_seen = all(len(found) == 1 for found in values.values())  # who is in doubt need not care
    refuted("public between rounds", facts.public_between_rounds.holds is False and is_public and is_seen)
    for player, bounds in enumerate(facts.bounds):
        if bounds is not None:
            paid = [leaf.payoff[player] for leaf in leaves]
            is_within = bounds[0] <= min(paid) and max(paid) <= bounds[1]
            verdict.hold("facts", is_within, f"payoffs {min(paid)} to {max(paid)} are said to be within {bounds}")


def with_rounds(root: History) -> Iterator[tuple[History, History]]:
    """All histories, each with the one after which the round began in which it lies: itself outside of rounds."""
    waiting = [(root, root)]
    while waiting:
        here, beginning = waiting.pop()
        yield here, beginning
        waiting += [(child, beginning if child.state.chosen else child) for child in here.children]


# ---------------------------------------------------------------------- machines


def twins(machine: Machine[Any], root: History) -> Iterator[tuple[History, Any]]:
    """All histories, each with the state of a machine after the same play."""
    waiting = [(root, machine.initial())]
    while waiting:
        here, state = waiting.pop()
        yield here, state
        waiting += [(child, machine.after(state, move)) for move, child in zip(here.moves, here.children, strict=True)]


def _judge_positions(name: str, machine: Machine[Any], root: History, verdict: Verdict) -> None:
    """Equal positions have equal futures, and information states are equal exactly within an information set."""
    futures: dict[Hashable, int] = {}
    sets: dict[Hashable, Hashable] = {}
    known: dict[Hashable, Hashable] = {}
    for here, state in twins(machine, root):
        play = ", ".join(map(str, machine.play(state)))
        actor = machine.actor(state)
        verdict.hold("machine", actor == here.actor, f"after {play} it is the turn of {actor} on the {name} machine")
        if actor == END:
            verdict.hold(
                "machine", machine.payoff(state) == here.payoff, f"{play} pays {machine.payoff(state)} ({name})"
            )
        if actor >= 0:
            mine = actor, machine.information_state(state, actor)
            one = sets.setdefault(mine, here.set) == here.set
            verdict.hold("information", one, f"after {play} the {name} machine tells two sets not apart")
            one = known.setdefault(here.set, mine) == mine
            verdict.hold("information", one, f"after {play} the {name} machine splits a set")
        same = futures.setdefault(machine.position(state), here.future) == here.future
        verdict.hold("position", same, f"after {play} the position of the {name} machine leaves out what follows")


def _judge_sizes(name: str, machine: Machine[Any], root: History, verdict: Verdict) -> None:
    count = sum(1 for _ in root.all())
    sets = {here.set for here in root.all() if here.actor >= 0}
    information = count_information_sets(machine, count + 1)
    verdict.hold(
        "sizes",
        information.histories == count and information.finished,
        f"{information.histories} histories of {count}",
    )
    verdict.hold("sizes", information.count == len(sets), f"{information.count} information sets, in truth {len(sets)}")
    size = survey(machine, count + 1, 1000.0)
    least = len({here.future for here in root.all()})
    verdict.hold("sizes", least <= size.positions <= count, f"{size.positions} positions, between {least} and {count}")
    verdict.hold(
        "sizes", size.longest == longest(root), f"the longest play has {size.longest} moves, in truth {longest(root)}"
    )


def longest(here: History) -> int:
    """The number of moves of the longest play after a history."""
    return 1 + max(map(longest, here.children)) if here.children else 0


# ---------------------------------------------------------------------- solvers


def _judge_solver(name: str, game: Game, facts: Facts, root: History, verdict: Verdict, seconds: float) -> None:
    machine = game.searching
    goal = Goal(iterations=ITERATIONS) if SOLVERS[name].iterates else None
    limits = Limits(seconds)
    try:
        with limits.enforce():
            solution = solve(machine, facts, name, limits=limits, goal=goal)
    except ZermeloError as error:
        verdict.hold(f"{name} refuses", error.code in REFUSALS, f"{error.code}: {error}")
        return
    judge_solution(solution, machine, facts, root, verdict)


def judge_solution(solution: Solution, machine: Machine[Any], facts: Facts, root: History, verdict: Verdict) -> None:
    """Compare a solution with the referee."""
    name = solution.solver

    def hold(is_so: bool, message: Callable[[], str] | str) -> None:
        verdict.hold(name, is_so, message)

    if SOLVERS[name].guesses:
        return
    _judge_line(solution, root, hold)
    if solution.strategies:
        _judge_strategies(solution, machine, facts, root, hold)
    elif facts.perfect_information.holds and solution.exact:
        _judge_values(solution, facts, root, hold)


def _judge_values(solution: Solution, facts: Facts, root: History, hold: Callable[..., None]) -> None:
    memo: dict[History, frozenset[Any]] = {}
    try:
        truth = values.reachable(root, memo)
    except TooLarge:
        return
    hold(solution.value in truth, lambda: f"{_said(solution.value)} for {' or '.join(map(_said, truth))}")
    optimal = values.best_moves(root, memo)
    hold(set(solution.best) <= optimal, lambda: f"{_moves(solution.best)} for {_moves(optimal)}")
    hold(bool(solution.best) == bool(optimal), "no best move")
    if facts.constant_sum.holds and len(facts.players) == 2 and not solution.notes and solution.distance is None:
        hold(set(solution.best) == optimal, lambda: f"only {_moves(solution.best)} of {_moves(optimal)}")
    if solution.alternatives is not None:
        others = truth - {solution.value}
        hold(set(solution.alternatives) <= others, lambda: f"alternatives {solution.alternatives} for {others}")
        if not any(here.actor == CHANCE for here in root.all()):
            hold(set(solution.alternatives) == others, lambda: f"alternatives {solution.alternatives} of {others}")
    here = root
    for move in solution.line:
        if here.actor >= 0 and move in here.moves:
            hold(move in values.best_moves(here, memo), f"{move} in the line is not best")
            here = values.child_by(here, move)
    if solution.line and here.actor == END and facts.chance.holds is False:
        hold(here.payoff == solution.value, f"the line pays {_said(here.payoff)} for {_said(solution.value)}")


def _judge_line(solution: Solution, root: History, hold: Callable[..., None]) -> None:
    here = root
    for move in solution.line:
        hold(move in here.moves, f"{move} in the line is no move")
        if move not in here.moves:
            return
        here = values.child_by(here, move)


def _judge_strategies(
    solution: Solution, machine: Machine[Any], facts: Facts, root: History, hold: Callable[..., None]
) -> None:
    players = range(len(solution.value))
    strategies = _strategies(solution, machine, root, hold)
    if strategies is None:
        return
    expected = values.expected(root, strategies)
    best = [values.best_response(root, player, strategies) for player in players]
    if solution.exploitability is not None:
        truth = (sum(best, Fraction(0)) - sum(expected, Fraction(0))) / len(best)
        hold(solution.exploitability == truth, f"exploitability {solution.exploitability} for {truth}")
    if solution.interval is not None:
        interval = facts_sum(facts) - best[1], best[0]
        is_within = solution.interval[0] <= interval[0] and interval[1] <= solution.interval[1]
        hold(is_within, f"the interval {solution.interval} is not proved, but {interval}")
    if not solution.exact:
        return
    hold(solution.value == expected, lambda: f"{_said(solution.value)}, and the strategies bring {_said(expected)}")
    if facts.common_payoff.holds and solution.solver == "team":
        joint = values.best_joint(root, MOST_JOINT)
        hold(joint in (None, expected[0]), f"{_said(expected)}, and a joint strategy brings {joint}")
        return
    for player in players:
        hold(best[player] == expected[player], f"player {player} gets {expected[player]} and could get {best[player]}")
    if solution.solver == "subgame_perfect":
        for part in values.subgames(root):
            found = values.expected(part, strategies)
            for player in players:
                most = values.best_response(part, player, strategies)
                play = ", ".join(map(str, part.state.play()))
                hold(most == found[player], f"after {play} player {player} gets {found[player]} and could get {most}")


def facts_sum(facts: Facts) -> Fraction:
    """The sum of both payoffs."""
    assert facts.sum is not None
    return facts.sum


def _strategies(
    solution: Solution, machine: Machine[Any], root: History, hold: Callable[..., None]
) -> dict[Hashable, dict[Any, Fraction]] | None:
    """The strategies over the referee's information sets; None if they are missing or ambiguous for some set."""
    said = [{d.known: d for d in strategy.decisions} for strategy in solution.strategies]
    found: dict[Hashable, dict[Any, Fraction]] = {}
    for here, state in twins(machine, root):
        if here.actor < 0:
            continue
        decision = said[here.actor].get(machine.information_state(state, here.actor))
        if decision is None and len(said[here.actor]) and all(d.known == () for d in said[here.actor].values()):
            return None  # under perfect information its decisions carry no information states
        if decision is None and solution.strategies[here.actor].is_partial:
            moves = machine.moves(state)
            found.setdefault(here.set, {move: Fraction(1, len(moves)) for move in moves})
            continue
        if decision is None:
            hold(False, f"the strategy says nothing after {', '.join(map(str, machine.play(state)))}")
            return None
        mixture = dict(zip(decision.moves, decision.probabilities, strict=True))
        hold(sum(mixture.values()) == 1 and min(mixture.values()) >= 0, f"{mixture} is no mixture")
        if found.setdefault(here.set, mixture) != mixture:
            hold(False, "a strategy depends on what its player does not perceive")
            return None
    return found


def _said(payoff: Iterable[Fraction]) -> str:
    return f"({', '.join(map(str, payoff))})"


def _moves(moves: Iterable[object]) -> str:
    return "{" + ", ".join(sorted(map(str, moves))) + "}"
