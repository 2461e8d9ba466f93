"""The game up to symmetry: the same value, and strategies that are an equilibrium of the whole game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from suited_games import suited_game

import zermelo
from zermelo.solvers.common.limits import Goal, Limits
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import plan_of, sequence_form, strategy_of
from zermelo.solvers.imperfect_information.regret_minimization import cfr_plus, external_sampling, outcome_sampling
from zermelo.solvers.imperfect_information.sequence_form_lp import equilibrium
from zermelo.solvers.solution import Problem
from zermelo.solvers.tree_building.building import tree_of
from zermelo.solvers.tree_building.grouping import count_deals, group_symmetric

GUESS = """\
game "Guess the suit"
players Guesser, Nature
claim zero_sum

type Suit = clubs | diamonds | hearts
var suit: Suit    hidden

start at draw

phase draw:
    chance:
        outcome draw(s in Suit):
            suit := s
            go guess

phase guess:
    turn Guesser:
        move name(s in Suit): end payoff {Guesser: if s == suit then 1 else 0, Nature: if s == suit then -1 else 0}
        move pass: end payoff {Guesser: 1/4, Nature: -1/4}
"""

POKER = """\
game "Suited poker"
players Alice, Bob
claim zero_sum

type Suit = clubs | diamonds | hearts
type Card = (rank: 1..2, suit: Suit)
var hand[Player]: Card    private
var board: Card

define pays(p: Player) = if hand[p].suit == board.suit then 1 else 0
define worth(p: Player) = (pays(p), hand[p].rank)

start at deal

phase deal:
    chance:
        outcome deal(a in Card, b in Card) if a != b:
            hand[Alice] := a
            hand[Bob] := b
            go turn_up

phase turn_up:
    chance:
        outcome turn_up(c in Card) if c != hand[Alice] and c != hand[Bob]:
            board := c
            go bet

phase bet:
    turn Alice:
        move check: go showdown(1)
        move bet: go answer

phase answer:
    turn Bob:
        move fold: end payoff {Alice: 1, Bob: -1}
        move call: go showdown(3)

phase showdown(stake: 1..3):
    if worth(Alice) == worth(Bob): end payoff {Alice: 0, Bob: 0}
    let winner = if worth(Alice) > worth(Bob) then Alice else Bob
    end payoff {winner: stake, other winner: -stake}
"""

PARTNERS = """\
game "Partners"
players West, East
claim common_payoff

type Suit = clubs | hearts
var named: Suit? = none    hidden

start at first

phase first:
    turn West:
        move name(s in Suit) secret:
            named := s
            go second

phase second:
    turn East:
        move name(s in Suit): end payoff {p: if s == named then 1 else 0 for p in Player}
"""

LATEST = """\
game "The latest suit"                     # the rules know no suit, but a play begins with one
players A, B
claim zero_sum

type Suit = clubs | hearts
var latest: Suit = clubs
var hand: Suit    hidden

start at deal

phase deal:
    chance:
        outcome deal(s in Suit):
            hand := s
            go name

phase name:
    turn A:
        move name(s in Suit) secret:
            let due = if s == latest then 2 else if s == hand then 1 else 0
            latest := s
            end payoff {A: due, B: -due}
"""


def problem_of(game):
    return Problem(machine=game.searching, facts=game.facts, root=game.searching.initial(), limits=Limits())


def both(game):
    """The whole game and the smaller one, or None."""
    problem = problem_of(game)
    whole = tree_of(problem)
    return whole, group_symmetric(problem, whole)


def some_strategy(own, random):
    """A random behaviour strategy: a probability for each sequence."""
    strategy = [Fraction(1)] * len(own)
    for first, end in zip(own.firsts, own.firsts[1:], strict=False):
        weights = [random.randint(0, 3) for _ in range(first, end)]
        weights[random.randrange(end - first)] += 1
        strategy[first:end] = [Fraction(weight, sum(weights)) for weight in weights]
    return strategy


def plans(form, strategies):
    return [plan_of(own, strategy) for own, strategy in zip(form.players, strategies, strict=True)]


def check_recall(tree):
    """Every way to a node of a set has the same own moves behind it."""
    sets = tree.information_sets
    waiting = {(tree.nodes - 1, (0,) * len(tree.player_names))}
    while waiting:
        node, sequences = waiting.pop()
        if node < 0:
            players, leaf = len(sequences), -1 - node
            assert tuple(tree.sequences[leaf * players : (leaf + 1) * players]) == sequences
            continue
        s = tree.sets_of[node]
        if s >= 0:
            assert sets.parents[s] == sequences[sets.players[s]]
        for k, edge in enumerate(range(tree.firsts[node], tree.firsts[node + 1])):
            after = list(sequences)
            if s >= 0:
                after[sets.players[s]] = sets.firsts[s] + k
            waiting.add((tree.children[edge], tuple(after)))


def check_smaller(game, seed):
    """Check the smaller game against the whole one; the numbers of their information sets."""
    whole, smaller = both(game)
    if smaller is None:
        return len(whole.information_sets), len(whole.information_sets)
    check_recall(smaller.tree)
    small, large = sequence_form(smaller.tree, Limits()), sequence_form(whole, Limits())
    random = Random(seed)
    for _ in range(3):  # all strategies of the smaller game bring in the whole one what they bring there
        found = [some_strategy(own, random) for own in small.players]
        here, there = assess(small, plans(small, found)), assess(large, plans(large, smaller.lifted(found)))
        assert here == there
    best, alone = equilibrium(small, Limits()), equilibrium(large, Limits())
    assert best.is_exact
    assert alone.is_exact
    assert best.sure == alone.sure
    lifted = equilibrium(large, Limits(), smaller)
    assert lifted.is_exact and lifted.sure == alone.sure
    found = [strategy_of(own, plan) for own, plan in zip(small.players, best.plans, strict=True)]
    there = assess(large, plans(large, smaller.lifted(found)))
    assert there.exploitability == 0
    assert there.expected == (alone.sure, -alone.sure)
    return len(whole.information_sets), len(smaller.tree.information_sets)


@settings(max_examples=many(30), deadline=None)
@given(st.integers(0, 1_000_000))
def test_random_card_games_are_worth_the_same(number):
    text = suited_game(Random(number))
    note(text)
    check_smaller(zermelo.loads(text), number)


def test_random_card_games_are_of_all_kinds():
    """Some become much smaller, some less, some not at all."""
    found = Counter()
    for number in range(25):
        whole, smaller = both(zermelo.loads(suited_game(Random(number))))
        sets = len(whole.information_sets)
        found[1 if smaller is None else round(sets / len(smaller.tree.information_sets))] += 1
    assert {1, 2} <= found.keys()
    assert max(found) > 2


CALL = """\
game "Hide, and call a suit"               # a player who mixes decides again
players Ann, Bob
claim zero_sum

type Suit = clubs | hearts
var suit[Player]: Suit    private
var put: 1..3 = 1         hidden

start at deal

phase deal:
    chance:
        outcome deal(s in Suit, t in Suit):
            suit[Ann] := s
            suit[Bob] := t
            go hide

phase hide:
    turn Ann:
        move hide(secret n in 1..3):
            put := n
            go guess

phase guess:
    turn Bob:
        move guess(k in 1..3): go call(k)

phase call(k: 1..3):
    turn Ann:
        move call(s in Suit):
            if s != suit[Ann]: end payoff Ann: -9
            end payoff Ann: if k == put then -2 * k else 2
        move fold: end payoff Ann: -1
"""


@pytest.mark.parametrize("text", [GUESS, POKER, CALL, suited_game(Random(7))], ids=["guess", "poker", "call", "random"])
def test_written_games_are_worth_the_same(text):
    sets, remaining = check_smaller(zermelo.loads(text), 0)
    assert remaining < sets or text is GUESS


def test_leduc_poker():
    """Published value: -0.0856064. Each set is alike the one with the other suit, and no set is alike itself: in all of
    them the player holds a card. The first two cards are 6 x 5 deals, in pairs."""
    whole, smaller = both(zermelo.load("leduc_poker"))
    assert (count_deals(whole), count_deals(smaller.tree)) == (30, 15)
    assert (len(whole.information_sets), len(smaller.tree.information_sets)) == (936, 468)
    solution = zermelo.solve(zermelo.load("leduc_poker"))
    assert solution.exact
    assert abs(solution.value[0] + Fraction("0.0856064")) < Fraction(1, 10**7)
    assert [len(strategy.decisions) for strategy in solution.strategies] == [468, 468]
    assert solution.counts["deals up to symmetry"] == 15
    assert any("15 of 30 deals and 468 of 936 information sets" in note for note in solution.notes)


def test_deals_of_three_suits():
    """All that is dealt before the first decision: three cards, in order."""
    whole, smaller = both(zermelo.loads(POKER))
    assert (count_deals(whole), count_deals(smaller.tree)) == (6 * 5 * 4, len(_cards_up_to_suits()))


def _cards_up_to_suits():
    """Three of six cards, with suits numbered as they come."""
    seen = set()
    cards = [(rank, suit) for rank in (1, 2) for suit in range(3)]
    for a in cards:
        for b in cards:
            for c in cards:
                if len({a, b, c}) == 3:
                    suits = list(dict.fromkeys(suit for _, suit in (a, b, c)))
                    seen.add(tuple((rank, suits.index(suit)) for rank, suit in (a, b, c)))
    return seen


def test_alike_moves_of_one_set_are_equally_likely():
    solution = zermelo.solve(zermelo.loads(GUESS))
    assert solution.exact
    assert solution.value == (Fraction(1, 3), Fraction(-1, 3))
    (decision,) = solution.strategies[0].decisions
    assert decision.probabilities == (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), 0)


@pytest.mark.parametrize("text", [POKER, GUESS, suited_game(Random(7))], ids=["poker", "guess", "random"])
@pytest.mark.parametrize("solver", [cfr_plus, external_sampling, outcome_sampling])
def test_regret_minimization_is_assessed_in_the_whole_game(solver, text):
    """The strategies of the answer, read from the decisions of the whole game, lose there what it says."""
    game = zermelo.loads(text)
    answer = solver(evolve(problem_of(game), goal=Goal(iterations=30)))
    whole, smaller = both(game)
    large = sequence_form(whole, Limits())
    behaviours = [
        [Fraction(1), *(chance for decision in strategy.decisions for chance in decision.probabilities)]
        for strategy in answer.strategies
    ]
    found = assess(large, plans(large, behaviours))
    assert found.exploitability == answer.exploitability
    assert found.interval == answer.interval
    assert answer.interval[0] <= zermelo.solve(game).value[0] <= answer.interval[1]
    assert answer.counts["information sets up to symmetry"] == len(smaller.tree.information_sets)


@pytest.mark.parametrize(
    "game",
    [
        zermelo.load("kuhn_poker"),  # of one suit
        zermelo.loads(LATEST),
        zermelo.loads(POKER.replace("hand[p].suit == board.suit", "hand[p].suit < board.suit").replace(" | ", " < ")),
        zermelo.loads(PARTNERS),  # no common payoff: a convention breaks the symmetry
    ],
    ids=["one suit", "a suit in the beginning", "suits in order", "partners"],
)
def test_not_grouped(game):
    _, smaller = both(game)
    assert smaller is None


def test_what_conventions_break_keeps_its_value():
    assert zermelo.solve(zermelo.loads(PARTNERS)).value == (1, 1)
    assert zermelo.solve(zermelo.loads(LATEST)).value == (2, -2)


def test_one_suit_may_be_apart():
    """A rule that names one suit of three leaves the others alike."""
    text = POKER.replace("if hand[p].suit == board.suit", "if hand[p].suit == clubs")
    _, smaller = both(zermelo.loads(text))
    assert count_deals(smaller.tree) > len(_cards_up_to_suits())
    check_smaller(zermelo.loads(text), 1)


def test_without_memory_the_whole_game_is_solved():
    problem = problem_of(zermelo.loads(POKER))
    whole = tree_of(problem)
    held = problem.limits.ledger.held
    tight = Problem(machine=problem.machine, facts=problem.facts, root=problem.root, limits=Limits(memory=held + 1000))
    assert group_symmetric(tight, whole) is None
