"""The formats of ``zermelo check``, and its fixes."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sarif_om
from attrs import NOTHING, fields

import zermelo
from zermelo.cli import main
from zermelo.commands import check
from zermelo.grammar.diagnostics import NOWHERE, Source
from zermelo.grammar.reading import position
from zermelo.interpreter.analysis import Condition
from zermelo.report.annotations import JunitCase, junit, workflow_command
from zermelo.report.coverage import Branching
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.testing.mutation import validate

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


@pytest.mark.parametrize(
    ("start", "end", "columns"),
    [(0, 4, ",col=1,endColumn=5"), (0, len(UNKNOWN) - 1, ""), (9, 12, ",col=1,endColumn=4")],
)
def test_a_place_of_several_lines_has_no_columns(start, end, columns):
    """GitHub asks for none."""
    source, span = Source("a.game", UNKNOWN), position(UNKNOWN, start, end)
    shown = workflow_command("notice", source, span, "a, b: c", "50 %\r\nof: a, b")
    place = f"file=a.game,line={span.line},endLine={span.end_line}{columns}"
    assert shown == f"::notice {place},title=a%2C b%3A c::50 %25%0D%0Aof: a, b"


def test_what_xml_cannot_have_is_a_question_mark():
    cases = [
        JunitCase("a\x1b\ufffe", "failure", "b\uffff\n\tc", 7, 0.25),
        JunitCase("d", "error", "e", 1, 1.5),
        JunitCase("f", "skipped", "g"),
        JunitCase("h", "passed", "unsaid"),
    ]
    root = ElementTree.fromstring(junit([("\0.game", cases), ("b.game", cases[3:])]).partition("\n")[2])
    first, *_ = root.iter("testcase")
    assert (first.get("classname"), first.get("name"), first.get("line"), first.get("time")) == (
        "?.game", "a??", "7", "0.250",
    )  # fmt: skip
    assert [(each.tag, each.text) for case in root.iter("testcase") for each in case] == [
        ("failure", "b?\n\tc"), ("error", "e"), ("skipped", "g"),
    ]  # fmt: skip
    counted = ("tests", "failures", "errors", "skipped", "time")
    assert [[suite.get(name) for name in counted] for suite in (root, *root)] == [
        ["5", "1", "1", "1", "1.750"], ["4", "1", "1", "1", "1.750"], ["1", "0", "0", "0", "0.000"],
    ]  # fmt: skip


def test_signs_of_workflow_commands_are_escaped(run, tmp_path):
    file = tmp_path / "100%,a:b.game"
    file.write_text(UNKNOWN, encoding="utf-8")
    assert "100%25%2Ca%3Ab.game,line=" in run("check", str(file), "--format", "github").out


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


def test_a_folder_shows_how_many_of_its_files_are_done(monkeypatch, tmp_path):
    shown = []

    @contextmanager
    def watched(doing, what, total):
        shown.append((doing, what, total))
        yield shown.append

    for name in "abc":
        (tmp_path / f"{name}.game").write_text('game "x"\n', encoding="utf-8")
    monkeypatch.setattr(check, "progress", watched)
    assert main(["check", str(tmp_path)]) == 1
    assert shown == [("checking", "files", 3), 1, 2, 3]


# ``zermelo check --deep``: what it prints, its records, its exit codes, and its misuses.


STUCK = """
game "Pile"
players Ann, Bob
var pile: 0..7 = 7
start at choose(Ann)
phase choose(p: Player):
    turn p:
        move take(n in 2..3) if n <= pile:
            pile -= n
            if pile == 0: end win p
            go choose(other p)
"""


def test_a_sound_game(run):
    ran = run("check", "--deep", "tic_tac_toe", "--strict")
    assert ran.code == 0
    assert "tic_tac_toe.game: no findings" in ran.out
    assert "4,520 positions with a move or draw, and their ends: all there are" in ran.out  # 5,478 less 958 ends


def test_an_error_of_the_rules(run, game_file):
    file = game_file(STUCK)
    ran = run("check", "--deep", file)
    assert ran.code == 1
    assert "error[deadlock]" in ran.out
    assert "play: take(3), take(3)" in ran.out
    assert "deadlock" in run("moves", file, "--after", "take(3), take(3)").err


def test_records(run, game_file):
    ran = run("check", "--deep", game_file(STUCK), "--json")
    finding, last = map(json.loads, ran.out.splitlines())
    assert (finding["code"], finding["play"]) == ("deadlock", ["take(3)", "take(3)"])
    assert finding["certainty"] == "a shortest play shows it"
    assert last["file"] == "test.game"
    assert last["searched"]["all"] is False
    assert [answer["code"] for answer in last["answers"]] == ["deadlock"]


def test_warnings_fail_only_if_strict(run):
    assert run("check", "--deep", "snakes_and_ladders").code == 0
    assert run("check", "--deep", "snakes_and_ladders", "--strict").code == 1


def test_a_file_with_errors_is_not_searched(run, game_file):
    ran = run("check", "--deep", game_file('game "Nobody"'))
    assert ran.code == 1
    assert "searched" not in ran.out


def test_limits(run):
    ran = run("check", "--deep", "tic_tac_toe", "--positions", "10")
    assert "the first 10 positions with a move or draw and 1,000 random plays" in ran.out
    assert "within 10 positions, sampled in 1,000 plays" in " ".join(ran.out.split())
    found = validate(zermelo.load("go"), None, Limits(0.0), ignore_progress)
    assert (found.extent.positions, found.extent.stopped) == (0, "time ran out") and found.extent.plays < 50
    assert {reply.how for reply in found.replies if "proved" in reply.how} <= {"proved by the rules"}
    ran = run("check", "--deep", "go", "--time", "0")
    assert ran.code == 1 and "out-of-time" in ran.err  # nor has the file been read


def test_a_parameter(run):
    assert "the first 1 position with" in run("check", "--deep", "nim", "-p", "heaps=2", "--positions", "1").out


@pytest.mark.parametrize("options", [("--positions", "5"), ("--time", "1"), ("--memory", "1G")])
def test_limits_of_nothing(run, options):
    ran = run("check", "nim", *options)
    assert ran.code == 2
    assert "--deep" in ran.err


COUNTING = """
game "Thirteen"
players Ann, Bob
param most: 2..3 = 3
var total: 0..16 = 0
start at count(Ann)
phase count(p: Player):
    turn p:
        move add(n in 1..most):
            total += n
            if total >= 13: end win other p
            go count(other p)
reachable end win Ann if total == 13
never total > 13
never total > 14 with most = 2
"""


def test_witnesses(run, game_file):
    file = game_file(COUNTING)
    ran = run("check", "--deep", file, "--json")
    assert ran.code == 1
    finding, last = map(json.loads, ran.out.splitlines())
    assert (finding["code"], finding["line"], finding["certainty"]) == ("false-witness", 14, "a play shows it")
    assert len(finding["play"]) == 5  # 13 = 3 + 3 + 3 + 3 + 1, and 12 + 2 is above
    asked = [each for each in last["answers"] if each["question"].startswith("Does '")]
    ends = [(each["question"], each["answer"], each["how"]) for each in asked]
    assert ends == [
        ("Does 'reachable end win Ann if total == 13' hold?", "yes", "a play shows it"),
        ("Does 'never total > 13' hold?", "no", "a play shows it"),
    ]


def test_witnesses_under_other_parameters(run, game_file):
    ran = run("check", "--deep", game_file(COUNTING), "-p", "most=2")
    assert "Does 'never total > 14 with most = 2' hold?" in ran.out
    assert ran.out.count("false-witness]") == 1


def test_witnesses_of_what_has_not_been_searched(run, game_file):
    ran = run("check", "--deep", game_file(COUNTING), "--positions", "3")
    assert ran.code == 0
    assert "not seen     within 3 positions" in ran.out
    assert "not refuted  within 3 positions" in ran.out


# The formats of ``zermelo check`` that other programs read, against what is published of them.
#
# The packages that have the JSON schema of SARIF 2.1.0 fetch it from the network. ``sarif_om`` has the classes that
# Microsoft generated from it: which properties an object may have, and which it must. Kinds of values and the
# invariants that the text of the standard states are checked here by hand. JUnit XML has no standard; checked are the
# names and counts that its readers use, and that the counts are right.


SARIF_AND_JUNIT_SLIPS = """\
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
    return run("check", game_file(SARIF_AND_JUNIT_SLIPS), "two words, ü#1.game", "nim", "--format", "sarif").record


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


@pytest.mark.parametrize(("options", "outcome"), [((), "skipped"), (("--strict",), "failure")])
def test_junit_counts_a_warning_as_the_exit_code_does(run, game_file, options, outcome):
    file = game_file(TWICE.replace("Ann, Ann", "Ann") + "define idle = 1\n")
    ran = run("check", file, *options, "--format", "junit")
    (case,) = ElementTree.fromstring(ran.out).iter("testcase")
    assert (ran.code, [child.tag for child in case]) == (outcome == "failure", [outcome])


def test_junit(run, game_file, tmp_path):
    (tmp_path / "other.game").write_text(TWICE, encoding="utf-8")
    root = ElementTree.fromstring(
        run("check", game_file(SARIF_AND_JUNIT_SLIPS), "other.game", "nim", "--format", "junit").out
    )
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


# ``zermelo check --deep --coverage``: the listing, the files for other programs, and misuses.


MOODY = """\
game "Moody"
players Ann, Bob
type Mood = calm | cross | furious
var pile: 0..7 = 7
var mood: Mood = calm
define price(n: 0..7) = match n:
    0, 7: 1
    6..7: 2
    else: 3
start at choose(Ann)
phase choose(p: Player):
    turn p:
        move take(n in 1..2) if n <= pile:
            pile -= n
            match mood:
                calm:
                    if n == 2: mood := cross
                cross, furious:
                    if pile == 6 and n == 1: mood := furious
            if pile == 0: end win p
            earn p: price(pile)
            go choose(other p)
"""

SLIP = MOODY.replace("pile == 6", "pile == 9")


@pytest.mark.parametrize(
    ("asks", "held", "failed", "taken", "remark"),
    [
        ("if", 0, 0, 0, ""),
        ("if", 1, 1, 2, ""),
        ("if", 1, 0, 1, "always true: once"),
        ("guard", 1234, 0, 1, "always true: 1,234 times"),
        ("if", 0, 1, 1, "never true: once false"),
        ("ensuring", 0, 2, 1, "never true: 2 times false"),
        ("case", 0, 0, 0, ""),
        ("case", 3, 1, 2, ""),
        ("case", 2, 0, 1, "always taken: 2 times"),
        ("case", 0, 1, 1, "never taken: asked once"),
    ],
)
def test_what_is_missing_of_a_condition(asks, held, failed, taken, remark):
    found = Branching(Condition(asks, NOWHERE, 0, 1, is_settled=False, if_none=None), held, failed)
    assert (found.taken, found.remark) == (taken, remark)


def lines_of(out):
    """The mark and the count beside each line of a listing, by its number."""
    rows = re.findall(r"^(.) +([\d,]*) +(\d+) \|", out, re.M)
    return {
        int(number): (mark.strip(), None if not count else int(count.replace(",", ""))) for mark, count, number in rows
    }


def records_of(text):
    """The records of a tracefile by their file, read as its manual describes them."""
    found = {}
    for block in text.split("end_of_record\n")[:-1]:
        name, *rows = block.removeprefix("TN:\n").split("\n")
        assert name.startswith("SF:")
        record = found[name.removeprefix("SF:")] = defaultdict(list)
        for row in filter(None, rows):
            kind, _, rest = row.partition(":")
            record[kind].append(tuple(rest.split(",")))
    return found


def test_the_listing(run, game_file):
    ran = run("check", "--deep", "--coverage", game_file(MOODY))
    counts = lines_of(ran.out)
    assert counts[1] == ("", None)
    assert counts[10] == ("", 1)
    assert counts[7] == ("!", 0)  # the price of 7 is never asked: the pile is smaller then
    assert counts[19][0] == "~"
    assert "never true" in ran.out
    assert re.search(r"^lines +\d+ of \d+ \(\d+ %\)$", ran.out, re.M)
    assert "counted   15 positions with a move or draw, and their ends: all there are" in ran.out
    assert "\x1b" not in ran.out


def test_counts_are_those_of_the_moves(run, game_file):
    """From 7 on, one or two are taken, in 15 positions with their moods."""
    ran = run("check", "--deep", "--coverage", game_file(MOODY), "--json")
    *_, last = map(json.loads, ran.out.splitlines())
    lines = {each["line"]: each["count"] for each in last["coverage"]["lines"]}
    assert lines[12] == last["coverage"]["positions"] == last["searched"]["positions"]
    assert lines[13] == lines[14] == lines[15] == lines[20]
    assert lines[16] + lines[19] == lines[15]
    (test,) = [each for each in last["coverage"]["conditions"] if each["text"] == "pile == 0"]
    assert test["held"] + test["failed"] == lines[20]
    assert test["failed"] == lines[22]
    (values,) = [each for each in last["coverage"]["values"] if each["variable"] == "mood"]
    assert values == {"variable": "mood", "of": 3, "missing": ["furious"]}


def test_none_is_a_value_of_what_may_be_none(run, game_file):
    text = MOODY.replace("var mood", "var felt: Mood? = cross\nvar mood").replace(
        "            if pile == 0", "            felt := mood\n            if pile == 0"
    )
    *_, last = map(json.loads, run("check", "--deep", "--coverage", game_file(text), "--json").out.splitlines())
    (values,) = [each for each in last["coverage"]["values"] if each["variable"] == "felt"]
    assert values == {"variable": "felt", "of": 4, "missing": ["furious", "none"]}


def test_json_has_counts_only_if_asked(run, game_file):
    *_, last = map(json.loads, run("check", "--deep", game_file(MOODY), "--json").out.splitlines())
    assert "coverage" not in last
    assert "coverage" not in run("check", "--deep", game_file(MOODY)).out


def test_the_format_of_lcov(run, game_file):
    file = game_file(MOODY)
    run("check", "--deep", "--coverage-file", "out.lcov", file)
    (name, record), *more = records_of(Path("out.lcov").read_text()).items()
    assert (name, more) == (file, [])
    listed = lines_of(run("check", "--deep", "--coverage", file).out)
    assert {int(line): int(count) for line, count in record["DA"]} == {
        number: count for number, (_, count) in listed.items() if count is not None
    }
    assert record["LF"] == [(str(len(record["DA"])),)]
    assert record["LH"] == [(str(sum(count != "0" for _, count in record["DA"])),)]
    assert record["BRF"] == [(str(len(record["BRDA"])),)]
    assert record["BRH"] == [(str(sum(taken not in ("-", "0") for *_, taken in record["BRDA"])),)]
    assert {line for line, *_ in record["BRDA"]} <= {line for line, _ in record["DA"]}
    assert [name for _, name in record["FN"]] == [name for _, name in record["FNDA"]] == ["price", "choose"]
    assert len({branch[:3] for branch in record["BRDA"]}) == len(record["BRDA"])


def test_lcov_tells_a_condition_never_asked_from_one_that_never_held(run, game_file):
    """The second condition is asked only where the first one holds, which it never does."""
    rule = "            if n == 7:\n                if pile == 7: pass\n"
    text = MOODY.replace("            match mood", f"{rule.replace('pass', 'mood := cross')}            match mood")
    run("check", "--deep", "--coverage-file", "out.lcov", game_file(text))
    (record,) = records_of(Path("out.lcov").read_text()).values()
    taken = defaultdict(list)
    for line, _, branch, count in record["BRDA"]:
        taken[int(line)].append((branch, count))
    (_, failed) = taken[15]
    assert taken[15][0] == ("0", "0") and int(failed[1]) > 0
    assert taken[16] == [("0", "-"), ("1", "-")]


def test_files_of_several_games(run, game_file):
    file = game_file(MOODY)
    Path("second.game").write_text(MOODY)
    Path("wrong.game").write_text('game "Nobody"')
    run("check", "--deep", "--coverage-file", "out.info", file, "second.game", "wrong.game")
    assert list(records_of(Path("out.info").read_text())) == [file, "second.game"]
    run("check", "--deep", "--coverage-file", "out.JSON", file, "second.game")
    assert [each["file"] for each in json.loads(Path("out.JSON").read_text())] == [file, "second.game"]


def test_what_has_not_been_searched_is_said(run, game_file):
    ran = run("check", "--deep", "--coverage", game_file(MOODY), "--positions", "2")
    assert re.search(r"counted +the first 2 positions with a move or draw and \d+ random plays", ran.out)
    assert "never-reached" not in ran.out
    ran = run("check", "--deep", "--coverage", "four_card_whist")
    assert "chance has too many outcomes to list" in ran.out
    ran = run("check", "--deep", "--coverage", "go", "--time", "0")  # not even enough to read it
    assert ran.code == 1 and "out-of-time" in ran.err


def test_memory(run):
    ran = run("check", "--deep", "--coverage", "tic_tac_toe", "--memory", "200K")
    assert ran.code == 0
    assert re.search(r"counted .*memory\s+ran\s+out", ran.out, re.S)


def test_large_games_are_counted_only_if_asked(run):
    assert "Is every part of the rules used?             not asked" in run("check", "--deep", "tic_tac_toe").out
    ran = run("check", "--deep", "--coverage", "tic_tac_toe")
    assert "Is every part of the rules used?             yes        proved" in re.sub(
        " +proved", "        proved", ran.out
    )
    assert "4,520 positions with a move or draw, and their ends: all there are" in ran.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--coverage",), "--deep"),
        (("--coverage-file", "out.lcov"), "--deep"),
        (("--deep", "--coverage-file", "out.txt"), ".lcov, .info or .json"),
        (("--deep", "--coverage-file", "out"), ".lcov, .info or .json"),
        (("--deep", "--coverage-file", "nowhere/out.lcov"), "cannot write"),
    ],
)
def test_misuses(run, game_file, options, said):
    ran = run("check", game_file(MOODY), *options)
    assert ran.code == 2
    assert said in ran.err


FINDINGS = {
    "deadlock": MOODY.replace("n in 1..2", "n in 2..2"),
    "never-reached": SLIP,
    "endless-play": MOODY.replace("pile -= n", "pile := 7"),
    "won-at-once": MOODY.replace("= 7\nvar mood", "= 4\nvar mood").replace("            earn p: price(pile)\n", ""),
    "false-witness": MOODY + "never pile == 4\n",
    "same-effect": MOODY.replace("n in 1..2", "n in 1..2, m in 1..2"),
}


@pytest.mark.parametrize("code", FINDINGS)
def test_the_play_of_a_finding_can_be_played(run, game_file, code):
    file = game_file(FINDINGS[code])
    records = [json.loads(line) for line in run("check", "--deep", file, "--json").out.splitlines()]
    found = [record for record in records if record.get("code") == code]
    assert found
    for record in found:
        if record["play"] is not None:
            ran = run("moves", file, "--after", ", ".join(record["play"]))
            assert ran.code == 0 or code in ran.err  # an error of the rules comes up again
