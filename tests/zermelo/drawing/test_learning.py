"""Learning curves, as pictures and as numbers."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from all_machines import needs_llvm

import zermelo
from zermelo.drawing.learning import draw_learning


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """Files of three seeds, of which the last has fewer games, and one of a network."""
    game, folder = zermelo.load("tic_tac_toe"), tmp_path_factory.mktemp("learnt")
    found = [zermelo.learn(game, games=games, seed=seed) for seed, games in enumerate((100, 100, 60))]
    found.append(zermelo.learn(game, games=20, hidden=3))
    paths = [folder / f"{number}.json" for number in range(4)]
    for path, each in zip(paths, found, strict=True):
        path.write_text(each.text())
    return found, paths


def test_seeds_are_a_mean_and_a_band(learnt):
    found, _ = learnt
    (curve,) = draw_learning(zermelo.load("tic_tac_toe").initial, found[:3]).curves
    assert curve.name == "difference" and [games for games, _ in curve.points] == [10, 20, 50]
    errors = [each.curve[2].error for each in found[:3]]
    assert float(curve.points[2][1]) == pytest.approx(sum(errors) / 3)
    assert tuple(map(float, curve.spread[2])) == (min(errors), max(errors))


def test_other_settings_are_other_lines(learnt):
    found, _ = learnt
    drawn = draw_learning(zermelo.load("tic_tac_toe").initial, found)
    assert [curve.name for curve in drawn.curves] == ["difference (features, λ 0.7)", "difference (3 hidden, λ 0.7)"]
    assert [len(curve.spread) for curve in drawn.curves] == [3, 0]


def test_a_file_or_several(run, learnt, tmp_path):
    names = [str(path) for path in learnt[1]]
    assert "Seeds: 0, 1." in run("draw", "tic_tac_toe", "learning", "--weights", *names[:2]).out
    numbers = tmp_path / "x.csv"
    assert run("draw", "tic_tac_toe", "learning", "--weights", *names, "-o", str(numbers)).code == 0
    rows = list(csv.DictReader(numbers.read_text().splitlines()))
    assert [row["games"] for row in rows if row["file"] == names[2]] == ["10", "20", "50"]
    assert float(rows[1]["difference"]) == learnt[0][0].curve[1].error and rows[1]["error"] == rows[1]["loss"] == ""
    assert {row["hidden"] for row in rows} == {"0", "3"}


def test_refusals(run, learnt, tmp_path):
    short, names = tmp_path / "short.json", [str(path) for path in learnt[1]]
    short.write_text(zermelo.learn(zermelo.load("tic_tac_toe"), games=5).text())
    for words, said in (
        (["tic_tac_toe", "learning"], "nothing has been learnt"),
        (["tic_tac_toe", "learning", "--weights", str(short)], "more --games are needed"),
        (["nim", "learning", "--weights", names[0]], "bad-weights"),
        (["tic_tac_toe", "learning", "--depth", "2", "--weights", names[0]], "argument --depth"),
        (["tic_tac_toe", "sizes", "--weights", *names[:2]], "name one file"),
    ):
        ran = run("draw", *words)
        assert ran.code > 0 and said in " ".join(ran.err.split())


PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "learning.svg"


@needs_llvm
def test_the_picture_of_the_docs(run, tmp_path):
    """Of the commands in docs/learning.md. ``ZERMELO_TEST_WRITE=1`` in the environment writes it anew, to be looked at
    before it is committed."""
    files = [str(tmp_path / f"seed{seed}.json") for seed in (1, 2, 3)]
    for seed, file in enumerate(files, 1):
        words = "--hidden 20 --games 20000 --lambda 0.3 --exploration 0.2 --judge --seed"
        assert run("learn", "tic_tac_toe", *words.split(), str(seed), "-o", file).code == 0
    assert run("draw", "tic_tac_toe", "learning", "--weights", *files, "-o", str(tmp_path / "learning.svg")).code == 0
    drawn = (tmp_path / "learning.svg").read_text(encoding="utf-8")
    if os.environ.get("ZERMELO_TEST_WRITE"):
        PICTURE.write_text(drawn, encoding="utf-8")
    assert drawn == PICTURE.read_text(encoding="utf-8")
