"""The names of lowered text are free of collisions, whatever the names in a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from all_machines import needs_llvm
from hypothesis import given
from hypothesis import strategies as st
from random_cases import seeds
from random_games.crowded import write_crowded_game

import zermelo
from zermelo.interpreter.native.dialect import lowered_text
from zermelo.interpreter.native.dialect.language import WORDS, NotDialect, execute
from zermelo.interpreter.native.dialect.lowered_text import Body, Text
from zermelo.interpreter.native.llvm.functions import emit
from zermelo.loading import load_any

TRIAL = Path(__file__).parents[3] / "trial" / "values"
KERNELS = sorted(Path("solvers/kernels").glob("[a-z]*.py"))
MACHINES = ["reference", "python", pytest.param("native", marks=needs_llvm)]


# ------------------------------------------- two games that came to wrong values, worked out from their rules


def value(payoff: Callable[[int], int]) -> int:
    """The first player's payoff if two players take turns in adding 1, 2 or 3 to a number up to 9, where the player to
    move gets ``payoff(9)`` from the other one."""

    @cache
    def best(number: int) -> int:
        return payoff(9) if number == 9 else max(-best(number + k) for k in (1, 2, 3) if number + k <= 9)

    return best(0)


def total(n: int) -> int:
    """``total`` of names_collide.game."""
    score1 = 5 if n == 3 else n if n > 4 else 6
    pads = sum(n if n > k else 1 + k % 7 for k in range(9))
    score = 2 if n == 3 else 10 - n if n > 4 else 1
    return score1 + pads + score


@pytest.mark.parametrize("machine", MACHINES)
def test_two_defines_that_differ_in_a_digit(machine: str) -> None:
    assert total(9) == 9 + 9 * 9 + 1 == 91
    game = load_any(str(TRIAL / "names_collide.game"), {}).on(machine)
    for solver in ("minimax", "alphabeta", None):
        assert zermelo.solve(game, solver=solver).value[0] == value(total) == -91


@pytest.mark.parametrize("machine", MACHINES)
def test_a_define_that_is_called_as_a_table_is(machine: str) -> None:
    """The guard always holds: the tables c, d and e give at least 2, T(k) at least 3. At 9 the player to move gets
    T(9) + b(9) = 9 + 9."""
    game = load_any(str(TRIAL / "names_T.game"), {}).on(machine)
    assert zermelo.solve(game, solver="minimax").value[0] == value(lambda n: 18) == -18


# ----------------------------------------------------------------------------- a name that is defined twice

TWICE = {
    "a function": "def f() -> int:\n    return 1\n\n\ndef f() -> int:\n    return 2\n",
    "a constant": "f = 1\nf = 2\n\n\ndef g() -> int:\n    return f\n",
    "a table": "f = (1, 2,)\nf = (3, 4,)\n\n\ndef g() -> int:\n    return f[0]\n",
    "a table and a function": "f = (1, 2,)\n\n\ndef f() -> int:\n    return 2\n",
    "a table of sets": "f: bits = (1, 2,)\nf: bits = (3, 4,)\n\n\ndef g() -> int:\n    return popcount(f[0])\n",
    "a word of the dialect": "def popcount(x: int) -> int:\n    return 2\n",
}


@pytest.mark.parametrize("what", TWICE)
def test_both_executors_refuse_a_name_that_is_defined_twice(what: str) -> None:
    text = f"from __future__ import annotations\n\n{TWICE[what]}"
    with pytest.raises(NotDialect, match="defined twice"):
        execute(text)
    with pytest.raises(NotDialect, match="defined twice"):
        emit(text, 64, ("f", "g"))


def test_a_kernel_does_not_define_a_function_of_the_rules_again() -> None:
    rules = "from __future__ import annotations\n\nA = (1,)\n\n\ndef f() -> int:\n    return 1\n"
    assert execute(rules, '"""A kernel."""\n\nB: bits = (1,)\n\n\ndef g() -> int:\n    return f()\n')["g"]() == 1
    with pytest.raises(NotDialect, match="'f' is defined twice"):
        execute(rules, "def f() -> int:\n    return 2\n")


def test_a_text_refuses_names_that_it_does_not_know() -> None:
    text = Text()
    body = Body()
    text.function("moves(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", body)
    text.function("moves_0(C: ints[CONTEXT], S: state, M: ints[MOVES]) -> int", body)
    for name in ("moves", "moves_0"):
        with pytest.raises(NotDialect, match="defined twice"):
            text.function(f"{name}(S: state) -> int", body)
    for name in ("score", "score_0", "moves__0", "popcount"):
        with pytest.raises(NotDialect, match="no name of a function"):
            text.function(f"{name}(S: state) -> int", body)


# ----------------------------------------------------------------------------- names of different kinds


@given(st.lists(st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,6}", fullmatch=True)))
def test_fresh_names_differ_whatever_their_stems(stems: list[str]) -> None:
    text = Text()
    made = [text.fresh(stem) for stem in stems]
    made += [text.table([number]) for number in range(len(stems))]
    assert len({*made}) == 2 * len(stems)
    assert all(map(lowered_text.is_fresh, made)) and not any(map(lowered_text.is_fixed, made))


def test_no_fixed_name_has_the_form_of_fresh_ones() -> None:
    assert not any(
        map(lowered_text.is_fresh, lowered_text.CONSTANTS | lowered_text.FUNCTIONS | lowered_text.FAMILIES | WORDS)
    )
    written = [path.read_text(encoding="utf-8") for path in [*KERNELS, *Path("interpreter/native").rglob("*.py")]]
    assert len(written) > 60 and not any(re.search(r"\w__\d", text) for text in written)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_call_nothing_as_rules_call_their_own(path: Path) -> None:
    defined = re.findall(r"^def (\w+)\(|^([A-Z_]+) = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    own = {function or constant for function, constant in defined}
    assert not own & (lowered_text.CONSTANTS | lowered_text.FUNCTIONS | WORDS)
    assert not any(map(lowered_text.is_fixed, own)) and not any(map(lowered_text.is_fresh, own))


def test_what_stands_for_a_number_until_it_is_known_is_no_name(plays_alike: Callable[[str], None]) -> None:
    """Defines with the names of former placeholders for payoffs and weights."""
    text = """
game "Placeholders"
players Ann, Bob
var n: 0..9 = 0
define PAYOFF_OVER_2 = if n == 3 then 2 else n
define SHARE_1_ = if n > 1 then n else 1
start at draw
phase draw:
    if n > 5: end payoff {Ann: PAYOFF_OVER_2 / 4, Bob: SHARE_1_ / 3}
    chance:
        outcome little weight SHARE_1_:
            n += 1
            go draw
        outcome much(k in 2..3) weight PAYOFF_OVER_2 + k:
            n += k
            go draw
"""
    plays_alike(text)


# ----------------------------------------------------------------------------- games whose names are made to collide


@pytest.mark.parametrize("seed", seeds(12))
def test_games_with_crowded_names_play_alike(seed: int, plays_alike: Callable[[str], None]) -> None:
    plays_alike(write_crowded_game(Random(seed)))
