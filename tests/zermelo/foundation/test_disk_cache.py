"""The disk cache: bounded, and safe against damage, other users and other processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from importlib.machinery import ModuleSpec
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.foundation import disk_cache
from zermelo.foundation import disk_cache as module
from zermelo.foundation.disk_cache import PrivateFolder, UnsafeFolderError, open_private_folder, write_whole

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


def test_the_cache_is_where_others_keep_theirs(monkeypatch, tmp_path):
    monkeypatch.delenv("ZERMELO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "all"))
    assert disk_cache.folder() == tmp_path / "all" / "zermelo"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert disk_cache.folder() == tmp_path / ".cache" / "zermelo"
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "own"))
    assert disk_cache.folder() == tmp_path / "own"


def test_what_was_used_last_stays(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 1000)
    monkeypatch.setattr(disk_cache, "ONE_IN", 1)
    for k in range(3):
        disk_cache.store("code", b"x" * 250, str(k))
        for old, entry in enumerate(disk_cache.entries()):
            os.utime(entry.path, (old, old))
    assert disk_cache.load("code", "0") is not None
    disk_cache.store("games", b"x" * 250, "3")
    assert [disk_cache.holds("code", str(k)) for k in range(3)] == [True, False, True]
    assert disk_cache.holds("games", "3")
    assert sum(entry.bytes for entry in disk_cache.entries()) <= 1000


def test_the_cache_stays_small_though_few_entries_look(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 10_000)
    sizes = []
    for k in range(200):
        disk_cache.store("code", b"x" * 168, str(k))  # 200 bytes with the digest: 50 of them are full
        sizes.append(sum(entry.bytes for entry in disk_cache.entries()))
    assert 10_000 < max(sizes) <= 30_000


def test_files_that_were_never_finished_go(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "ONE_IN", 1)
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
        "disk_cache.ONE_IN = 1\n"
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


# A private folder: opened once, and checked by its open descriptor, so that it cannot be exchanged.


as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give things away")

STRANGER = 12345


@pytest.fixture
def private(tmp_path: Path) -> Path:
    made = tmp_path / "kept"
    made.mkdir(mode=0o700)
    return made


def held(path: Path) -> bytes:
    with open_private_folder(path) as here:
        return here.read("file", 100)


def put(path: Path, content: bytes = b"ours") -> None:
    with open_private_folder(path, make=True) as here:
        here.write("file", content)


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_what_is_written_is_read(private):
    put(private)
    assert held(private) == b"ours"
    assert (private / "file").stat().st_mode & 0o777 == 0o600
    with open_private_folder(private) as here:
        assert here.names() == ["file"]
        here.remove("file")
    assert not list(private.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_a_folder_that_is_made_is_the_users_alone(tmp_path):
    old = os.umask(0)
    try:
        put(tmp_path / "a" / "b")
    finally:
        os.umask(old)
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert held(tmp_path / "a" / "b") == b"ours"


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_only_who_writes_makes_folders(tmp_path):
    with pytest.raises(FileNotFoundError), open_private_folder(tmp_path / "a" / "b"):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_can_write_to_is_refused(private, mode):
    """Even a sticky one: others can put files there."""
    put(private)
    private.chmod(mode)
    with pytest.raises(UnsafeFolderError, match="others can write"):
        held(private)


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
@as_root
def test_a_folder_of_somebody_else_is_refused(private):
    put(private / "inside")
    os.chown(private, STRANGER, STRANGER)
    with pytest.raises(UnsafeFolderError, match="another user"):
        held(private)
    with pytest.raises(UnsafeFolderError, match="another user"):
        put(private)
    assert held(private / "inside") == b"ours"  # which nobody else can write to, wherever it is


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_links_of_the_user_are_followed(private, tmp_path):
    put(private)
    (tmp_path / "absolute").symlink_to(private)
    (tmp_path / "relative").symlink_to("kept")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "up").symlink_to("../relative")
    for name in ("absolute", "relative", "inside/up"):
        assert held(tmp_path / name) == b"ours"


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_a_folder_exchanged_after_it_was_opened_is_not_looked_into(private, tmp_path):
    put(private)
    with open_private_folder(private) as here:
        private.rename(tmp_path / "old")
        put(private, b"theirs")
        assert here.read("file", 100) == b"ours"
        here.write("more", b"ours")
    assert not (private / "more").exists()
    assert (tmp_path / "old" / "more").read_bytes() == b"ours"


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
@pytest.mark.parametrize("becomes", ["a link", "open to all"])
def test_a_folder_exchanged_before_it_is_opened_is_refused(private, tmp_path, monkeypatch, becomes):
    """What is checked is the opened folder, not the one before the exchange."""
    theirs = tmp_path / "theirs"
    put(theirs, b"theirs")
    theirs.chmod(0o777)
    put(private)
    true_open = os.open

    def open_late(path, flags, *rest, **inside):
        if path == private:
            private.rename(tmp_path / "gone")
            if becomes == "a link":
                private.symlink_to(theirs)
            else:
                theirs.rename(private)
        return true_open(path, flags, *rest, **inside)

    monkeypatch.setattr(disk_cache.os, "open", open_late)
    with pytest.raises(UnsafeFolderError, match="others can write"):
        held(private)


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
@pytest.mark.parametrize("damage", ["linked", "too long", "a folder", "a pipe"])
def test_a_file_that_may_be_another_is_refused(private, tmp_path, damage):
    put(private)
    file, other = private / "file", tmp_path / "other"
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
        held(private)


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_a_write_that_fails_leaves_what_was_there(private, monkeypatch):
    put(private)

    def full(*arguments, **inside):
        raise OSError("no room")

    monkeypatch.setattr(disk_cache.os, "replace", full)
    with pytest.raises(OSError, match="no room"):
        put(private, b"new")
    assert [path.name for path in private.iterdir()] == ["file"]
    assert held(private) == b"ours"


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_no_descriptor_stays_open(private):
    put(private)
    before = set(os.listdir("/dev/fd"))
    for _ in range(3):
        held(private)
        with pytest.raises(OSError):
            held(private / "file")
    assert len(os.listdir("/dev/fd")) == len(before)


@pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
def test_without_opening_inside_a_folder_names_are_used(private, monkeypatch):
    monkeypatch.setattr(disk_cache, "_CAN_OPEN_INSIDE", False)
    put(private / "inside")
    assert held(private / "inside") == b"ours"
    with open_private_folder(private / "inside") as here:
        assert isinstance(here, PrivateFolder) and here.names() == ["file"]
        assert here.status("file").st_size == 4
        here.remove("file")


# Atomic writing of files.


whole_file_posix = pytest.mark.skipif(os.name != "posix", reason="locks, links and pipes of POSIX systems")


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


@whole_file_posix
def test_a_link_stays_one_and_rights_stay(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"before")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"behind")
    assert link.is_symlink()
    assert file.read_bytes() == b"behind"
    assert file.stat().st_mode & 0o777 == 0o640


@whole_file_posix
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


@whole_file_posix
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


@whole_file_posix
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


# The version as a key of caches: whatever what is cached depends on changes it, an edit in place too.


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
