"""A private folder: opened once, and checked by its open descriptor, so that it cannot be exchanged."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from zermelo.grammar import disk_cache
from zermelo.grammar.disk_cache import PrivateFolder, Unsafe, opened

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders have owners on POSIX systems")
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give things away")

STRANGER = 12345


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "kept"
    made.mkdir(mode=0o700)
    return made


def held(path: Path) -> bytes:
    with opened(path) as here:
        return here.read("file", 100)


def put(path: Path, content: bytes = b"ours") -> None:
    with opened(path, make=True) as here:
        here.write("file", content)


def test_what_is_written_is_read(folder):
    put(folder)
    assert held(folder) == b"ours"
    assert (folder / "file").stat().st_mode & 0o777 == 0o600
    with opened(folder) as here:
        assert here.names() == ["file"]
        here.remove("file")
    assert not list(folder.iterdir())


def test_folders_that_are_made_are_the_users_alone(tmp_path):
    old = os.umask(0)
    try:
        put(tmp_path / "a" / "b")
    finally:
        os.umask(old)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]
    assert held(tmp_path / "a" / "b") == b"ours"


def test_only_who_writes_makes_folders(tmp_path):
    with pytest.raises(FileNotFoundError), opened(tmp_path / "a" / "b"):
        pass
    assert not list(tmp_path.iterdir())


@pytest.fixture
def alone(monkeypatch):
    """Sets whether the user is alone in every group."""
    return lambda answer: monkeypatch.setattr(disk_cache, "_is_alone_in", lambda group: answer)


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_can_write_to_is_refused(folder, mode, alone):
    """Even a sticky one: others can put files there."""
    alone(False)
    put(folder)
    folder.chmod(mode)
    with pytest.raises(Unsafe, match="others can write"):
        held(folder)


def test_a_group_that_is_the_user_may_write(folder, alone):
    """The result of a umask of 002 on systems with a group for every user."""
    put(folder / "inside")
    for mode in (0o775, 0o770):
        folder.chmod(mode)
        alone(True)
        assert held(folder / "inside") == b"ours"
        alone(False)
        with pytest.raises(Unsafe, match="others can write"):
            held(folder / "inside")
    alone(True)
    folder.chmod(0o777)
    with pytest.raises(Unsafe, match="others can write"):
        held(folder / "inside")


@pytest.mark.skipif(not hasattr(os, "getxattr"), reason="access lists of Linux")
@pytest.mark.parametrize("answer", [b"a list", None, errno.EACCES])
def test_an_access_list_behind_the_bits_of_the_group_is_seen(folder, alone, monkeypatch, answer):
    """With a list, the group bits are the upper bound of its permissions."""
    put(folder / "inside")
    folder.chmod(0o770)
    alone(True)

    def getxattr(path, name):
        assert os.path.samefile(path, folder)
        assert name == "system.posix_acl_access"
        if isinstance(answer, bytes):
            return answer
        raise OSError(answer or errno.ENODATA, "")

    monkeypatch.setattr(disk_cache.os, "getxattr", getxattr)
    if answer is None:
        assert held(folder / "inside") == b"ours"
    else:
        with pytest.raises(Unsafe, match="others can write"):
            held(folder / "inside")


ME, OTHER = SimpleNamespace(pw_name="ann", pw_uid=7, pw_gid=70), SimpleNamespace(pw_name="bob", pw_uid=8, pw_gid=80)


@pytest.mark.parametrize(
    ("group", "members", "users", "expected"),
    [
        (70, [], [ME, OTHER], True),
        (70, ["ann"], [ME, OTHER], True),
        (70, ["bob"], [ME, OTHER], False),
        (70, ["ann", "bob"], [ME, OTHER], False),
        (70, [], [ME, SimpleNamespace(pw_name="bob", pw_uid=8, pw_gid=70)], False),
        (80, [], [ME, OTHER], False),
        (90, [], [ME, OTHER], False),
        (90, ["ann"], [ME, OTHER], False),
        (70, None, [ME, OTHER], False),
        (70, [], [OTHER], False),
    ],
)
def test_in_which_groups_a_user_is_alone(monkeypatch, group, members, users, expected):
    """Members of None mean a group unknown to the system."""
    import grp
    import pwd

    def found(things):
        if not things:
            raise KeyError
        return things[0]

    groups = [] if members is None else [SimpleNamespace(gr_mem=members)]
    monkeypatch.setattr(grp, "getgrgid", lambda number: found(groups))
    monkeypatch.setattr(pwd, "getpwuid", lambda number: found([user for user in users if user is ME]))
    monkeypatch.setattr(pwd, "getpwall", lambda: users)
    assert disk_cache._is_alone_in.__wrapped__(group) is expected


@pytest.mark.parametrize("depth", [1, 2])
def test_so_is_one_below_a_folder_that_others_can_write_to(folder, depth):
    """Others could exchange it."""
    inside = folder / Path(*["inside"] * depth)
    put(inside)
    folder.chmod(0o777)
    with pytest.raises(Unsafe, match="others can write"):
        held(inside)
    folder.chmod(0o1777)  # like /tmp: others cannot move what is not theirs
    assert held(inside) == b"ours"


@as_root
def test_a_folder_of_somebody_else_is_refused(folder):
    put(folder / "inside")
    os.chown(folder, STRANGER, STRANGER)
    with pytest.raises(Unsafe, match="another user"):
        held(folder)
    with pytest.raises(Unsafe, match="another user"):
        held(folder / "inside")


def test_links_of_the_user_are_followed(folder, tmp_path):
    put(folder)
    (tmp_path / "absolute").symlink_to(folder)
    (tmp_path / "relative").symlink_to("kept")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "up").symlink_to("../relative")
    for name in ("absolute", "relative", "inside/up"):
        assert held(tmp_path / name) == b"ours"


@as_root
def test_links_of_others_are_refused(folder, tmp_path):
    put(folder)
    tmp_path.chmod(0o1777)
    link = tmp_path / "link"
    link.symlink_to(folder)
    os.chown(link, STRANGER, STRANGER, follow_symlinks=False)
    with pytest.raises(Unsafe, match="link of another user"):
        held(link)


def test_links_that_go_round_come_to_an_end(tmp_path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(Unsafe):
        held(tmp_path / "one")


def test_a_way_over_a_link_into_a_folder_of_all_is_refused(folder, tmp_path):
    open_to_all = tmp_path / "open to all"
    put(open_to_all / "inside")
    (folder / "link").symlink_to(open_to_all)
    open_to_all.chmod(0o777)
    with pytest.raises(Unsafe, match="others can write"):
        held(folder / "link" / "inside")


def test_a_folder_exchanged_after_it_was_opened_is_not_looked_into(folder, tmp_path):
    put(folder)
    with opened(folder) as here:
        folder.rename(tmp_path / "old")
        put(folder, b"theirs")
        assert here.read("file", 100) == b"ours"
        here.write("more", b"ours")
    assert not (folder / "more").exists()
    assert (tmp_path / "old" / "more").read_bytes() == b"ours"


@pytest.mark.parametrize("becomes", ["link", "open to all"])
def test_a_folder_exchanged_while_it_is_looked_for_is_refused(folder, tmp_path, monkeypatch, becomes):
    """At every step of the path: the opened folder is checked, not the one before the exchange."""
    theirs = tmp_path / "theirs"
    put(theirs, b"theirs")
    put(folder)
    true_open = os.open

    def open_late(path, flags, *rest, **inside):
        if path == folder.name:
            folder.rename(tmp_path / "gone")
            if becomes == "link":
                folder.symlink_to(theirs)
            else:
                theirs.rename(folder)
                folder.chmod(0o777)
        return true_open(path, flags, *rest, **inside)

    monkeypatch.setattr(disk_cache.os, "open", open_late)
    with pytest.raises(OSError):
        held(folder)


@pytest.mark.parametrize("damage", ["linked", "hard linked", "for all", "too long", "a folder", "a pipe"])
def test_a_file_that_may_be_another_is_refused(folder, tmp_path, damage):
    put(folder)
    file, other = folder / "file", tmp_path / "other"
    if damage == "hard linked":
        os.link(file, other)
    elif damage == "for all":
        file.chmod(0o666)
    elif damage == "too long":
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


@as_root
def test_so_is_a_file_of_somebody_else(folder):
    put(folder)
    os.chown(folder / "file", STRANGER, STRANGER)
    with pytest.raises(Unsafe, match="another user"):
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


def test_without_opening_inside_a_folder_links_are_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache, "_CAN_OPEN_INSIDE", False)
    put(folder / "inside")
    assert held(folder / "inside") == b"ours"
    (tmp_path / "link").symlink_to(folder / "inside")
    with pytest.raises(Unsafe), opened(tmp_path / "link"):
        pass
    with opened(folder / "inside") as here:
        assert isinstance(here, PrivateFolder) and here.names() == ["file"]
        assert here.status("file").st_size == 4
        here.remove("file")
