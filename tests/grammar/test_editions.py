"""The line ``language N``, and older forms written in the newest language."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from printer import print_game
from random_cases import many, seeds
from random_games.writer import write_game
from random_syntax import games

from zermelo import gamedefs
from zermelo.grammar import syntax
from zermelo.grammar.continuations import continuation
from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.grammar.formatter import format_text
from zermelo.grammar.layout import comments
from zermelo.grammar.parse import parse
from zermelo.grammar.upgrade import upgrade
from zermelo.interpreter.check import check

INTERPRETER = Path(__file__).parents[1] / "interpreter"
CORPUS = [
    *(gamedefs.path(name) for name in gamedefs.names()),
    *sorted((INTERPRETER / "good").glob("*.game")),
    *sorted((INTERPRETER / "alike").rglob("*.game")),
]


def codes(text: str) -> list[str]:
    return [finding.code for finding in parse(Source("test", text))[1]]


# ------------------------------------------------------------------------- the line


@pytest.mark.parametrize("text", ["language 2\n{}", "# why\n\nlanguage 1   # so\n\n{}", "{}"])
def test_the_line_is_optional_and_above_everything_but_comments(text: str) -> None:
    assert codes(text.format('game "x"\nplayers A, B\n')) == []


def test_a_file_without_the_line_is_read_as_one_in_the_newest_language() -> None:
    text = 'game "x"\ndefine d = diagonals(T)\n'
    assert codes(text) == codes(f"language 2\n{text}") == []


def test_the_word_still_names_what_it_named() -> None:
    text = 'game "x"\nparam language: 1..3 = 2\nvar language2: 1..language = 1\nstart at language\n'
    assert codes(f"{text}phase language:\n    turn A:\n        move language: go language\n") == []


def test_of_a_later_language_nothing_else_is_said() -> None:
    (finding,) = parse(Source("test", 'language 12\ngame "x"\nnonsense (\n'))[1]
    assert finding.code == "unknown-language"
    assert finding.message == "this file is written in language 12; this Zermelo reads up to 2"


@pytest.mark.parametrize("number", ["0", "1.5", "2.5", "0.0"])
def test_languages_are_whole_numbers_from_one_on(number: str) -> None:
    (finding,) = parse(Source("test", f'language {number}\ngame "x"\n'))[1]
    assert (finding.code, finding.message) == ("unknown-language", f"there is no language {number}")


def test_what_meant_something_else_is_refused_in_a_file_of_old_and_not_what_the_file_declares() -> None:
    text = 'language 1\ngame "x"\ndefine crossed = size(diagonals(Square))\n'
    assert codes(text) == ["changed-meaning"]
    assert codes(text.replace("language 1", "language 2")) == []
    assert codes(f"{text}define diagonals(s: Square) = 1\n") == []


def test_the_editor_is_told_that_the_word_may_come() -> None:
    assert "language" in continuation("").words
    assert continuation("language ").words == ()


# ----------------------------------------------------------- older forms in newer ones


HEAD = """\
game "x"
players White, Black
type Kind = queen | rook
define price = {(White, queen): 2, (Black, queen): 3}
define rebate = price
var s: set of Kind = {}
var n: 0..9 = 0
var kept[Player]: 0..9 = 0
var at[(who: Player, kind: Kind)]: 0..9 = 0
"""


def upgraded(text: str) -> str:
    """The declarations below the head, in the newest forms."""
    after = upgrade(Source("test", HEAD + text)).text
    assert after.startswith(f"language 2\n{HEAD}")
    return after.removeprefix(f"language 2\n{HEAD}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n := n + 1", "n += 1"),
        ("n := n - 2 * n   # why", "n -= 2 * n   # why"),
        ("n := n - (n - 1)", "n -= n - 1"),
        ("n := (n + (1))", "n += 1"),
        ("n := n + (n + 1) * (n + 2)", "n += (n + 1) * (n + 2)"),
        ("n := n + (if n > 1 then 1 else 2)", "n += if n > 1 then 1 else 2"),
        ("n := n + (m where m = 1)", "n += (m where m = 1)"),
        ("kept[White] := kept[White] + 1", "kept[White] += 1"),
        ("kept[Player(1)] := kept[Player(1)] - n", "kept[Player(1)] -= n"),
        ("n := n +\n        (2 -\n         1)", "n += (2 -\n         1)"),
        ("if n > 1: n := n + 1", "if n > 1: n += 1"),
        ("end payoff {White: n, Black: -n}", "end payoff White: n"),
        ("end payoff {Black: -n, White: n}", "end payoff White: n"),
        ("end payoff {White: -20, Black: 20}", "end payoff Black: 20"),
        ("end payoff {p: 1, other p: -1}", "end payoff p: 1"),
        ("end payoff {other p: 1, p: -1}", "end payoff other p: 1"),
        ("end payoff {p: kept[p] - n, other p: n - kept[p]}", "end payoff p: kept[p] - n"),
        ("end payoff {p: -2 * n, other p: 2 * n}", "end payoff other p: 2 * n"),
        (
            "end payoff {p: if n > 1 then 1 else 0, other p: if n > 1 then -1 else 0}",
            "end payoff p: if n > 1 then 1 else 0",
        ),
        ("end payoff {\n        White: n,\n        Black: -n\n    }", "end payoff White: n"),
        ("n := price[(White, queen)]", "n := price[White, queen]"),
        ("n := {(White, queen): 1}[(p, queen)]", "n := {(White, queen): 1}[p, queen]"),
        ("n := n + price[(White, {(White, 1): queen}[(p, 1)])]", "n += price[White, {(White, 1): queen}[p, 1]]"),
    ],
)
def test_forms_that_say_the_same(old: str, new: str) -> None:
    assert upgraded(f"setup:\n    {old}\n") == f"setup:\n    {new}\n"


@pytest.mark.parametrize(
    "kept",
    [
        "s := s + {queen} - {rook}",  # (s + a) - b
        "n := n + 1 - 2",
        "n := 1 + n",
        "n := n * 2",
        "n := kept[White] + 1",
        "kept[White] := kept[Black] + 1",
        "kept[Player(1)] := kept[Player(2)] + 1",
        "n := n + m where m = 1",
        "n := n # why\n        + 1",
        "n := (n +\n        1 +\n        2)",
        "n := at[(White, queen)]",
        "n := rebate[(White, queen)]",
        "end payoff (1, -1)",
        "end payoff {White: 0, Black: 0}",
        "end payoff {White: n, Black: n}",
        "end payoff {White: n - 1, Black: n - 1}",
        "end payoff {White: 2 * n, Black: n * -2}",
        "end payoff {White: 2 * n, Black: -2 * p}",
        "end payoff {White: if n > 1 then 1 else 2, Black: if n > 2 then -1 else -2}",
        "end payoff {p: 1, q: -1}",
        "end payoff {White: 1, # one\n        Black: -1}",
        "end by {White: n, Black: -n}",
        "end payoff {White: sum q in Player:\n        n, Black: -(sum q in Player: n)}",
    ],
)
def test_forms_that_stay(kept: str) -> None:
    assert upgraded(f"setup:\n    {kept}\n") == f"setup:\n    {kept}\n"


def test_a_name_that_something_else_has_counts_as_nothing() -> None:
    hidden = "define f(White: 1..2) = 1\ndefine g(price: 1..2) = 1\n"
    lines = "setup:\n    end payoff {White: n, Black: -n}\n    n := price[(White, queen)]\n"
    assert upgraded(hidden + lines) == hidden + lines


def test_one_player_and_three() -> None:
    text = 'game "x"\nplayers {}\nsetup:\n    end payoff {}\n'
    one = upgrade(Source("test", text.format("A", "{A: -2}"))).text
    three = upgrade(Source("test", text.format("A, B, C", "{A: 2, B: -2}"))).text
    assert one.endswith("    end payoff A: -2\n") and three.endswith("    end payoff {A: 2, B: -2}\n")


def test_none_is_left_out_where_every_move_of_the_name_may_be_made_without() -> None:
    phase = (
        "phase play:\n    turn White:\n        move step(k in 1..2, j in 1..2?, i in 1..2?): go play\n"
        "        move stop(k in 1..2?): go play\n        move all(k in 1..2): go play\n"
        "        move both(k in 1..2, j in 1..2?): go play\n"
        "phase again:\n    turn White:\n        move all(k in 1..2?): go play\n        move both(k in 1..2): go play\n"
    )
    before = "step(1, 2, none), step(1, none, none), step(1, none, 2), stop(none), all(none), both(1, none), away(none)"
    after = "step(1, 2), step(1), step(1, none, 2), stop, all(none), both(1, none), away(none)"
    assert upgraded(f'{phase}test "t":\n    play {before}\n    expect illegal stop(none)\n') == (
        f'{phase}test "t":\n    play {after}\n    expect illegal stop\n'
    )


def test_the_line_is_written_once_and_a_position_has_none() -> None:
    assert upgrade(Source("test", '# a licence\n\ngame "x"\n')).text == '# a licence\n\nlanguage 2\ngame "x"\n'
    assert upgrade(Source("test", 'language 1 # old\ngame "x"\n')).text == 'language 2 # old\ngame "x"\n'
    assert upgrade(Source("test", "setup:\n    n := n + 1\n")).text == "setup:\n    n += 1\n"


def test_a_file_that_cannot_be_read_or_meant_something_else_is_refused() -> None:
    for text in ("game\n", 'language 3\ngame "x"\n', 'language 1\ngame "x"\ndefine d = diagonals(T)\n'):
        with pytest.raises(InvalidGame):
            upgrade(Source("test", text))


# -------------------------------------------------------------------- the same game


def expanded(node: object) -> object:
    """A tree without the newest forms, so that an old form and its new one are equal."""
    if isinstance(node, tuple):
        return tuple(map(expanded, node))
    if not isinstance(node, syntax.Node):
        return node
    whole = evolve(node, **{each: expanded(getattr(node, each)) for each in type(node).__slots__ if each != "span"})
    match whole:
        case syntax.Assignment(target=target, operator="+=" | "-=" as sign, value=value):
            return syntax.Assignment(target, ":=", syntax.Arithmetic(sign[0], target, value))
        case syntax.Index(target=target, arguments=(syntax.TupleLiteral(items=items),)):
            return syntax.Index(target, items)
    return whole


old_places = st.sampled_from(["a", "b[p]", "b[1, p].if", "Square"])
old_values = st.sampled_from(["1", "a", "(a + 1)", "(a)", "2 * a", "-a", "{a}", "(if a then 1 else 2)"])
old_lines = st.builds(
    lambda place, left, sign, value: f"    {place} := {left or place} {sign} {value}",
    old_places,
    st.none() | old_places,
    st.sampled_from(["+", "-", "*"]),
    old_values,
)


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=many(60))
@given(games(), st.lists(old_lines, max_size=4))
def test_random_texts_say_the_same_afterwards(game: syntax.GameFile, lines: list[str]) -> None:
    text = print_game(game) + ("\n".join(["setup:", *lines]) + "\n" if lines else "")
    before, _ = parse(Source("test", text))
    assert before is not None, text
    after = upgrade(Source("test", text))
    again, findings = parse(after)
    assert again is not None and not list(findings), after.text
    kept = [[each for each in tree.declarations if not isinstance(each, syntax.Language)] for tree in (before, again)]
    assert repr(expanded(tuple(kept[1]))) == repr(expanded(tuple(kept[0])))
    assert isinstance(again.declarations[0], syntax.Language) and again.declarations[0].edition.value == 2
    assert upgrade(after) == after


def aged(text: str, random: Random) -> str:
    """A game with some of its newest forms in older ones."""

    def moved(match: re.Match[str]) -> str:
        return "{0} := {0} {1} ({2})".format(*match.groups()) if random.random() < 0.7 else match[0]

    return re.sub(r"(?<=[ :])(\w+(?:\[[^\]]*\])?) ([+-])= ([^#\n]+)$", moved, text, flags=re.MULTILINE)


def same_game(before: str, after: str) -> bool:
    """Whether two texts have one model, down to each expression, and the same findings."""
    one, findings = check(Source("test", before))
    two, more = check(Source("test", after))
    said = [[(each.code, each.message) for each in found] for found in (findings, more)]
    return repr(one) == repr(two) and (said[0] == said[1] or one is None)


def test_random_games_that_have_aged_are_the_same_games_in_newer_forms() -> None:
    aged_lines = 0
    for seed in seeds(40):
        random = Random(f"aged {seed}")
        text = aged(write_game(random), random)
        after = upgrade(Source("test", text)).text
        aged_lines += len(set(text.splitlines()) - set(after.splitlines()))
        assert same_game(text, after), text
    assert aged_lines


def test_bundled_games_that_have_aged_become_what_they_were() -> None:
    random = Random("aged")
    for name in gamedefs.names():
        text = upgrade(Source(name, gamedefs.path(name).read_text(encoding="utf-8"))).text
        old = aged(text, random)
        assert text.replace("language 2\n", "") == gamedefs.path(name).read_text(encoding="utf-8"), name
        assert same_game(old, text), name
        assert format_text(upgrade(Source(name, old))) == format_text(Source(name, text)), name


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_file_is_the_same_game_afterwards(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    source = Source("test", text)
    after = upgrade(source)
    assert after.text.replace("language 2\n", "") == text or same_game(text, after.text)
    remarks = [[comment.text for comment in comments(each)] for each in (source, after)]
    assert remarks[0] == remarks[1]
    assert upgrade(after) == after
