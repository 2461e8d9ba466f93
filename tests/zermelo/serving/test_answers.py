"""What is answered to the questions of the page: the same as the commands and the language server say."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction
from random import Random

import pytest
from asking import ask
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.gamedefs import names, path
from zermelo.serving.answers import Answers
from zermelo.serving.questions import translate_options

TEXTS = {name: path(name).read_text(encoding="utf-8") for name in names()}


@pytest.fixture(scope="module")
def answers():
    return Answers(600.0, 200 << 20)


@pytest.fixture(scope="module")
def asked(answers):
    def ask(name, source, **fields):
        status, content = answers.answer(name, json.dumps({"source": source, **fields}).encode(), lambda words: None)
        assert status == 200, content
        return json.loads(content)

    return ask


def refused(answers, name, **fields):
    status, content = answers.answer(name, json.dumps(fields).encode(), lambda words: None)
    return status, json.loads(content)


# ---------------------------------------------------------------- texts


def test_findings_are_those_of_check(asked):
    text = TEXTS["tic_tac_toe"].replace("if board[c] is none", "if bord[c] is none")
    found = asked("findings", text)
    assert [finding["code"] for finding in found["diagnostics"]] == [each.code for each in zermelo.check(text)]
    assert found["fixes"][0]["edit"]["changes"]["page"][0]["newText"] == "board"
    lines = text.split("\n")
    named = {lines[line][start : start + length]: kind for line, start, length, kind in found["tokens"]}
    assert named["Cell"] == "type" and named["mark"] == "event" and named["size"] == "variable"


def test_findings_at_the_extremes_come_if_they_are_wanted(asked):
    text = """\
game "A game"
players Ann, Bob
param small: 0..9 = 5
start at play
phase play:
    turn Ann:
        move go_on(n in {1 / small}): end win Ann
"""
    before = asked("findings", text)["diagnostics"]
    whole = asked("findings", text, whole=True)["diagnostics"]
    assert [finding["code"] for finding in whole] == [finding.code for finding in zermelo.check(text)]
    assert [finding for finding in whole if "(if small = 0)" in finding["message"]]
    assert len(before) < len(whole)


def test_words_are_completed_and_explained(asked):
    items = asked("completion", TEXTS["nim"] + "\nexp", position={"line": 10_000, "character": 3})
    assert "expect" in [item["label"] for item in items]
    assert "heaps" in asked("hover", TEXTS["nim"], position={"line": 2, "character": 7})["contents"]["value"]
    assert asked("hover", TEXTS["nim"], position={"line": 0, "character": 200}) is None


def test_a_text_is_formatted(asked):
    text = TEXTS["tic_tac_toe"]
    assert asked("format", text.replace("    turn p:", "    turn   p :"))["source"] == text


def test_a_game_that_does_not_load_is_refused_with_its_findings(answers):
    status, refusal = refused(answers, "rules", source=TEXTS["nim"].replace("players", "plaiers"))
    assert status == 422
    assert refusal["code"] == "misspelled-keyword" and refusal["message"].startswith("line 6: ")
    assert refusal["diagnostics"][0]["severity"] == 1 and refusal["diagnostics"][0]["range"]["start"]["line"] == 5


# ---------------------------------------------------------------- plays


def test_rules_tell_who_sees_what(asked):
    rules = asked("rules", TEXTS["kuhn_poker"])
    assert rules["players"] == ["Alice", "Bob"]
    alice = rules["sees"][0]
    assert alice["player"] == "Alice"
    assert [each for each in alice["sees"] if "hand" in each] and [each for each in alice["hidden"] if "hand" in each]
    assert any(fact.startswith("sum: zero") for fact in rules["facts"])


def test_parameters_make_another_game(asked):
    assert asked("rules", TEXTS["nim"], parameters={"heaps": "2"})["parameters"][0]["value"] == "2"


@pytest.mark.parametrize("viewer", ["Alice", "Bob"])
def test_a_position_holds_nothing_that_is_hidden(asked, viewer):
    """Of Kuhn poker: nothing at all differs if the other has another card."""
    other = {"Alice": "deal(J, {})", "Bob": "deal({}, J)"}[viewer]
    for play in ([], ["check"], ["check", "bet"]):
        seen = [
            asked("position", TEXTS["kuhn_poker"], play=[other.format(card), *play], view=viewer) for card in ("Q", "K")
        ]
        assert seen[0] == seen[1]


def test_a_position_as_somebody_else_sees_it_has_no_moves(asked):
    here = asked("position", TEXTS["kuhn_poker"], play=["deal(K, J)"], view="Bob")
    assert here["actor"] == "Alice" and here["moves"] == [] and "J" in here["seen"]
    begin = asked("position", TEXTS["kuhn_poker"], play=[], view="Bob")
    assert begin["actor"] == "chance" and begin["outcomes"] == []
    drawn = asked("position", TEXTS["kuhn_poker"], play=[], view=None)["outcomes"]
    assert len(drawn) == 6 and sum(Fraction(each["probability"]) for each in drawn) == 1


def test_the_phase_is_told_where_it_says_more_than_the_name(asked):
    begin = asked("position", TEXTS["fibonacci_nim"], play=[], view=None)
    assert begin["status"] == "Ann is to move in the phase play(Ann, 11)"
    assert asked("position", TEXTS["tic_tac_toe"], play=[], view=None)["status"] == "X is to move"


def test_cells_of_moves_can_be_clicked(asked):
    here = asked("position", TEXTS["breakthrough"], play=[], view=None)
    for move in here["moves"]:
        assert all(f'data-cell="{cell}"' in here["svg"] for cell in move["cells"]) and len(move["cells"]) == 2
    assert " style=" not in here["svg"] and "<script" not in here["svg"]


def test_a_column_stands_for_the_cell_that_changes_there(asked):
    here = asked("position", TEXTS["connect_four"], play=["drop(4)"], view=None)
    assert [move["cells"] for move in here["moves"]] == [[f"{file}{2 if file == 'd' else 1}"] for file in "abcdefg"]
    assert here["svg"].count('data-cell="d2"') == here["svg"].count('data-cell="a1"') == 6
    assert 'data-cell="d1"' not in here["svg"]


def test_a_board_is_seen_from_both_ends(asked):
    there, back = (asked("position", TEXTS["chess"], play=[], view=None, flipped=each) for each in (False, True))
    first = [
        re.search(r'data-cell="(\w+)" class="cell"><rect x="(\S+)" y="(\S+)"', here["svg"]).groups()
        for here in (there, back)
    ]
    assert first[0][0] == first[1][0] and first[0][1:] != first[1][1:]
    assert {**there, "svg": ""} == {**back, "svg": ""}


def test_a_play_is_made_again_as_far_as_it_is_legal(asked):
    play = ["drop(4)", "drop(4)", "drop(9)", "drop(1)"]
    made = [{"move": "drop(4)", "actor": "Red"}, {"move": "drop(4)", "actor": "Yellow"}]
    assert asked("replay", TEXTS["connect_four"], play=play) == {"kept": made}
    dealt = [{"move": "deal(K, J)", "actor": "chance"}, {"move": "bet", "actor": "Alice"}]
    assert asked("replay", TEXTS["kuhn_poker"], play=["deal(K, J)", "bet"]) == {"kept": dealt}
    assert asked("replay", TEXTS["nim"], play=[]) == {"kept": []}


def test_the_end_has_payoffs(asked):
    play = ["mark(a1)", "mark(a2)", "mark(b1)", "mark(b2)", "mark(c1)"]
    here = asked("position", TEXTS["tic_tac_toe"], play=play, view=None)
    assert here["actor"] is None and here["payoff"] == {"X": "1", "O": "-1"} and here["moves"] == []


@pytest.mark.parametrize("name", ["bridge", "four_card_whist", "battleship", "chess", "backgammon", "pig"])
def test_large_games_are_played(asked, name):
    """Also where the outcomes of chance are too many to list."""
    players, play = asked("rules", TEXTS[name])["players"], []
    for _ in range(4):
        for viewer in (None, *players):
            here = asked("position", TEXTS[name], play=play, view=viewer)
        if here["actor"] is None:
            break
        play.append(asked("reply", TEXTS[name], play=play, seat="random")["move"])
    assert play


@pytest.mark.parametrize("seat", ["best", "random", "mcts", "mcts:100", "pimc", "ismcts", "ismcts:100", "oos"])
def test_every_seat_answers(asked, seat):
    reply = asked("reply", TEXTS["kuhn_poker"], play=["deal(K, J)", "bet"], seat=seat)
    assert reply["move"] in ("call", "fold")


CHICKEN_WITH_A_DISCOUNT = """\
game "Who goes on"
players Ann, Bob
discount 9/10
start at first_step
phase first_step:
    turn Ann:
        move try: go loop
        move stop: end payoff (-5, 5)
phase loop:
    together:
        move pick(n in 1..2)
    then:
        if pick[Ann].n == 1 and pick[Bob].n == 1: go loop
        if pick[Ann].n == 1 and pick[Bob].n == 2: end payoff (1, -1)
        if pick[Ann].n == 2 and pick[Bob].n == 1: end payoff (3, -3)
        end payoff (0, 0)
"""


def test_a_hint_says_where_the_worth_is_only_bounded(asked):
    said = asked("hint", CHICKEN_WITH_A_DISCOUNT, play=[])["said"]
    assert said.startswith("try brings Ann 0.") and said.endswith(", as far as it is known")


def test_a_hint_is_a_best_move_and_its_worth(asked):
    play = ["mark(a1)", "mark(a2)", "mark(b1)", "mark(b2)"]
    hint = asked("hint", TEXTS["tic_tac_toe"], play=play)
    assert hint == {"move": "mark(c1)", "value": "1", "said": "mark(c1) brings X 1, won in 1"}
    hint = asked("hint", TEXTS["tic_tac_toe"], play=[*play, "mark(a3)"])
    assert hint == {"move": "mark(c2)", "value": "1", "said": "mark(c2) brings O 1, won in 1"}


# ---------------------------------------------------------------- analysis


def test_an_analysis_says_what_each_move_brings_and_what_it_loses(asked):
    """Of tic-tac-toe: after a corner only the centre draws."""
    found = asked("analysis", TEXTS["tic_tac_toe"], play=["mark(a1)"])
    moves = {each["move"]: each for each in found["moves"]}
    assert [move for move, each in moves.items() if each["isBest"]] == ["mark(b2)"]
    assert (moves["mark(b2)"]["text"], moves["mark(b2)"]["loss"]) == ("drawn", "")
    assert (moves["mark(a2)"]["text"], moves["mark(a2)"]["loss"]) == ("lost in 6", "from drawn to lost in 6")
    assert moves["mark(a2)"]["values"]["X"]["text"] == "won in 6" and moves["mark(a2)"]["standing"] == "lost"
    assert found["values"]["O"] == {"number": 0, "text": "drawn", "standing": "drawn", "span": [-1, 1]}
    assert found["isExact"] and found["said"] == "exact values"
    begin = found["line"][0]
    assert begin == {"move": "mark(b2)", "actor": "O", "cells": ["b2"]} and len(found["line"]) == 8


def test_best_play_names_the_cells_that_moves_change(asked):
    found = asked("analysis", TEXTS["connect_four"], play=[], parameters={"rows": "2", "columns": "2", "run": "2"})
    assert found["line"][0]["cells"] in (["a1"], ["b1"]) and len(found["line"]) == 3


def test_what_chance_draws_is_worth_the_mean(asked):
    """Of what MIN leaves behind heads and tails, 2 and 4."""
    found = asked("analysis", TEXTS["coin_flip_tree"], play=["left"])
    assert [each["text"] for each in found["moves"]] == ["2", "4"]
    assert {player: each["text"] for player, each in found["values"].items()} == {"MAX": "3", "MIN": "-3"}


def test_an_analysis_knows_nothing_that_is_hidden_from_the_player_to_move(asked):
    found = [asked("analysis", TEXTS["kuhn_poker"], play=[f"deal({card}, J)", "check"]) for card in "QK"]
    assert found[0]["moves"] and found[0]["values"].keys() == {"Bob"}
    assert found[0] == found[1]


@pytest.mark.parametrize("viewer, count", [(None, 2), ("Alice", 0), ("Bob", 2)])
def test_an_analysis_is_for_the_player_to_move_alone(asked, viewer, count):
    found = asked("analysis", TEXTS["kuhn_poker"], play=["deal(Q, J)", "check"], view=viewer)
    assert len(found["moves"]) == count and (found["values"] != {}) == (count > 0)


def test_nobody_is_told_what_hidden_draws_of_chance_bring(asked):
    assert asked("analysis", TEXTS["kuhn_poker"], play=[])["moves"] == []


# ---------------------------------------------------------------- searches


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "pig", "battle_of_the_sexes"])
def test_a_solution_is_that_of_the_command(asked, name, tmp_path):
    file = tmp_path / "<text>"
    file.write_text(TEXTS[name], encoding="utf-8")
    command = [sys.executable, "-m", "zermelo", "solve", "<text>"]

    def printed(*options):
        run = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, env={"COLUMNS": "80"})
        return run.stdout

    solved = asked("solve", TEXTS[name])
    page, strategy = solved.pop("page"), solved.pop("strategy")
    record = json.loads(printed("--json", "--brief"))
    for each in (solved, record):
        del each["seconds"]
    assert solved == record
    assert page.splitlines()[:3] == printed().splitlines()[:3]
    assert [each["player"] for each in strategy] == [each["player"] for each in record["strategies"]]


def test_a_solver_gets_what_the_fields_say(answers, monkeypatch):
    """How far and how long, how many iterations and simulations: as the options of the command."""
    monkeypatch.setattr("zermelo.serving.answers._PAUSE", 0.0)  # however fast a depth is done

    def found(name, **fields):
        heard = []
        question = json.dumps({"source": TEXTS[name], **fields}).encode()
        status, content = answers.answer("solve", question, heard.append)
        assert status == 200, content
        return json.loads(content), heard

    to_a_depth, heard = found("connect_four", solver="iterative_deepening", depth=3)
    assert to_a_depth["counts"]["depth"] == 3 and to_a_depth["certainty"] == "depth-limited"
    assert any("moves ahead, drop(" in words for words in heard)
    assert found("kuhn_poker", solver="cfr", iterations=7)[0]["counts"]["iterations"] == 7
    assert found("tic_tac_toe", solver="mcts", simulations=50, seed=3)[0]["counts"]["simulations"] == 50
    status, refusal = refused(answers, "solve", source=TEXTS["nim"], solver="minimax", iterations=7)
    assert (status, refusal["code"]) == (422, "does-not-iterate") and "“Iterations”" in refusal["hint"]


def test_a_tree_is_a_picture(asked):
    drawn = asked("tree", TEXTS["two_ply_tree"], play=[], depth=None, solver="alphabeta")["svg"]
    assert drawn.startswith("<svg") and " style=" not in drawn
    assert "Tic-tac-toe" in asked("tree", TEXTS["tic_tac_toe"], play=[], depth=1, solver=None)["svg"]


@pytest.mark.parametrize("solver", ["minimax", "alphabeta", "expectiminimax", "maxn"])
@pytest.mark.parametrize("name", ["tic_tac_toe", "two_ply_tree"])
def test_a_search_is_drawn_to_the_depth_of_the_page(asked, name, solver):
    """Two moves ahead: one game has an estimate, and the other needs none."""
    drawn = asked("tree", TEXTS[name], play=[], depth=2, solver=solver)["svg"]
    assert TEXTS[name].split('"')[1] in drawn and ("2 moves ahead" in drawn)


@pytest.mark.parametrize(
    "fields, code",
    [
        ({"depth": 1, "solver": "minimax"}, "needs-estimate"),
        ({"depth": 1, "solver": "minmax"}, "unknown-solver"),
        ({"depth": 1, "solver": "star1"}, "needs-estimate"),
        ({"depth": 2, "solver": "paranoid"}, "needs-several-opponents"),
        ({"depth": 2, "solver": "alphabeta_table"}, "searches-to-the-end"),
    ],
)
def test_a_tree_is_refused_in_words_of_the_page(answers, fields, code):
    """Options are there in whole commands alone, which are for the terminal."""
    status, refusal = refused(answers, "tree", source=TEXTS["two_ply_tree"], play=[], **fields)
    assert (status, refusal["code"]) == (422, code)
    assert "--" not in re.sub(r"`zermelo [^`]*`", "", refusal["message"] + refusal["hint"])


def test_options_have_the_names_of_the_page():
    """Its fields, options of the server, and whole commands for what it has no field for."""
    whole = "`zermelo solve --depth N --estimate rollouts`"
    texts = [
        ("draw", "leave out --solver: --depth alone", "leave out the solver: “Moves ahead” alone"),
        ("draw", "--depth N searches N moves ahead", "“Moves ahead” searches N moves ahead"),
        ("solve", "--depth N looks further", "“Moves ahead” looks further"),
        ("solve", "--nodes N looks further", "`zermelo solve --nodes N` looks further"),
        ("solve", "`--solver ismcts` compares", "the solver ismcts compares"),
        ("solve", "--time and --memory 4M", "`zermelo serve --time` and `zermelo serve --memory 4M`"),
        ("solve", whole, whole),
        ("moves", "`--after` leads to a decision", "`zermelo moves --after` leads to a decision"),
        ("solve", "a -- b -1 x--y", "a -- b -1 x--y"),
    ]
    for command, said, shown in texts:
        assert translate_options(said, command) == shown


def test_a_refusal_and_a_solution_name_no_option_of_the_terminal(answers, asked, monkeypatch):
    _, record = refused(answers, "tree", source=TEXTS["kuhn_poker"], play=[], depth=2, solver="minimax")
    assert "--" not in record["message"] + record["hint"] and "the solver" in record["hint"]
    monkeypatch.setattr(
        "zermelo.serving.plays.solve_game", lambda *_: {"page": "... and 9 more rows, which --all lists"}
    )
    assert "which `zermelo solve --all` lists" in asked("solve", TEXTS["kuhn_poker"])["page"]


# ---------------------------------------------------------------- questions that nobody asks


@pytest.mark.parametrize(
    "name, fields",
    [
        ("findings", {}), ("findings", {"source": 7}), ("findings", {"source": "\ud800"}),
        ("hover", {"source": "", "position": 3}), ("hover", {"source": "", "position": {"line": -1, "character": 0}}),
        ("position", {"source": TEXTS["nim"], "play": "take"}), ("position", {"source": TEXTS["nim"], "play": [[]]}),
        ("tree", {"source": TEXTS["nim"], "depth": "2"}), ("tree", {"source": TEXTS["nim"], "depth": 10**30}),
        ("rules", {"source": TEXTS["nim"], "parameters": []}),
        ("rules", {"source": TEXTS["nim"], "parameters": {"heaps": 3}}),
        ("position", {"source": TEXTS["nim"], "flipped": 1}),
        ("reply", {"source": TEXTS["nim"]}), ("hint", {"source": TEXTS["kuhn_poker"]}),
    ],
)  # fmt: skip
def test_a_question_of_another_form_is_refused(answers, name, fields):
    status, refusal = refused(answers, name, **fields)
    assert status == 400
    assert refusal["code"] == "bad-usage" and refusal["message"]


@pytest.mark.parametrize("data", [b"", b"[]", b"nothing", b"[" * 100_000, b'{"source": "\xff"}', b"1" * 10_000])
def test_what_is_no_question_is_refused(answers, data):
    assert answers.answer("findings", data, lambda words: None)[0] == 400


@pytest.mark.parametrize(
    "source",
    ["(" * 50_000, "game " * 20_000, "\n".join(" " * k + "if true:" for k in range(1_000)), "\0", "\x1b[2J",
     "#" * 900_000, 'game "' + "x" * 500_000 + '"', "param n: 1..99999999999999999999 = 5",
     'game "x"\nplayers 10000000000'],
    ids=range(9),
)  # fmt: skip
def test_catastrophic_texts_have_findings(asked, source):
    assert asked("findings", source, whole=True)["diagnostics"]


def test_a_parameter_out_of_range_is_refused(answers):
    for value in ("10" * 1_000, "-1", "1/3", "x", "9" * 5_000):
        status, refusal = refused(answers, "rules", source=TEXTS["nim"], parameters={"heaps": value})
        assert status == 422 and refusal["message"]


@given(st.text(max_size=200), st.integers(0, 300), st.integers(0, 300))
def test_any_text_is_answered(text, line, character):
    answers = Answers(600.0, 200 << 20)
    source = TEXTS["nim"][: line * 3] + text
    question = json.dumps({"source": source, "position": {"line": line, "character": character}, "play": []}).encode()
    for name in ("findings", "completion", "hover", "format", "rules", "position"):
        assert answers.answer(name, question, lambda words: None)[0] in (200, 400, 422)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interrupt in a destructor
def test_an_interrupt_leaves_nothing_behind():
    """Questions that are taken back at any moment change no later answer of the same process."""
    random, armed = Random(18), False

    def interrupted(*_):
        if armed:
            raise KeyboardInterrupt

    texts = {name: TEXTS[name] for name in ("kuhn_poker", "backgammon")}
    texts["wrong"] = TEXTS["chess"].replace("idle: 0..100", "idel: 0..100")
    kinds, answers, before = ("findings", "rules"), Answers(600.0, 200 << 20), signal.getsignal(signal.SIGALRM)

    def answer(answers, kind, text):
        return answers.answer(kind, json.dumps({"source": text, "whole": True}).encode(), lambda words: None)

    fresh = {(kind, name): answer(Answers(600.0, 200 << 20), kind, texts[name]) for kind in kinds for name in texts}
    signal.signal(signal.SIGALRM, interrupted)
    try:
        for _ in range(100):
            lines = texts[random.choice(list(texts))].split("\n")
            lines[random.randrange(len(lines))] += " # x"
            with suppress(KeyboardInterrupt):
                armed = True
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.04))
                answer(answers, random.choice(kinds), "\n".join(lines))
                armed = False
            armed = False
            asked = random.choice(list(fresh))
            assert answer(answers, asked[0], texts[asked[1]]) == fresh[asked]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_server_says_its_limits(address):
    found = ask(address, "/api/limits").json
    assert found["seconds"] == 600 and found["solves"] >= 1 and found["bytes"] == 1 << 20


def test_a_search_tells_its_progress(address):
    events = ask(address, "/api/solve", {"source": TEXTS["tic_tac_toe"], "parameters": {}, "solver": None}).events
    kinds = [kind for kind, _ in events]
    assert kinds[-1] == "solved" and set(kinds[:-1]) == {"progress"}
    assert events[0][1]["text"] == "looking at the positions"
    events = ask(address, "/api/solve", {"source": TEXTS["tic_tac_toe"], "solver": "alpabeta"}).events
    assert events[-1][0] == "refused" and events[-1][1]["code"] == "unknown-solver"
