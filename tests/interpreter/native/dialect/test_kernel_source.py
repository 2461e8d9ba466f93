"""Algorithms with holes: cutting and filling of files, and refusals."""

from __future__ import annotations

import ast
import re
from inspect import getsource
from pathlib import Path
from types import SimpleNamespace

import pytest
from all_machines import needs_llvm
from kernel_modules import modules

from zermelo.interpreter.native import algorithms
from zermelo.interpreter.native.dialect.kernel_source import fields_of_call, instantiate, kernel, parse_algorithm
from zermelo.interpreter.native.dialect.language import NotDialect, execute
from zermelo.interpreter.native.dialect.lowered_text import Text, is_fixed, is_fresh
from zermelo.interpreter.native.dialect.words import PlayError
from zermelo.interpreter.native.running.kernels import load
from zermelo.solvers.kernels.alphabeta import alphabeta
from zermelo.solvers.kernels.minimax import minimax

_FOLDER = Path(algorithms.__file__).parent
_FILES = sorted(path for path in _FOLDER.glob("*.py") if path.stem != "__init__")
_FULL = (1 << 64) - 1


def _text_with_steps() -> Text:
    """A text with three functions: to the place on the left, to the one behind, and one of two parameters."""
    text = Text()
    text.share("left", "(m: bits) -> bits:\n    return (m << 1) & 255\n")
    text.share("leap", "(m: bits) -> bits:\n    return (m << 2) & 255\n")
    text.share("both", "(m: bits, n: bits) -> bits:\n    return m & n\n")
    return text


def _names(text: Text) -> dict[str, str]:
    return {name.split("__")[0]: name for name in text.functions}


def test_several_instances_of_an_algorithm_stand_in_one_text():
    text = _text_with_steps()
    names = _names(text)
    one = instantiate(text, "sets", FULL=_FULL, step=names["left"])["closure"]
    two = instantiate(text, "sets", FULL=_FULL, step=names["leap"])["closure"]
    assert one != two
    assert is_fresh(one) and is_fresh(two)
    functions = execute(text.render())
    assert functions[one](1, 255) == 255
    assert functions[two](1, 255) == 0b1010101


def test_the_same_instance_is_written_once():
    text = _text_with_steps()
    step = _names(text)["left"]
    one = instantiate(text, "sets", FULL=_FULL, step=step)["closure"]
    count = len(text.functions)
    assert instantiate(text, "sets", step=step, FULL=_FULL)["closure"] == one
    assert len(text.functions) == count


def test_only_what_is_asked_for_is_written_with_what_it_calls():
    text = Text()
    functions = instantiate(text, "sets")
    assert not text.functions
    first = functions["first_subset"]
    assert list(text.functions) == [first]
    functions["next_subset"]
    assert len(text.functions) == 2
    assert f"{first}(behind" in text.functions[functions["next_subset"]]


def test_another_function_stands_in_the_place_of_a_default():
    text = Text()
    text.share("surely", "(C: ints[CONTEXT], S: state, m: int) -> int:\n    return 1\n")
    surely = _names(text)["surely"]
    lengths = ["POSITIONS", "EDGES", "WORTHS", "KEYS", "BRANCHES"]
    numbers = dict.fromkeys([*lengths, "COLUMNS", "ACTOR", "PHASE", "TURNS", "OVERFLOW"], 1)
    text.share("judge", "(C: int, S: int, T: int, worths: int, at: int) -> int:\n    return 0\n")
    text.share("list_steps", "(C: int, S: int, M: int) -> int:\n    return 0\n")
    holes = {**numbers, "judge": _names(text)["judge"], "list_steps": _names(text)["list_steps"]}
    usual = instantiate(text, "preferred_turns", **holes)
    proved = instantiate(text, "preferred_turns", prove=surely, **holes)
    assert usual["prove"] in text.functions[usual["draw_preferred"]]
    assert f"{surely}(context, state, move)" in text.functions[proved["draw_preferred"]] and proved["prove"] == surely
    with pytest.raises(NotDialect, match="has 1 parameters, and 'prove' 3"):
        text.share("short", "(m: int) -> int:\n    return m\n")
        instantiate(text, "preferred_turns", prove=_names(text)["short"], **holes)


def test_functions_under_fixed_names_are_written_in_any_case():
    text = Text()
    instantiate(text, "sampling", {"drawn_below": "drawn", "drawn_large": "drawn_large"})
    assert text.functions.keys() == {"drawn", "drawn_large"}


def test_tables_and_negative_numbers_fill_holes():
    text = Text()
    spread = instantiate(text, "sets", ROWS=[2, 5, 2])["spread"]
    assert execute(text.render())[spread](0b101) == 2
    assert "bits = (2, 5, 2)" in text.render()
    text.share("step", "(m: bits) -> bits:\n    return m\n")
    instantiate(text, "sets", FULL=-1, step=_names(text)["step"])["closure"]
    assert "^ (-1)" in text.render()


@pytest.mark.parametrize(
    ("holes", "message"),
    [
        ({"FULL": 1}, "the hole 'step' is open"),
        ({"FULL": 1, "step": "left", "ROOM": 3}, "other holes: ROOM"),
        ({"FULL": 1, "step": "both"}, "has 2 parameters, and 'step' 1"),
        ({"FULL": 1, "step": "missing"}, "there is no function 'missing' yet"),
        ({"FULL": "left", "step": "left"}, "'FULL' cannot be"),
        ({"FULL": 1, "step": 3}, "'step' cannot be '3'"),
        ({"FULL": [1, 2], "step": "left"}, "'FULL' cannot be"),
    ],
)
def test_holes_that_are_filled_wrongly(holes, message):
    text = _text_with_steps()
    names = _names(text)
    filled = {hole: names.get(value, value) if isinstance(value, str) else value for hole, value in holes.items()}
    with pytest.raises(NotDialect, match=re.escape(message)):
        instantiate(text, "sets", **filled)["closure"]


def test_a_fixed_name_for_no_function_of_the_file():
    with pytest.raises(NotDialect, match="no function of such a name: draw"):
        instantiate(Text(), "sampling", {"draw": "drawn"})


def test_a_fixed_name_that_nobody_expects():
    with pytest.raises(NotDialect, match="is no name of a function"):
        instantiate(Text(), "sampling", {"drawn_below": "pulled", "drawn_large": "drawn_large"})


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("SIZE: int\n\ndef f(SIZE: int) -> int:\n    return SIZE\n", "'SIZE' is assigned in 'f'"),
        ("def f(x: int) -> int:\n    f = x\n    return f\n", "'f' is assigned in 'f'"),
        ("SIZE = 3\n", "no part of an algorithm: SIZE = 3"),
        ("SIZE: float\n", "no part of an algorithm"),
        ("class SIZE:\n    length: int\n", "no part of an algorithm"),
        ("from zermelo.interpreter.native.dialect.words import mix as stir\n", "no part of an algorithm"),
        ("from zermelo.solvers.kernels.ranges import INFINITE\n", "no part of an algorithm"),
    ],
)
def test_files_that_are_no_algorithms(source, message):
    with pytest.raises(NotDialect, match=re.escape(message)):
        parse_algorithm(source)


def test_names_are_cut_where_the_syntax_has_them_and_nowhere_else():
    source = (
        '"""Of SIZE."""\n\nSIZE: int\n\ndef step(x: int) -> int: ...\n\n'
        'def f(C: ints[SIZE], step_x: int) -> int:\n    """SIZE: Größe."""\n    return step(C[SIZE - 1]) + step_x\n'
    )
    (pieces,) = parse_algorithm(source).functions.values()
    assert pieces[1::2] == ["SIZE", "step", "SIZE"]
    assert "".join(pieces) == "(C: ints[SIZE], step_x: int) -> int:\n    return step(C[SIZE - 1]) + step_x\n"


def test_a_length_is_a_number_and_imports_are_dropped():
    algorithm = parse_algorithm(
        "from zermelo.interpreter.native.dialect.words import Length, array\n\n"
        'class SIZE(metaclass=Length):\n    """The length."""\n\n'
        "def f() -> int:\n    return array(SIZE)[0]\n"
    )
    assert algorithm.numbers == {"SIZE"}
    assert algorithm.functions == {"f": ["() -> int:\n    return array(", "SIZE", ")[0]\n"]}


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_every_file_is_an_algorithm_with_a_word_on_each_function_and_is_used(path):
    source = path.read_text(encoding="utf-8")
    algorithm = parse_algorithm(source)
    assert algorithm.functions
    used = {piece for pieces in algorithm.functions.values() for piece in pieces[1::2]}
    holes = algorithm.names - algorithm.functions.keys()
    assert holes <= used, "a hole that nothing mentions"
    assert not any(is_fixed(hole) for hole in holes)
    assert max(algorithm.parameters.values()) <= 6
    assert source.count('"""') >= 2 * (1 + len(algorithm.functions))
    texts = [other.read_text(encoding="utf-8") for other in _FOLDER.parent.rglob("*.py") if other.parent != _FOLDER]
    assert any(f'"{path.stem}"' in text for text in texts)


# Functions that say ``yield``: the two executors do the same with them, wherever they are left and gone on with.


HEAD = """\
from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import Call, GiveUp, PlayError, Visit, array, floats, ints, mix


THREE = 3

DEPTH = 2


class Search:
    calls: list[Call]
    depth: int
    nodes: int
    value: int
    seen: int
    deepest: int
    rules: ints[Literal[1]]
"""

FIBONACCI = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    search.seen = mix(search.seen, n + 3 * other)
    if n < 2:
        return n
    one: int = yield work(search, n - 1, other + 1)
    two = yield work(search, n - 2, one)
    return one + two
"""

LOOPS = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    search.deepest = max(search.deepest, search.depth)
    kept = array(4)
    for k in range(4):
        kept[k] = n * k + other
    sum: int = 0
    last: int = min(n, 4)
    for k in range(1, last):
        if k == 3 and n % 2 == 0:
            continue
        value = yield work(search, n - k, kept[k] % 5)
        sum += value + kept[k]
        if sum > 1000:
            break
    for j in range(n % 3):
        last = 2 * last + j
        for i in range(j + last % 2):
            found = yield work(search, j, i)
            sum += found
        sum = 3 * sum + j
    while sum > 700:
        less = yield work(search, 1, sum % 7)
        sum -= less + 100
    search.seen = mix(search.seen, sum)
    return sum % 1000 + last
"""

CONSTANT = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    if n <= 0:
        return other
    sum: int = 0
    for k in range(THREE):
        value = yield work(search, n - 1 - k, k)
        sum = 2 * sum + value
    return sum
"""

EXCLUDED = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    sum: int = 0
    if DEPTH > 3 and n > 1:
        sum += yield work(search, n - 1, other, 3)
    elif DEPTH == 2 or n > 5:
        if n > 0:
            value = yield work(search, n - 1, other + 1)
            sum += 2 * value
    return sum + n
"""

TRYING = """
def work(search: Search, n: int, other: int) -> Visit[int]:
    search.nodes += 1
    search.seen = mix(search.seen, n + 3 * other)
    if n < 2:
        if search.seen % 8 == 0:
            search.rules[0] = search.seen
        return n
    sum: int = 0
    for k in range(3):
        if search.seen % 4 > 0:
            try:
                value = yield work(search, n - k - 1, other + k)
                sum += value
                if k == 2:
                    return 3 * sum
            except PlayError:
                value = yield work(search, n - 2, other)
                sum += 100 + value
        else:
            value = yield work(search, n - 2, other)
            sum -= value
    return sum
"""

TREES = [FIBONACCI, LOOPS, CONSTANT, EXCLUDED, TRYING]


@pytest.fixture
def module(tmp_path, monkeypatch):
    make = modules(tmp_path, monkeypatch)
    return lambda text: make(text, HEAD)


def run(kernels, made, n, budget, room):
    """A search in slices of a length, in a list that becomes longer; where it has come back, and what it has found."""
    search = kernels.new(made.Search, calls=room)
    search.calls[0].n, search.calls[0].other = n, 1
    answers = []
    while (answer := kernels.go_on_with(made.work, search, budget)) >= 0 and search.rules[0] == 0:
        answers.append((answer, [call.n for call in kernels.waiting(search)]))
        if answer + 2 >= len(search.calls):
            kernels.grow(search, calls=len(search.calls) + 3)
    answers.append((answer, [call.n for call in kernels.waiting(search)]))
    return answers, answer, search.value, search.seen, search.deepest, search.rules[0]


def straight(made, n):
    """The same by calls that call each other."""
    search = SimpleNamespace(seen=0, deepest=0, depth=0, nodes=0, rules=[0])

    def value(call):
        result, is_wrong = None, False
        while True:
            try:
                behind = call.throw(PlayError) if is_wrong else call.send(result)
            except StopIteration as returned:
                if search.rules[0]:
                    search.rules[0] = 0
                    raise PlayError from None
                return returned.value
            search.depth += 1
            try:
                result, is_wrong = value(behind), False
            except PlayError:
                is_wrong = True
            search.depth -= 1

    return value(made.work(search, n, 1)), search.seen, search.deepest


@needs_llvm
@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("budget", [1, 2, 7, 1 << 40])
def test_executors_agree_wherever_they_come_back(module, text, budget):
    made = module(text)
    found = [run(load(kernel(made.work), compiled), made, 9, budget, 3) for compiled in (False, True)]
    assert found[0] == found[1]
    assert found[0][1:] == (-1, *straight(made, 9), 0)


@needs_llvm
@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("budget", [1, 1 << 40])
def test_errors_of_the_rules_that_nobody_catches_leave_the_calls_as_they_are(module, n, budget):
    made = module(TRYING.replace("% 8 == 0", "% 3 > 0").replace("% 4 > 0", "% 4 > 1"))
    python, machine = (run(load(kernel(made.work), compiled), made, n, budget, 30) for compiled in (False, True))
    assert python == machine
    assert python[-1] == 0 or python[1] >= 0


@needs_llvm
def test_a_list_without_room_is_not_left(module):
    made = module(FIBONACCI)
    for compiled in (False, True):
        kernels = load(kernel(made.work), compiled)
        search = kernels.new(made.Search, calls=1)
        search.calls[0].n = 5
        assert [kernels.go_on_with(made.work, search, 10) for _ in range(2)] == [0, 0]
        kernels.grow(search, calls=8)
        assert kernels.go_on_with(made.work, search, 100) == -1
        assert search.value == 5


@needs_llvm
def test_a_search_may_be_given_up(module):
    made = module(FIBONACCI.replace("        return n\n", "        raise GiveUp(-7)\n"))
    found = [run(load(kernel(made.work), compiled), made, 5, 100, 30) for compiled in (False, True)]
    assert found[0] == found[1]
    assert found[0][1:3] == (-7, 0)


@needs_llvm
def test_the_depth_is_known_in_the_search_function_alone(module):
    """Compiled code has it in memory only between slices: another function would read an old one."""
    made = module(f"""
def is_deep(search: Search) -> bool:
    return search.depth > 1
{FIBONACCI.replace("n + 3 * other", "n + is_deep(search)")}""")
    with pytest.raises(NotDialect, match=r"is_deep reads 'search.depth', which is known in work alone"):
        load(kernel(made.work))


@needs_llvm
def test_what_calls_keep_is_what_they_need():
    function = ast.parse(getsource(minimax)).body[0]
    assert list(fields_of_call(function)) == ["state", "best", "listed", "rest", "move"]
    function = ast.parse(getsource(alphabeta)).body[0]
    kept = ["state", "alpha", "beta", "outer", "legal", "count", "least", "most", "best", "best_move", "k"]
    assert list(fields_of_call(function)) == kept


@needs_llvm
@pytest.mark.parametrize(
    "body",
    [
        "best = 0\n    value = yield work(search, n, 0)\n    return best + value",
        "for k in range(n):\n        k = k + 1\n        value = yield work(search, k, 0)\n    return 0",
    ],
)
def test_what_calls_cannot_keep(module, body):
    made = module(f"def work(search: Search, n: int, other: int) -> Visit[int]:\n    {body}\n")
    for compiled in (False, True):
        with pytest.raises(NotDialect):
            load(kernel(made.work), compiled)


@needs_llvm
@pytest.mark.parametrize(
    "body",
    [
        "return 1 + (yield work(search, n, 0))",
        "value = yield work(search, n)\n    return value",
        "value = yield n\n    return value",
        "value = yield other_work(search, n, 0)\n    return value",
        "value = yield work(n, n, 0)\n    return value",
        "if n > 0:\n        raise ValueError(n)\n    value = yield work(search, n, 0)\n    return value",
    ],
)
def test_what_is_not_in_the_dialect(module, body):
    made = module(f"def work(search: Search, n: int, other: int) -> Visit[int]:\n    {body}\n")
    with pytest.raises(NotDialect):
        load(kernel(made.work))


@needs_llvm
def test_a_text_has_one_search_function(module):
    made = module(f"{FIBONACCI}\n{FIBONACCI.replace('work', 'other_work')}")
    with pytest.raises(NotDialect):
        load(kernel(made.work))
