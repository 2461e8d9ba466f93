"""How well a program has learnt after so many games, for a picture, and as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from attrs import evolve

from zermelo.drawing.tables import picture_title
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.learning import check_weights, read_weights
from zermelo.pictures.curves import DrawnCurves, NamedCurve, curves_picture
from zermelo.pictures.marks import Picture, Rows
from zermelo.solvers.learning.weights import CurvePoint, TDSettings, Weights

_MEASURES: Final[Mapping[str, Callable[[CurvePoint], float | None]]] = {
    "error": lambda point: point.exact,
    "loss a move": lambda point: point.loss,
    "difference": lambda point: point.error,
}
"""The numbers of a point: those of a judgement by exact values, and the difference from one move to the next."""


def learning_picture(state: State, weights: Sequence[Weights | str | PathLike[str]]) -> Picture:
    """The curves of weights that have been learnt, or of files of them, with all their points as rows.

    Raises ``ZermeloError``: ``bad-usage`` if there is nothing to draw, ``unreadable-file``, ``bad-weights``."""
    if not weights:
        raise ZermeloError("bad-usage", "nothing has been learnt", "--weights FILE names a file of `zermelo learn`")
    files = {
        f"weights {number}" if isinstance(each, Weights) else fspath(each): each
        for number, each in enumerate(weights, 1)
    }
    known = {name: each if isinstance(each, Weights) else read_weights(Path(each)) for name, each in files.items()}
    for name, each in known.items():
        check_weights(name, each, state.game)
    return evolve(curves_picture(draw_learning(state, [*known.values()])), rows=learning_rows(known))


def draw_learning(state: State, files: Sequence[Weights]) -> DrawnCurves:
    """The curves of files: of those that differ in their seeds alone the mean, and what lies between.

    Raises ``ZermeloError`` (``bad-usage``) if there is nothing to draw."""
    alike: dict[object, list[Weights]] = {}
    for each in files:
        alike.setdefault((each.method, each.settings), []).append(each)
    curves = [curve for seeds in alike.values() for curve in _curves(seeds, len(alike) > 1)]
    if not curves:
        raise ZermeloError("bad-usage", "nothing is known of how learning went", "more --games are needed")
    amounts = [amount for curve in curves for _, amount in curve.points]
    amounts += [amount for curve in curves for ends in curve.spread for amount in ends]
    seeds = f"Seeds: {', '.join(str(each.seed) for each in files)}."
    bands = "Lines are means, bands reach from the least to the most."
    return DrawnCurves(
        f"{picture_title(state)}: what was learnt",
        "games",
        "units of payoff",
        min(amounts) > 0,
        tuple(curves),
        (f"{seeds} {bands}" if any(curve.spread for curve in curves) else seeds,),
    )


def _curves(seeds: Sequence[Weights], has_others: bool) -> Iterator[NamedCurve]:
    """The curves of files with the same settings, at the numbers of games that all of them have."""
    first = seeds[0]
    by_games = [{point.games: point for point in each.curve} for each in seeds]
    games = sorted(set.intersection(*map(set, by_games)))
    whose = f" ({_settings_text(first)})" if has_others else ""
    for name, of in _MEASURES.items():
        rows = [(count, [of(points[count]) for points in by_games]) for count in games]
        known = [(count, [Fraction(amount) for amount in row if amount is not None]) for count, row in rows]
        whole = [(count, row) for count, row in known if len(row) == len(seeds)]
        if whole:
            means = tuple((count, sum(row, Fraction(0)) / len(row)) for count, row in whole)
            spread = tuple((min(row), max(row)) for _, row in whole) if len(seeds) > 1 else ()
            yield NamedCurve(name + whose, means, spread)


def _settings_text(known: Weights) -> str:
    """What tells files apart that have not learnt alike."""
    settings = known.settings
    if not isinstance(settings, TDSettings):
        return f"{known.method}, depth {settings.depth}"
    how = f"{settings.hidden} hidden" if settings.hidden else "features"
    return f"{how}, λ {settings.lambda_:g}"


def learning_rows(files: Mapping[str, Weights]) -> Rows:
    """All points of all files, by their names."""
    kinds = {
        "file": "string", "method": "string", "hidden": "int64", "alpha": "double", "lambda": "double",
        "terms": "int64", "depth": "int64", "exploration": "double", "seed": "int64", "games": "int64",
        "difference": "double", "error": "double", "loss": "double",
    }  # fmt: skip
    settings = ("hidden", "alpha", "lambda_", "terms", "depth", "exploration")
    rows: list[tuple[str | int | float | None, ...]] = []
    for name, known in files.items():
        whole = (name, known.method, *(getattr(known.settings, each, None) for each in settings), known.seed)
        rows += [(*whole, point.games, point.error, point.exact, point.loss) for point in known.curve]
    return Rows(kinds, tuple(rows))
