"""``zermelo test`` of many files, and the plugin for pytest."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from judged_lines import STONES

from zermelo.report.console import PLAIN, unwatched
from zermelo.solvers.common.limits import Limits
from zermelo.testing.suites import _test_file, run_lines

pytest_plugins = ["pytester"]

TABLE = """\
game "Meeting"
players Ann, Bob
table:
    Ann \\ Bob | opera | football
    opera     | 3, 2  | 0, 0
    football  | 0, 0  | 2, 3
expect equilibrium (opera, opera)
"""
WRONG = TABLE + "expect equilibrium (opera, football)\n"
TREE = """\
game "Choice"
players Ann
tree:
    Ann:
        left: 1
        right: 2
claim deterministic
expect value == 2
expect equilibrium (left)

test "of a play":
    play right
    expect illegal left
"""
SKIPPING = """\
game "A coin"
players Ann
tree:
    chance:
        1/2 heads: Ann:
            left: 1
            right: 0
        1/2 tails: Ann:
            left: 0
            right: 1
expect value == 1
expect best == left
"""


@pytest.fixture
def folder(tmp_path):
    inner = tmp_path / "games" / "inner"
    inner.mkdir(parents=True)
    for place, text in (("a", TABLE), ("inner/b", WRONG), ("inner/c", SKIPPING), ("d", 'game "x')):
        (tmp_path / "games" / f"{place}.game").write_text(text, encoding="utf-8")
    return tmp_path / "games"


def test_a_folder(run, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    ran = run("test", "games")
    lines = ran.out.splitlines()
    assert ran.code == 1
    assert lines[:4] == [
        "games/a.game        .",
        "games/d.game        E",
        "games/inner/b.game  .F",
        "games/inner/c.game  .s",
    ]
    assert "failed   expect equilibrium (opera, football)" in lines
    assert "skipped  expect best == left" in lines
    assert "error[unterminated-text]" in ran.out
    assert lines[-1] == "4 files: 3 passed, 1 failed, 1 skipped, 1 with errors."


def test_a_folder_of_one_file_without_tests(run, folder):
    for name in ("b", "c"):
        (folder / "inner" / f"{name}.game").unlink()
    (folder / "inner" / "e.game").write_text(STONES, encoding="utf-8")
    ran = run("test", str(folder / "inner"))
    assert (ran.code, ran.out.splitlines()[1:]) == (0, ["", "1 file: nothing to test."])
    assert ran.out.splitlines()[0].endswith("e.game  (nothing to test)")


def test_what_is_skipped_fails_only_if_strict(run, folder):
    file = str(folder / "inner" / "c.game")
    assert (run("test", file).code, run("test", file, "--strict").code) == (0, 1)
    assert (run("test", str(folder / "a.game"), file).code, run("test", file, file, "--strict").code) == (0, 1)


def test_the_number_of_processes_changes_nothing(run, folder):
    one, four = (run("test", str(folder), "-j", jobs, "--format", "concise") for jobs in ("1", "4"))
    assert (one.code, one.out) == (four.code, four.out)
    assert "c.game:12:1: skipped: expect best == left (chance acts first" in one.out


def test_junit_counts_what_it_holds(run, folder):
    root = ElementTree.fromstring(run("test", str(folder), "--format", "junit").out)
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    assert len(root.findall("testsuite")) == 4
    assert [case.find("failure").get("message") for case in root.iter("testcase") if case.find("failure") is not None]
    for suite in root:
        assert int(suite.get("tests")) == len(suite.findall("testcase"))


def test_json_and_annotations(run, folder):
    records = [json.loads(line) for line in run("test", str(folder), "--json").out.splitlines()]
    assert [len(record["results"]) for record in records] == [1, 0, 2, 2]
    assert records[1]["errors"][0]["code"] == "unterminated-text"
    lines = run("test", str(folder), "--format", "github").out.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::error", "::warning"]


def test_a_folder_of_games_is_a_suite_of_pytest(pytester):
    pytester.makefile(".game", good=TREE, bad=WRONG, skipping=SKIPPING)
    result = pytester.runpytest_subprocess("-p", "zermelo.testing.pytest_plugin", "-p", "no:zermelo", "-v", "-rs")
    result.assert_outcomes(passed=5, failed=2, skipped=1)
    result.stdout.fnmatch_lines(["*good.game::claim deterministic PASSED*"])
    result.stdout.fnmatch_lines(["*good.game::of a play: expect illegal left PASSED*"])
    result.stdout.fnmatch_lines(["*Ann does better with football*"])


def test_a_game_with_mistakes_is_an_item_that_fails(pytester):
    """Errors of collection would keep pytest from running the items of all other files."""
    pytester.makefile(".game", broken='game "x', good=TREE)
    options = ("-p", "zermelo.testing.pytest_plugin", "-p", "no:zermelo", "-v")
    result = pytester.runpytest_subprocess(*options)
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(["*broken.game::is a game FAILED*"])
    result.stdout.fnmatch_lines(["*error?unterminated-text?*", "*broken.game:1:6*"])
    assert "Traceback" not in result.stdout.str() and "pytest_plugin.py" not in result.stdout.str()


def test_several_files_are_visited_no_further_than_one(run, tmp_path):
    """The memory that each process gets is no wish for a longer visit."""
    one = run("test", "checkers", "--format", "concise")
    two = run("test", "checkers", "nim", "-j", "2", "--format", "concise")
    assert two.out.startswith(one.out) and "the visit of its positions was stopped at" in one.out


# What ``zermelo test`` shows of one file.


def test_the_command_shows_what_failed(run, game_file):
    ran = run("test", game_file(f"{STONES}\nexpect value == (1, -1)\nexpect plays(1) == 3\n"))
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "passed   expect value == (1, -1)",
        "failed   expect plays(1) == 3",
        "  --> test.game:15:1",
        "   |",
        "15 | expect plays(1) == 3",
        "   | ^^^^^^^^^^^^^^^^^^^^ there are 2",
        "",
        "1 passed, 1 failed.",
    ]


def test_what_failed_in_a_line_each(run, game_file):
    """For people and programs: all results, or annotations of those that are bad."""
    file = game_file(f'{STONES}\nexpect plays(1) == 2\nexpect plays(1) == 3\n\ntest "t":\n    expect left == 6\n')
    ran = run("test", file, "--format", "concise")
    assert ran.code == 1 and ran.out.splitlines() == [
        "test.game:14:1: passed: expect plays(1) == 2",
        "test.game:15:1: failed: expect plays(1) == 3 (there are 2)",
        "test.game:18:5: failed: t: expect left == 6 (it does not hold)",
    ]
    annotations = run("test", file, "--format", "github").out.splitlines()
    assert [each.split("::")[1].split(" ")[0] for each in annotations] == ["error", "error"]
    assert "line=15" in annotations[0] and annotations[0].endswith("there are 2")
    cases = ElementTree.fromstring(run("test", file, "--format", "junit").out).iter("testcase")
    assert [[part.tag for part in case] for case in cases] == [[], ["failure"], ["failure"]]


def test_the_command_is_content_where_all_holds(run, game_file):
    ran = run("test", game_file(f'{STONES}\ntest "a":\n    play take(1)\n    expect left == 6\n'))
    assert (ran.code, ran.out) == (0, "passed   a: expect left == 6\n\n1 passed.\n")
    assert run("test", game_file(STONES)).out.startswith("There is nothing to test")


def test_the_command_as_json(run, game_file):
    ran = run("test", game_file(f"{STONES}\nexpect positions == 1\n"), "--json")
    assert ran.code == 1
    (result,) = ran.record["results"]
    assert result.pop("seconds") >= 0
    assert result == {
        "said": "expect positions == 1",
        "test": "",
        "play": None,
        "status": "failed",
        "reason": "there are 14",
        "line": 14,
        "column": 1,
    }


def test_an_open_claim_is_no_failure(run, game_file):
    ran = run("test", game_file(STONES.replace("players Ann, Bob", "players Ann, Bob\nclaim symmetric")))
    assert ran.code == 0 and ran.out.startswith("open     claim symmetric (") and ran.out.endswith("\n1 open.\n")


def _test(game, limits):
    return run_lines(game, limits, unwatched)


def test_what_is_wrong_with_a_file_is_told_in_words_and_as_records(tmp_path):
    """And what holds in another is told by its results."""
    bad, good = tmp_path / "bad.game", tmp_path / "good.game"
    bad.write_text(TABLE.replace("Ann, Bob", "Ann"))
    good.write_text(TABLE)
    (wrong,) = _test_file(str(bad), _test, "auto", Limits(), PLAIN)
    assert wrong.is_bad(False) and wrong.results == () and wrong.said.startswith("error[")
    assert wrong.errors[0]["code"] in wrong.said
    (right,) = _test_file(str(good), _test, "auto", Limits(), PLAIN)
    assert (right.said, right.errors, len(right.results)) == ("", (), 1) and not right.is_bad(True)
