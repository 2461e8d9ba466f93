"""Bodies of functions in the making, and the functions that they become."""

from __future__ import annotations

import ctypes
import re
from array import array
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest
from all_machines import needs_llvm
from hypothesis import given
from hypothesis import strategies as st
from kernel_modules import KernelText, modules
from random_cases import seeds
from random_games.crowded import write_crowded_game

import zermelo
from zermelo import interpreter
from zermelo.interpreter.native.dialect import language, lowered_text
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import WORDS, NotDialect, execute, parse_module
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported
from zermelo.interpreter.native.llvm.engine import Library, is_available
from zermelo.interpreter.native.llvm.functions import emit
from zermelo.interpreter.native.running.kernels import load
from zermelo.loading import load_any


def run(text: Text) -> Mapping[str, Callable[..., int]]:
    return execute(f"from __future__ import annotations\n{text.render()}")


def test_a_function_returns_its_result_at_the_end():
    text, body = Text(), Body()
    doubled = text.let(body, "x", "y * 2")
    text.function("moves(y: int) -> int", body, doubled)
    text.function("actor(y: int) -> int", Body())
    functions = run(text)
    assert functions["moves"](21) == 42
    assert functions["actor"](21) == 0


def test_a_function_may_return_before_its_end():
    text, body = Text(), Body()
    body.return_if("y < 0", "-y")
    text.function("moves(y: int) -> int", body, "y")
    assert [run(text)["moves"](y) for y in (-3, 3)] == [3, 3]


def test_a_loop_is_left_at_once():
    text, body = Text(), Body()
    last = text.let(body, "last", -1)
    with body.block("for i in range(9)"):
        body.break_if("i == y")
        body.line(f"{last} = i")
    text.function("moves(y: int) -> int", body, last)
    assert [run(text)["moves"](y) for y in (0, 4, 20)] == [-1, 3, 8]


@pytest.mark.parametrize("first", [2, "y", "y + 0"])
def test_values_stand_in_consecutive_entries(first: int | str):
    text, body = Text(), Body()
    numbers = text.array(body, "numbers", 6)
    body.write(numbers, first, [7, "y", 9])
    read = " + ".join(f"{10**k} * {numbers}[{k}]" for k in range(6))
    text.function("moves(y: int) -> int", body, read)
    assert run(text)["moves"](2) == 92700


def test_statements_are_inserted_with_the_names_that_they_assign():
    text, body = Text(), Body()
    with body.block("if y > 0"):
        aside = body.beside()
        name = text.let(aside, "x", "y + 1")
        aside.return_if(f"{name} > 3", name)
        assert name not in body.own
        body.insert(aside)
    assert name in body.own
    text.function("moves(y: int) -> int", body)
    assert [run(text)["moves"](y) for y in (0, 2, 3)] == [0, 0, 4]


def test_lifted_functions_that_differ_in_names_alone_are_one():
    text, calls = Text(), []
    for stem in ("one", "two"):
        body = Body()
        calls.append(text.lift("next", body, f"{text.let(body, stem, 1)} + 1"))
    assert calls[0] == calls[1]
    assert text.lift("next", Body(), 2) != calls[0]


def test_a_result_nested_too_deep_is_refused():
    with pytest.raises(Unsupported):
        Text().function("moves(y: int) -> int", Body(), "(1 + " * 99 + "y" + ")" * 99)


# The names of lowered text are free of collisions, whatever the names in a file.


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
        emit(parse_module(text), 64, ("f", "g"))


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


@given(st.lists(st.from_regex(r"[A-Za-z_äﬁ手][A-Za-z_0-9äﬁ手]{0,6}", fullmatch=True)))
def test_fresh_names_differ_whatever_their_stems(stems: list[str]) -> None:
    text = Text()
    made = [text.fresh(stem) for stem in stems]
    made += [text.table([number]) for number in range(len(stems))]
    assert len({*made}) == 2 * len(stems)
    assert all(map(lowered_text.is_fresh, made)) and not any(map(lowered_text.is_fixed, made))
    assert all(name.isascii() and name.isidentifier() for name in made)


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


# ----------------------------------------------------------------------------- games whose names are made to collide


@pytest.mark.parametrize("seed", seeds(12))
def test_games_with_crowded_names_play_alike(seed: int, plays_alike: Callable[[str], None]) -> None:
    plays_alike(write_crowded_game(Random(seed)))


# Lists of whole numbers of 32 bits, in both executors.


HALVES_WORDS = """\
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import array, half, prefetch
"""

LISTS = """\
class Edges:
    targets: list[half]
    firsts: list[int]
    used: int


def put(edges: Edges, place: int, number: int) -> int:
    prefetch(edges.targets[place])
    edges.targets[place] = number
    edges.used += 1
    found = edges.targets[place]
    return found


def add(targets: list[half], place: int, more: int) -> int:
    targets[place] += more
    last: int = targets[place]
    targets[0], targets[place] = targets[place], targets[0]
    return last * 4 + len(targets)


def wide(targets: list[half], place: int) -> int:
    many = targets
    return many[place] * many[place]


def least(targets: list[half]) -> None:
    targets[0], targets[1] = -2147483648, 2147483647
"""

LARGE = [1 << 31, -(1 << 31) - 1, 1 << 32, (1 << 62) + 5]


@pytest.fixture
def lists(tmp_path, monkeypatch):
    return modules(tmp_path, monkeypatch)(LISTS, HALVES_WORDS)


@pytest.fixture(params=[False, True])
def kernels(request, lists):
    found = load(kernel(lists.put, lists.add, lists.wide, lists.least), request.param)
    assert found.is_compiled == (request.param and is_available())
    return found


def test_elements_are_read_and_written_as_numbers(kernels, lists):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    assert kernels.call(lists.put, edges, 4, -7) == -7
    assert kernels.call(lists.add, edges.targets, 4, 10) == 3 * 4 + 5
    assert list(edges.targets[:5]) == [3, 0, 0, 0, 0]
    kernels.call(lists.least, edges.targets)
    assert [edges.targets[0], edges.targets[1]] == [-(1 << 31), (1 << 31) - 1]
    assert kernels.call(lists.wide, edges.targets, 0) == 1 << 62
    assert edges.used == 1


@pytest.mark.parametrize("number", LARGE)
def test_a_kernel_never_cuts_a_number(kernels, lists, number):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    with pytest.raises(OverflowError):
        kernels.call(lists.put, edges, 1, number)


def test_an_index_outside_its_list_is_another_error(kernels, lists):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    with pytest.raises(IndexError):
        kernels.call(lists.put, edges, 5, 1)


@pytest.mark.parametrize("number", LARGE)
def test_the_host_never_cuts_a_number(kernels, lists, number):
    edges = kernels.new(lists.Edges, targets=5, firsts=2)
    for targets in (edges.targets, kernels.halves(3)):
        with pytest.raises(OverflowError):
            targets[0] = number
        assert not any(targets)
        targets[1:3] = array("i", [-4, 5])
        assert list(targets[:3]) == [0, -4, 5]


def test_lists_grow_and_are_shared(kernels, lists):
    shared = kernels.halves(2)
    shared[1] = 8
    edges = kernels.new(lists.Edges, targets=shared, firsts=2)
    assert kernels.call(lists.put, edges, 0, 5) == shared[0] == 5
    kernels.grow(edges, targets=6)
    assert list(edges.targets) == [5, 8, 0, 0, 0, 0]
    assert list(shared) == [5, 8]


def test_lists_of_other_numbers_do_not_fit(kernels, lists):
    with pytest.raises(TypeError):
        kernels.new(lists.Edges, targets=kernels.elements(int, 4), firsts=2)
    with pytest.raises(TypeError):
        kernels.new(lists.Edges, targets=4, firsts=kernels.halves(2))
    with pytest.raises(TypeError):
        kernels.call(lists.wide, kernels.elements(int, 4), 0)


def test_a_list_takes_half_the_memory(kernels, lists):
    assert kernels.bytes_each(lists.Edges, "targets") == 4
    assert kernels.bytes_each(lists.Edges, "firsts") == 8
    if kernels.is_compiled:
        assert ctypes.sizeof(kernels.halves(100)) == 400


def test_numbers_in_memory_are_not_copied(kernels, lists):
    for numbers in (array("i", [3, 4]), kernels.halves(2)):
        given = kernels.as_halves(numbers)
        kernels.call(lists.add, given, 1, 40000)
        assert numbers[0] == given[0] == 40000 + (4 if numbers[1] == 3 else 0)


def test_other_numbers_are_copied(kernels, lists):
    numbers = [3, 4]
    assert kernels.call(lists.wide, kernels.as_halves(numbers), 1) == 16
    assert list(kernels.as_halves(())) == []
    assert list(kernels.as_halves(range(3))) == [0, 1, 2]
    other = load(kernel(lists.wide), not kernels.is_compiled).halves(2)
    other[1] = -3
    assert kernels.call(lists.wide, kernels.as_halves(other), 1) == 9
    with pytest.raises(OverflowError):
        kernels.as_halves([1 << 31])


@pytest.mark.parametrize(
    "line",
    [
        "k: half = 3",
        "return count(A, 0, 1, 2)",
        "return claim(A, 0)",
        "return acquire(A, 0)",
        "release(A, 0, 1)",
        "A[0] = 0.5",
        "a: list[int] = A",
    ],
)
def test_where_halves_have_no_place(line):
    text = f"def f(A: list[half]) -> int:\n    {line}\n    return 0\n"
    with pytest.raises(NotDialect):
        Library(KernelText(text, ("f",)), 64)


@pytest.mark.parametrize("field", ["one: half", "all: ints[half]", "some: Array[half, Literal[2]]"])
def test_fields_are_no_halves(tmp_path, monkeypatch, field):
    made = modules(tmp_path, monkeypatch)(
        f"class R:\n    {field}\n\n\ndef f(r: R) -> int:\n    return 0\n",
        HALVES_WORDS.replace("array", "Array, ints").replace("from z", "from typing import Literal\nfrom z"),
    )
    with pytest.raises(NotDialect):
        load(kernel(made.f), True).new(made.R)


# Parsing of texts, which must not happen in two threads at once.


def test_only_one_module_parses_texts_of_python():
    folder = Path(interpreter.__file__).parent
    found = [path.name for path in folder.rglob("*.py") if "ast.parse(" in path.read_text(encoding="utf-8")]
    assert found == [Path(language.__file__).name]
