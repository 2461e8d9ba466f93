"""Numbers and sizes on the command line that are none."""

from __future__ import annotations

import pytest

import zermelo


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--memory", "x"], "argument --memory: 'x' is not a size, such as 64M or 2G"),
        (["--memory", "0M"], "argument --memory: '0M' is not a size, such as 64M or 2G"),
        (["--memory", "8"], "argument --memory: '8' is not a size, such as 64M or 2G"),
        (["--memory", "1000000000G"], "argument --memory: '1000000000G' is more memory than any computer has"),
        (["--memory", "9" * 20 + "G"], "argument --memory: it must be at most 1,000,000,000,000,000,000"),
        (["--exploitability", "-1"], "argument --exploitability: '-1' is not a number such as 0.001 or 1e-6"),
        (["--exploitability", "1e"], "argument --exploitability: '1e' is not a number such as 0.001 or 1e-6"),
        (["--exploration", "1001"], "argument --exploration: '1001' is not a number from 0 to 1,000"),
        (["--exploration", "1,5"], "argument --exploration: '1,5' is not a number from 0 to 1,000"),
    ],
)
def test_a_number_of_an_option_is_refused(run, words, message):
    ran = run("solve", "nim", f"{words[0]}={words[1]}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == f"error[bad-usage]: {message}"


def test_a_renaming_is_refused(run):
    ran = run("diff", "nim", "nim", "--rename", "a b")
    message = "argument --rename: 'a b' is not of the form WORD=OTHER"
    assert (ran.code, ran.err.splitlines()[0]) == (2, f"error[bad-usage]: {message}")


def test_a_parameter_of_too_many_digits_is_refused(run):
    digits = "1" * 5000
    message = f"error[parameter-out-of-range]: the parameter 'heaps' cannot be '{digits[:60]}...'"
    assert run("show", "nim", "-p", f"heaps={digits}").err.splitlines()[0] == message
    message = r"the parameter 'heaps' cannot be a number with more than [\d,]+ digits"
    with pytest.raises(zermelo.InvalidGame, match=message):
        zermelo.load("nim", heaps=10**5000)
