"""Where staying costs those who decide they leave: shortest paths, with and without chance."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from random_cases import seeds

import zermelo
from zermelo import ZermeloError

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


def test_where_staying_may_be_free_it_is_refused() -> None:
    assert refused(maze({**ON, (1, 0): 1, (2, 2): 0}))


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
