"""Trees and tables of Gambit are read leniently, as the text of a game; what is lost, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
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


CONTRADICTIONS = {
    "order": (
        'p "" 2 1 "" { "x" "y" } 0\nt "" 1 "" { 1, 1 }\nt "" 2 "" { 2, 2 }\n'
        'p "" 2 1 "" { "y" "x" } 0\nt "" 3 "" { 3, 3 }\nt "" 4 "" { 4, 4 }\n',
        (6, 13),
        "another node of this set lists these actions in another order: which of them are the same?",
    ),
    "chances": (
        'c "" 1 "" { "x" 1/4 "y" 3/4 } 0\nt "" 1 "" { 1, 1 }\nt "" 2 "" { 2, 2 }\n'
        'c "" 1 "" { "x" 0.75 "y" 1/4 } 0\nt "" 0\nt "" 0\n',
        (6, 11),
        "these probabilities differ from those at another node of this set",
    ),
    "outcome": (
        't "" 7 "" { 1, 1/2 }\nt "" 7 "" { 1, 2 }\n',
        (4, 6),
        "outcome 7 pays (1, 1/2) at a node before",
    ),
    "no outcome": (
        't "" 0 "" { 1, 1 }\nt "" 0\n',
        (3, 11),
        "{ cannot stand here: this must be the next node: outcome 0 pays nothing",
    ),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_file_that_contradicts_itself_is_refused(case):
    """Versions of Gambit disagree on what it would mean."""
    rest, place, message = CONTRADICTIONS[case]
    with pytest.raises(InvalidGame) as raised:
        zermelo.loads(f'EFG 2 R "Twice" {{ "Ann" "Bob" }}\np "" 1 1 "" {{ "a" "b" }} 0\n{rest}')
    (found,) = raised.value.findings
    assert (found.code, found.span.line, found.span.column, found.message) == ("foreign-syntax", *place, message)


def test_what_is_said_twice_in_other_words_is_no_contradiction():
    tree = (
        'EFG 2 R "Twice" { "Ann" "Bob" }\np "" 1 1 "" { "a" "b" } 0\n'
        'c "" 1 "" { "x" 1/4 "y" 3/4 } 0\nt "" 1 "" { 1, 0.5 }\nt "" 0\n'
        'c "" 1 "" { "x" 0.25 "y" 0.75 } 0\nt "" 1 "" { 1.0, 1/2 }\nt "" 0\n'
    )
    assert zermelo.loads(tree).solve().value == (Fraction(1, 4), Fraction(1, 8))


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
        "1e9999 cannot stand here: this must be a payoff for each player, of at most 100 digits",
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


def refused(text: str) -> tuple[str, int, str]:
    with pytest.raises(InvalidGame) as raised:
        zermelo.loads(text)
    (found,) = raised.value.findings
    assert found.source.text == text
    return found.code, found.span.line, found.message


def test_numbers_that_the_language_does_not_have_are_told_in_the_file():
    for number in ("1e300", "1e-300", "1" * 101, "1/" + "3" * 101):
        code, line, message = refused(f'{HEAD}t "" 1 "" {{ 1 {number} }}')
        assert (code, line) == ("foreign-syntax", 2) and message.endswith("of at most 100 digits")
    longest = "-" + "7" * 100
    assert zermelo.loads(f'{HEAD}t "" 1 "" {{ 1 {longest} }}').solve().value == (1, int(longest))


def test_sums_of_payoffs_that_are_too_long_are_told_in_the_file():
    node = 'p "" 1 1 "" {{ "a" }} 1 "" {{ 1/{0}3 0 }}\nt "" 2 "" {{ 1/{0}7 0 }}\n'
    code, line, message = refused(HEAD + node.format("1" * 80))
    assert (code, line) == ("foreign-syntax", 3) and "more than 100 digits" in message


def test_a_table_with_more_strategies_than_there_is_room_for():
    head = 'NFG 1 R "Large" { "Ann" "Bob" }\n'
    code, line, message = refused(head + "{ 2 999999999 } 1 2")
    assert (code, line) == ("foreign-syntax", 2) and "no room for 999,999,999 strategies" in message


def test_a_table_of_too_many_players_is_told_of_the_file():
    players = '"A" ' * 121
    code, line, message = refused(f'NFG 1 R "Crowd" {{ {players}}} {{ {"1 " * 121}}} {"0 " * 121}')
    assert (code, line) == ("nested-too-deep", 1) and message.startswith("more than 120 players")


def test_a_tree_whose_game_is_too_large_is_told_of_the_file():
    numbers = count(1)

    def tree(depth: int) -> str:
        if not depth:
            return 't "" 0\n'
        return f'p "" 1 {next(numbers)} "" {{ "a" "b" }} 0\n{tree(depth - 1)}{tree(depth - 1)}'

    code, line, message = refused(HEAD + tree(14))
    assert (code, line) == ("file-too-large", 1) and message.startswith("as a game this file has")


def test_tabs_and_line_ends_of_other_systems():
    text = 'EFG 2 R "Tabs" { "Ann" }\np "" 1 1 "" { "go" } 0\nt "" 1 "" { 3 }\n'
    assert zermelo.loads(text.replace(" ", "\t").replace("\n", "\r\n")).solve().value == (3,)


@pytest.mark.parametrize("text", [LENIENT, TABLES["outcomes"]], ids=["efg", "nfg"])
def test_a_file_that_ends_early_is_refused_in_words(text):
    first = text.index("{")
    for end in range(first, len(text.rstrip()) - 1):
        try:
            read_game(Source("part", text[:end]))
        except InvalidGame as refused_:
            assert len(refused_.findings) == 1


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
