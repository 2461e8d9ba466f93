"""Matches that are played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest
from small_games import ROUNDS

import zermelo
from zermelo.commands import play
from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.numbers import count_in_words
from zermelo.playing.contestants import KINDS, SampledMatch, _draw_move, contestant_of, interval
from zermelo.playing.seats import FollowingSeat
from zermelo.solvers.common.limits import ignore_progress
from zermelo.solvers.common.spreading import InProcesses, InThreads

MEMORY = 1 << 28

POLITE = """\
game "After you"

players A, B

start at play(A)

phase play(p: Player):
    turn p:
        move stop: end win p
        move pass: go play(other p)

endless payoff (0, 0)
"""


def played(game, kinds, rounds, seed=0, processes=1):
    match = SampledMatch(game.initial, [contestant_of(kind, game, MEMORY) for kind in kinds], seed)
    match.play(rounds, InProcesses(processes), ignore_progress)
    return match


@pytest.fixture
def kuhn_file(run, tmp_path):
    file = tmp_path / "kuhn.json"
    file.write_text(run("solve", "kuhn_poker", "--json").out, encoding="utf-8")
    return str(file)


def test_everybody_who_plays_in_the_terminal_takes_part_in_matches():
    assert set(KINDS) == set(play.KINDS) - {"human"}


def test_the_interval_contains_the_exact_mean_as_often_as_it_says(run, kuhn_file):
    """Of 200 matches some 190: fewer than 178 or more than 199 have a chance below 1 in 10,000 at 95%."""
    game = zermelo.load("kuhn_poker")
    plays = run("match", "kuhn_poker", kuhn_file, "uniform", "--json").record["plays"]
    exact = (
        sum(
            Fraction(each["value"][player])
            for each in plays
            for player, sitting, other in (("Alice", *each["seats"]), ("Bob", *reversed(each["seats"])))
            if (sitting, other) == (kuhn_file, "uniform")
        )
        / 2
    )
    assert exact == Fraction(1, 6)
    match = played(game, [kuhn_file, "random"], 200 * 40, processes=2)
    covering = 0
    for k in range(200):
        part = SampledMatch(match.begin, match.contestants, 0, match.rounds[40 * k : 40 * (k + 1)])
        score = part.scores()[0]
        covering += abs(score.mean - exact) <= score.margin
    assert 178 <= covering <= 199


def test_a_seat_has_the_mean_that_is_reckoned(kuhn_file):
    """As Alice the strategies of the file get the same on average as against themselves, -1/18, against the best."""
    found = played(zermelo.load("kuhn_poker"), [kuhn_file, "best"], 4000, processes=2)
    score = found.scores()[0]
    got = [float(each[0][0]) for each in found.rounds]
    assert mean(got) == pytest.approx(float(score.seats[0]))
    assert abs(score.seats[0] + Fraction(1, 18)) < 4 * stdev(got) / sqrt(len(got))


@pytest.mark.parametrize("name", ["kuhn_poker", "three_player_tree"])
def test_scores_are_of_contestants_and_of_seats(name):
    """What all get in a seat is what the seat gets, and a contestant's mean that of their seats."""
    match = played(zermelo.load(name), ["random"] * len(zermelo.load(name).players), 7)
    scores, players = match.scores(), len(match.contestants)
    assert all(score.mean == sum(score.seats) / players for score in scores)
    for seat in range(players):
        all_plays = [each[seat] for made in match.rounds for each in made]
        assert sum(score.seats[seat] for score in scores) / players == sum(all_plays, Fraction(0)) / len(all_plays)


def test_who_moves_up_takes_their_seat():
    """The first contestant always makes the first move there is, the second the last one."""
    game = zermelo.load("tic_tac_toe")
    match = SampledMatch(game.initial, [lambda state, _: state.moves[0], lambda state, _: state.moves[-1]], 0)
    match.play(1, InProcesses(1), ignore_progress)
    for moved_by, payoff in enumerate(match.rounds[0]):
        state = game.initial
        while not state.is_over:
            is_first = (state.actor == "X") == (moved_by == 0)
            state = state.after(state.moves[0 if is_first else -1])
        assert state.payoff == payoff


def test_against_itself_a_strategy_gets_0(kuhn_file):
    match = played(zermelo.load("kuhn_poker"), [kuhn_file, kuhn_file], 2000)
    score = match.scores()[0]
    assert abs(score.mean) <= 2 * score.margin


def test_all_plays_of_a_round_have_the_same_deal():
    deals = []

    def watch(state, random):
        deals.append(str(state.play[0]))
        return state.moves[0]

    game = zermelo.load("kuhn_poker")
    match = SampledMatch(game.initial, [watch, watch], 5)
    for number in range(20):
        deals.clear()
        match._round(number)
        assert len(set(deals)) == 1
    match.play(40, InThreads(1), ignore_progress)
    assert len(set(deals)) == 6


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("kuhn_poker", ["ismcts", "random"]),
        ("kuhn_poker", ["oos", "best"]),
        ("four_card_hand", ["pimc", "best"]),
        ("tic_tac_toe", ["mcts", "random"]),
    ],
)
def test_the_seed_decides_and_not_the_number_of_processes(name, kinds):
    game = zermelo.load(name)
    alone = played(game, kinds, 4, 3).rounds
    assert alone == played(game, kinds, 4, 3, processes=3).rounds
    assert alone[:2] == played(game, kinds, 2, 3, processes=2).rounds


def test_probabilities_of_many_digits(run, tmp_path):
    """Those of counterfactual regret minimization have more than fit in a word of the machine."""
    file = tmp_path / "cfr.json"
    words = ("solve", "kuhn_poker", "--solver", "cfr_plus", "--iterations", "50", "--json")
    file.write_text(run(*words).out, encoding="utf-8")
    score = played(zermelo.load("kuhn_poker"), [str(file), "random"], 1500).scores()[0]
    assert abs(score.mean - Fraction(1, 6)) < 0.1

    chances = (Fraction(1, 3**60), Fraction(0), 1 - Fraction(1, 3**60))
    assert {_draw_move(("a", "b", "c"), chances, Random(k)) for k in range(50)} == {"c"}


def test_moves_are_drawn_with_their_probabilities():
    random, chances = Random(0), (Fraction(1, 6), Fraction(0), Fraction(1, 2), Fraction(1, 3))
    counts = Counter(_draw_move(("a", "b", "c", "d"), chances, random) for _ in range(6000))
    assert counts["b"] == 0
    for move, wanted in (("a", 1000), ("c", 3000), ("d", 2000)):
        assert abs(counts[move] - wanted) < 200


def test_another_seed_is_another_match():
    game = zermelo.load("kuhn_poker")
    assert played(game, ["random"] * 2, 20, 1).rounds != played(game, ["random"] * 2, 20, 2).rounds


def test_best_plays_do_not_lose_and_follow_saved_policies(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("solve", "tic_tac_toe", "--positions", "ttt.json").code == 0
    game = zermelo.load("tic_tac_toe")
    assert {payoff for each in played(game, ["best", "ttt.json"], 3).rounds for payoff in each} == {(0, 0)}
    assert all(score >= 0 for score in played(game, ["ttt.json", "random"], 20).scores()[0].seats)


def test_in_rounds_everybody_chooses_by_the_position_and_a_file_knows_all(run, tmp_path):
    game, file = tmp_path / "rounds.game", tmp_path / "policy.json"
    game.write_text(ROUNDS)
    assert run("solve", str(game), "--positions", str(file)).code == 0
    for kinds in (["best", str(file)], [str(file), "best"]):
        match = played(zermelo.load(str(game)), kinds, 2)
        assert [each.mean for each in match.scores()] == [0, 0], "each gets 2 as One and loses 2 as Two"
    state, chosen = zermelo.load(str(game)).initial, []
    choose = contestant_of(str(file), state.game, MEMORY)
    while not state.is_over:
        chosen.append(choose(state, Random(1)))
        state = state.after(chosen[-1])
    assert list(map(str, chosen)) == ["show(high)", "show(low)"] * 2


def test_policies_of_choices_at_once(run, tmp_path, monkeypatch):
    """A saved policy, and the equilibrium of each round, get the same on average: 0 against each other."""
    monkeypatch.chdir(tmp_path)
    settings = ("-p", "cards=3", "-p", "open=true", "-p", "shuffled=true")
    assert run("solve", "goofspiel", *settings, "--positions", "goof.json").code == 0
    game = zermelo.load("goofspiel", cards=3, open=True, shuffled=True)
    match = played(game, ["goof.json", "best"], 100)
    score = match.scores()[0]
    assert abs(score.mean) <= 2 * (score.margin or 0)


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ([Fraction(1)], None),
        ([Fraction(1)] * 9, None),
        ([Fraction(0), Fraction(2)], (1, 12.7062)),
        ([Fraction(k) for k in range(1, 6)], (3, 1.96324)),
    ],
)
def test_the_interval_is_that_of_the_tables(results, found):
    """t is 12.706 for 1 degree of freedom and 2.7764 for 4, in any table of the distribution."""
    if found is None:
        assert interval(results) is None
    else:
        assert interval(results) == (found[0], pytest.approx(found[1], rel=1e-5))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("kuhn_poker",), "bad-usage"),
        (("kuhn_poker", "uniform", "--plays", "4"), "bad-usage"),
        (("kuhn_poker", "uniform", "--seat", "Alice=best", "--seat", "Bob=best"), "bad-usage"),
        (("kuhn_poker", "--seat", "Alice=best"), "bad-usage"),
        (("kuhn_poker", "--seat", "Alice"), "bad-usage"),
        (("kuhn_poker", "--seat", "Alice=best", "--seat", "Alice=best"), "bad-usage"),
        (("kuhn_poker", "--seat", "Carol=best"), "unknown-player"),
        (("kuhn_poker", "--seat", "Alice=none.json", "--seat", "Bob=best"), "unreadable-file"),
        (("four_card_hand", "--seat", "MAX=mcts", "--seat", "MIN=best"), "needs-perfect-information"),
        (("pig", "--seat", "Ann=pimc", "--seat", "Bob=random", "-j", "2"), "needs-end"),
    ],
)
def test_what_is_refused(run, words, code):
    refused = run("match", *words)
    assert refused.code != 0 and f"error[{code}]" in refused.err + refused.out


def test_a_play_without_an_end_is_refused(tmp_path):
    file = tmp_path / "polite.game"
    file.write_text(POLITE, encoding="utf-8")
    match = SampledMatch(zermelo.load(str(file)).initial, [lambda state, _: state.moves[-1]] * 2, 0)
    for processes in (1, 2):
        with pytest.raises(ZermeloError) as refused:
            match.play(2, InProcesses(processes), ignore_progress)
        assert refused.value.code == "needs-end" and not match.rounds


@pytest.mark.parametrize(
    ("plays", "said"),
    [
        ("1", "2, in 1 round of 2"),
        ("2", "2, in 1 round of 2"),
        ("3", "4, in 2 rounds of 2"),
        ("4", "4, in 2 rounds of 2"),
    ],
)
def test_plays_are_rounded_up_to_whole_rounds(run, plays, said):
    """One round alone tells nothing about how the rounds differ."""
    words = ("match", "two_ply_tree", "--seat", "MAX=uniform", "--seat", "MIN=uniform", "-j", "1", "--plays", plays)
    lines = run(*words).out.splitlines()
    assert next(line for line in lines if line.startswith("plays")).split(None, 1)[1].startswith(f"{said}, in which")
    if said.startswith("2"):
        assert sum(line.endswith("  none: no two rounds differ") for line in lines) == 2


@pytest.mark.parametrize(("pile", "payoffs"), [(3, ((1, -1), (1, -1))), (4, None)])
def test_a_play_may_be_as_long_as_the_message_says(monkeypatch, pile, payoffs):
    """By ones, whoever begins takes the last of three objects."""
    monkeypatch.setattr("zermelo.playing.contestants.LONGEST", 3)
    match = SampledMatch(zermelo.load("subtraction_game", pile=pile).initial, [lambda state, _: state.moves[0]] * 2, 0)
    if payoffs is None:
        with pytest.raises(ZermeloError, match="a play of the match has more than 3 moves and draws"):
            match.play(1, InProcesses(1), ignore_progress)
    else:
        match.play(1, InProcesses(1), ignore_progress)
        assert match.rounds == [payoffs]


def test_nobody_is_asked_for_the_only_move():
    """Files need not list it."""

    def fail(state, random):
        raise AssertionError(f"asked for one of {state.moves}")

    begin = zermelo.load("subtraction_game", pile=1).initial
    match = SampledMatch(begin, [fail, fail], 0)
    match.play(1, InProcesses(1), ignore_progress)
    assert match.rounds == [((1, -1), (1, -1))]
    move, remark = FollowingSeat(Random(0), fail).choose(begin)
    assert (str(move), remark) == ("take(1)", "")


@pytest.mark.parametrize(("number", "said"), [(0, "0 deals"), (1, "1 deal"), (2, "2 deals"), (10_000, "10,000 deals")])
def test_numbers_of_things_in_words(number, said):
    assert count_in_words(number, "deal") == said


def test_as_json(run):
    words = ("match", "kuhn_poker", "--seat", "Alice=random", "--seat", "Bob=best", "--plays", "9", "--seed", "7")
    record = run(*words, "--json").record
    assert (record["rounds"], record["plays"], record["seed"], record["stopped"]) == (5, 10, 7, None)
    assert [each["contestant"] for each in record["contestants"]] == ["random", "best"]
    assert sum(Fraction(each["mean"]) for each in record["contestants"]) == 0
    assert run(*words, "-j", "3", "--json").record == record


def test_time_ends_a_match_and_leaves_what_has_been_played(run, clock, monkeypatch):
    """The time is up when the first round has been played."""
    play = SampledMatch.play

    def played(match, rounds, processes, report):
        def tick(plays):
            if match.rounds:
                clock[0] = 1e9

        play(match, rounds, processes, tick)

    monkeypatch.setattr(SampledMatch, "play", played)
    seats = ("--seat", "Alice=random", "--seat", "Bob=random")
    found = run("match", "kuhn_poker", *seats, "--plays", "100000000", "--time", "4", "-j", "2", "--json")
    assert found.code == 1 and found.record["rounds"] > 0 and found.record["stopped"] == "after 4 s"


def test_time_that_is_up_before_the_first_round_is_an_error(run, clock, monkeypatch):
    def played(match, rounds, processes, report):
        clock[0] = 1e9
        check_deadline()

    monkeypatch.setattr(SampledMatch, "play", played)
    found = run("match", "kuhn_poker", "--seat", "Alice=random", "--seat", "Bob=random", "--time", "4", "--json")
    assert found.code == 1 and found.record["code"] == "out-of-time"


INTERRUPTED = """
import signal
from zermelo.__main__ import run
from zermelo.playing.contestants import SampledMatch

play = SampledMatch.play

def played(match, rounds, processes, report):
    play(match, rounds, processes, lambda plays: match.rounds and signal.raise_signal(signal.SIGINT))

SampledMatch.play = played
run()
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no interrupts of other processes")
def test_an_interrupt_leaves_what_has_been_played():
    words = ["match", "kuhn_poker", "--seat", "Alice=random", "--seat", "Bob=random", "--plays", "100000000", "-j", "2"]
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED, *words], capture_output=True, text=True)
    assert ran.returncode == 130 and "stopped   by an interrupt" in ran.stdout and not ran.stderr
