"""Loops, sets and lists in generated code, which runs here as Python."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Body, Text
from zermelo.interpreter.native.expressions.bindings import Writer, growing_list, growing_set


def function(text: Text, body: Body, result: str) -> Callable[[int], int]:
    """The body as a function of y."""
    text.function("moves(y: int) -> int", body, result)
    return execute(f"from __future__ import annotations\n{text.render()}")["moves"]


def test_a_loop_takes_the_members_out_of_a_set_in_order():
    text, body = Text(), Body()
    rest, found = text.let(body, "rest", "y", "bits"), text.let(body, "found", 0)
    with Writer(text, 64).each_member(body, rest, low=-2) as code:
        body.line(f"{found} = {found} * 10 + {code} + 2")
    count = function(text, body, f"{found} * 100 + {rest}")
    assert count(0) == 0
    assert count(0b11010) == 13400


def test_a_loop_goes_on_with_members_that_it_adds():
    text, body = Text(), Body()
    todo, steps = text.let(body, "todo", "y", "bits"), text.let(body, "steps", 0)
    with Writer(text, 64).each_member(body, todo) as place:
        body.line(f"{steps} += 1")
        body.line(f"{todo} = {todo} | (({place} < 5) << ({place} + 1))")
    assert function(text, body, steps)(0b100) == 4


def test_a_loop_reads_the_entries_of_a_part_of_a_table():
    text, body = Text(), Body()
    table, found = text.table([3, 1, 4, 1, 5]), text.let(body, "found", 0)
    with Writer(text, 64).each_entry(body, table, "1, y") as entry:
        body.line(f"{found} = {found} * 10 + {entry}")
    read = function(text, body, found)
    assert [read(1), read(4)] == [0, 141]


def test_a_growing_set_has_what_was_added():
    text, body = Text(), Body()
    found = growing_set(text, body, "found", low=-3)
    with body.block("for i in range(y)"):
        found.add(body, "(i - 3)")
        found.add(body, "0")
    build = function(text, body, found.mask)
    assert [build(0), build(1), build(3)] == [0, 0b1001, 0b1111]


def test_a_growing_list_keeps_its_arrays_in_step():
    text, body = Text(), Body()
    numbers, squares = text.array(body, "numbers", 9), text.array(body, "squares", 9)
    found = growing_list(text, body, numbers, squares)
    with body.block("for i in range(2, y)"):
        found.append(body, "i", "i * i")
    last = function(text, body, f"{found.count} * 100 + {numbers}[{found.count} - 1] * 10 + {squares}[1]")
    assert last(5) == 349
