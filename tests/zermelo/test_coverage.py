"""``zermelo check --deep --coverage``: the listing, the files for other programs, and misuses."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

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
    run("check", "--deep", "--coverage-file", "out.json", file, "second.game")
    assert [each["file"] for each in json.loads(Path("out.json").read_text())] == [file, "second.game"]


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
