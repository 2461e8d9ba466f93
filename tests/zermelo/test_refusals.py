"""Refusals say what goes on: each file of ``refusals/CODE/`` has a command that is refused with this code, a piece of
the help, and the command that this help proposes, which must succeed. Files that the commands read follow."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from attrs import frozen

from zermelo.grammar.codes import CODES

REFUSALS = Path(__file__).parent / "refusals"

ABOUT_SOLVING = {
    "no-solver", "no-value", "no-policy", "earns-for-ever", "searches-to-the-end", "cannot-be-traced",
    "does-not-iterate", "does-not-sample", "trace-too-large", "too-many-strategies", "too-many-outcomes",
    "out-of-memory", "out-of-nodes", "unknown-solver",
}  # fmt: skip
"""The codes of refusals by solvers, beside those that begin with ``needs-``; ``out-of-time`` depends on the clock."""


@frozen
class Case:
    """A refused command, what its help says, the command that goes on, and the files that they read."""

    refused: list[str]
    help: str
    proposed: list[str]
    files: dict[str, str]


def read(path: Path) -> Case:
    head, *files = re.split(r"^=== (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    refused, help, proposed = head.strip().splitlines()
    return Case(
        shlex.split(refused.removeprefix("$ zermelo ")),
        help.removeprefix("= "),
        shlex.split(proposed.removeprefix("$ zermelo ")),
        dict(zip(files[::2], files[1::2], strict=True)),
    )


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in sorted(REFUSALS.glob("*/*.txt"))]
)
def test_what_a_refusal_proposes_goes_on(run, tmp_path, monkeypatch, path):
    case = read(path)
    monkeypatch.chdir(tmp_path)
    for name, text in case.files.items():
        Path(name).write_text(text, encoding="utf-8")
    refused = run(*case.refused)
    assert refused.code and f"error[{path.parent.name}]" in refused.err
    _, _, help = refused.err.partition("= help: ")
    assert case.help in help
    proposed = run(*case.proposed)
    assert (proposed.code, proposed.err) == (0, "")


def test_every_refusal_by_solvers_has_a_case():
    assert {path.name for path in REFUSALS.iterdir()} == {
        code for code in CODES if code.startswith("needs-") or code in ABOUT_SOLVING
    }
