"""What ``zermelo test`` shows of one file."""

from __future__ import annotations

from judged_lines import STONES


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
