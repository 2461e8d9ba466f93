"""The race with two dice: its exact value, computed a second time."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from backgammon_rules import Men, results_of_rules
from second_program import Edge, Node, Program, agree, agree_at_random, bounds, choice, end, reachable, uniform

import zermelo


@pytest.mark.parametrize("goal", [2])
def test_the_value_is_exact(solution, goal):
    chance = chance_of_the_first(goal)
    assert solution("dice_race", goal=goal).value == (2 * chance - 1, 1 - 2 * chance)


@pytest.mark.parametrize("goal", [5, 8, 11])
def test_the_rules_are_those_of_the_second_program(start, goal):
    """By expectiminimax with a table of positions."""
    values: dict = {}

    def value(play) -> Fraction:
        if play.ended:
            return play.payoff[0]
        position = play.machine.position(play.state)
        if position not in values:
            if play.actor == "chance":
                outcomes = play.machine.outcomes(play.state)
                values[position] = sum(probability * value(play.go_on(outcome)) for outcome, probability in outcomes)
            else:
                choose = max if play.actor == "Ann" else min
                values[position] = choose(value(play.go_on(move)) for move in play.moves)
        return values[position]

    assert value(start("dice_race", goal=goal)) == 2 * chance_of_the_first(goal) - 1


def chance_of_the_first(goal: int) -> Fraction:
    """The first player's probability of winning, over all 36 throws of two distinguishable dice."""

    def arrival(square: int, die: int) -> int:
        there = square + die
        return min(goal, there + die if there % 5 == 0 else there)

    @cache
    def chance(mine: int, others: int) -> Fraction:
        """The probability for the player to throw."""
        total = Fraction(0)
        for throw in product(range(1, 7), repeat=2):
            places = {arrival(mine, die) for die in throw}
            total += 1 if goal in places else max(1 - chance(others, place) for place in places)
        return total / 36

    return chance(0, 0)


def test_a_goose_doubles_the_step(start):
    play = start("dice_race", goal=20).then("thrown(2, 5)")
    assert play.legal == {"run(2)", "run(5)"}
    squares = {seen.value for seen in play.then("run(5)").machine.view(play.then("run(5)").state, 0)}
    assert 10 in squares


# Hypergammon: backgammon with three men each, or fewer.


def men_at(*places: int) -> Men:
    return tuple(map(places.count, range(26)))


@cache
def after(mine: Men, theirs: Men, dice: tuple[int, ...]) -> tuple[tuple[Men, Men], ...]:
    """What is left after a turn, that of the other player first: the one to throw."""
    return tuple((other, own) for own, other in results_of_rules(mine, theirs, dice))


def stake(loser: Men) -> int:
    return 1 if loser[0] else 3 if any(loser[19:]) else 2


def node(position: tuple[int, tuple[int, ...], Men, Men]) -> Node:
    """A position is the player to throw, 0 or 1, what they have thrown, and the men of this player and of the other."""
    player, dice, mine, theirs = position
    if theirs[0] == sum(theirs):
        return end(stake(mine) * (1 if player == 1 else -1))
    if not dice:
        throws = {(a, b) if a != b else (a,) * 4: 2 if a != b else 1 for a in range(1, 7) for b in range(1, a + 1)}
        return Node(
            "chance",
            {str(throw): Edge((player, throw, mine, theirs), Fraction(ways, 36)) for throw, ways in throws.items()},
        )
    turns = {str(k): Edge((1 - player, (), *men)) for k, men in enumerate(after(mine, theirs, dice))}
    return Node(("White", "Black")[player], turns)


def test_complete_turns_are_those_of_the_second_program(start):
    """Along random plays, until men are borne off."""
    random = Random(3)
    compared = 0
    for _ in range(12):
        play = start("hypergammon")
        while not play.ended:
            if play.actor == "chance":
                play = play.at_random(random)
                continue
            mover, other = play.actor, "Black" if play.actor == "White" else "White"
            both, dice = men(play), thrown(play)
            found, waiting = set(), [play]
            while waiting:
                for later in map(waiting[-1].go_on, waiting.pop().moves):
                    if not later.ended and later.actor == mover:
                        waiting.append(later)
                    else:
                        found.add((men(later)[mover], men(later)[other]))
            assert found == results_of_rules(both[mover], both[other], dice)
            compared += 1
            while play.actor == mover:
                play = play.at_random(random)
        loser = men(play)["Black" if play.payoff[0] > 0 else "White"]
        assert abs(play.payoff[0]) == stake(loser)
    assert compared > 100


def men(play) -> dict[str, Men]:
    found = {"White": [0] * 26, "Black": [0] * 26}
    for seen in play.machine.view(play.state, 0):
        if seen.variable == "men_on":
            found[str(seen.indices[0])][seen.indices[1]] = seen.value
    return {player: tuple(places) for player, places in found.items()}


def thrown(play) -> tuple[int, ...]:
    dice = [seen for seen in play.machine.view(play.state, 0) if seen.variable == "dice"]
    return tuple(seen.indices[0] for seen in dice for _ in range(seen.value))


def test_one_man_each():
    """Without the opening throw, which leaves everything even."""
    begin = men_at(24)
    low, high = bounds(node, (0, (), begin, begin), "White", (-3, 3))
    assert high - low < 1e-9
    game = zermelo.load_position("hypergammon", "start at roll(White)", men=1)
    found = zermelo.solve(game)
    assert found.exact
    assert low - 1e-12 < found.value[0] < high + 1e-12


def test_whoever_wins_the_opening_throw_gets_what_has_been_published():
    """Keith, Hypergammon, 2018: with one man each, 0.31426 on average over the throws."""
    found = zermelo.solve(zermelo.load("hypergammon", men=1))
    assert found.value == (0, 0)
    gets = [worth.payoff[0] for worth in found.policy.first() if worth.move.arguments[0] > worth.move.arguments[1]]
    assert len(gets) == 15
    assert round(float(sum(gets) / 15), 5) == 0.31426


# Snakes and ladders: how long it takes, by an absorbing Markov chain.


UP = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
DOWN = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
WAYS = UP | DOWN


def arrival(square: int, eyes: int) -> int:
    return square if square + eyes > 100 else WAYS.get(square + eyes, square + eyes)


def snakes_and_ladders_node(square: int) -> Node:
    if square == 100:
        return end(0)
    outcomes = {f"thrown({n})": Edge(arrival(square, n), Fraction(1, 6), Fraction(1)) for n in range(1, 7)}
    return Node("chance", outcomes)


def worth(program: Program, start: Any) -> Fraction:
    """What the first player gets where nobody has a choice: Gaussian elimination in the equations of the positions."""
    rows = {}
    for position, node in reachable(program, start).items():
        assert node.actor in {"chance", "end"} or len(node.edges) == 1
        row = {position: Fraction(1), None: node.payoff}
        for edge in node.edges.values():
            row[edge.to] = row.get(edge.to, Fraction(0)) - edge.probability
            row[None] += edge.probability * edge.earns
        rows[position] = row
    for pivot in reversed([position for position in rows if position != start]):
        solved = rows.pop(pivot)
        for row in rows.values():
            if times := row.pop(pivot, Fraction(0)) / solved[pivot]:
                for key, number in solved.items():
                    if key != pivot:
                        row[key] = row.get(key, Fraction(0)) - times * number
    return rows[start][None] / rows[start][start]


def test_the_rules_are_those_of_the_second_program_in_snakes_and_ladders(start):
    assert agree(start("snakes_and_ladders"), snakes_and_ladders_node, 0) == 81


def test_the_mean_length_is_the_published_one():
    """Althoen, King and Schilling, How long is a game of snakes and ladders?, Mathematical Gazette 77 (1993)."""
    assert worth(snakes_and_ladders_node, 0) == Fraction(
        225837582538403273407117496273279920181931269186581786048583,
        5757472998140039232950575874628786131130999406013041613400,
    )


def test_the_value_is_exact_in_snakes_and_ladders(solution):
    assert solution("snakes_and_ladders").value == (worth(snakes_and_ladders_node, 0),)


# Gambler's ruin: the fifth problem of Huygens, De ratiociniis in ludo aleae, 1657.


THROWS = [sum(dice) for dice in product(range(1, 7), repeat=3)]


def program(counters: int):
    """Positions are the counters of the first player."""

    def node(mine: int) -> Node:
        if mine in (0, 2 * counters):
            return end(1 if mine else -1)
        ways = {"eleven": (-1, THROWS.count(11)), "fourteen": (1, THROWS.count(14))}
        ways["another"] = 0, 216 - sum(count for _, count in ways.values())
        return Node("chance", {name: Edge(mine + won, Fraction(count, 216)) for name, (won, count) in ways.items()})

    return node


def gamblers_ruin_chance_of_the_first(counters: int) -> Fraction:
    """To Ann's 15 throws there are Bob's 27: the odds are the power of their ratio, as Huygens says."""
    odds = Fraction(15, 27) ** counters
    return odds / (1 + odds)


def test_the_rules_are_those_of_the_second_program_in_gamblers_ruin(start):
    assert agree(start("gamblers_ruin"), program(12), 12) == 23


def test_the_odds_are_those_that_huygens_gave():
    chance = gamblers_ruin_chance_of_the_first(12)
    assert chance / (1 - chance) == Fraction(244_140_625, 282_429_536_481)


@pytest.mark.parametrize("counters", [1, 2, 5])
def test_value_iteration_agrees_with_the_closed_form(counters):
    low, high = bounds(program(counters), counters, "Ann", (-1, 1))
    assert high - low < 1e-9
    assert low - 1e-12 < 2 * gamblers_ruin_chance_of_the_first(counters) - 1 < high + 1e-12


@pytest.mark.parametrize("counters", [1, 2, 5, 12])
def test_the_value_is_exact_in_gamblers_ruin(solution, counters):
    value = 2 * gamblers_ruin_chance_of_the_first(counters) - 1
    assert solution("gamblers_ruin", counters=counters).value == (value, -value)


# Ludo for two, on a small ring.


Side = tuple[int, frozenset[int]]
"""How many men are home, and the squares of those on the board, counted from 1 as their player counts."""


def ludo_program(half: int, column: int, men: int, faces: int) -> Program:
    """A position is the player to throw or to run, the number thrown or 0, and both sides, that of Red first."""
    last, home = 2 * half - 1, 2 * half + column

    def node(position: tuple[str, int, Side, Side]) -> Node:
        player, die, *sides = position
        for (home_already, _), payoff in zip(sides, (1, -1), strict=True):
            if home_already == men:
                return end(payoff)
        if die:
            return choice(player, moves(position))
        throws = [(player, eyes, *sides) for eyes in range(1, faces + 1)]
        return uniform({f"thrown({throw[1]})": throw if moves(throw) else passed(throw) for throw in throws})

    def moves(position: tuple[str, int, Side, Side]) -> dict[str, Any]:
        player, die, *sides = position
        at_home, on = sides[player == "Blue"]
        goals = {f"run({place})": (place, place + die) for place in on if place + die <= home}
        if die == faces and at_home + len(on) < men:
            goals["enter"] = (0, 1)
        return {name: passed(run(position, *goal)) for name, goal in goals.items() if goal[1] not in on}

    def passed(position: tuple[str, int, Side, Side]) -> tuple[str, int, Side, Side]:
        """Whoever has thrown a six throws again."""
        player, die, red, blue = position
        return player if die == faces else "Blue" if player == "Red" else "Red", 0, red, blue

    def run(position: tuple[str, int, Side, Side], origin: int, to: int) -> tuple[str, int, Side, Side]:
        player, die, *sides = position
        (at_home, on), (others_home, others) = sides if player == "Red" else reversed(sides)
        on -= {origin}
        if to == home:
            at_home += 1
        else:
            on |= {to}
        if to <= last:  # the places of the ring have numbers from 0, and Blue enters opposite to Red
            others = frozenset(other for other in others if other > last or (other + half - to) % (2 * half))
        after = (at_home, on), (others_home, others)
        return (player, die, *(after if player == "Red" else reversed(after)))

    return node


LUDO_BEGINS = ("Red", 0, (0, frozenset()), (0, frozenset()))


@pytest.mark.parametrize(
    ("half", "column", "men", "faces"), [(2, 0, 1, 2), (2, 1, 2, 2), (3, 2, 1, 3), (2, 0, 3, 2), (2, 1, 2, 3)]
)
def test_the_rules_are_those_of_the_second_program_in_ludo(start, half, column, men, faces):
    program = ludo_program(half, column, men, faces)
    play = start("ludo", half=half, column=column, men=men, faces=faces)
    positions = reachable(program, LUDO_BEGINS).values()
    assert agree(play, program, LUDO_BEGINS) == sum(node.actor != "end" for node in positions)


def test_the_rules_of_the_usual_board(start):
    sizes = {"half": 26, "column": 5, "men": 4, "faces": 6}
    agree_at_random(start("ludo", **sizes), ludo_program(*sizes.values()), LUDO_BEGINS, plays=2)


@pytest.mark.parametrize(("half", "column", "faces"), [(2, 0, 2), (2, 1, 3), (3, 0, 2)])
def test_with_one_man_nobody_has_a_choice(solution, half, column, faces):
    value = worth(ludo_program(half, column, 1, faces), LUDO_BEGINS)
    assert solution("ludo", half=half, column=column, men=1, faces=faces).value == (value, -value)
    if (half, column, faces) == (2, 0, 2):
        assert value == Fraction(10, 51)  # as the file says


@pytest.mark.parametrize(("half", "column", "men", "faces"), [(2, 1, 2, 2), (2, 1, 2, 3)])
def test_the_value_lies_within_bounds(solution, half, column, men, faces):
    low, high = bounds(ludo_program(half, column, men, faces), LUDO_BEGINS, "Red", (-1, 1))
    assert high - low < 1e-9
    found = solution("ludo", half=half, column=column, men=men, faces=faces)
    assert low - 1e-12 < found.value[0] < high + 1e-12
    if faces == 3:
        assert round(low, 6) == 0.065973  # as the file says
