"""Certified intervals hold the exact numbers, and are as narrow as asked for; what is proved is true of any policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pig import pig
from random_cases import many, seeds
from random_graphs import Wish, graphs, wishes
from referee.positions import count_policies, earns_for_ever, endless_number, lasting, numbers, read

import zermelo
from zermelo import ZermeloError
from zermelo.interpreter.native.running.kernels import Standby
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import (
    DRAWS,
    PAYS,
    Contest,
    EarnsForEver,
    NeedsEndless,
    PositionGraph,
    find_components,
)
from zermelo.solvers.positions.solving import solve
from zermelo.solvers.positions.stochastic_cycles import policy_iteration
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import (
    CertifiedNumbers,
    ExactSolver,
    certified_numbers,
    free_side_bounds,
)
from zermelo.solvers.positions.stochastic_cycles.intervals import Undecided, ball, flint, precision, rational
from zermelo.solvers.positions.stochastic_cycles.policy_iteration import Play, View, evaluate, find_best_reply
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import (
    AWAY,
    Arena,
    ArenaMaker,
    Number,
    end_components,
    find_beginning,
    where_to_leave,
)


def exact(graph: PositionGraph, wants: tuple[int, ...], endless: Fraction) -> Contest:
    """The contest, with its numbers in fractions."""
    contest = Contest(graph, wants)
    solver = ExactSolver(contest, endless, 100_000)
    for component in find_components(graph, Limits()):
        if graph.kinds[component[0]] <= PAYS:
            contest.numbers[component[0]] = graph.payoff(component[0])[0]
        else:
            solver.solve(component)
    return contest


def certified(graph: PositionGraph, wants: tuple[int, ...], digits: int) -> CertifiedNumbers:
    return certified_numbers(Contest(graph, wants), find_components(graph, Limits()), digits, Limits())


@given(wishes(rounds=False), st.sampled_from((6, 12, 30)), st.integers(1, 40), st.data())
@settings(max_examples=many(300), deadline=None)
def test_random_graphs(wish: Wish, most_positions: int, digits: int, data: st.DataObject) -> None:
    """Many ties, chance or not, one player and two, endless plays of all kinds."""
    graph = data.draw(graphs(evolve(wish, most=most_positions)))
    endless = endless_number(graph)
    try:
        found = certified(graph, wish.wants, digits)
    except EarnsForEver:
        assert earns_for_ever(graph)
        return
    except NeedsEndless:
        assert endless is None
        return
    for one in [endless] if endless is not None else [Fraction(-100), Fraction(100)]:
        contest = exact(graph, wish.wants, one)
        for p, number in enumerate(contest.numbers):
            interval = found.interval(p)
            assert number is not None
            assert interval is None or interval[0] <= number <= interval[1]
    interval = found.interval(0)
    assert interval is not None
    assert interval[1] - interval[0] <= Fraction(1, 10**digits)


def with_tolls(graph: PositionGraph, wants: tuple[int, ...], seed: int) -> PositionGraph:
    """The graph, in which the first player decides wherever plays may stay for ever, and staying costs them something:
    an integer, so that there are many ties, and seldom nothing."""
    random, sign = Random(seed), -1 if len(graph.players) > 1 and wants[1] < 0 else 1
    amounts, kinds = list(graph.amounts), list(graph.kinds)
    tolls = [len(amounts) + cost for cost in range(3)]
    amounts += [(Fraction(-cost), *[Fraction(-cost * sign)] * (len(graph.players) - 1)) for cost in (1, 2, 3)]
    rewards = [0] * len(graph.targets) if graph.rewards is None else list(graph.rewards)
    for p, step in lasting(read(graph)):
        kinds[p] = min(kinds[p], 0)
        rewards[graph.firsts[p] + step] = random.choice((*tolls, *tolls, *tolls, 0))
    return evolve(graph, kinds=kinds, rewards=rewards, amounts=tuple(amounts))


@given(wishes(rounds=False, earns="once", discount=Fraction(1), circles=True), st.integers(1, 40), st.data())
@settings(max_examples=many(300), deadline=None)
def test_tolls(wish: Wish, digits: int, data: st.DataObject) -> None:
    """Where staying costs those who decide: against brute force, and refused just where fractions are."""
    graph = with_tolls(data.draw(graphs(wish)), wish.wants, digits)
    try:
        found = certified(graph, wish.wants, digits)
    except EarnsForEver:
        with pytest.raises(EarnsForEver):
            solve(graph, Limits())
        return
    except NeedsEndless:
        assert endless_number(graph) is None
        return
    assume(count_policies(graph) <= 500)
    for p, number in enumerate(numbers(graph, wish.wants, with_tolls=True)):
        interval = found.interval(p)
        assert interval is None or number is None or interval[0] <= number <= interval[1]
        assert p > 0 or (interval is not None and interval[1] - interval[0] <= Fraction(1, 10**digits))


@given(st.integers(1, 30), st.fractions(Fraction(1, 10), Fraction(9, 10)), st.sampled_from((1, -1)))
def test_a_toll_for_each_try(cost: int, chance: Fraction, side: int) -> None:
    """A try that succeeds with probability q costs c / q on average, and a way that costs just as much is a tie; to
    wait is never best. By hand, for a player who wants more and for one who wants less."""
    mean, up = Fraction(cost) / chance, chance.numerator
    amounts = tuple((-side * amount, side * amount) for amount in (Fraction(0), Fraction(cost), mean, Fraction(1, 2)))
    player = 0 if side > 0 else 1
    graph = PositionGraph(
        ("A", "B"), [player, DRAWS, PAYS], [0, 3, 5, 5], [2, 1, 0, 2, 0], [1, 1, 1, up, chance.denominator - up],
        [2, 1, 3, 0, 0], amounts,
    )  # fmt: skip
    interval = certified(graph, (1, -1), 20).interval(0)
    assert interval is not None
    assert interval[0] <= -side * mean <= interval[1] <= interval[0] + Fraction(1, 10**20)


def test_no_bound_for_those_who_may_stay_at_a_cost_is_proved_by_a_group() -> None:
    """Were staying taken to be worth as much, because a toll is lost in the balls, nothing is proved."""
    little = Fraction(1, 10**40)
    graph = PositionGraph(
        ("A",), [0, 0, PAYS - 2], [0, 2, 3, 3], [1, 2, 0], None, [1, 0, 1],
        ((Fraction(0),), (-little,), (Fraction(1),)),
    )  # fmt: skip
    contest = Contest(graph, (1,))
    with precision(64):
        maker = ArenaMaker(contest, ball, lambda _: ball(Fraction(1)))
        arena = maker.arena([0, 1])
        view = find_best_reply(Play(arena, None), [1, 0], 1)
        assert view.ties
        with pytest.raises(Undecided):
            free_side_bounds(arena, [1, 0], view, 1, None)
    interval = certified(graph, (1,), 12).interval(0)
    assert interval is not None
    assert interval[0] <= 1 <= interval[1]


@pytest.mark.parametrize("digits", [1, 12, 30, 200])
def test_pig(digits: int) -> None:
    """Neller and Presser 2004."""
    interval = certified(pig(20), (1, -1), digits).interval(0)
    number = exact(pig(20), (1, -1), Fraction(0)).numbers[0]
    assert interval is not None
    assert number is not None
    assert interval[0] <= number <= interval[1] <= interval[0] + Fraction(1, 10**digits)


def arenas(contest: Contest) -> list[Arena]:
    """The components, in rationals."""

    def known(position: int) -> Number:
        number = contest.numbers[position]
        assert number is not None
        return rational(number)

    maker = ArenaMaker(contest, rational, known)
    components = find_components(contest.graph, Limits())
    return [maker.arena(component) for component in components if contest.graph.kinds[component[0]] > PAYS]


@given(wishes(rounds=False, earns="once"), st.integers(0, 1000), st.booleans(), st.data())
@settings(max_examples=many(300), deadline=None)
def test_bounds_hold_for_any_policy_and_whatever_they_begin_with(
    wish: Wish, seed: int, is_noisy: bool, data: st.DataObject
) -> None:
    """The bound of a free side against an arbitrary policy: never less than what its best reply gets."""
    graph = data.draw(graphs(wish))
    endless = endless_number(graph)
    if endless is None:
        endless = Fraction(0)
    contest = exact(graph, wish.wants, endless)
    for rows in arenas(contest):
        policy = [seed % len(choice) for choice in rows.rows]
        may_stay = find_beginning(contest, rows, endless).may_stay
        for side in (1, -1):
            answer = list(policy)
            right = find_best_reply(Play(rows, rational(endless) if may_stay else None), answer, side).values
            with precision(80):
                balls = rows.mapped(flint().arb)
                view = find_best_reply(Play(balls, ball(endless) if may_stay else None), answer, side)
                if is_noisy:
                    values = [value + ball(Fraction(seed % 7, 10**25)) for value in view.values[:-1]] + [0]
                    view = View(values, view.better, view.ties)
                try:
                    bounds = free_side_bounds(balls, answer, view, side, ball(endless))
                except Undecided:
                    continue
            with precision(1000):
                assert all(side * bound >= side * number for bound, number in zip(bounds[:-1], right[:-1], strict=True))


def test_what_depends_on_endless_is_refused() -> None:
    graph = PositionGraph(("A",), [0, PAYS], [0, 2, 2], [0, 1], None, None, ((Fraction(0),),))
    with pytest.raises(NeedsEndless):
        certified(graph, (1,), 3)


def test_what_cannot_be_avoided_is_infinite() -> None:
    graph = PositionGraph(("A",), [0, PAYS, 0], [0, 2, 2, 3], [2, 1, 2], None, None, ((Fraction(0),),))
    with pytest.raises(NeedsEndless):
        certified(graph, (1,), 3)


# End components, and where one side can leave, against the referee.


def arenas_of_components(graph: PositionGraph, wants: tuple[int, ...]) -> list[Arena]:
    maker = ArenaMaker(Contest(graph, wants), rational, lambda _: rational(Fraction(0)))
    components = find_components(graph, Limits())
    return [maker.arena(component) for component in components if graph.kinds[component[0]] > PAYS]


@given(wishes(rounds=False), st.data())
@settings(max_examples=many(200), deadline=None)
def test_rows_of_end_components_are_those_that_can_last(wish: Wish, data: st.DataObject) -> None:
    graph = data.draw(graphs(wish))
    found = {
        (arena.positions[p], graph.targets[edge])
        for arena in arenas_of_components(graph, wish.wants)
        for members in end_components(arena, arena.every_row())
        for p, rows in members.items()
        for k in rows
        for edge in arena.edges_of(p, k)
    }
    right = {(p, graph.targets[graph.firsts[p] + k]) for p, k in lasting(read(graph))}
    assert found == right


@given(wishes(rounds=False), st.sampled_from((1, -1)), st.data())
@settings(max_examples=many(200), deadline=None)
def test_ways_out_lead_out(wish: Wish, side: int, data: st.DataObject) -> None:
    """By the ways out no play lasts among these positions; and no play comes to others. Where all end components belong
    to the side itself, it can leave from everywhere, unless no edge leads out."""
    graph = data.draw(graphs(wish))
    for arena in arenas_of_components(graph, wish.wants):
        found = where_to_leave(arena, side)
        rows = {p: [found.ways[p]] if p in found.ways else list(ks) for p, ks in found.rows.items()}
        assert end_components(arena, rows) == []
        kept = set(rows)
        assert all(there in kept or there < 0 for p, ks in rows.items() for k in ks for there, _ in arena.rows[p][k][1])
        is_alone = all(sign != -side for sign in arena.signs)
        leads_out = any(there < 0 for choice in arena.rows for _, shares in choice for there, _ in shares)
        if is_alone:
            assert len(rows) == (len(arena) if leads_out else 0)


# The worths of policies, where plays hardly ever leave.


def walk(size: int, wins: int, costs: int, number: Callable[[Fraction], Number]) -> Arena:
    """A walk that goes back with 9 of 10, waits at the beginning, and ends beyond its other end, where it wins; each
    step costs something."""
    back, on = number(Fraction(9, 10)), number(Fraction(1, 10))
    rows = []
    for p in range(size):
        is_last = p == size - 1
        brings = number(Fraction(costs) + (Fraction(wins, 10) if is_last else 0))
        rows.append([(brings, ((max(0, p - 1), back), (AWAY if is_last else p + 1, on)))])
    return Arena(range(size), [0] * size, rows, [()] * size)


@pytest.mark.parametrize("size", [2, 40])
def test_a_walk_that_ends_after_ages(size: int) -> None:
    """It ends with probability 1, for 40 places after some 10^38 steps. Balls tell how many to their full precision."""
    policy = [0] * size
    wins = evaluate(walk(size, 1, 0, rational), policy, None, None)
    assert wins[:-1] == [1] * size
    # From place k it takes d(k) = 10 + 9 d(k - 1) steps to come one further.
    right = rational(sum((Fraction(10 * (9 ** (k + 1) - 1), 8) for k in range(size)), Fraction(0)))
    assert evaluate(walk(size, 0, 1, rational), policy, None, None)[0] == right
    with precision(64):
        found = evaluate(walk(size, 0, 1, ball), policy, None, None)[0]
        assert found.rel_accuracy_bits() > 50
    with precision(200):
        assert found.contains(flint().arb(right))


def test_a_class_that_is_never_left() -> None:
    """From 0 the play is caught in 1 and 2 with probability 2/3, after 5 have been earned."""
    third, one = rational(Fraction(1, 3)), rational(Fraction(1))
    rows = [
        [(5 * one, ((1, third), (2, third), (AWAY, third)))],
        [(0 * one, ((2, one),))],
        [(0 * one, ((1, one),))],
    ]
    found = evaluate(Arena(range(3), [0] * 3, rows, [()] * 3), [0] * 3, 7 * one, None)
    assert found[:-1] == [rational(5 + Fraction(14, 3)), 7, 7]


def race(length: int) -> Arena:
    """Two men, in turn, go one to three places on, and beyond the last one they win; whoever is met begins again. A
    position is how far the man to move has come, and the other one."""
    place = {pair: p for p, pair in enumerate(product(range(length), repeat=2))}
    share, none, rows = rational(Fraction(1, 3)), rational(Fraction(0)), []
    for mine, theirs in place:
        shares = Counter[int]()
        for on in (mine + step for step in (1, 2, 3)):
            met = length - on == theirs
            shares[AWAY if on >= length else place[0 if met else theirs, on]] += 1
        away = shares.pop(AWAY, 0)
        ways = [(there, share * count) for there, count in shares.items()]
        rows.append([(none + away, (*ways, *([(AWAY, share * away)] if away else [])))])
    return Arena(range(len(rows)), [0] * len(rows), rows, [()] * len(rows))


def test_circles_that_close_at_few_positions_take_few_products() -> None:
    """Only a man who is met goes back, to the beginning. The matrix has 900 rows: in a bad order it fills up."""
    arena, products = race(30), list[int]()
    found = evaluate(arena, [0] * len(arena), None, lambda _, count: products.append(count))
    assert products[-1] < 60_000
    for p, ((brings, shares),) in enumerate(arena.rows):
        assert found[p] == brings + sum(share * found[there] for there, share in shares)


def tangle(random: Random, size: int, may_stay: bool) -> Arena:
    """Chance leads from each position to some others; some positions may never be left."""
    rows = []
    for _ in range(size):
        ways = Counter(random.randrange(size) for _ in range(random.randint(1, 5)))
        away = random.randint(0, 1) if may_stay else 1
        parts = ways.total() + away
        shares = [(there, rational(Fraction(count, parts))) for there, count in ways.items()]
        brings = rational(Fraction(random.randint(-3, 3), 7)) if away else rational(Fraction(0))
        rows.append([(brings, (*shares, *([(AWAY, rational(Fraction(1, parts)))] if away else [])))])
    return Arena(range(size), [0] * size, rows, [()] * size)


@pytest.mark.parametrize("may_stay", [False, True])
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 25))
def test_solved_at_once_is_the_same_as_eliminated(may_stay: bool, seed: int, size: int) -> None:
    """The solution satisfies the equations, and is what elimination alone finds, also where no play leaves."""
    arena, policy = tangle(Random(seed), size, may_stay), [0] * size
    endless, found = rational(Fraction(5, 3)), []
    for worth in (0, 1 << 62):
        with patch.object(policy_iteration, "SOLVER", Standby(policy_iteration.SOLVER.make, worth)):
            found.append(evaluate(arena, policy, endless, None))
    assert found[0] == found[1]
    for p, ((brings, shares),) in enumerate(arena.rows):
        assert found[0][p] == brings + sum(share * found[0][there] for there, share in shares)


def test_a_tangle_of_hundreds_of_positions_is_solved_at_once() -> None:
    """Elimination alone would take hundreds of thousands of products of long fractions."""
    arena, products = tangle(Random(1), 300, False), list[int]()
    found = evaluate(arena, [0] * 300, None, lambda _, count: products.append(count))
    assert products[-1] < 5000
    for p, ((brings, shares),) in enumerate(arena.rows):
        assert found[p] == brings + sum(share * found[there] for there, share in shares)


# Where staying costs those who decide they leave: shortest paths, with and without chance.


PLACES = 6


def maze(steps: dict[tuple[int, int], int], players: str = "Ann", earns: str = "-{cost}") -> str:
    """A walk from place 0 to the last one; a step from a place to another has a cost."""
    shares = [name.strip() for name in players.split(",")]
    lines = [
        'game "Maze"',
        f"players {players}",
        f"var at: 0..{PLACES - 1} = 0",
        "start at walk",
        "phase walk:",
        f"    if at == {PLACES - 1}: end payoff ({', '.join('0' for _ in shares)})",
        "    turn Ann:",
    ]
    for (here, there), cost in steps.items():
        lines.append(f"        move step_{here}_{there} if at == {here}:")
        lines.append(f"            at := {there}")
        lines += [f"            earn {name}: {earns.format(cost=cost)}" for name in shares]
        lines.append("            go walk")
    return "\n".join(lines) + "\n"


def shortest(steps: dict[tuple[int, int], int]) -> int:
    """The least cost of a way through a maze, by Bellman and Ford."""
    far = 10**6
    costs = [far] * (PLACES - 1) + [0]
    for _ in range(PLACES):
        for (here, there), cost in steps.items():
            costs[here] = min(costs[here], cost + costs[there])
    return costs[0]


@pytest.mark.parametrize("seed", seeds(12))
@pytest.mark.parametrize("players", ["Ann", "Ann, Bob"])
def test_the_shortest_way_through_a_maze(seed: int, players: str) -> None:
    random = Random(seed)
    steps = {(here, here + 1): random.randint(1, 9) for here in range(PLACES - 1)}
    while len(steps) < 12:
        here, there = random.randrange(PLACES - 1), random.randrange(PLACES)
        steps[here, there] = random.randint(1, 9)
    steps[1, 0] = 1
    solution = zermelo.solve(zermelo.loads(maze(steps, players)), "positions")
    assert solution.value == (-shortest(steps),) * len(solution.value) and solution.exact


def refused(text: str) -> bool:
    with pytest.raises(ZermeloError) as raised:
        zermelo.solve(zermelo.loads(text), "positions")
    return raised.value.code == "earns-for-ever"


ON = {(here, here + 1): 1 for here in range(PLACES - 1)}


def test_a_total_without_a_limit_is_refused() -> None:
    assert refused(maze({**ON, (1, 0): 1}, earns="{cost}"))
    assert refused(maze({**ON, (1, 0): -1}))


@pytest.mark.parametrize("endless", ["", "endless payoff (9)"])
@pytest.mark.parametrize("free", [{(0, 0): 0}, {(1, 2): 0, (2, 1): 0}])
def test_where_staying_may_be_free_it_is_refused(free: dict[tuple[int, int], int], endless: str) -> None:
    """Ann may go on for ever in a part of a circle that costs something elsewhere."""
    assert refused(maze({**ON, (1, 0): 1, **free}) + endless)


def test_behind_a_toll_staying_may_be_free() -> None:
    """On two steps that cost 1 each, there and back, follows a place where Ann may stay."""
    steps = {**ON, (1, 0): 1, (2, 2): 0}
    assert refused(maze(steps))
    assert zermelo.solve(zermelo.loads(maze(steps) + "endless payoff (9)"), "positions").value == (7,)


def test_from_where_nobody_can_leave_it_is_refused() -> None:
    assert refused(maze({(0, 1): 1, (1, 0): 1, (4, 5): 1}))


def test_where_the_other_one_may_keep_the_play_it_is_refused() -> None:
    text = """game "Toll"
players Ann, Bob
start at pay(Ann)
phase pay(p: Player):
    turn p:
        move leave: end draw
        move on:
            earn Ann: -1
            earn Bob: 1
            go pay(other p)
"""
    assert refused(text)


def test_chance_may_bring_back() -> None:
    """A try costs 1 and succeeds with probability 1/3, a safe way costs 4: three tries cost 3 on average."""
    text = """game "Climb"
players Ann
start at climb
phase climb:
    turn Ann:
        move safe:
            earn Ann: -4
            end
        move try:
            earn Ann: -1
            go slope
        move rest:
            earn Ann: -1/2
            go climb
phase slope:
    chance:
        outcome up prob 1/3: end
        outcome down prob 2/3: go climb
"""
    solution = zermelo.solve(zermelo.loads(text))
    assert solution.value == (Fraction(-3),)
    assert [str(move) for move in solution.best] == ["try"]
    assert zermelo.solve(zermelo.loads(text.replace("-4", "-2"))).value == (Fraction(-2),)


def test_the_other_side_may_bear_it() -> None:
    """Bob leaves at once what costs him, and so does not go in."""
    text = """game "Toll for Bob"
players Ann, Bob
start at choose
phase choose:
    turn Ann:
        move safe: end payoff (1, -1)
        move enter: go pay
phase pay:
    turn Bob:
        move leave: end payoff (3, -3)
        move on:
            earn Ann: 1
            earn Bob: -1
            go pay
"""
    assert zermelo.solve(zermelo.loads(text), "positions").value == (3, -3)
