"""Properties of all bundled games."""

from __future__ import annotations

import re
from random import Random

import pytest

import zermelo
from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.testing.expectations import Status, run_expectations

LONGEST = 150


@pytest.mark.parametrize("name", gamedefs.names())
def test_nothing_is_found_wrong(name):
    file = gamedefs.path(name)
    _, findings = check(Source(str(file), file.read_text(encoding="utf-8")))
    assert [(finding.code, finding.span.line, finding.message) for finding in findings] == []


@pytest.mark.parametrize("name", gamedefs.names())
def test_numbers_may_be_as_small_and_as_large_as_the_file_says(name):
    """Except where a ``require`` on several parameters forbids it."""
    file = gamedefs.path(name)
    source = Source(str(file), file.read_text(encoding="utf-8"))
    for parameter, *bounds in re.findall(r"^param (\w+): (\d+)\.\.(\d+)", source.text, re.MULTILINE):
        for bound in bounds:
            _, findings = check(source, {parameter: int(bound)})
            assert [finding.code for finding in findings if finding.code != "requirement-not-met"] == []


@pytest.mark.parametrize("name", gamedefs.names())
def test_nothing_that_the_file_says_of_itself_is_false(name):
    results = list(run_expectations(zermelo.load(name)))
    assert [result.said for result in results if result.status is Status.FAILED] == []


@pytest.mark.parametrize("name", gamedefs.names())
def test_random_plays_go_wrong_nowhere(name, start):
    random = Random(name)
    play = start(name)
    for _ in range(LONGEST):
        if play.ended:
            assert len(play.payoff) == len(play.machine.player_names)
            break
        play = play.at_random(random)


def test_an_unknown_name_is_refused():
    with pytest.raises(KeyError):
        gamedefs.path("no_such_game")
