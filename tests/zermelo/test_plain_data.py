"""Games as plain data: a round trip changes nothing, and reading makes nothing but the records that were written."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from attrs import define
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many

import zermelo
from zermelo.grammar.diagnostics import NOWHERE, Source, Span
from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.values import Direction, Edge, Member, OrderedSet
from zermelo.preparing import Unreadable, from_bytes, to_bytes

atoms = st.none() | st.booleans() | st.integers() | st.text() | st.fractions()
spans = st.builds(Span, *[st.integers(0, 9)] * 6)
values = st.recursive(
    atoms | spans,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(atoms, inner) | st.frozensets(atoms),
    max_leaves=30,
)


def kinds(value: object) -> object:
    """The value with the types of all its parts: 1, True and 1/1 are equal."""
    if isinstance(value, dict):
        return [(kinds(key), kinds(held)) for key, held in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [kinds(part) for part in value]
    return type(value), value


@given(values)
def test_what_is_written_is_read(value):
    read = from_bytes(to_bytes(value))
    assert read == value
    assert kinds(read) == kinds(value)


@given(st.permutations(range(24, 0, -8)), st.sampled_from([frozenset, set]))
def test_a_set_is_written_in_one_way(order, kind):
    """Those that fall into one place of a set are in the order in which they came; so are texts, in some processes."""
    assert to_bytes(kind(order)) == to_bytes(kind([8, 16, 24]))


def test_numbers_of_any_length():
    """Beyond Python's limit of decimal digits."""
    for number in (2**63, -(2**63), 2**63 - 1, 10**5000, -(10**5000), Fraction(10**5000, 3)):
        assert from_bytes(to_bytes(number)) == number


def test_what_was_one_object_is_one_again():
    member, source = Member("Letter", "a", 0), Source("name", "text")
    first, second, (third,) = from_bytes(to_bytes((member, OrderedSet([member]), [member])))
    assert first is third and list(second) == [first]
    one, another = from_bytes(to_bytes((source, source)))
    assert one is another and one == source


def test_classes_that_are_no_records():
    ends = OrderedSet([Member("Letter", "a", 0), Member("Letter", "b", 1)])
    edge, move, direction, refused = from_bytes(
        to_bytes((Edge("Pair", "ab", 3, ends), Move("go", (1,)), Direction(1, 0), Unsupported("a set", NOWHERE)))
    )
    assert (type(edge), edge.name, edge.index, list(map(str, edge.ends))) == (Edge, "ab", 3, ["a", "b"])
    assert (move, direction, type(direction)) == (Move("go", (1,)), (1, 0), Direction)
    assert (type(refused), refused.construct, refused.span) == (Unsupported, "a set", NOWHERE)


@pytest.mark.parametrize("kind", [Unsupported, *Unsupported.__subclasses__()])
def test_every_refusal_of_the_lowering_can_be_cached(kind):
    refused = from_bytes(to_bytes(kind("a set", NOWHERE)))
    assert (type(refused), refused.construct, refused.span) == (kind, "a set", NOWHERE)


@define(eq=False)
class Other:
    """A record outside our packages."""

    held: object


@pytest.mark.parametrize("value", [1.5, Other(1), object(), open, Fraction, b"bytes", [{1: print}]])
def test_nothing_else_is_written(value):
    with pytest.raises(TypeError, match="cannot be written"):
        to_bytes(value)


def test_what_holds_itself_is_not_written():
    own: list[object] = []
    own.append((own,))
    with pytest.raises(TypeError, match="holds itself"):
        to_bytes(own)


def test_any_depth_is_written_and_read():
    deep: tuple[object, ...] = ()
    for _level in range(50_000):
        deep = (deep,)
    read = from_bytes(to_bytes(deep))
    for _level in range(50_000):
        (read,) = read
    assert read == ()


@pytest.mark.parametrize(
    "kind",
    ["os.system", "builtins.eval", "builtins.open", "zermelo.grammar.engine.grammar_text",
     "zermelo.grammar.engine.Engine", "zermelo.foundation.disk_cache.clear",
     "zermelo.interpreter.native.running.kernels.Executor", "tests.Other", "Span", ""],
)  # fmt: skip
def test_only_listed_classes_are_made(kind):
    with pytest.raises(Unreadable):
        from_bytes(b'[["%s"],["true"],[[0,0]]]' % kind.encode())


@settings(max_examples=many(300))
@given(st.data())
def test_any_damage_is_unreadable_or_another_value(data):
    """Reading runs nothing but the constructors of these classes."""
    whole = to_bytes((Span(1, 2, 3, 4, 5, 6), {"key": [Fraction(1, 3)]}, Move("go"), OrderedSet([1, None])))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    with suppress(Unreadable):
        from_bytes(whole[:start] + data.draw(st.binary(max_size=4)) + whole[end:])


@pytest.mark.parametrize("name", zermelo.games())
def test_bundled_games_are_written_and_read(name):
    """Writing a game that was read gives the same text: nothing is lost, and the order of sets is preserved."""
    prepared = zermelo.load(name).prepared
    try:
        lowered = prepared.program
    except Unsupported as error:
        lowered = error
    content = (prepared.model, prepared.facts, lowered, None)
    written = to_bytes(content)
    model, facts, again, _size = from_bytes(written)
    assert facts == prepared.facts
    assert (model.title, model.parameters.keys()) == (prepared.model.title, prepared.model.parameters.keys())
    assert getattr(again, "text", None) == getattr(lowered, "text", None)
    assert to_bytes((model, facts, again, None)) == written
