"""Searching a game for what its plays show: how much is searched, which error is found, and what may be said then."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from all_machines import compiled_machine, needs_llvm
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from random_cases import seeds
from random_graphs import Wish, write_graph
from written_games import bundled_model, model_of

from zermelo import load
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END, Payoff
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import LimitReached, Limits, ignore_progress
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph, find_components, goes_round
from zermelo.solvers.validation.questions import pays_different_amounts, replies, sustainable_positions
from zermelo.solvers.validation.shortest_plays import PLAYS, SampledPlays, search

MAKERS = [ReferenceMachine, pytest.param(compiled_machine, marks=needs_llvm)]

STUCK = """
    game "Pile"
    players Ann, Bob
    param size: 3..99 = 7
    var pile: 0..99 = size
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 2..3) if n <= pile:
                pile -= n
                if pile == 0: end win p
                go choose(other p)
"""

FAR = """
    game "Counter"
    players Ann, Bob
    var passed: 0..20 = 0
    var side: 0..20 = 0
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move more:
                passed += 1
                if passed == 20: end draw
                go choose(other p)
            move less if passed > 10:
                side := 2 * passed
                go choose(other p)
"""


def searched(model, make, most=None, limits=None):
    return search(make(model), facts(model), most, limits or Limits(), ignore_progress)


def asked(model, make, most=None, **limits):
    found = searched(model, make, most)
    return list(replies(make(model), model, facts(model), found, Limits(**limits)))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("size", [3, 4, 7, 8, 20])
def test_an_error_is_found_with_a_shortest_play(make, size):
    """Taking two or three from a pile is stuck at one: the shortest way there is the fewest threes and twos of one
    less."""
    found = searched(model_of(STUCK, size=size), make)
    assert found.fault is not None
    assert found.fault.code == "deadlock"
    assert len(found.fault.play) == -(-(size - 1) // 3)
    assert not found.sampled
    assert not found.extent.is_whole


@pytest.mark.parametrize("make", MAKERS)
def test_an_error_beyond_the_limit_is_not_found_by_the_search(make):
    model = model_of(FAR)
    near, far = searched(model, make, 5), searched(model, make, 1000)
    assert far.fault is not None and not far.sampled
    assert far.fault.code == "assigned-out-of-range"
    assert list(map(str, far.fault.play)) == ["more"] * 11 + ["less"]
    assert near.fault is not None and near.sampled  # by random plays, which is said
    (answer,) = asked(model, make, 5)
    assert answer.how == "a random play shows it"


def test_kernels_and_machines_search_the_same():
    model = bundled_model("tic_tac_toe")
    found = searched(model, ReferenceMachine, 100)
    assert found.extent.positions == 100
    assert found.extent.plays == PLAYS
    assert str(found.extent) == f"within 100 positions, sampled in {PLAYS:,} plays"
    assert searched(model, compiled_machine, 100).extent == found.extent


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "snakes_and_ladders", "template", "ludo"])
@pytest.mark.parametrize("most", [1, 5])
def test_what_has_not_been_seen_is_not_proved(name, most, make):
    """With a few positions of games that have findings of all kinds nothing is said of all of them."""
    model = bundled_model(name)
    for answer in asked(model, make, most):
        if "hidden" in answer.question or "secret" in answer.question:
            continue  # plays are visited for this, and those of Kuhn poker are few
        assert answer.how != "proved"
        assert "sampled" not in answer.how or answer.question == "Does a rule fail?"
        assert answer.finding is None or answer.play is not None


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("pile", range(1, 13))
def test_who_wins_within_two_moves(make, pile):
    """With one to three taken from a pile the first player wins unless four divides it, with one move for each
    four."""
    text = STUCK.replace("2..3", "1..3").replace("3..99", "1..99")
    codes = [answer.finding.code for answer in asked(model_of(text, size=pile), make) if answer.finding]
    assert ("won-at-once" in codes) == (pile % 4 > 0 and pile < 8 and pile > 1)


CLAIMED = """
    game "Shares"
    players Ann, Bob
    claim constant_sum 3
    var left: 0..9 = 0
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 0..3) if n != 2 or p == Bob:
                left := n
                if p == Ann: go choose(Bob)
                end payoff {Ann: SHARE, Bob: n}
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("share", "answer"), [("3 - left", "yes"), ("(if left == 2 then 0 else 3 - left)", "no")])
def test_claims_that_the_rules_leave_open(make, share, answer):
    model = model_of(CLAIMED.replace("SHARE", share))
    found = [each for each in asked(model, make) if each.question == "Is it of this constant sum?"]
    assert [each.answer for each in found] == [answer]
    if answer == "no":
        assert found[0].finding is not None
        assert found[0].finding.code == "false-claim"
        assert [str(move) for move in found[0].play or ()] == ["take(0)", "take(2)"]


SECRET = """
    game "Doors"
    players Ann, Bob
    type Door = left | right
    var prize: Door  hidden
    start at hide
    phase hide:
        chance:
            outcome put(d in Door):
                prize := d
                go guess
    phase guess:
        turn Ann:
            move open(d in Door) if GUARD: end payoff {Ann: 1, Bob: 0}
            move leave: end payoff {Ann: 0, Bob: 1}
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("guard", "answer"), [("d == left", "no"), ("d == prize", "yes")])
def test_moves_that_betray_a_secret(make, guard, answer):
    found = [each for each in asked(model_of(SECRET.replace("GUARD", guard)), make) if "betray" in each.question]
    assert [each.answer for each in found] == [answer]
    if answer == "yes":
        assert found[0].finding is not None
        assert found[0].finding.code == "moves-differ"
        assert "put(left) and put(right)" in found[0].finding.message
        assert [str(move) for move in found[0].play or ()] == ["put(right)"]
    else:
        assert found[0].how == "proved"


# Games that deal from more outcomes than can be listed: what random plays show, and no more.


IDLE = """
    game "Idle"
    players Ann, Bob, Cy
    var left: 0..4 = 4
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 1..2) if n <= left and (p == Ann or n == 1):
                left -= n
                if left == 0: end payoff {q: PAID for q in Player}
                go choose(if p == Ann then Bob else Ann)
"""


@pytest.mark.parametrize("make", [pytest.param(compiled_machine, marks=needs_llvm)])
def test_deals_are_sampled(make):
    model = bundled_model("four_card_whist")
    found = search(make(model), facts(model), None, Limits(), ignore_progress)
    answers = list(replies(make(model), model, facts(model), found, Limits()))
    assert found.graph is None
    assert [(answer.answer, answer.how) for answer in answers[1:3]] == [("yes", "a play shows it")] * 2
    assert all(answer.finding is None and answer.how != "proved" for answer in answers)


@pytest.mark.parametrize(("paid", "answer"), [("0", "not seen"), ("if q == p then 1 else 0", "yes")])
def test_what_plays_do_not_show_is_left_open(paid, answer):
    model = model_of(IDLE.replace("PAID", paid))
    said = {each.question: each for each in SampledPlays(ReferenceMachine(model), facts(model), Limits()).replies()}
    assert said["Does everybody move?"].answer == "not seen of Cy"
    assert said["Has everybody a choice?"].answer == "not seen of Bob, Cy"
    assert said["Do plays pay different amounts?"].answer == answer
    assert all(each.how != "proved" for each in said.values())


def test_an_error_of_the_rules_is_shown_with_its_play():
    model = model_of(IDLE.replace("PAID", "1").replace("left -= n", "left -= n + 1"))
    (answer,) = SampledPlays(ReferenceMachine(model), facts(model), Limits()).replies()
    assert (answer.question, answer.answer) == ("Does a rule fail?", "yes")
    assert answer.finding is not None
    assert answer.finding.code == "assigned-out-of-range"
    assert answer.play is not None


def test_time_ends_the_plays():
    model = model_of(IDLE.replace("PAID", "0"))
    with pytest.raises(LimitReached) as raised:
        list(SampledPlays(ReferenceMachine(model), facts(model), Limits(seconds=0)).replies())
    assert raised.value.code == "out-of-time"


# Who can keep a play from ending: against all positional strategies of the keepers, tried one by one.


@st.composite
def graphs(draw: st.DrawFn) -> PositionGraph:
    """Small graphs of two players and chance, whose last position is the end."""
    size = draw(st.integers(1, 5))
    kinds = [draw(st.sampled_from([DRAWS, 0, 1])) for _ in range(size)]
    firsts, targets = [0], list[int]()
    for _ in kinds:
        targets += draw(st.lists(st.integers(0, size), min_size=1, max_size=3))
        firsts.append(len(targets))
    return PositionGraph(("A", "B"), [*kinds, PAYS], [*firsts, len(targets)], targets, None, None, [])


def by_trying(graph: PositionGraph, keepers: Collection[int]) -> set[int]:
    """In a finite graph keepers who can avoid the end need no memory: they have a move for each position after which
    no play, whatever the others do, comes to the end."""
    positions = range(len(graph) - 1)
    choices = [
        [[edge] for edge in graph.edges(position)]
        if graph.actor(position) in keepers
        else [list(graph.edges(position))]
        for position in positions
    ]
    found = set[int]()
    for chosen in product(*choices):
        for begin in positions:
            met, waiting = {begin}, [begin]
            while waiting:
                here = waiting.pop()
                for edge in [] if graph.actor(here) == END else chosen[here]:
                    there = graph.targets[edge]
                    if there not in met:
                        met.add(there)
                        waiting.append(there)
            if len(graph) - 1 not in met:
                found.add(begin)
    return found


@given(graphs(), st.sampled_from([(), (0,), (1,), (0, 1)]))
def test_against_all_strategies(graph, keepers):
    assert sustainable_positions(graph, keepers) == by_trying(graph, keepers)


# Whether plays pay different amounts, against all plays of random graphs.


TRIAL = Path(__file__).parents[2] / "trial" / "best"


def amounts_by_length(graph: PositionGraph, longest: int) -> set[Payoff]:
    """What all plays of so many moves pay that end, by following each."""
    found = set[Payoff]()
    waiting = [(0, (Fraction(0),) * len(graph.players), Fraction(1), 0)]
    while waiting:
        position, earned, factor, length = waiting.pop()
        if graph.kinds[position] <= PAYS:
            found.add(tuple(a + factor * b for a, b in zip(earned, graph.payoff(position), strict=True)))
        elif length < longest:
            for edge in graph.edges(position):
                after = tuple(a + factor * b for a, b in zip(earned, graph.reward(edge), strict=True))
                waiting.append((graph.targets[edge], after, factor * graph.factor(position, edge), length + 1))
    return found


def drawn(random: Random) -> PositionGraph:
    """A graph with few amounts, so that plays often pay the same."""
    wish = Wish(
        aim=random.choice(("alone", "against")),
        most=random.randint(2, 5),
        earns=random.choice(("never", "once")),
        discount=random.choice((Fraction(1), Fraction(1), Fraction(1, 2))),
        circles=random.random() < 0.6,
        endless=random.choice(("middle", "low", "missing")),
    )
    graph = write_graph(random, wish)
    few = [random.choice((0, 0, 1)) for _ in graph.amounts]
    amounts = tuple((Fraction(each), -Fraction(each))[: len(graph.players)] for each in (0, *few[1:]))
    is_same = graph.endless is not None and random.random() < 0.5
    return evolve(graph, amounts=amounts, endless=amounts[-1] if is_same else graph.endless)


@pytest.mark.parametrize("seed", seeds(40))
def test_an_answer_is_true_of_all_plays(seed):
    graph = drawn(Random(seed))
    circles = [each for each in find_components(graph, Limits()) if goes_round(graph, each)]
    differ = pays_different_amounts(graph, circles)
    paid = amounts_by_length(graph, 6)
    if len(paid) > 1:
        assert differ
    elif differ and not circles:
        raise AssertionError("all plays pay the same, and all have been followed")
    elif differ is False and circles and graph.discount == 1 and graph.rewards is None:
        assert graph.endless is not None
        assert paid <= {graph.endless}


def said(name):
    game = load(TRIAL / f"{name}.game")
    found = search(game.machine, game.facts, None, Limits(), ignore_progress)
    return {each.question: each for each in replies(game.machine, game.model, game.facts, found, Limits())}


def test_a_play_that_never_ends_pays_what_the_rules_say():
    """Ann wins or goes on for ever: with a draw that pays something else, and with her win it does not."""
    stakes = "Do plays pay different amounts?"
    assert (said("p1_always_win")[stakes].answer, said("p1_always_win")[stakes].how) == ("yes", "proved")
    same = said("p2_always_win_endless1")[stakes]
    assert (same.answer, same.how) == ("no", "proved")
    assert same.finding is not None


@pytest.mark.parametrize("rewards", [[1, 0, 0, 0], [0, 1, 0, 0]])
def test_what_is_earned_on_the_way_to_a_circle_is_not_known_to_be_the_same(rewards):
    """All plays go round for ever in the same two positions, and some of them have paid 1 before."""
    nothing, toll = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(-1))
    graph = PositionGraph(
        ("A", "B"), [0, 1, 0], [0, 2, 3, 4], [1, 1, 2, 1], None, rewards, (nothing, toll), endless=nothing
    )
    assert pays_different_amounts(graph, [[1, 2]]) is None


def test_whoever_never_moves_has_no_choice_either():
    answers = said("bad2_1")
    assert answers["Does everybody move?"].answer == "no: Bob"
    choice = answers["Has everybody a choice?"]
    assert choice.answer == "no: Ann, Bob"
    assert choice.finding is not None
    assert choice.finding.message == "Ann never has a choice"


def test_random_plays_show_what_the_first_positions_do_not():
    game = load("connect_four")
    found = search(game.machine, game.facts, 100, Limits(), ignore_progress)
    answers = {each.question: each for each in replies(game.machine, game.model, game.facts, found, Limits())}
    answer = answers["Do plays pay different amounts?"]
    assert (answer.answer, answer.how) == ("yes", "a play shows it")
