"""Bodies of functions in the making, and the functions that they become."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported


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
