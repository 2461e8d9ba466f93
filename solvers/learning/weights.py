"""What has been learnt about a game, and its file: readable JSON, from which learning can go on.

A file belongs to one game: it has a digest of the rules, the parameters, and the names of the features. It has no time
and no place in it, so that the same seed writes the same file everywhere.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NoReturn

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError

FORMAT: Final = "zermelo weights 1"
"""What the first line of a file says, so that later programs know what they read."""

PARTS: Final = 100_000
"""Estimates take weights to so many parts of 1: numbers of lowered rules are whole multiples of such parts."""

METHODS: Final = ("td",)
"""The names of the methods."""

MOST_HIDDEN: Final = 1000
"""The most hidden units."""

MOST_COUNT: Final = (1 << 62) - 1
"""The largest whole number in a file."""

MOST_WEIGHT: Final = 1e9
"""The bound on weights: sums over the inputs of a network have fewer than 63 bits."""

_LARGEST: Final = sys.float_info.max

_AGAIN: Final = "`zermelo learn GAME -o FILE` writes such a file"


@frozen
class LearnableGame:
    """The game that something has been learnt about: its title, its parameters as text, the digest of its rules, and
    the names of the features of its estimate, or of the units that are the inputs of a network."""

    title: str
    parameters: Mapping[str, str]
    sha256: str
    features: tuple[str, ...]


@frozen
class TDSettings:
    """How TD(lambda) learns: ``alpha`` and ``lambda_`` as in :mod:`zermelo.solvers.kernels.temporal_differences`, and
    the share of decisions at which a move is made at random, ``exploration``; with so many ``hidden`` units a network
    learns, and with 0 the weights of features. A network with ``perspective`` sees positions as the player whose turn
    it is does (:mod:`zermelo.interpreter.model.networks`)."""

    alpha: float = 0.1
    lambda_: float = 0.7
    exploration: float = 0.1
    hidden: int = 0
    perspective: bool = False


@frozen
class CurvePoint:
    """The root mean square of the differences met since the point before, in units of payoff, after so many
    ``games``. If what was known then has been judged: the root mean square of its errors against exact values, and what
    a greedy move loses, both in positions as often as they come up in play (:mod:`zermelo.judging`)."""

    games: int
    error: float
    exact: float | None = None
    loss: float | None = None

    @property
    def record(self) -> dict[str, float | None]:
        """What stands in a file."""
        judged = {} if self.exact is None else {"exact": self.exact, "loss": self.loss}
        return {"games": self.games, "error": self.error, **judged}


@frozen
class Progression:
    """What learning needs to go on: the state of the random generator, the greatest squares of the features, and the
    number and the sum of the squares of the differences since the last point of the curve."""

    random: int
    largest: tuple[float, ...]
    differences: int
    squares: float


@frozen(repr=False)
class Weights:
    """The weights learnt for the features of a ``game`` in so many ``games`` by a ``method``; or those of a network,
    from each unit to each hidden one, unit by unit, then from each hidden unit to the output, and a constant. ``curve``
    tells how learning went. :func:`zermelo.learn` makes them.

    >>> import zermelo
    >>> found = zermelo.learn(zermelo.load("tic_tac_toe"), games=1000)
    >>> found.games, 0.05 < found.by_name["open_lines"] < 0.5
    (1000, True)
    """

    game: LearnableGame
    method: str
    seed: int
    settings: TDSettings
    games: int
    weights: tuple[float, ...]
    curve: tuple[CurvePoint, ...]
    progression: Progression

    def __repr__(self) -> str:
        how = f"by {self.method} in {self.games:,} games"
        return f"<{len(self.weights)} weights for '{self.game.title}' learnt {how}>"

    @property
    def by_name(self) -> dict[str, float]:
        """The weights by the names of the features; empty for a network."""
        return {} if self.settings.hidden else dict(zip(self.game.features, self.weights, strict=True))

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """Of a network: for each unit its weights to all hidden ones, and in the end those to the output."""
        hidden, inputs = self.settings.hidden, len(self.game.features)
        firsts = (k * hidden for k in range(inputs))
        return (*(self.weights[first : first + hidden] for first in firsts), self.weights[inputs * hidden :])

    @property
    def rounded(self) -> dict[str, Fraction]:
        """The weights as estimates of the game take them: whole multiples of one part in :data:`PARTS`."""
        return {name: Fraction(round(weight * PARTS), PARTS) for name, weight in self.by_name.items()}

    def text(self) -> str:
        """The content of the file."""
        features, going_on = self.game.features, self.progression
        record = {
            "format": FORMAT,
            "game": {
                "title": self.game.title,
                "parameters": dict(self.game.parameters),
                "sha256": self.game.sha256,
            },
            "method": self.method,
            "seed": self.seed,
            "alpha": self.settings.alpha,
            "lambda": self.settings.lambda_,
            "exploration": self.settings.exploration,
            "hidden": self.settings.hidden,
            "perspective": self.settings.perspective,
            "games": self.games,
            **self._weights_record(),
            "curve": [point.record for point in self.curve],
            "to_go_on": {
                "random": going_on.random,
                "largest_squares": dict(zip(features, going_on.largest, strict=True)),
                "differences": going_on.differences,
                "sum_of_squares": going_on.squares,
            },
        }
        return json.dumps(record, indent=1, ensure_ascii=False) + "\n"

    def _weights_record(self) -> dict[str, object]:
        if not self.settings.hidden:
            return {"weights": self.by_name}
        *rows, output = self.rows
        named = {name: list(row) for name, row in zip(self.game.features, rows, strict=True)}
        return {"weights": named, "output": list(output)}


def parse_weights(name: str, text: str) -> Weights:
    """The content of the file of this name. Raises ``ZermeloError`` (``bad-weights``)."""
    try:
        record = json.loads(text, parse_constant=lambda word: refuse_weights(name, f"{word} is no number"))
    except (ValueError, RecursionError):
        refuse_weights(name, "it is not JSON, or its end is missing")
    return _Reader(name).weights(record)


def refuse_weights(name: str, why: str, advice: str = _AGAIN) -> NoReturn:
    """Refuse a file."""
    raise ZermeloError("bad-weights", f"the weights in {name} cannot be used: {why}", advice)


@frozen
class _Reader:
    """Reads the parts of a record, and refuses the file if one is missing, or is something else."""

    name: str

    def weights(self, record: Any) -> Weights:
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            refuse_weights(self.name, f"it does not say that it has {FORMAT}")
        game, going_on = self.part(record, "game"), self.part(record, "to_go_on")
        hidden = self.count(record, "hidden")
        names = tuple(self.part(record, "weights"))
        weights = (
            self.network(record, hidden)
            if hidden
            else tuple(self.numbers(record, "weights", -MOST_WEIGHT, MOST_WEIGHT).values())
        )
        largest = self.numbers(going_on, "largest_squares", 0)
        parameters = self.part(game, "parameters")
        if tuple(largest) != names:
            refuse_weights(self.name, "'largest_squares' and 'weights' are of different features")
        points = record.get("curve")
        if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
            refuse_weights(self.name, "'curve' is no list of points")
        method = self.word(record, "method")
        if method not in METHODS:
            refuse_weights(self.name, f"'method' is {method}, which is none of {', '.join(METHODS)}")
        return Weights(
            LearnableGame(
                self.word(game, "title"),
                {key: self.word(parameters, key) for key in parameters},
                self.word(game, "sha256"),
                names,
            ),
            method,
            self.count(record, "seed"),
            TDSettings(
                self.number(record, "alpha", 0, 1),
                self.number(record, "lambda", 0, 1),
                self.number(record, "exploration", 0, 1),
                hidden,
                record.get("perspective") is True,
            ),
            self.count(record, "games"),
            weights,
            tuple(map(self.point, points)),
            Progression(
                self.count(going_on, "random"),
                tuple(largest.values()),
                self.count(going_on, "differences"),
                self.number(going_on, "sum_of_squares", 0),
            ),
        )

    def point(self, record: Mapping[str, Any]) -> CurvePoint:
        judged = (self.number(record, key, 0) if key in record else None for key in ("exact", "loss"))
        return CurvePoint(self.count(record, "games"), self.number(record, "error", 0), *judged)

    def part(self, record: Mapping[str, Any], key: str) -> dict[str, Any]:
        found = record.get(key)
        if not isinstance(found, dict):
            refuse_weights(self.name, f"'{key}' is missing")
        return found

    def word(self, record: Mapping[str, Any], key: str) -> str:
        found = record.get(key)
        if not isinstance(found, str):
            refuse_weights(self.name, f"'{key}' is no text")
        return found

    def count(self, record: Mapping[str, Any], key: str) -> int:
        found = record.get(key)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= MOST_COUNT:
            refuse_weights(self.name, f"'{key}' is no whole number from 0 on")
        return found

    def number(self, record: Mapping[str, Any], key: str, low: float = -_LARGEST, high: float = _LARGEST) -> float:
        found = record.get(key)
        if not isinstance(found, int | float) or isinstance(found, bool) or not low <= found <= high:
            refuse_weights(self.name, f"'{key}' is no number from {low:g} to {high:g}")
        return float(found)

    def numbers(
        self, record: Mapping[str, Any], key: str, low: float = -_LARGEST, high: float = _LARGEST
    ) -> dict[str, float]:
        part = self.part(record, key)
        return {name: self.number(part, name, low, high) for name in part}

    def network(self, record: Mapping[str, Any], hidden: int) -> tuple[float, ...]:
        """The weights of a network."""
        rows = [*self.part(record, "weights").values(), record.get("output")]
        lengths = [hidden] * (len(rows) - 1) + [hidden + 1]
        found: list[float] = []
        for row, length in zip(rows, lengths, strict=True):
            if not isinstance(row, list) or len(row) != length:
                refuse_weights(self.name, f"it has not a weight for each of {hidden} hidden units")
            found += [self.number({"weights": weight}, "weights", -MOST_WEIGHT, MOST_WEIGHT) for weight in row]
        return tuple(found)
