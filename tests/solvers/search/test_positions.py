"""Positions counted by kernels, on one thread and on several."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest
from all_machines import MACHINES, MAKERS, native_machine, needs_llvm, python_machine
from hypothesis import HealthCheck, assume, given, settings
from random_cases import many
from random_games.looking_back import LookingBack, looking_back
from random_games.winding import Winding, windings
from referee.histories import TooLarge, histories
from referee.verdicts import Verdict, judge_solution
from small_games import ADDING
from solving import solve

import zermelo
from zermelo.interpreter.checks.game_facts import survey
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.common.limits import LimitReached, Limits, ignore_progress
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.running import path_search
from zermelo.solvers.search import positions
from zermelo.solvers.search.positions import measure
from zermelo.solvers.solution import Certainty
from zermelo.solving import facts_of

WALKING = """\
game "Walking"
players Ann, Bob
type Room = hall | cellar | attic | garden
var at: Room = hall
var steps: 0..2 = 0
start at play(Ann)
phase play(p: Player):
    turn p:
        move begin if steps < 2:
            steps += 1
            go play(other p)
        move climb if at == hall and steps == 2:
            at := attic
            go play(other p)
        move back if at == attic:
            at := hall
            go play(other p)
        move leave if steps == 2: end win p
"""

HOPPING = """\
game "Hopping"
players Ann, Bob
param ways: 1..4 = 3
param back: Bool = true
type Place = 0..4002
var at: Place = 0
endless draw
start at hop(Ann)
phase hop(p: Player):
    turn p:
        move on(n in 1..ways) if at < 4000:
            if back and (at + n) % 50 == 0: at := at * n % 997
            else: at := at + 1 + (at * at * n + 7 * n) % 3
            go hop(other p)
        move stop if at >= 4000: end win p
"""


def count(machine, threads=1, limits=None, limit_positions=float("inf")):
    return measure(machine, limit_positions, limits or Limits(), ignore_progress, threads)


@pytest.fixture
def small_tables(monkeypatch):
    """Tables that grow early, so that all threads take part early."""
    monkeypatch.setattr(positions, "_FIRST", 16)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "template", "two_ply_tree", "tug_of_war", "coin_flip_tree"])
def test_positions_are_counted_as_by_a_survey(make, name, small_tables):
    game = zermelo.load(name)
    machine, visited = make(game.model), survey(game.machine, 100_000, 600.0)
    for threads in (1, 2, 3):
        size = count(machine, threads)
        assert size.finished and visited.finished
        assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, visited.longest)
        assert str(size.loop) == str(visited.loop)


@needs_llvm
@pytest.mark.parametrize("back", [False, True], ids=["onwards", "back"])
def test_threads_that_get_in_each_others_way_count_the_same(back, small_tables):
    game = zermelo.loads(HOPPING, ways=4, back=back)
    machine, visited = native_machine(game.model), survey(game.machine, 100_000, 600.0)
    assert (visited.loop is not None) == back
    assert (visited.longest is None) == back
    for threads in (1, 2, 2, 2, 3, 5, 8, 8, 8):
        size = count(machine, threads)
        assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, visited.longest)
        assert str(size.loop) == str(visited.loop)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("first", [4, 8, 1 << 18])
def test_a_count_goes_on_where_a_play_comes_back(make, first, monkeypatch):
    monkeypatch.setattr(positions, "_FIRST", first)
    game = zermelo.loads(WALKING)
    visited = survey(game.machine, 100_000, 600.0)
    for threads in (1, 3):
        size = count(make(game.model), threads)
        assert str(size.loop) == str(visited.loop) == "after begin, begin, climb, back lead back to the same position"
        assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, None)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_count_of_positions_is_stopped_by_its_limits(make, threads):
    machine = make(zermelo.load("connect_four").model)
    by_number = count(machine, threads, limit_positions=1000)
    assert (by_number.positions, by_number.stopped) == (1000, "at 1,000")
    by_memory = count(machine, threads, Limits(memory=1 << 14))
    assert by_memory.positions > 20 and by_memory.longest is None and by_memory.stopped == "at 16K of memory"
    assert count(machine, threads, Limits(seconds=0.0)).stopped == "after 0 s"
    assert count(machine, threads, Limits(memory=10)).stopped == "at 10 of memory"


@needs_llvm
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_team_stops_at_the_very_position_that_a_limit_names(threads, small_tables):
    machine = native_machine(zermelo.load("connect_four").model)
    for limit in (1, 11, 12, 13, 5000):
        size = count(machine, threads, limit_positions=limit)
        assert (size.positions, size.stopped, size.longest) == (limit, f"at {limit:,}", None)


@needs_llvm
def test_tables_beside_each_other_fit_in_memory(small_tables):
    machine = native_machine(zermelo.load("connect_four").model)
    kernels = machine.load(positions.source())
    for memory in (1 << 12, 3 << 12, 1 << 16, 5 << 16):
        counting = positions._Count(machine, kernels, float("inf"), Limits(memory=memory), print, 3)
        sizes = counting._sizes()
        assert sizes[0] <= max(16, sizes[-1])
        assert sum(sizes[-2:]) * 8 * counting._row_length <= memory
        assert sizes[-1] * 8 * counting._row_length > memory * 0.8


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_rule_that_goes_wrong_ends_the_count(make, threads, small_tables):
    with pytest.raises(PlayError) as found:
        count(make(zermelo.loads(ADDING).model), threads)
    assert found.value.code == "assigned-out-of-range"


# Minimax and alpha-beta to a depth, against a recursion of their own and against the figure in the textbooks.


TEXTBOOK = ("minimax", "alphabeta")


def plain(machine, state, plies, unsettled=0):
    """Minimax by plies, in the fewest words; ``unsettled`` plies more where the file asks for them."""
    if machine.actor(state) < 0:
        return machine.payoff(state)[0]
    if plies <= 0 and not (plies > -unsettled and machine.is_unsettled(state)):
        return machine.estimate(state, 0)
    values = [plain(machine, machine.after(state, move), plies - 1, unsettled) for move in machine.moves(state)]
    return max(values) if machine.actor(state) == 0 else min(values)


@pytest.mark.parametrize("solver", TEXTBOOK)
@pytest.mark.parametrize(("machine", "lines"), [("searching", "1"), ("reference", "1"), ("searching", "1/9")])
def test_the_figure_of_two_plies_of_tic_tac_toe(solver, machine, lines):
    """Nilsson 1971: behind a corner, an edge and the centre O can leave X with -1, -2 and 1 open lines more."""
    game = zermelo.load("tic_tac_toe").reweighed(open_lines=lines)
    found = solve(getattr(game, machine), game.facts, solver, limits=Limits(depth=2))
    assert found.value[0] == Fraction(lines) and list(map(str, found.best)) == ["mark(b2)"]
    assert found.certainty is Certainty.DEPTH_LIMITED and len(found.line) == 2
    for first, worth in (("a1", -1), ("b1", -2), ("b2", 1)):
        state = game.initial.after(f"mark({first})").machine_state
        behind = solve(game.reference, game.facts, solver, root=state, limits=Limits(depth=1))
        assert behind.value[0] == worth * Fraction(lines)


def test_minimax_to_a_depth_visits_each_node_once():
    game = zermelo.load("tic_tac_toe")
    found = solve(game.searching, game.facts, "minimax", limits=Limits(depth=3))
    assert found.counts == {"nodes": 1 + 9 + 72 + 504, "terminals": 0, "estimates": 504, "depth": 3}


@pytest.mark.parametrize("solver", TEXTBOOK)
@pytest.mark.parametrize(
    ("name", "sizes"),
    [("tic_tac_toe", {}), ("horizon_effect", {}), ("connect_four", {"rows": 3, "columns": 3, "run": 3})],
)
def test_every_depth_is_what_a_plain_recursion_finds(solver, name, sizes):
    game = zermelo.load(name, **sizes)
    machine = game.reference
    for depth in range(1, 5):
        found = solve(machine, game.facts, solver, limits=Limits(depth=depth))
        overtime = 32 if game.facts.has_unsettled else 0
        assert found.value[0] == plain(machine, machine.initial(), depth, overtime)
        assert found.exact is ("estimates" not in found.counts)


@pytest.mark.parametrize("solver", TEXTBOOK)
def test_without_a_horizon_the_value_is_exact(solver):
    game = zermelo.load("horizon_effect")
    found = solve(game.searching, game.facts, solver, limits=Limits(depth=50))
    whole = solve(game.searching, game.facts, solver)
    assert found.exact and (found.value, found.best, found.counts) == (whole.value, whole.best, whole.counts)


@pytest.mark.parametrize("solver", TEXTBOOK)
def test_a_search_that_may_be_stopped_keeps_its_last_depth(solver):
    game = zermelo.load("connect_four")
    found = solve(game.searching, game.facts, solver, limits=Limits(nodes=1000))
    assert found.certainty is Certainty.DEPTH_LIMITED and found.counts["depth"] >= 2
    straight = solve(game.searching, game.facts, solver, limits=Limits(depth=found.counts["depth"]))
    assert (straight.value, straight.best) == (found.value, found.best)


def test_a_table_without_depths_is_for_searches_to_the_end():
    game = zermelo.load("tic_tac_toe")
    with pytest.raises(LimitReached):
        solve(game.searching, game.facts, "alphabeta_table", limits=Limits(nodes=1000))
    assert solve(game.searching, game.facts, "alphabeta_table", limits=Limits(nodes=10**6)).value == (0, 0)


def test_they_are_not_the_default():
    game = zermelo.load("tic_tac_toe")
    assert solve(game.searching, game.facts, limits=Limits(depth=2)).solver == "principal_variation"


@pytest.mark.parametrize("solver", TEXTBOOK)
def test_at_a_horizon_nothing_is_pruned(solver):
    game = zermelo.load("tic_tac_toe")
    trace = Trace(game.reference)
    found = solve(game.reference, game.facts, solver, limits=Limits(depth=2), trace=trace)
    nodes = trace.record()["nodes"]
    horizon = [node for node in nodes if node["horizon"]]
    assert len(horizon) == found.counts["estimates"] and not any(node["pruned"] for node in horizon)
    assert len(nodes) == found.counts["nodes"]


# Searches with tables in games with cycles and transpositions, whose payoffs depend on the path.


SOLVERS = (
    "dfpn",
    "alphabeta_table",
    "enhanced_alphabeta",
    "principal_variation",
    "iterative_deepening",
    "aspiration",
    "mtdf",
)

# Nobody may return to a number; a player who is stuck pays their number.
NEVER_BACK = """\
game "Never back"
players A, B
claim zero_sum, perfect_information, terminates
var at: 0..5 = 1
start at play(A)
phase play(p: Player):
    turn p:
        move step(d in -1..2) if d != 0 and at + d >= 0 and at + d <= 5 ensuring not repeated(at):
            at += d
            go play(other p)
    otherwise:
        end payoff {q: if q == p then -at else at for q in Player}
"""

# A number that somebody is to move from for the second time ends the play, and is what it pays.
TWICE = """\
game "Twice"
players A, B
claim zero_sum, perfect_information, terminates
var at: 0..5 = 2
start at play(A)
phase play(p: Player):
    if repetitions(at) >= 2: end payoff {q: if q == p then at - 2 else 2 - at for q in Player}
    turn p:
        move step(d in -1..2) if d != 0 and at + d >= 0 and at + d <= 5:
            at += d
            go play(other p)
"""

# The number of a move is earned, and what the play pays depends on the way to a position.
EARNING = """\
game "Earning"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..3) if n <= left:
            left -= n
            earn p: n * n - left
            earn other p: left - n * n
            go play(other p)
    otherwise:
        end
"""

DISCOUNTED = EARNING.replace("start at", "discount 9/10\nstart at")


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(
    "text", [NEVER_BACK, TWICE, EARNING, DISCOUNTED], ids=["repeated", "repetitions", "earned", "discounted"]
)
def test_a_position_is_known_by_its_way_where_that_counts(text, make):
    game = zermelo.loads(text)
    known, machine = facts(game.model), make(game.model)
    expected = solve(game.reference, known, "minimax").value
    assert {solver: solve(machine, known, solver).value for solver in SOLVERS} == dict.fromkeys(SOLVERS, expected)


@settings(max_examples=many(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(winding=windings())
def test_winding_games_are_worth_what_the_referee_says(winding: Winding) -> None:
    """The referee uses no positions."""
    game = zermelo.loads(winding.text())
    try:
        root = histories(game.reference, most=1_500)
    except TooLarge:
        assume(False)
    known = facts_of(game)
    for machine in (game.reference, python_machine(game.model)):
        for solver in SOLVERS:
            verdict = Verdict(root)
            judge_solution(solve(machine, known, solver), machine, known, root, verdict)
            assert not verdict.complaints, (solver, machine, verdict.complaints, winding.text())


# Tables in games whose rules look at the history: a key that leaves it out stands for several positions.


TABLES = ("alphabeta_table", "enhanced_alphabeta", "principal_variation", "aspiration", "mtdf")

THERE_AND_BACK = """
game "There and back"
players A, B
var at: 0..2 = 0
start at begin
phase begin:
    turn B:
        move to(n in 0..1):
            at := n
            go cross
phase cross:
    turn B:
        move over:
            at := 2
            go finish
phase finish:
    turn A:
        move back(n in 0..1):
            at := n
            go judge
phase judge:
    if repeated(at): end win B
    end win A
"""
"""On coming to ``finish`` all variables are the same. A wins by going back to 1 if B has not been there; so B wins by
``to(1)``, which is searched second: a table that has ``finish`` from ``to(0)`` would say that A wins."""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("solver", ["alphabeta_table", "enhanced_alphabeta", "mtdf", "dfpn", "positions", "minimax"])
def test_a_table_does_not_take_one_history_for_another(make, solver):
    game = zermelo.loads(THERE_AND_BACK)
    found = solve(make(game.model), facts_of(game), solver)
    assert found.value == (-1, 1)
    assert str(found.best[0]) == "to(1)"


BY_TWO_WAYS = """
game "By two ways"
players A, B
var at: 0..64 = 1
start at begin
phase begin:
    turn B:
        move to(n in 1..2):
            at := n
            go fork
        move give: end payoff (2, -2)
phase fork:
    turn A:
        move left:
            at := 4
            go one
        move right:
            at := 4
            go two
phase one:
    turn B:
        move on:
            at := 16
            go finish
        move level: end draw
phase two:
    turn A:
        move on:
            at := 16
            go finish
phase finish:
    turn A:
        move back(n in 1..2):
            at := n
            go judge
phase judge:
    if repeated(at): end payoff (-2, 2)
    end payoff (2, -2)
"""
"""As above, on two ways. After ``to(1)`` the table answers at ``finish`` on the second one, so nothing has been looked
for below ``two`` but what that answer rests on; and that is otherwise after ``to(2)``. There ``two`` is worth the most
that the game can pay, so it would settle ``fork``."""

OFFERED = """
game "Offered"
players A, B
var at: 0..64 = 1
start at begin
phase begin:
    turn B:
        move to(n in 1..2):
            at := n
            go cross
        move give: end payoff (2, -2)
phase cross:
    turn B:
        move over:
            at := 16
            go choose
phase choose:
    turn A:
        move back(n in 1..2) ensuring not repeated(at):
            at := n
            go rest
        move give_up: end win B
phase rest:
    turn B:
        move on:
            at := 32
            go last
phase last:
    turn B:
        move on: end win A
"""
"""What is offered at ``choose`` depends on the past, and nothing behind it does."""

MOMENTS = """
game "Moments"
players A, B
var at: 0..64 = 64
var laps: 0..1 = 0
start at begin
phase begin:
    turn PLAYER:
        move FIRST
        move SECOND
phase lap:
    at := 16
    turn A:
        move again if laps == 0:
            laps := 1
            at := 4
            go lap
        move on if laps == 1: go judge
phase judge:
    at := 1
    if repeated(at): end win B
    end win A
"""
AT_ONCE = "at_once:\n            laps := 1\n            at := 1\n            go lap"
IN_TWO = "in_two:\n            at := 1\n            go lap"
"""``lap`` has been entered with 1, or with 1 and then with 4. At ``judge``, which offers nothing, the present moment is
still that of ``lap``: it has been at 1 before only if there are two."""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("solver", TABLES)
def test_what_a_value_rests_on_is_all_that_has_been_looked_for_below(make, solver):
    for text, value in ((BY_TWO_WAYS, -2), (OFFERED, -1)):
        game = zermelo.loads(text)
        assert solve(make(game.model), facts_of(game), solver).value == (value, -value)


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("solver", TABLES)
@pytest.mark.parametrize(
    ("player", "first", "second", "value"), [("B", AT_ONCE, IN_TWO, -1), ("A", IN_TWO, AT_ONCE, 1)]
)
def test_the_present_moment_and_the_length_of_a_past_count(make, solver, player, first, second, value):
    text = MOMENTS.replace("PLAYER", player).replace("FIRST", first).replace("SECOND", second)
    game = zermelo.loads(text)
    assert solve(make(game.model), facts_of(game), solver).value == (value, -value)


@settings(max_examples=many(60), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(played=looking_back())
def test_no_table_changes_a_value_where_the_rules_look_back(played: LookingBack) -> None:
    """Minimax has no table. In a table of eight entries pasts are written over soon."""
    game = zermelo.loads(played.text())
    known, machine = facts_of(game), python_machine(game.model)
    expected = dict.fromkeys(TABLES, solve(game.reference, known, "minimax").value)
    assert {solver: solve(machine, known, solver).value for solver in TABLES} == expected, played.text()
    with patch.object(path_search, "table_size", return_value=8):
        assert {solver: solve(machine, known, solver).value for solver in TABLES} == expected, played.text()


@needs_llvm
@pytest.mark.parametrize(("solver", "most"), [("principal_variation", 400_000), ("mtdf", 400_000)])
def test_go_on_nine_points_is_solved_with_a_table_of_pasts(solver: str, most: int) -> None:
    """Black wins in the centre by all nine points (van der Werf, "AI techniques for the game of Go", 2004), so by more
    than seven. Without a table 430 million nodes were not enough."""
    game = zermelo.load("go", size=3)
    found = solve(game.on("native").searching, game.facts, solver)
    assert found.value == (1, -1)
    assert str(found.best[0]) == "place(b2)"
    assert found.counts["nodes"] < most
