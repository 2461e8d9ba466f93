"""The version as a key of caches: whatever what is cached depends on changes it, an edit in place too."""

from __future__ import annotations

import os
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from zermelo.foundation import disk_cache as module


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A package of its own, in place of ours."""
    for name in ("files.py", "foundation/disk_cache.py", "grammar/game.lark", "solvers/kernels/window.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one = 1\n")
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands/solve.py").write_text("one = 1\n")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "foundation/disk_cache.py"))
    return tmp_path


def version() -> str:
    return module.program_version.__wrapped__()


def edit(file: Path) -> None:
    """Another text of the same length, a moment later."""
    before = file.stat()
    file.write_text("two = 2\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))


@pytest.mark.parametrize("name", ["files.py", "grammar/game.lark", "solvers/kernels/window.py"])
def test_an_edit_in_place_makes_another_version(home, name):
    before = version()
    assert version() == before
    edit(home / name)
    assert version() != before


def test_a_new_file_makes_another_version(home):
    before = version()
    (home / "solvers/kernels/dfpn.py").write_text("")
    assert version() != before


def test_a_command_has_no_part_in_what_is_cached(home):
    before = version()
    edit(home / "commands/solve.py")
    assert version() == before


def test_the_version_changes_with_every_file(tmp_path, monkeypatch):
    rooms = ("foundation", "grammar", "interpreter", "solvers")
    ours, others = ("zermelo", *(f"zermelo/{room}" for room in rooms)), ("lark", "llvmlite")
    for name in (*ours, *others):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / "part.py").write_text("one = 1\n")
        (tmp_path / name / "deep" / "part.py").write_text("one = 1\n")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "zermelo" / "foundation" / "disk_cache.py"))
    monkeypatch.setattr(module, "find_spec", lambda name: ModuleSpec(name, None, origin=f"{tmp_path}/{name}/x.py"))
    seen = {version()}
    assert {version()} == seen
    changes = [tmp_path / name / "part.py" for name in (*ours, *others)]
    changes += [tmp_path / name / "deep" / "part.py" for name in ours[1:]]
    for done, file in enumerate(changes, 2):
        file.write_text("one = 1  # more\n")
        seen.add(version())
        assert len(seen) == done
    (tmp_path / "zermelo" / "deep" / "part.py").write_text("one = 1  # a command\n")
    assert version() in seen
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert version() not in seen
