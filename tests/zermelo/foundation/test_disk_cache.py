"""The disk cache: bounded, and safe against damage, other users and other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.foundation import disk_cache

posix = pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
as_user = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may do everything")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new cache folder, not created yet."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_stored_can_be_loaded(folder):
    assert disk_cache.load("code", "a", "b") is None
    disk_cache.store("code", b"content", "a", "b")
    assert disk_cache.holds("code", "a", "b")
    assert disk_cache.load("code", "a", "b") == b"content"
    assert disk_cache.load("code", "a", "c") is None
    assert disk_cache.load("games", "a", "b") is None


def test_no_two_lists_of_texts_are_one_key(folder):
    keys = [("code",), ("code", ""), ("code", "", ""), ("codea",), ("code", "a"), ("code", "a", "b"), ("code", "ab")]
    keys += [("code", "a\0b"), ("code", "a\0", "b"), ("code", "a", "\0b"), ("games", "a", "b"), ("code", "\udc80")]
    assert len({disk_cache.key_of(*key) for key in keys}) == len(keys)


@pytest.mark.parametrize("other", [("code", "b"), ("games", "a"), ("code", "a", ""), ("code", "a", "b")])
def test_files_that_change_places_are_missing(folder, other):
    """Each is valid, but not under the key of the other."""
    disk_cache.store("code", b"one", "a")
    (one,) = disk_cache.entries()
    disk_cache.store(other[0], b"another", *other[1:])
    (another,) = [entry for entry in disk_cache.entries() if entry != one]
    one.path.rename(folder / "between")
    another.path.rename(one.path)
    (folder / "between").rename(another.path)
    assert disk_cache.load("code", "a") is None
    assert disk_cache.load(*other) is None
    disk_cache.store("code", b"one", "a")
    assert disk_cache.load("code", "a") == b"one"


def test_every_bit_counts(folder):
    disk_cache.store("code", b"content", "a")
    (entry,) = disk_cache.entries()
    whole = entry.path.read_bytes()
    for bit in range(8 * len(whole)):
        number = int.from_bytes(whole, "big") ^ 1 << bit
        entry.path.write_bytes(number.to_bytes(len(whole), "big"))
        assert disk_cache.load("code", "a") is None
    for length in range(len(whole)):
        entry.path.write_bytes(whole[:length])
        assert disk_cache.load("code", "a") is None


@posix
def test_nothing_is_kept_where_others_can_write(folder):
    disk_cache.store("code", b"content", "a")
    folder.chmod(0o777)
    assert disk_cache.load("code", "a") is None
    assert not disk_cache.holds("code", "a")
    assert disk_cache.entries() == disk_cache.clear() == []
    assert disk_cache.trouble() == f"others can write to {folder}, which `chmod go-w` ends"
    disk_cache.store("code", b"content", "b")
    assert len(list(folder.iterdir())) == 1


@posix
def test_the_folder_is_for_its_user_alone(folder):
    disk_cache.store("code", b"content", "a")
    assert folder.stat().st_mode & 0o777 == 0o700


@settings(max_examples=many(30))
@given(st.binary(max_size=100), st.binary(max_size=60), st.integers(0, 140))
def test_a_damaged_file_is_ignored_and_replaced(tmp_path_factory, content, garbage, length):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_CACHE", str(tmp_path_factory.mktemp("cache")))
        disk_cache.store("code", content, "a")
        (entry,) = disk_cache.entries()
        whole = entry.path.read_bytes()
        for damaged in (whole[:length], whole + garbage, garbage + whole, garbage):
            entry.path.write_bytes(damaged)
            assert disk_cache.load("code", "a") == (content if damaged == whole else None)
        disk_cache.store("code", content, "a")
        assert disk_cache.load("code", "a") == content


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_is_not_used(folder, mode):
    disk_cache.store("code", b"content", "a")
    folder.chmod(mode)
    assert disk_cache.load("code", "a") is None
    disk_cache.store("code", b"content", "b")
    assert len(list(folder.iterdir())) == 1
    assert "others can write" in disk_cache.trouble()


@posix
@as_user
@pytest.mark.parametrize("mode", [0o000, 0o500, 0o300])
def test_a_folder_that_cannot_be_used_costs_only_time(folder, mode):
    disk_cache.store("code", b"content", "a")
    folder.chmod(mode)
    try:
        disk_cache.store("code", b"content", "b")
        assert disk_cache.load("code", "b") is None
        assert disk_cache.trouble()
    finally:
        folder.chmod(0o700)


def test_a_folder_that_is_a_file_costs_only_time(folder):
    folder.write_text("no folder")
    disk_cache.store("code", b"content", "a")
    assert disk_cache.load("code", "a") is None
    assert disk_cache.entries() == disk_cache.clear() == []
    assert "not a folder" in disk_cache.trouble()
    assert folder.read_text() == "no folder"


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    def no_home() -> Path:
        raise RuntimeError

    for name in ("ZERMELO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    disk_cache.store("code", b"content", "a")
    assert disk_cache.load("code", "a") is None
    assert disk_cache.trouble() == "there is no home folder"


def test_what_was_used_last_stays(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 1000)
    for k in range(3):
        disk_cache.store("code", b"x" * 250, str(k))
        for old, entry in enumerate(disk_cache.entries()):
            os.utime(entry.path, (old, old))
    assert disk_cache.load("code", "0") is not None
    disk_cache.store("games", b"x" * 250, "3")
    assert [disk_cache.holds("code", str(k)) for k in range(3)] == [True, False, True]
    assert disk_cache.holds("games", "3")
    assert sum(entry.bytes for entry in disk_cache.entries()) <= 1000


def test_files_that_were_never_finished_go(folder):
    disk_cache.store("code", b"content", "a")
    old, new = folder / "old.part", folder / "new.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    disk_cache.store("code", b"content", "b")
    assert (old.exists(), new.exists()) == (False, True)
    assert len(disk_cache.clear()) == 2
    assert not list(folder.iterdir())


def test_what_is_not_ours_stays(folder):
    disk_cache.store("code", b"content", "a")
    stranger = folder / "notes.txt"
    stranger.write_text("mine")
    assert len(disk_cache.clear()) == 1
    assert stranger.read_text() == "mine"


def test_processes_at_the_same_time_see_whole_files_or_none(folder):
    script = (
        "from zermelo.foundation import disk_cache\n"
        "disk_cache.MOST_BYTES = 100_000\n"
        "for k in range(60):\n"
        "    name = str(k % 7)\n"
        "    found = disk_cache.load('code', name)\n"
        "    assert found is None or found == name.encode() * 20_000, name\n"
        "    disk_cache.store('code', name.encode() * 20_000, name)\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[3]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert sum(entry.bytes for entry in disk_cache.entries()) <= 100_000
    assert not list(folder.glob("*.part"))
