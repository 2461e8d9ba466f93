"""``zermelo equilibria``: the page and the JSON."""

from __future__ import annotations

import json

from zermelo.cli import main


def test_the_page(capsys):
    assert main(["equilibria", "prisoners_dilemma"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["Row", "\\", "Column", "cooperate", "defect"]
    assert "defect  defect  1         1            pure, strict, dominant" in lines
    assert "left            defect, defect" in lines


def test_a_game_of_constant_sum_without_pure_equilibria(capsys):
    assert main(["equilibria", "kuhn_poker"]) == 0
    printed = capsys.readouterr().out
    assert "Alice secures  -1/18" in printed
    assert "7 strategies of Alice, 12 strategies of Bob" in " ".join(printed.split())
    assert "correlated" not in printed


def test_json(capsys):
    assert main(["equilibria", "rock_paper_scissors", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    (only,) = record["equilibria"]
    assert only["strategies"] == {"One": ["1/3"] * 3, "Two": ["1/3"] * 3}
    assert record["all"] is True
    assert record["maximin"]["One"]["value"] == "0"
    assert len(record["payoffs"]) == 9
