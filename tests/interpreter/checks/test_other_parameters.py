"""Lines that name other parameters are read where the game has them."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check, check_at_extremes

ROW = """\
game "Take places in a row"
players A, B
param n: 1..4 = {n}
require n != 3
type Slot = 1..n
var taken[Slot]: Bool = false
start at take(A)
phase take(p: Player):
    turn p:
        move take(s in Slot) if not taken[s]:
            taken[s] := true
            go take(other p)
    otherwise: end win other p
"""


def found(line, n=1):
    source = Source("row.game", ROW.format(n=n) + line + "\n")
    return [(finding.code, source.excerpt(finding.span)) for finding in check_at_extremes(source)]


@pytest.mark.parametrize(
    "line",
    [
        "never taken[2] and n == 1 with n = 2",
        "reachable taken[4] with n = 4",
        "reachable in take if taken[4] with n = 4",
        "expect positions == 5 with n = 4",
    ],
)
def test_what_the_present_game_does_not_have(line):
    assert found(line) == []
    model, findings = check(Source("row.game", ROW.format(n=1) + line + "\n"))
    assert model is not None and not findings.found


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("never takn[2] with n = 2", ("undefined-name", "takn")),
        ("reachable taken[3] with n = 2", ("out-of-range", "3")),
        ("expect value == (1, 0, 0) with n = 2", ("wrong-payoff-length", "(1, 0, 0)")),
        ("expect value == (1, -1) with m = 2", ("wrong-kind-of-name", "m")),
        ("expect value == (1, -1) with n = 2, m = 2", ("wrong-kind-of-name", "m")),
        ("never taken[1] with n = 9", ("parameter-out-of-range", "never taken[1] with n = 9")),
        ("never taken[1] with n = 3", ("requirement-not-met", "never taken[1] with n = 3")),
    ],
)
@pytest.mark.parametrize("n", [1, 4])
def test_slips_in_such_lines_are_told_once(line, slip, n):
    assert found(line, n) == [slip]


def test_a_line_without_parameters_is_about_all():
    """It does not say with how many places it means the second one."""
    assert found("never taken[2] and not taken[1]", 2) == [("out-of-range", "2")]
    assert found("never taken[2] and not taken[1] with n = 2", 2) == []


def test_such_a_line_does_not_keep_the_game_from_other_parameters():
    text = ROW.format(n=2) + "reachable taken[2] with n = 2\nnever taken[4] and not taken[1] with n = 4\n"
    for n in (1, 2, 4):
        model, _ = check(Source("row.game", text), {"n": n})
        assert model is not None and len(model.witnesses) == 2
