"""Contestants who look so many moves ahead by an estimate, and rounds that begin with moves at random."""

from __future__ import annotations

import pickle
from fractions import Fraction
from random import Random

import pytest

import zermelo
from zermelo.playing.contestants import LookingAhead, SampledMatch, contestant_of, split_number
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.common.spreading import InProcesses
from zermelo.solving import solve_knowing

MEMORY = Limits().memory

DICE = """
game "Race with a die"
players Ann, Bob

var at[Player]: 0..12 = 0
feature lead(p) = at[p] - at[other p]
weight lead = 1/12
estimate for p: weighted sum

start at choose(Ann)

phase choose(p: Player):
    turn p:
        move run: go throw(p, 2)
        move walk:
            at[p] := min(12, at[p] + 1)
            go on(p)
        move swap if at[p] < at[other p] - 1:
            at[p] := at[other p]
            go on(p)

phase throw(p: Player, times: 1..2):
    chance:
        outcome die(n in 0..2):
            at[p] := min(12, at[p] + n * times)
            go on(p)

phase on(p: Player):
    if at[p] == 12: end win p
    go choose(other p)
"""

EARNING = """
game "Three count"                        # no constant sum: nobody searches it by alpha-beta
players Ann, Bob, Cy

var left: 0..9 = 9
estimate for _p: left

start at play(Ann)

phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            earn p: n * (left % 3)
            if left == 0: end draw
            go play(next p)
"""


def some_states(game, seed):
    """States of a play at random in which a player has a choice."""
    random, state = Random(seed), game.initial
    while not state.is_over:
        if state.actor != zermelo.CHANCE and len(state.moves) > 1:
            yield state
        state = state.after(state.sample(random) if state.actor == zermelo.CHANCE else random.choice(state.moves))


@pytest.mark.parametrize(
    ("name", "depth", "solver", "machine"),
    [
        ("connect_four", 3, "minimax", "auto"),
        ("tic_tac_toe", 2, "minimax", "native"),
        ("tic_tac_toe", 3, "minimax", "python"),
        (DICE, 3, "expectiminimax", "auto"),
    ],
)
def test_they_make_the_first_best_move_of_a_search_to_the_depth(name, depth, solver, machine):
    game = (zermelo.loads(name) if "\n" in name else zermelo.load(name)).on(machine)
    contestant = LookingAhead(game, depth, MEMORY)
    states = list(some_states(game, 1))[::3][:4]
    for state in (*states, *states[::-1]):
        found = solve_knowing(game.facts, game, state, solver, limits=Limits(depth=depth))
        assert contestant(state, Random(0)) == found.best[0]
    assert contestant._search is not None


def test_games_of_other_kinds_are_searched_by_a_solver_that_fits():
    game = zermelo.loads(EARNING)
    contestant = LookingAhead(game, 2, MEMORY)
    for state in some_states(game, 1):
        assert contestant(state, Random(0)) == solve_knowing(game.facts, game, state, limits=Limits(depth=2)).best[0]
    assert contestant._search is None


def test_a_decision_with_more_moves_than_lists_hold():
    game = zermelo.loads(
        'game "Many"\nplayers Ann, Bob\nvar at: 0..999 = 0\nfeature high(p) = if p == Ann then at else -at\n'
        "weight high = 1/1000\nestimate for p: weighted sum\nstart at play(Ann)\nphase play(p: Player):\n    turn p:\n"
        "        move put(n in 0..999):\n            at := n\n            if n == 500: end draw\n"
        "            go play(other p)\n"
    ).on("native")
    contestant = LookingAhead(game, 1, MEMORY)
    assert str(contestant(game.initial, Random(0))) == "put(999)"
    assert str(contestant(game.initial.after("put(3)"), Random(0))) == "put(0)"


def test_a_pickle_plays_on():
    game = zermelo.load("tic_tac_toe")
    contestant = LookingAhead(game, 4, MEMORY)
    states = list(some_states(game, 3))
    assert [contestant(state, Random(0)) for state in states] == [
        pickle.loads(pickle.dumps(contestant))(state, Random(0)) for state in states
    ]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("greedy:4", ("greedy", 4)),
        ("a:b.json:12", ("a:b.json", 12)),
        ("a.json", ("a.json", None)),
        (":4", (":4", None)),
    ],
)
def test_how_far_a_seat_looks(kind, found):
    assert split_number(kind) == found


def test_nobody_looks_too_far_or_not_at_all(run, tmp_path):
    strategy = tmp_path / "all.json"
    strategy.write_text(run("solve", "kuhn_poker", "--json").out)
    for kind, code in (("greedy:0", "bad-usage"), ("greedy:1001", "bad-usage"), ("best:2", "bad-usage")):
        ran = run("match", "tic_tac_toe", "--seat", f"X={kind}", "--seat", "O=random")
        assert ran.code == 2 and code in ran.err, kind
    ran = run("match", "kuhn_poker", "--seat", f"Alice={strategy}:2", "--seat", "Bob=random")
    assert ran.code == 2 and "only who plays by an estimate" in " ".join(ran.err.split())
    assert run("play", "tic_tac_toe", "--seat", "X=best:2", "--seat", "O=random").code == 2


def test_in_match_and_play(run, tmp_path):
    """In tic-tac-toe whoever looks at the whole game never loses."""
    file = tmp_path / "learnt.json"
    assert run("learn", "tic_tac_toe", "--games", "20", "-o", str(file)).code == 0
    for kind in ("greedy:9", f"{file}:9"):
        words = ("tic_tac_toe", "--seat", f"X={kind}", "--seat", "O=random")
        seats = run("match", *words, "--plays", "20", "--json").record["contestants"][0]["seats"]
        assert min(map(Fraction, seats.values())) > 0.5
        assert run("play", *words, "--seed", "1").code == 0
    ran = run(
        "judge", "tic_tac_toe", "--weights", str(file), "--plays", "8", "--depth", "9", "--opening", "1", "--json"
    )
    assert [each["mean"] for each in ran.record["matches"]][:2] == ["0", "0"]


def test_an_opening_is_the_same_in_all_plays_of_a_round():
    """Both contestants play alike, so that the plays of a round are, too, while rounds differ."""

    def first(state, _):
        return state.moves[0]

    match = SampledMatch(zermelo.load("tic_tac_toe").initial, [first, first], 5, opening=3)
    match.play(20, InProcesses(1), ignore_progress)
    assert all(len(set(played)) == 1 for played in match.rounds) and len(set(match.rounds)) > 1


def test_openings_differ_and_depend_on_the_seed(run):
    words = ("match", "tic_tac_toe", "--seat", "X=greedy", "--seat", "O=greedy:2", "--plays", "40", "--json")
    alike, found, again = (run(*words, *more).record for more in ((), ("--opening", "2"), ("--opening", "2")))
    assert alike["contestants"][0]["interval"] is None
    assert found == again and found["contestants"][0]["interval"] is not None
    assert contestant_of("greedy:2", zermelo.load("tic_tac_toe"), MEMORY).depth == 2
