"""Beliefs, held against Bayes' rule over a list of all plays."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

import zermelo
from tests.helpers.small_games import HIDDEN_DIE
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.beliefs import consistent_plays
from zermelo.solvers.beliefs.consistent_plays import Following, enumerate_belief, uniform_behaviour
from zermelo.solvers.beliefs.particles import sample_belief
from zermelo.solvers.common.limits import Limits

UNSEEN = """\
game "Unseen steps"
players Ann, Bob
var coin: Bool = false    hidden
var steps: 0..3 = 0       hidden
start at toss
phase toss:
    chance:
        outcome heads prob 1/3:
            coin := true
            go walk
        outcome tails prob 2/3: go walk
phase walk:
    turn Ann:
        move on secret if steps < 3:
            steps += 1
            go walk
        move call(secret n in 0..steps): go answer
phase answer:
    chance:
        outcome loud prob 1/4:
            if coin: tell Bob that heads
            go guess
        outcome soft prob 3/4: go guess
phase guess:
    turn Bob:
        move say(b in Bool): end win if b == coin then Bob else Ann
"""

GAMES = {
    "kuhn_poker": {},
    "kuhn_poker_for_several": {},
    "smuggler": {},
    "four_card_hand": {},
    "forked_roads": {},
    "fireworks": {"turns": 2},
    UNSEEN: {},
    HIDDEN_DIE: {},
}


def loaded(name):
    return zermelo.loads(name) if "\n" in name else zermelo.load(name, **GAMES[name])


def leaning(seed):
    """Arbitrary strategies of the others: they depend on the player, on what they know, and on ``seed`` alone, and
    never make some of the moves."""

    def behaviour(player, known, moves):
        random = Random(f"{seed} {player} {list(map(str, known))}")
        weights = [random.randrange(4) for _ in moves]
        weights[random.randrange(len(moves))] += 1
        return [Fraction(weight, sum(weights)) for weight in weights]

    return behaviour


def by_bayes(machine, player, behaviour):
    """What the player knows -> position -> (probability times a constant, plays), over a list of all plays."""
    found = defaultdict(lambda: defaultdict(lambda: [Fraction(0), 0]))
    waiting = [(machine.initial(), Fraction(1), frozenset())]
    while waiting:
        state, chance, noticed = waiting.pop()
        actor, known = machine.actor(state), tuple(machine.information_state(state, player))
        if actor != CHANCE and known not in noticed:
            noticed |= {known}
            entry = found[known][machine.position(state)]
            entry[0] += chance
            entry[1] += 1
        if actor == END:
            continue
        moves = machine.moves(state)
        if actor == CHANCE:
            likely = machine.outcomes(state)
        elif actor == player:
            likely = [(move, Fraction(1)) for move in moves]
        else:
            likely = list(zip(moves, behaviour(actor, machine.information_state(state, actor), moves), strict=True))
        waiting += [(machine.after(state, move), chance * share, noticed) for move, share in likely if share]
    return found


@pytest.mark.parametrize(
    "behaviour", [uniform_behaviour, leaning(1), leaning(2)], ids=["uniform", "leaning", "otherwise"]
)
@pytest.mark.parametrize("name", GAMES, ids=lambda name: name if "\n" not in name else name.split('"')[1])
def test_a_belief_is_what_bayes_says(name, behaviour):
    machine = loaded(name).machine
    for player in range(len(machine.player_names)):
        for known, positions in by_bayes(machine, player, behaviour).items():
            belief = enumerate_belief(Following(machine, player, known, behaviour), Limits())
            total = sum(chance for chance, _ in positions.values())
            assert {machine.position(each.state): (each.probability, each.plays) for each in belief.positions} == {
                position: (chance / total, plays) for position, (chance, plays) in positions.items()
            }
            assert belief.is_exact and sum(each.probability for each in belief.positions) == 1


@pytest.mark.parametrize("name", ["kuhn_poker_for_several", "four_card_hand", UNSEEN])
def test_samples_come_near(name):
    machine, behaviour = loaded(name).machine, leaning(3)
    for player in range(len(machine.player_names)):
        for known in list(by_bayes(machine, player, behaviour))[:20]:
            following = Following(machine, player, known, behaviour)
            exact = {machine.position(p.state): p.probability for p in enumerate_belief(following, Limits()).positions}
            belief = sample_belief(following, Random(1), 400)
            near = {machine.position(p.state): p.probability for p in belief.positions}
            assert not belief.is_exact and belief.drawn == 400 and 0 < belief.effective <= 400
            assert sum(near.values()) == 1 and near.keys() <= exact.keys()
            for position, probability in exact.items():
                tolerance = 5 * sqrt(probability * (1 - probability) / belief.effective)
                assert abs(near.get(position, 0) - probability) <= tolerance + 1 / belief.effective


def test_a_belief_looks_at_so_many_states_and_no_more(monkeypatch):
    machine = loaded("kuhn_poker").machine
    following = Following(machine, 1, next(iter(by_bayes(machine, 1, uniform_behaviour))), uniform_behaviour)
    assert enumerate_belief(following, Limits()) is not None
    monkeypatch.setattr(consistent_plays, "MOST_STATES", 1)
    assert enumerate_belief(following, Limits()) is None


def test_what_the_others_never_let_one_perceive():
    game = zermelo.load("kuhn_poker")
    state = game.initial.after("deal(J, Q)").after("bet")
    known = state.information_state("Bob")

    def always_first(player, known, moves):
        return [Fraction(1), *[Fraction(0)] * (len(moves) - 1)]

    following = Following(game.machine, 1, known, always_first)
    for look in (lambda: enumerate_belief(following, Limits()), lambda: sample_belief(following, Random(1), 50)):
        with pytest.raises(ZermeloError) as refused:
            look()
        assert refused.value.code == "never-perceived"
