"""Sequential equilibria on the page and as JSON."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from small_games import THREAT

from zermelo.cli import main


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


def _record(capsys, *words):
    assert main(["equilibria", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_all_equilibria_of_beer_or_quiche_are_sequential(capsys):
    """Cho and Kreps (1987): both pooling equilibria; whoever orders the other breakfast is weak with at least 1/2."""
    record = _record(capsys, "beer_or_quiche")
    assert len(record["equilibria"]) == 4
    for found in record["equilibria"]:
        assert found["sequential"] is True and "sequential" in found["marks"]
        (belief,) = found["beliefs"]
        assert belief["player"] == "Receiver"
        weak = [
            Fraction(node["probability"])
            for node in belief["nodes"]
            for other in node["others"]
            if "temper = weak" in other["known"]
        ]
        assert sum(weak) >= Fraction(1, 2)
    assert main(["equilibria", "beer_or_quiche"]) == 0
    printed = capsys.readouterr().out
    assert "equilibrium 1     sequential: Receiver believes temper = weak after Sender: have(quiche)" in printed


def test_an_empty_threat_is_named_with_what_is_better(tmp_path, capsys):
    file = tmp_path / "entry.game"
    file.write_text(THREAT)
    assert main(["equilibria", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "1  out      fight                 0             2               pure, efficient, not sequential" in printed
    assert "equilibrium 1      not sequential: Incumbent gets more by share after Entrant: enter" in printed
    refuted = [found for found in _record(capsys, str(file))["equilibria"] if found["sequential"] is False]
    fails = [{"player": "Incumbent", "known": [], "after": ["Entrant: enter"], "better": "share"}]
    assert [found["fails"] for found in refuted] == [fails, fails]


def test_what_is_chosen_where_nobody_goes_is_told(tmp_path, capsys):
    """Ann, who stays out, would choose 3 and not 0 at her second decision."""
    file = tmp_path / "steps.game"
    inner = "            right: Ann:\n                up: (0, 0)\n                down: (3, 0)\n"
    file.write_text(
        THREAT[: THREAT.index("        out")].replace("Entrant", "Ann").replace("Incumbent", "Bob")
        + f"        out: (2, 2)\n        enter: Bob:\n            left: (1, 1)\n{inner}"
    )
    assert main(["equilibria", str(file)]) == 0
    assert "equilibrium 1  sequential: Ann does down after Ann: enter, Bob: right\n" in capsys.readouterr().out


def test_games_that_everybody_plays_through_are_not_marked(capsys):
    assert main(["equilibria", "prisoners_dilemma"]) == 0
    assert "sequential" not in capsys.readouterr().out
    assert [found["sequential"] for found in _record(capsys, "prisoners_dilemma")["equilibria"]] == [True]


def test_time_that_ends_leaves_the_marks_out(capsys, monkeypatch):
    def slow(setting, plans, limits):
        object.__setattr__(limits, "seconds", 0.0)
        raise limits.out_of_time({})

    monkeypatch.setattr("zermelo.equilibria_page.examine", slow)
    record = _record(capsys, "beer_or_quiche", "--time", "1000")
    assert record["unfinished"] == ["which equilibria are sequential"]
    assert [found["sequential"] for found in record["equilibria"]] == [None] * 4
    assert main(["equilibria", "beer_or_quiche", "--time", "1000"]) == 0
    assert "pure, sequential" not in capsys.readouterr().out


def test_what_is_not_decided_is_said_so(capsys, monkeypatch):
    monkeypatch.setattr("zermelo.solvers.imperfect_information.sequential_equilibrium.MOST_PROGRAMS", 0)
    assert {found["sequential"] for found in _record(capsys, "beer_or_quiche")["equilibria"]} == {None}
    assert main(["equilibria", "beer_or_quiche"]) == 0
    printed = capsys.readouterr().out
    assert "pure, perhaps sequential" in printed
    assert "equilibrium 1     may be sequential or not: neither was proved" in printed
