"""``zermelo mutate``: the fates of mutants."""

from __future__ import annotations

from math import inf

import pytest

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.testing.mutation import Fate, Pinned, flaws, judge, pinned_facts, sample_mutants

TAKING = """
game "Taking"
players Ann, Bob
param heap: 1..9 = 3
var left: 0..heap = heap
var spare: 0..3 = 1
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            if left == 0: end win p
            go play(other p)
"""

VALUE = "expect value == (-1, 1)\n"


def fates(text: str, pairs: float = inf, seconds: float = inf) -> dict[tuple[int, str], tuple[Fate, str]]:
    """The fate of every mutant and why, by its line and its new text."""
    game = zermelo.loads(text)
    known = pinned_facts(game, Limits())
    return {
        (mutant.span.line, mutant.new): (judged.fate, judged.why)
        for mutant in sample_mutants(game.model.source, None, 0)
        for judged in [judge(game, mutant, known, Limits(seconds), pairs)]
    }


def test_a_file_that_says_nothing_is_pinned_down_by_what_its_positions_show():
    found = fates(TAKING)
    assert found[10, "true"] == (Fate.CAUGHT, "check --deep: assigned-out-of-range")
    assert found[10, "<"] == (Fate.CAUGHT, "check --deep: deadlock")
    assert found[12, "draw"] == (Fate.CAUGHT, "check --deep: nothing-at-stake")
    assert found[7, "Bob"] == (Fate.SURVIVED, "")  # who begins is up to the author
    assert found[6, "2"] == (Fate.SAME, "")


def test_a_flaw_of_the_original_notices_nothing():
    game = zermelo.loads(TAKING)
    (mutant,) = (each for each in sample_mutants(game.model.source, None, 0) if (each.span.line, each.new) == (10, "3"))
    flawed = flaws(zermelo.loads(mutant.text(game.model.source)), Limits())
    assert set(flawed.values()) == {"won-at-once"}
    for known, fate in ((frozenset(), Fate.CAUGHT), (frozenset(flawed), Fate.SURVIVED)):
        assert judge(game, mutant, Pinned(frozenset(), known), Limits(), inf).fate is fate


def test_what_is_no_game_is_rejected():
    found = fates(TAKING.replace("spare: 0..3 = 1", "spare: 0..3 = 3"))
    assert found[6, "4"] == (Fate.REJECTED, "out-of-range")


def test_lines_of_the_file_notice():
    found = fates(TAKING + VALUE)
    assert found[10, "3"] == (Fate.CAUGHT, "expect value == (-1, 1)")  # Ann takes all three
    assert found[12, "draw"] == (Fate.CAUGHT, "expect value == (-1, 1)")
    assert found[6, "2"] == (Fate.SAME, "")


def test_a_line_that_fails_of_the_original_notices_nothing():
    wrong = fates(TAKING + "expect value == (1, -1)\n")
    assert not any(fate is Fate.CAUGHT and why.startswith("expect") for fate, why in wrong.values())


def test_what_is_not_finished_is_open():
    found = fates(TAKING, pairs=1)
    assert found[6, "2"] == (Fate.OPEN, "no difference up to 0 moves")
    assert found[7, "Bob"][0] is Fate.SURVIVED  # the first position differs already


def test_what_was_caught_fails_as_a_file(run, game_file):
    """Every mutant that is said to be caught, as a file of its own: its test fails."""
    game = zermelo.loads(TAKING + VALUE)
    caught = fates(TAKING + VALUE)
    assert run("test", game_file(TAKING + VALUE)).code == 0
    for mutant in sample_mutants(game.model.source, None, 0):
        fate, why = caught[mutant.span.line, mutant.new]
        if fate is Fate.CAUGHT and why.startswith("expect"):
            assert run("test", game_file(mutant.text(game.model.source)), "--strict").code == 1
        if fate is Fate.SURVIVED:
            assert run("test", game_file(mutant.text(game.model.source))).code == 0


def test_a_sample_is_of_so_many_mutants_in_their_order():
    source = zermelo.loads(TAKING).model.source
    every = sample_mutants(source, None, 0)
    samples = [sample_mutants(source, 3, seed) for seed in range(20)]
    for sample in samples:
        assert [each for each in every if each in sample] == sample and len(sample) == 3
    assert len({tuple(map(every.index, sample)) for sample in samples}) > 10
    assert sample_mutants(source, len(every) + 1, 0) == every


def test_the_command_shows_who_survived(run, game_file, monkeypatch):
    """Who begins is up to the author; who cannot take the last ones is noticed."""
    every = sample_mutants(zermelo.loads(TAKING).model.source, None, 0)
    some = [each for each in every if (each.span.line, each.new) in ((7, "Bob"), (10, "<"))]
    monkeypatch.setattr("zermelo.testing.mutation.sample_mutants", lambda source, count, seed: some)
    ran = run("mutate", game_file(TAKING), "--threads", "1")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "test.game:7: players swapped",
        "  - start at play(Ann)",
        "  + start at play(Bob)",
        "  after no move: actor: Ann is to move | Bob is to move",
        "",
        "change                caught  survived  open  same game  no game",
        "a comparison changed  1       0         0     0          0",
        "players swapped       0       1         0     0          0",
        "all                   1       1         0     0          0",
        "",
        "noticed  1 of 2 other games, 50 %",
    ]
    swapped, changed = run("mutate", "test.game", "--threads", "1", "--json").record["mutants"]
    assert (swapped["line"], swapped["column"], swapped["old"], swapped["new"]) == (7, 15, "Ann", "Bob")
    assert (swapped["fate"], swapped["why"], swapped["after"]) == ("survived", None, [])
    assert (changed["fate"], changed["why"]) == ("caught", "check --deep: deadlock")


def test_the_command(run, game_file):
    record = run("mutate", game_file(TAKING + VALUE), "--json").record
    assert {each["fate"] for each in record["mutants"]} <= {fate.value for fate in Fate}
    ran = run("mutate", "test.game", "--threads", "1")
    survivors = [each for each in record["mutants"] if each["fate"] == "survived"]
    assert ran.code == bool(survivors)
    for each in survivors:
        assert f"test.game:{each['line']}: {each['slip']}" in ran.out
    assert len(run("mutate", "test.game", "--sample", "3", "--json").record["mutants"]) == 3


@pytest.mark.parametrize("arguments", [("--sample", "0"), ("--time", "never")])
def test_misuses(run, game_file, arguments):
    assert run("mutate", game_file(TAKING), *arguments).code == 2


def test_a_file_with_errors(run, game_file):
    ran = run("mutate", game_file("game 3"))
    assert ran.code == 1
    assert "error[" in ran.err
