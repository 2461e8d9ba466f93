"""Settling facts within the user's limits, independently of time."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from attrs import evolve
from clocks import ahead, read_from
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.choosing.choice import (
    Requirements,
    check_preconditions,
    check_request,
    choose_solver,
    settle,
    settle_for_all,
)
from zermelo.solvers.choosing.registry import SOLVERS, find_solver
from zermelo.solvers.common.limits import Goal, Limits, ignore_progress
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.solution import Endgames, Request
from zermelo.solving import facts_with_information

CARDS = """
game "Cards of which the rules do not tell the sum"
players Ann, Bob
type Rank = 1..{ranks}
var hand[Player]: Rank? private
var worth: 0..{most} = 0 hidden
start at deal
phase deal:
    chance:
        outcome cards(a in Rank, b in Rank) if a != b:
            hand[Ann] := a
            hand[Bob] := b
            worth := a * b
            go bet
phase bet:
    turn Ann:
        move raise: go answer
        move drop: end payoff (-1, 1)
phase answer:
    turn Bob:
        move call: end payoff ({ann}, {bob})
        move fold: end payoff (1, -1)
"""

ANN = "(if hand[Ann] is not none and hand[Bob] is not none and hand[Ann] > hand[Bob] then worth else -worth)"
BOB = "(if hand[Ann] is not none and hand[Bob] is not none and hand[Ann] < hand[Bob] then worth else -worth)"

OPEN = """
game "The squares tell"
players Ann, Bob
param size: 2..60 = 3
var x: 0..60 = 1
var y: 0..60 = 1
start at play(Ann, size)
phase play(p: Player, left: 0..60):
    if left == 0: end payoff (x * x, {bob})
    turn p:
        move more:
            x := 60 - x
            y := 60 - y
            go play(other p, left - 1)
        move less: go play(other p, left - 1)
"""


def settled(game, name=None, **limits):
    machine = game.searching
    return settle(machine, game.facts, name, machine.initial(), Limits(**limits))


def cards(ranks=4, bob=BOB, **settings):
    text = CARDS.format(ranks=ranks, most=ranks * ranks, ann=ANN, bob=bob)
    return zermelo.loads(text, **settings)


def test_the_leaves_of_the_tree_are_summed():
    game = cards()
    assert game.facts.constant_sum.holds is None
    found = settled(game)  # 12 deals, each with 5 histories
    assert found.facts.constant_sum.holds and found.facts.sum == 0
    assert found.facts.constant_sum.how == "all 61 histories have been visited, and the payoffs always sum to 0"
    assert found.facts.common_payoff.holds is False
    assert found.tree is not None and found.tree.histories == 61
    solution = zermelo.solve(game)
    assert solution.solver == "sequence_form" and solution.exact


def test_leaves_that_differ_refute_a_constant_sum():
    found = settled(cards(bob="-1"))
    assert found.facts.constant_sum.holds is False
    assert found.facts.constant_sum.how.startswith("one play pays ")
    assert zermelo.solve(cards(bob="-1")).solver != "sequence_form"


@pytest.mark.parametrize("machine", ["reference", "python", "native"])
def test_machines_settle_alike(machine):
    found = settled(cards().on(machine))
    assert (found.facts.sum, found.tree and found.tree.histories) == (0, 61)
    opened = settled(zermelo.loads(OPEN.format(bob="-y * y")).on(machine))
    assert (opened.facts.sum, opened.seen and opened.seen.finished) == (0, True)
    assert settled(zermelo.loads(OPEN.format(bob="y * y")).on(machine)).facts.constant_sum.holds is False


@pytest.mark.parametrize("text", [CARDS.format(ranks=5, most=25, ann=ANN, bob=BOB), OPEN.format(bob="-y * y")])
def test_a_slow_machine_gives_the_same_answer(text, monkeypatch):
    """Every reading of the clock adds a day; there is no time limit."""
    expected = zermelo.solve(zermelo.loads(text))
    read_from(monkeypatch, ahead(86_400.0))
    found = zermelo.solve(zermelo.loads(text))
    assert (found.solver, found.value, found.exact) == (expected.solver, expected.value, expected.exact)
    assert found.exact


def test_a_look_that_a_limit_ends_says_which():
    game = zermelo.loads(OPEN.format(bob="-y * y"), size=50)
    found = settled(game, "minimax", memory=20 << 10)
    assert found.facts.constant_sum.holds is None
    assert "stopped at 20K of memory, and --time and --memory allow more" in found.facts.constant_sum.how
    with pytest.raises(ZermeloError) as raised:
        solve(game.searching, game.facts, "minimax", limits=Limits(memory=20 << 10))
    assert raised.value.code == "needs-constant-sum" and "--memory" in raised.value.message


def test_what_speaks_against_a_need_ends_the_look():
    game = zermelo.loads(OPEN.format(bob="y * y"), size=50)
    found = settled(game, "minimax", memory=64 << 10)
    assert found.facts.constant_sum.holds is False and found.seen is None


def test_a_tree_that_memory_does_not_hold_is_refused_with_what_would():
    with pytest.raises(ZermeloError) as raised:
        settled(cards(9), memory=2 << 10)
    assert raised.value.code == "out-of-memory"


GUARDED = """
game "A die that nobody throws"
players Ann, Bob
var x: 0..3 = 3
start at a
phase a:
    turn Ann:
        move m if x > 0:
            x -= 1
            go a
        move q if x > {throws}: go c
    otherwise: end win Ann
phase c:
    chance:
        outcome t: end win Bob
        outcome u: end win Ann
"""


@pytest.mark.parametrize(("throws", "draws"), [(5, False), (1, True)])
def test_chance_is_only_looked_for_where_a_solver_is_asked_for_that_does_without(throws, draws):
    game = zermelo.loads(GUARDED.format(throws=throws))
    assert game.facts.chance.holds is None
    assert settled(game).facts.chance.holds is None
    assert zermelo.solve(game).solver == "positions"
    assert settled(game, "minimax").facts.chance.holds is draws
    if draws:
        with pytest.raises(ZermeloError, match="a play has been found in which chance draws"):
            zermelo.solve(game, "minimax")
    else:
        assert zermelo.solve(game, "minimax").value == zermelo.solve(game).value == (1, -1)


def test_whoever_asks_for_perfect_information_has_it_looked_for():
    open_game = zermelo.loads(GUARDED.format(throws=5))
    for game, perfect in ((open_game, True), (cards(), False)):
        machine, unknown = game.searching, Fact(None, "not settled")
        known = evolve(game.facts, perfect_information=unknown)
        found = settle(machine, known, "maxn", machine.initial(), Limits())
        assert found.facts.perfect_information.holds is perfect
        unasked = settle(machine, known, None, machine.initial(), Limits()).facts.perfect_information.holds
        assert unasked is (None if perfect else False), "what early plays show is said without being asked"


def test_information_and_sums_are_both_looked_for():
    game = zermelo.loads(OPEN.format(bob="-y * y"))
    known = evolve(game.facts, perfect_information=Fact(None, "not settled"))
    assert known.constant_sum.holds is None
    found = settle(game.searching, known, "minimax", game.searching.initial(), Limits()).facts
    assert (found.perfect_information.holds, found.constant_sum.holds) == (True, True)


ROUND = """
game "Round"
players Ann, Bob
{endless}
var is_on: Bool = false{seen}
start at play(Ann)
phase play(p: Player):
    turn p:
        move switch{secret}:
            is_on := not is_on
            go play(other p)
        move leave: end win p
"""


@pytest.mark.parametrize(
    ("endless", "seen", "name", "looks"),
    [
        ("", "", "minimax", False),  # the search detects cycles by itself
        ("endless draw", "", "minimax", True),
        ("", " hidden", None, True),  # a tree would be infinite
        ("", "", "iterative_deepening", True),  # and this search would not end
    ],
)
def test_a_play_that_goes_round_is_looked_for_where_a_search_would_not_notice(endless, seen, name, looks):
    game = zermelo.loads(ROUND.format(endless=endless, seen=seen, secret=" secret" if seen else ""))
    assert game.facts.terminates.holds is None
    assert settled(game, name).facts.terminates.holds is (False if looks else None)
    with pytest.raises(ZermeloError) as raised:
        zermelo.solve(game, name)
    assert raised.value.code in ("needs-end", "no-solver")
    assert "switch, switch lead back to the same position" in raised.value.message


def test_nothing_is_looked_for_under_a_horizon():
    game = zermelo.loads(ROUND.format(endless="endless draw", seen="", secret=""))
    assert settled(game, "iterative_deepening", depth=3).facts == game.facts


def test_all_needs_can_be_settled_at_once():
    game = zermelo.loads(OPEN.format(bob="-y * y"))
    found = settle_for_all(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    assert found.facts.sum == Fraction(0)
    assert found.facts.terminates.holds


# A time limit changes nothing but when a search stops, on a clock that counts nodes.


@pytest.mark.parametrize(("name", "parameters"), [("tic_tac_toe", {}), ("connect_four", {"rows": 4, "columns": 3})])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_what_a_search_finds_in_most_of_the_time_it_finds_as_without_a_limit(name, parameters, share, clock):
    """A node takes a second."""
    game = zermelo.load(name, **parameters)
    whole = solve(game.searching, game.facts)

    def tick(nodes: int) -> None:
        clock[0] = max(clock[0], nodes)

    found = solve(game.searching, game.facts, limits=Limits(whole.counts["nodes"] / share, begin=0.0), progress=tick)
    assert found.exact
    assert (found.solver, found.value, found.line) == (whole.solver, whole.value, whole.line)
    assert found.counts == whole.counts


def test_a_clock_that_leaps_to_the_end_leaves_an_answer(clock):
    game = zermelo.load("connect_four")

    def leap(nodes: int) -> None:
        clock[0] = 100.0

    found = solve(game.searching, game.facts, limits=Limits(60, begin=0.0), progress=leap)
    assert not found.exact and found.counts["depth"] == 1
    assert found.best


TIME_SOLVERS = ["minimax", "alphabeta", "expectiminimax", "maxn", "star1"]


@pytest.mark.parametrize("solver", TIME_SOLVERS)
def test_a_solver_that_is_asked_for_finds_in_most_of_the_time_what_it_finds_without_a_limit(solver, clock):
    game = zermelo.load("connect_four", rows=3, columns=3, run=3)
    whole = solve(game.searching, game.facts, solver)

    def tick(nodes: int) -> None:
        clock[0] = max(clock[0], nodes)

    limits = Limits(3 * whole.counts["nodes"], begin=0.0)  # the line of best play is searched after the value
    found = solve(game.searching, game.facts, solver, limits=limits, progress=tick)
    assert found.exact and (found.value, found.best, found.counts) == (whole.value, whole.best, whole.counts)


@pytest.mark.parametrize("solver", TIME_SOLVERS)
def test_a_solver_that_is_asked_for_deepens_if_the_time_is_too_short_for_all(solver, clock):
    """The first search has no time at all, and a step of those that deepen takes a little."""
    game = zermelo.load("connect_four")

    def tick(nodes: int) -> None:
        clock[0] += 0.4 if clock[0] > 51 else 52

    found = solve(game.searching, game.facts, solver, limits=Limits(60, begin=0.0), progress=tick)
    assert not found.exact and found.solver == solver and found.counts["depth"] > 1


def test_what_a_search_to_a_depth_cannot_do_does_not_stop_one_to_the_end(clock):
    """The estimate fails in every position but the ends, in which nobody asks for it."""
    text = """\
game "Faulty estimate"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            if left == 0:
                earn p: 1
                earn other p: -1
            go play(other p)
    otherwise:
        end
estimate for p: 1 / (left - left)
"""
    game = zermelo.loads(text)
    with pytest.raises(PlayError) as refused:
        solve(game.searching, game.facts, limits=Limits(depth=1))
    assert refused.value.code == "zero-divisor"
    whole = solve(game.searching, game.facts)
    found = solve(game.searching, game.facts, limits=Limits(60, begin=0.0))
    assert (found.solver, found.value, found.exact) == (whole.solver, (-1, 1), True)


@pytest.mark.parametrize(
    ("name", "solver", "way"),
    [
        ("hex", "minimax", "minimax more; `zermelo solve --depth N --estimate rollouts` searches N moves ahead"),
        ("hex", None, "more; `zermelo solve --depth N --estimate rollouts` searches N moves ahead"),
        ("leduc_poker", "subgame_perfect", "more; a smaller game, or another solver, may need less"),
    ],
)
def test_the_help_names_the_solver_and_what_goes_on(name, solver, way, clock):
    game = zermelo.load(name)

    def leap(nodes: int) -> None:
        clock[0] = 100.0

    with pytest.raises(ZermeloError) as refused:
        solve(game.searching, game.facts, solver, limits=Limits(60, begin=0.0), progress=leap)
    assert refused.value.code == "out-of-time"
    assert refused.value.help is not None and refused.value.help.endswith(way)


# Advice is taken as it is written: for every bundled game, every solver and every kind of option, a refusal leads to
# another request, and that one is not refused in its turn.
#
# Only what is known from the rules is asked here, so that nothing is solved: what turns out later, such as that plays
# do not end, the help says with an ``if``.


OPTIONS = {
    "--depth": "deepens",
    "--steps": "traces",
    "--iterations": "iterates",
    "--policy": "advises",
    "--table": "looks_up",
}
"""An option of each kind, and what a solver must be able to do for it."""

GAMES = sorted(path.stem for path in Path(zermelo.__file__).parent.glob("gamedefs/*.game"))

TRACE = Trace(zermelo.load("two_ply_tree").reference)
"""The record of a search of any game."""


ENDGAMES = Endgames(array("i"), array("i"), [], None)
"""A table without positions."""


def refusal(facts: Facts, solver: str | None, options: frozenset[str]) -> ZermeloError | None:
    """That of a request, if it is refused."""
    asked = Requirements(**{OPTIONS[option]: True for option in options})
    try:
        if solver is None:
            choose_solver(facts, asked)
            return None
        limits = Limits(depth=2 if "--depth" in options else inf)
        goal = Goal(iterations=3) if "--iterations" in options else None
        trace = TRACE if "--steps" in options else None
        known = ENDGAMES if "--table" in options else None
        request = Request(solver, limits, trace=trace, goal=goal, is_advised="--policy" in options, endgames=known)
        check_request(find_solver(solver), facts, request)
        check_preconditions(find_solver(solver), facts, asked)
    except ZermeloError as error:
        return error
    return None


def followed(help: str, options: frozenset[str]) -> Iterator[tuple[str | None, frozenset[str]]]:
    """The requests that a help proposes: the solvers that it names, without the options that it leaves out."""
    advice = help.split(";")[0]
    _, _, left_out = advice.partition("leave out ")
    others = options - set(re.findall(r"--\w+", left_out))
    if advice.startswith("these do: "):
        yield from ((name, others) for name in advice.removeprefix("these do: ").split(", "))
    elif not advice.startswith("these do, if "):
        named = re.search(r"--solver (\w+)", advice)
        yield (named[1] if named else None), others


@pytest.mark.parametrize("name", GAMES)
def test_what_a_refusal_proposes_is_not_refused(name):
    facts = facts_with_information(zermelo.load(name))
    for solver in (None, *SOLVERS):
        for option in (None, *OPTIONS):
            options = frozenset() if option is None else frozenset({option})
            refused = refusal(facts, solver, options)
            if refused is None:
                continue
            assert refused.help, (solver, option, refused.message)
            for other, remaining in followed(refused.help, options):
                again = refusal(facts, other, remaining)
                assert (other, remaining) != (solver, options), refused.help
                assert again is None, (solver, option, refused.help, again and again.message)
