"""Graphs of positions, found by kernels and over any machine: the same."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from all_machines import MACHINES, MAKERS, compiled_machine, native_machine, needs_llvm, python_machine
from found_graphs import AnyMaker, Maker, check_form, exact_graph, flat, graph_of, kernel_graph
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many, seeds
from random_games.circling import write_circling
from random_games.winding import Winding, windings
from random_games.writer import write_game
from referee import values
from referee.exploring import explored
from referee.histories import Endless, TooLarge, histories
from referee.positions import may_last
from referee.rounds import round_numbers
from small_games import ADDING
from written_games import bundled_model, model_of

import zermelo
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END, Machine, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph import exploring
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.search.positions import measure

SMALL = [
    "battleship", "beer_or_quiche", "chomp", "coin_flip_tree", "colonel_blotto", "dice_race", "fibonacci_nim",
    "fireworks", "forked_roads", "goofspiel", "kuhn_poker_for_several", "leduc_poker", "liars_dice", "morra",
    "n_person_nim", "nim", "pirates", "rock_paper_scissors", "sealed_bid_auction", "subtraction_game", "template",
    "three_player_tree", "tic_tac_toe", "tug_of_war", "two_robots", "uniform_tree",
]  # fmt: skip


@cache
def found_exactly(name: str) -> PositionGraph:
    """The graph of a bundled game by the reference machine, found once for all others."""
    graph = exact_graph(ReferenceMachine(bundled_model(name)))
    check_form(graph)
    return graph


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", SMALL)
def test_bundled_games(name: str, make: Maker) -> None:
    machine = make(bundled_model(name))
    graph = found_exactly(name)
    assert flat(kernel_graph(machine)) == flat(graph)
    counted = measure(machine, 10**6, Limits(), ignore_progress)
    ends = sum(graph.actor(p) == END for p in range(len(graph)))
    assert len(graph) - ends == counted.positions - counted.terminals


@needs_llvm
def test_published_counts_of_connect_four() -> None:
    """On four columns of four cells 161,029 positions are legal (John Tromp), ends that differ apart."""
    machine = native_machine(bundled_model("connect_four", rows=4, columns=4))
    graph = kernel_graph(machine)
    full = 161_029
    counted = measure(machine, 10**6, Limits(), ignore_progress)
    assert counted.positions == full
    assert len(graph) == full - counted.terminals + 3


def outcome(find: Callable[[], PositionGraph]) -> object:
    """A graph, or the error of the rules."""
    try:
        return flat(find())
    except PlayError as error:
        return error.finding.code, error.finding.span, len(error.play)


def agree(text: str, make: Maker) -> None:
    """Find the graph of a random game on both machines, unless there are too many positions."""
    model, _ = check(Source("random.game", text))
    if model is None:
        return
    note(text)
    try:
        machine = make(model)
        found = outcome(lambda: kernel_graph(machine, Limits(nodes=3_000)))
    except (Unsupported, BeyondLimits):
        return
    except ZermeloError as error:
        if isinstance(error, PlayError):
            raise
        assert error.code in ("out-of-nodes", "too-many-outcomes")
        return
    assert found == outcome(lambda: exact_graph(ReferenceMachine(model)))


@settings(max_examples=many(60))
@given(st.integers(0, 100_000))
def test_random_games(number: int) -> None:
    agree(write_game(Random(number)), python_machine)


@needs_llvm
@settings(max_examples=many(10))
@given(st.integers(0, 100_000))
def test_random_games_compiled(number: int) -> None:
    agree(write_game(Random(number)), compiled_machine)


@settings(max_examples=many(60))
@given(windings())
def test_winding_games(winding: Winding) -> None:
    agree(winding.text(), python_machine)


@cache
def circling(seed: int) -> tuple[Model | None, PositionGraph | None]:
    """A game, if it is one, and what the referee finds in it, unless it is too large: once for all machines."""
    aim = ("alone", "against", "common", "any")[seed % 4]
    model, _ = check(Source("circling.game", write_circling(Random(seed), aim, seed % 3 > 0, aim != "alone")))
    if model is None:
        return None, None
    try:
        return model, explored(ReferenceMachine(model))[0]
    except TooLarge:
        return model, None


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("seed", seeds(40))
def test_circling_games_as_the_referee_finds_them(seed: int, make: AnyMaker) -> None:
    """The referee numbers the ends apart, and steps by itself."""
    model, truth = circling(seed)
    if model is None:
        return
    graph = graph_of(make(model), model)
    check_form(graph)
    if truth is None:
        return
    assert len(graph) == len(truth)
    partner = {0: 0}
    for p in range(len(graph)):
        q = partner[p]
        assert graph.actor(p) == truth.actor(q)
        assert graph.is_within_round(p) == truth.is_within_round(q)
        if graph.actor(p) == END:
            assert graph.payoff(p) == truth.payoff(q)
        if graph.actor(p) == CHANCE:
            assert graph.probabilities(p) == truth.probabilities(q)
        for edge, other in zip(graph.edges(p), truth.edges(q), strict=True):
            assert partner.setdefault(graph.targets[edge], truth.targets[other]) == truth.targets[other]
            assert graph.reward(edge) == truth.reward(other)
            assert graph.factor(p, edge) == truth.factor(q, other)
    assert sorted(partner.values()) == list(range(len(graph)))


HEAVY = """\
game "Heavy"
players Ann
start at draw
phase draw:
    chance:
        outcome often weight 4294967296: end payoff {Ann: 1}
        outcome seldom: end payoff {Ann: 2}
"""

REPEATING = """\
game "Repeating"
players Ann, Bob
var at: 0..2 = 0
start at step(Ann)
phase step(p: Player):
    if repeated(at): end win other p
    turn p:
        move on(n in 1..2):
            at := (at + n) % 3
            go step(other p)
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("text", [HEAVY, REPEATING], ids=["heavy", "repeating"])
def test_what_kernels_cannot_do_is_done_exactly(text: str, make: Maker) -> None:
    model = model_of(text)
    machine = make(model)
    with pytest.raises(BeyondLimits):
        kernel_graph(machine)
    found = graph_of(machine, model)
    assert flat(found) == flat(exact_graph(ReferenceMachine(model)))
    check_form(found)


def test_large_weights_stay_exact() -> None:
    model = model_of(HEAVY)
    graph = exact_graph(ReferenceMachine(model))
    assert graph.probabilities(0) == [Fraction(2**32, 2**32 + 1), Fraction(1, 2**32 + 1)]


# The two referees agree: by histories, with nothing merged, and by positions.


@given(windings())
@settings(max_examples=many(60), deadline=None)
def test_positions_are_worth_what_histories_say(winding: Winding) -> None:
    """With earnings, a discount, and positions that remember; payoffs sum to 0."""
    game = zermelo.loads(winding.text())
    try:
        root = histories(game.reference, 2_000)
        graph, _ = explored(game.reference, 2_000)
    except (TooLarge, Endless):
        return
    assert not may_last(graph)
    truth = values.reachable(root, {})
    assert {payoff[0] for payoff in truth} == {round_numbers(graph, (1, -1))[0]}


@pytest.mark.parametrize("seed", seeds(150))
def test_with_chance_too(seed: int) -> None:
    """The same in circling games that happen to have no circle, and those that have are found to have one."""
    try:
        game = zermelo.loads(write_circling(Random(seed), "against", True, False))
    except ZermeloError as error:
        assert error.code == "phase-without-exit"
        return
    graph, states = explored(game.reference)
    assert len(states) == len(graph)
    try:
        root = histories(game.reference, 2_000)
    except (TooLarge, Endless):
        return
    truth = values.reachable(root, {})
    assert {payoff[0] for payoff in truth} == {round_numbers(graph, (1, -1))[0]}


# Exploring: growing lists, limits, and errors of the rules.


SCORES = """\
game "Scores"
players Ann, Bob
var score: 0..3000 = 0
start at add(Ann)
phase add(p: Player):
    turn p:
        move more(n in 1..3) if score + n <= 2000:
            score += n
            earn p: n
            go add(other p)
        move stop: end payoff (score, -score)
"""


@pytest.mark.parametrize("make", MAKERS)
def test_everything_grows(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists, tables, and the amounts, of which there are many."""
    expected = flat(exact_graph(ReferenceMachine(model := model_of(SCORES))))
    for first in (1 << 7, 1 << 12):
        monkeypatch.setattr(exploring, "_FIRST", first)
        monkeypatch.setattr(exploring, "_AHEAD", first)
        monkeypatch.setattr(exploring, "_CHUNK", 1000)
        assert flat(kernel_graph(make(model))) == expected


@pytest.mark.parametrize("make", MACHINES)
def test_a_graph_that_does_not_fit_is_refused(make: AnyMaker) -> None:
    model = bundled_model("connect_four", rows=4, columns=4)
    limits = Limits(memory=1 << 20)
    with pytest.raises(ZermeloError) as refused:
        graph_of(make(model), model, limits)
    assert refused.value.code == "out-of-memory"
    assert "positions" in refused.value.message
    assert "bytes each" in refused.value.message
    assert limits.free == 1 << 20


@pytest.mark.parametrize("make", MAKERS)
def test_memory_is_refused_alike_whatever_the_slices(make: Maker) -> None:
    """The least memory that is enough does not depend on the clock."""
    machine = make(bundled_model("nim"))

    def is_enough(memory: int) -> bool:
        try:
            kernel_graph(machine, Limits(memory=memory))
        except ZermeloError:
            return False
        return True

    low, high = 0, 1 << 24
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    assert all(is_enough(high) and not is_enough(low) for _ in range(5))


@pytest.mark.parametrize("make", MACHINES)
def test_the_graph_holds_its_memory(make: AnyMaker) -> None:
    model, limits = bundled_model("tic_tac_toe"), Limits()
    graph = graph_of(make(model), model, limits)
    assert limits.ledger.held >= 4 * (2 * len(graph) + len(graph.targets))
    del graph
    assert limits.ledger.held == 0


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(("code", "limits"), [("out-of-nodes", {"nodes": 50}), ("out-of-time", {"seconds": 0.0})])
def test_limits(make: AnyMaker, code: str, limits: dict[str, Any]) -> None:
    model = bundled_model("tic_tac_toe")
    with pytest.raises(ZermeloError) as stopped:
        graph_of(make(model), model, Limits(**limits))
    assert stopped.value.code == code


def test_progress_is_told() -> None:
    model, told = bundled_model("tic_tac_toe"), list[int]()
    for machine in (python_machine(model), ReferenceMachine(model)):
        told.clear()
        exploring.explore(machine, facts(model), machine.initial(), Limits(), told.append)
        assert told == sorted(told)
        assert told[-1] > 4_000


DEAD = """\
game "Dead"
players Ann, Bob
var total: 0..99 = 0
start at add(Ann)
phase add(p: Player):
    turn p:
        move more(n in 2..3) if 60 // (20 - total) > 0 and total < 40:
            total += n
            go add(other p)
        move stop: end win p
"""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(
    ("text", "length"),
    [(ADDING, 334), (ADDING.replace("= 999", "= 14"), 5), (DEAD, 7)],
    ids=["in a move", "in an early move", "in a guard"],
)
def test_an_error_of_the_rules_comes_with_a_shortest_play(text: str, length: int, make: AnyMaker) -> None:
    model, _ = check(Source("wrong.game", text))
    assert model is not None
    with pytest.raises(PlayError) as found:
        graph_of(make(model), model)
    with pytest.raises(PlayError) as expected:
        exact_graph(ReferenceMachine(model))
    assert str(found.value) == str(expected.value)
    assert len(found.value.play) == length


# What graphs of positions say of payments: rewards, discount, weights, ends.


PAYING = """\
game "Paying"
players Ann, Bob
discount 1/2
var left: 0..2 = 2
endless payoff (3, -3)
start at first
phase first:
    chance:
        outcome good weight 2: go play(Ann)
        outcome bad:
            earn Bob: 1
            go play(Bob)
        outcome over weight 3: end payoff (1/3, 0)
phase play(p: Player):
    turn p:
        move take if left > 0:
            left -= 1
            earn p: 5
            go toss(p)
        move wait: go play(other p)
        move stop: end payoff (1/3, 0)
phase toss(p: Player):
    chance:
        outcome heads:
            earn other p: 1/2
            go play(other p)
        outcome tails: end draw
"""


def random_play_value(machine: Machine[Any], state: Any, length: int) -> tuple[Fraction, ...]:
    """What players get on average who choose at random, of plays of at most a ``length``; the others pay what has been
    earned."""
    actor, players = machine.actor(state), range(len(machine.player_names))
    if actor == END:
        return machine.payoff(state)
    if length == 0:
        return machine.earned(state)
    moves = choices_at(machine, state)
    ways = dict(machine.outcomes(state)) if actor == CHANCE else dict.fromkeys(moves, Fraction(1, len(moves)))
    found = [(share, random_play_value(machine, machine.after(state, way), length - 1)) for way, share in ways.items()]
    return tuple(sum((share * value[p] for share, value in found), Fraction(0)) for p in players)


def graph_play_value(graph: PositionGraph, position: int, length: int) -> tuple[Fraction, ...]:
    """The same in a graph."""
    players = range(len(graph.players))
    if graph.actor(position) == END:
        return graph.payoff(position)
    if length == 0:
        return (Fraction(0),) * len(players)
    edges = graph.edges(position)
    is_chance = graph.actor(position) == CHANCE
    shares = graph.probabilities(position) if is_chance else [Fraction(1, len(edges))] * len(edges)
    total = [Fraction(0)] * len(players)
    for edge, share in zip(edges, shares, strict=True):
        behind = graph_play_value(graph, graph.targets[edge], length - 1)
        for p in players:
            total[p] += share * (graph.reward(edge)[p] + graph.factor(position, edge) * behind[p])
    return tuple(total)


TOGETHER = """\
game "Together"
players Ann, Bob
discount 2/3
var light: 0..1 = 0
endless draw
start at meet
phase meet:
    together:
        move up
        move down if light == 0
        move wait
    then:
        earn Ann: 2
        if up[Ann] and up[Bob]: end payoff (3, 1)
        if up[Ann] and wait[Bob]:
            light := 1 - light
            go alone
        if wait[Ann] and wait[Bob]: go toss
        end payoff (light, 0)
phase alone:
    turn Bob:
        move go_on:
            earn Bob: 4
            go meet
        move stop: end draw
phase toss:
    chance:
        outcome heads: go meet
        outcome tails:
            earn Ann: 7
            go alone
"""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("text", [PAYING, TOGETHER], ids=["paying", "together"])
def test_payments_are_those_of_plays(text: str, make: AnyMaker) -> None:
    """Rewards, discount, weights and what ends pay: the average of random plays is the same, whatever their length."""
    model = model_of(text)
    machine = ReferenceMachine(model)
    graph = graph_of(make(model), model)
    check_form(graph)
    for length in range(8):
        assert graph_play_value(graph, 0, length) == random_play_value(machine, machine.initial(), length)


@pytest.mark.parametrize("make", MACHINES)
def test_ends_that_pay_the_same_are_one(make: AnyMaker) -> None:
    model = model_of(PAYING)
    graph = graph_of(make(model), model)
    payoffs = [graph.payoff(p) for p in range(len(graph)) if graph.actor(p) == END]
    assert sorted(payoffs) == [(0, 0), (Fraction(1, 3), 0)]
    assert graph.endless == (3, -3)
    assert graph.discount == Fraction(1, 2)
    assert list(graph.probabilities(0)) == [Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)]
    assert [graph.reward(edge) for edge in graph.edges(0)] == [(0, 0), (0, 1), (0, 0)]


@pytest.mark.parametrize("make", MACHINES)
def test_what_there_is_not_is_none(make: AnyMaker) -> None:
    graph = graph_of(make(bundled_model("tic_tac_toe")), bundled_model("tic_tac_toe"))
    assert graph.weights is None
    assert graph.rewards is None
    assert graph.endless is None
    assert graph.rises


@pytest.mark.parametrize("make", MACHINES)
def test_the_root_may_come_later(make: AnyMaker) -> None:
    """What has been earned before, and how many decisions there have been, does not count."""
    model = model_of(PAYING)
    machine = make(model)
    root = machine.initial()
    names = ["good", "wait", "take", "heads"]
    for name in names:
        root = machine.after(root, next(move for move in choices_at(machine, root) if move.name == name))
    graph = exploring.explore(machine, facts(model), root, Limits(), ignore_progress)
    check_form(graph)
    before, factor = machine.earned(root), Fraction(1, 4)
    for length in range(6):
        whole = random_play_value(machine, root, length)
        rest = tuple((here - earlier) / factor for here, earlier in zip(whole, before, strict=True))
        assert graph_play_value(graph, 0, length) == rest


@pytest.mark.parametrize("make", MACHINES)
def test_the_root_may_be_an_end(make: AnyMaker) -> None:
    model = model_of(PAYING)
    machine = make(model)
    root = machine.initial()
    for name in ["bad", "take", "tails"]:
        root = machine.after(root, next(move for move in choices_at(machine, root) if move.name == name))
    graph = exploring.explore(machine, facts(model), root, Limits(), ignore_progress)
    assert (len(graph), list(graph.firsts), list(graph.targets)) == (1, [0, 0], [])
    assert graph.payoff(0) == (0, 0)


# The graph of the first positions: the beginning of the whole graph, the same by kernels and over any machine.


GAMES = ["kuhn_poker", "leduc_poker", "ludo", "nim", "subtraction_game", "tug_of_war", "rock_paper_scissors_match"]


@pytest.mark.parametrize("most", [1, 2, 7, 64, 65, 10_000])
@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_beginning_of_the_whole(name, most):
    model = bundled_model(name)
    machine = ReferenceMachine(model)
    whole = exact_graph(machine)
    part = exploring.explore_exactly(machine, machine.initial(), Limits(), most=most)
    moving = sum(part.actor(position) != END for position in range(len(part)))
    searched = moving - part.unsearched
    all_moving = sum(whole.actor(position) != END for position in range(len(whole)))
    assert searched == min(most, all_moving)
    assert list(part.kinds[:moving]) == list(whole.kinds[:moving])
    assert list(part.firsts[: searched + 1]) == list(whole.firsts[: searched + 1])
    assert all(not part.edges(position) for position in range(searched, len(part)))
    for edge in range(part.firsts[searched]):
        one, other = part.targets[edge], whole.targets[edge]
        assert one == other or part.payoff(one) == whole.payoff(other)


@needs_llvm
@pytest.mark.parametrize("make", [python_machine, compiled_machine])
@pytest.mark.parametrize("most", [1, 7, 64, 65, 1000])
@pytest.mark.parametrize("name", GAMES)
def test_kernels_find_the_same(name, most, make):
    model = bundled_model(name)
    machine, reference = make(model), ReferenceMachine(model)
    by_kernel = exploring.explore_by_kernel(machine, facts(model), machine.initial(), Limits(), ignore_progress, most)
    exactly = exploring.explore_exactly(reference, reference.initial(), Limits(), most=most)
    assert flat(by_kernel) == flat(exactly)
    assert by_kernel.unsearched == exactly.unsearched
