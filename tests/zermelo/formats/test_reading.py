"""Trees and tables of Gambit are read leniently, as the text of a game; what is lost, and what is refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games.labelled import is_told_apart_as_labelled, labelled_tree

import zermelo
from zermelo.formats.labels import NOT_FOR_PLAYERS, names_of, told_apart
from zermelo.formats.reading import read_game
from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.grammar.words import RESERVED
from zermelo.interpreter.check import check

LENIENT = r"""
EFG 2 R "A \"lenient\" file" { "Player 1", "2" }
"A remark
of two lines."

c "" 7 "" { "heads" 1/4 "tails" .25 "never" 0 "edge" 5e-1 } 1 "a fee" { -1 +1 }
p "" 1 5 "(1,5)" { "take 1" "take 1" "" } 0
t "" 2 "" { 1.50 2 }
t "" 0
t "" 3 "" { 0, 0, }
p "" 1 5 0
t "" 2
t "" 0
t "" 3
t "" 9 "no play comes here" { 100 100 }
p "" 2 1 "" { "left" } 4 "" { 0 1/3 }
t "" 5 "" { 1 -1 }
"""

GAME = """\
game "A 'lenient' file"

# A remark
# of two lines.

players Player_1 "Player 1", _2 "2"

tree:
    chance:
        1/4 heads: Player_1 @set_1_5:
            take_1 "take 1": (1/2, 3)
            take_1_2 "take 1 2": (-1, 1)
            move: (-1, 1)
        1/4 tails: Player_1 @set_1_5:
            take_1 "take 1": (1/2, 3)
            take_1_2 "take 1 2": (-1, 1)
            move: (-1, 1)
        1/2 edge: _2:
            left: (0, 1/3)
"""


def converted(text: str) -> tuple[str, list[tuple[str, int, str]]]:
    """The text of the game, and what has been lost: the code, the line, the message."""
    made = zermelo.convert(text)
    assert made.read_as in ("efg", "nfg") and made.format == "game"
    zermelo.loads(text)
    return made.text, [(lost.code, lost.span.line, lost.message) for lost in made.findings]


def test_a_lenient_tree():
    text, lost = converted(LENIENT)
    assert text == GAME
    assert lost == [
        ("renamed-label", 2, "titles read differently: 'A \"lenient\" file' is 'A 'lenient' file'"),
        ("dropped-part", 6, "branches of probability 0 are left out, with all behind them: 'never'"),
        ("moved-payoff", 6, "payoffs inside the tree are added at its ends: (-1, +1), (0, 1/3)"),
        ("dropped-part", 6, "labels of outcomes are left out: 'a fee', 'no play comes here'"),
        ("renamed-label", 7, "labels of information sets read differently: '(1,5)' is 'set_1_5'"),
        ("renamed-label", 7, "actions of one node read differently: 'take 1' is 'take 1 2', '' is 'move'"),
    ]


def test_a_tree_without_losses_has_no_findings():
    text = 'EFG 2 R "Plain" { "Ann" "Bob" }\np "" 1 1 "" { "go on" } 0\nt "" 1 "" { 0.50, 1/3 }\n'
    assert converted(text) == (
        'game "Plain"\n\nplayers Ann, Bob\n\ntree:\n    Ann:\n        go_on "go on": (0.50, 1/3)\n',
        [],
    )


def test_several_losses_at_one_place():
    text = 'EFG 2 R "Three" { "Ann" }\nc "a" 1 "b" { "c" 1 "d" 0 } 0\nt "" 0\nt "" 0\n'
    assert [message for _, _, message in converted(text)[1]] == [
        "labels of nodes are left out: 'a'",
        "branches of probability 0 are left out, with all behind them: 'd'",
        "labels of draws are left out: 'b'",
    ]


def test_a_tree_that_is_an_end():
    assert converted('EFG 2 R "Nothing" { "Ann" }\nt "" 1 "" { 3 }')[0].endswith("tree:\n    (3)\n")


def test_actions_in_another_order_are_those_of_their_node():
    """The language knows the moves of a set by their names."""
    tree = (
        'EFG 2 R "Order" { "Ann" "Bob" }\np "" 1 1 "" { "a" "b" } 0\n'
        'p "" 2 1 "" { "x" "y" } 0\nt "" 1 "" { 1, 1 }\nt "" 2 "" { 2, 2 }\n'
        'p "" 2 1 "" { "y" "x" } 0\nt "" 3 "" { 3, 3 }\nt "" 4 "" { 4, 4 }\n'
    )
    state = zermelo.loads(tree).initial
    assert [state.after("b").after(move).payoff[0] for move in "yx"] == [3, 4]
    assert [state.after("a").after(move).payoff[0] for move in "yx"] == [2, 1]


TABLES = {
    "payoffs": 'NFG 1 R "T" { "Row" "Column" } { 2 3 }\n\n1 2 3 4 5 6 7 8 9 10 11 12',
    "outcomes": """NFG 1 R "T" { "Row" "Column" } { { "1" "2" } { "1" "2" "3" } } ""
        { { "one" 1, 2 } { "" 3, 4 } { "" 5 6 } { "" 7, 8 } { "" 9, 10 } { "" 11 12 } } 1 2 3 4 5 6""",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_a_table_of_two(text):
    made, _ = converted(text)
    assert made == (
        'game "T"\n\nplayers Row, Column\n\ntable:\n    Row \\ Column | _1 "1" | _2 "2" | _3 "3"\n'
        '    _1 "1"       | 1, 2   | 5, 6   | 9, 10\n    _2 "2"       | 3, 4   | 7, 8   | 11, 12\n'
    )


def test_a_table_of_three_is_a_tree_in_which_nobody_sees_the_others_choices():
    game = zermelo.loads('NFG 1 R "T" { "A" "B" "C" } { 2 2 1 } 1 0 0 2 0 0 3 0 0 4 0 0')
    state = game.initial.after("2")
    assert state.actor == "B" and [str(seen) for seen in state.information_state("B")] == ["to decide: @B(?)"]
    assert state.after("1").after("1").payoff == (2, 0, 0)
    assert game.initial.after("1").after("2").after("1").payoff == (3, 0, 0)


def test_a_table_of_one():
    assert zermelo.loads('NFG 1 D "T" { "A" } { 3 } 1.0 2.5 0').solve().value == (2.5,)


def test_profile_0_pays_nothing():
    game = zermelo.loads('NFG 1 R "T" { "A" "B" } { 1 2 } "" { { "" 7, 7 } } 0 1')
    assert [str(each) for each in game.equilibria().listed[0].payoff] == ["7", "7"]


HEAD = 'EFG 2 R "Wrong" { "Ann" "Bob" }\n'
WRONG = {
    "": ("foreign-syntax", 1, "the file ends here: this must be a node, which begins with c, p or t"),
    "x 1": ("foreign-syntax", 2, "'x' is no node: a node begins with c, p or t"),
    't "" 1 "" { 1 }': ("foreign-syntax", 2, "} cannot stand here: this must be a payoff for each player"),
    't "" 1 "" { 1 1/0 }': (
        "foreign-syntax",
        2,
        "1/0 cannot stand here: this must be a payoff for each player, and no division by 0",
    ),
    't "" 1 "" { 1 1e9999 }': (
        "foreign-syntax",
        2,
        "1e9999 cannot stand here: this must be a payoff for each player",
    ),
    't "" 1': ("foreign-syntax", 2, "outcome 1 has no payoffs here, nor at a node before"),
    'p "" 3 1 "" { "a" } 0': ("foreign-syntax", 2, "there is no player 3"),
    'p "" 1 1 0': ("foreign-syntax", 2, "no node of this information set before says what its actions are"),
    'p "" 1 1 "" { } 0': ("foreign-syntax", 2, "a node has at least one action"),
    'p "" 1 1 "" { "a" } 0\np "" 1 1 "" { "a" "b" } 0': (
        "foreign-syntax",
        3,
        "here 2 actions are listed, at another node of this set 1",
    ),
    't "" 0\nt "" 0': (
        "foreign-syntax",
        3,
        "t cannot stand here: this must be the end of the file: all actions lead to nodes already",
    ),
    'c "" 1 "" { "a" 0.33 "b" 0.66 } 0\nt "" 0\nt "" 0': (
        "probabilities-not-one",
        2,
        "the probabilities sum to 99/100, not to 1",
    ),
    'c "" 1 "" { "a" -1 "b" 2 } 0\nt "" 0\nt "" 0': ("negative-probability", 2, "a probability is negative: -1"),
    'p "" 1 1 "" { "a" "b" } 0\np "" 1 2 "one" { "c" } 0\nt "" 0\np "" 1 2 0\nt "" 0': (
        "imperfect-recall",
        5,
        "Ann forgets: information set 2 ('one') joins the play (a) with the play (b), and Ann made other moves on the "
        "way",
    ),
    'p "" 2 1 "" { "a" "b" } 0\np "" 1 1 "" { "x" } 0\np "" 1 3 "" { "c" } 0\nt "" 0\n'
    'p "" 1 2 "" { "x" } 0\np "" 1 3 0\nt "" 0': (
        "imperfect-recall",
        7,
        "Ann forgets: information set 3 joins the play (a, x) with the play (b, x), and Ann moved where they knew "
        "something else on the way",
    ),
    'p "" 1 1 "" { "a" } 0\np "" 1 1 0\nt "" 0': (
        "imperfect-recall",
        3,
        "Ann forgets: information set 1 joins the beginning with the play (a), which has passed through this set "
        "before",
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_refused(text):
    with pytest.raises(InvalidGame) as raised:
        zermelo.loads(HEAD + text)
    (found,) = raised.value.findings
    assert (found.code, found.span.line, found.message) == WRONG[text]
    assert found.source.text == HEAD + text


def test_what_forgets_only_where_nobody_comes_is_read():
    text = 'p "" 1 2 "" { "c" } 0\nt "" 0\n'
    tree = f'{HEAD}c "" 1 "" {{ "a" 1 "b" 0 }} 0\n{text}p "" 1 1 "" {{ "x" }} 0\n{text}'
    assert zermelo.loads(tree).players == ("Ann", "Bob")


def test_a_tree_that_is_too_deep():
    deep = "".join(f'p "" 1 {k} "" {{ "a" }} 0\n' for k in range(1, 200))
    with pytest.raises(InvalidGame) as raised:
        zermelo.loads(f'{HEAD}{deep}t "" 0')
    assert raised.value.code == "nested-too-deep"
    fits = "".join(f'p "" 1 {k} "" {{ "a" }} 0\n' for k in range(1, 121))
    assert zermelo.loads(f'{HEAD}{fits}t "" 0').solve().value == (0, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("#AGG\n2\n2 2\n", "pygambit.read_agg(FILE).to_nfg()"),
        ("#BAGG\n2\n", "read_bagg"),
        ('<?xml version="1.0"?>\n<gambit:document version="0.1">\n', "pygambit.read_gbt(FILE).to_efg()"),
        ("node / player 1 actions l r\n", "write the rules as phases"),
    ],
)
def test_formats_that_are_not_read_say_what_to_do(text, says):
    with pytest.raises(InvalidGame) as raised:
        zermelo.loads(text)
    assert raised.value.code == "other-format" and says in raised.value.help


# Labels.


EVERY_WORD = sorted(RESERVED | NOT_FOR_PLAYERS | {"prob", "weight", "hidden", "by", "public", "chance", "move", "tree"})


@pytest.mark.parametrize("kind", ["chance", "player", "table"])
def test_every_word_may_be_a_label(kind):
    labels = " ".join(f'"{word}"' for word in EVERY_WORD)
    ends = "\n".join(['t "" 0'] * len(EVERY_WORD))
    if kind == "table":
        text = f'NFG 1 R "Words" {{ "Ann" "Bob" }} {{ {{ {labels} }} {{ "if" }} }} {"1 2 " * len(EVERY_WORD)}'
    elif kind == "chance":
        shares = " ".join(f'"{word}" 1/{len(EVERY_WORD)}' for word in EVERY_WORD)
        text = f'EFG 2 R "Words" {{ "Ann" }}\nc "" 1 "" {{ {shares} }} 0\n{ends}'
    else:
        text = f'EFG 2 R "Words" {{ {labels} }}\np "" 1 1 "" {{ "if" }} 0\nt "" 0'
    game = zermelo.loads(text)
    start = game.machine.initial()
    moves = game.machine.moves(start) or [outcome for outcome, _ in game.machine.outcomes(start)]
    assert (list(game.titles) if kind == "player" else [str(move) for move in moves]) == EVERY_WORD


labels = st.lists(st.text(st.sampled_from("ab A_1é-.,()?ﬁ\"'\\\t½中\u200b"), max_size=4), min_size=1, max_size=6)


@given(labels)
def test_labels_become_names_that_a_game_can_have(given_labels):
    """Whatever they are: the checker of the language finds nothing wrong with them as moves and as players."""
    apart = told_apart(given_labels)
    assert len(set(apart)) == len(apart)
    names = names_of(apart, "move")
    players = names_of(apart, "player", NOT_FOR_PLAYERS)
    zeros = ", ".join("0" for _ in apart)
    lines = [f"    {players[apart[0]].name}:", *(f"        {names[label].written}: ({zeros})" for label in apart)]
    declared = ", ".join(players[label].written for label in apart)
    text = "\n".join(['game "Labels"', f"players {declared}", "tree:", *lines, ""])
    _, findings = check(Source("labels", text))
    assert findings.errors == ()


def test_labels_that_look_alike_to_a_reader_are_told_apart():
    """In a written move spaces do not count, and a display name must not be the name of another move."""
    names = names_of(["ab", "a b", "a  b", "a-b", "(a, b)", ""], "move")
    assert [each.written for each in names.values()] == [
        "ab",
        'a_b_2 "a b 2"',
        'a_b_3 "a b 3"',
        'a_b "a-b"',
        'a_b_4 "a b 4"',
        "move",
    ]


# Random trees, whose information sets the helper makes and writes without the project.


@pytest.mark.parametrize("seed", range(40))
def test_random_trees_are_read_with_their_information_sets(seed):
    tree = labelled_tree(Random(seed), depth=3 + seed % 3, players=1 + seed % 3)
    machine = zermelo.loads(tree.efg()).machine
    assert is_told_apart_as_labelled(tree, machine)


def test_a_game_is_no_file_of_gambit():
    source = Source("game", 'game "EFG 2 R"\nplayers A\ntree:\n    A:\n        a: 1\n')
    assert read_game(source).source is source
