"""The page with the whole language: every piece of it is legal where it belongs, and means what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import COMMANDS, main
from zermelo.grammar.diagnostics import ZermeloError

SHEET = (Path(__file__).parents[2] / "grammar" / "sheet.md").read_text(encoding="utf-8")
GAME, DECISIONS = re.findall(r"```(?:game|text)\n(.*?)```", SHEET, re.S)
PROSE = re.sub(r"```.*?```", "", SHEET, flags=re.S)

DECLARED = """\
game "Pieces"
players Ann, Bob
type Cell = grid(3, 3)
type Card = J < Q < K
type Rank = {J, Q, K}
type Suit = hearts | spades
type Kind = queen | rook | pawn
type T = 0..9
define S = {1, 2, 3}
define A = {a1, b1}
define B = {c3}
define worth_of = {queen: 9, rook: 5}
define w = {J: 1, Q: 1, K: 2}
define unused = left
var left: 0..9 = 5
var at: Cell? = none
var board[Cell]: Player? = none
var score[Player]: 0..9 = 0
var coins[Player]: 0..9 = 3
var hand[Player]: set of Card = {} private
var deck: set of Card = Card
start at first_phase
phase first_phase: go play(Ann)
"""
BODY = """\
phase play(p: Player):
    turn p:
        move m(c in Cell, d in orthogonal, k in Kind, x in 2..9):
"""
PLACES = (
    "type Named = {}\n" + BODY + "            end draw\n",
    "var other_variable: 0..9 = 0 {}\n" + BODY + "            end draw\n",
    "drawn board as {}\n" + BODY + "            end draw\n",
    "drawn Cell as {}\n" + BODY + "            end draw\n",
    "{}\n" + BODY + "            end draw\n",
    "{} left := left\n" + BODY + "            end draw\n",
    "{}\n    left := 1\n" + BODY + "            end draw\n",
    BODY + "            let value = {}\n            end draw\n",
    BODY + "            let value = sum y in {{1}}: {}\n            end draw\n",
    BODY + "            {}\n            end draw\n",
    BODY + "            {}\n",
    BODY + "            {} left := 1\n            end draw\n",
    BODY + "            if left > 8: left := 1\n            {} left := 1\n            end draw\n",
    BODY + "            match k:\n                {}\n                pawn: left := 1\n            end draw\n",
    "phase play(p: Player):\n    turn p:\n        {} end draw\n",
    "phase play(p: Player):\n    turn p:\n        {}: end draw\n",
    "phase play(p: Player):\n    {}\n        move m: end draw\n",
    "phase play(p: Player):\n    let full = false\n    {}\n    turn p:\n        move m: end draw\n",
    BODY + '            end draw\ntest "a play":\n    {}\n',
    "tree:\n    {}\n        left: 1\n",
)
"""Where a piece may stand."""

EXAMPLES = (
    """\
game "Declarations"
players Ann, Bob
type Cell = grid(3, 3)
type Card = J < Q < K
type Kind = queen | rook | pawn
define worth = {queen: 9, rook: 5}
define score(p: Player) = count c in Cell: board[c] == p
var board[Cell]: Player? = none
var hand[Player]: set of Card = {}   private
var asked: 0..9 = 0   seen by Ann
legend board:
    "X" = Ann, "." = none
setup:
    board := layout
        "X.."
        "..."
        ".X."
    for c in Card: hand[Ann] += {c}
start at play(Ann)
phase play(p: Player):
    turn p:
        move m(k in Kind, x in 1..9):
            var n: 0..99 = 0
            n := x
            asked := x
            match k:
                queen, rook: n := 1
                else: n += 1
            if x > 1: end win p
            else if x < 0: end draw
            else: end payoff p: n + (if worth[k] is none then 0 else worth[k]) + score(p)
expect value == (12, -12)
test "what is known":
    expect knows(Bob, K in hand[Ann])
""",
    """\
game "Values by cases"
players Ann, Bob
param n: 1..5 = 2
type Kind = queen | rook | pawn
define worth(k: Kind) =
    match k:
        queen, rook: 1
        else: 0
require size(1..n + 1) == 3
require worth(queen) == 1
tree:
    chance:
        1/3 up: Ann @first:
            left: (2, 1)
            right: (0, 0)
        2/3 down: Ann @first:
            left: (2, 1)
            right: (0, 0)
expect value == (2, 1) with n = 2
""",
    """\
game "A table"
players Ann, Bob
table:
    Ann \\ Bob | left | right
    up | 3, 1 | 0, 0
    down | 0, 0 | 1, 3
""",
    """\
game "Plain boards"
players Ann, Bob
type Cell = hex(3, 3)
require size(Cell) == 9
start at play(Ann)
phase play(p: Player):
    turn p:
        move m:
            end draw
        move again(x in 1..2) if x > 1: go play(p)
endless draw
""",
)
"""Whole games, in which the other pieces stand as they are."""

WORDS = {
    "none", "cells", "y", "test", "= value", "+ - * / // %", "== != < <= > >=", "+ -", "* / // %", "//", "%", "=",
    ":=", "==", "-", "..", "or", "and", "and or not", "not", "not in", "is none", "is not none", "in", "where",
    "if", "other", "is", "no", "all", "x.f", "x[i]", "count", "sum", "min", "max", "first", "last", "next", "set",
    "let", "end", "end ...", "go", "return", "elif", "while", "else", "secret", "AFTER", "abs", "size",
    "move m(x in S, y in T?) if GUARD ensuring AFTER:", "seen by p", "private", "move m", "else: 0",
    "expect value == (1/18, -1/18) with n = 3", "type Card = J < Q < K", "tell p that label(x)",
}  # fmt: skip
"""Words, signs and patterns."""


def spans() -> list[str]:
    return list(dict.fromkeys(re.findall(r"`([^`]+)`", PROSE)))


def is_legal(text: str) -> bool:
    try:
        zermelo.loads(text)
    except ZermeloError:
        return False
    return True


def test_its_game_is_sound_and_its_tests_pass(tmp_path: Path) -> None:
    file = tmp_path / "stones.game"
    file.write_text(GAME, encoding="utf-8")
    assert not list(zermelo.check(GAME))
    assert main(["test", str(file)]) == 0


COMMAND = re.compile(r"(zermelo )?(\w+) (F|CODE)\b.*")


@pytest.mark.parametrize("piece", [piece for piece in spans() if piece not in WORDS])
def test_every_piece_is_legal_where_it_belongs(piece: str) -> None:
    if command := COMMAND.fullmatch(piece):
        assert command[2] in COMMANDS
    else:
        assert any(piece in text for text in EXAMPLES) or any(
            is_legal(DECLARED + each.format(piece)) for each in PLACES
        )


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_are_sound(text: str, tmp_path: Path) -> None:
    file = tmp_path / "example.game"
    file.write_text(text, encoding="utf-8")
    assert main(["test", str(file)]) == 0


CLAIMS = {
    "`7 / 2` is 7/2": "7 / 2 == 3.5",
    "`//` and `%` round down": "-7 // 2 == -4 and -7 % 2 == 1",
    "`where`; quantifiers and `if`; `or`": "(a == 1 or some x in S: x == a or x == 9) where a = 3",
    "`or`; `and`; `not`; comparisons and `in`": "(true or true and false) and (not 1 == 2) and not 5 in S",
    "comparisons and `in`; `..`; `+ -`; `* / // %`": "2 in 1..1 + 1 and 1 + 2 * 3 == 7",
    "the sign `-`; `other`; `x.f` and `x[i]`": "-7 // 2 == -4 and worth[queen] == 9",
    "So `1..n + 1` ends at n + 1": "1..n + 1 == {1, 2, 3, 4}",
    "`other p` (of two players), `next p` (around the table)": "other Ann == Bob and next Bob == Ann",
    "of a player or a member, from 1, and back": "number(Bob) == 2 and Player(1) == Ann and Card(3) == K",
    "`A + B` (union), `A - B`, `A * B` (both)": "S + {4} == 1..4 and S - {1} == 2..3 and S * {3, 4} == {3}",
    "is all that can be reached": "size(reach c from {a1}: neighbours(c)) == 9",
    "`any(S)` (not empty)": "any(S) and not any(S - S)",
    "What is looked up with `none` is `none`": "board[a1 + west] is none and (a1 + west).x is none",
    "No set contains it": "size({a1 + west, a1 + north}) == 1",
    "`c + north` is `none` off the board": "a3 + north is none",
    "(a knight)": "leaps(a1, 1, 2) == {b3, c2}",
    "(all straight\nruns of 3)": "size(lines(Cell, 3)) == 8",
    "`c.x` and `c.y` from 1": "Cell(1, 2) == a2 and a2.x == 1 and a2.y == 2",
    "with squares `a1`, `b1`": "(first c in Cell: true) == a1 and (first c in Cell: c != a1) == b1",
    "the\nset of its members": "size(Card) == 3 and K in Card",
    "places 0 to 11": "(count h in Place: h in 0..11) == 12",
    "the last rank first": "board[a1] == Bob and board[a3] == Ann",
}
"""What the page says, and a condition that makes it concrete."""

MEANING = """\
game "Claims"
players Ann, Bob
type Cell = grid(3, 3)
type Card = J < Q < K
type Place = ring(12)
type Kind = queen | rook
define S = {{1, 2, 3}}
define n = 3
define worth = {{queen: 9, rook: 5}}
var board[Cell]: Player? = none
legend board:
    "X" = Ann, "O" = Bob, "." = none
setup:
    board := layout
        "X.."
        "..."
        "O.."
start at play
phase play:
    turn Ann:
        move go_on: end draw
test "what the page says":
    expect {}
"""


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_it_says_is_so(claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert claim in SHEET
    file = tmp_path / "claim.game"
    file.write_text(MEANING.format(CLAIMS[claim]), encoding="utf-8")
    assert main(["test", str(file)]) == 0, capsys.readouterr().out
