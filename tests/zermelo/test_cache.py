"""The cache: its entries after a run, their use in the next one, and the command that lists them."""

from __future__ import annotations

import json
import marshal
import pickle
from pathlib import Path

import pytest

import zermelo
from zermelo.foundation import disk_cache
from zermelo.grammar import engine
from zermelo.grammar.diagnostics import NOWHERE
from zermelo.interpreter.native.dialect import language
from zermelo.interpreter.native.dialect.language import code_of
from zermelo.preparing import to_bytes


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A new cache folder, not created yet."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kept(kind: str) -> list[disk_cache.Entry]:
    return [entry for entry in disk_cache.entries() if entry.kind == kind]


def test_a_game_is_checked_once(monkeypatch):
    first = zermelo.load("nim", heaps=2)
    assert len(kept("games")) == 1

    def checked_again(*arguments):
        raise AssertionError

    monkeypatch.setattr("zermelo.interpreter.check.check", checked_again)
    again = zermelo.load("nim", heaps=2)
    assert (again.title, again.parameters, again.facts) == (first.title, first.parameters, first.facts)
    assert again.initial.moves == first.initial.moves
    assert zermelo.solve(again).value == zermelo.solve(first).value


@pytest.mark.parametrize("change", ["text", "parameters", "version"])
def test_what_a_game_depends_on_is_looked_at(change, tmp_path, monkeypatch):
    file = tmp_path / "tree.game"
    file.write_text(zermelo.loading.read_source("nim").text, encoding="utf-8")
    zermelo.load(file)
    if change == "text":
        file.write_text(file.read_text(encoding="utf-8").replace("Nim", "Nimm"), encoding="utf-8")
    elif change == "version":
        monkeypatch.setattr("zermelo.preparing.program_version", lambda: "another")
    game = zermelo.load(file, **({"heaps": 2} if change == "parameters" else {}))
    assert len(kept("games")) == 2
    assert game.title == ("Nimm" if change == "text" else "Nim")
    assert game.parameters["heaps"] == (2 if change == "parameters" else 3)


def test_texts_and_mistakes_are_not_kept(tmp_path):
    zermelo.loads(zermelo.loading.read_source("nim").text)
    file = tmp_path / "wrong.game"
    file.write_text('game "Wrong"\n')
    for _ in range(2):
        with pytest.raises(zermelo.InvalidGame):
            zermelo.load(file)
    assert not kept("games")


def test_a_game_that_cannot_be_lowered_is_so_the_next_time(tmp_path):
    few, all = 1, 10**22
    tree = f"    chance:\n        {few}/{all} low: 1\n        {all - few}/{all} high: 0\n"
    file = tmp_path / "fine.game"
    file.write_text(f'game "Finer than machine numbers"\nplayers A, B\ntree:\n{tree}')
    for _ in range(2):
        with pytest.raises(zermelo.ZermeloError) as refused:
            zermelo.load(file).on("python")
        assert refused.value.code == "machine-unavailable"


def test_games_that_change_places_are_read_anew(run):
    """Cached results of the other game would be wrong."""
    counts = {}
    for name in ("two_ply_tree", "tic_tac_toe"):
        counts[name] = run("plays", name, "2").out
    one, another = kept("games")
    between = one.path.with_name("between")
    one.path.rename(between)
    another.path.rename(one.path)
    between.rename(another.path)
    for name, shown in counts.items():
        assert run("plays", name, "2").out == shown
        assert zermelo.load(name).title == zermelo.loads(zermelo.loading.read_source(name).text).title


def test_what_is_sealed_and_is_no_game_is_made_again(monkeypatch):
    """Any other content: other data, records of other classes, too few, too deep; byte code that is none, is missing,
    or of nothing."""
    prepared = zermelo.load("nim").prepared
    model, facts, program = prepared.model, prepared.facts, prepared.program
    code = marshal.dumps(code_of(program.text)).hex()
    contents: list[object] = [(), (1, 2, 3, 4, 5), (NOWHERE,) * 5, [None] * 5, (model, facts, None)]
    contents += [(facts, model, 0, 0, ""), (model, facts, facts, None, ""), (model, facts, program, program, code)]
    contents += [
        (model, None, program, None, code),
        (model, facts, program, None, ""),
        (model, facts, None, None, code),
    ]
    contents += [(model, facts, program, None, other) for other in (None, 1, "0", code[:-2], marshal.dumps(1).hex())]
    junk = [b"", b"{}", b"[[],[],[]]", b"[" * 100_000, b"\x80\x04", b"[[],[1],[[0,0]]]", b'[["tuple"],[],[[0,7]]]']
    junk += [b'[["zermelo.grammar.diagnostics.Span"],[1],[[0,0]]]']
    junk += [b'[["zermelo.grammar.nothing.Span"],[1],[[0,0]]]', b"1" * 10_000]
    for content in [*map(to_bytes, contents), *junk]:
        monkeypatch.setattr(disk_cache, "load", lambda *key, content=content: content)
        assert zermelo.load("nim").title == "Nim"
    monkeypatch.setattr(disk_cache, "load", lambda *key: to_bytes((model, facts, program, None, code)))
    monkeypatch.delattr("zermelo.interpreter.check.check")
    assert zermelo.load("nim").title == "Nim"


def test_rules_that_are_kept_are_not_compiled_again(run, monkeypatch):
    """Neither by Python: their byte code is kept with them, and not that of another text."""
    shown = {name: run("moves", name, "--machine", "python").out for name in ("nim", "tic_tac_toe")}
    monkeypatch.setattr(language, "_codes", {})
    monkeypatch.setattr(language, "compile", lambda *text: pytest.fail("compiled again"), raising=False)
    assert {name: run("moves", name, "--machine", "python").out for name in shown} == shown
    assert shown["nim"] != shown["tic_tac_toe"]


def test_reading_what_is_kept_runs_nothing(tmp_path, monkeypatch):
    """A pickle that would create a file on reading counts as damaged, in any place."""
    witness = tmp_path / "run"
    hostile = pickle.dumps(Hostile(witness))
    pickle.loads(hostile).close()
    assert witness.exists()
    witness.unlink()
    monkeypatch.setattr(disk_cache, "load", lambda *key: hostile)
    monkeypatch.setattr(engine, "load_tables", lambda *key: hostile)
    monkeypatch.setattr(engine, "engine", engine.engine.__wrapped__)
    assert zermelo.load("nim").title == "Nim"
    assert not witness.exists()
    calls = b'[["builtins.open"],["%s","w"],[[0,0,1]]]' % str(witness).encode()
    monkeypatch.setattr(disk_cache, "load", lambda *key: calls)
    assert zermelo.load("nim").title == "Nim"
    assert not witness.exists()


class Hostile:
    """Its pickle opens this file for writing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_damaged_file_is_made_again():
    zermelo.load("nim")
    (entry,) = kept("games")
    whole = entry.path.read_bytes()
    for damaged in (whole[:100], b"", whole + b"!"):
        entry.path.write_bytes(damaged)
        assert zermelo.load("nim").title == "Nim"
        assert entry.path.read_bytes() != damaged


def test_the_command_shows_and_clears(run, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    assert run("cache").out.splitlines()[0].split() == ["folder", str(folder)]
    zermelo.load("nim")
    shown = run("cache")
    assert shown.code == 0
    assert "checked games" in shown.out and "of at most 256.0 MiB" in shown.out
    record = run("cache", "--json").record
    assert record["folder"] == str(folder) and record["trouble"] is None
    assert {file["kind"] for file in record["files"]} >= {"games"}
    assert record["bytes"] == sum(file["bytes"] for file in record["files"]) <= record["most_bytes"]
    cleared = run("cache", "clear", "--json").record
    assert cleared["removed"] == len(record["files"]) and cleared["files"] == []
    assert run("cache", "clear").out == "0 files, 0.0 KiB removed.\n"


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([], "0 files, 0.0 KiB"),
        ([1536], "1 file, 1.5 KiB"),
        ([1 << 19, (1 << 19) - 103], "2 files, 1023.9 KiB"),
        ([1 << 20], "1 file, 1.0 MiB"),
        ([1 << 10] * 1500, "1,500 files, 1.5 MiB"),
    ],
)
def test_files_and_their_size_are_said_in_words(run, folder, monkeypatch, sizes, said):
    entries = [disk_cache.Entry(folder / f"{k}", "games", size, 0.0) for k, size in enumerate(sizes)]
    monkeypatch.setattr("zermelo.foundation.disk_cache.clear", lambda: entries)
    assert run("cache", "clear").out == f"{said} removed.\n"


def test_the_command_says_why_nothing_is_kept(run, folder):
    folder.write_text("no folder")
    shown = run("cache")
    assert shown.code == 1
    assert "is not a folder" in " ".join(shown.out.split())
    assert json.loads(run("cache", "--json").out)["trouble"]
    assert run("solve", "two_ply_tree").code == 0
