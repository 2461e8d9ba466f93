"""Graphs of positions, found by kernels and over any machine: the same."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from all_machines import MACHINES, MAKERS, compiled_machine, native_machine, needs_llvm, python_machine
from found_graphs import AnyMaker, Maker, check_form, exact_graph, flat, graph_of, kernel_graph
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many, seeds
from random_games.circling import write_circling
from random_games.winding import Winding, windings
from random_games.writer import write_game
from referee.exploring import explored
from referee.histories import TooLarge
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.running.executor import BeyondLimits
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
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
