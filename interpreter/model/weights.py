"""Linear evaluation: an estimate as the weighted sum of features.

The weights are kept apart from the rules, so that they can be changed, and learned, without reading the file again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

from attrs import evolve

from zermelo.grammar.diagnostics import Span, ZermeloError
from zermelo.interpreter import intervals, model
from zermelo.interpreter.suggestions import require_known
from zermelo.interpreter.types import NumberType
from zermelo.interpreter.values import MOST_DIGITS, exact, has_few_digits, read_number


def weighted_sum(features: Iterable[model.Feature], player: model.Expr, span: Span) -> model.Expr:
    """The weighted sum of the features of a player; 0 without features."""
    total: model.Expr | None = None
    for feature in features:
        value = model.Call(feature.define, (player,), type=feature.define.body.type, span=span)
        weight = model.Const(feature.weight, type=intervals.literal(feature.weight), span=span)
        term = _combined("*", weight, value)
        total = term if total is None else _combined("+", total, term)
    return model.Const(0, type=intervals.literal(0), span=span) if total is None else total


def _combined(operator: Literal["+", "*"], left: model.Expr, right: model.Expr) -> model.Expr:
    assert isinstance(left.type, NumberType), "weights are numbers"
    assert isinstance(right.type, NumberType), "elaboration lets only numbers be features of a sum"
    type = intervals.arithmetic(operator, left.type, right.type)
    return model.Arithmetic(operator, left, right, type=type, span=left.span)


def reweighed(game: model.Model, weights: Mapping[str, Any]) -> model.Model:
    """The game with other weights for some features, given as numbers or as text (``1/3``).

    Raises ``ZermeloError``: ``unknown-weight`` for a feature outside the game's weighted sum, ``weight-not-a-number``.
    """
    features = () if game.estimate is None else game.estimate.features
    known = [feature.name for feature in features]
    require_known(weights, known, "weight", "it has no estimate that is a weighted sum")
    if game.estimate is None or not weights:
        return game
    given = {name: _number(name, value) for name, value in weights.items()}
    changed = tuple(evolve(feature, weight=given.get(feature.name, feature.weight)) for feature in features)
    old = game.estimate.value
    player = model.Local(0, "player", type=game.player_type, span=old.span)
    estimate = evolve(game.estimate, features=changed, value=weighted_sum(changed, player, old.span))
    return evolve(game, estimate=estimate)


def _number(name: str, given: Any) -> Fraction | int:
    try:
        number = read_number(given) if isinstance(given, str) else exact(Fraction(given))
        if has_few_digits(number):
            return number
        given = f"one with more than {MOST_DIGITS:,} digits"
    except (ValueError, OverflowError):  # neither a number nor its text, or infinite
        given = f"'{given}'"
    raise ZermeloError(
        "weight-not-a-number", f"the weight of '{name}' must be a number, not {given}", "as in 3, -1/2 or 0.25"
    )
