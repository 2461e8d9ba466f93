"""Policies bring about what they say: each position is worth what the advised moves bring on average."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from all_machines import MACHINE_NAMES
from attrs import evolve
from random_cases import seeds
from random_games.circling import write_circling
from reaching import reached
from referee.exploring import explored

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END
from zermelo.solvers.choosing import verifying
from zermelo.solvers.choosing.verifying import check_equations
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph
from zermelo.solvers.positions.policies import Policy, flaw, is_same_graph
from zermelo.solvers.positions.solved_positions import Guide, SolvedPositions, shortest_path, source_of

REFUSALS = {"needs-endless", "earns-for-ever", "needs-one-number", "no-solver"}

TIE = """\
game "Tie"
players Ann, Bob, Cy
start at first
phase first:
    turn Ann:
        move leave_it_to_bob: go second
        move stop: end payoff (1, 1, 1)
phase second:
    turn Bob:
        move low: end payoff (0, 2, 0)
        move high: end payoff (3, 2, 5)
        move low_again: end payoff (0, 2, 0)
"""


def test_a_tie_is_broken_as_the_value_says() -> None:
    """If Bob, to whom it is all the same, was not sure to take a low move, Ann would rather leave it to them."""
    solution = zermelo.solve(zermelo.loads(TIE), "positions")
    assert solution.value == (1, 1, 1) and solution.policy is not None
    ann, bob = solution.policy
    assert [str(move) for move in ann.best] == ["stop"]
    assert [str(move) for move in bob.best] == ["low", "low_again"]


@pytest.mark.parametrize("seed", seeds(150))
def test_advised_moves_bring_the_payoffs(seed: int) -> None:
    """In games of all kinds: the payoffs of all players are the mean of what is behind the advised moves, so that where
    plays end they are what these bring about."""
    random = Random(seed)
    aim = random.choice(("alone", "against", "common", "any", "any"))
    try:
        game = zermelo.loads(write_circling(random, aim, random.random() < 0.5, False))
    except ZermeloError as error:
        assert error.code == "phase-without-exit"
        return
    try:
        solution = zermelo.solve(game, "positions")
    except ZermeloError as error:
        assert error.code in REFUSALS
        return
    assert solution.policy is not None
    graph, states = explored(game.reference)
    number = {game.reference.position(state): p for p, state in enumerate(states) if game.reference.actor(state) != END}
    payoffs: dict[int, tuple[Fraction, ...]] = {
        p: tuple(graph.payoff(p)) for p, kind in enumerate(graph.kinds) if kind <= PAYS
    }
    advised = {}
    for advice in solution.policy:
        state = reached(game.reference, game.searching.play(advice.state))
        p = number[game.reference.position(state)]
        if advice.payoff is not None:
            payoffs[p], advised[p] = advice.payoff, advice.chances
    for p, chances in advised.items():
        assert sum(chances) == 1
        behind = [(graph.firsts[p] + k, chance) for k, chance in enumerate(chances) if chance]
        for edge, _ in behind:
            brought = through(graph, payoffs, p, edge)
            assert brought is None or brought == payoffs[p]


def through(
    graph: PositionGraph, payoffs: dict[int, tuple[Fraction, ...]], p: int, edge: int
) -> tuple[Fraction, ...] | None:
    """What an edge brings all players, through draws of chance; None if these can come again, or have no number."""

    def worth(q: int, depth: int) -> tuple[Fraction, ...] | None:
        if q in payoffs:
            return payoffs[q]
        if graph.kinds[q] >= 0 or depth > len(graph):
            return None
        total = [Fraction(0)] * len(graph.players)
        for share, e in zip(graph.probabilities(q), graph.edges(q), strict=True):
            part = one(q, e, depth + 1)
            if part is None:
                return None
            total = [so_far + share * more for so_far, more in zip(total, part, strict=True)]
        return tuple(total)

    def one(q: int, e: int, depth: int) -> tuple[Fraction, ...] | None:
        behind = worth(graph.targets[e], depth)
        if behind is None:
            return None
        return tuple(r + graph.factor(q, e) * b for r, b in zip(graph.reward(e), behind, strict=True))

    return one(p, edge, 0)


# Plays through a graph of positions.


def test_a_long_path() -> None:
    """One pass over the edges finds it."""
    size = 200_000
    kinds, targets = [0] * size + [PAYS], [there for p in range(size) for there in (p, p + 1)]
    firsts = [*range(0, 2 * size + 1, 2), 2 * size]
    graph = PositionGraph(("A",), kinds, firsts, targets, None, None, ((Fraction(0),),))
    assert shortest_path(graph, size - 1) == [*range(1, 2 * size - 2, 2)]


@pytest.mark.parametrize("seed", seeds(40))
def test_shortest_paths_lead_there(seed: int) -> None:
    """On graphs found by kernels, too, whose lists are their own; no shorter path does."""
    try:
        game = zermelo.loads(write_circling(Random(seed), "against", True, True))
    except ZermeloError as error:
        assert error.code == "phase-without-exit"
        return
    machine = game.searching
    graph = explore(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    away = {0: 0}
    for p in range(len(graph)):
        for edge in graph.edges(p):
            away.setdefault(graph.targets[edge], away[p] + 1)
    for p in (p for p, kind in enumerate(graph.kinds) if kind > PAYS):
        path = shortest_path(graph, p)
        assert len(path) == away[p]
        assert [0, *(graph.targets[edge] for edge in path)] == [*(source_of(graph, edge) for edge in path), p]
        state = reached(machine, Guide(machine, machine.initial(), graph).play(path))
        assert machine.actor(state) == graph.actor(p)


DISCOUNTED = """\
game "Discounted"
players Ann, Bob
discount 1/2
start at first
phase first:
    turn Ann:
        move on:
            earn Ann: 1
            earn Bob: -1
            go second
phase second:
    turn Bob:
        move stop: end payoff (8, -8)
        move draw: go last
phase last:
    chance:
        outcome heads: end payoff (16, -16)
"""


@pytest.mark.parametrize("machine", MACHINE_NAMES)
@pytest.mark.parametrize(("play", "paid"), [(("on", "stop"), 5), (("on", "draw", "heads"), 5), (("on", "draw"), 5)])
def test_the_end_of_a_play_is_worth_what_it_pays(play: tuple[str, ...], paid: int, machine: str) -> None:
    """A decision takes the discount off what comes after it, and not off what it pays by ending the play."""
    state = zermelo.loads(DISCOUNTED).on(machine).initial
    for move in play:
        state = state.after(move)
    assert zermelo.solve(state, "positions").value == (paid, -paid)


def test_bounds_hold_of_the_whole_play(monkeypatch):
    """5 have been earned. The rest is worth 2 + 2/3 * 9/10 of itself, which is 5, and counts 9/10."""
    monkeypatch.setattr("zermelo.solvers.positions.solving.MOST_EXACT", 0)
    text = """\
game "Tolls"
players Ann
discount 9/10
start at pay
phase pay:
    turn Ann:
        move pay:
            earn Ann: 5
            go luck
phase luck:
    chance:
        outcome over prob 1/3: end payoff (6)
        outcome again prob 2/3: go wait
phase wait:
    turn Ann:
        move wait: go luck
"""
    for play, value in (([], Fraction(19, 2)), (["pay"], Fraction(19, 2)), (["pay", "again"], 5 + Fraction(81, 20))):
        state = zermelo.loads(text).initial
        for move in play:
            state = state.after(move)
        low, high = zermelo.solve(state, "positions").interval
        assert low <= value <= high and high - low < Fraction(1, 10**9)


# Wrong solutions are noticed by their equations.


GAMES = [("pig", {"target": 5}), ("goofspiel", {"open": True}), ("three_player_tree", {}), ("gamblers_ruin", {})]


class Wrong:
    """A solution with another payoff in one position."""

    def __init__(self, solved: SolvedPositions, position: int, by: Fraction = Fraction(1, 97)) -> None:
        self.solved, self.position, self.by = solved, position, by

    def __getattr__(self, name: str):
        return getattr(self.solved, name)

    def payoff(self, position: int):
        payoff = self.solved.payoff(position)
        if position != self.position or payoff is None:
            return payoff
        return (payoff[0] + self.by, *payoff[1:])


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_every_wrong_number_has_a_flaw(name, parameters):
    policy = zermelo.solve(zermelo.load(name, **parameters), "positions").policy
    assert isinstance(policy, Policy) and flaw(policy.solved) is None
    known = [p for p in range(len(policy.graph)) if policy.solved.payoff(p) is not None]
    for position in Random(1).sample(known, min(20, len(known))):
        assert flaw(Wrong(policy.solved, position)) is not None


def test_another_graph_is_noticed():
    one = zermelo.solve(zermelo.load("pig", target=4)).policy.graph
    assert is_same_graph(one, one)
    weights = list(one.weights)
    weights[one.firsts[list(one.kinds).index(DRAWS)]] += 1
    assert not is_same_graph(one, evolve(one, weights=weights))
    assert not is_same_graph(one, zermelo.solve(zermelo.load("pig", target=5)).policy.graph)
    assert not is_same_graph(one, evolve(one, amounts=[tuple(2 * a for a in amount) for amount in one.amounts]))


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_solutions_are_confirmed(name, parameters):
    game = zermelo.load(name, **parameters)
    solution = zermelo.solve(game, "positions")

    def look(solution):
        return check_equations(solution, game.reference, game.reference.initial(), Limits(), ignore_progress)

    found = look(solution)
    assert found.confirmed and "satisfy their equations" in found.how
    wrong = evolve(solution, value=tuple(amount + 1 for amount in solution.value))
    with pytest.raises(ZermeloError, match=r"its positions are worth \("):
        look(wrong)


CIRCLE_OF_DRAWS = """\
game "Until it ends"
players Ann, Bob
start at luck
phase luck:
    chance:
        outcome stop: end payoff (1, 5)
        outcome again: go choose
phase choose:
    turn Ann:
        move on: go luck
        move leave: end payoff (0, 9)
"""


def looked_at(game, solution):
    return check_equations(solution, game.reference, game.reference.initial(), Limits(), ignore_progress)


@pytest.mark.parametrize("by", [Fraction(1, 97), -Fraction(1, 97)])
def test_in_circles_values_lie_within_bounds(by, monkeypatch):
    """Equations may have other solutions there, as if nobody looked at them here."""
    game = zermelo.load("pig", target=3)
    solution = zermelo.solve(game, "positions")
    assert "lie within bounds" in looked_at(game, solution).how
    monkeypatch.setattr(verifying, "flaw", lambda solved: None)
    solved = solution.policy.solved
    position = max(p for p in range(len(solved.graph)) if solved.payoff(p) is not None)
    policy = evolve(solution.policy, solved=Wrong(solved, position, by))
    with pytest.raises(ZermeloError, match=f"position {position} is worth something between"):
        looked_at(game, evolve(solution, policy=policy))


def test_in_circles_where_more_than_one_number_counts_there_are_no_bounds():
    game = zermelo.loads(CIRCLE_OF_DRAWS)
    solution = zermelo.solve(game, "positions")
    assert solution.value == (1, 5)
    found = looked_at(game, solution)
    assert not found.confirmed and "there are no bounds: more than one number counts" in found.how


def test_what_is_looked_at_are_the_positions_of_this_game():
    game = zermelo.load("pig", target=3)
    with pytest.raises(ZermeloError, match="finds other positions"):
        solution = zermelo.solve(game, "positions")
        other = zermelo.solve(zermelo.load("pig", target=4), "positions")
        looked_at(game, evolve(other, value=solution.value, policy=evolve(other.policy, solved=Alien(other, solution))))
    assert looked_at(game, evolve(solution, policy=None)) is None


class Alien:
    """What one solution knows of its positions, with the payoffs of another."""

    def __init__(self, one, other):
        self.graph, self.payoff = one.policy.graph, other.policy.solved.payoff
