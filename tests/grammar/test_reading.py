"""From bytes to text, with the findings before parsing."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.grammar.parse import parse
from zermelo.grammar.reading import LARGEST, position, read_text


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b" \n\r\n\n", "empty-file"),
        (b"# nothing\n  # but comments", "empty-file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary-file"),
        ('game "x"'.encode("utf-16"), "binary-file"),
        (b'game "x"\x07\n', "binary-file"),
        (b'game "x\0"', "binary-file"),
        ('game "x\x9b31m"\n'.encode(), "binary-file"),
        ('game "x\uffff"\n'.encode(), "binary-file"),
        ('game "\ufffex"\n'.encode(), "binary-file"),
        (b'game "Caf\xe9"\n', "not-utf8"),
        (b'game "x"\n' + b"#" * LARGEST, "file-too-large"),
        (b"node / chance actions H=0.5\ninfoset 1 nodes /\n", "other-format"),
        (b"infoset 1 nodes /\n", "other-format"),
        (b'game "x"\nplayers A,\tB\n', "tab"),
        ('game "x"\nplayers A,\N{LINE SEPARATOR} B\n'.encode(), "unknown-character"),
        (b'game "x"\rplayers A\r', "unknown-character"),
        (b'game "x"\nplayers A\x0c\n', "unknown-character"),
    ],
)
def test_what_is_no_game_gets_one_finding(data: bytes, code: str) -> None:
    source, findings = read_text("test.game", data)
    if source is not None:
        tree, findings = parse(source)
        assert tree is None
    assert [finding.code for finding in findings] == [code]
    assert all(finding.source.name == "test.game" for finding in findings)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    source, findings = read_text("test", b'\xef\xbb\xbfgame "x"\n')
    assert source is not None and source.text == 'game "x"\n'
    assert list(findings) == []


def test_a_text_may_be_too_large_as_well() -> None:
    _, findings = parse(Source("test", "#" * (LARGEST + 1)))
    assert [finding.code for finding in findings] == ["file-too-large"]


def test_a_file_of_the_greatest_size_is_read() -> None:
    data = b'game "x"\n'.ljust(LARGEST, b"#")
    assert read_text("test", data)[0] is not None
    assert read_text("test", data + b"#")[0] is None


def test_a_bad_byte_is_shown_where_it_stands() -> None:
    _, findings = read_text("test", 'game "Zürich"\n# Gen'.encode() + b"\xe8ve\n")
    (finding,) = findings
    assert (finding.span.line, finding.span.column) == (2, 6)
    assert "0xe8" in finding.message


def test_tabs_may_stand_in_texts_and_comments_alone() -> None:
    tree, findings = parse(Source("test", 'game "a\tb"  # a\ttab\nplayers A\n'))
    assert tree is not None and tree.title == "a\tb"
    _, findings = parse(Source("test", 'game "x"\nsetup:\n\tx := 1\n\ty := 2\t# two\n'))
    (finding,) = findings
    assert (finding.span.line, finding.span.column) == (3, 1)
    assert "1 more line" in finding.message


def test_an_infoset_may_stand_in_a_game_of_ours() -> None:
    _, findings = parse(Source("test", 'game "x"\ninfoset 3\n'))
    assert [finding.code for finding in findings] != ["other-format"]


def test_a_position_counts_lines_and_columns_from_one() -> None:
    span = position("ab\ncde\n", 1, 5)
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 2, 2, 3)
