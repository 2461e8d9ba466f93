"""What stands beside a text while somebody writes it, without a server."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS
from zermelo.interpreter.symbols.index import index_with_findings
from zermelo.language_server.completion import Look, symbol_markdown
from zermelo.language_server.documents import TextPlaces
from zermelo.language_server.hints import inlay_hints, signature_help
from zermelo.language_server.protocol import Position, Range, SignatureHelp

GAME = """\
game "Taking"
players Ann, Bob
type Cell = grid(3, 3)
param most: 1..5 = 3
var left: 0..20 = 20
var board[Cell]: Player? = none
define least = 1
define can_take(n: 1..5, among: set of {1, 2}) = n <= left
define spare(n: 1..5,
             k: 1..5) = left - min(n, k)
define free: set of Cell = {c in Cell if board[c] is none}

start at play(Ann)

phase play(p: Player):
    turn p:
        move take "takes"(n in 1..5) if can_take(n, {1}):
            left -= n
            let rest = left + spare(n, 1)
            let ended = rest == 0
            for c in free: board[c] := p
            if ended: end win p
            go play(other p)
        move leave(c in free, d in Cell, e in {c in Cell if c in free}): end draw
        move stay(c in Cell, d in
                  Cell): end draw
"""


def look_at(text: str) -> Look:
    index, _ = index_with_findings(Source("g.game", text))
    return Look("file:///g.game", index, TextPlaces(index.source))


def help_behind(written: str, text: str = GAME) -> SignatureHelp | None:
    """What is said at the end of what is ``written`` below a text."""
    look = look_at(f"{text}\n{written}")
    lines = look.index.source.text.split("\n")
    return signature_help(look, Position(len(lines) - 1, len(lines[-1])))


@pytest.mark.parametrize(
    ("written", "label", "parameter"),
    [
        ("define x = can_take(", "define can_take(n: 1..5, among: set of {1, 2})", "n: 1..5"),
        ("define x = can_take(1, {1, 2", "define can_take(n: 1..5, among: set of {1, 2})", "among: set of {1, 2}"),
        ("define x = can_take(min(1, 2), ", "define can_take(n: 1..5, among: set of {1, 2})", "among: set of {1, 2}"),
        ("define x = can_take(1, min(2, ", "min(a, b)", "b"),
        ("define x = spare({1, ", "define spare(n: 1..5, k: 1..5)", "n: 1..5"),
        ("define x = spare(1, (2 + ", "define spare(n: 1..5, k: 1..5)", "k: 1..5"),
        ("define x = neighbours(a1, ", "neighbours(c, orthogonal)", "orthogonal"),
        ("define x = ray(a1, north, ", "ray(c, north)", "north"),
        ('test "one":\n    play take(', 'move take "takes"(n in 1..5)', "n in 1..5"),
        ("expect best == leave(a1, ", "move leave(c in free, d in Cell, e in {c in Cell if c in free})", "d in Cell"),
        ("expect best == stay(a1", "move stay(c in Cell, d in Cell)", "c in Cell"),
        ("expect best == stay(a1, ", "move stay(c in Cell, d in Cell)", "d in Cell"),
        ("setup:\n    go play(", "phase play(p: Player)", "p: Player"),
        ("type Board = grid(", "grid(8, 8)", "8"),
    ],
)
def test_the_parameters_of_a_call(written: str, label: str, parameter: str) -> None:
    found = help_behind(written)
    assert found is not None
    active = found.signatures[found.active_signature]
    assert (active.label, active.parameters[found.active_parameter].label) == (label, parameter)


@pytest.mark.parametrize(
    "written",
    ["define x = can_take(1, {1})", "define x = (1 + ", "define x = can_take", "define can_take(", "define x = least",
     "phase more(", "define x = unknown(", "define x = 1 # can_take(", "setup:\n    if ("],
)  # fmt: skip
def test_outside_of_calls_nothing_is_said(written: str) -> None:
    assert help_behind(written) is None


def test_a_signature_says_what_hover_says() -> None:
    found = help_behind("define x = can_take(")
    assert found is not None
    symbol = next(each for each in look_at(GAME).index.symbols.values() if each.name == "can_take")
    assert symbol_markdown(symbol).endswith(found.signatures[0].documentation.value)
    assert "type: Bool" in found.signatures[0].documentation.value


def test_of_several_moves_with_a_name_one_fits() -> None:
    more = "\nphase late:\n    turn Ann:\n        move take(n in 1..2, m in 1..2): end draw\n"
    found = help_behind("expect best == take(1, ", GAME + more)
    assert found is not None and len(found.signatures) == 2
    assert (found.active_signature, found.active_parameter) == (1, 1)


@pytest.mark.parametrize("name", sorted(BUILT_IN_FUNCTIONS))
def test_each_function_has_parameters(name: str) -> None:
    found = help_behind(f"define x = {name}(")
    assert found is not None and found.signatures[0].label.startswith(f"{name}(") and found.signatures[0].parameters


def test_types_stand_where_the_text_does_not_show_them() -> None:
    everywhere = Range(Position(0, 0), Position(99, 0))
    lines = GAME.split("\n")
    for hint in reversed(inlay_hints(look_at(GAME), everywhere)):
        line, k = hint.position.line, hint.position.character
        lines[line] = lines[line][:k] + f"«{hint.label}»" + lines[line][k:]
    assert [line.strip() for line in lines if "«" in line] == [
        "k: 1..5)«: -5..19» = left - min(n, k)",
        "let rest«: -5..39» = left + spare(n, 1)",
        "for c«: Cell» in free: board[c] := p",
        "move leave(c«: Cell» in free, d in Cell, e in {c in Cell if c in free}): end draw",
    ]


def test_types_are_shown_in_the_lines_that_are_asked_for() -> None:
    line = next(k for k, line in enumerate(GAME.split("\n")) if "let rest" in line)
    (hint,) = inlay_hints(look_at(GAME), Range(Position(line, 0), Position(line + 1, 0)))
    assert hint.label == ": -5..39"


def test_an_unknown_type_is_not_shown() -> None:
    text = GAME.replace("left + spare(n, 1)", "left + nothing")
    everywhere = Range(Position(0, 0), Position(99, 0))
    assert [hint.label for hint in inlay_hints(look_at(text), everywhere)] == [": -5..19", ": Cell", ": Cell"]
