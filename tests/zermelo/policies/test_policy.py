"""What to do in every position: `zermelo solve --policy`, `--positions`, `--after`, `--digits`."""

from __future__ import annotations

import csv
import sys
from fractions import Fraction
from itertools import permutations

import pytest
from attrs import evolve

import zermelo
from zermelo.boards import WIDTH, entries_line
from zermelo.policies.policy_table import SHOWN, Choice, policy_table
from zermelo.solvers.forms.policy import Duration, Unit
from zermelo.solvers.positions import solving

PIG = ("pig", "-p", "target=8")


def choice(best: str, distance: int | None = None, **entries: object) -> Choice:
    names = {name: str(value) for name, value in entries.items()}
    return Choice("play", "Ann", names, best, Fraction(entries.get("a", 0)), Fraction(0), distance)


# --------------------------------------------------------------------- table


def test_when_to_park(run):
    """DeGroot 1970: a driver passes by until the expected loss of waiting exceeds the way that is left."""
    ran = run("solve", "parking", "--policy")
    assert (
        "\nahead    best  value                     moves on average\n0 to 6   park  -6 to 0                   1\n"
        "7 to 11  pass  -3282969/500000 ≈ -6.566  ≈ 1.522 to ≈ 1.922\n\n"
    ) in ran.out


def test_when_to_stop(run):
    """Nobody who leads by nothing stops below 8 for 8."""
    ran = run("solve", *PIG, "--policy")
    heads, *rows = ran.out.partition("\npot")[2].splitlines()
    assert heads == "     player  best  they get             moves on average"
    assert rows[:2] == [
        "2 to 7  Ann     roll  ≈ 0.5695 to ≈ 0.754  ≈ 2.55 to ≈ 3.713",
        "8       Ann     hold  1                    1",
    ]
    assert rows[4] == "... and 308 decisions to which best play does not lead, which --json and --positions FILE list"


def test_the_order_of_play_and_the_phases(run):
    ran = run("solve", "goofspiel", "-p", "open=true", "--policy")
    heads, row, *_ = ran.out[ran.out.index("\nin ") + 1 :].splitlines()
    assert heads == "in      hand[One]  hand[Two]  prizes     player  best    they get  rounds on average"
    assert row.startswith("bid(3)  {1, 2, 3}")


def test_mixtures(run):
    ran = run("solve", "rock_paper_scissors", "--policy")
    assert "throw  Two     show(rock) 1/3, show(paper) 1/3, show(scissors) 1/3  0\n" in ran.out


def test_a_default_that_does_not_advise_gives_way(run):
    assert "\nsolver     values of all positions\n" in run("solve", "nim", "--policy").out
    assert run("solve", "nim", "--solver", "minimax", "--policy").err.startswith(
        "error[no-policy]: minimax does not say"
    )
    assert run("solve", "kuhn_poker", "--policy").err.startswith("error[no-solver]: ")


def test_boxes_hold_nothing_else():
    """Rows of whole numbers in two dimensions: every pair is in one row, and it says what is best there."""
    for shape in range(1 << 9):
        best = {(a, b): f"{shape >> (3 * a + b) & 1}" for a in range(3) for b in range(3)}
        heads, rows, _ = policy_table([choice(move, a=a, b=b) for (a, b), move in best.items()])
        told: dict[tuple[int, int], str] = {}
        for row in rows:
            cells = dict(zip(heads, row, strict=True))
            spans = [[int(end) for end in cells[name].split(" to ")] for name in "ab"]
            for a in range(spans[0][0], spans[0][-1] + 1):
                for b in range(spans[1][0], spans[1][-1] + 1):
                    assert (a, b) not in told
                    told[a, b] = cells["best"]
        assert told == best


def test_numbers_lie_side_by_side_if_none_is_between():
    rows = policy_table([choice("go", a=1), choice("go", a=3), choice("stop", a=10)])[1]
    assert [row[0] for row in rows] == ["1 to 3", "10"]
    rows = policy_table([choice("go", a=1), choice("stop", a=2), choice("go", a=3)])[1]
    assert [row[0] for row in rows] == ["1", "2", "3"]


def test_rows_that_become_one_say_the_least_and_the_greatest():
    """Of what they are worth, and of how far it is to the end, wherever these are."""
    for known in permutations([(3, 5), (1, 9), (2, 7)]):
        choices = [evolve(choice("go", moves, a=a), value=Fraction(value)) for a, (value, moves) in enumerate(known, 1)]
        heads, rows, _ = policy_table(choices)
        assert heads == ("a", "best", "value", "moves to the end")
        assert rows == [("1 to 3", "go", "1 to 3", "5 to 9")]


def test_numbers_that_are_known_within_errors_have_no_digits_beyond_them():
    near = [evolve(choice("go", a=a), value=Fraction(a, 7), error=Fraction(1, 1000)) for a in (1, 2)]
    assert policy_table(near)[1] == [("1 to 2", "go", "≈ 0.14 to ≈ 0.29")]


def test_what_is_not_known_of_all_rows_is_said_of_none():
    heads, rows, _ = policy_table([choice("go", 5, a=1), choice("go", None, a=2)])
    assert (heads, rows) == (("a", "best", "value"), [("1 to 2", "go", "1 to 2")])
    rows = policy_table([choice("go", a=1), evolve(choice("go", a=2), value=None)])[1]
    assert rows == [("1", "go", "1"), ("2", "go", "")]
    for errors in permutations([Fraction(0), Fraction(1, 1000)]):
        near = [evolve(choice("go", a=a), value=Fraction(1), error=error) for a, error in enumerate(errors, 1)]
        assert policy_table(near)[1] == [("1 to 2", "go", "≈ 1")]


def test_the_longest_of_several_plays_is_one_that_need_not_end():
    def lasting(ends, length):
        return Duration((Fraction(ends),) * 2, None if length is None else (Fraction(length),) * 2, Unit.MOVES)

    for lasts, said in (
        ([lasting(1, 3), lasting(1, 5)], "3 to 5"),
        ([lasting(1, 5), lasting(0, None)], "5 to for ever"),
        ([lasting(1, 5), None], None),
    ):
        for order in permutations(lasts):
            choices = [evolve(choice("go", a=a), duration=duration) for a, duration in enumerate(order)]
            heads, rows, _ = policy_table(choices)
            assert [dict(zip(heads, row, strict=True)).get("moves on average") for row in rows] == [said]


def test_a_table_says_whose_decisions_they_are_and_in_which_phase_where_these_differ():
    here, there = choice("go", a=1), choice("stop", a=2)
    for choices, heads in (
        ([here, there], ("a", "best", "value")),
        ([here, evolve(there, phase="end")], ("in", "a", "best", "value")),
        ([here, evolve(there, player="Bob")], ("a", "player", "best", "they get")),
        ([here, evolve(there, player="Bob", phase="end")], ("a", "player", "best", "they get")),
        ([here, there, evolve(there, player="Bob", phase="end")], ("a", "player", "best", "they get")),
        ([here, evolve(here, phase="end"), evolve(there, player="Bob")], ("in", "a", "player", "best", "they get")),
        ([choice("go")], ("in", "best", "value")),
    ):
        assert policy_table(choices)[0] == heads


@pytest.mark.parametrize(("more", "head"), [(0, "board"), (1, "position")])
def test_columns_of_up_to_half_the_width_stay_columns(more, head):
    wide = "x" * (WIDTH // 2 - 2 + more)
    assert policy_table([choice("go", board=wide), choice("stop", board="")])[0][0] == head


def test_long_positions_are_one_text():
    wide = "x" * 40
    heads, rows, _ = policy_table([choice("go", a=1, board=wide), choice("stop", a=2, board=wide[1:])])
    assert heads[0] == "position" and rows[0][0] == f"a = 1, board = {wide}"


def test_a_table_has_an_end():
    rows, left = policy_table([choice(f"take({a})", a=a) for a in range(100)])[1:]
    assert (len(rows), left) == (SHOWN, 100 - SHOWN)


def test_boards_on_a_line():
    game = zermelo.load("tic_tac_toe")
    state = game.initial.after("mark(b2)").after("mark(a1)")
    assert entries_line(game.model, game.machine.entries(state.machine_state)) == "board = .../.X./O.."


# ---------------------------------------------------------------------- JSON


def test_policy_as_json(run):
    record = run("solve", *PIG, "--policy", "--json").record
    assert record["after"] == [] and record["exact"] is True
    first = record["policy"][0]
    assert first["position"] == "decide(Ann): score[Ann] = 0, score[Bob] = 0, pot = 0"
    assert (first["player"], first["moves"], first["is_reached"]) == ("Ann", {"roll": None}, True)
    assert first["value"] == record["value"] == {"Ann": "209/439", "Bob": "-209/439"}
    assert first["interval"] is None
    assert "policy" not in run("solve", *PIG, "--json").record


def test_policy_of_rounds_as_json(run):
    policy = run("solve", "rock_paper_scissors", "--policy", "--json").record["policy"]
    assert [row["player"] for row in policy] == ["One", "Two"]
    assert policy[1]["moves"] == {"show(rock)": "1/3", "show(paper)": "1/3", "show(scissors)": "1/3"}


# ---------------------------------------------------------------- --positions


def test_positions_as_csv(run, tmp_path):
    file = tmp_path / "positions.csv"
    assert run("solve", *PIG, "--positions", str(file)).code == 0
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(run("solve", *PIG, "--policy", "--json").record["policy"])
    assert rows[0] == {
        "position": "decide(Ann): score[Ann] = 0, score[Bob] = 0, pot = 0",
        "player": "Ann",
        "value for Ann": "209/439",
        "value for Bob": "-209/439",
        "at least": "",
        "at most": "",
        "moves to the end": "",
        "ends with probability": "1",
        "length on average": "899/209",
        "length in": "moves",
        "best play leads there": "True",
        "best": "roll",
    }


def test_positions_as_parquet(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "positions.parquet"
    assert run("solve", "nim", "-p", "heaps=2", "--positions", str(file)).code == 0
    rows = parquet.read_table(file).to_pylist()
    assert rows[0]["best"] == "take(2, 1)" and rows[0]["value for Ann"] == "1" and rows[0]["moves to the end"] == 7
    kinds = parquet.read_schema(file)
    assert run("solve", *PIG, "--positions", str(file)).code == 0
    assert parquet.read_schema(file).types == [kinds.field(name).type for name in parquet.read_schema(file).names]
    assert parquet.read_table(file).to_pylist()[0]["length on average"] == "899/209"


def test_parquet_without_its_library_names_the_extra(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    file = tmp_path / "positions.parquet"
    ran = run("solve", "nim", "--positions", str(file))
    assert ran.code == 1 and ran.err.startswith("error[library-missing]: ") and "zermelo[tables]" in ran.err
    assert not file.exists()


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        ("json", b"{"),
        ("JSON", b"{"),
        ("csv", b"position,player,"),
        ("CSV", b"position,player,"),
        ("txt", b"position,player,"),
        ("parquet", b"PAR1"),
        ("Parquet", b"PAR1"),
    ],
)
def test_the_ending_of_a_file_decides_in_capitals_too(run, tmp_path, ending, begins):
    if begins == b"PAR1":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"positions.{ending}"
    assert run("solve", "two_ply_tree", "--machine", "reference", "--positions", str(file)).code == 0
    assert file.read_bytes().startswith(begins)


def test_positions_that_cannot_be_written(run, tmp_path):
    ran = run("solve", "nim", "--positions", str(tmp_path / "nowhere" / "positions.csv"))
    assert ran.code == 2 and ran.err.startswith("error[unwritable-file]: ")


# -------------------------------------------------------------------- --after


def test_solving_from_a_position_on(run):
    ran = run("solve", "tic_tac_toe", "--after", "mark(b2); mark(b1)")
    assert "\nafter        mark(b2), mark(b1)\n" in ran.out and "\nX       1\n" in ran.out
    record = run("solve", "tic_tac_toe", "--after", "mark(b2); mark(b1)", "--json").record
    assert record["after"] == ["mark(b2)", "mark(b1)"] and record["value"] == {"X": "1", "O": "-1"}


def test_an_illegal_move_before(run):
    ran = run("solve", "tic_tac_toe", "--after", "mark(b2); mark(b2)")
    assert ran.code == 1 and ran.out == "" and ran.err.startswith("error[illegal-move]: ")


@pytest.mark.parametrize(
    "words", [("kuhn_poker", "--after", "deal(J, Q)"), ("goofspiel", "-p", "open=true", "--after", "bid(3)")]
)
def test_what_is_left_has_no_value_of_its_own(run, words):
    assert run("solve", *words).err.startswith("error[no-value]: ")


def test_what_an_equilibrium_pays_is_called_so(run):
    ran = run("solve", "prisoners_dilemma", "--solver", "positions")
    assert "\nRow     1\nColumn  1\n" in ran.out
    assert "\nnote    This is one equilibrium: of each round one is found, and " in ran.out


# ------------------------------------------------------------------ intervals


@pytest.fixture
def without_fractions(monkeypatch):
    """Games of chance have no exact numbers."""
    monkeypatch.setattr(solving, "MOST_EXACT", 0)


def test_an_interval_is_printed_by_its_certain_decimals(run, without_fractions):
    ran = run("solve", *PIG)
    printed = ran.out.partition("player  value, bounded\nAnn     ≈ ")[2].partition("\n")[0]
    assert len(printed) > len("0.47608200") and abs(Fraction(printed) - Fraction(209, 439)) < Fraction(1, 10**8)
    assert f"\nBob     ≈ -{printed}\n" in ran.out
    assert f"\nproved     the value of the game for Ann is ≈ {printed}, to within " in ran.out


def test_an_interval_as_json(run, without_fractions, tmp_path):
    file = tmp_path / "positions.csv"
    record = run("solve", *PIG, "--policy", "--json", "--positions", str(file)).record
    assert record["exact"] is False and record["certainty"] == "bounded"
    assert record["line"] == ["roll"]  # up to the first draw of chance
    low, high = map(Fraction, record["interval"])
    assert low <= Fraction(209, 439) <= high
    for value in record["value"], record["policy"][0]["value"]:
        assert "/" not in value["Ann"] and abs(Fraction(value["Ann"]) - Fraction(209, 439)) < Fraction(1, 10**8)
    row = next(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert Fraction(row["at least"]) <= Fraction(209, 439) <= Fraction(row["at most"])


@pytest.mark.parametrize("digits", [5, 40])
def test_as_many_digits_as_are_wanted(run, without_fractions, digits):
    record = run("solve", *PIG, "--digits", str(digits), "--json").record
    low, high = map(Fraction, record["interval"])
    assert low <= Fraction(209, 439) <= high and high - low <= Fraction(1, 10**digits)
    assert abs(Fraction(record["value"]["Ann"]) - Fraction(209, 439)) < Fraction(1, 10 ** (digits - 1))


def test_values_of_moves_that_are_intervals(run, without_fractions):
    ran = run("moves", *PIG, "--after", "roll; die(5)", "--values")
    assert "\nmove  value for Ann, bounded" in ran.out
    rows = {line.split()[0]: line.split()[2:] for line in ran.out.splitlines() if line.startswith(("roll ", "hold "))}
    assert abs(Fraction(rows["roll"][0]) - Fraction(313, 439)) < Fraction(1, 10**8) and rows["roll"][1] == "best"
    assert "best" not in rows["hold"]


def test_digits_are_for_one_solver(run):
    ran = run("solve", "nim", "--digits", "3", "--solver", "minimax")
    assert ran.code == 2 and "it is for --solver positions alone" in ran.err
    assert run("solve", "nim", "--digits", "0").code == run("solve", "nim", "--digits", "100000").code == 2


def test_moves_that_may_be_best_too_are_named(run, without_fractions, game_file):
    """Both wagers are worth the same, and bounds cannot tell."""
    game = """\
game "Wagers"
players Ann
start at choose
phase choose:
    turn Ann:
        move left: go left
        move right: go right
        move out: end payoff (-5)
phase left:
    chance:
        outcome again weight 2: go left
        outcome won weight 1: end payoff (1)
        outcome lost weight 1: end payoff (0)
phase right:
    chance:
        outcome again weight 1: go right
        outcome won weight 1: end payoff (1)
        outcome lost weight 1: end payoff (0)
"""
    record = run("solve", game_file(game), "--solver", "positions", "--json").record
    (best,) = record["best"]
    (other,) = {"left", "right"} - {best}
    assert record["exact"] is False and record["notes"] == [
        f"As far as the bounds tell, these may be best, too: {other}."
    ]
