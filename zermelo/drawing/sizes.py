"""How a game grows, ply by ply, for a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from zermelo.decisions import simulate
from zermelo.drawing.tables import picture_title
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, display_text
from zermelo.pictures.curves import DrawnCurves, NamedCurve, curve_rows
from zermelo.pictures.listings import DrawnListing, ListedLine, Underlined
from zermelo.pictures.marks import Rows
from zermelo.report.coverage import Branching, CoveredFile
from zermelo.solvers.choosing.choice import check_preconditions, solve
from zermelo.solvers.choosing.registry import SOLVERS, Need, find_solver, may_fit
from zermelo.solvers.common.limits import Goal, Limits, Milestone, Sampling
from zermelo.solvers.search.counting import Ply, plies
from zermelo.solvers.solution import Request, Solution
from zermelo.solvers.validation.about_coverage import cover
from zermelo.solving import on_machine, search

POSITIONS = 10_000
"""The most positions in a ply that is drawn, unless a number is asked for."""


def draw_sizes(state: State, most: int, depth: float, limits: Limits, report: Callable[[int], None]) -> DrawnCurves:
    """The plies of a game from a state on, to a depth, and as long as no ply has more than ``most`` positions.

    Raises ``ZermeloError`` (``too-many-outcomes``), and the errors of the rules."""
    game = state.game
    is_hidden = game.facts.perfect_information.holds is not True

    def count_plies(machine: Machine[Any]) -> list[Ply]:
        found: list[Ply] = []
        for ply in plies(machine, on_machine(state, machine), is_hidden, most, limits, report):
            found.append(ply)
            if ply.number >= depth:
                break
        return found

    found = search(game, count_plies)
    last = found[-1]
    is_whole = last.plays == last.ended
    kinds: list[tuple[str, Callable[[Ply], int]]] = [
        ("plays", lambda ply: ply.plays),
        ("positions", lambda ply: ply.positions),
        ("ended plays", lambda ply: ply.ended),
    ]
    if is_hidden:
        kinds.append(("information sets", lambda ply: ply.information_sets))
    curves = [
        NamedCurve(name, points)
        for name, of in kinds
        if (points := tuple((ply.number, Fraction(of(ply))) for ply in found if of(ply)))
    ]
    remarks = [_totals(found, is_hidden)]
    if not is_whole:
        why = "time ran out" if limits.is_over else f"a ply has more than {most:,} states; --nodes allows more"
        remarks.append(f"There is more after ply {last.number}" + ("." if last.number >= depth else f": {why}."))
    title = f"{picture_title(state)}: its size"
    return DrawnCurves(
        title,
        "moves and draws",
        "how many there are",
        True,
        tuple(curves),
        tuple(remarks),
        False,
        _rows(found, is_hidden),
    )


_LARGEST: Final = 2**63 - 1
"""The largest number of 64 bits with a sign."""


def _rows(found: list[Ply], is_hidden: bool) -> Rows:
    """The counts of all plies; those of plays, which may be larger than any number of 64 bits, are text then."""
    plays = "string" if max(ply.plays for ply in found) > _LARGEST else "int64"
    kinds = {"ply": "int64", "plays": plays, "positions": "int64", "ended_plays": plays}
    kinds |= {"information_sets": "int64"} if is_hidden else {}
    written = str if plays == "string" else int
    rows = [
        (ply.number, written(ply.plays), ply.positions, written(ply.ended), ply.information_sets)[: len(kinds)]
        for ply in found
    ]
    return Rows(kinds, tuple(rows))


def _totals(found: list[Ply], is_hidden: bool) -> str:
    """The sums over all plies of what no two plies have in common."""
    ended = sum(ply.ended for ply in found)
    ends = f"{ended:,} {'play ends' if ended == 1 else 'plays end'}"
    words = [ends, f"{sum(ply.plays for ply in found):,} histories"]
    if is_hidden:
        words.append(f"{sum(ply.information_sets for ply in found):,} information sets")
    return f"To ply {found[-1].number}: {', '.join(words)}."


# How often plays use each line of the rules, for a picture.


def draw_coverage(state: State, most: int | None, limits: Limits, report: Callable[[int], None]) -> DrawnListing:
    """The rules of a game with the counts of :func:`~zermelo.solvers.validation.about_coverage.cover`, of the first
    ``most`` positions if they are given.

    Raises ``ZermeloError`` (``bad-usage``) for a state that is not the beginning, and the error that a rule makes."""
    game = state.game
    if state.play:
        raise ZermeloError("bad-usage", "argument --after: coverage is that of all plays", "leave it out")
    coverage = cover(game.model, most, limits, report)
    if coverage.fault is not None:
        raise coverage.fault
    covered = CoveredFile(game.model.source, coverage)
    source = covered.source
    last = len(source.lines) - (not source.lines[-1])
    lines = tuple(
        ListedLine(number, source.line(number).rstrip(), covered.lines.get(number), _notes(covered, number))
        for number in range(1, last + 1)
    )
    said = " ".join(f"{name[:1].upper()}{name[1:]}: {words}." for name, words in covered.summary)
    return DrawnListing(
        f"{picture_title(state)}: how often plays use the rules",
        lines,
        (said, "Never: no play uses the line. Underlined: a condition that has only been true, or only false."),
    )


def _notes(covered: CoveredFile, number: int) -> tuple[Underlined, ...]:
    """What is missing in a line."""
    missing = [each for each in covered.branchings if each.condition.span.line == number and each.remark]
    return tuple(_note(each, covered) for each in missing)


def _note(branching: Branching, covered: CoveredFile) -> Underlined:
    span = branching.condition.span
    end = span.end_column if span.end_line == span.line else len(covered.source.line(span.line)) + 1
    return Underlined(span.column - 1, end - 1, branching.remark)


# How fast iterating solvers and tree searches converge, by the figures that they report on the way, for a picture.
#
# Regret minimization tells how much its average strategies can be exploited, after 1, 2, 3, ... iterations, later less
# often. A tree search tells what each move has brought on average. It is run anew for every number of simulations: for
# the same seed a longer search begins with a shorter one, so these are the figures of one search at those moments.


_MOST_MOVES: Final = 8
"""The most moves that have a line."""

_SEARCHES: Final = ("mcts", "ismcts")
"""The searches of a tree by simulations: with open positions, and where something is hidden."""

_USUAL: Final = ("predictive_cfr_plus", "cfr_plus", "cfr", "external_sampling")
"""The solvers that are compared where something is hidden, if none are named."""

Progress = Callable[[int], None]


def draw_convergence(
    state: State, solvers: Sequence[str], steps: int, seed: int, limits: Limits, report: Progress
) -> DrawnCurves:
    """The lines of these solvers from a state on, or of those that are usual for such a game, for so many iterations or
    simulations, or as many as time allows.

    Raises ``ZermeloError``: ``does-not-iterate``; ``bad-usage`` for a tree search beside other solvers; ``no-value``
    where there is nothing to choose; ``out-of-memory`` if the tree does not fit; and what the solvers raise."""
    facts = state.game.facts
    usual = ["mcts"] if facts.perfect_information.holds is True else list(_USUAL)
    names = [_name(each) for each in solvers] or usual
    for solver in (SOLVERS[name] for name in names if name in SOLVERS):
        if not may_fit(solver, facts):
            check_preconditions(solver, facts, advice=_advice(facts, usual[0]))
    if any(name in _SEARCHES for name in names):
        if len(names) > 1:
            raise ZermeloError(
                "bad-usage",
                "argument --solver: a tree search has a line for each move, and no room for other solvers",
                "draw it in a picture of its own",
            )
        return _draw_simulations(state, names[0], steps, seed, limits, report)
    return _draw_iterations(state, names, steps, seed, limits, report)


def _advice(facts: Facts, usual: str) -> str:
    """What to draw where a solver does not fit, or where the usual ones do not."""
    if may_fit(SOLVERS[usual], facts):
        return f"leave out --solver: {usual} fits this game"
    if Need.BOUNDS.is_met(facts):
        return "--solver ismcts fits this game"
    return "no solver that goes on and on fits this game"


def _name(given: str) -> str:
    """The name of a solver that iterates, or of a tree search."""
    plain = given.lower()
    if plain in _SEARCHES:
        return plain
    solver = find_solver(given)
    if not solver.iterates and solver.name not in _SEARCHES:
        going = [each.name for each in SOLVERS.values() if each.iterates]
        raise ZermeloError(
            "does-not-iterate",
            f"{solver.title} ends with its answer, and does not come near to it step by step",
            f"those that go on and on are {', '.join([*going, *_SEARCHES])}",
        )
    return solver.name


def _draw_iterations(
    state: State, names: Sequence[str], steps: int, seed: int, limits: Limits, report: Progress
) -> DrawnCurves:
    """The exploitability of each solver."""
    game, curves, remarks = state.game, list[NamedCurve](), list[str]()
    for name in dict.fromkeys(names):
        seen: list[Milestone] = []

        def work(machine: Machine[Any], name: str = name, seen: list[Milestone] = seen) -> Solution:
            seen.clear()  # another machine may have begun the run
            start = on_machine(state, machine) if state.play else None
            request = Request(name, limits, seed=seed, goal=Goal(iterations=steps))
            return solve(machine, game.facts, request, start, report, seen.append)

        solution = search(game, work)
        title = find_solver(name).title
        if not seen:
            raise ZermeloError(
                "out-of-memory",
                f"{title} works without the tree here, which does not fit into memory, and nobody knows how near it is",
                "--memory allows more",
            )
        points = [(each.count, Fraction(each.figures["exploitability"])) for each in seen]
        positive = [*takewhile(lambda point: point[1] > 0, points)]
        if len(positive) < len(points):
            last = points[len(positive)][0]
            remarks.append(f"{title} is at an equilibrium, as far as doubles tell, at iteration {last:,}.")
        elif solution.exploitability:  # that of the final strategies, in fractions
            positive.append((solution.counts["iterations"], solution.exploitability))
        if positive:
            curves.append(NamedCurve(title, tuple(dict(positive).items())))
    if not curves:
        raise ZermeloError(
            "no-value",
            "nothing comes near here: the strategies are an equilibrium from the first iteration on",
            f"`zermelo solve --solver {names[0]}` shows them",
        )
    sampled = any("sampling" in name for name in names)
    remarks.insert(0, "Lower is better: what a player could gain by the best response to the average strategies.")
    return DrawnCurves(
        f"{picture_title(state)}: how near to an equilibrium",
        "iterations",
        f"exploitability, in units of payoff{f' (seed {seed})' if sampled else ''}",
        True,
        tuple(curves),
        tuple(remarks),
        rows=curve_rows(curves, "solver", "iterations", "exploitability"),
    )


def _draw_simulations(state: State, name: str, steps: int, seed: int, limits: Limits, report: Progress) -> DrawnCurves:
    """What the moves bring by a tree search."""
    seen: list[Milestone] = []
    for count in _round_numbers(steps):
        if limits.is_over and seen:
            break
        seen.append((search_milestone if name == "mcts" else _ismcts_milestone)(state, count, seed, limits, report))
    drawn = list(seen[-1].figures)[:_MOST_MOVES]
    if not drawn:
        raise ZermeloError("no-value", "nobody is to make a move here", "`--after` leads to a decision of a player")
    remarks = ["Bold: the move simulated most."]
    if len(seen[-1].figures) > len(drawn):
        remarks[0] += f" The {len(drawn)} moves simulated most of {len(seen[-1].figures)} are drawn."
    curves = [
        NamedCurve(move, tuple((each.count, Fraction(each.figures[move])) for each in seen if move in each.figures))
        for move in drawn
    ]
    return DrawnCurves(
        f"{picture_title(state)}: what the moves bring, by {name.upper()}",
        "simulations",
        f"mean payoff of {state.actor_title} (seed {seed})",
        False,
        tuple(curves),
        tuple(remarks),
        rows=curve_rows(curves, "move", "simulations", "mean_payoff"),
    )


def search_milestone(state: State, count: int, seed: int, limits: Limits, report: Progress) -> Milestone:
    """What Monte Carlo tree search tells after so many simulations."""
    seen: list[Milestone] = []

    def work(machine: Machine[Any]) -> Solution:
        start = on_machine(state, machine) if state.play else None
        request = Request("mcts", limits, seed=seed, sampling=Sampling(count))
        return solve(machine, state.game.facts, request, start, report, seen.append)

    search(state.game, work)
    return seen[-1]


def _ismcts_milestone(state: State, count: int, seed: int, limits: Limits, report: Progress) -> Milestone:
    """What information-set Monte Carlo tree search tells after so many simulations."""
    found = simulate(state, simulations=count, seed=seed, limits=limits, progress=report)
    ordered = sorted(found.worths, key=lambda each: -found.visits[each.move])
    means = {display_text(each.move): each.payoff[0] for each in ordered if each.payoff is not None}
    return Milestone(found.counts["simulations"], "simulations", means)


def _round_numbers(last: int) -> Iterator[int]:
    """1, 2, 5, 10, ..., and the last."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= last:
                yield last
                return
            yield factor * power
        power *= 10
