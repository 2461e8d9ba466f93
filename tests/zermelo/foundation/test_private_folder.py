"""A private folder: opened once, and checked by its open descriptor, so that it cannot be exchanged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zermelo.foundation import disk_cache
from zermelo.foundation.disk_cache import PrivateFolder, UnsafeFolderError, open_private_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give things away")

STRANGER = 12345


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "kept"
    made.mkdir(mode=0o700)
    return made


def held(path: Path) -> bytes:
    with open_private_folder(path) as here:
        return here.read("file", 100)


def put(path: Path, content: bytes = b"ours") -> None:
    with open_private_folder(path, make=True) as here:
        here.write("file", content)


def test_what_is_written_is_read(folder):
    put(folder)
    assert held(folder) == b"ours"
    assert (folder / "file").stat().st_mode & 0o777 == 0o600
    with open_private_folder(folder) as here:
        assert here.names() == ["file"]
        here.remove("file")
    assert not list(folder.iterdir())


def test_a_folder_that_is_made_is_the_users_alone(tmp_path):
    old = os.umask(0)
    try:
        put(tmp_path / "a" / "b")
    finally:
        os.umask(old)
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert held(tmp_path / "a" / "b") == b"ours"


def test_only_who_writes_makes_folders(tmp_path):
    with pytest.raises(FileNotFoundError), open_private_folder(tmp_path / "a" / "b"):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_can_write_to_is_refused(folder, mode):
    """Even a sticky one: others can put files there."""
    put(folder)
    folder.chmod(mode)
    with pytest.raises(UnsafeFolderError, match="others can write"):
        held(folder)


@as_root
def test_a_folder_of_somebody_else_is_refused(folder):
    put(folder / "inside")
    os.chown(folder, STRANGER, STRANGER)
    with pytest.raises(UnsafeFolderError, match="another user"):
        held(folder)
    with pytest.raises(UnsafeFolderError, match="another user"):
        put(folder)
    assert held(folder / "inside") == b"ours"  # which nobody else can write to, wherever it is


def test_links_of_the_user_are_followed(folder, tmp_path):
    put(folder)
    (tmp_path / "absolute").symlink_to(folder)
    (tmp_path / "relative").symlink_to("kept")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "up").symlink_to("../relative")
    for name in ("absolute", "relative", "inside/up"):
        assert held(tmp_path / name) == b"ours"


def test_a_folder_exchanged_after_it_was_opened_is_not_looked_into(folder, tmp_path):
    put(folder)
    with open_private_folder(folder) as here:
        folder.rename(tmp_path / "old")
        put(folder, b"theirs")
        assert here.read("file", 100) == b"ours"
        here.write("more", b"ours")
    assert not (folder / "more").exists()
    assert (tmp_path / "old" / "more").read_bytes() == b"ours"


@pytest.mark.parametrize("becomes", ["a link", "open to all"])
def test_a_folder_exchanged_before_it_is_opened_is_refused(folder, tmp_path, monkeypatch, becomes):
    """What is checked is the opened folder, not the one before the exchange."""
    theirs = tmp_path / "theirs"
    put(theirs, b"theirs")
    theirs.chmod(0o777)
    put(folder)
    true_open = os.open

    def open_late(path, flags, *rest, **inside):
        if path == folder:
            folder.rename(tmp_path / "gone")
            if becomes == "a link":
                folder.symlink_to(theirs)
            else:
                theirs.rename(folder)
        return true_open(path, flags, *rest, **inside)

    monkeypatch.setattr(disk_cache.os, "open", open_late)
    with pytest.raises(UnsafeFolderError, match="others can write"):
        held(folder)


@pytest.mark.parametrize("damage", ["linked", "too long", "a folder", "a pipe"])
def test_a_file_that_may_be_another_is_refused(folder, tmp_path, damage):
    put(folder)
    file, other = folder / "file", tmp_path / "other"
    if damage == "too long":
        file.write_bytes(b"x" * 101)
    else:
        file.rename(other)
        if damage == "linked":
            file.symlink_to(other)
        elif damage == "a folder":
            file.mkdir()
        else:
            os.mkfifo(file)
    with pytest.raises(OSError):
        held(folder)


def test_a_write_that_fails_leaves_what_was_there(folder, monkeypatch):
    put(folder)

    def full(*arguments, **inside):
        raise OSError("no room")

    monkeypatch.setattr(disk_cache.os, "replace", full)
    with pytest.raises(OSError, match="no room"):
        put(folder, b"new")
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert held(folder) == b"ours"


def test_no_descriptor_stays_open(folder):
    put(folder)
    before = set(os.listdir("/dev/fd"))
    for _ in range(3):
        held(folder)
        with pytest.raises(OSError):
            held(folder / "file")
    assert len(os.listdir("/dev/fd")) == len(before)


def test_without_opening_inside_a_folder_names_are_used(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "_CAN_OPEN_INSIDE", False)
    put(folder / "inside")
    assert held(folder / "inside") == b"ours"
    with open_private_folder(folder / "inside") as here:
        assert isinstance(here, PrivateFolder) and here.names() == ["file"]
        assert here.status("file").st_size == 4
        here.remove("file")
