"""What a terminal shows that a file does not get: progress, and pages of explanation."""

from __future__ import annotations

import pytest

from zermelo.report.console import progress
from zermelo.solvers.common.limits import Milestone


@pytest.fixture
def terminal(monkeypatch):
    """A terminal of 100 columns, as rich sees it."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for module in ("zermelo.report.console", "zermelo.commands.explain"):
        monkeypatch.setattr(f"{module}.is_lively", lambda stream: True)


@pytest.mark.parametrize("total", [None, 10_000])
def test_progress_shows_the_number_reached_and_the_rate(terminal, capsys, total):
    with progress("searching", "nodes", total) as shown:
        shown(2_500)
    err = capsys.readouterr().err
    assert "searching: 2,500 nodes, " in err and " a second" in err


def test_progress_shows_words_instead_of_a_number(terminal, capsys):
    with progress("searching", "nodes") as shown:
        shown(2_500)
        shown.remark(Milestone(7, "plies", {"exploitability": 1 / 3}))
    err = capsys.readouterr().err
    assert "searching: 7 plies, exploitability 0.333" in err


def test_nobody_is_shown_progress_in_a_file(capsys):
    with progress("searching", "nodes") as shown:
        shown(2_500)
        shown.remark(Milestone(7, "plies", {"exploitability": 1 / 3}))
    assert capsys.readouterr() == ("", "")


def test_a_page_of_explanation_is_set_for_a_terminal(terminal, run):
    page = run("explain", "possible-none").out
    assert "Wrong" in page and "\x1b[" in page and "```" not in page
