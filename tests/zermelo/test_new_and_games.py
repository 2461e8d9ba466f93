"""The commands that come first: what games there are, and a game of one's own."""

from __future__ import annotations

import pytest

from zermelo import gamedefs


@pytest.mark.parametrize("name", gamedefs.names())
def test_every_bundled_game_says_in_a_few_words_what_it_is(name):
    title, about = gamedefs.lid(name)
    assert title and 3 < len(about) <= 80 and not about.endswith(".")


def test_games_are_listed_with_a_line_each(run):
    ran = run("games")
    assert (ran.code, ran.err) == (0, "")
    listed = [line.split()[0] for line in ran.out.splitlines()[1:] if line and not line[0].isspace()]
    assert set(gamedefs.names()) <= set(listed)
    records = run("games", "--json").record
    assert [record["name"] for record in records] == list(gamedefs.names())


def test_a_word_leaves_the_games_that_have_it(run):
    assert [record["name"] for record in run("games", "POKER", "--json").record] == [
        "kuhn_poker",
        "kuhn_poker_for_several",
        "leduc_poker",
    ]
    ran = run("games", "quidditch")
    assert ran.code == 2 and ran.err.startswith("error[unknown-game]: no bundled game has 'quidditch'")


def test_a_new_game_is_sound_and_keeps_the_comments(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("new", "three_stones")
    assert ran.code == 0 and "zermelo check three_stones.game" in " ".join(ran.out.split())
    text = (tmp_path / "three_stones.game").read_text()
    assert 'game "Three stones"\n' in text and "zermelo check three_stones.game" in text and "FILE" not in text
    assert run("check", "three_stones.game").out == "three_stones.game: no findings\n"
    assert run("test", "three_stones.game").code == 0


def test_a_new_game_as_json(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "first", "--json").record == {"file": "first.game"}
    assert (tmp_path / "first.game").is_file()


def test_a_file_that_exists_is_left_alone(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.game").write_text("mine")
    for name in ("mine", "mine.game"):
        ran = run("new", name)
        assert ran.code == 2 and ran.err.startswith("error[unwritable-file]: mine.game exists already")
    assert (tmp_path / "mine.game").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "code"),
    [('a"b', "bad-usage"), ("_", "bad-usage"), ("a\nb", "bad-usage"), ("no/such/x", "unwritable-file")]
    + [(name, "bad-usage") for name in ("", ".", "..", "/", "x/..")],
)
def test_a_name_that_no_game_can_have(run, tmp_path, monkeypatch, name, code):
    monkeypatch.chdir(tmp_path)
    ran = run("new", name)
    assert ran.code == 2 and ran.err.startswith(f"error[{code}]: ")
    assert list(tmp_path.iterdir()) == []
