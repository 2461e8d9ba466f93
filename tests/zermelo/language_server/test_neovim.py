"""The server in an editor: Neovim, without a screen, shows a finding, takes it back when the slip is mended, and asks
for what stands under the cursor and for the layout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("neovim.lua")

SLIP = """\
game "Pile"
players Ann, Bob

var pile: 0..7 = 7
start at choose(Ann)

phase choose(p: Player):
    turn p:
        move take(n in 1..3) if n <= pille:
            pile -=   n
            if pile == 0: end win p
            go choose(other p)
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_an_editor(tmp_path):
    pytest.importorskip("pygls")  # an extra of its own: pip install -e '.[dev]'
    file, heard = tmp_path / "pile.game", tmp_path / "heard.json"
    file.write_text(SLIP, encoding="utf-8")
    surroundings = {**os.environ, "SERVER": sys.executable, "FILE": str(file), "HEARD": str(heard)}
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {SCRIPT}"]
    subprocess.run(command, env=surroundings, cwd=tmp_path, timeout=600, capture_output=True, check=True)
    said = json.loads(heard.read_text(encoding="utf-8"))
    assert said["shown"] == ["9: there is no name 'pille': did you mean 'pile'?"]
    assert "var pile: 0..7 = 7" in said["hover"] and said["defined_in_line"] == 7
    assert said["left"] == 0
    assert "\n".join(said["formatted"]) + "\n" == SLIP.replace("pille", "pile").replace("-=   n", "-= n")
