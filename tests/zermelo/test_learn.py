"""``zermelo learn``, and ``--weights`` of other commands."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from attrs import evolve

import zermelo
from zermelo.cli import main
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.learning import run_learning

EARNING = """
game "Count to two"
players Ann, Bob
claim zero_sum, perfect_information

var left: 0..2 = 2

start at play(Ann)

phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            earn p: n
            earn other p: -n
            if left == 0: end draw
            go play(other p)

feature mine(_p) = if left == 1 then 1 else 0
weight mine = 1

estimate for p: weighted sum
"""


@pytest.fixture
def learnt(run, tmp_path):
    """A file of weights for tic-tac-toe."""
    file = tmp_path / "learnt.json"
    assert run("learn", "tic_tac_toe", "--games", "500", "-o", str(file)).code == 0
    return file


def test_it_prints_the_weights(run, tmp_path):
    ran = run("learn", "tic_tac_toe", "--games", "500", "--seed", "2", "-o", str(tmp_path / "x.json"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Tic-tac-toe (size = 3)\n\nfeature     weight\nopen_lines  0.")
    assert "games  500\nseed   2\nerror  " in ran.out


def test_settings_are_kept_in_the_file(run, tmp_path):
    file = tmp_path / "x.json"
    words = ("--alpha", "0.2", "--lambda", "0.5", "--exploration", "0", "--games", "20")
    run("learn", "tic_tac_toe", *words, "-o", str(file))
    record = json.loads(file.read_text())
    assert (record["alpha"], record["lambda"], record["exploration"]) == (0.2, 0.5, 0)


def test_resume(run, learnt, tmp_path):
    whole = tmp_path / "whole.json"
    run("learn", "tic_tac_toe", "--games", "900", "-o", str(whole))
    assert run("learn", "tic_tac_toe", "--games", "900", "--resume", "-o", str(learnt)).code == 0
    assert learnt.read_text() == whole.read_text()
    for words in (("--seed", "1"), ("--alpha", "0.3")):
        ran = run("learn", "tic_tac_toe", "--resume", *words, "-o", str(learnt))
        assert ran.code == 2 and "bad-usage" in ran.err


def test_learning_begins_where_it_is_told(run, learnt, tmp_path):
    other = tmp_path / "other.json"
    run("learn", "tic_tac_toe", "--games", "500", "--after", "mark(b2)", "-o", str(other))
    assert json.loads(other.read_text())["weights"] != json.loads(learnt.read_text())["weights"]


def test_what_is_learnt_is_judged_on_the_way(run, learnt, tmp_path):
    judged = tmp_path / "judged.json"
    assert run("learn", "tic_tac_toe", "--games", "500", "--judge", "-o", str(judged)).code == 0
    record, plain = json.loads(judged.read_text()), json.loads(learnt.read_text())
    assert [(point["games"], point["error"]) for point in record["curve"]] == [
        (point["games"], point["error"]) for point in plain["curve"]
    ]
    assert all(0 <= point["loss"] < 2 and 0 < point["exact"] < 2 for point in record.pop("curve"))
    del plain["curve"]
    assert record == plain
    last = json.loads(run("judge", "tic_tac_toe", "--weights", str(judged), "--json").out)["weights"]["learnt"]
    point = json.loads(judged.read_text())["curve"][-1]
    assert (point["exact"], point["loss"]) == (last["in_play"]["root_mean_square"], last["in_play"]["loss"])


def test_what_is_learnt_is_judged_by_a_table(run, tmp_path):
    """It finds what solving finds, but solves nothing."""
    pytest.importorskip("pyarrow")
    table, solved, looked_up = (tmp_path / name for name in ("ttt.table", "solved.json", "looked_up.json"))
    zermelo.Table.build(zermelo.load("tic_tac_toe"), table)
    words = ("learn", "tic_tac_toe", "--games", "100", "--judge")
    assert run(*words, "-o", str(solved)).code == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zermelo.judging.solve_to_judge", None)
        assert run(*words, "--table", str(table), "-o", str(looked_up)).code == 0
    assert looked_up.read_text() == solved.read_text()
    game = zermelo.load("tic_tac_toe")
    assert zermelo.learn(game, games=100, judge=True, table=table).text() == solved.read_text()
    with pytest.raises(zermelo.ZermeloError, match="nothing is judged"):
        zermelo.learn(game, games=100, table=table)
    alone = run(*words[:-1], "--table", str(table), "-o", str(solved))
    assert alone.code == 2 and "nothing is judged without --judge" in alone.err
    other = run("learn", "tic_tac_toe", "-p", "size=2", "--judge", "--table", str(table), "-o", str(solved))
    assert other.code == 1 and "other-table" in other.err


def test_where_players_earn_learning_is_not_judged(run, tmp_path):
    (tmp_path / "earning.game").write_text(EARNING)
    words = ("--games", "10", "--judge", "-o", str(tmp_path / "x.json"))
    ran = run("learn", str(tmp_path / "earning.game"), *words)
    assert ran.code == 2 and "bad-usage" in ran.err


def test_an_interrupt_keeps_what_is_learnt(run, monkeypatch, tmp_path):
    def interrupted(learning, root):
        learning.games = 30
        run_learning(learning, root)
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.commands.learn.run_learning", interrupted)
    file = tmp_path / "x.json"
    ran = run("learn", "tic_tac_toe", "-o", str(file))
    assert ran.code == 130 and "games  30" in ran.out
    assert json.loads(file.read_text())["games"] == 30


def weight_in(file):
    """The weight in a file, as estimates take it."""
    return Fraction(round(json.loads(file.read_text())["weights"]["open_lines"] * 100_000), 100_000)


def test_other_commands_estimate_by_a_file(run, learnt):
    words = ("moves", "tic_tac_toe", "--after", "mark(a1)", "--estimate", "--json", "--weights", str(learnt))
    assert run(*words).record["estimate"]["X"] == str(3 * weight_in(learnt))  # three lines more than the other player


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "tic_tac_toe", "--depth", "2"),
        ("moves", "tic_tac_toe", "--values", "--depth", "2"),
        ("match", "tic_tac_toe", "--seat", "X=mcts", "--seat", "O=random", "--plays", "2"),
        ("compare", "tic_tac_toe", "--after", "mark(a1), mark(b2), mark(c3), mark(a3)"),
        ("play", "tic_tac_toe", "--seat", "X=random", "--seat", "O=random"),
    ],
)
def test_weights_are_taken_wherever_a_game_is(run, learnt, words):
    assert run(*words, "--weights", str(learnt)).code == 0


def test_one_weight_may_be_changed_besides(run, learnt):
    words = ("show", "tic_tac_toe", "--json", "--weights", str(learnt))
    assert run(*words).record["weights"] == {"open_lines": str(weight_in(learnt))}
    assert run(*words, "--weight", "open_lines=1/7").record["weights"] == {"open_lines": "1/7"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("connect_four",),
            "they are for Tic-tac-toe (size = 3), and this is Connect four (rows = 6, columns = 7, run = 4)",
        ),
        (("tic_tac_toe", "-p", "size=4"), "they are for Tic-tac-toe (size = 3), and this is Tic-tac-toe (size = 4)"),
    ],
)
def test_weights_for_another_game_are_refused(run, learnt, words, why):
    ran = run("solve", *words, "--depth", "2", "--weights", str(learnt))
    assert ran.code == 1 and "bad-weights" in ran.err and why in " ".join(ran.err.split())


def test_weights_for_a_game_without_parameters_are_refused(run, tmp_path):
    file = tmp_path / "chess.json"
    run("learn", "chess", "--games", "1", "-o", str(file))
    ran = run("solve", "tic_tac_toe", "--depth", "2", "--weights", str(file))
    assert "they are for Chess, and this is Tic-tac-toe (size = 3)" in " ".join(ran.err.split())


@pytest.mark.parametrize("place", [".", "missing/x.json"])
def test_a_file_that_cannot_be_written_is_told_before_learning(run, monkeypatch, tmp_path, place):
    monkeypatch.setattr("zermelo.commands.learn.run_learning", lambda *_: pytest.fail("it learns"))
    ran = run("learn", "tic_tac_toe", "-o", str(tmp_path / place))
    assert ran.code == 2 and "unwritable-file" in ran.err


def test_weights_without_bound_are_not_written(run, monkeypatch, tmp_path):
    def diverge(learning, root):
        learning.known = evolve(learning.known, weights=(float("nan"),))

    monkeypatch.setattr("zermelo.commands.learn.run_learning", diverge)
    file = tmp_path / "x.json"
    ran = run("learn", "tic_tac_toe", "-o", str(file))
    assert ran.code == 1 and "bad-weights" in ran.err and "smaller --alpha" in ran.err
    assert not file.exists()


def test_weights_for_other_rules_are_refused(run, learnt, tmp_path):
    from zermelo import gamedefs

    text = gamedefs.path("tic_tac_toe").read_text(encoding="utf-8")
    same, other = tmp_path / "same.game", tmp_path / "other.game"
    same.write_text("# with a comment\n" + text)
    other.write_text(text.replace("end draw", "end win X"))
    assert run("solve", str(same), "--depth", "2", "--weights", str(learnt)).code == 0
    ran = run("solve", str(other), "--depth", "2", "--weights", str(learnt))
    assert ran.code == 1 and "they are for Tic-tac-toe with other rules" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("nim", "no-features"),
        ("prisoners_dilemma", "needs-constant-sum"),
        ("parking", "needs-two-players"),
        ("kuhn_poker", "needs-perfect-information"),
    ],
)
def test_games_that_cannot_be_learnt_are_refused(run, tmp_path, game, code):
    ran = run("learn", game, "-o", str(tmp_path / "x.json"))
    assert ran.code == 1 and code in ran.err


@pytest.mark.parametrize(
    ("features", "says"),
    [
        ("weight mine = 1", "there are no others"),
        ("weight mine = 0\nfeature left_over(_p) = left\nweight left_over = 1", "here it is 0"),
    ],
)
def test_features_alone_say_not_what_to_play_for(run, tmp_path, features, says):
    file = tmp_path / "x.game"
    file.write_text(EARNING.replace("weight mine = 1", features))
    ran = run("learn", str(file), "--method", "weights", "--games", "1", "-o", str(tmp_path / "x.json"))
    assert ran.code == 1 and ran.err.startswith("error[no-features]: ") and says in " ".join(ran.err.split())


def test_there_must_be_a_file():
    assert main(["learn", "tic_tac_toe"]) == 2
    assert main(["solve", "tic_tac_toe", "--weights", "missing.json"]) == 2


def test_a_network_is_learnt_and_used(run, tmp_path):
    file = tmp_path / "nim.json"
    ran = run("learn", "nim", "--hidden", "6", "--games", "200", "-o", str(file))
    assert ran.code == 0 and "6 hidden units" in ran.out
    for words in (
        ("solve", "nim", "--depth", "2"),
        ("moves", "nim", "--estimate"),
        ("moves", "nim", "--estimate", "--json"),
        ("match", "nim", "--seat", "Ann=greedy", "--seat", "Bob=random", "--plays", "2"),
        ("show", "nim"),
    ):
        ran = run(*words, "--weights", str(file))
        assert ran.code == 0, words
    assert run("judge", "nim", "--weights", str(file)).code == 0
    assert "they are for Nim" in " ".join(run("solve", "pig", "--depth", "1", "--weights", str(file)).err.split())


def test_python_estimates_by_what_has_been_learnt(learnt, tmp_path):
    game = zermelo.load("nim", heaps=2)
    network = zermelo.learn(game, games=200, hidden=4)
    file = tmp_path / "nim.json"
    file.write_text(network.text())
    values = {zermelo.solve(zermelo.with_weights(game, by), depth=2).value for by in (network, file, str(file))}
    assert len(values) == 1 and values != {zermelo.solve(game).value}
    assert zermelo.with_weights(zermelo.load("tic_tac_toe"), learnt).weights == {"open_lines": weight_in(learnt)}
    with pytest.raises(ZermeloError, match="they are for Nim") as refused:
        zermelo.with_weights(zermelo.load("pig"), network)
    assert refused.value.code == "bad-weights"


def test_learning_begins_with_no_weights_of_others(run, learnt, tmp_path):
    assert "unrecognized arguments" in run("learn", "tic_tac_toe", "--weights", str(learnt), "-o", "x.json").err


# Files to go on from, whatever the method.

METHODS = pytest.mark.parametrize("method", ["td", "weights", "spsa", "rote"])


@pytest.fixture
def begun(run, tmp_path):
    """Makes a file of connect four by a method."""
    pytest.importorskip("pyarrow")

    def make(method, games="20"):
        file = tmp_path / f"{method}.file"
        words = ("learn", "connect_four", "-p", "rows=4", "-p", "columns=4", "--method", method, "--games", games)
        ran = run(*words, "-o", str(file))
        assert (ran.code, ran.err) == (0, "")
        return file

    return make


SMALL = ("learn", "connect_four", "-p", "rows=4", "-p", "columns=4")


@METHODS
def test_every_method_goes_on_as_if_it_had_not_stopped(run, begun, method):
    whole = begun(method, "30").read_bytes()
    file = begun(method)
    ran = run(*SMALL, "--resume", "--games", "30", "-o", str(file))
    assert ran.code == 0 and "games" in ran.out and file.read_bytes() == whole


@METHODS
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seed", "1"), "--resume keeps the method, the seed and the settings of the file"),
        (("--method", "td"), "--resume keeps the method, the seed and the settings of the file"),
        (("--depth", "3"), "--resume keeps the method, the seed and the settings of the file"),
        (("--records", "3"), "--resume keeps the method, the seed and the settings of the file"),
        (("--games", "20"), "is of 20 games already, and --games 20 counts these, too"),
    ],
)
def test_what_cannot_be_gone_on_with(run, begun, method, words, why):
    file = begun(method)
    ran = run(*SMALL, "--resume", *words, "-o", str(file))
    assert ran.code == 2 and "bad-usage" in ran.err and why in " ".join(ran.err.split())


@METHODS
def test_the_file_of_another_game_is_not_gone_on_with(run, begun, method):
    file = begun(method)
    ran = run("learn", "connect_four", "--resume", "-o", str(file))
    assert ran.code == 1 and "bad-weights" in ran.err
    assert "they are for Connect four (rows = 4, columns = 4, run = 4)" in " ".join(ran.err.split())


@METHODS
def test_there_must_be_something_to_go_on_with(run, begun, method):
    file = begun(method)
    file.write_bytes(file.read_bytes()[:40])
    ran = run(*SMALL, "--resume", "-o", str(file))
    assert ran.code == 1 and "bad-weights" in ran.err
    file.unlink()
    ran = run(*SMALL, "--resume", "-o", str(file))
    assert ran.code == 2 and "unreadable-file" in ran.err


# By rote.


def test_what_is_learnt_by_rote_is_told_and_looked_up(run, begun):
    file = begun("rote")
    ran = run(*SMALL, "--resume", "--games", "40", "-o", str(file))
    assert [line.split()[0] for line in ran.out.splitlines()[2:6]] == ["positions", "found", "refreshed", "forgotten"]
    small = SMALL[1:]
    for words in (
        ("solve", *small, "--depth", "2"),
        ("moves", *small, "--values", "--depth", "2"),
        ("match", *small, "--seat", f"Red={file}:2", "--seat", "Yellow=greedy:2", "--plays", "4"),
        ("play", *small, "--seat", f"Red={file}", "--seat", "Yellow=random", "--seed", "1"),
        ("judge", *small, "--plays", "4", "--depth", "2"),
    ):
        weights = () if "--seat" in words else ("--weights", str(file))
        assert run(*words, *weights).code == 0, words
    depth = ("--depth", "1", "--json")
    found, plain = (run("solve", *small, *depth, *more).record for more in (("--weights", str(file)), ()))
    assert found["certainty"] == "depth-limited" and found["value"] != plain["value"]
    assert run("solve", *small, "--json", "--weights", str(file)).record["certainty"] == "exact"


def test_what_rote_learning_is_not_for(run, begun, tmp_path):
    file, table = begun("rote"), tmp_path / "four.table"
    assert run("table", "build", *SMALL[1:], "-o", str(table)).code == 0
    known = ("--weights", str(file), "--table", str(table))
    for words in (("solve", *SMALL[1:], "--depth", "2", *known), ("judge", *SMALL[1:], *known)):
        ran = run(*words)
        assert ran.code == 2 and "bad-usage" in ran.err
    ran = run(*SMALL, "--method", "rote", "--judge", "-o", str(file))
    assert ran.code == 2 and "--judge is for weights" in ran.err
    ran = run("learn", *SMALL[1:], "--resume", "--judge", "-o", str(file))
    assert ran.code == 2 and "--judge is for weights" in ran.err
    assert "the method rote has no terms" in run(*SMALL, "--method", "rote", "--terms", "3", "-o", str(file)).err
    assert "needs-no-chance" in run("learn", "hypergammon", "--method", "rote", "-o", str(file)).err


def test_an_interrupt_keeps_what_is_learnt_by_rote(run, monkeypatch, tmp_path):
    def interrupted(learning, root):
        learning.games = 5
        run_learning(learning, root)
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.commands.learn.run_learning", interrupted)
    file = tmp_path / "x.parquet"
    ran = run("learn", "tic_tac_toe", "--method", "rote", "-o", str(file))
    assert ran.code == 130 and "games      5" in ran.out
    assert zermelo.learning.read_weights(file).games == 5


@pytest.mark.parametrize("method", ["rote", "spsa"])
def test_methods_without_networks_do_not_propose_one_of_theirs(method, run, tmp_path):
    ran = run("learn", "nim", "--method", method, "-o", str(tmp_path / "x"))
    assert "--hidden 20, without --method, learns a network" in " ".join(ran.err.split())
