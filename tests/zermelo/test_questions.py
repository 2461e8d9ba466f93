"""The functions behind the commands: they find what the commands print, and their results say where they come from."""

from __future__ import annotations

import csv
import json
import pickle
import shlex
import sys
from fractions import Fraction
from inspect import Parameter, signature
from time import perf_counter

import pytest
from attrs import evolve

import zermelo
from zermelo.commands import (
    balance,
    compare,
    correlated,
    draw,
    equilibria,
    exploit,
    force,
    judge,
    match,
    mutate,
    plays,
    random,
    report,
    solve,
    test,
)  # fmt: skip
from zermelo.commands.options import parser_of
from zermelo.drawing.pictures import draw as draw_any
from zermelo.questions import OF_GAMES, OF_STATES
from zermelo.report.console import json_text
from zermelo.results import GameRows
from zermelo.row_files import kinds_of
from zermelo.solved_game import SolvedGame

ASKED = {
    "solve kuhn_poker": lambda: zermelo.load("kuhn_poker").solve(),
    "solve nim -p heaps=2 --solver minimax --verify": lambda: zermelo.load("nim", heaps=2).solve(
        "minimax", verify=True
    ),
    "solve tic_tac_toe --solver mcts --simulations 50 --seed 3": lambda: zermelo.load("tic_tac_toe").solve(
        "mcts", simulations=50, seed=3
    ),
    "solve two_ply_tree --solver alphabeta --steps": lambda: zermelo.load("two_ply_tree").solve(
        "alphabeta", steps=True
    ),
    "solve pig -p target=3 --policy": lambda: zermelo.load("pig", target=3).solve(policy=True),
    'solve tic_tac_toe --depth 2 --estimate rollouts --seed 5 --after "mark(b2); mark(a1)"': lambda: (
        zermelo.load("tic_tac_toe")
        .initial.after("mark(b2)")
        .after("mark(a1)")
        .solve(depth=2, estimate="rollouts", seed=5)
    ),
    "solve leduc_poker --solver cfr+ --iterations 5": lambda: zermelo.load("leduc_poker").solve("cfr+", iterations=5),
    "force vacuum --at-least 1": lambda: zermelo.load("vacuum").force(at_least=1),
    "force odd_coin": lambda: zermelo.load("odd_coin").force(),
    "equilibria chicken": lambda: zermelo.load("chicken").equilibria(),
    "equilibria prisoners_dilemma --pure --limit 1": lambda: zermelo.load("prisoners_dilemma").equilibria(
        pure=True, limit=1
    ),
    "correlated student_and_professor --for Professor": lambda: zermelo.load("student_and_professor").correlated(
        favoured="Professor"
    ),
    "exploit kuhn_poker uniform": lambda: zermelo.load("kuhn_poker").exploit("uniform"),
    "exploit nim -p heaps=2 uniform": lambda: zermelo.load("nim", heaps=2).exploit("uniform"),
    "match kuhn_poker uniform": lambda: zermelo.load("kuhn_poker").match("uniform"),
    "match kuhn_poker --seat Alice=random --seat Bob=best --plays 6 --seed 3 -j 1": lambda: zermelo.load(
        "kuhn_poker"
    ).match(seats={"Alice": "random", "Bob": "best"}, plays=6, seed=3, jobs=1),
    "random tic_tac_toe --plays 50 --seed 4": lambda: zermelo.load("tic_tac_toe").random_plays(50, seed=4),
    "diff subtraction_game --second most=4": lambda: zermelo.load("subtraction_game").diff(
        zermelo.load("subtraction_game", most=4)
    ),
    "compare three_player_tree": lambda: zermelo.load("three_player_tree").compare(),
    'compare nim -p heaps=2 --after "take(1, 1)" --memory 64M': lambda: (
        zermelo.load("nim", heaps=2).initial.after("take(1, 1)").compare(memory=2**26)
    ),
    "plays tic_tac_toe 3": lambda: zermelo.load("tic_tac_toe").count_plays(3),
    'plays pig 2 --after "roll" --threads 1': lambda: zermelo.load("pig").initial.after("roll").count_plays(2),
    "test tic_tac_toe": lambda: zermelo.load("tic_tac_toe").test(),
    "mutate matching_pennies --sample 2 --seed 1 --threads 1": lambda: zermelo.load("matching_pennies").mutate(
        sample=2, seed=1, threads=1
    ),
}
"""Commands, and the same in Python."""

POSITION = """
setup:
    board := layout
        "X.O"
        "OX."
        "..."
"""

OTHERS = {
    "exploit by positions": lambda: zermelo.load("two_ply_tree").exploit("uniform"),
    "exploit at once": lambda: zermelo.load("rock_paper_scissors_match", goal=1).exploit("uniform"),
    "balance with a refusal": lambda: zermelo.load("kuhn_poker").balance(strengths=["mcts:5"], plays=2, jobs=1),
    "values": lambda: zermelo.load("tic_tac_toe").initial.after("mark(b2)").after("mark(b1)").values(),
    "values by simulations": lambda: (
        zermelo.load("kuhn_poker").initial.after("deal(K, J)").values("ismcts", simulations=20, seed=2)
    ),
    "draw": lambda: zermelo.load("two_ply_tree").draw(depth=1),
    "draw frames": lambda: zermelo.load("two_ply_tree").draw_frames("alphabeta"),
    "report": lambda: zermelo.load("chicken").hand_out(),
    "balance of two": lambda: zermelo.load("tic_tac_toe").balance(
        zermelo.load("tic_tac_toe", size=4).initial.after("mark(b2)"), strengths="random", plays=3, jobs=1
    ),
    "match of results": lambda: zermelo.load("kuhn_poker").match(zermelo.load("kuhn_poker").solve(), "uniform"),
    "a position": lambda: zermelo.load_position("tic_tac_toe", POSITION).on("python").solve(),
    "other weights": lambda: zermelo.load("tic_tac_toe").reweighed(open_lines=1).solve(depth=1),
    "check": lambda: zermelo.load("nim", heaps=2).check(deep=True, positions=100),
}
"""What commands print in another form."""

EVERY = {**ASKED, **OTHERS}
found = pytest.fixture(scope="module", params=EVERY, ids=str)(lambda request: EVERY[request.param]())


def plain(record):
    """As a program reads it, without what is measured anew each time."""
    return without_measures(json.loads(json_text(record)))


def without_measures(read):
    if isinstance(read, list):
        return list(map(without_measures, read))
    if isinstance(read, dict):
        return {name: without_measures(each) for name, each in read.items() if name not in ("seconds", "memory")}
    return read


@pytest.mark.parametrize("command", ASKED)
def test_the_command_prints_the_record(run, command):
    ran = run(*shlex.split(command), "--json")
    assert ran.err == "" and ran.code in (0, 1)
    assert plain(ran.record) == plain(ASKED[command]().record())


def test_values_are_those_of_moves(run):
    record = OTHERS["values"]().record()
    printed = run("moves", "tic_tac_toe", "--after", "mark(b2); mark(b1)", "--values", "--json").record
    assert printed["values"].items() <= plain(record).items()
    assert printed["values"]["moves"] and record["after"] == printed["play"]


def test_a_picture_is_that_of_draw(run, tmp_path):
    picture = OTHERS["draw"]()
    assert run("draw", "two_ply_tree", "--depth", "1").out == picture.svg == picture._repr_svg_()
    picture.save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == picture.svg
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.load("two_ply_tree").draw(colour="red")
    assert refused.value.code == "bad-usage" and "colour" in refused.value.message


def test_a_deep_check_has_the_answers_of_the_command(run):
    record = OTHERS["check"]().record()
    printed = run("check", "nim", "-p", "heaps=2", "--deep", "--positions", "100", "--json")
    last = json.loads(printed.out.splitlines()[-1])
    assert last["answers"] == plain(record)["answers"] and last["searched"] == plain(record)["searched"]


# What holds of every result.


def test_a_pickle_comes_back_equal(found):
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.provenance == found.provenance and repr(again) == repr(found)
    if not isinstance(found, SolvedGame):  # whose policy is worked out anew
        assert plain(again.record()) == plain(found.record())


def test_a_result_is_short_to_look_at(found):
    assert len(repr(found)) < 100 and "\n" not in repr(found)


def test_where_it_comes_from_makes_it_again(found):
    """The same function of the game that is read again, at the same position and weights, after the same play, with the
    same arguments and options, finds the same."""
    origin = found.provenance
    assert origin.version == zermelo.__version__ and len(origin.digest) == 64
    assert origin.again() == found
    subject = origin.load()
    assert getattr(subject, origin.function)(*origin.arguments, **origin.options) == found


def test_a_position_and_weights_are_told():
    position, weights = OTHERS["a position"]().provenance, OTHERS["other weights"]().provenance
    assert (position.position, position.machine, weights.position) == (POSITION, "python", "")
    assert position.record()["position"] == POSITION and weights.record()["position"] is None
    assert weights.weights == {"open_lines": "1"}


def test_other_rules_are_not_asked_again(tmp_path):
    file = tmp_path / "mine.game"
    file.write_text(zermelo.load("chicken").model.source.text, encoding="utf-8")
    found = zermelo.load(file).equilibria()
    assert found.provenance.again() == found
    file.write_text(file.read_text(encoding="utf-8").replace("7", "8"), encoding="utf-8")
    with pytest.raises(zermelo.ZermeloError, match="has other rules now"):
        found.provenance.again()
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.loads(file.read_text(encoding="utf-8")).equilibria().provenance.again()
    assert refused.value.code == "unknown-game"


def test_equal_results_have_the_same_hash(found):
    again = pickle.loads(pickle.dumps(found))
    assert len({found, again}) == 1 and hash(found) != hash(zermelo.load("nim").random_plays(3, seed=99))


def test_another_seed_is_another_result():
    nim = zermelo.load("nim")
    assert nim.random_plays(20, seed=1) != nim.random_plays(20, seed=2)
    assert nim.random_plays(20, seed=2).provenance.seed == 2 and nim.random_plays(20).provenance.seed == 0


def test_the_rows_of_a_table(found):
    if not isinstance(found, GameRows):
        assert not hasattr(found, "to_dataframe")
        return
    rows, frame = found.rows(), found.to_dataframe()
    assert len(frame) == len(rows)
    assert list(frame.columns) == list(found.columns) == list(rows[0] if rows else found.columns)
    assert all(list(row) == list(rows[0]) for row in rows)


@pytest.mark.parametrize(
    "empty, full",
    [
        (
            lambda: zermelo.load("rock_paper_scissors").equilibria(pure=True),
            lambda: zermelo.load("rock_paper_scissors").equilibria(),
        ),
        (lambda: zermelo.load("nim").check(), lambda: zermelo.check('game "Nobody"')),
        (lambda: zermelo.load("kuhn_poker").balance(strengths="mcts:5", plays=2, jobs=1), OTHERS["balance of two"]),
        (lambda: zermelo.loads(UNTESTED).test(), ASKED["test tic_tac_toe"]),
        (
            lambda: evolve(ASKED["mutate matching_pennies --sample 2 --seed 1 --threads 1"](), judged=()),
            ASKED["mutate matching_pennies --sample 2 --seed 1 --threads 1"],
        ),
    ],
)
def test_a_table_without_rows_has_columns(empty, full):
    none, some = empty(), full()
    assert none.rows() == [] and len(none.to_dataframe()) == 0
    assert list(none.to_dataframe().columns) == list(none.columns) == list(some.columns) == list(some.rows()[0])


UNTESTED = """
game "Nothing to test"
players A, B
start at p(A)
phase p(q: Player):
    turn q:
        move on: end win q
"""


def test_columns():
    columns = {name: list(ask().to_dataframe().columns) for name, ask in EVERY.items() if hasattr(ask(), "rows")}
    assert columns["random tic_tac_toe --plays 50 --seed 4"] == ["player", "mean payoff"]
    assert columns["exploit kuhn_poker uniform"] == ["player", "value", "best", "gain", "error"]
    assert columns["match kuhn_poker uniform"] == ["Alice", "Bob", "Alice gets", "Bob gets", "error"]
    assert columns["equilibria chicken"][2:] == ["One gets", "Two gets", "equilibrium"]
    assert columns["values"][:3] == ["move", "value for X", "value for O"]
    frame = ASKED["exploit kuhn_poker uniform"]().to_dataframe()
    assert frame["best"].tolist() == [Fraction(1, 2), Fraction(5, 12)]
    assert frame["best"].astype(float).sum() == pytest.approx(11 / 12)


def test_a_missing_library_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.load("chicken").equilibria().to_dataframe()
    assert refused.value.code == "library-missing" and "zermelo[dataframes]" in refused.value.help


# The functions.


def test_every_function_is_one_with_an_example():
    for function in {*OF_GAMES, *OF_STATES}:
        assert getattr(zermelo, function.__name__) is function
        assert ">>> " in function.__doc__
    assert all(getattr(zermelo.Game, each.__name__) is each for each in OF_GAMES)
    assert all(getattr(zermelo.State, each.__name__) is each for each in OF_STATES)


NOT_IN_PYTHON = {
    "all", "brief", "cluster", "coverage_file", "diff", "fix", "for", "format", "frames", "help", "json", "machine",
    "output", "position", "second", "strict", "weight", "weights",
}  # fmt: skip
"""Options about which game it is, which are those of loading it, and how the result is printed or written."""

SAME = {"for": "favoured", "seat": "seats", "strength": "strengths", "after": None, "parameter": None}


@pytest.mark.parametrize(
    "command",
    [
        solve, exploit, match, force, equilibria, correlated, random, mutate, compare, plays, judge, report, test,
        balance, draw,
    ],
)  # fmt: skip
def test_the_keywords_are_the_options(command):
    name = command.__name__.rpartition(".")[2]
    parser = parser_of(name, "", "")
    command.configure(parser)
    options = {word[2:].replace("-", "_") for word in parser._option_string_actions if word.startswith("--")}
    called = {"random": "random_plays", "plays": "count_plays", "report": "hand_out"}
    function = getattr(zermelo, called.get(name, name))
    known = {each for each, about in signature(function).parameters.items() if about.kind is Parameter.KEYWORD_ONLY}
    known |= {"solver", "plays", "limit"}  # of correlated it says how much is printed
    if command is draw:  # and of which picture
        known |= signature(draw_any).parameters.keys()
    if command is test:  # of several files, each is a question
        known |= {"jobs"}
    asked = {SAME.get(each, each) for each in options if each not in NOT_IN_PYTHON or each in SAME} - {None}
    assert asked <= known


def test_time_counts_from_a_moment_on():
    game = zermelo.load("connect_four", rows=4, columns=4)
    with pytest.raises(zermelo.ZermeloError) as stopped:
        game.equilibria(time=5, since=perf_counter() - 10)
    assert stopped.value.code == "out-of-time" and "within 5 s" in stopped.value.message


def test_a_solution_is_strategies():
    """The equilibrium of Kuhn's poker gets -1/18 against itself, and nobody can gain (Kuhn 1950)."""
    kuhn = zermelo.load("kuhn_poker")
    solution = kuhn.solve()
    judged = kuhn.exploit(solution)
    assert judged.is_equilibrium and judged.exploitability == 0 and judged.strategies == "sequence_form"
    match = kuhn.match(solution, "uniform")
    assert match.seatings[0].value[0] == Fraction(-1, 18) and len(match.seatings) == 4
    nim = zermelo.load("nim", heaps=2)
    assert nim.exploit(nim.solve(policy=True)).is_equilibrium
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.load("kuhn_poker").exploit(nim.solve(policy=True))
    assert refused.value.code == "bad-strategy" and "are for 'Nim'" in refused.value.message


def test_progress_is_watched(capsys):
    told = []

    class Watching:
        def __init__(self, doing, what, total):
            told.append(doing)

        def __enter__(self):
            return lambda number: None

        def __exit__(self, *error):
            return None

    zermelo.load("vacuum").force(watch=Watching)
    assert told == ["looking for a plan"]
    zermelo.load("vacuum").force(watch=zermelo.progress)
    assert capsys.readouterr().err == ""


def test_mutants_are_those_of_the_file():
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.load("nim", heaps=2).mutate(sample=1)
    assert refused.value.code == "bad-usage"


def test_check_needs_no_game():
    found = zermelo.check('game "Nobody"')
    assert [finding.code for finding in found] == ["missing-declaration"] == [each.code for each in found.errors]
    assert len(found) == 1 and found.provenance.game == ""


@pytest.mark.parametrize(
    "ask, about",
    [
        (lambda game: game.draw("position", depth=2), "--depth"),
        (lambda game: game.draw("sizes", boards=True), "--boards"),
        (lambda game: game.draw(solver=["minimax"], view="X"), "--view"),
        (lambda game: game.draw(depth=-1), "depth is -1"),
        (lambda game: game.draw(nodes=0), "nodes is 0"),
        (lambda game: game.draw(depth=1, font_size=0), "the size 0"),
        (lambda game: game.draw(depth=1, font_size=-3.5), "the size -3.5"),
        (lambda game: game.balance(strengths=["random"], plays=1, opening=-1), "opening is -1"),
        (lambda game: game.match(seats={"X": "random", "O": "random"}, opening=1.5), "opening is 1.5"),
        (lambda game: game.balance(strengths=["mcts:many"]), "how many simulations mcts makes"),
        (lambda game: game.match(seats={"X": "random", "O": "ismcts:-5"}), "how many simulations ismcts makes"),
        (lambda game: game.random_plays(-3), "plays is -3"),
        (lambda game: game.values(simulations=100), "--simulations"),
        (lambda game: game.values("mcts", simulations=100), "--simulations"),
        (lambda game: game.values(deals=5), "--deals"),
        (lambda game: game.values("ismcts", iterations=5), "--iterations"),
        (lambda game: game.values(observers="single"), "--observers"),
        (lambda game: game.random_plays(2.5), "plays is 2.5"),
    ],
)
def test_options_that_mean_nothing_are_refused(ask, about):
    with pytest.raises(zermelo.ZermeloError, match=about) as refused:
        ask(zermelo.load("tic_tac_toe"))
    assert refused.value.code == "bad-usage"


def test_one_may_stand_without_a_list():
    game = zermelo.load("tic_tac_toe")
    assert game.balance(strengths="random", plays=3, jobs=1).samples == (
        game.balance(strengths=["random"], plays=3, jobs=1).samples
    )
    assert game.draw(depth=1, hide="values").svg == game.draw(depth=1, hide=["values"]).svg
    assert game.random_plays(0).plays == 0


@pytest.mark.parametrize(
    "words",
    [
        "solve kuhn_poker", "solve pig -p target=3", "solve two_ply_tree --solver minimax", "equilibria chicken",
        "exploit kuhn_poker uniform", "compare two_ply_tree", "correlated chicken",
        "match tic_tac_toe --seat X=random --seat O=random --plays 4",
        "solve nim -p heaps=1 -p smallest=1 --after take(1,1) --solver positions",
    ],
)  # fmt: skip
def test_commands_print_rows_as_csv(run, words):
    """A row for each, under the names of the columns, as many in each as there are names."""
    head, *rows = csv.reader(run(*words.split(), "--format", "csv").out.splitlines())
    assert rows and len(set(head)) == len(head)
    assert {len(row) for row in rows} == {len(head)}


def test_rows_are_saved_in_three_formats(tmp_path):
    """Fractions are text, whole numbers and truth values are what they are; pyarrow and json read the same rows."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for found in (zermelo.load("kuhn_poker").solve(), zermelo.load("chicken").equilibria()):
        for ending in ("csv", "json", "parquet"):
            found.save_rows(tmp_path / f"rows.{ending}")
        rows = json.loads((tmp_path / "rows.json").read_text("utf-8"))
        assert parquet.read_table(tmp_path / "rows.parquet").to_pylist() == rows
        with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as stream:
            assert [*csv.DictReader(stream)] == [{name: str(value) for name, value in row.items()} for row in rows]
        assert [{name: str(value) for name, value in row.items()} for row in found.rows()] == [
            {name: str(value) for name, value in row.items()} for row in rows
        ]
        assert (tmp_path / "rows.csv").read_text("utf-8").splitlines() == found.csv().splitlines()


def test_the_types_of_columns():
    rows = [{"n": 1, "big": 1 << 70, "x": 0.5, "yes": True, "part": Fraction(1, 2), "none": None, "mixed": 1}]
    rows.append({"n": None, "big": 2, "x": 1.0, "yes": False, "part": Fraction(1), "none": None, "mixed": "a"})
    assert kinds_of(rows, [*rows[0]]) == {"n": "int64", "x": "double", "yes": "bool"}
