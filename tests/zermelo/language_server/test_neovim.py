"""The server in an editor: Neovim, without a screen, shows a finding, takes it back when the slip is mended, and asks
for what stands under the cursor and for the layout. Set up as the manual says, it runs what its lenses offer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("neovim.lua")
CONFIGURED = Path(__file__).with_name("configured.lua")
MANUAL = Path(__file__).parents[3] / "docs" / "editors.md"
*SERVERS, LENSES = re.findall(r"```lua\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)

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


needs_neovim = pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")


def neovim(*words, **options):
    command = ["nvim", "--headless", "-i", "NONE", *words]
    return subprocess.run(command, timeout=600, capture_output=True, check=True, **options)


@needs_neovim
def test_an_editor(tmp_path):
    pytest.importorskip("pygls")  # an extra of its own: pip install -e '.[dev]'
    file, heard = tmp_path / "pile.game", tmp_path / "heard.json"
    file.write_text(SLIP, encoding="utf-8")
    surroundings = {**os.environ, "SERVER": sys.executable, "FILE": str(file), "HEARD": str(heard)}
    neovim("-u", "NONE", "-c", f"luafile {SCRIPT}", env=surroundings, cwd=tmp_path)
    said = json.loads(heard.read_text(encoding="utf-8"))
    assert said["shown"] == ["9: there is no name 'pille': did you mean 'pile'?"]
    assert "var pile: 0..7 = 7" in said["hover"] and said["defined_in_line"] == 7
    assert said["left"] == 0
    assert "\n".join(said["formatted"]) + "\n" == SLIP.replace("pille", "pile").replace("-=   n", "-= n")


@needs_neovim
@pytest.mark.parametrize(("function", "server"), list(zip(("config", "start", "start_client"), SERVERS, strict=True)))
def test_a_configuration_of_the_manual(function, server, tmp_path):
    """From version 0.11 on, from 0.8 on, and in 0.7."""
    pytest.importorskip("pygls")
    if neovim("-u", "NONE", "-c", f"lua io.stdout:write(type(vim.lsp.{function}))", "-c", "qa!").stdout == b"nil":
        pytest.skip(f"this Neovim has no vim.lsp.{function}")
    (tmp_path / "init.lua").write_text(server + LENSES, encoding="utf-8")
    file, heard = tmp_path / "pile.game", tmp_path / "heard.json"
    file.write_text(SLIP, encoding="utf-8")
    command = tmp_path / "zermelo"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zermelo "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    paths = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    surroundings = {**os.environ, "HEARD": str(heard), "PATH": paths, "NO_COLOR": "1"}
    neovim("-u", "init.lua", "pile.game", "-c", f"luafile {CONFIGURED}", "-c", "cquit", env=surroundings, cwd=tmp_path)
    said = json.loads(heard.read_text(encoding="utf-8"))
    assert said["kind"] == "zermelo" and said["lenses"] == ["Solve", "Test", "Play"]
    assert said["shown"] == ["there is no name 'pille': did you mean 'pile'?"]
    assert "error[undefined-name]" in said["terminal"]
