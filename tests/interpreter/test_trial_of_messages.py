"""Slips of first users: for each one finding, which says what to write, and makes the edit where that is clear."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.grammar.diagnostics import Finding, Source
from zermelo.interpreter.check import check

TRIAL = Path(__file__).parents[1] / "trial"

NAMES = ("syntax", "names are made of letters, digits and _")
QUOTED = ("syntax", "names are written without quotes")
NUMBER = ("syntax", "a number is written as in 250, 0.5 or 1/3")
SETUP = ("not-constant", "give each its own in 'setup:'")
LABEL = ("foreign-word", "chance has no label")

FOUND: dict[str, list[tuple[str, str]]] = {
    "reader/choice_define": [("undefined-name", "is known under 'then:' alone")],
    "reader/diplo_local": [("syntax", "a local variable has no entries")],
    "reader/gops3": [("possible-none", "a player who has no move, or makes another, chooses none")],
    "reader/nested_table": [("type-mismatch", "write one table with keys such as (Ann, 1)")],
    "reader/notknows": [],
    "reader/setsum": [("equal-members", "sum i in 1..2: die[i]")],
    "reader/vote": [],
    "reader/where_min": [("undefined-name", "'twice' is known only behind the last 'else'")],
    "reader/zs": [],
    "reader/slips/op": [("foreign-word", "write '+='")],
    "reader/slips/s00": [("foreign-word", "write 'else if'")],
    "reader/slips/s01": [("foreign-word", "go to its phase again")],
    "reader/slips/s02": [("wrong-kind-of-name", "write board[Square(s.x, s.y)]")],
    "reader/slips/s03": [("wrong-number-of-arguments", "board[Square(s.x, s.y)]")],
    "reader/slips/s04": [("syntax", "write it after a colon: pile[1..3]: 0..9")],
    "reader/slips/s05": [("undefined-name", "a number has a range")],
    "reader/slips/s06": [SETUP],
    "reader/slips/s07": [SETUP],
    "reader/slips/s08": [SETUP],
    "reader/slips/s09": [("syntax", "for i in 1..3: pile[i] := ...")],
    "peers/action_no_args": [("foreign-word", "without arguments there are no brackets")],
    "peers/chance_infoset": [LABEL],
    "peers/decimals": [NUMBER],
    "peers/digits": [NAMES, NAMES],
    "peers/dup_action": [("duplicate-name", "give one of them another name")],
    "peers/exponent": [NUMBER, NUMBER, NUMBER],
    "peers/inner_earn": [("syntax", "in a tree, payoffs stand only at the ends")],
    "peers/inner_pay": [("syntax", "in a tree, payoffs stand only at the ends")],
    "peers/local_array": [("syntax", "a local variable has no entries")],
    "peers/missing_pay": [("empty-block", "write the payoffs after it")],
    "peers/one_player_table": [("syntax", "a table has two players")],
    "peers/players_spaces": [("foreign-word", NAMES[1]), NAMES],
    "peers/quote_title": [("foreign-word", 'a text has no " in it')],
    "peers/quoted": [QUOTED],
    "peers/reserved_last_cascade": [("reserved-name", "'last' is a word of the language")],
    "peers/shared_label": [("label-mismatch", "belong to different players")],
    "peers/spaces": [NAMES, NAMES, NAMES],
    "peers/unicode": [],
    "reports/c5_chance_labels": [LABEL],
    "reports/f1_forgot_knowledge": [("forgetful-label", "x at @other")],
    "reports/f4_forgot_which_set": [("forgetful-label", "on at @seen_right")],
    "reports/u2_spaces": [("foreign-word", "players have names, without quotes"), QUOTED, QUOTED, QUOTED],
    "reports/u3_more_names": [("foreign-word", NAMES[1]), NAMES],
    "reports/u4_hyphen": [NAMES, NAMES],
}
"""The codes of the findings of each file, with a part of what they say."""


def findings_of(text: str) -> list[Finding]:
    return list(check(Source("trial.game", text))[1])


def said(finding: Finding) -> str:
    return f"{finding.message}; {finding.remark}; {finding.help}"


def mended(text: str) -> str:
    """The text with all fixes that are offered, one after the other."""
    while fixes := [finding.fix for finding in findings_of(text) if finding.fix is not None]:
        span = fixes[0].span
        text = text[: span.start] + fixes[0].replacement + text[span.end :]
    return text


@pytest.mark.parametrize("name", FOUND)
def test_a_file_of_a_first_user(name: str) -> None:
    found = findings_of((TRIAL / f"{name}.game").read_text(encoding="utf-8"))
    assert [finding.code for finding in found] == [code for code, _ in FOUND[name]]
    for finding, (_, part) in zip(found, FOUND[name], strict=True):
        assert part in said(finding)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("reports/u2_spaces", "Firm_1 Firm_2 Firm_1 go_in stay_out"),
        ("reports/u3_more_names", "Player_1 Player_2 Player_1"),
        ("reports/u4_hyphen", "not_trust trust"),
        ("peers/digits", "_1 _2"),
        ("peers/spaces", "first_move go_left go_right"),
        ("reader/where_min", "(if twice > 3 then 1\n    else 0)"),
        ("reports/c5_chance_labels", "chance:"),
    ],
)
def test_the_fixes_of_a_file_make_it_right(name: str, written: str) -> None:
    text = mended((TRIAL / f"{name}.game").read_text(encoding="utf-8"))
    assert [finding.message for finding in findings_of(text) if finding.severity.value == "error"] == []
    for part in [written] if "\n" in written else written.split():
        assert part in text


GAME = """game "Slips"
players Ann, Bob
type Suit = red | black
type Card = (rank: 1..3, suit: Suit)
var pile[1..3]: 0..9 = 3
var card: Card? = none
var hand[Player]: set of Card = {{}}
define worth = {{(1, red): 2}}
{declared}
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(h in 1..3) if pile[h] > 0:
            pile[h] -= 1
            {line}
            if card is not none and card in hand[p] and worth[(h, card.suit)] == x: end win p
            go play(other p)
    otherwise: end win p
"""
DECLARED = "var x: 0..9 = 0"


@pytest.mark.parametrize(
    ("wrong", "code", "right"),
    [
        ("x := 1 if h == 2 else 0", "foreign-word", "x := if h == 2 then 1 else 0"),
        ("x := h == 2 ? 1 : 0", "foreign-word", "x := if h == 2 then 1 else 0"),
        ("x := min(3, 1 if h == 2 else 0)", "foreign-word", "x := min(3, if h == 2 then 1 else 0)"),
        ("if x == 3: end win Ann if h == 2 else Bob", "foreign-word", "if x == 3: end win if h == 2 then Ann else Bob"),
        ("if h is not 2: end draw", "equals-sign", "if h != 2: end draw"),
        ("card := null", "undefined-name", "card := none"),
        ("if True: end draw", "undefined-name", "if true: end draw"),
        ("x := sum(pile[i] for i in 1..3) % 9", "foreign-word", "x := (sum i in 1..3: pile[i]) % 9"),
        ("if any(pile[i] == 0 for i in 1..3): end draw", "foreign-word", "if (some i in 1..3: pile[i] == 0): end draw"),
        ("card := {rank: 1, suit: red}", "type-mismatch", "card := (1, red)"),
        ("hand[p] += {{suit: red, rank: 1}}", "type-mismatch", "hand[p] += {(1, red)}"),
        ("if x < .5: end draw", "syntax", "if x < 0.5: end draw"),
        ("if x > 1e-3: end draw", "syntax", "if x > 0.001: end draw"),
        ("if x > 1_0: end draw", "syntax", "if x > 10: end draw"),
        ("if x>1&&h>1: end draw", "foreign-word", "if x>1 and h>1: end draw"),
        ("if worth[1][red] == 2: end draw", "wrong-kind-of-name", "if worth[1, red] == 2: end draw"),
        ("tell Ann and Bob that took(h)", "type-mismatch", "tell {Ann, Bob} that took(h)"),
        ("if x == 9: end win Ann and Bob", "type-mismatch", "if x == 9: end win {Ann, Bob}"),
        ("let size² = x", "unknown-character", "let size2 = x"),
    ],
)
def test_a_line_is_mended(wrong: str, code: str, right: str) -> None:
    text = GAME.format(declared=DECLARED, line=wrong)
    (finding,) = (finding for finding in findings_of(text) if finding.severity.value == "error")
    assert finding.code == code
    assert mended(text) == GAME.format(declared=DECLARED, line=right)


@pytest.mark.parametrize(
    ("wrong", "code", "right"),
    [
        (f"hidden {DECLARED}", "foreign-word", f"{DECLARED} hidden"),
        (f"{DECLARED} seen by Ann, Bob", "foreign-word", f"{DECLARED} seen by {{Ann, Bob}}"),
        (f"{DECLARED} seen by Ann and Bob", "type-mismatch", f"{DECLARED} seen by {{Ann, Bob}}"),
    ],
)
def test_a_declaration_is_mended(wrong: str, code: str, right: str) -> None:
    text = GAME.format(declared=wrong, line="x := h")
    assert [finding.code for finding in findings_of(text)] == [code]
    assert mended(text) == GAME.format(declared=right, line="x := h")


@pytest.mark.parametrize(
    ("wrong", "help"),
    [
        ("if sum(pile) == 0: end draw", "as in (sum i in 1..3: pile[i])"),
        ("x := x + sum(pile)", "as in (sum i in 1..3: pile[i])"),
        ("if all(pile): end draw", "as in (all i in 1..3: pile[i] > 0)"),
        ("if count(hand[p]) == 2: end draw", "size(S)"),
        ("card := {rank: 1}", "write (1, suit)"),
    ],
)
def test_a_line_gets_advice(wrong: str, help: str) -> None:
    (finding,) = findings_of(GAME.format(declared=DECLARED, line=wrong))
    assert finding.fix is None and help in finding.help


@pytest.mark.parametrize(
    "line",
    [
        "x := if (some n in 1..3: n == h) then 1 else n where n = 2",
        "x := if h == 2 then 1 else (n where n = 2)",
        "x := (if n == 2 then 1 else n) where n = h",
    ],
)
def test_a_where_that_is_right(line: str) -> None:
    assert findings_of(GAME.format(declared=DECLARED, line=line)) == []


def test_files_of_other_programs_are_known() -> None:
    for head in ('EFG 2 R "Untitled" { "Ann" "Bob" }', 'NFG 1 R "Untitled" { "Ann" "Bob" } { 2 2 }'):
        assert [finding.code for finding in findings_of(f'{head}\n"p" "" 1 1\n')] == ["other-format"]
