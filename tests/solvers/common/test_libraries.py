"""What a plain installation brings: every library that the program asks for without an extra."""

from __future__ import annotations

import ast
import ctypes
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library, silence_streams

ROOT = Path(__file__).parents[3]


def _asked(extras):
    """The libraries that the program imports by ``import_library`` without an extra."""
    for folder in ("solvers", "zermelo"):
        for path in (ROOT / folder).glob("**/*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("import_library", "_library"):
                    words = [part.value if isinstance(part, ast.Constant) else "" for part in node.args]
                    if words[0] and not extras & set(words):
                        yield words[0].partition(".")[0]


def test_what_the_program_asks_for_is_installed_with_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = set(_asked(set(project["optional-dependencies"])))
    assert asked == {"flint", "highspy", "numpy", "scipy"}
    for module in asked:
        name = "python-flint" if module == "flint" else module
        assert any(line.startswith(name) for line in project["dependencies"]), name


@pytest.mark.parametrize(
    "module, extra, code, help",
    [
        ("flint", "", "broken-installation", "pip install python-flint"),
        ("highspy", "", "broken-installation", "pip install highspy"),
        ("pygambit", "gambit", "library-missing", "pip install 'zermelo[gambit]'"),
    ],
)
def test_an_error_says_how_to_install_what_is_missing(module, extra, code, help, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ZermeloError) as found:
        import_library(module, "this", extra)
    assert (found.value.code, found.value.help) == (code, help)
    assert found.value.message == f"the library {module} is needed for this, and it is not installed"


def test_in_a_browser_nothing_can_be_installed(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(ZermeloError, match="Python in a browser runs no machine code") as found:
        import_library("highspy", "large games")
    assert found.value.code == "machine-unavailable" and "`pip install zermelo`" in found.value.help


def test_what_a_library_writes_by_itself_is_not_heard(capfd):
    print("before")
    with silence_streams():
        os.write(1, b"a banner\n")
        os.write(2, b"a warning\n")
        ctypes.CDLL(None).puts(b"held back until the stream of C is flushed")
    print("behind")
    assert capfd.readouterr() == ("before\nbehind\n", "")


@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)])
def test_a_stream_that_is_closed_stays_closed(closed):
    program = f"""
import os
for stream in {closed}:
    os.close(stream)
from zermelo.solvers.common.libraries import silence_streams
with silence_streams():
    pass
for stream in {closed}:
    try:
        os.fstat(stream)
    except OSError:
        continue
    raise SystemExit(3)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False, capture_output=True).returncode == 0
