"""The formats of ``zermelo check`` that other programs read, against what is published of them.

The packages that have the JSON schema of SARIF 2.1.0 fetch it from the network. ``sarif_om`` has the classes that
Microsoft generated from it: which properties an object may have, and which it must. Kinds of values and the invariants
that the text of the standard states are checked here by hand. JUnit XML has no standard; checked are the names and
counts that its readers use, and that the counts are right.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from xml.etree import ElementTree

import pytest
import sarif_om
from attrs import NOTHING, fields

SLIPS = """\
game "Slips"
players Ann, Bob
var left: 0..3 = 3
start at play(Ann)
phase play(p: Player)
    turn p:
        move take if left = 1 && true:
            end win Bobby
        move pass: end draw
"""
TWICE = 'game "Ünï & <co>"\nplayers Ann, Ann\nstart at play\nphase play:\n    turn Ann:\n        move stop: end draw\n'

OBJECTS = {
    "": sarif_om.SarifLog,
    "runs": sarif_om.Run,
    "tool": sarif_om.Tool,
    "driver": sarif_om.ToolComponent,
    "rules": sarif_om.ReportingDescriptor,
    "shortDescription": sarif_om.MultiformatMessageString,
    "defaultConfiguration": sarif_om.ReportingConfiguration,
    "results": sarif_om.Result,
    "message": sarif_om.Message,
    "locations": sarif_om.Location,
    "relatedLocations": sarif_om.Location,
    "physicalLocation": sarif_om.PhysicalLocation,
    "artifactLocation": sarif_om.ArtifactLocation,
    "region": sarif_om.Region,
    "fixes": sarif_om.Fix,
    "description": sarif_om.Message,
    "artifactChanges": sarif_om.ArtifactChange,
    "replacements": sarif_om.Replacement,
    "deletedRegion": sarif_om.Region,
    "insertedContent": sarif_om.ArtifactContent,
}
"""The class of the objects that stand under a name."""

LISTS = {"runs", "rules", "results", "locations", "relatedLocations", "fixes", "artifactChanges", "replacements"}
WHOLE = {"ruleIndex": 0, "id": 0, "startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
"""The properties that are whole numbers, and their least values; an ``id`` of a rule is a text."""


def flaws(name: str, thing: object) -> list[str]:
    """What is wrong with the objects below a property."""
    if name in LISTS:
        if not isinstance(thing, list):
            return [f"{name} is no list"]
        return [flaw for each in thing for flaw in object_flaws(name, each)]
    if name in OBJECTS:
        return object_flaws(name, thing)
    if name in WHOLE and not (name == "id" and isinstance(thing, str)):
        return [] if type(thing) is int and thing >= WHOLE[name] else [f"{name} is {thing!r}"]
    if name == "level":
        return [] if thing in ("none", "note", "warning", "error") else [f"{name} is {thing!r}"]
    return [] if isinstance(thing, str) else [f"{name} is {thing!r}"]


def object_flaws(name: str, thing: object) -> list[str]:
    if not isinstance(thing, dict):
        return [f"{name} is no object"]
    described = {field.metadata["schema_property_name"]: field for field in fields(OBJECTS[name])}
    found = [f"{name} has {key}" for key in thing if key not in described]
    found += [f"{name} has no {key}" for key, each in described.items() if each.default is NOTHING and key not in thing]
    return found + [flaw for key, value in thing.items() for flaw in flaws(key, value)]


@pytest.fixture
def log(run, game_file, tmp_path):
    (tmp_path / "two words, ü#1.game").write_text(TWICE, encoding="utf-8")
    return run("check", game_file(SLIPS), "two words, ü#1.game", "nim", "--format", "sarif").record


def test_a_log_has_what_the_schema_of_sarif_requires_and_nothing_that_it_does_not_know(log):
    assert flaws("", log) == []
    assert log["version"] == "2.1.0" and log["$schema"].endswith("/v2.1.0/os/schemas/sarif-schema-2.1.0.json")


def test_the_log_keeps_to_the_invariants_of_the_standard(log):
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(ids)) == len(ids) and run["columnKind"] == "unicodeCodePoints"
    results = run["results"]
    assert {"fixes", "relatedLocations"} <= {key for result in results for key in result}
    for result in results:
        assert ids[result["ruleIndex"]] == result["ruleId"] and result["message"]["text"]
        numbers = [place["id"] for place in result.get("relatedLocations", [])]
        assert len(set(numbers)) == len(numbers)
        replacements = [
            each
            for fix in result.get("fixes", [])
            for change in fix["artifactChanges"]
            for each in change["replacements"]
        ]
        assert "fixes" not in result or replacements
        places = [place["physicalLocation"] for place in [*result["locations"], *result.get("relatedLocations", [])]]
        for region in [place["region"] for place in places] + [each["deletedRegion"] for each in replacements]:
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    files = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results}
    assert files == {"test.game", "two%20words%2C%20%C3%BC%231.game"}


def test_a_path_from_the_root_is_a_whole_uri(run, tmp_path):
    """Readers set the folder that they look at before any other."""
    file = tmp_path / "two words.game"
    file.write_text(TWICE, encoding="utf-8")
    result, *_ = run("check", str(file), "--format", "sarif").record["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place.startswith("file:///") and place.endswith("/two%20words.game")


@pytest.mark.parametrize(
    ("path", "value", "flaw"),
    [
        (("version",), None, " has no version"),
        (("runs", 0, "tool"), None, "runs has no tool"),
        (("runs", 0, "results", 0, "message"), None, "results has no message"),
        (("runs", 0, "results", 0, "mesage"), "text", "results has mesage"),
        (("runs", 0, "results", 0, "level"), "fatal", "level is 'fatal'"),
        (("runs", 0, "results", 0, "ruleIndex"), -1, "ruleIndex is -1"),
        (("runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 0, "startLine is 0"),
    ],
)
def test_a_log_with_a_flaw_is_told_from_a_good_one(log, path, value, flaw):
    broken = deepcopy(log)
    *way, last = path
    thing = broken
    for step in way:
        thing = thing[step]
    if value is None:
        del thing[last]
    else:
        thing[last] = value
    assert flaws("", broken) == [flaw]


def test_the_parts_of_a_message_are_lines(run, game_file):
    text = TWICE.replace("Ann, Ann", "Ann, Bob").replace("turn Ann", "turn An")
    (result,) = run("check", game_file(text), "--format", "sarif").record["runs"][0]["results"]
    assert result["message"]["text"].splitlines() == [
        "there is no name 'An'", "did you mean 'Ann'?", "the members of Player are Ann, Bob"
    ]  # fmt: skip
    region = {"startLine": 5, "startColumn": 10, "endLine": 5, "endColumn": 12}
    assert result["locations"][0]["physicalLocation"]["region"] == region


def test_sarif_without_findings(run):
    log = run("check", "nim", "--format", "sarif").record
    assert flaws("", log) == [] and log["runs"][0]["results"] == []


def test_junit(run, game_file, tmp_path):
    (tmp_path / "other.game").write_text(TWICE, encoding="utf-8")
    root = ElementTree.fromstring(run("check", game_file(SLIPS), "other.game", "nim", "--format", "junit").out)
    assert root.tag == "testsuites" and {suite.tag for suite in root} == {"testsuite"}
    assert [suite.get("name") for suite in root] == ["test.game", "other.game", "nim.game"]
    for suite in [*root, root]:
        cases = list(suite.iter("testcase"))
        assert all(case.get("name") and case.get("classname") and float(case.get("time")) >= 0 for case in cases)
        became = Counter(child.tag for case in cases for child in case)
        counted = {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}
        assert counted == {
            "tests": len(cases),
            "failures": became["failure"],
            "errors": became["error"],
            "skipped": became["skipped"],
        }
        assert float(suite.get("time")) >= 0
    assert [suite.get("failures") == "0" for suite in root] == [False, False, True]
    assert all(child.get("message") for child in root.iter("failure"))
