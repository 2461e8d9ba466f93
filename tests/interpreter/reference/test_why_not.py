"""Why a move is illegal."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_games import model_of

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.functions import grid
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.why_not import read_value, split_move
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    MemberType,
    NumberType,
    OptionalType,
    SetType,
    TupleType,
    Type,
)
from zermelo.interpreter.values import Member, format_value

TRIAL = Path(__file__).parents[2] / "trial"


@pytest.mark.parametrize(
    ("game", "play", "move", "excerpt", "says", "help"),
    [
        ("tic_tac_toe", ["mark(a1)"], "mark(a1)", "board[c] is none", "board[a1] is X", ""),
        ("tic_tac_toe", [], "mark(d1)", "c", "'d1' is not in Cell", "its values are a1, b1, c1, a2"),
        ("tic_tac_toe", [], "mark(a1); mark(b2)", "play", "these are 2 moves, and one is expected", "first mark(a1)"),
        ("tic_tac_toe", [], "mark", "mark", "takes 1 argument (c), not 0", ""),
        ("tic_tac_toe", [], "marc(a1)", "play", "X is to move in phase 'play'", "did you mean 'mark'?"),
        ("kuhn_poker", ["deal(J, Q)"], "fold", "opening", "'fold' belongs to phase 'answer'", "check, bet"),
        ("kuhn_poker", ["deal(J, Q)"], "check(1)", "check", "takes 0 arguments, not 1", ""),
        ("kuhn_poker", [], "deal(J, J)", "a != b", "'a != b' is false", ""),
        ("chess", [], "go_to(a3, a4)", "pieces(p)", "'from' cannot be a3 here, only a1, b1", ""),
        ("chess", [], "go_to(a1, a4)", "targets(from, p)", "it has no value to choose from", ""),
        ("chess", [], "castle(king_side)", "clear(p, wing)", "'clear(p, wing)' is false", ""),
        (
            "chess",
            ["go_to(e2, e4)", "go_to(e7, e5)", "go_to(d1, h5)"],
            "go_to(f7, f6)",
            "not in_check(p)",
            "would be false after it",
            "",
        ),
        ("backgammon", ["thrown(5, 6)"], "step(24, 2)", "dice[d] > 0", "dice[2] is 0", ""),
        ("prisoners_dilemma", ["defect", "defect"], "defect", "", "the play has ended", ""),
    ],
)
def test_the_part_that_fails_is_named(bundled, follow, game, play, move, excerpt, says, help) -> None:
    machine = bundled(game)
    state = follow(machine, *play)
    finding = machine.why_not(state, move)
    assert finding is not None
    assert finding.code == ("game-over" if game == "prisoners_dilemma" else "illegal-move")
    assert says in finding.message
    assert help in finding.help
    if excerpt:
        assert finding.source.excerpt(finding.span) == excerpt
    with pytest.raises(ZermeloError) as caught:
        machine.find_move(state, move)
    assert caught.value.message == finding.message


def test_a_false_define_is_followed_to_the_part_that_is_false(bundled, follow) -> None:
    machine = bundled("backgammon")
    finding = machine.why_not(follow(machine, "thrown(5, 6)"), "step(25, 6)")
    assert finding.source.excerpt(finding.span) == "movable(p, q)"
    (label,) = finding.labels
    assert finding.source.excerpt(label.span) == "men_on[p, q] > 0"
    assert "men_on[Black, 25] is 0" in finding.message


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("guard(7)", "'k <= n' is false: n is 5"),
        ("guard(3)", "'k % 2 == 0' is false"),
        ("after(3)", "'n != 3' would be false after it: n is 3"),
        ("after(7)", "'n != 7' would be false after it: n is 7"),
        ("named(7)", "'fine(k)' is false, since 'k % 2 == 0' is false"),
        ("named(2)", "'fine(k)' is false, since 'k > 2' is false"),
        ("either(7)", "'k == 1 or k == 2' is false"),
    ],
)
def test_the_false_part_of_a_conjunction_is_named(machine_of, move: str, message: str) -> None:
    machine = machine_of((TRIAL / "reports" / "why.game").read_text(encoding="utf-8"))
    assert machine.why_not(machine.initial(), move).message == message


def test_suicide_is_no_ko(bundled, follow) -> None:
    machine = bundled("go", size=3)
    state = follow(machine, "place(a2)", "pass", "place(b1)")
    finding = machine.why_not(state, "place(a1)")
    assert finding.message.startswith("'liberties(c) != {}' would be false after it")


def test_a_worse_turn_is_refused_by_preferring(machine_of) -> None:
    machine = machine_of(
        """
        game "Longest"
        players A
        var steps: 0..3 = 0
        start at play
        phase play:
            turn A preferring (steps):
                move leap(n in 1..3):
                    steps := n
                    go stop
        phase stop:
            chance:
                outcome over: end draw
        """
    )
    finding = machine.why_not(machine.initial(), "leap(2)")
    assert "another way to play the turn is better" in finding.message
    assert finding.help == "better: leap(3)"


@pytest.mark.parametrize("move", ["mark(b2)", " mark ( b2 ) "])
def test_nothing_is_wrong_with_legal_moves(bundled, move: str) -> None:
    machine = bundled("tic_tac_toe")
    assert machine.why_not(machine.initial(), move) is None
    assert str(machine.find_move(machine.initial(), move)) == "mark(b2)"


def test_outcomes_are_found_too(bundled) -> None:
    machine = bundled("four_card_whist")
    text = (
        "deal({(two, clubs), (four, clubs), (nine, hearts), (three, spades)},"
        " {(two, hearts), (three, clubs), (five, spades), (six, spades)})"
    )
    state = machine.initial()
    found = machine.find_move(state, text)
    assert machine.after(state, found) is not None
    assert machine.why_not(state, text.replace("(two, hearts)", "(two, clubs)")) is not None


# Reading values and moves from text.


RANK = MemberType("Rank", tuple(Member("Rank", name, k) for k, name in enumerate("JQK")))
TYPES: list[Type] = [
    BOOL,
    DIRECTION,
    RANK,
    NumberType(0, 1, Fraction(1, 4)),
    grid("Square", 3, 2),
    OptionalType(RANK),
    TupleType((RANK, NumberType(1, 3))),
    SetType(TupleType((RANK, BOOL))),
]


@given(st.sampled_from(TYPES), st.data())
def test_what_is_written_is_read(type: Type, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(list(type.generate())))
    assert read_value(type, format_value(value).replace(" ", "")) == value


@pytest.mark.parametrize(
    ("type", "text"),
    [(RANK, "A"), (BOOL, "yes"), (INTEGER, "x"), (SetType(RANK), "J"), (TupleType((RANK, RANK)), "(J)"), (RANK, "")],
)
def test_what_writes_no_value_is_refused(type: Type, text: str) -> None:
    with pytest.raises(ValueError):
        read_value(type, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass", ("pass", ())),
        ("pass()", ("pass", ())),
        (" go_to ( a1 , b2 )", ("go_to", ("a1", "b2"))),
        ("deal({(two, clubs), (six, clubs)}, {})", ("deal", ("{(two,clubs),(six,clubs)}", "{}"))),
    ],
)
def test_moves_are_split_at_their_own_commas(text: str, expected: tuple) -> None:
    assert split_move(text) == expected


def test_optional_arguments_are_left_out_at_the_end(construct: Callable[[str], str]) -> None:
    machine = ReferenceMachine(model_of(construct("phases/optional_arguments")))
    state = machine.after(machine.initial(), machine.find_move(machine.initial(), "begin(a1)"))
    for text, written in {
        "go_to": "go_to",
        "go_to(none, none)": "go_to",
        "go_to(none, queen)": "go_to(none, queen)",
        "give(none, (queen, 1))": "give(none, (queen, 1))",
        "give(rook)": "give(rook)",
        "stay()": "stay",
    }.items():
        move = machine.find_move(state, text)
        assert str(move) == written
        assert machine.find_move(state, str(move)) == move
    assert [str(move) for move in machine.moves(state) if move.name == "stay"] == ["stay", "stay(1)"]
    finding = machine.why_not(state, "stay(1, 2)")
    assert finding is not None
    assert finding.message == "'stay' takes 1 argument (n?), not 2"
    finding = machine.why_not(state, "go_to(b1)")
    assert finding is not None
    assert finding.message == "'(to is none or to != b1)' is false"
