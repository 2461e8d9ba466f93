"""The tree of each construct; the tests of the printer show that printing preserves it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from threading import Thread

import attrs
import pytest
from reading import read_expression

from zermelo.grammar import parse as parse_module
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Source, Span
from zermelo.grammar.parse import parse
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
        "    end payoff 1\n    end win p\n    end draw\n    end\n"
    )
    assert isinstance(phase, syntax.Phase)
    binder = syntax.Generator(syntax.Binder(Name("a"), S), None, None, ())
    outcomes = [
        syntax.PayoffMap(((a, one), (b, two))),
        syntax.PayoffComprehension(a, one, (binder,)),
        syntax.PayoffTuple((one, two)),
        syntax.PayoffTuple((one,)),
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
    for count, codes in ((128, []), (129, ["nested-too-deep"])):
        lines = [" " * depth + ("A:" if depth == 1 else "b: A:") for depth in range(1, count + 1)]
        text = "\n".join(['game "test"', "tree:", *lines, " " * (count + 1) + f"c: {leaf}\n"])
        _, findings = parse(Source("test", text))
        assert [finding.code for finding in findings] == codes


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
