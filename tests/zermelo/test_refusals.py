"""Refusals say what goes on: each file of ``refusals/CODE/`` has a command that is refused with this code, a piece of
the help, and the command that this help proposes, which must succeed. There are at least ten for each code. A
trace may have fewer nodes here than elsewhere, and a decision fewer moves: so many take seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from refused_commands import follow, read_case

from zermelo.grammar.diagnostics import CODES
from zermelo.interpreter.reference import decisions
from zermelo.solvers.common.trace import Trace

REFUSALS = Path(__file__).parent / "refusals"

ABOUT_SOLVING = {
    "no-solver", "no-value", "no-policy", "earns-for-ever", "searches-to-the-end", "cannot-be-traced",
    "does-not-iterate", "does-not-sample", "trace-too-large", "too-many-strategies", "too-many-outcomes",
    "out-of-memory", "out-of-nodes", "unknown-solver", "too-many-moves",
}  # fmt: skip
"""The codes of refusals by solvers, and of decisions that they cannot list, beside those that begin with ``needs-``;
``out-of-time`` depends on the clock."""


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in sorted(REFUSALS.glob("*/*.txt"))]
)
def test_what_a_refusal_proposes_goes_on(run, tmp_path, monkeypatch, path):
    monkeypatch.setattr(Trace.__init__, "__defaults__", (5_000,))
    monkeypatch.setattr(decisions, "MOST_MOVES", 5_000)
    monkeypatch.chdir(tmp_path)
    assert f"error[{path.parent.name}]" in follow(read_case(path), run)


def test_every_refusal_by_solvers_has_ten_cases():
    counts = {path.name: len(list(path.glob("*.txt"))) for path in REFUSALS.iterdir()}
    assert set(counts) == {code for code in CODES if code.startswith("needs-") or code in ABOUT_SOLVING}
    assert min(counts.values()) >= 10
