"""Indentation: blocks, continuations, brackets, and mistakes in them."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from printer import print_expression, print_game
from random_cases import many
from random_syntax import expressions, games
from reading import read_expression

import zermelo.gamedefs as gamedefs
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.formatter import format_text
from zermelo.grammar.layout import comments, split_declarations
from zermelo.grammar.parse import parse


def tree_of(text: str) -> str:
    """The tree of a text, as it is shown."""
    tree, findings = parse(Source("test", f'game "test"\n{text}'))
    assert tree is not None, list(findings)
    return repr(tree)


def findings_of(text: str) -> list[tuple[str, int, int]]:
    _, findings = parse(Source("test", text))
    return [(finding.code, finding.span.line, finding.span.column) for finding in findings]


REFERENCE = "setup:\n    if a and b: x := f(1, 2)\n    else:\n        y := 1 + 2\n        z := 3\n"


@pytest.mark.parametrize(
    "text",
    [
        "setup:\n  if a and b: x := f(1, 2)\n  else:\n     y := 1 + 2\n     z := 3\n",
        "setup:\n    if a\n        and b: x := f(1, 2)\n    else:\n        y := 1\n            + 2\n        z := 3\n",
        "setup:\n    if a and b: x := f(\n        1,\n     2)\n    else:\n        y := 1 + 2\n        z := 3\n",
        "setup: # one\n\n# two\n    if a and b:\n        # three\n        x := f(1, 2)\n    # four\n"
        "    else:\n  # five\n        y := 1 + 2\n\n\n        z := 3",
        "setup:\r\n    if a and b: x := f(1, 2)\r\n    else:\r\n        y := 1 + 2\r\n        z := 3\r\n",
        "setup:   \n    if a and b: x := f(1, 2)   \n    else:\n        y := 1 + 2\n        z := 3\n   ",
        "setup:\n    if a and b: x := f(1, # one\n # two\n        2)\n    else:\n        y := 1 + 2\n        z := 3\n",
    ],
)
def test_layouts_that_mean_the_same(text: str) -> None:
    assert tree_of(text) == tree_of(REFERENCE)


def test_a_closing_bracket_may_stand_at_the_left_margin() -> None:
    assert tree_of("define f = {\n    a,\n    b\n}\n") == tree_of("define f = {a, b}\n")


def test_rows_of_a_table_are_flat() -> None:
    flush_right = "table:\n    A \\ B | x | y\n       up | 1 | 2\n  further | 3 | 4\n"
    assert tree_of(flush_right) == tree_of("table:\n    A \\ B | x | y\n    up | 1 | 2\n    further | 3 | 4\n")


def test_the_text_is_cut_at_the_left_margin() -> None:
    source = Source("test", '# head\ngame "x"\n\nsetup:\n    a := (\n1\n)\n# tail\nplayers A')
    assert [(chunk.text.split("\n")[0], chunk.start, chunk.line) for chunk in split_declarations(source)] == [
        ('game "x"', 7, 2),
        ("setup:", 17, 4),
        ("1", 35, 6),
        ("players A", 46, 9),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("setup:\n        x := 1\n    y := 2\n", ("indentation", 3, 5)),
        ("setup:\n    if a:\n        x := 1\n      y := 2\n", ("indentation", 4, 7)),
        ("setup:\n    x := 1\n      y := 2\n", ("indentation", 3, 7)),
        ("setup:\n    if a:\n    y := 2\n", ("empty-block", 2, 9)),
        ("setup:", ("empty-block", 1, 6)),
        ("setup:\n    x := (1\n    y := 2\n", ("never-closed", 2, 10)),
        ("setup:\n    x := (1\n", ("never-closed", 2, 10)),
        ("setup:\n    x := 1)\n", ("unmatched-bracket", 2, 11)),
        ("setup:\n    x := (1]\n", ("unmatched-bracket", 2, 12)),
        (")\n", ("unmatched-bracket", 1, 1)),
    ],
)
def test_mistakes_of_layout(text: str, found: tuple[str, int, int]) -> None:
    code, line, column = found
    assert findings_of(f'game "test"\n{text}') == [(code, line + 1, column)]


def test_the_first_line_stands_at_the_left_margin() -> None:
    assert findings_of('\n  game "test"\nplayers A\n') == [("indentation", 2, 3)]


def test_a_mismatched_bracket_shows_what_it_should_close() -> None:
    _, findings = parse(Source("test", 'game "test"\ndefine f = (1]\n'))
    (finding,) = findings
    assert [finding.source.excerpt(label.span) for label in finding.labels] == ["("]


# The one layout: it keeps the meaning, the comments and itself.


def fmt(text: str) -> str:
    return format_text(Source("test", text))


def remarks(text: str) -> list[str]:
    return [comment.text.rstrip() for comment in comments(Source("test", text))]


def check(text: str) -> None:
    """The layout of a text keeps its tree and its comments, and is its own layout."""
    tree, findings = parse(Source("test", text))
    assert tree is not None, (text, list(findings))
    laid = fmt(text)
    again, findings = parse(Source("test", laid))
    assert (repr(again), list(findings)) == (repr(tree), []), laid
    assert sorted(remarks(laid)) == sorted(remarks(text)), laid
    assert fmt(laid) == laid


def disturbed(text: str, random: Random) -> str:
    """The text with other spaces, line ends, comments and blank lines."""
    written = []
    for line in text.split("\n"):
        if random.random() < 0.2:
            written.append(" " * random.randrange(12) + random.choice(["", "# above"]))
        pieces = re.split(r'("[^"]*"| )', line.lstrip())
        indent = len(line) - len(line.lstrip())
        row = " " * indent
        for piece in pieces:
            if piece == " " and random.random() < 0.15:
                row += random.choice(["  ", "  # within", "", " \n # alone"]) + "\n"
                row += " " * (indent + random.randrange(5, 30))
            else:
                row += piece
        written.append(row + random.choice(["", "", "  ", "# behind"]))
    return "\n".join(written)


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=many(150))
@given(games())
def test_random_games_keep_their_meaning(game: syntax.GameFile) -> None:
    check(print_game(game))


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=many(100))
@given(games(), st.integers(0, 2**32))
def test_so_do_games_that_are_badly_written(game: syntax.GameFile, seed: int) -> None:
    text = disturbed(print_game(game), Random(seed))
    if parse(Source("test", text))[0] is not None:
        check(text)


@pytest.mark.parametrize("name", gamedefs.names())
def test_bundled_games_are_in_the_one_layout(name: str) -> None:
    text = gamedefs.path(name).read_text(encoding="utf-8")
    assert fmt(text) == text


@pytest.mark.parametrize("name", gamedefs.names())
def test_bundled_games_come_back_from_bad_writing(name: str) -> None:
    text = gamedefs.path(name).read_text(encoding="utf-8")
    for seed in range(3):
        other = disturbed(text, Random(seed))
        if parse(Source("test", other))[0] is not None:
            check(other)


WRITTEN = """\
# What people write.
game   "Take away"   # three lines


players Ann,Bob
claim zero_sum ,terminates
type Card=J<Q<K
var hand[Player]:Card   private # unset
var left :0..12=12
legend left:
  "a" = 1,   "b" = 2
  "c" = 3
define worth(k:Card)=match k:
  J:1
  # the best ones
  Q,K:-1/2*2
define a_long_name_for_this(p: Player) = (count k in 1..12: k > left and k % 2 == 0) + (sum n in 1..left: n * n)
start at play( Ann )
phase play(p:Player):

  turn p:
    move take(n in 1..3) if n<=left and n != 4 ensuring left != 7 and (left != 11 or not (p == Bob and n == 2)) :
      left-=n # gone
      if left==0: end win p
      # still here

      go play(other p)
    # no other move
  otherwise: end draw
# the end
"""

LAID_OUT = """\
# What people write.
game "Take away"                           # three lines

players Ann, Bob
claim zero_sum, terminates
type Card = J < Q < K
var hand[Player]: Card                     private  # unset
var left: 0..12 = 12

legend left:
    "a" = 1,   "b" = 2
    "c" = 3

define worth(k: Card) =
    match k:
        J: 1
        # the best ones
        Q, K: -1/2 * 2
define a_long_name_for_this(p: Player) =
    (count k in 1..12: k > left and k % 2 == 0) + (sum n in 1..left: n * n)
start at play(Ann)

phase play(p: Player):
    turn p:
        move take(n in 1..3)
                if n <= left and n != 4
                ensuring left != 7 and (left != 11 or not (p == Bob and n == 2)):
            left -= n                      # gone
            if left == 0: end win p
            # still here

            go play(other p)
        # no other move
    otherwise: end draw
# the end
"""


def test_the_one_layout() -> None:
    assert fmt(WRITTEN) == LAID_OUT
    check(WRITTEN)


@pytest.mark.parametrize(
    ("text", "laid"),
    [
        ("require a-1==-1", "require a - 1 == -1"),
        ("require 1/2*x+2*1/3 == f( - y)[ 0 ].z", "require 1/2 * x + 2 * 1 / 3 == f(-y)[0].z"),
        ("order moves by -(a+b)", "order moves by -(a + b)"),
        ("type T=( 0..3 )?", "type T = (0..3)?"),
        ("type Board=graph(a-b-c,a-d)", "type Board = graph(a - b - c, a - d)"),
        ("var x[q :Player]:set of T seen by other q", "var x[q: Player]: set of T                 seen by other q"),
        ("expect value==(1,- 1) within 1/100", "expect value == (1, -1) within 1/100"),
        ("never in  play  if a==- 1 with x=3", "never in play if a == -1 with x = 3"),
        ("reachable  end payoff(1,- 1)if a", "reachable end payoff (1, -1) if a"),
        ("players 1..9 # two more\n  +2=3", f"players 1..9{'# two more':>41}\n    + 2 =\n    3"),
    ],
)
def test_spaces(text: str, laid: str) -> None:
    assert fmt(text + "\n") == laid + "\n"


LONG_DOMAINS = """\
define near(s: Square) =
    some t in squares_of_one_colour_beside_and_behind(s, north)
            + squares_of_one_colour_beside_and_behind(s, south): t.x > 3
define far(s: Square) =
    {t.x + 1
        for t in squares_of_one_colour_beside(s, north) + squares_of_one_colour_beside(s, south)
        if t.x > 3}
define both(s: Square) =
    {t in squares_of_one_colour_beside_and_behind(s, north)
                + squares_of_one_colour_beside_and_behind(s, south)
        if t.x > 3}
define reached(s: Square) =
    reach t from squares_of_one_colour_beside_and_behind(s, north)
            + squares_of_one_colour_beside_and_behind(s, south): beside(t)

phase play:
    turn Ann:
        move walk(a_square in {t for u in squares_of_one_colour_beside(at, north)
                                  for t in ray(u, north)},
                  secret another_square in squares_of_one_colour_beside(at, north)
                          + squares_of_one_colour_beside(at, south)):
            for t in (if at.x > 3 then squares_of_one_colour_beside_and_behind(at, north)
                      else squares_of_one_colour_beside_and_behind(at, south)):
                at := t
            end payoff {p: squares_of_one_colour_beside(at, north) - squares_beside_them(at)
                           for p in Player}
"""


def test_a_name_stays_beside_what_it_is_in() -> None:
    head = 'game "G"\nplayers Ann, Bob\n'
    assert fmt(head + LONG_DOMAINS) == head + LONG_DOMAINS
    joined = re.sub(r"\n +(\+|if t|for t in [sr]|for p|else|secret)", r" \1", LONG_DOMAINS)
    assert max(map(len, joined.splitlines())) > 120
    assert fmt(head + joined) == head + LONG_DOMAINS
    check(head + joined)


def test_an_else_stays_with_its_if_when_a_line_becomes_a_block() -> None:
    condition = " and ".join(f"left != {k}" for k in range(1, 9))
    check(
        'game "G"\nplayers A\nvar left: 0..9 = 9\nphase p:\n'
        f"    if left > 0: if {condition}: end win A\n    else: end draw\n    end\n"
    )


def test_a_conditional_within_a_conditional_keeps_its_own_else() -> None:
    long = "a_condition_of_a_long_name_indeed"
    inner = f"if another_{long} < 2 then 1 else 2"
    laid = (
        f"define worth =\n    if {long} > 3\n        then {inner}\n"
        f"    else if the_third_{long} == 4 then 3\n    else 4\n"
    )
    head = 'game "G"\nplayers Ann, Bob\n'
    assert fmt(f"{head}define worth = {' '.join(laid.split()[3:])}\n") == head + laid


def test_a_table_gets_its_columns() -> None:
    text = "table  One=x :\n  A \\ B|up|down # c\n     up | 1 , -1| -2,2\n   down|10,-10|0,0\n"
    assert fmt(text) == (
        "table One = x:\n"
        "    A \\ B | up      | down                 # c\n"
        "    up    | 1, -1   | -2, 2\n"
        "    down  | 10, -10 | 0, 0\n"
    )


def test_adjacent_comments_behind_long_code_stand_in_one_column() -> None:
    text = "param a: 0..1 = 1 # one\nparam a_name_that_is_quite_long: 0..1000 = 1 # two\n\nparam b: 0..1 = 1 # three\n"
    columns = [line.index("#") for line in fmt(text).splitlines() if line]
    assert columns == [46, 46, 43]


def test_the_rows_of_a_table_are_kept() -> None:
    table = """define worth =
    {(Ann, north): 3, (Ann, south): 2,
     (Bob, north): 1, (Bob, south): 0}
"""
    head = 'game "Worth"\nplayers Ann, Bob\n'
    assert fmt(head + table) == head + table
    assert fmt(head + table.replace("\n    {(", " {\n        (")) == head + table
    assert fmt(head + table.replace("2,\n    ", "2,")) == head + "define worth = " + " ".join(table.split()[3:]) + "\n"


# Random trees print to text that parses to the same tree.


@settings(max_examples=many(150))
@given(expressions)
def test_an_expression_survives_printing(expression: syntax.Expression) -> None:
    text = print_expression(expression)
    again, findings = read_expression(text)
    assert (repr(again), list(findings)) == (repr(expression), []), text


@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of the strategies, which are never printed
@settings(max_examples=many(150))
@given(games())
def test_a_game_survives_printing(game: syntax.GameFile) -> None:
    text = print_game(game)
    again, findings = parse(Source("printed", text))
    assert (repr(again), list(findings)) == (repr(game), []), text


@pytest.mark.parametrize(
    "text",
    [
        "a or b and not c == d",
        "(a or b) and c",
        "not a == b",
        "(not a) == b",
        "q + 1..6",
        "q + (1..6)",
        "a - b - c",
        "a - (b - c)",
        "-a * b",
        "-(a * b)",
        "other other p",
        "next next p in S",
        "next p in S == q",
        "(next p) in S",
        "a and some x in S: P or Q",
        "(some x in S: P) or Q",
        "f((a where u = 1, v = 2), b)",
        "some x in S: P where u = 1",
        "(some x in S: P) where u = 1",
        "if a then b else if c then d else e",
        "{x in ray(c, d) while board[x] is none if x != c for y in S}",
        "{a: 1, b: 2}[s]",
        "board[e].kind.name",
        "1.5..2.25",
        "x not in S",
        "x is not none",
    ],
)
def test_brackets_stand_only_where_they_are_needed(text: str) -> None:
    expression, findings = read_expression(text)
    assert expression is not None, list(findings)
    assert print_expression(expression) == text
