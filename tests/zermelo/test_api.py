"""The Python API."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from random import Random

import pytest

import zermelo
from zermelo import gamedefs
from zermelo.interpreter.machine import display_text
from zermelo.interpreter.model import Const
from zermelo.interpreter.native.state_encoding.observations import Perceived
from zermelo.interpreter.types import BOOL, DIRECTION, NUMBER, TupleType
from zermelo.interpreter.values import COMPASS, OrderedSet, are_equal

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def kuhn():
    return zermelo.load("kuhn_poker")


def test_the_version_is_that_of_the_package():
    assert zermelo.__version__ == version("zermelo")


def test_import_leaves_the_slow_things_alone():
    ours = [f"zermelo.{name}" for name in ("grammar.syntax", "interpreter.model", "interpreter.check", "solvers")]
    slow = ("lark", "rich", "argparse", *ours)
    code = f"import sys, zermelo; print([name for name in {slow!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_load_takes_a_name_a_path_and_parameters(tmp_path):
    assert zermelo.load("othello", size=6).parameters == {"size": 6}
    assert zermelo.load("othello", size="6").parameters == {"size": 6}
    assert zermelo.load(gamedefs.path("othello")).parameters == {"size": 8}
    copy = tmp_path / "mine.game"
    copy.write_bytes(gamedefs.path("nim").read_bytes())
    assert zermelo.load(str(copy)).title == "Nim"


def test_a_file_goes_before_a_bundled_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("chess").write_bytes(gamedefs.path("nim").read_bytes())
    assert zermelo.load("chess").title == "Nim"


def test_a_folder_does_not_go_before_a_bundled_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("chess").mkdir()
    assert zermelo.load("chess").title == "Chess"


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("tictactoe", "unknown-game", "did you mean 'tic_tac_toe'?"),
        ("qqqq", "unknown-game", "there is no file and no bundled game 'qqqq'"),
        ("nowhere/x.game", "unreadable-file", "No such file"),
        ("nim.game", "unreadable-file", "No such file"),
        (".", "unreadable-file", "directory"),
        ("", "unknown-game", "no bundled game"),
        ("a\0b", "unknown-game", "no bundled game"),
        ("a\0b/c", "unreadable-file", "no file can have the name"),
        ("x" * 5000, "unknown-game", "no bundled game"),
        ("x/" * 5000, "unreadable-file", "too long"),
    ],
)
def test_what_cannot_be_found_or_read(tmp_path, monkeypatch, name, code, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(zermelo.ZermeloError, match=says) as raised:
        zermelo.load(name)
    assert raised.value.code == code


def test_parameters_that_do_not_fit():
    with pytest.raises(zermelo.ZermeloError, match="did you mean 'heaps'") as raised:
        zermelo.load("nim", heap=3)
    assert raised.value.code == "unknown-parameter"
    for wrong in (99, "many", "", "3.5"):
        with pytest.raises(zermelo.InvalidGame) as refused:
            zermelo.load("nim", heaps=wrong)
        assert refused.value.findings.errors


def test_findings_of_a_text():
    assert not zermelo.check(gamedefs.path("nim").read_text(encoding="utf-8"))
    findings = zermelo.check(
        'game "x"\nplayers A, B\nstart at p(C)\nphase p(q: Player):\n    turn q:\n        move m: end\n'
    )
    assert [finding.code for finding in findings] == ["undefined-name"]
    with pytest.raises(zermelo.InvalidGame) as refused:
        zermelo.parse("game 3")
    assert refused.value.findings.errors


def test_games_are_listed():
    assert "kuhn_poker" in zermelo.games() and list(zermelo.games()) == sorted(zermelo.games())


def test_a_play(kuhn):
    state = kuhn.initial
    assert state.actor == zermelo.CHANCE and state.moves == () and state.payoff is None and not state.is_over
    assert sum(probability for _, probability in state.outcomes) == 1
    assert {probability for _, probability in state.outcomes} == {Fraction(1, 6)}
    dealt = state.after("deal(K, J)")
    assert (dealt.actor, dealt.outcomes, list(map(str, dealt.moves))) == ("Alice", (), ["check", "bet"])
    answer = dealt.after(dealt.moves[1])
    end = answer.after("call")
    assert end.is_over and end.actor is None and end.moves == ()
    assert end.payoff == (Fraction(2), Fraction(-2))
    assert list(map(str, end.play)) == ["deal(K, J)", "bet", "call"]
    assert state.actor == zermelo.CHANCE, "states do not change"
    assert repr(end) == "<State of 'Kuhn poker' after deal(K, J), bet, call>"


def test_who_sees_what(kuhn):
    states = [kuhn.initial.after(f"deal(K, {card})").after("bet") for card in "JQ"]
    assert [list(map(str, state.view("Alice"))) for state in states] == [["hand[Alice] = K"]] * 2
    assert states[0].information_state("Alice") == states[1].information_state("Alice")
    assert states[0].information_state("Bob") != states[1].information_state("Bob")
    with pytest.raises(zermelo.ZermeloError, match="did you mean 'Bob'") as raised:
        states[0].view("bob")
    assert raised.value.code == "unknown-player"


def test_illegal_moves_are_explained():
    state = zermelo.load("tic_tac_toe").initial.after("mark(b2)")
    assert state.why_not("mark(a1)") is None
    assert state.why_not(state.moves[0]) is None
    finding = state.why_not("mark(b2)")
    assert finding.code == "illegal-move" and finding.source.excerpt(finding.span) == "board[c] is none"
    with pytest.raises(zermelo.ZermeloError) as raised:
        state.after("mark(b2)")
    assert raised.value.code == "illegal-move"
    with pytest.raises(zermelo.ZermeloError) as raised:
        zermelo.load("two_ply_tree").initial.after("A1").after("A11").after("A12")
    assert raised.value.code == "game-over"


def test_chance_is_drawn_without_a_list():
    state = zermelo.load("four_card_whist").initial
    with pytest.raises(zermelo.ZermeloError) as raised:
        list(state.outcomes)
    assert raised.value.code == "too-many-outcomes"
    assert state.sample(Random(1)) == state.sample(Random(1)) != state.sample(Random(2))


def test_solve_a_game_and_what_is_left_of_it():
    game = zermelo.load("two_ply_tree")
    assert zermelo.solve(game).value == (3, -3)
    assert zermelo.solve(game, "minimax").solver == "minimax"
    left = zermelo.solve(game.initial.after("A2"))
    assert left.value == (2, -2) and [str(move) for move in left.best] == ["A21"]
    with pytest.raises(zermelo.ZermeloError) as raised:
        zermelo.solve(game, "minmax3000")
    assert raised.value.code == "unknown-solver"
    with pytest.raises(zermelo.ZermeloError) as raised:
        zermelo.solve(zermelo.load("three_player_tree"), "alphabeta")
    assert raised.value.code == "needs-two-players"


def test_solve_settles_by_visiting_what_the_rules_leave_open():
    game = zermelo.loads(
        """
game "Up and down"
players A
var at: 0..3 = 0
start at p
phase p:
    turn A:
        move up if at < 3:
            at := at + 1
            if at == 3: end payoff (1)
            go p
"""
    )
    assert zermelo.solve(game).value == (1,)


def test_a_rule_that_goes_wrong_names_its_line_and_the_play():
    game = zermelo.loads(
        """game "Stuck"
players A
var left: 0..2 = 2
start at p
phase p:
    turn A:
        move take if left > 0:
            left -= 1
            if left == 3: end draw
            go p
"""
    )
    with pytest.raises(zermelo.PlayError) as raised:
        game.initial.after("take").after("take")
    assert raised.value.code == "deadlock"
    assert [str(move) for move in raised.value.play] == ["take", "take"]
    assert raised.value.finding.span.line == 5


def test_a_state_prints_as_a_board():
    state = zermelo.load("tic_tac_toe").initial.after("mark(b2)").after("mark(c3)")
    assert str(state) == "3 . . O\n2 . X .\n1 . . .\n  a b c\n\nX is to move"
    assert str(zermelo.load("two_ply_tree").initial.after("A1").after("A12")) == ("the play has ended: MAX 12, MIN -12")
    dealt = zermelo.load("kuhn_poker").initial
    assert str(dealt) == "chance is to draw"
    assert str(dealt.after("deal(J, K)")) == "hand[Alice] = J   hand[Bob] = K\n\nAlice is to move"


def test_solve_takes_the_limits_of_the_command():
    game = zermelo.load("tic_tac_toe").on("reference")
    assert zermelo.solve(game, depth=1, estimate="rollouts", seed=1).certainty.value == "depth-limited"
    for word, limits in {
        "out-of-time": {"time": 0},
        "out-of-memory": {"solver": "positions", "memory": 1000, "digits": 5},
        "out-of-nodes": {"solver": "dfpn", "nodes": 1},
        "does-not-iterate": {"solver": "minimax", "iterations": 5},
        "does-not-sample": {"solver": "minimax", "simulations": 5},
        "searches-to-the-end": {"solver": "positions", "depth": 2},
        "bad-usage": {"solver": "minimax", "digits": 5},
    }.items():
        with pytest.raises(zermelo.ZermeloError) as refused:
            zermelo.solve(game, **limits)
        assert refused.value.code == word
    with pytest.raises(zermelo.ZermeloError, match="no use for iterations") as refused:
        zermelo.solve(game, "mcts", iterations=5)
    assert "--simulations" in refused.value.help
    means = [zermelo.solve(game, "mcts", simulations=20, exploration=1.0, seed=seed).value for seed in (1, 2, 1)]
    assert means[0] == means[2]


@pytest.mark.parametrize(
    "limits",
    [
        {"depth": 0},
        {"depth": -1},
        {"depth": 2.5},
        {"nodes": 0},
        {"memory": -5},
        {"iterations": 0},
        {"digits": 0},
        {"simulations": 1.5},
        {"time": -1},
        {"time": float("nan")},
        {"exploitability": -0.1},
        {"exploration": -1},
    ],
    ids=str,
)
def test_solve_refuses_what_no_limit_can_be(kuhn, limits):
    with pytest.raises(zermelo.ZermeloError, match=f"^{next(iter(limits))} is ") as refused:
        zermelo.solve(kuhn, **limits)
    assert refused.value.code == "bad-usage"


def test_solve_iterates_as_long_as_it_is_told(kuhn, tmp_path):
    few = zermelo.solve(kuhn.on("reference"), "cfr+", iterations=3, checkpoint=tmp_path / "kuhn.json")
    more = zermelo.solve(kuhn.on("reference"), "cfr+", iterations=9)
    assert few.counts["iterations"] == 3 and more.counts["iterations"] == 9
    assert more.exploitability < few.exploitability


# Copies of games, states, solutions and what they hold are as good as the originals: those that ``copy`` makes, and
# those from a pickle, where the game is read anew.


LONGEST = 5
"""The moves of a random play."""

AVOIDED = """\
game "Ann had better stay out"
players Ann, Bob
tree:
    Ann:
        out: (1, -1)
        left: Bob @asked:
            left: (0, 0)
            right: (-1, 1)
        right: Bob @asked:
            left: (-1, 1)
            right: (0, 0)
"""


def random_play(game: zermelo.Game, seed: int) -> list[zermelo.State]:
    """The states of a play, the first ones if it is long."""
    random, states = Random(seed), [game.initial]
    while not states[-1].is_over and len(states) <= LONGEST:
        here = states[-1]
        move = here.sample(random) if here.actor == zermelo.CHANCE else random.choice(here.moves)
        states.append(here.after(move))
    return states


def seen(state: zermelo.State) -> list[object]:
    """What there is to know about a state."""
    known = [(state.information_state(player), state.view(player)) for player in state.game.players]
    return [state.actor, state.moves, state.payoff, state.play, *known]


@pytest.mark.parametrize("name", zermelo.games())
def test_copies_of_states_of_bundled_games(name: str) -> None:
    """At every step of a play; the copy from a pickle, and a fresh load that makes the moves of the first one."""
    states = random_play(zermelo.load(name), seed=1)
    pickled, fresh = pickle.loads(pickle.dumps(states)), zermelo.load(name).initial
    for state, other in zip(states, pickled, strict=True):
        assert other.game is not state.game
        if state.play:
            fresh = fresh.after(state.play[-1])
        assert copy.copy(state) is copy.deepcopy(state) is state
        assert seen(state) == seen(other) == seen(fresh)


def test_a_state_in_another_process() -> None:
    """Where other objects stand for the members of types, and their hashes differ."""
    names = ("kuhn_poker", "prisoners_dilemma", "tic_tac_toe")
    states = [state for name in names for state in random_play(zermelo.load(name), seed=2)]
    told = [(state, state.payoff, [state.information_state(p) for p in state.game.players]) for state in states]
    program = (
        "import pickle, sys\n"
        "for state, payoff, known in pickle.load(sys.stdin.buffer):\n"
        "    assert state.payoff == payoff\n"
        "    assert [state.information_state(player) for player in state.game.players] == known\n"
    )
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(told), check=True)


def test_pickles_of_games() -> None:
    """With their parameters, the weights of their estimate, and their machine."""
    game = zermelo.load("connect_four", rows=4).on("python")
    weighed = zermelo.load("chess").reweighed(mobility=0)
    for one in (game, weighed):
        again = pickle.loads(pickle.dumps(one))
        assert copy.deepcopy(one) is one
        assert (again.name, again.choice, again.parameters) == (one.name, one.choice, one.parameters)
        assert again.weights == one.weights


@pytest.mark.parametrize("machine", ["reference", "python"])
def test_pickles_of_solutions(machine: str) -> None:
    solution = zermelo.solve(zermelo.load("kuhn_poker").on(machine))
    again = pickle.loads(pickle.dumps(solution))
    assert copy.deepcopy(solution) is solution
    assert again == solution and again.strategies == solution.strategies
    for one, other in zip(solution.strategies, again.strategies, strict=True):
        for part in ("reached", "met", "chosen"):
            assert list(getattr(one.decisions, part)) == list(getattr(other.decisions, part))
    known = solution.strategies[0].decisions[0].known
    assert isinstance(known, Perceived) == (machine == "python")
    assert hash(known) == hash(again.strategies[0].decisions[0].known)


def test_a_decision_that_others_avoid_is_reached_in_a_pickle_too() -> None:
    solution = zermelo.solve(zermelo.loads(AVOIDED), "sequence_form")
    for bob in (solution.strategies[1], pickle.loads(pickle.dumps(solution)).strategies[1]):
        assert (len(bob.decisions.reached), len(bob.decisions.met)) == (1, 0)


def test_a_pickle_of_a_solution_has_no_policy() -> None:
    solution = zermelo.solve(zermelo.load("gamblers_ruin"))
    again = pickle.loads(pickle.dumps(solution))
    assert solution.policy is not None and again.policy is None
    assert again == solution


def test_values_of_different_types_differ() -> None:
    """Python's 1 and True are equal, and a direction is a pair."""
    east, pairs = COMPASS["east"], TupleType((NUMBER, NUMBER))
    for one, other in (
        (1, True),
        (east, (1, 0)),
        ((1, (0, east)), (1, (0, (1, 0)))),
        (OrderedSet([0, 1]), OrderedSet([False, True])),
        (OrderedSet([(1, 0)]), OrderedSet([(True, False)])),
    ):
        assert not are_equal((one,), (other,))
        assert zermelo.Told("t", (one,)) != zermelo.Told("t", (other,))
        assert zermelo.PerceivedMove("A", "m", (one,)) != zermelo.PerceivedMove("A", "m", (other,))
        assert zermelo.Move("m", (one,)) != zermelo.Move("m", (other,))
    assert are_equal((1, (True, 10**30)), (1, (True, 10**30)))
    here = zermelo.load("tic_tac_toe").model.start.span
    assert Const(1, type=NUMBER, span=here) != Const(True, type=BOOL, span=here)
    assert Const(east, type=DIRECTION, span=here) != Const((1, 0), type=pairs, span=here)


# Legends of enumerations: people see cards as cards, and files keep their names.


GAME = """game "The higher card"
players Ann, Bob
claim zero_sum
type Rank = ten < jack < queen
type Suit = hearts | spades
type Card = (rank: Rank, suit: Suit)
type Side = left | right

legend Rank:
    "10" = ten, "J" = jack, "Q" = queen
legend Suit:
    "♥" = hearts, "♠" = spades

var hand[Player]: Card                     private
var led[Suit]: Rank? = none
var side: Side = left

start at deal

phase deal:
    chance:
        outcome deal(a in Card, b in Card, s in Side) if a != b:
            hand[Ann] := a
            hand[Bob] := b
            side := s
            go lead

phase lead:
    turn Ann:
        move lead(c in Card) if hand[Ann] == c:
            led[c.suit] := c.rank
            tell Bob that led(c)
            go answer
        move fold(r in Rank): end win Bob

phase answer:
    turn Bob:
        move double:
            if hand[Ann].rank > hand[Bob].rank: end payoff (2, -2)
            end payoff (-2, 2)
        move fold: end win Ann
"""

DEALT = "deal(10♥, (queen, spades), left)"


def test_moves_are_taken_in_either_form_and_shown_by_signs(run, game_file):
    ran = run("moves", game_file(GAME), "--after", f"{DEALT}; lead((ten, hearts))")
    assert (ran.code, ran.err) == (0, "")
    assert "after  deal(10♥, Q♠, left), lead(10♥)\n" in ran.out
    assert "hand[Ann] = 10♥\n" in ran.out and "told led(10♥)" in ran.out
    assert "led    ♥  ♠" in ran.out or "led[♥] = 10   led[♠] = none" in ran.out
    assert "hearts" not in ran.out and "queen" not in ran.out


def test_json_keeps_the_names(run, game_file):
    record = run("moves", game_file(GAME), "--after", DEALT, "--json").record
    assert record["play"] == ["deal((ten, hearts), (queen, spades), left)"]
    assert record["moves"] == ["lead((ten, hearts))", "fold(ten)", "fold(jack)", "fold(queen)"]
    assert "♥" not in json.dumps(record, ensure_ascii=False)


def test_every_move_is_read_back_from_what_is_shown():
    game = zermelo.loads(GAME)
    state = game.initial
    for move, _ in state.outcomes:
        assert state.find(display_text(move)) == state.find(str(move)) == move
    assert len({display_text(move) for move, _ in state.outcomes}) == len(state.outcomes) == 60


@pytest.mark.parametrize("text", ["10", "♥", "♥10", "10♥♥", "10♥,J♥", ""])
def test_other_texts_are_no_cards(text):
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.loads(GAME).initial.find(f"deal({text}, Q♠, left)")
    assert refused.value.code == "illegal-move"


def test_an_illegal_move_is_explained_by_signs(run, game_file):
    ran = run("moves", game_file(GAME), "--after", f"{DEALT}; lead(J♠)")
    assert ran.code == 1 and "hand[Ann] == c" in ran.err and "deal(10♥, Q♠, left)" in ran.err


def test_a_session_takes_signs(run, game_file):
    seats = ("--seat", "Ann=human", "--seat", "Bob=random")
    ran = run("play", game_file(GAME), *seats, "--after", DEALT, typed="moves\nlead 10♥\n")
    assert (ran.code, ran.err) == (0, "")
    assert "lead(10♥), fold(10), fold(J), fold(Q)" in ran.out and "hand[Ann] = 10♥" in ran.out


def test_strategies_and_policies_show_signs(run, game_file):
    solved = run("solve", game_file(GAME))
    assert solved.code == 0 and "10♥" in solved.out and "hearts" not in solved.out.split("player", 2)[2]
    record = run("solve", "test.game", "--json").record
    assert "(ten, hearts)" in json.dumps(record["strategies"], ensure_ascii=False)
    assert "♥" not in json.dumps(record["strategies"], ensure_ascii=False)


def test_a_saved_strategy_is_read_again(run, game_file, tmp_path):
    record = run("solve", game_file(GAME), "--json")
    (tmp_path / "saved.json").write_text(record.out, encoding="utf-8")
    ran = run("exploit", "test.game", "saved.json")
    assert (ran.code, ran.err) == (0, "") and "equilibrium" in ran.out


def test_a_game_in_the_cache_keeps_its_signs(run, game_file):
    first = run("moves", game_file(GAME), "--after", DEALT)
    assert first.out == run("moves", "test.game", "--after", DEALT).out


def test_members_without_signs_keep_their_names():
    text = GAME.replace('"10" = ten, ', "")
    (deal, _), *_ = zermelo.loads(text).initial.outcomes
    assert display_text(deal) == "deal((ten, ♥), (ten, ♠), left)"
