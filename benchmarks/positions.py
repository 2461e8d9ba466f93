"""Every position once: the time to find all positions of a game and what they are worth, with a proof."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from random import Random
from time import perf_counter
from typing import Final

import zermelo
from benchmarks import ours
from benchmarks.measure import REPEATS, Measurement, best_of_fixed
from benchmarks.peers import cpp, openspiel, storm
from benchmarks.report import Delay, Row
from benchmarks.search import measurement_or_reason
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, ROOT, PositionGraph, contest_of, find_components
from zermelo.solvers.positions.retrograde import solve
from zermelo.solvers.positions.solving import solve as solve_graph
from zermelo.solvers.positions.undecided import answer_undecided
from zermelo.solvers.solution import Problem

_MEMORY: Final = 4 << 30
_LARGE_MEMORY: Final = 17 << 30
_LONG: Final = 1800
"""The most seconds for all of dobutsu shogi."""

_GOAL: Final = 100
_SMALL_GOAL: Final = 20
"""The points of pig as it is played, and in a game that is soon over."""

_TANGLED: Final = 400
"""The positions among which chance leads anywhere."""

_BEFORE: Final = 64
"""The chains that are solved before one is measured."""

_COUNTERS: Final = 300
"""The counters of both players together in a ruin that takes long."""


def pig() -> list[Row]:
    """Pig to 100 points, with certified bounds, beside value iteration that proves nothing. Positions per second are
    those in which one of the players decides, on both sides: ours solves those of the other one, and the throws, too,
    which are eight times as many."""
    theirs = measurement_or_reason(lambda: cpp.run("pig", REPEATS, _GOAL))
    positions = theirs.amount if isinstance(theirs, Measurement) else 0
    graph = _explored_graph("pig", target=_GOAL)

    def solve_pig() -> int:
        solve_graph(graph, Limits())
        return positions

    def row(task: str, seconds: float) -> Row:
        return Row(
            task=task,
            unit="positions/s",
            ours=Measurement(positions, seconds) if positions else f"{seconds:.2f} s",
            peer=f"{cpp.NAME}, value iteration",
            theirs=theirs,
            target=0.3,
            note=f"{positions:,} positions; ours with a proof",
        )

    return [
        row("pig to 100 points, the value", _solving_seconds("pig", target=_GOAL)),
        row("pig to 100 points, its positions found before", best_of_fixed(solve_pig).seconds),
    ]


def chains() -> list[Row]:
    """Markov chains, whose positions have been found before: exact by us, and to 1e-6 by Storm in its sound mode. Some
    have been solved before, too, so that our machine code is at hand, which the first ones would not wait for."""
    return [
        _chain(
            "gambler's ruin with 100 counters, who wins",
            storm.PROBABILITY,
            _explored_graph("gamblers_ruin", counters=50),
        ),
        _chain("snakes and ladders, how long it takes", storm.TOTAL, _explored_graph("snakes_and_ladders")),
        _chain("a fair ruin, where plays are long", storm.PROBABILITY, _fair_ruin()),
        _chain("a tangle, where many circles hang together", storm.PROBABILITY, _tangle()),
    ]


def _explored_graph(name: str, **parameters: int) -> PositionGraph:
    machine = ours.machine_of(name, **parameters)
    facts = zermelo.load(name, **parameters).facts
    return explore(machine, facts, machine.initial(), Limits(), ignore_progress)


def _fair_ruin() -> PositionGraph:
    """Two players with equally many counters toss a coin for one counter after another."""
    kinds, targets = [DRAWS] * (_COUNTERS - 1) + [PAYS - 1, PAYS - 2], list[int]()
    place = [_COUNTERS, *range(1, _COUNTERS // 2), 0, *range(_COUNTERS // 2, _COUNTERS - 1), _COUNTERS - 1]
    count_of = {position: counters for counters, position in enumerate(place)}
    for position in range(_COUNTERS - 1):
        targets += (place[count_of[position] - 1], place[count_of[position] + 1])
    firsts = [min(2 * position, len(targets)) for position in range(len(kinds) + 1)]
    paid = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1)), (Fraction(-1), Fraction(1)))
    return PositionGraph(("Ann", "Bob"), kinds, firsts, targets, [1] * len(targets), None, paid)


def _tangle() -> PositionGraph:
    """Chance leads from each position to three others, or to an end."""
    random, targets, weights, firsts = Random(1), list[int](), list[int](), [0]
    for position in range(_TANGLED):
        targets += [(position + 1) % _TANGLED, *random.choices(range(_TANGLED), k=2), random.randrange(_TANGLED + 2)]
        weights += random.choices(range(1, 7), k=4)
        firsts.append(len(targets))
    kinds = [DRAWS] * _TANGLED + [PAYS - 1, PAYS - 2]
    firsts += [len(targets)] * 2
    paid = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1)), (Fraction(-1), Fraction(1)))
    return PositionGraph(("Ann", "Bob"), kinds, firsts, targets, weights, None, paid)


def _chain(task: str, asked: str, graph: PositionGraph) -> Row:
    def solve_chain() -> int:
        solve_graph(graph, Limits()).payoff(ROOT)
        return 1

    for _ in range(_BEFORE):
        solve_chain()
    return Row(
        task=task,
        unit="values/s",
        ours=measurement_or_reason(lambda: best_of_fixed(solve_chain)),
        peer=storm.NAME,
        theirs=measurement_or_reason(lambda: best_of_fixed(storm.chain_check(graph, asked))),
        target=1,
        note=f"{len(graph):,} positions, found before; ours exact, theirs to 1e-6",
    )


def iterations() -> list[Row]:
    """All positions found from the rules and solved, exactly by us, and by OpenSpiel's value iteration."""
    pig_of_theirs = f"pig(players=2,winscore={_SMALL_GOAL})"
    return [
        _iteration("tic-tac-toe, all positions", "tic_tac_toe", goes_round=False, ours_is="tic_tac_toe"),
        _iteration(f"pig to {_SMALL_GOAL} points", pig_of_theirs, goes_round=True, ours_is="pig", target=_SMALL_GOAL),
    ]


def _iteration(task: str, theirs_is: str, goes_round: bool, ours_is: str, **parameters: int) -> Row:
    machine = ours.machine_of(ours_is, **parameters)
    facts = zermelo.load(ours_is, **parameters).facts

    def explore_and_solve() -> int:
        graph = explore(machine, facts, machine.initial(), Limits(), ignore_progress)
        solve_graph(graph, Limits())
        return len(graph)

    mine = best_of_fixed(explore_and_solve)
    theirs = measurement_or_reason(
        lambda: best_of_fixed(openspiel.value_iteration(openspiel.game_of(theirs_is), goes_round))
    )
    counts = [f"{side.amount:,}" for side in (mine, theirs) if isinstance(side, Measurement)]
    return Row(
        task=task,
        unit="values/s",
        ours=Measurement(1, mine.seconds),
        peer=f"{openspiel.NAME}, value iteration",
        theirs=Measurement(1, theirs.seconds) if isinstance(theirs, Measurement) else theirs,
        note=f"{' and '.join(counts)} positions; ours exact",
    )


def solutions() -> list[Delay]:
    """Games that were refused as long as plays were counted, not positions."""
    return [
        Delay(task="pig to 20 points, the exact value", ours=_solving_seconds("pig", target=20), limit=1),
        Delay(task="pig to 100 points, bounds 1e-12 apart", ours=_solving_seconds("pig", target=_GOAL), limit=10),
        Delay(task="pig to 100 points, to 30 digits", ours=_solving_seconds("pig", digits=30, target=_GOAL), limit=120),
        Delay(task="three men's morris, all positions", ours=_solving_seconds("three_mens_morris"), limit=1),
        Delay(
            task="rook and king against king, 8x8, all positions",
            ours=_solving_seconds("rook_ending", size=8),
            limit=30,
        ),
        *_connect_four(),
    ]


def _connect_four() -> list[Delay]:
    """All 50.7 million positions of a 5x5 board, found at 1 million a second, and solved at 3 million."""
    machine, limits = ours.machine_of("connect_four", rows=5, columns=5), Limits(memory=_MEMORY)
    begin = perf_counter()
    graph = explore(machine, zermelo.load("connect_four").facts, machine.initial(), limits, ignore_progress)
    found = perf_counter()
    contest = contest_of(graph)
    assert contest is not None, "the payoffs have a constant sum"
    solve(contest, find_components(graph, limits), limits)
    solved = perf_counter()
    millions = len(graph) / 1e6
    return [
        Delay(task=f"connect four 5x5, {millions:.1f} million positions found", ours=found - begin, limit=millions),
        Delay(task="connect four 5x5, all positions solved", ours=solved - found, limit=millions / 3),
    ]


def memory() -> list[Row]:
    """The peak of the memory of processes that solve connect four 5x5, of 50.7 million positions: with little memory,
    by undecided positions without edges, and with enough, by all positions with their edges."""
    return [
        Row(
            task="connect four 5x5, 50.7 million positions, in 250 MB",
            unit="games/GB",
            ours=_one_in_gigabytes("250M"),
            peer="ours, all positions",
            theirs=_one_in_gigabytes("4G"),
            target=2,
            note="peaks of processes",
        )
    ]


_PEAK: Final = """\
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "zermelo", *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Prints the peak of a command. It runs in a small process, since a child begins with the peak of who has begun it."""


def _one_in_gigabytes(memory: str) -> Measurement:
    """The peak of a process that may take so much beside what a process always takes, in GB instead of seconds."""
    words = ("solve", "connect_four", "-p", "rows=5", "-p", "columns=5", "--solver", "positions", "--memory", memory)
    ran = subprocess.run([sys.executable, "-c", _PEAK, *words], stdout=subprocess.PIPE, text=True, check=True)
    return Measurement(1, int(ran.stdout) * 1024 / 1e9)


def dobutsu() -> list[Delay]:
    """All of dobutsu shogi, by its undecided positions up to symmetry."""
    game = zermelo.load("dobutsu_shogi")
    machine, limits = ours.machine_of("dobutsu_shogi"), Limits(memory=_LARGE_MEMORY)
    begin = perf_counter()
    answer = answer_undecided(Problem(machine, game.facts, machine.initial(), limits=limits))
    assert answer is not None and answer.distance is not None, "they fit, and the second player wins"
    said = f"dobutsu shogi: {answer.value[1]} for the second player in {answer.distance} plies"
    return [Delay(task=said, ours=perf_counter() - begin, limit=_LONG)]


def _solving_seconds(name: str, digits: int | None = None, **parameters: int) -> float:
    """The seconds of the fastest of several runs."""
    machine, facts = ours.machine_of(name, **parameters), zermelo.load(name, **parameters).facts

    def explore_and_solve() -> int:
        limits = Limits(memory=_MEMORY)
        graph = explore(machine, facts, machine.initial(), limits, ignore_progress)
        solve_graph(graph, limits, digits=digits)
        return len(graph)

    return best_of_fixed(explore_and_solve).seconds
