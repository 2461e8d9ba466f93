"""The text of findings and errors."""

from __future__ import annotations

import os
import re
import shutil
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings, Fix, InvalidGame, Label, Source, ZermeloError
from zermelo.grammar.reading import position
from zermelo.interpreter.machine import Move, PlayError
from zermelo.numbers import certain_decimals, interval_text, rounded_up_text, text_within
from zermelo.report import console
from zermelo.report.annotations import error_records, finding_record
from zermelo.report.console import LINE_WIDTH, Paint, columns_of, fact_lines, json_text, progress, table, wrap_text
from zermelo.report.text import render_error, render_finding, render_findings
from zermelo.solvers.common.limits import Milestone

TEXT = """\
game "x"
players Alice, Bob



phase a:
    turn Aliec:
        move b: go c
        move d: go d
"""
SOURCE = Source("kuhn.game", TEXT)


def shown(rendered: str) -> list[str]:
    return rendered.splitlines()


def test_a_finding_with_label_help_and_fix(piece):
    name = piece(TEXT, "Aliec")
    finding = Finding(
        "undefined-name",
        "there is no 'Aliec'",
        SOURCE,
        name,
        remark="did you mean 'Alice'?",
        labels=(Label(piece(TEXT, "Alice"), "declared here"),),
        help="players are declared with 'players'",
        fix=Fix(name, "Alice", "write 'Alice'"),
    )
    assert shown(render_finding(finding)) == [
        "error[undefined-name]: there is no 'Aliec'",
        " --> kuhn.game:7:10",
        "  |",
        "2 | players Alice, Bob",
        "  |         ----- declared here",
        "...",
        "7 |     turn Aliec:",
        "  |          ^^^^^ did you mean 'Alice'?",
        "  |",
        "  = help: players are declared with 'players'",
        "  = fix: write 'Alice'",
        "  |",
        "7 |     turn Alice:",
        "  |          ~~~~~",
    ]


def test_several_marks_on_one_line_hang_below_each_other(piece):
    labels = (Label(piece(TEXT, "move"), "one"), Label(piece(TEXT, "b:"), "two"))
    finding = Finding("type-mismatch", "no", SOURCE, piece(TEXT, "go c"), remark="three", labels=labels)
    assert shown(render_finding(finding))[3:] == [
        "8 |         move b: go c",
        "  |         ---- -- ^^^^ three",
        "  |         |    |",
        "  |         |    two",
        "  |         one",
    ]


def test_a_label_inside_the_main_mark_hangs(piece):
    labels = (Label(piece(TEXT, "b:"), "inside"),)
    finding = Finding("type-mismatch", "no", SOURCE, piece(TEXT, "move b: go c"), remark="all", labels=labels)
    assert shown(render_finding(finding))[3:] == [
        "8 |         move b: go c",
        "  |         ^^^^^^^^^^^^",
        "  |         |    |",
        "  |         |    inside",
        "  |         all",
    ]


def test_a_mark_of_several_lines_has_a_rail(piece):
    span = position(TEXT, TEXT.index("phase"), len(TEXT))
    finding = Finding("phase-without-exit", "no", SOURCE, span, remark="this", labels=(Label(piece(TEXT, "b:"), "b"),))
    assert shown(render_finding(finding)) == [
        "error[phase-without-exit]: no",
        " --> kuhn.game:6:1",
        "  |",
        "6 | / phase a:",
        "7 | |     turn Aliec:",
        "8 | |         move b: go c",
        "  | |              -- b",
        "9 | |         move d: go d",
        "  | |____________________^ this",
    ]


def test_the_middle_of_a_long_mark_is_left_out():
    text = "".join(f"line {k}\n" for k in range(1, 21))
    finding = Finding("syntax", "no", Source("long", text), position(text, 0, len(text)))
    assert shown(render_finding(finding))[3:] == [
        " 1 | / line 1",
        " 2 | | line 2",
        " 3 | | line 3",
        "...",
        "20 | | line 20",
        "   | |_______^",
    ]


def test_one_line_between_two_others_is_shown(piece):
    finding = Finding("syntax", "no", SOURCE, piece(TEXT, "phase"), labels=(Label(piece(TEXT, "move"), "m"),))
    assert [row[:3] for row in shown(render_finding(finding))[3:]] == ["6 |", "  |", "7 |", "8 |", "  |"]


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        (5, ["1 |", "2 |", "3 |", "4 |", "5 |", "  |"]),
        (6, ["1 |", "2 |", "3 |", "...", "6 |", "  |"]),
    ],
)
def test_a_mark_of_up_to_five_lines_is_whole(lines, rows):
    """Of six, two would be left out."""
    text = "".join(f"line {k}\n" for k in range(1, lines + 1))
    finding = Finding("syntax", "no", Source("f", text), position(text, 0, len(text)))
    assert [row[:3] for row in shown(render_finding(finding))[3:]] == rows


@pytest.mark.parametrize(
    ("other", "rows"),
    [
        (3, ["2 |", "  |", "3 |", "  |"]),
        (4, ["2 |", "  |", "3 |", "4 |", "  |"]),
        (5, ["2 |", "  |", "...", "5 |", "  |"]),
    ],
)
def test_two_lines_between_two_others_are_left_out(piece, other, rows):
    text = "".join(f"line {k}\n" for k in range(1, 8))
    labels = (Label(piece(text, f"{other}")),)
    finding = Finding("syntax", "no", Source("f", text), piece(text, "2"), labels=labels)
    assert [row[:3] for row in shown(render_finding(finding))[3:]] == rows


def test_the_lines_of_a_help_begin_below_each_other(piece):
    finding = Finding("syntax", "no", SOURCE, piece(TEXT, "Aliec"), help="either this\nor that")
    assert shown(render_finding(finding))[-2:] == ["  = help: either this", "          or that"]


def test_the_end_of_a_line_is_one_caret():
    end = len('game "x"')
    finding = Finding("missing-colon", "no", SOURCE, position(TEXT, end, end), fix=Fix(position(TEXT, end, end), ":"))
    assert shown(render_finding(finding))[3:] == [
        '1 | game "x"',
        "  |         ^",
        "  |",
        "  = fix: change this",
        "  |",
        '1 | game "x":',
        "  |         +",
    ]


def test_a_deletion_shows_the_line_without_it(piece):
    span = piece(TEXT, ", Bob")
    finding = Finding("syntax", "no", SOURCE, span, fix=Fix(span, "", "leave it out"))
    assert shown(render_finding(finding))[-2:] == ["  |", "2 | players Alice"]


def test_what_ends_a_line_elsewhere_does_not_here(piece):
    text = "one\x0ctwo\r\nthree\u2028four"
    finding = Finding("unknown-character", "no", Source("f", text), piece(text, "four"))
    assert shown(render_finding(finding))[3:] == ["2 | three\N{REPLACEMENT CHARACTER}four", "  |       ^^^^"]


STRANGE = st.text(st.sampled_from("ab \t\n\r\x1b日e\u0301\u200b\U0001f600"), max_size=300)


@given(text=STRANGE, new=STRANGE, data=st.data())
def test_no_text_and_no_span_is_too_strange(text, new, data):
    def span():
        start = data.draw(st.integers(0, len(text)))
        return position(text, start, data.draw(st.integers(start, len(text))))

    texts = data.draw(st.lists(st.sampled_from(["", "label"]), max_size=3))
    labels = tuple(Label(span(), label) for label in texts)
    finding = Finding("syntax", "message", Source("f", text), span(), "remark", labels, "help", Fix(span(), new))
    rendered = render_finding(finding)
    if text:
        assert rendered.count("remark") == 1 and rendered.count("label") == texts.count("label")
    assert not any(category(character) in ("Cc", "Cf") for character in rendered.replace("\n", ""))


def test_tabs_wide_and_control_characters_do_not_shift_the_carets(piece):
    text = "\t日本 ab\x1b[31m\n"
    finding = Finding("tab", "no", Source("<stdin>", text), piece(text, "ab"))
    assert shown(render_finding(finding))[3:] == ["1 |     日本 ab␛[31m", "  |          ^^"]
    combined = "e\u0301 ab"
    finding = Finding("tab", "no", Source("<stdin>", combined), piece(combined, "ab"))
    assert shown(render_finding(finding))[3:] == [f"1 | {combined}", "  |   ^^"]


@pytest.mark.parametrize("before", [0, 10, 500, 5000])
def test_long_lines_are_cut_around_the_mark(piece, before):
    text = "x" * before + "bad" + "y" * 5000
    row, carets = shown(render_finding(Finding("syntax", "no", Source("f", text), piece(text, "bad"), remark="r")))[3:]
    line = row.removeprefix("1 | ")
    assert len(line) == LINE_WIDTH and line.endswith("…") and line.startswith("…") == (before > 100)
    assert line[carets.index("^") - 4 :].startswith("bad")
    assert carets.endswith("^^^ r")


@pytest.mark.parametrize("length", [LINE_WIDTH, LINE_WIDTH + 1, 500])
def test_a_line_is_not_cut_on_the_right_where_the_mark_is_its_end(piece, length):
    text = "x" * (length - 3) + "bad"
    row, carets = shown(render_finding(Finding("syntax", "no", Source("f", text), piece(text, "bad"))))[3:]
    line = row.removeprefix("1 | ")
    assert len(line) == LINE_WIDTH and line.startswith("…") == (length > LINE_WIDTH)
    assert line[carets.index("^") - 4 :] == "bad"


def test_a_mark_longer_than_the_line_is_cut():
    text = "z" * 500
    row, carets = shown(render_finding(Finding("syntax", "no", Source("f", text), position(text, 0, 500))))[3:]
    assert len(row) == len(carets) == LINE_WIDTH + 4


def test_an_empty_file_has_no_lines_to_show():
    finding = Finding("empty-file", "there is no game in this file", Source("e.game", ""), NOWHERE)
    assert shown(render_finding(finding)) == ["error[empty-file]: there is no game in this file", " --> e.game"]


def test_messages_cannot_drive_the_terminal(piece):
    finding = Finding("syntax", "bad \x1b[2J", Source("a\x1b[2J.game", TEXT), piece(TEXT, "x"), help="\x07")
    assert "\x1b" not in render_finding(finding) and "\x07" not in render_finding(finding)


def test_all_findings_are_counted(piece):
    findings = Findings(SOURCE)
    findings.report("unused-name", piece(TEXT, "Bob"), "nobody uses 'Bob'")
    findings.report("undefined-name", piece(TEXT, "Aliec"), "there is no 'Aliec'")
    findings.report("undefined-name", piece(TEXT, "go c"), "there is no 'c'")
    rendered = shown(render_findings(findings))
    assert [row for row in rendered if row.startswith(("error", "warning"))] == [
        "warning[unused-name]: nobody uses 'Bob'",
        "error[undefined-name]: there is no 'Aliec'",
        "error[undefined-name]: there is no 'c'",
    ]
    assert rendered[-1] == "2 errors and 1 warning in kuhn.game. `zermelo explain unused-name` says more."
    assert render_findings(Findings(SOURCE)) == ""


@pytest.mark.parametrize(
    ("codes", "counted"),
    [
        (["undefined-name"], "1 error"),
        (["undefined-name"] * 2, "2 errors"),
        (["unused-name"], "1 warning"),
        (["unused-name"] * 2, "2 warnings"),
    ],
)
def test_findings_of_one_code_are_counted(piece, codes, counted):
    findings = Findings(SOURCE)
    for code, name in zip(codes, ("Alice", "Bob"), strict=False):
        findings.report(code, piece(TEXT, name), "it is wrong")
    last = f"{counted} in kuhn.game. `zermelo explain {codes[0]}` says more about this code."
    assert shown(render_findings(findings))[-1] == last


def test_errors_of_all_kinds(piece):
    assert shown(render_error(ZermeloError("unknown-game", "there is no game", "look again"))) == [
        "error[unknown-game]: there is no game",
        "  = help: look again",
    ]
    findings = Findings(SOURCE)
    findings.report("undefined-name", piece(TEXT, "Aliec"), "there is no 'Aliec'")
    assert render_error(InvalidGame(findings)) == render_findings(findings)
    finding = Finding("deadlock", "nothing can be done", SOURCE, piece(TEXT, "turn Aliec:"))
    assert shown(render_error(PlayError(finding, (Move("b"), Move("c", (1,))))))[-1] == "  = play: b, c(1)"
    assert shown(render_error(PlayError(finding, ())))[-1] == "  = play: at the beginning"


def test_render_takes_whatever_is_wrong(piece):
    findings = zermelo.check(TEXT)
    assert zermelo.render(findings).startswith("error[")
    assert zermelo.render(next(iter(findings))) in zermelo.render(findings)
    assert zermelo.render(ZermeloError("no-solver", "none")) == "error[no-solver]: none"


def test_colours_change_nothing_but_the_colour(piece):
    name = piece(TEXT, "Aliec")
    finding = Finding(
        "undefined-name",
        "m",
        SOURCE,
        name,
        "r",
        (Label(piece(TEXT, "turn"), "t"), Label(piece(TEXT, "Alice"))),
        "h",
        Fix(name, "Alice"),
    )
    painted = render_finding(finding, Paint(True))
    assert "\x1b[1;31merror[undefined-name]\x1b[0m" in painted
    plain = re.sub(r"\x1b\[[0-9;]+m", "", painted)
    assert [line.rstrip() for line in shown(plain)] == shown(render_finding(finding))


def test_records(piece):
    name = piece(TEXT, "Aliec")
    label = Label(piece(TEXT, "Alice"), "declared here")
    fix = Fix(name, "Alice", "write 'Alice'")
    finding = Finding("undefined-name", "there is no 'Aliec'", SOURCE, name, "r", (label,), "h", fix)
    assert finding_record(finding) == {
        "code": "undefined-name",
        "severity": "error",
        "message": "there is no 'Aliec'",
        "file": "kuhn.game",
        "line": 7,
        "column": 10,
        "end_line": 7,
        "end_column": 15,
        "remark": "r",
        "labels": [{"line": 2, "column": 9, "end_line": 2, "end_column": 14, "text": "declared here"}],
        "help": "h",
        "fix": {
            "line": 7,
            "column": 10,
            "end_line": 7,
            "end_column": 15,
            "replacement": "Alice",
            "title": "write 'Alice'",
        },
    }
    assert error_records(PlayError(finding, (Move("b"),))) == [{**finding_record(finding), "play": ["b"]}]
    assert error_records(ZermeloError("no-solver", "none", "h")) == [
        {"code": "no-solver", "severity": "error", "message": "none", "help": "h"}
    ]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", '{"title": "Größe 大"}'),
        ("latin-1", '{"title": "Gr\\u00f6\\u00dfe \\u5927"}'),
        ("ascii", '{"title": "Gr\\u00f6\\u00dfe \\u5927"}'),
    ],
)
def test_json_escapes_what_the_output_cannot_encode(monkeypatch, encoding, text):
    monkeypatch.setattr("sys.stdout", TextIOWrapper(BytesIO(), encoding=encoding))
    assert json_text({"title": "Größe 大"}) == text
    assert json_text({"title": "Größe 大"}, indent=1) == text.replace("{", "{\n ").replace("}", "\n}")


# What a terminal shows that a file does not get: progress, and pages of explanation.


@pytest.fixture
def terminal(monkeypatch):
    """A terminal of 100 columns, as rich sees it."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for module in ("zermelo.commands.explain", "zermelo.report.console"):  # whose function it is comes last
        monkeypatch.setattr(f"{module}.is_lively", lambda stream: True)


@pytest.mark.parametrize("total", [None, 10_000])
def test_progress_shows_the_number_reached_and_the_rate(terminal, capsys, total):
    with progress("searching", "nodes", total) as shown:
        shown(2_500)
    err = capsys.readouterr().err
    assert "searching: 2,500 nodes, " in err and " a second" in err


def test_progress_shows_words_instead_of_a_number(terminal, capsys):
    with progress("searching", "nodes") as shown:
        shown(2_500)
        shown.remark(Milestone(7, "plies", {"exploitability": 1 / 3}))
    err = capsys.readouterr().err
    assert "searching: 7 plies, exploitability 0.333" in err


def test_nobody_is_shown_progress_in_a_file(capsys):
    with progress("searching", "nodes") as shown:
        shown(2_500)
        shown.remark(Milestone(7, "plies", {"exploitability": 1 / 3}))
    assert capsys.readouterr() == ("", "")


def test_a_page_of_explanation_is_set_for_a_terminal(terminal, run):
    page = run("explain", "possible-none").out
    assert "Wrong" in page and "\x1b[" in page and "```" not in page


# Tables of text: columns, widths, wrapping, and widths of characters in a terminal.


@pytest.mark.parametrize("told", ["120", "0", "-1", "many", "", None])
@pytest.mark.parametrize("seen", [os.terminal_size((57, 20)), os.terminal_size((0, 0)), OSError(), ValueError()])
def test_the_terminal_is_as_wide_as_shutil_says(told, seen, monkeypatch):
    def ask(_: int) -> os.terminal_size:
        if isinstance(seen, Exception):
            raise seen
        return seen

    monkeypatch.delenv("COLUMNS", raising=False)
    if told is not None:
        monkeypatch.setenv("COLUMNS", told)
    monkeypatch.setattr(os, "get_terminal_size", ask)
    assert console.terminal_width() == shutil.get_terminal_size().columns


def test_columns_are_as_wide_as_what_stands_in_them():
    assert table(("player", "value"), [("X", "0"), ("Yellow", "1/2")], 80) == "player  value\nX       0\nYellow  1/2"


def test_a_long_cell_wraps_at_blanks_and_the_word_before_it_does_not():
    shown = fact_lines([("sum", "zero"), ("moves by chance", "no, as far as the rules tell")], 30)
    assert shown.split("\n") == [
        "sum              zero",
        "moves by chance  no, as far as",
        "                 the rules",
        "                 tell",
    ]


def test_the_widest_column_gives_way_first():
    assert table(("a", "b"), [("one two", "one two three four")], 18).split("\n") == [
        "a        b",
        "one two  one two",
        "         three",
        "         four",
    ]


def test_no_word_is_broken_and_rows_that_do_not_fit_are_blocks():
    rows = [("move_rook(c5)", "one two three four"), ("", "≈ 0.25")]
    assert table(("a", "b"), rows, 28).split("\n") == [
        "a              b",
        "move_rook(c5)  one two three",
        "               four",
        "               ≈ 0.25",
    ]
    assert table(("a", "b"), rows, 18).split("\n") == [
        "a  move_rook(c5)",
        "b  one two three",
        "   four",
        "",
        "b  ≈ 0.25",
    ]
    assert fact_lines([("a", "one two/three/four five")], 10).split("\n") == ["a  one", "   two/three/four", "   five"]
    assert wrap_text("it is ≈ 0.25", 8) == ["it is", "≈ 0.25"]
    assert wrap_text("a  b", 8) == ["a  b"]


def test_a_move_stays_on_one_line_that_has_room_for_it():
    assert wrap_text("take(2, 1), take(3, 1), take(2, 1)", 16) == ["take(2, 1),", "take(3, 1),", "take(2, 1)"]
    assert wrap_text("take(2, 1), take(3, 1)", 9) == ["take(2,", "1),", "take(3,", "1)"]
    assert wrap_text("so it ends (nobody has any)", 18) == ["so it ends (nobody", "has any)"]


def test_wide_characters_take_two_columns_and_others_drive_no_terminal():
    assert table(("a", "b"), [("日本", "x"), ("\x1b[1m", "y")], 80).split("\n") == ["a     b", "日本  x", "␛[1m  y"]


def test_only_heads_and_words_are_painted():
    paint = Paint(colour=True)
    assert table(("a",), [("x",)], 80, paint) == "\x1b[1ma\x1b[0m\nx"
    assert fact_lines([("a", "x")], 80, paint) == "\x1b[1ma\x1b[0m  x"


def test_nothing_is_shown_of_no_facts():
    assert fact_lines([], 80) == ""


@given(st.text(st.sampled_from("ab 日(,)"), max_size=40), st.integers(2, 12))
def test_wrapping_keeps_all_but_blanks_and_the_width(text, width):
    lines = wrap_text(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(len(columns_of(line).columns) <= width or " " not in line for line in lines)


def test_no_word_is_broken_however_narrow_the_terminal():
    heads = ("solver", "an equilibrium pays", "nodes", "proved between")
    rows = [("enhanced_alphabeta", "1/9 = 0.1111111111, heuristic", "1,234,567,890", "-0.123456789 and 0.123456789")]
    for width in (10, 20, 30, 40, 60):
        printed = table(heads, rows, width)
        assert {word for text in (*heads, *rows[0]) for word in text.split()} <= set(printed.split())


# Numbers in print.


@pytest.mark.parametrize(
    ("number", "error", "printed"),
    [
        (Fraction(1, 3), Fraction(0), "1/3 ≈ 0.3333"),
        (Fraction(1, 3), Fraction(1, 20_000), "≈ 0.3333"),
        (Fraction(1, 3), Fraction(1, 19_999), "≈ 0.333"),
        (Fraction(-1, 2), Fraction(1, 10**12), "≈ -0.50000000000"),
        (Fraction(1, 3), Fraction(1, 10**40), "≈ 0.333333333333"),
        (Fraction(-1), Fraction(1, 10**12), "≈ -1"),
        (Fraction(10), Fraction(1, 10**40), "≈ 10"),
        (Fraction(-1, 10**6), Fraction(1, 1000), "≈ 0"),
        (Fraction(0), Fraction(1, 10**40), "≈ 0"),
        (Fraction(-1, 10**20), Fraction(1, 10**40), "≈ -0." + "0" * 19 + "1" + "0" * 11),
        (Fraction(7, 2), Fraction(1, 2), "≈ 4"),
        (Fraction(7, 2), Fraction(3, 2), "between 2.00 and 5.00"),
    ],
)
def test_what_is_certain_is_printed(number, error, printed):
    assert text_within(number, error) == printed


@pytest.mark.parametrize(
    ("error", "printed"),
    [
        (Fraction(123, 100), "1.3"),  # not 1.2, which is nearer: the error would be more than is said
        (Fraction(1, 3), "0.34"),
        (Fraction(999, 1000), "1.0"),
        (Fraction(1701, 10**14), "1.8e-11"),
        (Fraction(1, 4), "0.25"),
    ],
)
def test_a_bound_is_rounded_up(error, printed):
    assert rounded_up_text(error) == printed


def test_all_digits_may_be_asked_for():
    assert text_within(Fraction(1, 3), Fraction(1, 10**20), None) == "≈ 0.3333333333333333333"
    low, high = Fraction(1, 3) - Fraction(1, 10**20), Fraction(1, 3) + Fraction(1, 10**20)
    assert interval_text(low, high) == "0.333333333333 and 0.333333333334"
    assert interval_text(low, high, None) == "0.3333333333333333333233 and 0.3333333333333333333434"


@given(
    st.fractions(-1000, 1000),
    st.fractions(Fraction(1, 10**9), Fraction(1, 2)),
    st.sampled_from((-1, Fraction(1, 3), 1)),
)
def test_it_is_wrong_by_one_in_the_last_place_at_most(number, error, side):
    printed = certain_decimals(number, error)
    assert printed is not None
    last = Fraction(1, 10 ** len(printed.partition(".")[2]))
    assert abs(Fraction(printed) - (number + side * error)) <= last
