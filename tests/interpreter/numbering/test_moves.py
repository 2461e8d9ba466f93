"""Numbers of moves: every legal move has one, they are what the page says, and too many are refused with a count."""

from __future__ import annotations

from random import Random

import pytest
from random_cases import seeds
from random_games.writer import write_game

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END

TWO_PHASES = """\
game "Two phases"
players Ann, Bob

type Piece = king < queen < rook

phase first:
    turn Ann:
        move name(a in {queen, rook}, n in 1..2): go second
        move pass: go second

phase second:
    turn Bob:
        move pass: end draw
        move name(a in Piece, n in 0..1?): end draw

start at first
"""

FAR = """\
game "Far"
players Ann, Bob

type Card = 1..30

var hand: set of Card = {}
var left: 0..30 = 3

phase first:
    turn Ann:
        move WHICH: end draw

start at first
"""


def test_moves_of_one_name_are_together_and_the_last_argument_runs_fastest():
    moves = zermelo.loads(TWO_PHASES).moves
    assert [str(move) for move in moves] == [
        "name(queen, 1)", "name(queen, 2)", "name(queen)", "name(queen, 0)",
        "name(rook, 1)", "name(rook, 2)", "name(rook)", "name(rook, 0)",
        "name(king, 1)", "name(king, 2)", "name(king)", "name(king, 0)", "pass",
    ]  # fmt: skip
    assert [(group.name, group.first, group.sizes) for group in moves.groups] == [("name", 0, (3, 4)), ("pass", 12, ())]


def test_a_numbering_is_a_sequence():
    moves = zermelo.load("tic_tac_toe").moves
    assert len(moves) == 9 and str(moves[-1]) == "mark(c3)" and list(map(str, moves[1:3])) == ["mark(b1)", "mark(c1)"]
    assert [moves.index(move) for move in moves] == list(range(9))
    assert zermelo.load("nim").moves[0] not in moves and "mark(a1)" not in moves
    with pytest.raises(ValueError, match="none of these moves"):
        moves.index(zermelo.load("nim").moves[0])
    with pytest.raises(IndexError):
        moves[9]


@pytest.mark.parametrize(
    ("name", "moves", "outcomes"),
    [
        ("kuhn_poker", 4, 9), ("leduc_poker", 4, 12), ("connect_four", 7, 0), ("chess", 64 * 64 * 5 + 2, 0),
        ("go", 82, 0), ("pig", 2, 6), ("goofspiel", 3, 3), ("two_ply_tree", 12, 0),
    ],
)  # fmt: skip
def test_how_many_there_are(name, moves, outcomes):
    """Chess: from, to, and one of four pieces or none, and two castlings; a deal of Kuhn poker names two of three
    cards, legal or not."""
    game = zermelo.load(name)
    assert (len(game.moves), len(game.outcomes)) == (moves, outcomes)


@pytest.mark.parametrize(
    ("name", "asked", "code", "said"),
    [
        ("bridge", "outcomes", "too-many-outcomes", "more than 1,000,000,000,000,000 to number"),
        ("four_card_whist", "outcomes", "too-many-outcomes", "there are 1,293,121,600 to number"),
    ],
)
def test_too_many_are_refused_with_their_number(name, asked, code, said):
    with pytest.raises(ZermeloError, match=said) as refused:
        getattr(zermelo.load(name), asked)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("which", "count"),
    [
        ("put(s in subsets(Card, 2))", 435),
        ("put(s in subsets(hand, 2))", 435),
        ("put(c in hand)", 30),
        ("put(a in 1..1000, b in 1..1000)", 1_000_000),
    ],
)
def test_sets_of_known_sizes_are_counted_so(which, count):
    assert len(zermelo.loads(FAR.replace("WHICH", which)).moves) == count


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("put(a in 1..1001, b in 1..1000)", "1,001,000"),
        ("put(s in subsets(hand, left))", "1,073,741,824"),
    ],
)
def test_one_too_many(which, said):
    with pytest.raises(ZermeloError, match=said) as refused:
        _ = zermelo.loads(FAR.replace("WHICH", which)).moves
    assert refused.value.code == "too-many-moves"


@pytest.mark.parametrize("number", seeds(60))
def test_every_legal_move_has_a_number_of_its_own(number):
    game = random_game(number)
    if game is None:
        return
    random, machine = Random(number), game.reference
    try:
        moves, outcomes = game.moves, game.outcomes
        state = machine.initial()
        for _ in range(30):
            actor = machine.actor(state)
            if actor == END:
                return
            legal = [move for move, _ in machine.outcomes(state)] if actor == CHANCE else machine.moves(state)
            numbering = outcomes if actor == CHANCE else moves
            numbers = [numbering.index(move) for move in legal]
            assert len(set(numbers)) == len(legal)
            assert [numbering[k] for k in numbers] == list(legal)
            state = machine.after(state, random.choice(legal))
    except ZermeloError:  # an error of the rules, or too many
        return


def random_game(number):
    """A random game; None if its text is not accepted."""
    try:
        return zermelo.loads(write_game(Random(number)))
    except ZermeloError:
        return None
