"""Chains of declarations of any length, each using the next."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.interpreter.check import check
from zermelo.interpreter.model.rewriting import DEEPEST_RULES, LARGEST_RULES

TRIALS = Path(__file__).parents[2] / "trial" / "limits"

GAME = """
game "Chain"
players A, B
{lines}
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    if n >= 7: end win p
    turn p:
        move take(k in 1..2) if {guard}:
            {effect}
            go play(other p)
"""


def chain(kind: str, count: int) -> str:
    """A file with a chain of so many declarations that do not change the game."""
    guard, effect, steps = "n >= 0", "n += k", range(1, count)
    match kind:
        case "defines":
            lines = ["define d0 = n", *(f"define d{i} = d{i - 1} + 1" for i in steps)]
            guard = f"d{count - 1} >= {count - 1}"
        case "conditions":
            lines = ["define d0 = n < 100", *(f"define d{i} = d{i - 1} and n < {i + 20}" for i in steps)]
            guard = f"d{count - 1}"
        case "sets":
            lines = ["define d0 = {n}", *(f"define d{i} = d{i - 1} + {{{i % 5}}}" for i in steps)]
            guard = f"n in d{count - 1}"
        case "functions":
            lines = ["define d0(x: 0..9) = x", *(f"define d{i}(x: 0..9) = d{i - 1}(x)" for i in steps)]
            guard = f"d{count - 1}(n) == n"
        case "parameters":
            lines = ["param d0: 0..9 = 3", *(f"param d{i}: 0..9 = d{i - 1}" for i in steps)]
            guard = f"d{count - 1} == 3"
        case "types":
            lines = ["type T0 = 0..9", *(f"type T{i} = T{i - 1}" for i in steps)]
            lines = [*lines, f"var v: T{count - 1} = 0"]
            guard = "v == 0"
        case "parts":
            lines = ["type T0 = a | b | c", *(f"type T{i} = {{x in T{i - 1} if x != c}}" for i in steps)]
            lines = [*lines, f"var v: T{count - 1} = a"]
            guard = "v == a"
        case _:
            lines = ["action d0(k: 1..2):\n    n += k", *(f"action d{i}(k: 1..2):\n    d{i - 1}(k)" for i in steps)]
            effect = f"d{count - 1}(k)"
    return GAME.format(lines="\n".join(lines), guard=guard, effect=effect)


def turned_round(text: str) -> str:
    """The same declarations, the last one first."""
    head, rest = text.split("players A, B\n", 1)
    lines, tail = rest.split("\nvar n:", 1)
    parts: list[str] = []
    for line in lines.split("\n"):
        if line.startswith(" "):
            parts[-1] += "\n" + line
        else:
            parts.append(line)
    return head + "players A, B\n" + "\n".join(reversed(parts)) + "\nvar n:" + tail


KINDS = ("defines", "conditions", "sets", "functions", "parameters", "types", "parts", "actions")


@pytest.mark.parametrize("turn", [str, turned_round], ids=["in order", "in reverse"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_long_chain_changes_nothing(kind, turn):
    without = zermelo.solve(zermelo.loads(chain("defines", 1)))
    game = zermelo.loads(turn(chain(kind, 200)))
    for machine in ("auto", "reference"):
        assert zermelo.solve(game.on(machine)).value == without.value


@pytest.mark.parametrize("kind", KINDS)
def test_a_chain_without_end_is_a_finding_or_none(kind):
    found = [finding.code for finding in zermelo.check(chain(kind, 1_200))]
    assert found in ([], ["nested-too-deep"])
    assert found or kind in ("parameters", "types", "parts")


def test_records_in_records():
    lines = ["type T0 = (x: 0..1, y: 0..1)", *(f"type T{i} = (x: T{i - 1}, y: 0..1)" for i in range(1, 400))]
    text = GAME.format(lines="\n".join([*lines, "var v: T399? = none"]), guard="v is none", effect="n += k")
    assert next(finding.code for finding in zermelo.check(text)) == "nested-too-deep"
    doubled = [line.replace("y: 0..1", f"y: T{i - 1}") if i else line for i, line in enumerate(lines[:40])]
    text = GAME.format(lines="\n".join([*doubled, "var v: T39? = none"]), guard="v is none", effect="n += k")
    assert next(finding.code for finding in zermelo.check(text)) == "out-of-range"


@pytest.mark.parametrize(
    ("first", "further"),
    [("n + 1", "{0} * {0}"), ("n < 9", "{0} and {0}"), ("n", "max({0}, {0})"), ("n", "if n > 1 then {0} else {0}")],
)
def test_what_doubles_with_every_define_is_refused(first, further):
    lines = [f"define d0 = {first}", *(f"define d{i} = " + further.format(f"d{i - 1}") for i in range(1, 60))]
    text = GAME.format(lines="\n".join(lines), guard="d59 == d59", effect="n += k")
    (finding,) = zermelo.check(text)
    assert finding.code == "nested-too-deep"
    assert f"{LARGEST_RULES:,}" in finding.message


def test_rules_at_the_greatest_depth_are_played():
    count = (DEEPEST_RULES - 4) // 3
    game = zermelo.loads(chain("defines", count))
    assert game.model.depth > DEEPEST_RULES - 100
    assert zermelo.solve(game.on("reference")).value == zermelo.solve(zermelo.loads(chain("defines", 1))).value


def test_room_is_made_where_it_is_needed_and_not_elsewhere():
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(1_000)
        zermelo.loads(chain("defines", 5))
        assert sys.getrecursionlimit() == 1_000
        zermelo.loads(chain("defines", 200))
        assert sys.getrecursionlimit() > 1_000
    finally:
        sys.setrecursionlimit(max(before, sys.getrecursionlimit()))


@pytest.mark.parametrize(("name", "value"), [("chainrev_100", (0, 0)), ("chainplay_200", None)])
def test_the_trial_files(name, value):
    game = zermelo.load(str(TRIALS / f"{name}.game"))
    found = zermelo.solve(game).value
    assert found == zermelo.solve(game.on("reference")).value
    assert value is None or found == value


@pytest.mark.parametrize("name", ["sq_24_require", "sq_14_payoff"])
def test_squaring_again_and_again_is_a_finding(name):
    (finding,) = zermelo.check((TRIALS / f"{name}.game").read_text(encoding="utf-8"))
    assert (finding.code, finding.span.line) == ("number-too-large", 14)


def test_five_thousand_findings_are_kept_apart():
    text = 'game "Twice"\nplayers A, B\n' + "define d = 1\n" * 5_000
    model, findings = check(zermelo.Source("twice.game", text))
    assert model is None
    assert sum(finding.code == "duplicate-name" for finding in findings) == 4_999


def else_if(count):
    """A chain of so many conditions; the last one holds."""
    tests = "\n            else ".join(f"if x == {k}:\n                x := {k + 1}" for k in reversed(range(count)))
    return (
        'game "Choices"\nplayers A, B\nvar x: 0..100000 = 0\nstart at one\nphase one:\n    turn A:\n'
        f"        move go:\n            {tests}\n            go two\nphase two:\n    end payoff (x, -x)\n"
    )


@pytest.mark.parametrize("machine", ["reference", "python"])
def test_chains_of_else_if_are_as_long_as_rules_may_be(machine):
    game = zermelo.loads(else_if(DEEPEST_RULES - 20))
    assert game.on(machine).initial.after("go").payoff == (1, -1)


@pytest.mark.parametrize("count", [DEEPEST_RULES, 5_000])
def test_longer_chains_of_else_if_are_a_finding(count):
    (finding,) = zermelo.check(else_if(count))
    assert finding.code == "nested-too-deep"
