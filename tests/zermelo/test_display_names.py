"""Display names: people are shown them and may write them; the language, JSON and files keep the names."""

from __future__ import annotations

import json
import pickle
import re

import pytest

import zermelo
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.machine import display_text
from zermelo.interpreter.symbols.index import index_with_findings
from zermelo.interpreter.values import display_value, format_value

GAME = """\
game "A market"
players Firm_1 "Firm 1", Firm_2 "Firm 2"
type Suit = clubs "♣" | hearts
type Size = small "a little" | large "a lot"
param opening: Size = small
var pot_size "in the pot": 0..20 = 0
var card[Player]: Suit                     private
start at deal
phase deal:
    chance:
        outcome deal "hand out"(a in Suit, b in Suit):
            card[Firm_1] := a
            card[Firm_2] := b
            go play(Firm_1)
phase play(p: Player):
    turn p:
        move raise_by "raise by"(n in 1..2, s in Size):
            pot_size += n
            if p == Firm_2: end payoff Firm_1: if card[Firm_1] == hearts then pot_size else -pot_size
            go play(Firm_2)
        move fold "give up" if opening == small or p == Firm_1: end win other p
"""
TREE = """\
game "Up or down"
players Ann "Player one", Bob
tree:
    Ann:
        up "go up": Bob @there:
            left: (2, 1)
            right: (0, 0)
        down: Bob @there:
            left "to the left": (1, 0)
            right: (0, 1)
"""
COUNTING = """\
game "Up to five"
players Ann "Player one", Bob "Player two"
var n: 0..5 = 0
start at count_on(Ann)
phase count_on(p: Player):
    turn p:
        move inc "go up"(k in 1..2) if n + k <= 5:
            n += k
            go count_on(other p)
    otherwise: end win other p
"""
NAMES = ("Firm_1", "clubs", "large", "pot_size", "raise_by", "fold", "deal(")


@pytest.mark.parametrize("machine", ["native", "reference"])
@pytest.mark.parametrize(
    "play", ["hand out(♣, hearts); raise by(2, a lot)", 'deal(clubs,hearts), "raise by"(2, large)']
)
def test_moves_are_taken_in_either_form_and_shown_as_the_file_says(run, game_file, play, machine):
    ran = run("moves", game_file(GAME), "--after", play, "--machine", machine)
    assert (ran.code, ran.err) == (0, "")
    assert "after  hand out(♣, hearts), raise by(2, a lot)\nnow    Firm 2 is to move\n" in ran.out
    assert "in the pot = 2\n" in ran.out and "Firm 1 sees" in ran.out and "card[Firm 1] = ♣" in ran.out
    assert not any(name in ran.out for name in NAMES)


def test_json_keeps_the_names(run, game_file):
    ran = run("moves", game_file(GAME), "--after", "hand out(♣, hearts); raise by(2, a lot)", "--json")
    assert ran.record["play"] == ["deal(clubs, hearts)", "raise_by(2, large)"] and ran.record["actor"] == "Firm_2"
    assert not any(shown in ran.out for shown in ("♣", "Firm 1", "a lot", "in the pot", "raise by", "give up"))


def test_every_move_is_read_back_from_what_is_shown():
    state = zermelo.loads(GAME).initial.after("deal(hearts, clubs)")
    for move in state.moves:
        assert state.find(display_text(move)) == state.find(str(move)) == move
    assert [display_text(move) for move in state.moves][-2:] == ["raise by(2, a lot)", "give up"]


def test_solutions_show_them_and_saved_strategies_are_read(run, game_file, tmp_path):
    ran = run("solve", game_file(GAME))
    assert ran.code == 0 and "Firm 1 does" in ran.out and "give up" in ran.out and "Firm 1: raise " in ran.out
    assert "by(2, a little)" in ran.out  # on a line, narrow as it is
    assert not any(name in ran.out.replace("'pot_size'", "") for name in NAMES)
    ran = run("solve", "test.game", "--json")
    assert "raise_by(2, large)" in ran.out and "raise by" not in json.dumps(ran.record["strategies"])
    (tmp_path / "saved.json").write_text(ran.out, encoding="utf-8")
    ran = run("exploit", "test.game", "saved.json")
    assert (ran.code, ran.err) == (0, "")


def test_tables_of_strategies_show_them(run, game_file):
    ran = run("equilibria", game_file(TREE))
    assert "Player one \\ Bob" in ran.out and "go up" in ran.out and "to the left" in ran.out
    assert run("equilibria", "test.game", "--json").record["strategies"]["Ann"] == ["up", "down"]


def test_handouts_show_them(run, game_file):
    page = run("report", game_file(GAME)).out
    assert "What Firm 1 does" in page and "What Firm_1 does" not in page


def test_what_moves_bring_is_told_with_them(run, game_file, tmp_path):
    told = run("moves", game_file(COUNTING), "--after", "inc(1)", "--values")
    assert told.code == 0 and "value for Player two" in told.out and "Bob" not in told.out
    told = run("moves", game_file(GAME), "--after", "hand out(♣, hearts), raise by(1, a lot)", "--values")
    assert "Firm 2 never sees what they see here" in told.err
    told = run("match", "test.game", "--seat", "Firm 1=random", "--seat", "Firm_1=best")
    assert "Firm 1 has two contestants" in told.err
    (tmp_path / "s.json").write_text(run("solve", "test.game", "--json").out, encoding="utf-8")
    answered = run("exploit", "test.game", "s.json")
    assert answered.code == 0 and "Firm 1  " in answered.out and not any(name in answered.out for name in NAMES)


def test_failed_tests_tell_with_them(run, game_file):
    ran = run("test", game_file(COUNTING + "expect best == inc(1)\n"))
    assert ran.code == 1 and "it gives Player one -1, the best move 1" in ran.out
    equilibrium = TREE + "expect equilibrium (down, left)\n"
    ran = run("test", game_file(equilibrium))
    assert ran.code == 1 and "Player one does better with go up" in ran.out, ran.out


def test_tables_of_positions_are_told_with_them(run, game_file, tmp_path):
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "x.table")
    built = run("table", "build", game_file(COUNTING), "-o", folder, "--after", "go up(1)")
    asked = run("table", "query", folder, "--after", "inc(1)")
    assert (built.code, asked.code) == (0, 0)
    assert "after             go up(1)\n" in built.out
    for told in (built, asked):
        assert re.search(r"^value +Player one -1, Player two 1$", told.out, re.MULTILINE)
    assert "value for Player" in asked.out and "value for Ann" not in asked.out
    assert "begins with go up(1)" in run("table", "query", folder).err


def test_one_place_gives_a_move_its_display_name():
    state = zermelo.loads(TREE).initial.after("down")
    assert [display_text(move) for move in state.moves] == ["to the left", "right"]


def test_a_session_takes_them(run, game_file):
    seats = ("--seat", "Firm_1=human", "--seat", "Firm 2=random", "--seed", "1")
    ran = run("play", game_file(GAME), *seats, "--after", "deal(clubs, clubs)", typed="moves\nraise by 2 a lot\n")
    assert (ran.code, ran.err) == (0, "")
    assert "raise by(1, a little)" in ran.out and "Firm 1>" in ran.out and "in the pot = 2" in ran.out
    assert "Firm 2: " in ran.out and "The play has ended: Firm 1 " in ran.out


def test_the_results_of_a_match_are_told_with_them(run, game_file):
    seats = ("--seat", "Ann=random", "--seat", "Player two=random", "--plays", "2", "--seed", "1")
    ran = run("match", game_file(COUNTING), *seats)
    assert ran.code == 0 and "as Player one" in ran.out and "as Player two" in ran.out and "as Ann" not in ran.out


def test_a_parameter_may_be_set_by_one(run, game_file):
    assert run("moves", game_file(GAME), "-p", "opening=a lot", "--json").record["parameters"] == {"opening": "large"}


def test_pictures_show_them(run, game_file, tmp_path):
    ran = run("draw", game_file(TREE), "-o", "tree.svg")
    assert ran.code == 0, ran.err
    drawn = (tmp_path / "tree.svg").read_text(encoding="utf-8")
    assert "go up" in drawn and "Player one" in drawn and ">up<" not in drawn
    board = 'game "B"\nplayers Ann "Player one", Bob\nvar c[grid(2, 2)]: 0..1 = 0   seen by Bob\n'
    rules = "start at p\nphase p:\n    turn Ann:\n        move go_: end draw\n"
    ran = run("draw", game_file(board + rules), "position", "--view", "Player one", "-o", "board.svg")
    assert ran.code == 0, ran.err
    assert "as Player one sees it" in (tmp_path / "board.svg").read_text(encoding="utf-8")


def test_games_keep_them_in_the_cache_and_in_a_pickle(run, game_file):
    play = ("--after", "hand out(♣, hearts)")
    assert run("moves", game_file(GAME), *play).out == run("moves", "test.game", *play).out
    state = pickle.loads(pickle.dumps(zermelo.loads(GAME).initial.after("deal(clubs, hearts)")))
    assert display_text(state.moves[-1]) == "give up" and state.status == "Firm 1 is to move"


def test_games_that_differ_in_them_alone_do_not_share_them():
    one = zermelo.loads(GAME).model.players[0]
    other = zermelo.loads(GAME.replace("Firm 1", "The first")).model.players[0]
    assert [format_value(one), format_value(other)] == ["Firm_1", "Firm_1"]
    assert [display_value(one), display_value(other)] == ["Firm 1", "The first"]


def test_an_editor_is_told():
    index, findings = index_with_findings(Source("x", GAME))
    shown = {symbol.name: symbol.remarks[:1] for symbol in index.symbols.values() if symbol.name in ("Firm_1", "fold")}
    assert not findings and shown == {"Firm_1": ('shown as "Firm 1"',), "fold": ('shown as "give up"',)}


def test_what_moves_bring_is_told_of_players_as_they_are_shown(run, game_file):
    text = TREE.replace("Bob", 'Bob "Player two"').replace(" @there", "")
    ran = run("moves", game_file(text.replace('Bob "Player two":', "Bob:")), "--values")
    heads = " ".join(ran.out.split())
    assert "Player one" in heads and "Player two" in heads and "Ann" not in heads and "Bob" not in heads
