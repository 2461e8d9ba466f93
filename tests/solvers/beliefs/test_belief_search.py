"""Search over beliefs, held against every pure strategy of small games, and against the tree of histories."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as chosen
from hypothesis import strategies as st
from random_cases import many
from solving import solve

import zermelo
from tests.helpers.following_plans import ends_of
from tests.helpers.random_games.labelled import labelled_tree
from tests.helpers.random_games.small import Small
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move
from zermelo.solvers.forms.policy import ConditionalPlan

DRAWN_TOGETHER = """\
game "Three cards, one of them marked"
players Seer
type Card = 1..3
var marked: Card  hidden
var tries: 0..3 = 0
start at mark
phase mark:
    chance:
        outcome mark(c in Card):
            marked := c
            go look({})
phase look(seen: set of Card):
    turn Seer:
        move turn_up(c in Card - seen):
            tries += 1
            if c == marked: tell Seer that found
            go look(seen + {c})
        move call(c in Card): end payoff {Seer: (if c == marked then 6 else 0) - tries}
"""


def value_by_all_strategies(tree):
    """The most that a pure strategy of the only player brings, by trying each."""
    options = {node.set: range(len(node.children)) for _, node in tree.root.nodes() if node.set >= 0}

    def brings(node, strategy):
        if node.payoff:
            return Fraction(node.payoff[0])
        if node.player is None:
            parts = zip(node.chances, node.children, strict=True)
            return sum(chance * brings(child, strategy) for chance, child in parts)
        return brings(node.children[strategy[node.set]], strategy)

    return max(brings(tree.root, dict(zip(options, made, strict=True))) for made in product(*options.values()))


def number_of_strategies(tree):
    count = 1
    for number in {node.set: len(node.children) for _, node in tree.root.nodes() if node.set >= 0}.values():
        count *= number
    return count


@pytest.mark.parametrize("machine", ["reference", "python"])
@given(seed=st.integers(0, 10**6))
@chosen(max_examples=many(60))
def test_the_value_is_that_of_the_best_pure_strategy(machine, seed):
    tree = labelled_tree(Random(seed), depth=4 + seed % 2, players=1)
    if number_of_strategies(tree) > 5_000:
        return
    game = zermelo.loads(tree.game()).on(machine)
    solution = solve(game.searching, game.facts, "beliefs") if _is_hidden(game) else None
    if solution is None:
        return
    assert solution.value == (value_by_all_strategies(tree),)
    ends = ends_of(solution.plan, game.reference, 0, game.reference.initial())
    assert sum(chance for _, chance in ends) == 1
    assert sum(amount * chance for amount, chance in ends) == solution.value[0]


def _is_hidden(game):
    return game.facts.perfect_information.holds is not True


@given(seed=st.integers(0, 10**6))
@chosen(max_examples=many(80))
def test_it_agrees_with_the_tree_of_histories(seed):
    """Games of rules: messages, secrets that come and go, earnings, discounts, clocks."""
    random = Random(seed)
    phases = tuple(random.sample(("a", "b", "c", "root", "play"), random.randint(2, 4)))
    chance = tuple(name for name in phases[1:] if random.random() < 0.4)
    text = Small(
        random, ("Ann",), "any", 90, "", True, has_set=random.random() < 0.2, history="", phases=phases, chance=chance
    ).game()
    game = zermelo.loads(text)
    if not _is_hidden(game):
        return
    try:
        expected = zermelo.solve(game.on("reference"), "team")
    except ZermeloError as error:
        with pytest.raises(ZermeloError) as raised:
            zermelo.solve(game, "beliefs")
        assert raised.value.code == error.code
        return
    for machine in ("auto", "reference"):
        here = game.on(machine)
        found = zermelo.solve(here, "beliefs")
        assert found.value == expected.value
        ends = ends_of(found.plan, here.reference, 0, here.reference.initial())
        assert sum(amount * chance for amount, chance in ends) == found.value[0]


COMES_AGAIN_SOONER = """\
game "The same position after one decision or two"
players Ann
var old: Bool = false  hidden
start at toss
phase toss:
    chance:
        outcome heads prob 1/2:
            old := true
            go choose
        outcome tails prob 1/2: go choose
phase choose:
    turn Ann:
        move quickly: go draw
        move slowly: go again
phase again:
    turn Ann:
        move on: go last
phase draw:
    chance:
        outcome on: go last
phase last:
    turn Ann:
        move take: end payoff {Ann: if old then 0 else 8}
discount 1/2
"""


def test_a_discount_counts_decisions_and_not_draws():
    """Both ways lead to the last phase by two moves and outcomes, but one of them by a decision less."""
    game = zermelo.loads(COMES_AGAIN_SOONER)
    assert zermelo.solve(game, "beliefs").value == zermelo.solve(game, "team").value == (2,)


@cache
def tiger(steps, left):
    """The value of the tiger's problem with so many steps, by its own arithmetic: ``left`` is the probability that the
    tiger is on the left."""
    if steps == 0:
        return Fraction(0)
    heard_left = left * Fraction(17, 20) + (1 - left) * Fraction(3, 20)
    listen = (
        -1
        + heard_left * tiger(steps - 1, left * Fraction(17, 20) / heard_left)
        + (1 - heard_left) * tiger(steps - 1, left * Fraction(3, 20) / (1 - heard_left))
    )
    then = tiger(steps - 1, Fraction(1, 2))
    return max(listen, -100 * left + 10 * (1 - left) + then, 10 * left - 100 * (1 - left) + then)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 7, 12])
def test_the_tiger_is_worth_what_a_program_of_its_own_finds(steps):
    assert zermelo.solve(zermelo.load("tiger", steps=steps)).value == (tiger(steps, Fraction(1, 2)),)


def test_beliefs_are_shared_however_the_growls_came():
    """What is heard counts, and not in which order: after n growls there are at most 2 n + 1 beliefs, not 2^n."""
    solution = zermelo.solve(zermelo.load("tiger", steps=30))
    assert solution.solver == "beliefs"
    assert solution.counts["nodes"] <= 30 * 61
    assert solution.value == (tiger(30, Fraction(1, 2)),)


def test_one_draw_may_follow_another():
    """Two tosses show heads with a probability of 1/4, so that 4 for a bet on it is 1 on average."""
    game = zermelo.loads(
        'game "Two tosses"\nplayers Ann\nvar heads: 0..2 = 0  hidden\nstart at begin\nphase begin:\n    turn Ann:\n'
        "        move look_away: go toss(1)\nphase toss(n: 1..2):\n    chance:\n        outcome heads:\n"
        "            heads += 1\n            go behind(n)\n        outcome tails: go behind(n)\n"
        "phase behind(n: 1..2):\n    if n == 1: go toss(2)\n    go bet\nphase bet:\n    turn Ann:\n"
        "        move on_two: end payoff {Ann: if heads == 2 then 4 else 0}\n"
    )
    assert zermelo.solve(game, "beliefs").value == (1,)


def test_cards_may_be_turned_up_in_any_order():
    """Two cards tell it all, for 1 each: 6 - 2 = 4, or 5 if the first is the one. At once it is 6/3 = 2; after one card
    that is not it a guess is worth 6/2 - 1 = 2, and another card 4. So 1/3 * 5 + 2/3 * 4 = 13/3."""
    game = zermelo.loads(DRAWN_TOGETHER)
    assert zermelo.solve(game).value == zermelo.solve(game, "team").value == (Fraction(13, 3),)


@pytest.mark.parametrize("play", ["", "hide(left); listen; rightly", "hide(left); listen; rightly; listen; wrongly"])
def test_moves_are_worth_what_is_believed(play):
    """After n growls on the left more than on the right the tiger is there with odds of 17^n to 3^n."""
    from math import inf

    from zermelo.decisions import move_values
    from zermelo.solvers.common.limits import Limits

    state = zermelo.load("tiger").initial
    for move in play.split("; ") if play else ["hide(right)"]:
        state = state.after(move)
    steps, left, earned = {"": (3, Fraction(1, 2), 0), "r": (2, Fraction(17, 20), -1), "w": (1, Fraction(1, 2), -2)}[
        play.rpartition("; ")[2][:1]
    ]
    found = move_values(state, None, Limits(inf), lambda count: None)
    worths = {str(worth.move): worth.payoff[0] for worth in found.worths}
    assert worths["open(left)"] == earned - 100 * left + 10 * (1 - left) + tiger(steps - 1, Fraction(1, 2))
    assert max(worths.values()) == earned + tiger(steps, left)
    most = max(worths.values())
    assert [str(move) for move in found.best] == [move for move, worth in worths.items() if worth == most]


def test_a_plan_does_not_lead_everywhere():
    game = zermelo.load("wildcatter")
    plan = zermelo.solve(game).plan
    assert isinstance(plan, ConditionalPlan)
    begin = game.initial.after("oil")
    survey = plan.step_at(tuple(begin.information_state("Wildcatter")))
    assert survey is not None and survey.move == Move("survey") and survey.possible == 2
    known = begin.after("survey").information_state("Wildcatter")
    assert plan.step_at(tuple(known)).move == Move("drill")
    assert plan.step_at(()) is None
    assert plan.step_at(tuple(known[1:])) is None
    assert len(list(plan.decisions())) == 3


def test_moves_that_tell_a_secret_are_found():
    game = zermelo.loads(
        'game "T"\nplayers Ann\nvar x: Bool = false  hidden\nstart at toss\nphase toss:\n    chance:\n'
        "        outcome heads:\n            x := true\n            go say\n        outcome tails: go say\n"
        "phase say:\n    turn Ann:\n        move yes if x: end payoff (1)\n        move no: end payoff (0)\n"
    )
    with pytest.raises(ZermeloError) as raised:
        zermelo.solve(game, "beliefs")
    assert raised.value.code == "moves-differ"


def test_a_limit_on_memory_refuses():
    from zermelo.solvers.common.limits import Limits
    from zermelo.solving import solve_knowing

    game = zermelo.load("tiger", steps=40)
    with pytest.raises(ZermeloError) as raised:
        solve_knowing(game.facts, game, None, "beliefs", None, Limits(memory=1 << 16))
    assert raised.value.code == "out-of-memory"
