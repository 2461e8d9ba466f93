"""Algorithms with holes: cutting and filling of files, and refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zermelo.interpreter.native import algorithms
from zermelo.interpreter.native.dialect.kernel_source import instantiate, parsed
from zermelo.interpreter.native.dialect.language import NotDialect, execute
from zermelo.interpreter.native.dialect.lowered_text import Text, is_fixed, is_fresh

_FOLDER = Path(algorithms.__file__).parent
_FILES = sorted(path for path in _FOLDER.glob("*.py") if path.stem != "__init__")
_FULL = (1 << 64) - 1


def _text_with_steps() -> Text:
    """A text with three functions: to the place on the left, to the one behind, and one of two parameters."""
    text = Text()
    text.shared("left", "(m: bits) -> bits:\n    return (m << 1) & 255\n")
    text.shared("leap", "(m: bits) -> bits:\n    return (m << 2) & 255\n")
    text.shared("both", "(m: bits, n: bits) -> bits:\n    return m & n\n")
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
    text.shared("surely", "(C: ints[CONTEXT], S: state, m: int) -> int:\n    return 1\n")
    surely = _names(text)["surely"]
    lengths = ["POSITIONS", "EDGES", "WORTHS", "KEYS", "BRANCHES"]
    numbers = dict.fromkeys([*lengths, "COLUMNS", "ACTOR", "PHASE", "TURNS", "OVERFLOW"], 1)
    text.shared("judge", "(C: int, S: int, T: int, worths: int, at: int) -> int:\n    return 0\n")
    text.shared("list_steps", "(C: int, S: int, M: int) -> int:\n    return 0\n")
    holes = {**numbers, "judge": _names(text)["judge"], "list_steps": _names(text)["list_steps"]}
    usual = instantiate(text, "preferred_turns", **holes)
    proved = instantiate(text, "preferred_turns", prove=surely, **holes)
    assert usual["prove"] in text.functions[usual["any_kept"]]
    assert f"{surely}(context, state, move)" in text.functions[proved["any_kept"]] and proved["prove"] == surely
    with pytest.raises(NotDialect, match="has 1 parameters, and 'prove' 3"):
        text.shared("short", "(m: int) -> int:\n    return m\n")
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
    text.shared("step", "(m: bits) -> bits:\n    return m\n")
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
        parsed(source)


def test_names_are_cut_where_the_syntax_has_them_and_nowhere_else():
    source = (
        '"""Of SIZE."""\n\nSIZE: int\n\ndef step(x: int) -> int: ...\n\n'
        'def f(C: ints[SIZE], step_x: int) -> int:\n    """SIZE: Größe."""\n    return step(C[SIZE - 1]) + step_x\n'
    )
    (pieces,) = parsed(source).functions.values()
    assert pieces[1::2] == ["SIZE", "step", "SIZE"]
    assert "".join(pieces) == "(C: ints[SIZE], step_x: int) -> int:\n    return step(C[SIZE - 1]) + step_x\n"


def test_a_length_is_a_number_and_imports_are_dropped():
    algorithm = parsed(
        "from zermelo.interpreter.native.dialect.words import Length, array\n\n"
        'class SIZE(metaclass=Length):\n    """The length."""\n\n'
        "def f() -> int:\n    return array(SIZE)[0]\n"
    )
    assert algorithm.numbers == {"SIZE"}
    assert algorithm.functions == {"f": ["() -> int:\n    return array(", "SIZE", ")[0]\n"]}


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_every_file_is_an_algorithm_with_a_word_on_each_function_and_is_used(path):
    source = path.read_text(encoding="utf-8")
    algorithm = parsed(source)
    assert algorithm.functions
    used = {piece for pieces in algorithm.functions.values() for piece in pieces[1::2]}
    holes = algorithm.names - algorithm.functions.keys()
    assert holes <= used, "a hole that nothing mentions"
    assert not any(is_fixed(hole) for hole in holes)
    assert max(algorithm.parameters.values()) <= 6
    assert source.count('"""') >= 2 * (1 + len(algorithm.functions))
    texts = [other.read_text(encoding="utf-8") for other in _FOLDER.parent.rglob("*.py") if other.parent != _FOLDER]
    assert any(f'"{path.stem}"' in text for text in texts)
