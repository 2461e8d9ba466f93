"""Play in the terminal, with given input."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import redirect_stdout
from functools import reduce
from io import StringIO
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from small_games import ROUNDS

import zermelo
import zermelo.playing.seats
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.playing.analysis import assessments
from zermelo.playing.seats import BestSeat, RandomSeat
from zermelo.playing.session import COMMANDS, Session

X_WINS = "a1\nb1\na2\nb2\na3\n"


def blocks(text: str) -> list[str]:
    return text.split("\n\n")


def test_two_people(run):
    ran = run("play", "tic_tac_toe", typed=X_WINS)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(
        "Tic-tac-toe (size = 3)\nType a move, or help.\n\n3 . . .\n2 . . .\n1 . . .\n  a b c\n\nX> \n"
    )
    assert ran.out.endswith("\n3 X . .\n2 X O .\n1 X O .\n  a b c\n\nThe play has ended: X 1, O -1.\n")
    assert "is next" not in ran.out and "hidden" not in ran.out, "nothing is hidden in this game"
    assert ran.out.count("3 X . .\n2 X O .\n1 X O .\n") == 1, "the last position is shown once"


def test_a_play_may_begin_later(run):
    ran = run("play", "tic_tac_toe", "--after", "mark(a1); mark(b1); mark(a2); mark(b2)", typed="a3\n")
    assert ran.code == 0 and ran.out.endswith("\nThe play has ended: X 1, O -1.\n")
    assert run("play", "tic_tac_toe", "--after", "mark(a1); mark(a1)").err.startswith("error[illegal-move]: ")


@pytest.mark.parametrize("typed", ["mark(b2)", "mark( b2 )", "mark b2", "b2", " b2 "])
def test_ways_to_write_a_move(run, typed):
    ran = run("play", "tic_tac_toe", typed=f"{typed}\n")
    assert "2 . X ." in ran.out and ran.out.endswith("O> \nThe session is over.\n")


def test_moves_of_several_arguments_and_ambiguous_words(run):
    ran = run("play", "nim", typed="3 5\n")
    assert "left[1] = 3   left[2] = 4   left[3] = 0" in ran.out
    assert "error[illegal-move]" in run("play", "nim", typed="take(3, 6)\n").out
    assert "error[illegal-move]" in run("play", "nim", typed="3 6\n").out


def test_several_moves_with_the_same_arguments(run, game_file):
    text = """\
game "Two words"
players A
start at p
phase p:
    turn A:
        move push(n in 1..2): end payoff (n)
        move pull(n in 1..2): end payoff (-n)
"""
    ran = run("play", game_file(text), typed="2\npull 2\n")
    assert "Which one? push(2), pull(2)" in ran.out and ran.out.endswith("The play has ended: A -2.\n")


def test_a_move_may_be_named_like_a_command(run, game_file):
    text = """\
game "Help"
players A
start at p
phase p:
    turn A:
        move help: end payoff (1)
        move wait: end payoff (0)
"""
    assert run("play", game_file(text), typed="help\n").out.endswith("The play has ended: A 1.\n")


def test_commands(run):
    typed = "moves\nboard\n\nhelp\nwhy\nwhy b2\nb2\nwhy b2\nwhy mark(a1)\nb2\nquit\n"
    ran = run("play", "tic_tac_toe", typed=typed)
    assert ran.code == 0
    said = re.split("[XO]> ", ran.out)
    assert said[1].startswith("mark(a1), mark(b1), ")
    assert said[2].startswith("\n3 . . .")
    assert said[3].startswith("Type a move, or one of: moves, why, board, hint, values, belief, undo, help, quit")
    assert said[4].startswith("Type a move as it is listed") and "undo        take back" in said[4]
    assert said[5].startswith("Which move? For example: why mark(a1)")
    assert said[6].startswith("This move is legal.")
    assert said[8].startswith("error[illegal-move]: ") and "board[c] is none" in said[8]
    assert said[9].startswith("This move is legal.")
    assert said[10].startswith("error[illegal-move]: ")
    assert said[11] == "\nThe session is over.\n"


def test_a_hint_says_why_and_values_are_those_of_all_moves(run):
    """After a corner only the centre draws in tic-tac-toe."""
    ran = run("play", "tic_tac_toe", "--after", "mark(a1)", typed="hint\nvalues\n")
    said = ran.out.split("O> ")
    assert said[1].startswith("mark(b2) brings O 0, drawn. Best play goes on with ")
    rows = dict(re.findall(r"^(mark\(..\)) +(-?\d)", said[2], flags=re.MULTILINE))
    assert rows.pop("mark(b2)") == "0" and set(rows.values()) == {"-1"} and len(rows) == 7


def test_values_go_by_what_the_person_knows(run):
    said = run("play", "kuhn_poker", "--after", "deal(J, Q); bet", typed="\nvalues\nhint\n").out.split("Bob> ")
    assert re.search(r"^fold +-1 +best +2/3", said[1], flags=re.MULTILINE)
    assert "Bob knows no more than they see" in " ".join(said[1].split())
    assert "if it is mixed: fold 2/3, call 1/3" in said[2]


def test_an_interrupted_search_for_values_shows_what_it_has_found(run, monkeypatch):
    def found_and_interrupted(state, seconds, memory):
        yield next(assessments(state, seconds, memory))
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.playing.analysis.assessments", found_and_interrupted)
    ran = run("play", "chess", typed="values\n")
    assert "searched 2 plies: estimates, no values" in " ".join(ran.out.split())
    assert ran.out.endswith("White> \nThe session is over.\n")


@pytest.mark.parametrize("kind", ["mcts:50", "ismcts:50"])
def test_a_seat_makes_as_many_simulations_as_it_is_told(run, kind):
    ran = run("play", "tic_tac_toe", "--seat", f"O={kind}", "--seed", "1", typed="b2\n")
    assert "O has made 50 simulations." in ran.out


def test_a_number_that_no_seat_can_have_is_refused(run):
    for kind in ("mcts:0", "mcts:999999999999", "best:3", "mcts:x"):
        assert run("play", "tic_tac_toe", "--seat", f"O={kind}").err.startswith("error[bad-usage]"), kind


def test_undo(run):
    ran = run("play", "tic_tac_toe", typed="undo\nb2\na1\nundo\nundo\nundo\n")
    said = ran.out.split("> ")
    assert said[1].startswith("There is no move to take back.")
    assert said[4] == "\n3 . . .\n2 . X .\n1 . . .\n  a b c\n\nO"
    assert said[5] == "\n3 . . .\n2 . . .\n1 . . .\n  a b c\n\nX"
    assert said[6].startswith("There is no move to take back.")


def test_undo_goes_behind_the_answer_of_the_computer(run):
    ran = run("play", "tic_tac_toe", "--seat", "O=random", "--seed", "1", typed="b2\nundo\n")
    assert ran.out.split("> ")[2] == "\n3 . . .\n2 . . .\n1 . . .\n  a b c\n\nX"


def test_the_position_is_shown_after_every_move(run):
    """After the moves of people and of the computer, once each; the same position is not shown twice in a row."""
    ran = run("play", "tic_tac_toe", "--seat", "O=random", "--seed", "1", typed="b2\n")
    _, after_own, after_both = ran.out.split("> ")[1].partition("O: ")
    assert after_own and "2 . X .\n1 . . .\n" in ran.out.split("> ")[1].partition("O: ")[0]
    assert " O" in after_both and "2 . X ." in after_both
    watched = run("play", "tic_tac_toe", "--seat", "X=random", "--seat", "O=random", "--seed", "1").out
    moves = len(re.findall("^[XO]: ", watched, flags=re.MULTILINE))
    assert watched.count("  a b c\n") == moves + 1, "the first position, and one after each move"


def test_people_with_secrets_from_each_other_see_nothing_between_their_turns(run):
    ran = run("play", "kuhn_poker", "--seed", "1", typed="\n1\n")
    between = ran.out.split("Alice> ")[1].split("Bob is next")[0]
    assert between == "\n"


def test_the_best_answers(run):
    ran = run("play", "nim", "-p", "heaps=2", "--seat", "Bob=best", typed="1 1\n1 2\n2 2\n")
    assert "Bob: take(2, 2)" in ran.out and "plays at random" not in ran.out
    assert ran.out.endswith("The play has ended: Ann -1, Bob 1.\n")


def test_the_best_says_where_it_cannot_be_found(run):
    ran = run("play", "blind_tic_tac_toe", "--seat", "O=best", "--seed", "1", typed="mark(b2)\n")
    assert "O plays at random: no best move has been found within 20,000 nodes." in ran.out


def test_the_best_defects(run):
    ran = run("play", "prisoners_dilemma", "--seat", "Column=best", typed="cooperate\n")
    assert "Column: confess" in ran.out
    assert "The play has ended: Row 0, Column 4." in ran.out


def test_the_best_mixes_its_moves(run):
    """In Kuhn's poker, a player who answers a bet with a queen calls a third of the time."""
    state = zermelo.load("kuhn_poker").initial.after("deal(K, Q)").after("bet")
    seat = BestSeat(RandomSeat(Random(1)))
    moves = Counter(str(seat.choose(state)[0]) for _ in range(300))
    assert set(moves) == {"fold", "call"}
    assert 70 < moves["call"] < 130


def test_the_best_chooses_in_rounds_what_is_best_for_who_is_to_move():
    seat, state = BestSeat(RandomSeat(Random(1))), zermelo.loads(ROUNDS).initial
    moves = []
    while not state.is_over:
        move, remark = seat.choose(state)
        assert remark == ""
        moves.append(str(move))
        state = state.after(move)
    assert moves == ["show(high)", "show(low)"] * 2


def test_three_players_with_secrets_are_played_by_regret_minimization():
    """Three-player Kuhn has too many pure strategies to try: it is solved once, approximately, and remembered."""
    state = zermelo.load("kuhn_poker_for_several").initial
    for outcome in ("deal(4)", "deal(1)", "deal(2)"):
        state = state.after(outcome)
    seat = BestSeat(RandomSeat(Random(1)))
    move, remark = seat.choose(state)
    assert move in state.moves and re.fullmatch(
        r"P1 follows strategies from which the players gain \S+ on average, at most\.", remark
    )
    held = seat.strategy
    assert seat.choose(state)[1] == "" and seat.strategy is held


def test_a_refusal_is_remembered(monkeypatch):
    asked = []

    def refuse(facts, game, root, solver, report, limits, goal, hurries, endgames):
        asked.append((solver, limits.memory))
        raise ZermeloError("out-of-memory", "it is too large")

    monkeypatch.setattr(zermelo.playing.seats, "solve_knowing", refuse)
    state = zermelo.load("kuhn_poker").initial.after("deal(K, Q)")
    seat = BestSeat(RandomSeat(Random(1)), memory=1 << 20)
    for _ in range(3):
        assert seat.choose(state)[1] == "Alice plays at random: it is too large."
    assert asked == [(None, 1 << 20), ("cfr_plus", 1 << 20)]


def test_moves_are_listed_by_number_where_a_line_is_not_understood(run):
    ran = run("play", "kuhn_poker", "--seat", "Alice=random", "--seed", "1", typed="chekc\n1\n")
    assert "\nlegal: 1 " in ran.out and "2 " in ran.out.split("\nlegal: 1 ")[1]
    assert "The play has ended" in ran.out or ran.out.count("Bob> ") > 2
    assert "error[illegal-move]" in run("play", "nim", typed="take(3, 6)\n").out  # 3 is no number of a move there
    assert "legal: take(1, 1), take(1, 2)" in run("play", "nim", typed="take(9, 9)\n").out


@pytest.mark.parametrize(
    ("typed", "move"),
    [("1", "check"), ("2", "bet"), ("00002", "bet"), *((text, None) for text in ("0", "3", "000002", "-1", "²"))],
)
def test_a_number_is_that_of_a_move_in_the_list(typed, move):
    state = zermelo.load("kuhn_poker").initial.after("deal(J, Q)")
    session = Session(state.game, {}, Random(0), state, *[lambda *_: None] * 3)
    assert list(map(str, session.matching(typed))) == ([] if move is None else [move])


@pytest.mark.parametrize(
    ("moves", "said"), [(40, "legal: take(1), take(2)"), (41, "There are 41 legal moves, which 'moves' lists.")]
)
def test_a_long_list_of_moves_has_to_be_asked_for(run, game_file, moves, said):
    text = f'game "Many"\nplayers A\nstart at p\nphase p:\n    turn A:\n        move take(n in 1..{moves}): end\n'
    printed = run("play", game_file(text), typed="take(0)\nmoves\n").out
    assert f"\n{said}" in printed and "take(40)" in printed
    assert printed.count("take(1),") == (2 if moves == 40 else 1)


def test_a_line_of_the_greatest_length_is_read(run):
    assert "The session is over." in run("play", "nim", typed=" " * 100_000).out
    assert run("play", "nim", typed=" " * 100_001).code == 2


CONSTANT = """\
game "Prices"
players A, B
type Step = 1..3
var price[Step]: 1..9
var paid: 0..9 = 0
setup:
    for n in Step: price[n] := 3 * n
start at bid(A, 2)
phase bid(p: Player, least: 1..3):
    turn p:
        move pay(n in least..3):
            paid := price[n]
            if p == B: end win p
            go bid(other p, n)
"""


def test_what_never_changes_is_not_shown_and_the_question_is(run, game_file):
    ran = run("play", game_file(CONSTANT), typed="2\n3\n")
    assert "price" not in ran.out and "paid = 6" in ran.out
    assert "phase: bid(A, 2)" in ran.out and "phase: bid(B, 2)" in ran.out


def test_the_best_gives_up_in_the_end(run, monkeypatch):
    monkeypatch.setattr(zermelo.playing.seats, "NODES", 5)
    ran = run("play", "nim", "--seat", "Ann=best", "--seed", "1", typed="")
    said = "Ann has made 10,000 simulations. It is a guess: no best move has been found within 5 nodes."
    assert said in ran.out


CHAIRS = """\
game "Musical chairs"
players Ann, Bob, Cid
endless draw
start at sit(Ann)
phase sit(p: Player):
    turn p:
        move take: end win p
        move share: end payoff {q: (if q == p then 0 else 1) for q in Player}
        move wait: go sit(next p)
"""


def test_the_best_guesses_where_no_solver_fits(run, game_file):
    ran = run("play", game_file(CHAIRS), "--seat", "Ann=best", "--seed", "1", typed="")
    assert "Ann has made " in ran.out and "It is a guess: from the beginning the same position can" in ran.out


def test_who_tries_moves_out_takes_what_wins(run):
    ran = run("play", "tic_tac_toe", "--seat", "O=mcts", typed="a1\nb2\nc1\n")
    assert "O has made " in ran.out and " simulations." in ran.out and "plays at random" not in ran.out


def test_who_tries_moves_out_says_where_he_cannot(run):
    ran = run("play", "prisoners_dilemma", "--seat", "Column=mcts", "--seed", "1", typed="cooperate\n")
    assert "Column plays at random: the solver mcts is for games of perfect information" in ran.out


def test_who_solves_deals_with_open_cards_plays_them_out(run):
    words = ["play", "four_card_hand", "--seat", "MAX=pimc", "--seat", "MIN=pimc", "--seed", "1"]
    ran = run(*words)
    assert ran.code == 0 and "MAX has solved 2 deals with open cards." in ran.out and "at random" not in ran.out
    assert "The play has ended" in ran.out and ran.out == run(*words).out


def test_who_solves_deals_says_where_they_cannot(run):
    ran = run("play", "prisoners_dilemma", "--seat", "Column=pimc", "--seed", "1", typed="cooperate\n")
    assert "Column plays at random: pimc solves what is left of a play with open cards" in ran.out


def test_watching(run):
    words = ["play", "tic_tac_toe", "--seat", "X=random", "--seat", "O=random", "--seed", "2"]
    ran = run(*words)
    assert ran.code == 0 and ran.out == run(*words).out
    assert "Type a move" not in ran.out and "X: mark(" in ran.out and "The play has ended: " in ran.out


def test_chance_is_drawn_by_the_seed(run):
    words = ["play", "pig", "--seat", "Bob=random"]
    first = run(*words, "--seed", "3", typed="roll\nroll\nhold\n").out
    assert first == run(*words, "--seed", "3", typed="roll\nroll\nhold\n").out
    assert first != run(*words, "--seed", "4", typed="roll\nroll\nhold\n").out
    assert "chance: die(" in first


def test_nobody_sees_what_he_must_not(run):
    ran = run("play", "kuhn_poker", "--seed", "1", typed="\nbet\n\ncall\n")
    assert "deal(" not in ran.out and "\x1b" not in ran.out
    ready = "Press Enter when nobody else is looking."
    alice, bob = ran.out.split(f"Bob is next. {ready}")
    assert f"Alice is next. {ready} \nhand[Alice] = " in alice and "hand[Bob]" not in alice
    bob, end = bob.split("At the end, with what was hidden:")
    assert "Alice: bet\n\nhand[Bob] = " in bob and "hand[Alice]" not in bob
    assert "hand[Alice] = " in end and "hand[Bob] = " in end
    assert end.rstrip().splitlines()[-1].startswith("The play has ended: Alice ")


def test_a_terminal_is_cleared_before_it_is_handed_over(run, monkeypatch):
    """The screen and what has scrolled off it."""
    monkeypatch.setattr("zermelo.playing.session.is_lively", lambda stream: True)
    ran = run("play", "kuhn_poker", "--seed", "1", typed="\nbet\n\ncall\n")
    for name in ("Alice", "Bob"):
        assert f"\x1b[2J\x1b[3J\x1b[H\n{name} is next. Press Enter" in ran.out


def test_a_single_person_needs_no_curtain(run):
    ran = run("play", "kuhn_poker", "--seat", "Alice=random", "--seed", "1", typed="")
    assert "is next" not in ran.out and "hand[Bob] = " in ran.out and "hand[Alice]" not in ran.out


def test_choices_at_once_stay_unseen(run):
    ran = run("play", "rock_paper_scissors", "--seat", "One=random", "--seed", "1", typed="rock\n")
    before, after = ran.out.split("Two> ")
    assert "One:" not in before and "One: show(" in after


def test_belief_is_that_of_the_person_at_the_keyboard(run):
    """With K against a bet, J and Q are as likely as each other, if Alice bets with any card."""
    play = ("play", "kuhn_poker", "--after", "deal(J, K); bet", "--seat", "Alice=random")
    ran = run(*play, typed="belief\nbelief best\nbelief Alice\nbelief none.json\n")
    prior, equilibrium, other, missing, _ = ran.out.split("Bob> ")[1:]
    assert prior.split("\n\n")[0].splitlines()[1:] == [
        "Bob believes:",
        "probability  hand[Alice]",
        "1/2 = 0.5    J",
        "1/2 = 0.5    Q",
    ]
    assert "the others  the equilibrium that has been found" in equilibrium
    assert "What Alice believes would tell you what they know." in other and "believes:" not in other
    assert "error[unreadable-file]: none.json" in missing


def test_who_does_not_wait_for_a_belief_plays_on(run):
    with patch("zermelo.decisions.belief", side_effect=KeyboardInterrupt):
        ran = run("play", "kuhn_poker", "--after", "deal(J, K); bet", "--seat", "Alice=random", typed="belief\nfold\n")
    assert "The belief has been interrupted." in ran.out and ran.out.endswith("The play has ended: Alice 1, Bob -1.\n")


def test_saved_strategies_take_a_seat(run, tmp_path):
    """Alice never bets with the queen, in any equilibrium, and always folds the jack to a bet."""
    file = tmp_path / "kuhn.json"
    file.write_text(run("solve", "kuhn_poker", "--json").out, encoding="utf-8")
    seat = ("--seat", f"Alice={file}")
    for first, said in (("deal(Q, J)", "Alice: check"), ("deal(Q, K)", "Alice: check")):
        assert said in run("play", "kuhn_poker", "--after", first, *seat, typed="").out
    folded = run("play", "kuhn_poker", "--after", "deal(J, Q); check; bet", *seat, typed="").out
    assert folded.endswith("The play has ended: Alice -1, Bob 1.\n")


def test_files_that_do_not_fit_are_refused(run, tmp_path):
    file = tmp_path / "kuhn.json"
    file.write_text(run("solve", "kuhn_poker", "--json").out, encoding="utf-8")
    assert "error[bad-strategy]" in run("play", "leduc_poker", "--seat", f"Alice={file}").err
    wrong = run("play", "kuhn_poker", "--seat", "Alice=besst")
    assert wrong.code == 2 and "error[bad-usage]" in wrong.err and "or a FILE of strategies" in wrong.err


def test_the_end_of_the_input_ends_the_session(run):
    for typed in ("", "\n", "b2\n", "why"):
        ran = run("play", "tic_tac_toe", typed=typed)
        assert (ran.code, ran.err) == (0, "") and ran.out.endswith("The session is over.\n")


@pytest.fixture(scope="module")
def games():
    return [zermelo.load(name) for name in ("tic_tac_toe", "kuhn_poker", "pig", "rock_paper_scissors")]


WORDS = [
    "a1",
    "b2",
    "mark(a1)",
    "mark(",
    ")(",
    "bet",
    "check",
    "roll",
    "hold",
    "rock",
    "why a1",
    "why ((",
    "mark(a1, b1)",
]


@settings(max_examples=many(50))
@given(number=st.integers(0, 3), typed=st.lists(st.sampled_from([*WORDS, *COMMANDS, ""]) | st.text(), max_size=12))
def test_whatever_is_typed_the_session_ends_well(games, number, typed):
    waiting = iter(typed)

    def answer(prompt: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    with redirect_stdout(StringIO()) as printed, patch("zermelo.playing.session._typed", answer):
        Session(games[number], {}, Random(0), games[number].initial, *[lambda *_: None] * 3).run()
    assert printed.getvalue().endswith(("The session is over.\n", ".\n"))


def test_who_learns_online_says_how_much(run):
    words = ["play", "kuhn_poker", "--seat", "Alice=oos", "--seat", "Bob=oos", "--seed", "2"]
    one, again = run(*words), run(*words)
    assert one.code == 0 and "Alice has made 10,000 iterations." in one.out and "at random" not in one.out
    assert one.out == again.out


def test_who_simulates_deals_that_fit_plays_them_out(run):
    words = ["play", "liars_dice", "--seat", "Ann=ismcts", "--seat", "Bob=ismcts", "--seed", "1"]
    one, again = run(*words), run(*words)
    assert one.code == 0 and "Ann has made 10,000 simulations." in one.out and "at random" not in one.out
    assert one.out == again.out


SOMEBODY_MAY_HAVE_COME = """\
game "Somebody may have come by"
players Ann, Bob
claim zero_sum
var came: Bool = false   hidden
start at draw
phase draw:
    chance:
        outcome home prob 1/2: go guess
        outcome visit prob 1/2:
            came := true
            go look
phase look:
    turn Bob:
        move steal secret: go guess
        move leave secret: go guess
phase guess:
    turn Ann:
        move say(b in Bool): end win if b == came then Ann else Bob
"""


def test_a_remark_does_not_betray_a_decision_that_nobody_has_noticed(run, game_file):
    words = ["play", game_file(SOMEBODY_MAY_HAVE_COME), "--seat", "Bob=oos"]
    plays = [run(*words, "--seed", str(seed), typed="say(true)\n").out.split("Ann> ") for seed in range(4)]
    ends = {after.count("came = true") for _, after in plays}
    assert ends == {0, 1}, "Bob comes in some of them"
    assert len({before for before, _ in plays}) == 1
    assert all(("Bob has made" in after) == ("came = true" in after) for _, after in plays)


class Remarking:
    """Makes the first move, and says that Bob has thought."""

    def choose(self, state):
        return state.moves[0], "Bob has thought."


@pytest.mark.parametrize(("chance", "remarks"), [("home", 0), ("visit", 1)])
@pytest.mark.parametrize("answer", ["say(true)", None])
def test_a_remark_waits_for_the_end_where_nobody_has_noticed_the_decision(chance, remarks, answer):
    game = zermelo.loads(SOMEBODY_MAY_HAVE_COME)
    before = []

    def typed(prompt):
        before.append(printed.getvalue())
        if answer is None:
            raise EOFError
        return answer

    with redirect_stdout(StringIO()) as printed, patch("zermelo.playing.session._typed", typed):
        Session(game, {"Bob": Remarking()}, Random(0), game.initial.after(chance), *[lambda *_: None] * 3).run()
    (asked,) = before
    assert "thought" not in asked and printed.getvalue().count("Bob has thought.\n") == remarks


@pytest.mark.parametrize(
    ("name", "after", "words", "completed"),
    [
        ("tic_tac_toe", [], "b2", "mark(b2)"),
        ("tic_tac_toe", [], "mark b2", "mark b2"),
        ("tic_tac_toe", [], "(b2", "(b2"),
        ("nim", [], "3 6", "take(3, 6)"),
        ("nim", [], "3, 6", "take(3, 6)"),
        ("kuhn_poker", ["deal(J, Q)"], "b2", "b2"),
    ],
)
def test_the_name_of_the_only_kind_of_move_may_be_left_out(name, after, words, completed):
    state = reduce(zermelo.State.after, after, zermelo.load(name).initial)
    assert Session(state.game, {}, Random(0), state, *[lambda *_: None] * 3).completed(words) == completed


def test_a_remark_about_a_move_that_is_seen_is_made_at_once(run):
    ran = run("play", "kuhn_poker", "--seat", "Alice=oos", typed="")
    before, _ = ran.out.split("Bob> ", 1)
    assert "Alice has made 10,000 iterations." in before
