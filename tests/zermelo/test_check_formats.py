"""The formats of ``zermelo check``, and its fixes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

SLIPS = """\
game "Slips"
players Ann, Bob
var left: 0..3 = 3
start at play(Ann)
phase play(p: Player)
    turn p:
        move take if left = 1 && true:
            end win p
        move pass: end draw
"""
MENDED = SLIPS.replace("(p: Player)", "(p: Player):").replace("left = 1 && true", "left == 1 and true")
UNKNOWN = 'game "G"\nplayers Ann, Bob\nstart at play\nphase play:\n    turn An:\n        move stop: end win Ann\n'


def test_concise_and_github(run, game_file):
    file = game_file(UNKNOWN)
    first = run("check", file, "--format", "concise").out.splitlines()[0]
    assert first.startswith("test.game:5:10: error[undefined-name] ")
    first = run("check", file, "--format", "github").out.splitlines()[0]
    assert first.startswith("::error file=test.game,line=5,endLine=5,col=10,endColumn=12,title=undefined-name::")


def test_signs_of_workflow_commands_are_escaped(run, tmp_path):
    file = tmp_path / "100%,a:b.game"
    file.write_text(UNKNOWN, encoding="utf-8")
    assert "100%25%2Ca%3Ab.game,line=" in run("check", str(file), "--format", "github").out


def test_sarif(run, game_file):
    """The properties that the schema of SARIF 2.1.0 requires, and the invariants that its text states."""
    record = run("check", game_file(UNKNOWN), "--format", "sarif").record
    assert record["version"] == "2.1.0" and record["$schema"].endswith("sarif-schema-2.1.0.json")
    (run_record,) = record["runs"]
    driver = run_record["tool"]["driver"]
    assert driver["name"] == "zermelo"
    assert run_record["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for result in run_record["results"]:
        assert result["message"]["text"]
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        places = [*result["locations"], *result.get("relatedLocations", [])]
        for place in places:
            region = place["physicalLocation"]["region"]
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
            assert region["startLine"] >= 1 and region["startColumn"] >= 1
            assert place["physicalLocation"]["artifactLocation"]["uri"] == "test.game"
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uri"] and len(change["replacements"]) >= 1
                assert all("deletedRegion" in replacement for replacement in change["replacements"])


def test_sarif_without_findings(run):
    assert run("check", "nim", "--format", "sarif").record["runs"][0]["results"] == []


def test_junit(run, game_file):
    root = ElementTree.fromstring(run("check", game_file(UNKNOWN), "nim", "--format", "junit").out)
    assert [suite.get("failures") for suite in root] == ["1", "0"]
    assert root.get("tests") == "2"


def test_safe_fixes_are_made(run, game_file):
    file = game_file(SLIPS)
    shown = run("check", file, "--fix", "--diff")
    assert shown.code == 1 and "+        move take if left == 1 and true:" in shown.out
    assert Path(file).read_text(encoding="utf-8") == SLIPS
    ran = run("check", file, "--fix")
    assert (ran.code, ran.err) == (0, "test.game: 3 fixed\n")
    assert Path(file).read_text(encoding="utf-8") == MENDED


@pytest.mark.parametrize(
    "text",
    [
        UNKNOWN,
        'game "G"\nplyers Ann, Bob\n',
        'game "G"\nplayers Ann\ntree:\n    chance:\n        1/2 a: 1\n        1/3 b: 0\n',
    ],
)
def test_guesses_are_left_to_people(run, game_file, text):
    file = game_file(text)
    assert run("check", file, "--fix").code == 1
    assert Path(file).read_text(encoding="utf-8") == text


def test_what_cannot_be_fixed_in_place(run):
    assert run("check", "-", "--fix", typed=SLIPS).code == 2
    assert "+phase play(p: Player):" in run("check", "-", "--fix", "--diff", typed=SLIPS).out
    assert run("check", "nim", "--diff").code == 2


def test_json_has_a_finding_in_each_line(run, game_file):
    lines = run("check", game_file(UNKNOWN), "--json").out.splitlines()
    assert json.loads(lines[0])["code"] == "undefined-name"
