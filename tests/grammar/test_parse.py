"""The tree of each construct; the tests of the printer show that printing preserves it."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from threading import Thread

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reading import read_expression
from told import codes, hold, untold

from zermelo.grammar import parse as parse_module
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, InvalidGame, Source, Span
from zermelo.grammar.parse import parse, parse_declarations
from zermelo.grammar.reading import LARGEST, position, read_text
from zermelo.grammar.syntax import (
    And,
    Arithmetic,
    Call,
    Comparison,
    Conditional,
    Expression,
    Index,
    IsNone,
    Membership,
    Name,
    Negation,
    Next,
    Not,
    Number,
    Or,
    Other,
    Quantified,
    Range,
    Reference,
    Where,
)

SAMPLES = sorted(Path(__file__).parents[2].glob("gamedefs/*.game"))
a, b, c, p, S = (Reference(name) for name in "abcpS")
one, two = Number(Fraction(1)), Number(Fraction(2))


def expression(text: str) -> Expression:
    tree, findings = read_expression(text)
    assert tree is not None, list(findings)
    return tree


def game(text: str) -> syntax.GameFile:
    tree, findings = parse(Source("test", f'game "test"\n{text}'))
    assert tree is not None, list(findings)
    return tree


def declaration(text: str) -> syntax.Declaration:
    (only,) = game(text).declarations
    return only


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_bundled_game_parses(path: Path) -> None:
    tree, findings = parse(Source(path.name, path.read_text(encoding="utf-8")))
    assert list(findings) == []
    assert tree is not None and tree.declarations


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0.10", Number(Fraction(1, 10))),
        ("a or b and not c == 1", Or((a, And((b, Not(Comparison("==", c, one))))))),
        ("a and (b and c)", And((a, b, c))),
        ("(a or b) and c", And((Or((a, b)), c))),
        ("a + 1..2", Range(Arithmetic("+", a, one), two)),
        ("a in 1..2", Membership(a, Range(one, two), False)),
        ("a - b - c", Arithmetic("-", Arithmetic("-", a, b), c)),
        ("-a * b", Arithmetic("*", Negation(a), b)),
        ("a is not none", IsNone(a, True)),
        ("other p == a", Comparison("==", Other(p), a)),
        ("next p in S", Next(p, S)),
        ("a == next p in S", Comparison("==", a, Next(p, S))),
        ("(next p) in S", Membership(Next(p, None), S, False)),
        ("next other p", Next(Other(p), None)),
        ("max(a, b)", Call(Name("max"), (a, b))),
        ("max a in S: a", Quantified("max", (syntax.Binder(Name("a"), S),), a)),
        ("a and some b in S: b or c", And((a, Quantified("some", (syntax.Binder(Name("b"), S),), Or((b, c)))))),
        ("S[if a then 1 else 2, b]", Index(S, (Conditional(a, one, two), b))),
        ("a where b = 1, c = 2", Where(a, (syntax.Binding(Name("b"), one), syntax.Binding(Name("c"), two)))),
        ("{a: 1}[b]", Index(syntax.TableLiteral(((a, one),)), (b,))),
        ("{}", syntax.SetLiteral(())),
        ("{a in S}", syntax.SetLiteral((Membership(a, S, False),))),
    ],
)
def test_expressions(text: str, tree: Expression) -> None:
    assert repr(expression(text)) == repr(tree)


def test_where_binds_less_than_a_quantifier_that_it_stands_in() -> None:
    tree = expression("some a in S: b where b = a")
    assert isinstance(tree, Quantified) and isinstance(tree.body, Where)


def test_a_short_comprehension_has_no_element() -> None:
    tree = expression("{a in S while b if c}")
    assert isinstance(tree, syntax.Comprehension)
    (generator,) = tree.generators
    assert repr(generator) == repr(syntax.Generator(syntax.Binder(Name("a"), S), "while", b, (c,)))


def test_a_keyword_may_name_moves_phases_fields_branches_and_choices() -> None:
    game(
        "start at test\n"
        "phase test:\n    turn p:\n        move move: go if\n        move from(by in S): tell p that tell(by)\n"
        "tree:\n    A @chance:\n        if: chance:\n            1/2 in: 3\n            1/2 turn: 4\n"
        "table:\n    A \\ B | else | none\n    then | 1, 2 | 3, 4\n"
        "type T = (first: A, last: B)\n"
        "expect best == win\n"
    )


def test_payoffs() -> None:
    phase = declaration(
        "phase p:\n    end payoff {a: 1, b: 2}\n    end payoff {a: 1 for a in S}\n    end payoff (1, 2)\n"
        "    end payoff 1\n    end payoff a: 1\n    end by {a: 1, b: 2}\n    end by {a: 1 for a in S}\n"
        "    end win p\n    end draw\n    end\n"
    )
    assert isinstance(phase, syntax.Phase)
    binder = syntax.Generator(syntax.Binder(Name("a"), S), None, None, ())
    outcomes = [
        syntax.PayoffMap(((a, one), (b, two))),
        syntax.PayoffComprehension(a, one, (binder,)),
        syntax.PayoffTuple((one, two)),
        syntax.PayoffTuple((one,)),
        syntax.PayoffTo(a, one),
        syntax.PayoffMap(((a, one), (b, two)), True),
        syntax.PayoffComprehension(a, one, (binder,), True),
        syntax.Win(p),
        syntax.Draw(),
        None,
    ]
    assert repr([each.outcome for each in phase.entry if isinstance(each, syntax.End)]) == repr(outcomes)


def test_a_match_is_a_value_of_its_own_lines() -> None:
    define = declaration("define f =\n    match a:\n        1, 2: b\n        else: match b:\n            none: c\n")
    assert isinstance(define, syntax.Define)
    inner = syntax.Match(b, (syntax.Case((syntax.NoneLiteral(),), c),))
    assert repr(define.body) == repr(syntax.Match(a, (syntax.Case((one, two), b), syntax.Case((), inner))))


def test_an_if_behind_a_colon_has_no_else() -> None:
    setup = declaration("setup:\n    if a: if b: x := 1\n    else match c:\n        1: for p in b if c: if a: x := 2\n")
    assert isinstance(setup, syntax.Setup)
    (branching,) = setup.body
    assert isinstance(branching, syntax.If) and branching.otherwise is not None
    (inner,) = branching.branches[0][1]
    assert isinstance(inner, syntax.If) and repr(inner.branches[0][0]) == repr(b) and inner.otherwise is None
    (matching,) = branching.otherwise
    assert isinstance(matching, syntax.MatchStatement)
    (loop,) = matching.cases[0].body
    assert isinstance(loop, syntax.For) and isinstance(loop.body[0], syntax.If)


def test_a_range_in_brackets_is_a_type() -> None:
    bracketed, plain = declaration("type T = (1..2)?\n"), declaration("type T = 1..2?\n")
    assert isinstance(bracketed, syntax.TypeDeclaration)
    assert repr(bracketed) == repr(plain)


def test_an_if_has_branches_and_an_else() -> None:
    setup = declaration("setup:\n    if a: x := 1\n    else if b:\n        x := 2\n    else: y()\n")
    assert isinstance(setup, syntax.Setup)
    (branching,) = setup.body
    assert isinstance(branching, syntax.If)
    assert repr([condition for condition, _ in branching.branches]) == repr([a, b])
    assert repr(branching.otherwise) == repr((syntax.Do(Name("y"), ()),))


def test_a_table_with_more_than_two_players() -> None:
    table = declaration("table Third = left:\n    A \\ B | x | y\n        up | 1, 2, 3 | (4, 5, 6)\n  down | 1 | 2\n")
    assert isinstance(table, syntax.Table)
    assert repr(table.others) == repr(((Name("Third"), Name("left")),))
    assert [str(each) for each in (table.row_player, table.column_player, *table.columns)] == ["A", "B", "x", "y"]
    assert [(str(row.choice), [len(cell.amounts) for cell in row.cells]) for row in table.rows] == [
        ("up", [3, 3]),
        ("down", [1, 1]),
    ]


def test_spans_cover_brackets_and_leave_out_line_ends() -> None:
    text = 'game "test"\n\ndefine f = (a + b) * c   # behind\n'
    tree, _ = parse(Source("test", text))
    assert tree is not None
    (define,) = tree.declarations
    assert isinstance(define, syntax.Define) and isinstance(define.body, Arithmetic)
    assert text[define.span.start : define.span.end] == "define f = (a + b) * c"
    assert text[define.body.left.span.start : define.body.left.span.end] == "(a + b)"
    span = define.body.right.span
    assert (span.line, span.column, span.end_line, span.end_column) == (3, 22, 3, 23)


def test_a_tree_is_shown_without_its_places() -> None:
    assert repr(expression("a  +  b")) == repr(expression("a + b"))


def test_comments_survive() -> None:
    tree = game('# first\ndefine f = "x"  # behind\n    # inside\nplayers A # "last"\n'.replace('"x"', "3"))
    assert [(comment.text, comment.own_line, comment.span.line) for comment in tree.comments] == [
        ("# first", True, 2),
        ("# behind", False, 3),
        ("# inside", True, 4),
        ('# "last"', False, 5),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "define f = " + "(" * 10_000 + "1" + ")" * 10_000,
        "define f = " + "{" * 10_000,
        "define f = " + "not " * 10_000 + "a",
        "define f = " + "-" * 10_000 + "a",
        "define f = " + "a + " * 10_000 + "a",
        "define f = a" + ".b" * 10_000,
        "define f = " + "if a then b else " * 3_000 + "c",
        "define f = " + "some x in S: " * 3_000 + "c",
        "type T = " + "set of " * 10_000 + "A",
        "setup:\n" + "".join(" " * depth + "if a:\n" for depth in range(1, 1_000)) + " " * 1_000 + "x := 1",
        "tree:\n A:\n" + "".join(" " * depth + "b: A:\n" for depth in range(2, 1_000)) + " " * 1_000 + "c: 3",
    ],
    ids=["brackets", "braces", "not", "minus", "sum", "fields", "if", "some", "set of", "blocks", "tree"],
)
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    tree, findings = parse(Source("test", f'game "test"\n{text}\n'))
    assert tree is None
    assert [finding.code for finding in findings] == ["nested-too-deep"]


@pytest.mark.parametrize("leaf", ["3", "(" * 48 + "-" * 10 + "3" + ")" * 48])
def test_a_tree_of_128_decisions_is_read_and_one_of_129_is_refused(leaf: str) -> None:
    for count, expected in ((128, []), (129, ["nested-too-deep"])):
        lines = [" " * depth + ("A:" if depth == 1 else "b: A:") for depth in range(1, count + 1)]
        text = "\n".join(['game "test"', "tree:", *lines, " " * (count + 1) + f"c: {leaf}\n"])
        _, findings = parse(Source("test", text))
        assert [finding.code for finding in findings] == expected


def test_a_long_chain_is_not_deep() -> None:
    tree = expression("a and " * 1_000 + "a")
    assert isinstance(tree, syntax.And) and len(tree.parts) == 1_001
    game("setup:\n    if a: x := 1\n" + "    else if b: x := 2\n" * 500)


def test_many_mistakes_end_the_reading() -> None:
    _, findings = parse(Source("test", 'game "test"\n' + "define x\n" * 100_000))
    assert 10 <= len(findings) <= 20


def test_threads_may_parse_at_once() -> None:
    texts = [path.read_text(encoding="utf-8") for path in SAMPLES[:4]]
    alone = [repr(parse(Source("test", text))[0]) for text in texts]
    together: dict[int, str] = {}

    def work(number: int) -> None:
        together[number] = repr(parse(Source("test", texts[number]))[0])

    threads = [Thread(target=work, args=(number,)) for number in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[number] for number in range(len(texts))] == alone


def spans(part: object) -> list[Span]:
    """The spans of a tree, in the order of its nodes."""
    if isinstance(part, tuple):
        return [span for inner in part for span in spans(inner)]
    if not isinstance(part, syntax.Node):
        return []
    return [part.span, *(span for name in attrs.fields_dict(type(part)) for span in spans(getattr(part, name)))]


@pytest.mark.parametrize("path", SAMPLES[::7], ids=lambda path: path.stem)
def test_after_an_edit_all_places_are_those_of_a_first_reading(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees of declarations are kept: with the same text at another place they have other spans, and a last line
    without its end has them, too."""
    text = path.read_text(encoding="utf-8")
    middle = text.index("\n", len(text) // 2) + 1
    for edited in (
        text,
        text + "\n",
        text.rstrip("\n"),
        "# first\n" + text,
        text[:middle] + "\n\n" + text[middle:],
        text,
    ):
        again, _ = parse(Source(path.name, edited))
        monkeypatch.setattr(parse_module, "_KEPT", parse_module._Kept())
        fresh, _ = parse(Source(path.name, edited))
        assert fresh is not None and again is not None
        assert spans(again) == spans(fresh) and repr(again) == repr(fresh)
        parse(Source(path.name, text))


def test_a_mistake_is_reported_every_time() -> None:
    source = Source("test", 'game "test"\nplayers Ann, Bob\nvar x: 0..\n')
    first, second = (list(parse(source)[1]) for _ in range(2))
    assert first == second and len(first) == 1


def test_no_more_trees_are_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = parse_module._Kept()
    monkeypatch.setattr(parse_module, "MOST_KEPT", 100)
    monkeypatch.setattr(parse_module, "_KEPT", kept)
    for k in range(20):
        parse(Source("test", f'game "test"\nplayers A{k}, B\nvar x{k}: 0..{k}\n'))
        assert kept.characters == sum(len(text) for text, _, _ in kept.trees) <= 100
    assert next(reversed(kept.trees))[0] == "var x19: 0..19\n"
    parse(Source("test", f'game "{"test" * 50}"\nplayers A, B\n'))
    assert [text for text, _, _ in kept.trees] == ["players A, B\n"]


# From bytes to text, with the findings before parsing.


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b" \n\r\n\n", "empty-file"),
        (b"# nothing\n  # but comments", "empty-file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary-file"),
        ('game "x"'.encode("utf-16"), "not-utf8"),
        ('\ufeffgame "x"'.encode("utf-16-be"), "not-utf8"),
        ('game "x"'.encode("utf-16-le"), "binary-file"),  # nothing says what it is
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


# The corpus of slips: in every ``bad/*.game``, ``#!`` lines below a faulty line hold its findings, word by word.


CORPUS = sorted((Path(__file__).parent / "bad").glob("*.game"))


def findings_of(text: str) -> Findings:
    return parse(Source("bad.game", text))[1]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_gets_its_findings(path: Path) -> None:
    assert len(hold(path, lambda source: parse(source)[1]))


def test_the_corpus_is_large() -> None:
    assert sum(len(codes(path)) for path in CORPUS) >= 100


def test_what_follows_from_a_line_that_breaks_off_is_not_told() -> None:
    """Until a line can be read or begins like a declaration, even behind one whose likely repair can be read."""
    findings = findings_of('game "G"\nplayers Ann\nvar x: {1..\nvr y: 0..3 = 1\n= 3\n= 4\nvar z: 0..3 = (\n')
    assert [(finding.code, finding.span.line) for finding in findings] == [("never-closed", 3), ("never-closed", 7)]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_fix_mends_what_it_is_offered_for(path: Path) -> None:
    """With a fix applied, its finding is gone, and there is no new finding before it."""
    text = untold(path.read_text(encoding="utf-8"))
    findings = findings_of(text)
    for finding in findings:
        if finding.fix is not None:
            span = finding.fix.span
            mended = findings_of(text[: span.start] + finding.fix.replacement + text[span.end :])
            assert len(mended) < len(findings), finding


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_no_message_speaks_of_the_parser(path: Path) -> None:
    for finding in findings_of(untold(path.read_text(encoding="utf-8"))):
        said = re.sub("NAME|LiteEFG", "", f"{finding.message} {finding.help} {finding.remark}")
        assert not re.search(r"token|_NL|INDENT|\$END|[A-Z]{3,}|expected one of|terminal", said), said


@pytest.mark.parametrize(
    ("text", "excerpt", "message", "replacement"),
    [
        ("setup:\n    x = 3\n", "=", "'=' says what a name means; ':=' gives a variable a new value", ":="),
        ("phase p:\n    trun A:\n        move m: end\n", "trun", "'trun' is not a word that can come here", "turn"),
        ("phase p:\n    turn A\n        move m: end\n", "A", "a colon is missing at the end of this line", ":"),
        ("define f = a && b\n", "&&", "'&&' means nothing here", "and"),
        ("define f = g(1 2)\n", "2", "a comma is missing before '2'", ","),
        ("setup:\n    tell p captured(c)\n", "captured", "'that' is missing before 'captured'", " that"),
        ('define f = "a\n', '"a', "this quoted text is not closed", None),
        ("define f = (1\n", "(", "this '(' is never closed", None),
        ("define f = 3 $ 4\n", "$", "the character '$' means nothing here", None),
        ("setup:\n    end win\n", "win", "something is missing after 'win'", None),
        ("setup:\n    return 3\n", "return", "there is no 'return' in this language", None),
        ("var x = 3\n", "x", "the type of 'x' is missing", None),
        ("if x: end\n", "if", "'if' cannot stand here", None),
    ],
)
def test_messages(text: str, excerpt: str, message: str, replacement: str | None) -> None:
    (finding,) = findings_of(f'game "test"\n{text}')
    assert finding.source.excerpt(finding.span) == excerpt
    assert finding.message == message
    assert (finding.fix.replacement if finding.fix else None) == replacement


def test_a_chained_comparison_shows_both() -> None:
    (finding,) = findings_of('game "test"\ndefine f = 1 < x <= 3\n')
    assert finding.source.excerpt(finding.span) == "<="
    assert [finding.source.excerpt(label.span) for label in finding.labels] == ["<"]


def test_moves_that_are_chosen_together_have_no_effects() -> None:
    (finding,) = findings_of('game "test"\nphase a:\n    together:\n        move bid(n in 1..3):\n            x := n\n')
    assert finding.source.excerpt(finding.span) == ":"
    assert "bid[p]" in finding.help


def test_what_is_raised_is_the_first_error_and_not_a_warning_before_it() -> None:
    findings = Findings(Source("x.game", "ab\nc d"))
    findings.report("unused-name", Span(0, 2, 1, 1, 1, 3), "idle")
    for begin in (5, 3):
        findings.report("undefined-name", Span(begin, begin + 1, 2, begin - 2, 2, begin - 1), f"not at {begin}")
    assert InvalidGame(findings).message == "x.game:2: not at 3 (and 1 more)"
    assert InvalidGame(findings).code == "undefined-name"


def test_spans_point_into_the_text_as_it_is_even_behind_a_repair() -> None:
    (first, second) = findings_of('game "test"\ndefine f = a && b || c\n')
    assert (first.span.column, second.span.column) == (14, 19)


# Any input gives a tree or findings; never an exception, never a hang.
#
# The number of examples is Hypothesis' own, so that a profile (``--hypothesis-profile``) can raise it.


def check(text: str) -> None:
    """Parse a text, and check the consistency of the tree and the findings."""
    source = Source("fuzz", text)
    tree, findings = parse(source)
    assert (tree is None) == bool(findings.errors)
    check_spans(findings)


def check_spans(findings: Findings) -> None:
    text = findings.source.text
    for finding in findings:
        for span in [
            finding.span,
            *(label.span for label in finding.labels),
            *([finding.fix.span] if finding.fix else []),
        ]:
            assert 0 <= span.start <= span.end <= len(text)
            assert span.line == text.count("\n", 0, span.start) + 1
            assert span.column == span.start - (text.rfind("\n", 0, span.start) + 1) + 1
        assert finding.message


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbfgame")
@example(b"\xff\xfeg\0a\0m\0e\0")
@example(b"\xe2\x80\xa8\xe2\x80")
def test_random_bytes(data: bytes) -> None:
    source, findings = read_text("fuzz", data)
    assert (source is None) == bool(findings.errors)
    check_spans(findings)
    if source is not None:
        check(source.text)


@given(st.text(max_size=300))
@example("\N{NO-BREAK SPACE}0")
def test_random_text(text: str) -> None:
    check(text)


WORDS = [
    *("game", "players", "define", "phase", "turn", "move", "if", "else", "for", "in", "some", "all", "count", "where"),
    *(
        "match",
        "go",
        "end",
        "win",
        "tree",
        "table",
        "chance",
        "none",
        "not",
        "and",
        "or",
        "is",
        "next",
        "other",
        "reach",
    ),
    *("from", "let", "var", "set", "of", "type", "a", "b", "p", "1", "2", "0.5", ":", ",", "=", "==", ":=", "(", ")"),
    *("[", "]", "{", "}", "..", "+", "-", "*", "/", "|", "<", ">", "@", "?", '"', "#"),
]


def test_a_tree_without_its_colon():
    check('game "fuzz"\ntree game\n')


@given(st.lists(st.sampled_from([*WORDS, "\n", "\n    ", "\n        "]), max_size=60))
def test_random_words(words: list[str]) -> None:
    check('game "fuzz"\n' + " ".join(words))


@given(st.text(max_size=50) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
@example('"')
@example("'a")
@example("f(\n1")
def test_random_fragments(text: str) -> None:
    declarations, findings = parse_declarations(Source("fuzz", f"define f = {text}"))
    assert bool(declarations) != bool(findings.errors)
    check_spans(findings)


def edited(text: str, chance: random.Random) -> str:
    """A text with one to three random edits: deletion, duplication or swaps of characters, words or lines."""
    for _ in range(chance.randint(1, 3)):
        kind = chance.choice(["characters", "words", "lines"])
        parts = {"characters": list(text), "words": text.split(" "), "lines": text.split("\n")}[kind]
        glue = {"characters": "", "words": " ", "lines": "\n"}[kind]
        first, second = chance.randrange(len(parts)), chance.randrange(len(parts))
        match chance.choice(["delete", "double", "swap", "replace", "cut"]):
            case "delete":
                del parts[first : first + chance.randint(1, 3)]
            case "double":
                parts.insert(first, parts[first])
            case "swap":
                parts[first], parts[second] = parts[second], parts[first]
            case "replace":
                parts[first] = chance.choice([*WORDS, "\t", "é", "'", ";", "&&", "\n"])
            case "cut":
                del parts[first:]
        text = glue.join(parts)
        if not text:
            break
    return text


@given(st.sampled_from(SAMPLES), st.randoms(use_true_random=False))
def test_random_edits_of_the_samples(sample: Path, chance: random.Random) -> None:
    check(edited(sample.read_text(encoding="utf-8"), chance))
