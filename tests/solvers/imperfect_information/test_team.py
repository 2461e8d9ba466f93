"""The best joint strategy: held against all joint strategies, and against published values."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import settings as chosen
from hypothesis import strategies as st
from random_cases import many, seeds
from solving import solve

import zermelo
from tests.helpers.random_games.small import Small
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.numbers import is_value
from zermelo.solvers.choosing.verifying import verify
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.best_response import best_response
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.normal_form.normal_form import count_strategies, pure_strategies
from zermelo.solvers.tree_building.building import build_tree

MOST = 3_000
"""The most combinations of strategies to be tried."""


def best_of_all(game):
    """The value of the best of all joint strategies, tried one by one, the last player's by a best response; None if
    they are too many."""
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), ignore_progress)
    form = sequence_form(tree, Limits())
    *others, _ = form.players
    if prod(map(count_strategies, others)) > MOST:
        return None
    lists = [
        [[Fraction(k in strategy.sequences) for k in range(len(own))] for strategy in pure_strategies(tree, own)]
        for own in others
    ]
    return max(best_response(form, len(others), [*combination, []])[0] for combination in product(*lists))


def hidden_hands(random, cards, turns, payoffs):
    """Two partners with a card each that nobody else sees, who move in turn: some moves are heard, others are not, and
    some signals only mean that one of several moves was made."""
    moves = range(2 + (cards + turns < 5))
    lines = [
        'game "Hands"',
        "players Ann, Bob",
        f"type Card = 1..{cards}",
        f"type Move = 0..{max(moves)}",
        "var hand[p: Player]: Card    private",
        f"var done[t: 1..{turns}]: Move = 0    hidden",
        "start at deal",
        "phase deal:",
        "    chance:",
        "        outcome deal(a in Card, b in Card) weight 1 + (a * b) % 3:",
        "            hand[Ann] := a",
        "            hand[Bob] := b",
        "            go turn1",
    ]
    for turn in range(1, turns + 1):
        player = ("Ann", "Bob")[(turn + random.randrange(2)) % 2]
        secret = random.choice(("", "secret "))
        lines += [
            f"phase turn{turn}:",
            f"    turn {player}:",
            f"        move act{turn}({secret}m in Move):",
            f"            done[{turn}] := m",
        ]
        if secret and random.random() < 0.5:
            lines.append(f"            if m == {random.choice(moves)}: tell Player that so_much{turn}")
        lines.append(f"            go {'count' if turn == turns else f'turn{turn + 1}'}")
    lines += ["phase count:"]
    for hands in product(range(1, cards + 1), repeat=2):
        for acts in product(moves, repeat=turns):
            known = [f"hand[Ann] == {hands[0]}", f"hand[Bob] == {hands[1]}"]
            known += [f"done[{turn}] == {act}" for turn, act in enumerate(acts, 1)]
            lines.append(f"    if {' and '.join(known)}: end payoff {{p: {payoffs(random)} for p in Player}}")
    return "\n".join([*lines, "    end draw", ""])


@chosen(max_examples=many(40), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_joint_strategy_brings_more_where_partners_signal(seed):
    random = Random(seed)
    low = random.choice((0, -5))
    text = hidden_hands(random, random.choice((2, 2, 3)), random.choice((2, 2, 3)), lambda r: r.randint(low, 5))
    game = zermelo.loads(text)
    expected = best_of_all(game)
    if expected is None:
        return
    solution = zermelo.solve(game.on("python"), "team")  # to compile such a game takes longer than to solve it
    assert solution.exact and solution.value == (expected, expected)


@chosen(max_examples=many(80), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from((("Ann", "Bob"), ("Ann", "Bob", "Cy"))))
def test_no_joint_strategy_brings_more_in_games_of_rules(seed, players):
    """Chance in between, messages, secret moves, and a clock that need not be the same in all histories of a set."""
    random = Random(seed)
    phases = tuple(random.sample(("a", "b", "c", "root", "play"), random.randint(2, 4)))
    chance = tuple(name for name in phases if random.random() < 0.25)
    text = Small(random, players, "common", 60, "", True, phases=phases, chance=chance).game()
    game = zermelo.loads(text)
    try:
        solution = zermelo.solve(game.on("python"), "team")
    except ZermeloError:
        return
    expected = best_of_all(game)
    assert expected is None or solution.value == (expected,) * len(players)


def deals(random):
    """A tree in which Ann and Bob have a card each, Ann moves, Bob perceives something of it and moves, and perhaps Ann
    moves again who perceives something of that; all get the same. With the most that joint strategies bring, each of
    which is tried, and how many these are; None if they are too many."""
    cards = [range(random.randint(1, 3)), range(random.choice((1, 1, 2)))]
    counts = [2, 2, random.choice((0, 0, 2))]
    heard = [[random.randrange(2) for _ in range(count)] for count in counts]
    sets: dict[str, int] = {}
    plays, lines = [], []
    worths = defaultdict(lambda: random.randint(-1, 3))
    is_talk = random.random() < 0.5
    if is_talk:  # what Ann says brings nothing by itself, and Bob hears it
        cards[0], counts[2], heard[0] = range(random.randint(2, 3)), 0, list(range(counts[0]))

    def grow(indent, deal, known, played):
        turn = len(played)
        if turn == 3 or not counts[turn]:
            made = tuple(move for _, move in played)[is_talk:]
            worth = worths[deal, made]
            plays.append((weights[deal], played, worth))
            lines[-1] += f" ({worth}, {worth})"
            return
        name = f"{'abc'[turn]}_{known[turn % 2]}"
        sets[name] = counts[turn]
        lines[-1] += f" {('Ann', 'Bob')[turn % 2]} @{name}:"
        for move in range(counts[turn]):
            lines.append(f"{indent}m{move}:")
            mine, other = f"{known[turn % 2]}{move}", f"{known[1 - turn % 2]}{heard[turn][move]}"
            grow(indent + "    ", deal, (mine, other) if turn % 2 == 0 else (other, mine), [*played, (name, move)])

    weights = {deal: random.randint(1, 3) for deal in product(*cards)}
    total = sum(weights.values())
    for (a, b), weight in weights.items():
        lines.append(f"        {weight}/{total} deal{a}{b}:")
        grow(" " * 12, (a, b), (str(a), str(b)), [])
    if prod(sets.values()) > 128:
        return None
    most = max(
        sum(weight * worth for weight, played, worth in plays if all(choice[name] == move for name, move in played))
        for choice in (dict(zip(sets, moves, strict=True)) for moves in product(*map(range, sets.values())))
    )
    head = ['game "Deals"', "players Ann, Bob", "claim common_payoff", "tree:", "    chance:"]
    return "\n".join([*head, *lines, ""]), Fraction(most, total), prod(sets.values())


def nobody(name):
    raise AssertionError(f"{name} is not needed")


def values_of_deals(seeds):
    """How many games there are, and how many equilibria were found that pay less than the most. Every value is the
    most, an equilibrium is not more, and both are confirmed as what they are said to be."""
    games, less = 0, 0
    for seed in seeds:
        made = deals(Random(seed))
        if made is None:
            continue
        text, most, strategies = made
        game = zermelo.loads(text).on("reference")
        games += 1
        by_tables = ("normal_form", "subgame_perfect") if strategies <= 32 else ()  # large ones have many equilibria
        for name in (None, "team", *by_tables, "lemke"):
            try:
                solution = zermelo.solve(game, name)
            except ZermeloError as refusal:
                assert refusal.code in ("no-solver", "too-many-strategies", "needs-imperfect-information"), text
                continue
            assert solution.value[0] == solution.value[1] <= most, (seed, name)
            assert name or is_value(game.facts, solution), seed
            assert not solution.is_optimum or solution.value[0] == most, (seed, name)
            less += solution.value[0] < most
        root = game.reference.initial()
        found = verify(solution, game.reference, root, game.facts, nobody)
        assert found.confirmed, (seed, found.how)
        if solution.value[0] < most:
            with pytest.raises(ZermeloError, match="other strategies bring"):
                verify(evolve(solution, is_optimum=True), game.reference, root, game.facts, nobody)
    return games, less


@pytest.mark.random
def test_what_is_called_the_value_of_partners_is_the_most_they_can_bring_about():
    games, less = values_of_deals(seeds(10))
    assert 0 < less < games


NOBODY_KNOWS_WHO_IS_FIRST = """game "Who is first?"
players Ann, Bob
var starter: Player = Ann    hidden
var said[Player]: 0..2 = 0    hidden
start at toss
phase toss:
    chance:
        outcome begin(p in Player) weight (if p == Ann then 2 else 1):
            starter := p
            go speak(p, 1)
phase speak(p: Player, secret place: 1..2):
    turn p:
        move say(n in 1..2) secret:
            said[p] := n
            if place == 2: end payoff {q: worth for q in Player}
            go speak(other p, 2)
define worth =
    if said[Ann] == said[Bob] then 0
    else if said[starter] == 1 then 3
    else 5
"""


def test_partners_need_not_agree_on_who_moves_first():
    """Each has one information set, a part of it after the other's and a part before: neither can be decided at once.
    They say different numbers: 2 by Ann brings 5 if she is first, which is twice as likely, and otherwise 3."""
    game = zermelo.loads(NOBODY_KNOWS_WHO_IS_FIRST)
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), ignore_progress)
    assert len(tree.information_sets) == 2 and tree.nodes == 7
    assert zermelo.solve(game, "team").value == (Fraction(13, 3),) * 2
    assert best_of_all(game) == Fraction(13, 3)


TINY = [  # OpenSpiel's tiny_hanabi, by both cards and both moves
    [[[10, 0, 0], [4, 8, 4], [10, 0, 0]], [[0, 0, 10], [4, 8, 4], [0, 0, 10]]],
    [[[0, 0, 10], [4, 8, 4], [0, 0, 0]], [[10, 0, 0], [4, 8, 4], [10, 0, 0]]],
]


def test_tiny_hanabi():
    """Foerster and others, "Bayesian action decoder" (2019): the best joint strategy brings 10; independent learners
    end at 8."""
    rows = "\n".join(
        f"    if hand[Ann] == {a} and hand[Bob] == {b} and said == {x} and m == {y}: "
        f"end payoff {{p: {TINY[a][b][x][y]} for p in Player}}"
        for a, b, x, y in product(range(2), range(2), range(3), range(3))
    ).replace("    if", "            if")
    text = f"""game "Tiny hanabi"
players Ann, Bob
var hand[Player]: 0..1    private
var said: 0..2 = 0
start at deal
phase deal:
    chance:
        outcome deal(a in 0..1, b in 0..1):
            hand[Ann] := a
            hand[Bob] := b
            go speak
phase speak:
    turn Ann:
        move say(x in 0..2):
            said := x
            go answer
phase answer:
    turn Bob:
        move answer(m in 0..2):
{rows}
            end draw
"""
    assert zermelo.solve(zermelo.loads(text), "team").value == (10, 10)


@pytest.mark.parametrize(
    ("game", "parameters", "value"),
    [
        ("fireworks", {"turns": 4}, Fraction(43, 24)),
        ("fireworks", {"turns": 4, "hints": 2}, Fraction(43, 24)),
        ("hanabi", {"colours": 1, "each": 1}, 2),
    ],
)
def test_where_strategies_are_too_many_to_try(game, parameters, value):
    """Ann alone has over a hundred million pure strategies. What is found is an equilibrium, since the best for all
    is; it is not less than another solver finds, and not more than with open cards."""
    loaded = zermelo.load(game, **parameters)
    solution = zermelo.solve(loaded)
    assert solution.solver == "team" and solution.exact
    assert solution.value == (value, value)
    other = zermelo.solve(loaded, "cfr_plus")
    assert other.value[0] <= solution.value[0]


def test_a_limit_is_told():
    game = zermelo.load("tiny_bridge")
    with pytest.raises(ZermeloError) as raised:
        solve(game.machine, game.facts, "team", limits=Limits(nodes=200))
    assert raised.value.code == "out-of-nodes"
