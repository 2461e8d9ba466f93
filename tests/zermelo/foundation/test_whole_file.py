"""Atomic writing of files."""

from __future__ import annotations

import os
import threading
from multiprocessing import get_context

import pytest

from zermelo.foundation import disk_cache
from zermelo.foundation.disk_cache import write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="locks, links and pipes of POSIX systems")


def test_what_is_written_takes_the_place_of_what_was_there(tmp_path):
    file = tmp_path / "file"
    for content in (b"one", b"", b"three" * 1000):
        write_whole(file, content)
        assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_what_fails_leaves_what_was_there(tmp_path, monkeypatch, fails):
    file = tmp_path / "file"
    write_whole(file, b"before")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_cache.os if fails == "fsync" else disk_cache.Path, fails, full)
    with pytest.raises(OSError, match="No space"):
        write_whole(file, b"behind")
    monkeypatch.undo()
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]


@posix
def test_a_link_stays_one_and_rights_stay(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"before")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"behind")
    assert link.is_symlink()
    assert file.read_bytes() == b"behind"
    assert file.stat().st_mode & 0o777 == 0o640


@posix
def test_a_pipe_is_written_to(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"told")
    reader.join(60)
    assert read == [b"told"]


def test_what_a_killed_process_has_left_is_written_over(tmp_path):
    (tmp_path / "file.part").write_bytes(b"half of it, and more than the new one has")
    write_whole(tmp_path / "file", b"whole")
    assert (tmp_path / "file").read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@posix
def test_who_writes_is_alone(tmp_path):
    import fcntl

    file = tmp_path / "file"
    write_whole(file, b"before")
    with (tmp_path / "file.part").open("ab") as other:
        fcntl.flock(other.fileno(), fcntl.LOCK_EX)
        with pytest.raises(OSError, match="another process"):
            write_whole(file, b"behind")
    assert file.read_bytes() == b"before"
    write_whole(file, b"behind")
    assert file.read_bytes() == b"behind"


def _write_often(file, letter):
    for _ in range(100):
        try:
            write_whole(file, letter * 100_000)
        except OSError as error:
            assert "another process" in str(error)


@posix
def test_many_who_write_at_once_leave_a_whole_file(tmp_path):
    file = tmp_path / "file"
    context = get_context("spawn")
    writers = [context.Process(target=_write_often, args=(file, bytes([65 + k]))) for k in range(3)]
    file.write_bytes(b"-" * 100_000)
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        seen = file.read_bytes()
        assert len(seen) == 100_000
        assert len(set(seen)) == 1
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == [file]
