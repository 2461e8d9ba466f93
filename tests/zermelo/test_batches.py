"""Batches step as states do one by one, by the public numbers; nothing depends on threads."""

from __future__ import annotations

import pickle
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.paused import with_and_without
from random_games.writer import write_game

import zermelo
from zermelo import CHANCE, ZermeloError, batch
from zermelo.gamedefs import names
from zermelo.interop.playing import brought, legal_mask

SHORT = {"kuhn_poker": {}, "tic_tac_toe": {}, "rock_paper_scissors_match": {}, "battleship": {}, "go": {"size": 2}}
"""Chance and secrets, a board, choices at once, messages, and a history that soon forbids moves."""

UNCOVERED = {"bridge": "machine-unavailable", "gamblers_ruin": "bad-usage", "snakes_and_ladders": "bad-usage"}
"""The bundled games of which there is no batch: a deal is too large for a number, or nobody decides."""

MOST = 100
"""The most states followed, and outcomes of chance, for one state of a batch."""


class TooMany(Exception):
    """There are too many outcomes of chance to follow them all."""


def decisions(state):
    """All states of the next decision, or the end."""
    waiting, found = [state], []
    while waiting:
        here = waiting.pop()
        if len(waiting) + len(found) > MOST:
            raise TooMany
        if here.actor != CHANCE:
            found.append(here)
        elif here.sample_space.count > MOST:
            raise TooMany
        else:
            waiting += [here.after(move) for move, _ in here.outcomes]
    return found


class Followed:
    """The states that one state of a batch may be in, found by stepping with the public interface, with what their
    plays have paid so far."""

    def __init__(self, plays, place, view):
        self.plays, self.place, self.view = plays, place, view
        self.begin()

    def begin(self):
        self.states = [state for state in decisions(self.plays.game.initial) if self.fits(state)]
        self.paid = [0] * len(self.plays.game.players)
        assert self.states

    def fits(self, state):
        plays, k = self.plays, self.place
        if state.is_over or plays.game.number(state.actor) != plays.actor[k]:
            return False
        seen = state.observation(state.actor) if self.view == "player" else state.full_observation()
        return np.array_equal(legal_mask(state) == 1, plays.mask[k]) and np.array_equal(seen, plays.observation[k])

    def step(self, number):
        """Make the move that the batch has made."""
        plays, k = self.plays, self.place
        move, found = plays.game.moves[number], []
        for state in self.states:
            for after in decisions(state.after(move)):
                has = brought(after)
                gains = [float(Fraction(now) - paid) for now, paid in zip(has, self.paid, strict=True)]
                if gains == plays.rewards[k].tolist() and after.is_over == plays.done[k]:
                    found.append((after, has))
        assert found
        if plays.done[k]:
            self.begin()
            return
        self.states = [state for state, _ in found if self.fits(state)][:MOST]
        self.paid = found[0][1]
        assert self.states


def choose(plays, random):
    """A legal move at random in each state."""
    return np.array([random.choice(row.nonzero()[0]) for row in plays.mask])


def follow(game, view, steps, n=3, seed=0):
    """Compare a batch with states stepped one by one; up to an error of the rules, which one of these has, too."""
    plays, random = batch(game, n, seed=seed, view=view, threads=1), Random(seed)
    with suppress(TooMany):
        followed = [Followed(plays, k, view) for k in range(n)]
        for _ in range(steps):
            moves = choose(plays, random)
            try:
                plays.step(moves)
            except ZermeloError as error:
                assert error.code in {code for each in zip(followed, moves, strict=True) for code in errors(*each)}
                return
            for each, number in zip(followed, moves, strict=True):
                each.step(int(number))


def errors(followed, number):
    """The codes of errors that come after a move, or in a new play."""
    game = followed.plays.game
    for state in (*followed.states, None):
        try:
            for after in decisions(game.initial if state is None else state.after(game.moves[int(number)])):
                legal_mask(after)
        except ZermeloError as error:
            yield error.code


@pytest.mark.parametrize("view", ["player", "all"])
@pytest.mark.parametrize("name", SHORT)
def test_a_batch_is_what_its_states_are(name, view):
    follow(zermelo.load(name, **SHORT[name]), view, 12)


@pytest.mark.parametrize("name", sorted(set(names()) - SHORT.keys()))
def test_batches_of_all_bundled_games(name):
    if name in UNCOVERED:
        with pytest.raises(ZermeloError) as refused:
            batch(name, 1)
        assert refused.value.code == UNCOVERED[name]
        return
    follow(zermelo.load(name), "player", 5, n=2)


@settings(max_examples=many(30))
@given(st.integers(0, 10**9))
def test_batches_of_random_games(number):
    random = Random(number)
    text = random.choice([write_game, lambda random: with_and_without(random)[0]])(random)
    try:
        game = zermelo.loads(text)
        decisions(game.initial)
        plays = batch(game, 1)
    except (ZermeloError, TooMany):  # the text is none of a game, it has an error at once, or nobody decides anything
        return
    assert plays.mask.any()
    follow(game, random.choice(["player", "all"]), 6, seed=number)


@pytest.mark.parametrize("name", ["kuhn_poker", "hanabi"])
def test_threads_and_repetition_change_nothing(name):
    runs = []
    for threads in (1, 2, 3, 1):
        plays, random, seen = batch(name, 37, seed=5, threads=threads), Random(1), []
        for _ in range(15):
            rewards, done = plays.step(choose(plays, random))
            arrays = (rewards, done, plays.actor, plays.mask, plays.observation)
            seen.append(tuple(array.tobytes() for array in arrays))
        runs.append(seen)
    assert runs[0] == runs[1] == runs[2] == runs[3]
    plays.reset(5)
    first = plays.observation.copy()
    assert np.array_equal(first, batch(name, 37, seed=5).observation)
    plays.reset()
    assert not np.array_equal(first, plays.observation)
    plays.reset(6)
    assert not np.array_equal(first, plays.observation)


def test_chance_draws_with_its_probabilities():
    """Each of the six deals of Kuhn poker is as likely, and what the next player sees follows (a test of five standard
    deviations, with a fixed seed)."""
    n = 60_000
    plays = batch("kuhn_poker", n, seed=2)
    hands = [plays.observation[:, plays.encoding.block("hand").offset :][:, :8].copy()]
    plays.step(np.full(n, plays.moves.index(plays.game.initial.after("deal(K, J)").find("check"))))
    hands.append(plays.observation[:, plays.encoding.block("hand").offset :][:, :8].copy())
    dealt = Counter(map(bytes, np.concatenate(hands, axis=1)))
    assert len(dealt) == 6
    assert all(abs(count - n / 6) < 5 * (n * 5 / 36) ** 0.5 for count in dealt.values())


def test_a_move_that_is_not_legal_changes_nothing():
    plays = batch("tic_tac_toe", 4)
    plays.step(np.array([0, 1, 2, 3]))
    before = plays.observation.copy(), plays.mask.copy(), plays.actor.copy()
    for number, named in ((2, "mark(c1)"), (9, "no move"), (-1, "no move")):
        with pytest.raises(ZermeloError) as refused:
            plays.step(np.array([1, 2, number, 0]))
        assert refused.value.code == "illegal-move"
        assert f"state 2 number {number}, {named}" in refused.value.message
    for moves in (np.zeros(4), np.zeros(3, int), np.zeros((4, 1), int)):
        with pytest.raises(ZermeloError) as refused:
            plays.step(moves)
        assert refused.value.code == "bad-usage"
    now = plays.observation, plays.mask, plays.actor
    assert all(map(np.array_equal, before, now))


def test_arrays_are_views_that_others_take_without_a_copy():
    plays = batch("tic_tac_toe", 4)
    for array in (plays.actor, plays.mask, plays.observation, plays.rewards, plays.done):
        taken = np.from_dlpack(array)
        assert np.shares_memory(taken, array) and array.flags.c_contiguous
    mask = np.from_dlpack(plays.mask)
    rewards, done = plays.step(np.arange(4))
    assert rewards is plays.rewards and done is plays.done
    assert not mask[range(4), range(4)].any() and mask.sum() == 4 * 8


def test_rewards_are_what_a_step_brings_and_add_up_to_the_payoff():
    """Whoever is always first to mark a free cell in order wins as X, by a1, b1, ... (7 moves)."""
    plays = batch("tic_tac_toe", 2)
    total = np.zeros(2)
    for length in range(1, 8):
        rewards, done = plays.step(plays.mask.argmax(axis=1))
        total += rewards[0]
        assert done.tolist() == [length == 7] * 2
    assert total.tolist() == [1, -1]
    assert plays.actor.tolist() == [0, 0] and plays.mask.all()


STUCK = """\
game "Stuck"
players Ann

var asked: Bool = false

start at {}

phase choose:
    turn Ann:
        move wait:
            go draw
        move stop:
            end payoff Ann: 1

phase draw:
    chance:
        outcome tossed:
            if asked: go choose
            {}
"""


@pytest.mark.parametrize(
    ("start", "tossed", "why"),
    [("choose", "go draw", "chance draws for ever"), ("draw", "end payoff Ann: 0", "before anybody decides")],
)
def test_plays_that_come_to_no_decision_are_refused(start, tossed, why):
    with pytest.raises(ZermeloError) as refused:
        plays = batch(zermelo.loads(STUCK.format(start, tossed)), 1)
        plays.step(np.array([0]))
    assert refused.value.code == "needs-end" and why in refused.value.message


FAULTY = """\
game "Faulty"
players Ann

var left: 0..2 = 2

start at choose

phase choose:
    turn Ann:
        move take(n in 1..3):
            left := left - n
            if left == 0: end payoff Ann: 1
            go choose
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_the_state_of_an_error_of_the_rules_is_named(threads):
    plays = batch(zermelo.loads(FAULTY), 20, threads=threads)
    moves = np.zeros(20, int)
    moves[17] = 2
    with pytest.raises(ZermeloError) as failed:
        plays.step(moves)
    assert failed.value.code == "assigned-out-of-range" and "in state 17 of the batch" in failed.value.message
    plays.reset(0)
    plays.step(np.ones(20, int))
    assert plays.done.all() and (plays.rewards == 1).all()


@pytest.mark.parametrize("given", [{"n": 0}, {"n": 1, "threads": 0}, {"n": 1, "view": "nobody"}])
def test_what_is_asked_must_make_sense(given):
    with pytest.raises(ZermeloError) as refused:
        batch("nim", **given)
    assert refused.value.code == "bad-usage"


def test_more_states_than_fit_are_refused():
    with pytest.raises(ZermeloError) as refused:
        batch("tic_tac_toe", 10**14)
    assert refused.value.code == "out-of-memory"


def test_a_batch_is_not_pickled():
    with pytest.raises(TypeError, match="machine code of this process"):
        pickle.dumps(batch(zermelo.load("tic_tac_toe"), 4))
