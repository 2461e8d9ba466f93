"""``zermelo judge``: estimates against exact values, and in matches."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from math import sqrt

import pytest

import zermelo
from zermelo.judging import PLAYS, Errors, Judgement, judge, mean_of, random_weights, weights_of
from zermelo.learning import read_weights
from zermelo.solvers.common.limits import Limits, ignore_progress

ROW = """
game "Men in a row"                        # whoever leaves a multiple of 3 wins

players Ann, Bob

var row: 0..8 = 8
var mover: Player = Ann

feature good(p) = if (row % 3 == 0) == (mover == p) then -1 else 1
weight good = 1
estimate for p: weighted sum

start at play(Ann)

phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= row:
            row -= n
            mover := other p
            go play(other p)
    otherwise:
        end win other p
"""

DICE = """
game "A die each"

players Ann, Bob

var score[Player]: 0..6 = 0

feature lead(p) = score[p] - score[other p]
weight lead = 1/6
estimate for p: weighted sum

start at decide(Ann)

phase decide(p: Player):
    turn p:
        move safe:
            score[p] := 3
            go on(p)
        move risky: go throw(p)

phase throw(p: Player):
    chance:
        outcome die(n in {1, 2, 6}):
            score[p] := n
            go on(p)

phase on(p: Player):
    if p == Ann: go decide(Bob)
    end by {q: score[q] for q in Player}
"""

TURNS = """
game "Two steps or a die"

players Ann, Bob

var score[Player]: 0..7 = 0
var amid: Bool = false

feature lead(p) = score[p] - score[other p]
feature hope(p) = if amid then 1 else 0
weight lead = 1/8
weight hope = 5
estimate for p: weighted sum
unsettled if amid

start at decide(Ann)

phase decide(p: Player):
    turn p:
        move safe:
            score[p] := 3
            go on(p)
        move step(n in 1..3):
            amid := true
            score[p] := n
            go further(p)

phase further(p: Player):
    turn p:
        move step(n in 1..3) if n != score[p]:
            score[p] := n
            amid := false
            go on(p)
        move throw: go throw(p)

phase throw(p: Player):
    chance:
        outcome die(n in {1, 2, 7}):
            score[p] := n
            amid := false
            go on(p)

phase on(p: Player):
    if p == Ann: go decide(Bob)
    end by {q: score[q] for q in Player}
"""


def guess_of(state, number):
    """What somebody gets by an estimate which is not asked as long as a turn is not over."""
    if state.is_over:
        return state.payoff[number]
    if "amid = true" not in str(state):
        return state.estimate("Ann") * (1 if number == 0 else -1)
    behind = [state.after(move) for move in state.moves]
    if not behind:
        return sum(chance * guess_of(state.after(move), number) for move, chance in state.outcomes)
    mover = state.game.number(state.actor)
    return guess_of(max(behind, key=lambda after: guess_of(after, mover)), number)


def judged(text, **weights):
    game = zermelo.loads(text).reweighed(**weights)
    (found,) = judge(game.initial, [weights_of(game)], Limits(), ignore_progress)
    return found.everywhere


def searched(state, depth):
    """What Ann gets if both look so many moves ahead by the estimate, by recursion."""
    if state.is_over:
        return state.payoff[0]
    if depth == 0:
        return state.estimate("Ann")
    if not state.moves:
        return sum(chance * searched(state.after(move), depth) for move, chance in state.outcomes)
    behind = [searched(state.after(move), depth - 1) for move in state.moves]
    return max(behind) if state.actor == "Ann" else min(behind)


BY_TURNS = """\
game "By turns"

players Ann, Bob
var turns: 0..5 = 0
var total: -60..60 = 0

feature near(p) = if p == Ann then total % 7 else -(total % 7)
weight near = 1
estimate for p: weighted sum

start at choose(Ann)

phase choose(p: Player):
    turn p:
        move add(n in {1, 2, 5}):
            total += n
            go roll(p)
        move take(n in {1, 3}):
            total -= n
            go roll(p)

phase roll(p: Player):
    chance:
        outcome die(n in {0, 1, 4}):
            total += n
            turns += 1
            if turns == 4: end payoff {Ann: total % 5, Bob: -(total % 5)}
            go choose(other p)
"""


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_looking_further_is_what_a_search_finds(depth):
    """The largest error in all positions, by a recursion that knows nothing of graphs."""
    game = zermelo.loads(BY_TURNS)
    (found,) = judge(game.initial, [weights_of(game)], Limits(), ignore_progress, depth=depth)
    waiting, seen, errors = [game.initial], {}, []
    while waiting:
        state = waiting.pop()
        if str(state) in seen or state.is_over:
            continue
        seen[str(state)] = state
        waiting += [state.after(move) for move in (state.moves or [move for move, _ in state.outcomes])]
    for state in seen.values():
        if not state.moves:  # right after a move
            errors.append(abs(searched(state, depth - 1) - searched(state, 9)))
    assert found.everywhere.largest == pytest.approx(float(max(errors)))
    assert found.everywhere.positions == len(errors)


def test_who_looks_to_the_end_loses_nothing():
    game = zermelo.loads(BY_TURNS)
    (near,) = judge(game.initial, [weights_of(game)], Limits(), ignore_progress)
    (far,) = judge(game.initial, [weights_of(game)], Limits(), ignore_progress, depth=5)
    assert far.loss_of_play == pytest.approx(0, abs=1e-9) and far.everywhere.largest == pytest.approx(0, abs=1e-9)
    assert near.loss_of_play > 0.1


def test_the_loss_of_a_play_is_that_of_its_moves():
    """Whoever takes the wrong one of two moves loses 2 by it; in the other seat there is nothing to decide."""
    text = """\
game "One of two"
players Ann, Bob
var good: Bool = false
feature liking(p) = if good == (p == Ann) then 1 else 0
weight liking = 1
estimate for p: weighted sum
start at choose
phase choose:
    turn Ann:
        move right:
            good := true
            go done
        move wrong:
            go done
phase done:
    turn Bob:
        move pass:
            if good: end win Ann
            end win Bob
"""
    game = zermelo.loads(text)
    (found,) = judge(game.initial, [weights_of(game)], Limits(), ignore_progress)
    (wrong,) = judge(game.initial, [weights_of(game.reweighed(liking=-1))], Limits(), ignore_progress)
    assert (found.loss_of_play, wrong.loss_of_play) == (0, 1)  # in every other play


def test_an_estimate_that_is_right_has_no_error():
    found = judged(ROW)
    assert (found.root_mean_square, found.largest, found.best_share, found.loss) == (0, 0, 1, 0)
    assert found.positions == 13 and found.decisions == 14


def test_an_estimate_that_is_wrong_everywhere():
    """It is off by 2; it chooses wrong wherever there is a choice between moves of different value."""
    found = judged(ROW, good=-1)
    assert (found.root_mean_square, found.largest) == (2, 2)
    assert found.loss == pytest.approx(2 * (1 - found.best_share)) and found.best_share < 0.7


@pytest.mark.parametrize("text", [DICE, TURNS])
@pytest.mark.parametrize("lead", ["1/6", "1/2", "-1/3", "0"])
def test_judged_as_one_would_by_hand(text, lead):
    """Against every position, found from its plays, and the values of its moves."""
    game = zermelo.loads(text).reweighed(lead=lead)
    errors, best, losses, met = {}, [], [], set()
    waiting = [game.initial]
    while waiting:
        state = waiting.pop()
        if state.is_over or (key := (str(state), state.actor)) in met:
            continue
        met.add(key)
        behind = [state.after(move) for move in state.moves or [move for move, _ in state.outcomes]]
        waiting += behind
        if state.moves:
            number = game.number(state.actor)
            worths = [worth.payoff for worth in zermelo.values(state).worths]
            guesses = []
            for after, worth in zip(behind, worths, strict=True):
                guesses.append(guess_of(after, number))
                if not after.is_over and "amid = true" not in str(after):
                    errors[str(after), after.actor] = guess_of(after, 0) - worth[0]
            top = max(worth[number] for worth in worths)
            chosen = [worth[number] for worth, guess in zip(worths, guesses, strict=True) if guess == max(guesses)]
            best.append(Fraction(chosen.count(top), len(chosen)))
            losses.append(top - sum(chosen) / len(chosen))
    found = judged(text, lead=lead)
    assert (found.positions, found.decisions) == (len(errors), len(best))
    assert found.root_mean_square == pytest.approx(sqrt(sum(error**2 for error in errors.values()) / len(errors)))
    assert found.largest == pytest.approx(float(max(map(abs, errors.values()))))
    assert found.best_share == pytest.approx(float(sum(best) / len(best)))
    assert found.loss == pytest.approx(float(sum(losses) / len(losses)))


def test_what_comes_up_in_play_is_what_greedy_players_meet():
    """With the estimate that is right the first player wins: Ann never faces a multiple of 3, but after a move at
    random, in one of ten decisions; so nearly all that is decided is by those who win, and by those who cannot."""
    game = zermelo.loads(ROW)
    (found,) = judge(game.initial, [weights_of(game)], Limits(), ignore_progress)
    assert (found.in_play.root_mean_square, found.in_play.best_share, found.in_play.loss) == (0, 1, 0)
    assert 5 * PLAYS < found.in_play.decisions < 8 * PLAYS
    (wrong,) = judge(game.initial, [weights_of(game.reweighed(good=-1))], Limits(), ignore_progress)
    assert wrong.in_play.root_mean_square == 2 and 0 < wrong.in_play.loss < 2


def test_random_weights_are_as_large_as_those_learnt():
    learnt = weights_of(zermelo.load("connect_four"))
    drawn = [random_weights(learnt, seed).weights for seed in range(50)]
    assert max(abs(weight) for weights in drawn for weight in weights) <= max(learnt.weights)
    assert any(min(weights) < 0 for weights in drawn) and len(set(drawn)) == 50


@pytest.fixture
def learnt(run, tmp_path):
    file = tmp_path / "learnt.json"
    assert run("learn", "tic_tac_toe", "--games", "300", "-o", str(file)).code == 0
    return file


def test_a_table_of_judgements(run, learnt):
    ran = run("judge", "tic_tac_toe", "--weights", str(learnt))
    assert ran.code == 0 and "rms error  best moves  loss    rms in play  best in play  loss in play" in ran.out
    assert "in 4,520 decisions" in ran.out
    record = run("judge", "tic_tac_toe", "--weights", str(learnt), "--json").record
    assert list(record["weights"]) == ["learnt", "own", "random"]
    own = record["weights"]["own"]["everywhere"]
    assert own["positions"] == 4519 and own["largest"] == pytest.approx(1 + 4 / 9)  # open lines of whoever will lose
    assert record["weights"]["learnt"]["everywhere"]["loss"] < record["weights"]["random"]["everywhere"]["loss"]


def test_the_rest_of_a_game_is_judged(run, learnt):
    words = ("judge", "tic_tac_toe", "--weights", str(learnt), "--after", "mark(b2), mark(a1)", "--json")
    assert run(*words).record["weights"]["own"]["everywhere"]["decisions"] < 1000


def test_matches_where_a_game_is_large(run, learnt):
    ran = run("judge", "tic_tac_toe", "--weights", str(learnt), "--plays", "20", "-j", "1")
    assert ran.code == 0 and "against         plays  mean" in ran.out
    assert [line.split()[1] for line in ran.out.splitlines()[3:6]] == ["greedy", "random", "random"]
    record = run("judge", "tic_tac_toe", "--weights", str(learnt), "--memory", "1M", "--plays", "20", "--json").record
    assert [each["against"] for each in record["matches"]] == ["greedy", "random weights", "random"]
    assert Fraction(record["matches"][2]["mean"]) > 0


def test_there_must_be_weights(run, learnt):
    assert "bad-usage" in run("judge", "tic_tac_toe").err
    assert "bad-weights" in run("judge", "connect_four", "--weights", str(learnt)).err


def test_greedy_seats_follow_the_estimate(run, learnt):
    """In a row of eight men whoever sees one move ahead by the exact estimate wins from the start."""
    path = learnt.parent / "row.game"
    path.write_text(ROW, encoding="utf-8")
    own = learnt.parent / "row.json"
    assert run("learn", str(path), "--games", "2000", "-o", str(own)).code == 0
    assert json.loads(own.read_text())["weights"]["good"] > 0
    for kind in ("greedy", str(own)):
        words = ("match", str(path), "--seat", f"Ann={kind}", "--seat", "Bob=random", "--plays", "10", "--json")
        assert run(*words).record["contestants"][0]["seats"]["Ann"] == "1"
    ran = run("play", str(path), "--seat", "Ann=greedy", "--seat", f"Bob={own}")
    assert ran.code == 0 and "Ann 1, Bob -1" in ran.out.replace("\n", " ")


@pytest.mark.parametrize("discount", ["", "discount 9/10\n"])
def test_where_the_way_counts_matches_judge(run, tmp_path, discount):
    """What is earned before, or lost by a discount, is not known of a position: that it is the same wherever plays meet
    would be wrong."""
    earning = ROW.replace(
        "            row -= n\n", "            row -= n\n            earn p: n\n            earn other p: -n\n"
    )
    text = earning if not discount else ROW.replace("\nvar row", f"{discount}\nvar row")
    game, file = tmp_path / "x.game", tmp_path / "x.json"
    game.write_text(text)
    assert run("learn", str(game), "--games", "50", "-o", str(file)).code == 0
    ran = run("judge", str(game), "--weights", str(file))
    assert (ran.code, ran.err) == (0, "") and "against" in ran.out and "rms error" not in ran.out


# By a table, instead of solving all positions again.

ROUND = """
game "Round about"                         # the players may change places, and plays go round

players Ann, Bob

var at[Player]: 0..4 = 0

feature lead(p) = at[p] - at[other p]
weight lead = 1/5
estimate for p: weighted sum
endless draw

start at play(Ann)

phase play(p: Player):
    turn p:
        move step(n in 1..2):
            at[p] := (at[p] + n) % 5
            if at[p] == at[other p] + 3: end win p
            if at[p] + 4 == at[other p]: end win other p
            go play(other p)
"""

UNKNOWN = """
game "Unknown"                             # what an endless play pays makes a difference in some positions alone
players Ann, Bob
var far: 0..1 = 0

feature near(_p) = far
weight near = 1
estimate for p: weighted sum

start at choose

phase choose:
    turn Ann:
        move win: end payoff (1, -1)
        move enter: go bob

phase bob:
    turn Bob:
        move on: go ann
        move stop: end payoff (1, -1)

phase ann:
    turn Ann:
        move on: go bob
        move stop: end payoff (-1, 1)
"""


@pytest.mark.parametrize("plays", [None, 4])
def test_the_command_prints_the_record_of_the_function(run, learnt, plays):
    """Of weights, of their file, and of the same question asked again."""
    game = zermelo.load("tic_tac_toe")
    found = game.judge(learnt, plays=plays, jobs=1)
    options = () if plays is None else ("--plays", str(plays))
    ran = run("judge", "tic_tac_toe", "--weights", str(learnt), *options, "-j", "1", "--json")
    assert ran.record == json.loads(json.dumps(found.record()))
    assert found.provenance.again() == found == pickle.loads(pickle.dumps(found)) and len(repr(found)) < 120
    assert len(found.to_dataframe()) == 3 and hash(found)
    assert game.judge(read_weights(learnt), plays=plays, jobs=1).rows() == found.rows()


def test_what_was_learnt_is_drawn_by_the_function_too(run, learnt, tmp_path):
    picture = zermelo.load("tic_tac_toe").draw("learning", weights=learnt)
    assert run("draw", "tic_tac_toe", "learning", "--weights", str(learnt)).out == picture.svg
    assert picture.provenance.again() == picture
    zermelo.load("tic_tac_toe").draw("learning", weights=[read_weights(learnt)]).save(tmp_path / "learning.json")
    assert {row["file"] for row in json.loads((tmp_path / "learning.json").read_text())} == {"weights 1"}
    with pytest.raises(zermelo.ZermeloError, match="nothing has been learnt"):
        zermelo.load("tic_tac_toe").draw("learning")


@pytest.fixture
def tabled(tmp_path):
    """Makes the table of a game or of a state."""
    pytest.importorskip("pyarrow")

    def make(of, **how):
        return zermelo.Table.build(of, tmp_path / "made.table", **how)

    return make


@pytest.mark.parametrize("machine", ["native", "python"])
@pytest.mark.parametrize("up_to_symmetry", [None, False])
@pytest.mark.parametrize("text", [ROW, DICE, ROUND, "tic_tac_toe"])
def test_a_table_tells_what_solving_finds(tabled, text, up_to_symmetry, machine):
    game = (zermelo.loads(text) if "\n" in text else zermelo.load(text)).on(machine)
    table = tabled(game, up_to_symmetry=up_to_symmetry)
    estimates = [weights_of(game), random_weights(weights_of(game), 1)]
    judged = judge(game.initial, estimates, Limits(), ignore_progress, table)
    assert judged == judge(game.initial, estimates, Limits(), ignore_progress)


def test_tables_of_these_games_keep_one_of_those_that_are_alike(tabled):
    game = zermelo.loads(ROUND)
    table = tabled(game)
    assert table.files.manifest["key"]["symmetries"] == 2
    known = table.known_graph(game.initial, Limits(), ignore_progress)
    assert known.is_known.all() and len(known.worths) > len(table)


def test_a_table_of_what_is_left_after_a_move_will_do(tabled):
    begin = zermelo.load("tic_tac_toe").initial.after("mark(b2)")
    (found,) = judge(begin, [weights_of(begin.game)], Limits(), ignore_progress, tabled(begin))
    assert [found] == judge(begin, [weights_of(begin.game)], Limits(), ignore_progress)


@pytest.mark.parametrize("how", [{"plies": 3}, {"missed_wins": False}, {"after": "mark(b2)"}])
def test_a_table_without_some_positions_is_refused(run, learnt, tabled, how):
    begin = zermelo.load("tic_tac_toe").initial
    table = tabled(begin.after(how.pop("after")) if "after" in how else begin, **how)
    ran = run("judge", "tic_tac_toe", "--weights", str(learnt), "--table", str(table.files.folder))
    assert ran.code == 1 and "not-in-table" in ran.err
    assert "of the 4,519 positions after a move" in " ".join(ran.err.split())


def test_what_a_table_is_not_for(run, learnt, tabled, tmp_path):
    book = tabled(zermelo.load("tic_tac_toe"), plies=1, depth=2).files.folder
    four = zermelo.Table.build(zermelo.load("tic_tac_toe", size=2), tmp_path / "two.table").files.folder
    words = ("judge", "tic_tac_toe", "--weights", str(learnt), "--table")
    assert "estimated-table" in run(*words, str(book)).err
    assert "other-table" in run(*words, str(four)).err
    assert "bad-usage" in run(*words, str(book), "--plays", "2").err
    part = book / "part-00000.parquet"
    part.write_bytes(part.read_bytes()[:-1])
    assert "damaged-table" in run(*words, str(book)).err


def test_positions_without_a_value_are_not_judged(tabled):
    game = zermelo.loads(UNKNOWN)
    for table in (None, tabled(game)):
        with pytest.raises(zermelo.ZermeloError) as refused:
            judge(game.initial, [weights_of(game)], Limits(), ignore_progress, table)
        assert refused.value.code == "no-value"


def test_the_mean_of_judgements_has_the_numbers_of_positions_of_the_first():
    """Plays by other estimates come to other positions."""
    one = Judgement(Errors(10, 0.5, 3.0, 4, 0.25, 1.0), Errors(7, 1.0, 2.0, 3, 0.5, 4.0), 0.25)
    other = Judgement(Errors(10, 1.5, 5.0, 4, 0.75, 2.0), Errors(9, 2.0, 4.0, 5, 1.0, 0.0), 0.75)
    assert mean_of([one]) == one
    whole = Judgement(Errors(10, 1.0, 4.0, 4, 0.5, 1.5), Errors(7, 1.5, 3.0, 3, 0.75, 2.0), 0.5)
    assert mean_of([one, other]) == whole
