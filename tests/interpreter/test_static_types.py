"""The static type of each expression admits every value that it has in plays, folded expressions included."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.circling import write_circling
from random_games.small import write_small
from random_games.writer import write_game
from watched_values import play_watched, watching
from written_games import model_of

from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import Move, PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine

HERE: Final = Path(__file__).parent
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
