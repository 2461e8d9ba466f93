"""Mutants of files: every kind of slip, in place, and in every bundled game."""

from __future__ import annotations

from functools import cache
from itertools import zip_longest
from textwrap import dedent

import pytest

from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.mutants import Slip, mutants
from zermelo.grammar.parse import parse

TEXT = dedent(
    """
    game "Slips"
    players Ann, Bob
    param size: 1..4 = 3
    type Card = J < Q < K
    var left: 0..size = 3
    var hand[Player]: Card  private
    var seen: Bool = false  seen by Ann
    start at deal
    phase deal:
        chance:
            outcome give(a in Card, b in Card) if a != b weight 2:
                hand[Ann] := a
                hand[Bob] := b
                go play(Ann)
    phase play(p: Player):
        if left == 0 and not seen: end payoff {p: 1, next p: -1}
        turn p preferring left:
            move take(secret n in 1..2) if n <= left:
                left -= n      # a comment
                go play(next p)
            move look secret:
                tell p that card(hand[p])
                if some q in Player: hand[q] is none: end draw
                end win p
    expect value == 0
    """
)

EXPECTED = [
    (5, Slip.COMPARISON, "type Card = Q < J < K"),
    (6, Slip.NUMBER, "var left: 0..size - 1 = 3"),
    (6, Slip.NUMBER, "var left: 0..size = 4"),
    (6, Slip.VISIBILITY, "var left: 0..size = 3 hidden"),
    (7, Slip.VISIBILITY, "var hand[Player]: Card  public"),
    (8, Slip.VISIBILITY, "var seen: Bool = false  hidden"),
    (12, Slip.GUARD, "outcome give(a in Card, b in Card) if true weight 2:"),
    (12, Slip.COMPARISON, "outcome give(a in Card, b in Card) if a == b weight 2:"),
    (12, Slip.CHANCE, "outcome give(a in Card, b in Card) if a != b weight 1:"),
    (13, Slip.PLAYER, "hand[Bob] := a"),
    (17, Slip.CONDITION, "if true and not seen: end payoff {p: 1, next p: -1}"),
    (17, Slip.CONDITION, "if not (left == 0 and not seen): end payoff {p: 1, next p: -1}"),
    (17, Slip.CONDITION, "if left == 0 and seen: end payoff {p: 1, next p: -1}"),
    (17, Slip.COMPARISON, "if left != 0 and not seen: end payoff {p: 1, next p: -1}"),
    (17, Slip.PAYOFF, "if left == 0 and not seen: end payoff {p: -1, next p: 1}"),
    (17, Slip.SIGN, "if left == 0 and not seen: end payoff {p: 1, next p: 1}"),
    (17, Slip.PLAYER, "if left == 0 and not seen: end payoff {p: 1, p: -1}"),
    (18, Slip.PREFERENCE, "turn p :"),
    (19, Slip.VISIBILITY, "move take(n in 1..2) if n <= left:"),
    (19, Slip.COMPARISON, "move take(secret n in 1..2) if n < left:"),
    (19, Slip.NUMBER, "move take(secret n in 1..3) if n <= left:"),
    (20, Slip.SIGN, "left += n      # a comment"),
    (20, Slip.STATEMENT, ""),
    (22, Slip.VISIBILITY, "move look:"),
    (23, Slip.STATEMENT, ""),
    (24, Slip.CONDITION, "if all q in Player: hand[q] is none: end draw"),
    (24, Slip.COMPARISON, "if some q in Player: hand[q] is not none: end draw"),
    (24, Slip.PAYOFF, "if some q in Player: hand[q] is none: end win Ann"),
    (25, Slip.PAYOFF, "end draw"),
]


@cache
def found(text: str) -> list[tuple[int, Slip, str]]:
    """The line of every mutant, its kind, and the line as it becomes."""
    source = Source("test.game", text)
    tree, _ = parse(source)
    assert tree is not None
    lines = []
    for mutant in mutants(source, tree):
        changed = mutant.text(source)
        before = source.text[: mutant.span.start].rfind("\n") + 1
        after = len(changed) - len(source.text) + source.text.index("\n", mutant.span.end - 1)
        lines.append((mutant.span.line, mutant.slip, changed[before : max(before, after)].strip()))
    return lines


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda each: f"{each[0]}-{each[1].name}")
def test_slips(expected):
    assert expected in found(TEXT)


def test_what_is_said_about_the_rules_is_not_changed():
    lines = {line for line, _, _ in found(TEXT)}
    assert not lines & {1, 2, 3, 4, 26}, "title, players, parameters, expectations"


def test_defines_that_only_hints_use_are_not_changed():
    """One that a rule uses, too, directly or through another, is."""
    text = TEXT.replace(
        "start at deal\n", "start at deal\ndefine worth = few + 5\ndefine few = 7\nestimate for p: worth\n"
    )
    assert text != TEXT
    assert found(text) == [(line + 3 * (line >= 10), slip, said) for line, slip, said in found(TEXT)]
    for used in ("few", "worth"):
        assert (11, Slip.NUMBER, "define few = 6") in found(text.replace("if left == 0", f"if left == {used}"))


def test_a_quantifier_in_brackets():
    text = TEXT.replace("if some q in Player: hand[q] is none", "if seen and (some q in Player: hand[q] is none)")
    assert text != TEXT
    assert (24, Slip.CONDITION, "if seen and (all q in Player: hand[q] is none): end draw") in found(text)


def test_brackets_around_what_changes_stay():
    """Without them ``a == b == c`` would be left, which is no comparison."""
    condition = "(hand[Ann] is none) == (not left == 0)"
    lines = found(TEXT.replace("some q in Player: hand[q] is none", condition))
    assert (24, Slip.COMPARISON, "if (hand[Ann] is not none) == (not left == 0): end draw") in lines
    assert (24, Slip.CONDITION, "if (hand[Ann] is none) == (left == 0): end draw") in lines


def test_the_payoff_of_one_of_two_becomes_its_opposite():
    text = TEXT.replace("end payoff {p: 1, next p: -1}", "end payoff p: left - 1")
    assert (17, Slip.PAYOFF, "if left == 0 and not seen: end payoff p: -(left - 1)") in found(text)


@pytest.mark.parametrize("name", gamedefs.names())
def test_mutants_of_bundled_games_are_files(name):
    """Every mutant differs from the file, in its span alone, from all others, and has no error of syntax. Declarations
    are read one by one, so that a text may have one mutant of each: it is read with the first of all, with the second,
    and so on."""
    source = Source(name, gamedefs.path(name).read_text(encoding="utf-8"))
    tree, _ = parse(source)
    assert tree is not None
    every = list(mutants(source, tree))
    texts = [mutant.text(source) for mutant in every]
    assert len({*texts, source.text}) == len(every) + 1
    for mutant, text in zip(every, texts, strict=True):
        assert source.excerpt(mutant.span) != mutant.new
        assert text.startswith(source.text[: mutant.span.start])
    declared = [item.span for item in tree.declarations]
    within = [[each for each in every if span.start <= each.span.start <= span.end] for span in declared]
    assert sum(map(len, within)) == len(every)
    for some in zip_longest(*within):
        text = source.text
        for mutant in filter(None, reversed(some)):
            text = text[: mutant.span.start] + mutant.new + text[mutant.span.end :]
        assert parse(Source(name, text))[0] is not None, text
