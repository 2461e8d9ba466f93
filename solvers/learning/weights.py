"""What has been learnt about a game, and its file: readable JSON, from which learning can go on.

A file belongs to one game: it has a digest of the rules, the parameters, and the names of the features. It has no time
and no place in it, so that the same seed writes the same file everywhere.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any, ClassVar, Final, NoReturn

from attrs import evolve, fields, frozen

from zermelo.foundation.records import Unchanging
from zermelo.grammar.diagnostics import ZermeloError

FORMAT: Final = "zermelo weights 1"
"""What the first line of a file says, so that later programs know what they read."""

PARTS: Final = 100_000
"""Estimates take weights to so many parts of 1: numbers of lowered rules are whole multiples of such parts."""

MOST_HIDDEN: Final = 1000
"""The most hidden units."""

MOST_TERMS: Final = 1000
"""The most terms at a time."""

MOST_DEPTH: Final = 64
"""The most plies that players look ahead."""

MOST_RECORDS: Final = 10_000_000
"""The most positions that are kept."""

MOST_COUNT: Final = (1 << 62) - 1
"""The largest whole number in a file."""

MOST_WEIGHT: Final = 1e9
"""The bound on weights: sums over the inputs of a network have fewer than 63 bits."""

_LARGEST: Final = sys.float_info.max

_RANGES: Final = {
    "alpha": (0, 1),
    "alpha_weights": (-MOST_WEIGHT, MOST_WEIGHT),
    "correlation": (-1, 1),
    "exploration": (0, 1),
    "gain": (-_LARGEST, _LARGEST),
    "lambda_": (0, 1),
    "signs": (-1, 1),
}
"""What numbers of a file may be that are no counts, by the names of the fields; others are not below 0."""

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
class GeneralizationSettings:
    """How Samuel's learning by generalization learns: so many ``terms`` at a time, looking so many plies ahead
    (``depth``), with a move at random in this share of the decisions (``exploration``)."""

    terms: int = 16
    depth: int = 2
    exploration: float = 0.1
    hidden: ClassVar[int] = 0
    perspective: ClassVar[bool] = False


@frozen
class ClimbingSettings:
    """How SPSA climbs: looking so many plies ahead (``depth``), with a move at random in this share of the decisions
    (``exploration``)."""

    depth: int = 2
    exploration: float = 0.1
    hidden: ClassVar[int] = 0
    perspective: ClassVar[bool] = False


@frozen
class RoteSettings:
    """How Samuel's rote learning learns: looking so many plies ahead (``depth``), with a move at random in this share
    of the decisions (``exploration``), and with room for so many ``records``."""

    depth: int = 2
    exploration: float = 0.1
    records: int = 100_000
    hidden: ClassVar[int] = 0
    perspective: ClassVar[bool] = False


Settings = TDSettings | GeneralizationSettings | ClimbingSettings | RoteSettings
"""How a method learns."""


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


@frozen
class GeneralizationProgression:
    """What :mod:`zermelo.solvers.kernels.generalization` needs to go on: the state of the random generator, the
    greatest sizes of the features, Alpha's weights, and what is known of each feature as a term, by their names; the
    ``order`` of the terms and the reserve; Alpha's losses, and how often Alpha and Beta have won; the number and the
    sum of the squares of the differences since the last point of the curve."""

    random: int
    sizes: tuple[float, ...]
    alpha_weights: tuple[float, ...]
    correlation: tuple[float, ...]
    uses: tuple[int, ...]
    marks: tuple[int, ...]
    exchanged: tuple[int, ...]
    order: tuple[str, ...]
    losses: int
    wins: int
    defeats: int
    differences: int
    squares: float


@frozen
class ClimbingProgression:
    """What :mod:`zermelo.solvers.kernels.climbing` needs to go on: the state of the random generator, the greatest
    sizes of the features, the ``signs`` by which weights are disturbed, and what Alpha has gained by them in the
    present pair of plays; the number and the sum of the squares of the differences since the last point of the
    curve."""

    random: int
    sizes: tuple[float, ...]
    signs: tuple[float, ...]
    gain: float
    differences: int
    squares: float


@frozen
class RoteProgression:
    """What :mod:`zermelo.solvers.kernels.rote` needs to go on beside its records: the state of the random generator,
    how many positions at horizons were found, scores refreshed, and records forgotten; the number and the sum of the
    squares of the differences since the last point of the curve."""

    random: int
    hits: int
    refreshed: int
    forgotten: int
    differences: int
    squares: float


AnyProgression = Progression | GeneralizationProgression | ClimbingProgression | RoteProgression


@frozen(eq=False, repr=False)
class Records:
    """The positions that have been kept, row by row: keys of ``width`` words, whose bits are laid out as ``layout``
    says, as numbers with a sign; scores, depths, and ages."""

    width: int
    layout: str
    keys: array[int]
    scores: array[float]
    depths: array[int]
    ages: array[int]

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self.scores)

    def digest(self, text: str) -> str:
        """The digest of these records and of what is said about them."""
        parts = (text.encode(), self.layout.encode(), *(column.tobytes() for column in self.columns))
        return sha256(b"".join(parts)).hexdigest()

    @property
    def columns(self) -> tuple[array[Any], ...]:
        """All numbers."""
        return self.keys, self.scores, self.depths, self.ages


@frozen(repr=False)
class Weights(Unchanging):
    """The weights learnt for the features of a ``game`` in so many ``games`` by a ``method``; or those of a network,
    from each unit to each hidden one, unit by unit, then from each hidden unit to the output, and a constant. ``curve``
    tells how learning went. What has been learnt by rote are ``records``, and the weights are the file's own.
    :func:`zermelo.learn` makes them.

    >>> import zermelo
    >>> found = zermelo.learn(zermelo.load("tic_tac_toe"), games=1000)
    >>> found.games, 0.05 < found.by_name["open_lines"] < 0.5
    (1000, True)
    """

    game: LearnableGame
    method: str
    seed: int
    settings: Settings
    games: int
    weights: tuple[float, ...]
    curve: tuple[CurvePoint, ...]
    progression: AnyProgression
    records: Records | None = None

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
        """The content of the file, or what a file of records says beside them."""
        record = {
            "format": FORMAT,
            "game": {
                "title": self.game.title,
                "parameters": dict(self.game.parameters),
                "sha256": self.game.sha256,
            },
            "method": self.method,
            "seed": self.seed,
            **_record_of(self.settings, self.game.features),
            "games": self.games,
            **self._weights_record(),
            "curve": [point.record for point in self.curve],
            "to_go_on": _record_of(self.progression, self.game.features),
        }
        return json.dumps(record, indent=1, ensure_ascii=False) + "\n"

    def _weights_record(self) -> dict[str, object]:
        if not self.settings.hidden:
            return {"weights": self.by_name}
        *rows, output = self.rows
        named = {name: list(row) for name, row in zip(self.game.features, rows, strict=True)}
        return {"weights": named, "output": list(output)}


BY_METHOD: Final[Mapping[str, tuple[type[Any], type[Any]]]] = {
    "td": (TDSettings, Progression),
    "weights": (GeneralizationSettings, GeneralizationProgression),
    "spsa": (ClimbingSettings, ClimbingProgression),
    "rote": (RoteSettings, RoteProgression),
}
"""The settings of each method, by its name, and what it needs to go on."""

_KEYS: Final = {"lambda_": "lambda", "largest": "largest_squares", "squares": "sum_of_squares"}
"""What fields are called in a file, where that is something else."""


def _record_of(held: Any, features: tuple[str, ...]) -> dict[str, object]:
    """The fields of a record as a file has them: what there is of each feature by its name."""
    record: dict[str, object] = {}
    for each in fields(type(held)):
        value = getattr(held, each.name)
        if each.type in ("tuple[float, ...]", "tuple[int, ...]"):
            value = dict(zip(features, value, strict=True))
        record[_KEYS.get(each.name, each.name)] = value
    return record


def parse_weights(name: str, text: str, records: Records | None = None) -> Weights:
    """The content of the file of this name, which has these records. Raises ``ZermeloError`` (``bad-weights``)."""
    try:
        record = json.loads(text, parse_constant=lambda word: refuse_weights(name, f"{word} is no number"))
    except (ValueError, RecursionError):
        refuse_weights(name, "it is not JSON, or its end is missing")
    found = _Reader(name).weights(record)
    if isinstance(found.settings, RoteSettings) and records is None:
        refuse_weights(name, "'method' is rote, and there are no records")
    return evolve(found, records=records)


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
        hidden = self.count(record, "hidden") if "hidden" in record else 0
        names = tuple(self.part(record, "weights"))
        weights = (
            self.network(record, hidden)
            if hidden
            else tuple(self.numbers(record, "weights", -MOST_WEIGHT, MOST_WEIGHT).values())
        )
        parameters = self.part(game, "parameters")
        points = record.get("curve")
        if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
            refuse_weights(self.name, "'curve' is no list of points")
        method = self.word(record, "method")
        if method not in BY_METHOD:
            refuse_weights(self.name, f"'method' is {method}, which is none of {', '.join(BY_METHOD)}")
        settings, progression = BY_METHOD[method]
        return Weights(
            LearnableGame(
                self.word(game, "title"),
                {key: self.word(parameters, key) for key in parameters},
                self.word(game, "sha256"),
                names,
            ),
            method,
            self.count(record, "seed"),
            settings(**self.fields(record, settings, names)),
            self.count(record, "games"),
            weights,
            tuple(map(self.point, points)),
            progression(**self.fields(going_on, progression, names)),
        )

    def point(self, record: Mapping[str, Any]) -> CurvePoint:
        """A point of the curve."""
        judged = (self.number(record, key, 0) if key in record else None for key in ("exact", "loss"))
        return CurvePoint(self.count(record, "games"), self.number(record, "error", 0), *judged)

    def fields(self, record: Mapping[str, Any], kind: Any, names: tuple[str, ...]) -> dict[str, Any]:
        """The fields of a record, by what they are called in Python."""
        return {each.name: self.field(record, each, names) for each in fields(kind)}

    def field(self, record: Mapping[str, Any], each: Any, names: tuple[str, ...]) -> object:
        """A field: a number, or one for each feature, or the features in an order; or whether something is so, which it
        is not if the file does not say it."""
        key = _KEYS.get(each.name, each.name)
        low, high = _RANGES.get(each.name, (0, _LARGEST))
        match each.type:
            case "bool":
                return record.get(key) is True
            case "int":
                return self.count(record, key)
            case "float":
                return self.number(record, key, low, high)
            case "tuple[str, ...]":
                order = record.get(key)
                if not isinstance(order, list) or sorted(map(str, order)) != sorted(names[1:]):
                    refuse_weights(self.name, f"'{key}' has not each feature but the first one once")
                return tuple(order)
        if tuple(self.part(record, key)) != names:
            refuse_weights(self.name, f"'{key}' and 'weights' are of different features")
        if each.type == "tuple[int, ...]":
            return tuple(self.count(record[key], name) for name in names)
        return tuple(self.numbers(record, key, low, high).values())

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
