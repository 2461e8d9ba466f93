"""The coverage of random games: every construct that can matter in a play, in games that both machines play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from attrs import fields

from zermelo.grammar import syntax as syntax
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.parse import parse
from zermelo.interpreter.check import check
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower

RandomGame = Callable[[Random], str]

SAYINGS = {
    syntax.ClaimItem, syntax.Claim, syntax.LegendEntry, syntax.Legend, syntax.LayoutRow, syntax.LayoutAssignment,
    syntax.PlayedMove, syntax.ExpectValue, syntax.ExpectBest, syntax.ExpectCount, syntax.ExpectEquilibrium,
    syntax.ExpectTrue, syntax.ExpectKnows, syntax.ExpectIllegal, syntax.Expect, syntax.PlayLine, syntax.ExpectLine,
    syntax.Test, syntax.Feature, syntax.Weight, syntax.WeightedSum, syntax.Estimate, syntax.Unsettled,
    syntax.OrderMoves, syntax.Comment, syntax.PhaseMeasure, syntax.Witness,
    syntax.InPosition, syntax.InPhase, syntax.AtEnd, syntax.ExpectEvent,
}  # fmt: skip
"""Descriptions, display and search hints, on which no play depends."""


def nodes(part: Any) -> Iterator[syntax.Node]:
    """A node of a syntax tree and its descendants."""
    if isinstance(part, tuple):
        for each in part:
            yield from nodes(each)
    elif isinstance(part, syntax.Node):
        yield part
        for field in fields(type(part)):
            yield from nodes(getattr(part, field.name))


def kinds(base: type) -> Iterator[type]:
    """The concrete kinds of nodes."""
    for kind in base.__subclasses__():
        if not kind.__module__.startswith("zermelo.grammar.syntax"):
            continue  # intermediate nodes of the reader
        if kind.__subclasses__():
            yield from kinds(kind)
        elif getattr(syntax, kind.__name__) is kind:  # not what attrs made a class with slots of, not yet collected
            yield kind


def test_every_construct_is_written(random_game: RandomGame) -> None:
    """Within 150 games; the rest need not be written once nothing is missing."""
    missing = set(kinds(syntax.Node)) - SAYINGS
    uncalled = set(BUILT_IN_FUNCTIONS)
    for number in range(150):
        tree, _ = parse(Source("random.game", random_game(Random(number))))
        assert tree is not None
        for node in nodes(tree):
            missing.discard(type(node))
            if isinstance(node, syntax.Call):
                uncalled.discard(node.name.text)
        if not missing | uncalled:
            break
    assert {kind.__name__ for kind in missing} | uncalled == set()


def test_nearly_all_random_games_are_compared(random_game: RandomGame) -> None:
    refused = beyond = 0
    for number in range(2000, 2060):
        model, _ = check(Source("random.game", random_game(Random(number))))
        if model is None:
            refused += 1
            continue
        try:
            lower(model)
        except Unsupported:
            beyond += 1
    assert refused + beyond <= 6, f"{refused} are refused by the checker and {beyond} by the lowering"
