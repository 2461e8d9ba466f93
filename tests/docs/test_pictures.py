"""The pictures of the docs are those that the commands beside them make.

``ZERMELO_TEST_WRITE=1`` in the environment writes them anew, to be looked at before they are committed.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from zermelo.cli import main

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
DRAWN = re.compile(r"^\$ (zermelo (?:draw|balance) .* -o (\S+\.svg))$", re.MULTILINE)
COMMANDS = {name: command for page in PAGES for command, name in DRAWN.findall(page.read_text(encoding="utf-8"))}

MADE_BY_TESTS = {"random_walk.svg", "learning.svg"}
"""Pictures of what no single command does: ``tests/solvers/learning/test_random_walk.py`` and
``tests/zermelo/drawing/test_learning.py``."""


def kept(name: str) -> list[str]:
    """The files of a command that are kept: its picture, or those of its numbered frames that a page shows."""
    if "--frames" not in COMMANDS[name]:
        return [name]
    return sorted(path.name for path in PICTURES.glob(f"{Path(name).stem}-???.svg"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_picture_is_what_its_command_makes(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(COMMANDS[name])[1:]) == 0
    for each in kept(name):
        drawn = (tmp_path / each).read_text(encoding="utf-8")
        if os.environ.get("ZERMELO_TEST_WRITE"):
            (PICTURES / each).write_text(drawn, encoding="utf-8")
        assert drawn == (PICTURES / each).read_text(encoding="utf-8")


def test_every_picture_is_shown_and_has_a_command():
    shown = {
        Path(path).name
        for page in PAGES
        for path in re.findall(r"!\[[^\]]+\]\((\S*pictures/\S+\.svg)\)", page.read_text(encoding="utf-8"))
    }
    made = {each for name in COMMANDS for each in kept(name)}
    assert shown == {path.name for path in PICTURES.iterdir()} == made | MADE_BY_TESTS
