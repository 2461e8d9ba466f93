"""Generated names never clash with names in files."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many, seeds
from random_games.circling import write_circling
from random_games.labelled import Node, is_told_apart_as_labelled, labelled_tree
from random_games.small import write_small
from random_games.writer import write_game
from watched_values import play_watched, watching
from written_games import model_of

import zermelo
from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source, ZermeloError, nearest, slips_between
from zermelo.grammar.names import WORD, is_letter, is_name
from zermelo.grammar.words import grammar_text
from zermelo.interpreter.check import check
from zermelo.interpreter.elaboration import trees
from zermelo.interpreter.machine import Machine, Move, PlayError
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.interpreter.reference.machine import ReferenceMachine

TRIAL = Path(__file__).parents[2] / "trial" / "proofs" / "03_branch_named_root.game"

HOSTILE: Final = (
    "root", "table", "node", "label", "player", "a", "b", "a_b", "set0", "set1", "set2", "root_a", "_", "__", "Ann",
    "Bob", "Cy", "phase", "turn", "start", "match", "chosen", "root0", "the", "p0", "k1", "S", "C", "L", "m", "n",
    "größe", "手", "ﬁ", "fi",
)  # fmt: skip
"""Names of branches, labels and choices that generated names once consisted of, or may in lowered text."""

begins = st.characters(categories=("L", "Nl")).filter(is_name) | st.just("_")
letters = st.characters(categories=("L", "M", "Nl", "Nd", "Pc")).filter(is_letter)
names = st.builds(str.__add__, begins, st.text(letters, max_size=8))
paths = st.lists(names | st.sampled_from(HOSTILE), max_size=4).map(tuple)


@given(one=paths, other=paths, label=names, another=names)
def test_generated_names_are_written_by_nobody_and_differ(
    one: tuple[str, ...], other: tuple[str, ...], label: str, another: str
) -> None:
    made = [trees.node_phase(one), trees.label_phase(label), trees.TABLE]
    assert not any(map(is_name, made))
    assert len(set(made)) == 3
    assert (trees.node_phase(one) == trees.node_phase(other)) == (one == other)
    assert (trees.label_phase(label) == trees.label_phase(another)) == (label == another)


def test_the_grammar_has_no_other_names() -> None:
    """The premise of the proof in the module."""
    assert f"NAME:             /{WORD}/\n" in grammar_text()


def test_a_branch_named_root() -> None:
    """By hand: with probability 1/2 Ann chooses between 5 and 7, else there is 1."""
    game = zermelo.loads(TRIAL.read_text())
    assert zermelo.solve(game).value == (4, -4)


@pytest.mark.parametrize("seed", seeds(60))
def test_labels_mean_the_same_whatever_they_are_called(seed: int) -> None:
    random = Random(seed)
    tree = labelled_tree(random, HOSTILE, HOSTILE, depth=random.choice((3, 4)), players=3)
    model = model_of(tree.game(random))
    assert is_told_apart_as_labelled(tree, ReferenceMachine(model))
    assert is_told_apart_as_labelled(tree, machine_over(lower(model)))


def backwards(node: Node) -> Fraction:
    """Ann's payoff in a tree of perfect information, by backward induction."""
    if node.payoff:
        return Fraction(node.payoff[0])
    below = [backwards(child) for child in node.children]
    if node.player is None:
        return sum((chance * value for chance, value in zip(node.chances, below, strict=True)), Fraction(0))
    return max(below) if node.player == "Ann" else min(below)


@pytest.mark.parametrize("seed", seeds(60))
def test_values_are_the_same_whatever_branches_are_called(seed: int) -> None:
    tree = labelled_tree(Random(seed), HOSTILE, HOSTILE, joined=0.0)
    value = backwards(tree.root)
    assert zermelo.solve(zermelo.loads(tree.game())).value == (value, -value)


@settings(max_examples=many(60), deadline=None)
@given(
    rows=st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3, unique=True),
    columns=st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3, unique=True),
)
def test_choices_of_tables_may_have_any_name(rows: list[str], columns: list[str]) -> None:
    cells = {(row, column): (k, -k) for k, (row, column) in enumerate(product(rows, columns))}
    lines = ['game "Choices"', "players Ann, Bob", "table:", f"    Ann \\ Bob | {' | '.join(columns)}"]
    for row in rows:
        shown = " | ".join(f"{cells[row, column][0]}, {cells[row, column][1]}" for column in columns)
        lines.append(f"    {row} | {shown}")
    model = model_of("\n".join(lines) + "\n")
    machines: tuple[Machine[Any], ...] = (ReferenceMachine(model), machine_over(lower(model)))
    for machine in machines:
        for (row, column), payoff in cells.items():
            state = machine.initial()
            for choice in (row, column):
                state = machine.after(state, Move(choice))
            assert machine.payoff(state) == payoff


# What findings advise: written into the file, it is right.


GAME = """game "Helps"
players Ann, Bob
type Hole = ring(6)
param start: 0..5 = 2
{declared}
start at play(Ann)
phase play(p: Player):
    turn p:
        move step(k in Hole{also}):
            if {condition}: end win p
            end draw
"""


def findings(condition: str, declared: str = "", also: str = "") -> list[tuple[str, str]]:
    text = GAME.format(declared=declared, also=also, condition=condition)
    return [(finding.code, finding.help) for finding in check(Source("helps.game", text))[1].errors]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("k == start", "k == Hole(start)"),
        ("start != k", "Hole(start) != k"),
        ("k > start", "k > Hole(start)"),
        ("k in {1, start}", "k in {1, Hole(start)}"),
        ("start in neighbours(k)", "Hole(start) in neighbours(k)"),
    ],
)
def test_a_place_of_a_ring_beside_a_number(wrong: str, right: str) -> None:
    assert findings(wrong) == [("type-mismatch", "Hole(start) is the place with this number")]
    assert findings(right) == []


def test_a_place_of_a_ring_in_a_set_of_numbers() -> None:
    assert findings("k in {n * n for n in 1..2}") == [("type-mismatch", "Hole(k) is the place with the number k")]
    assert findings("k in {Hole(n * n) for n in 1..2}") == []


def test_the_parts_of_a_bare_tuple_get_names_by_a_type() -> None:
    ((code, help),) = findings("d.steps == 2", also=", d in {(1, 2)}")
    assert code == "undefined-name" and "define steps: set of Step = {(1, 2)}" in help
    declared = "type Step = (from: 0..5, steps: 1..2)\ndefine steps: set of Step = {(1, 2)}"
    assert findings("d.steps == 2", declared, also=", d in steps") == []


def test_a_line_has_a_whole_number_of_places() -> None:
    assert findings("any(lines(Hole, 5/2))") == [("out-of-range", "")]
    assert findings("any(lines(Hole, 2))") == []


# Parameters set by a user, and fixes offered by the checker.


TEXT = """game "Parameters"
players 2..4 = 3
param n: 1..5 = 3
param k: 1..9 = n + 1
param fair: Bool = false
param luck: 0..1 by 1/4 = 1/2
param suit: Suit = clubs
type Suit = clubs | hearts
require k > n
start at play
phase play:
    if n + k > 3 and fair and luck == 1 and suit == hearts: end draw
    turn Player(1):
        move stop: end draw
"""


def outcome(**overrides: Any) -> tuple[dict[str, Any], list[str]]:
    model, findings = check(Source("parameters.game", TEXT), overrides)
    values = {} if model is None else {name: value for name, value in model.parameters.items() if name != "suit"}
    return values, [finding.code for finding in findings]


def test_without_overrides_parameters_have_their_first_values() -> None:
    assert outcome() == ({"players": 3, "n": 3, "k": 4, "fair": False, "luck": Fraction(1, 2)}, [])


def test_values_and_texts_mean_the_same() -> None:
    given = {"players": 4, "n": 5, "fair": True, "luck": Fraction(3, 4)}
    written = {"players": "4", "n": " 5", "fair": "true", "luck": "0.75", "suit": "hearts"}
    assert outcome(**given) == outcome(**written) == ({**given, "k": 6}, [])


@pytest.mark.parametrize(
    "overrides",
    [
        *({"n": given} for given in (6, "x", "", 2.5, True, "1/0")),
        *({"fair": 1}, {"fair": "yes"}, {"luck": "1/3"}, {"suit": "spades"}, {"suit": None}),
        *({"players": 5}, {"players": "many"}),
    ],
    ids=str,
)
def test_what_the_file_does_not_allow_is_reported_once(overrides: dict[str, Any]) -> None:
    assert outcome(**overrides) == ({}, ["parameter-out-of-range"])


def test_requirements_hold_for_what_the_user_sets() -> None:
    assert outcome(k=2) == ({}, ["requirement-not-met"])


def test_an_unknown_parameter_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ZermeloError, match="did you mean 'luck'") as caught:
        outcome(lucky=1)
    assert caught.value.code == "unknown-parameter"


def test_a_fix_mends_the_text() -> None:
    text = TEXT.replace("luck == 1", "lukc == 1")
    _, findings = check(Source("parameters.game", text))
    (finding,) = findings
    assert finding.fix is not None
    span = finding.fix.span
    assert text[: span.start] + finding.fix.replacement + text[span.end :] == TEXT


def test_a_name_for_the_player_who_chooses_is_inserted() -> None:
    text = TOGETHER
    _, findings = check(Source("bid.game", text))
    (finding,) = findings
    assert finding.fix is not None
    start, end = finding.fix.span.start, finding.fix.span.end
    mended = text[:start] + finding.fix.replacement + text[end:]
    assert "    together p in Player:\n" in mended
    assert not list(check(Source("bid.game", mended))[1])


TOGETHER = """\
game "Bids"
players Ann, Bob
var coins[Player]: 0..5 = 5
start at bid
phase bid:
    together:
        move offer(n in 0..coins[p])
    then:
        end payoff {q: offer[q].n for q in Player}
"""


DICE = """\
game "As many throws as dice"
players Ann, Bob
param dice: 1..5 = 2
start at roll(1)
phase roll(k: 1..dice):
    turn Ann:
        move go_on:
            if k < dice: go roll(k + 1)
            end win Ann
        move stop: end draw
"""


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_code_that_a_parameter_puts_out_of_reach_is_no_error(dice: int) -> None:
    model, findings = check(Source("dice.game", DICE), {"dice": dice})
    assert model is not None
    assert not list(findings)


@pytest.mark.parametrize(("dice", "wrong"), [(1, []), (2, ["out-of-range"])])
def test_code_that_another_parameter_brings_within_reach_is(dice: int, wrong: list[str]) -> None:
    text = DICE.replace("go roll(k + 1)", "go roll(dice + 1)")
    _, findings = check(Source("dice.game", text), {"dice": dice})
    assert [finding.code for finding in findings] == wrong


# Did you mean ...: names that a person may have meant, and no others.


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("others", "other"), ("boad", "board"), ("widht", "width"), ("nxet", "next"), ("plyer", "player"),
        ("neighbors", "neighbours"), ("tictactoe", "tic_tac_toe"), ("ches", "chess"), ("alfabeta", "alphabeta"),
        ("minmax", "minimax"), ("red", "rad"), ("BOB", "Bob"), ("x", "X"),
    ],
)  # fmt: skip
def test_slips(written, meant):
    assert nearest(written, ["southwest", "unlike_all_of_them", meant]) == meant


@pytest.mark.parametrize(
    ("written", "other"),
    [("others", "southwest"), ("X", "O"), ("a1", "b1"), ("sum", "win"), ("len", "line"), ("a" * 61, "a" * 60)],
)
def test_words_that_are_only_somewhat_alike(written, other):
    assert nearest(written, [other]) is None


def test_the_fewest_slips_count_and_then_the_order():
    assert nearest("caled", ["called", "calm", "caller"]) == "called"
    assert nearest("hand", ["band", "land"]) == "band"
    assert nearest("hand", []) is None


@pytest.mark.parametrize(
    ("written", "meant", "slips"),
    [("", "abc", 3), ("abc", "abc", 0), ("ba", "ab", 1), ("kitten", "sitting", 3), ("ca", "abc", 3)],
)
def test_slips_between_words(written, meant, slips):
    """The figures are those of the literature; of ``ca`` and ``abc``, what sets the restricted distance apart."""
    assert slips_between(written, meant) == slips_between(meant, written) == slips


# The static type of each expression admits every value that it has in plays, folded expressions included.


HERE: Final = Path(__file__).parents[1]
FOLDERS: Final = [HERE / "alike", *(HERE.parent / "trial" / part for part in ("positions", "proofs", "values"))]
FILES: Final = sorted(path for folder in FOLDERS for path in folder.rglob("*.game"))


def assert_sound(text: str, plays: int, length: int) -> None:
    """All values of a few random plays belong to the types of their expressions."""
    with watching() as noted:
        model, _ = check(Source("watched.game", text))
        if model is not None:
            play_watched(model, plays, length)
        found = [f"line {expr.span.line}: {type(expr).__name__} of {expr.type} is {value}" for expr, value in noted]
    assert found == []


@pytest.mark.parametrize("name", gamedefs.names())
def test_in_bundled_games(name: str) -> None:
    assert_sound(gamedefs.path(name).read_text(encoding="utf-8"), plays=1, length=12)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_in_games_of_the_tests(path: Path) -> None:
    assert_sound(path.read_text(encoding="utf-8"), plays=4, length=15)


@settings(max_examples=many(60))
@given(st.integers(0, 100_000))
def test_in_random_games(number: int) -> None:
    text = write_game(Random(number))
    note(text)
    assert_sound(text, plays=3, length=12)


@settings(max_examples=many(20))
@given(st.integers(0, 100_000), st.sampled_from(["alone", "against", "common", "any"]))
def test_in_small_random_games(number: int, aim: str) -> None:
    for text in (write_small(Random(number)), write_circling(Random(number), aim, has_chance=True, has_rounds=True)):
        note(text)
        assert_sound(text, plays=2, length=10)


HEAD: Final = """
game "One move"
players Ann, Bob
type Half = 0..2 by 1/2
type Square = grid(3, 3)
type Place = ring(5)
type Pair = (one: 0..2, two: 0..2)
var half: Half = 1/2
var whole: 0..3 = 0
var wholes: set of 0..3 = {0}
var way: Direction = north
var ways: set of Direction = {north}
var place: Place = Place(0)
var spot: Square = a1
var squares: set of Square = {}
var pairs: set of Pair = {(0, 0)}
start at play
phase play:
    turn Ann:
        move stop: end draw
        move go_on:
            EFFECT
            go play
"""

BEYOND: Final = [
    ("for x in half..3: whole := x", "whole is given 1/2"),
    ("wholes := half..3", "wholes is given {1/2, 3/2, 5/2}"),
    ("wholes += {x + 0 for x in half..3}", "wholes is given {0, 1/2, 3/2, 5/2}"),
    ("way := way + north", "way is given <0, 2>, but takes only Direction"),
    ("way := 2 * way", "way is given <0, 2>, but takes only Direction"),
    ("ways += {way + south}", "ways is given {north, <0, 0>}, but takes only set of Direction"),
    ("place := place + half", "place is given none, but takes only Place"),
    ("place := Place(half)", "place is given none, but takes only Place"),
    ("spot := Square(1 + half, 1)", "spot is given none, but takes only Square"),
    (
        "wholes := first s in (reach t from {wholes}: {{n + 1 for n in t if n < 5}}): 4 in s",
        "a member of 'reach' is given {4}, but takes only set of 0..3",
    ),
    (
        "pairs := reach p from pairs: {(p.one + 1, p.two) for n in 1..1 if p.one < 4}",
        "a member of 'reach' is given (3, 0), but takes only Pair",
    ),
]
"""Effects that write a value beyond its place, and the error. Each of them was once written, or went unnoticed."""


@pytest.mark.parametrize(("effect", "error"), BEYOND)
def test_values_beyond_their_place(effect: str, error: str) -> None:
    text = HEAD.replace("EFFECT", effect)
    assert_sound(text, plays=4, length=6)
    model, findings = check(Source("beyond.game", text))
    assert model is not None, [finding.message for finding in findings]
    machine = ReferenceMachine(model)
    with pytest.raises(PlayError) as raised:
        machine.after(machine.initial(), Move("go_on"))
    assert error in str(raised.value)


def test_no_subset_has_half_a_member() -> None:
    machine = ReferenceMachine(model_of(HEAD.replace("EFFECT", "for s in subsets({a1, b1}, half): squares += s")))
    state = machine.after(machine.initial(), Move("go_on"))
    assert machine.actor(state) == 0
    assert machine.moves(state) == (Move("stop"), Move("go_on"))


def test_a_table_of_the_compass_has_no_entry_for_other_steps() -> None:
    table = "{north: 1, northeast: 1, east: 1, southeast: 1, south: 1, southwest: 1, west: 1, northwest: 1}"
    _, findings = check(Source("compass.game", HEAD.replace("EFFECT", f"whole := 1 + {table}[way + north]")))
    assert "possible-none" in [finding.code for finding in findings]
