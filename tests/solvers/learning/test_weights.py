"""Files of weights: what they have, and which are refused."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.learning.weights import parse_weights


@pytest.fixture(scope="module")
def learnt():
    return zermelo.learn(zermelo.load("connect_four", rows=4, columns=4), games=60)


def test_a_file_is_read_as_it_was_written(learnt):
    assert parse_weights("four.json", learnt.text()) == learnt


def test_a_file_says_what_it_is_about(learnt):
    record = json.loads(learnt.text())
    assert record["game"]["title"] == "Connect four" and record["game"]["parameters"]["rows"] == "4"
    assert (record["method"], record["seed"], record["games"]) == ("td", 0, 60)
    assert list(record["weights"]) == ["open_lines", "threats"]
    assert [point["games"] for point in record["curve"]] == [10, 20, 50]


def refused(text):
    with pytest.raises(ZermeloError) as caught:
        parse_weights("four.json", text)
    assert caught.value.code == "bad-weights" and caught.value.help
    return str(caught.value)


@pytest.mark.parametrize("share", [0, 0.3, 0.99])
def test_a_truncated_file_is_refused(learnt, share):
    text = learnt.text()
    assert "its end is missing" in refused(text[: int(share * len(text))])


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused(learnt, word):
    text = learnt.text()
    weight = str(learnt.by_name["threats"])
    assert word.lstrip("-") in refused(text.replace(weight, word, 1)) or word in refused(text.replace(weight, word, 1))
    assert "1e999" not in text and "is no number" in refused(text.replace(weight, "1e999", 1))


@pytest.mark.parametrize("part", ["format", "game", "method", "seed", "alpha", "games", "weights", "curve", "to_go_on"])
def test_a_file_without_a_part_is_refused(learnt, part):
    record = json.loads(learnt.text())
    del record[part]
    assert part in refused(json.dumps(record)) or part == "format"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("seed", -1),
        ("seed", True),
        ("games", "60"),
        ("alpha", "x"),
        ("curve", [1]),
        ("weights", {"threats": True}),
        ("alpha", 1e300),
        ("lambda", -0.1),
        ("exploration", 7),
        ("method", "rote"),
        ("curve", [{"games": 1, "error": -1}]),
    ],
)
def test_a_part_of_another_kind_is_refused(learnt, part, value):
    record = json.loads(learnt.text())
    record[part] = value
    refused(json.dumps(record))


@pytest.mark.parametrize("number", [10**400, -(10**400), 1.1e9, 1e308], ids="abcd")
@pytest.mark.parametrize("hidden", [0, 3])
def test_weights_beyond_all_bounds_are_refused(hidden, number):
    """The machine would count beyond 64 bits with them."""
    record = json.loads(zermelo.learn(zermelo.load("tic_tac_toe"), games=10, hidden=hidden).text())
    name = next(iter(record["weights"]))
    record["weights"][name] = [number, 0, 0] if hidden else number
    assert "is no number from -1e+09 to 1e+09" in refused(json.dumps(record))


@pytest.mark.parametrize("text", ["[]", "1", '"x"', "null", "[" * 100_000])
def test_other_json_is_refused(text):
    refused(text)


def test_squares_of_other_features_are_refused(learnt):
    record = json.loads(learnt.text())
    del record["to_go_on"]["largest_squares"]["threats"]
    assert "different features" in refused(json.dumps(record))
