"""``zermelo lsp``, apart from the conversation itself: what is missing, and how it ends."""

from __future__ import annotations

import subprocess
import sys

from zermelo.cli import main


def test_the_extra_is_named_where_the_library_is_missing(monkeypatch, capsys):
    loaded = [name for name in sys.modules if name.partition(".")[0] == "pygls"]
    for name in loaded:  # by other tests of this process: the parents of a module that is loaded are not asked for
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main(["lsp"]) == 1
    assert "pip install 'zermelo[lsp]'" in capsys.readouterr().err


def test_it_ends_with_its_input():
    ended = subprocess.run([sys.executable, "-m", "zermelo", "lsp", "--stdio"], stdin=subprocess.DEVNULL, timeout=60)
    assert ended.returncode == 0


def test_other_commands_do_not_load_the_server():
    code = "import sys; from zermelo.cli import main; main(['check', 'nim']); assert 'pygls' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, timeout=60).returncode == 0
