"""What the public functions give (:mod:`zermelo.questions`): results that tell where they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Final, ParamSpec, TypeVar, cast

from attrs import evolve, frozen

from zermelo.foundation.records import RichlyDisplayed, Unchanging
from zermelo.game import Game, State
from zermelo.last_resort import wrap_internal_errors
from zermelo.numbers import record_header
from zermelo.version import __version__

P = ParamSpec("P")
Found = TypeVar("Found", bound="GameResult")

_UNSAID: Final = ("cluster", "jobs", "since", "threads", "told", "watch")
"""Arguments on which no result depends: who does the work, from when on time counts, and who is told of progress."""

_PLAIN: Final = (type(None), bool, int, float, str, Fraction)

# Where a result comes from.


@frozen
class Provenance:
    """All that is needed to make a result again: the public function of this name, with these ``options`` (those given
    that are not the defaults, and the seed in any case), asked about the game of this name with these ``parameters``
    on this ``machine``, after these moves. ``digest`` is the SHA-256 of the text of the rules, ``weights`` are those of
    its estimate, ``version`` is that of Zermelo, and ``solver`` the one that found the result, where one did."""

    function: str
    version: str
    game: str
    digest: str
    parameters: Mapping[str, int | bool | str]
    weights: Mapping[str, str]
    machine: str
    after: tuple[str, ...]
    options: Mapping[str, Any]
    solver: str = ""

    @property
    def seed(self) -> int | None:
        """The random seed; None where nothing is drawn at random."""
        return self.options.get("seed")

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "function": self.function,
            "version": self.version,
            "digest": self.digest,
            "weights": dict(self.weights),
            "machine": self.machine,
            "options": {name: _json_option(value) for name, value in self.options.items()},
            "solver": self.solver or None,
        }


def _json_option(value: Any) -> Any:
    if isinstance(value, Provenance):
        return value.record()
    if isinstance(value, tuple):
        return list(map(_json_option, value))
    if isinstance(value, Mapping):
        return {str(name): _json_option(each) for name, each in value.items()}
    return value if isinstance(value, type(None) | bool | int | str) else str(value)


UNASKED: Final = Provenance("", __version__, "", "", {}, {}, "", (), {})
"""Of a result that no public function gave."""


# Results.


class GameResult(RichlyDisplayed, Unchanging):
    """What a public function gives: a record that is equal to another if all figures in it and its ``provenance`` are.
    A pickle has it all."""

    __slots__ = ()
    provenance: Provenance

    @property
    def begin(self) -> State:
        """The state that was asked about."""
        raise NotImplementedError

    @property
    def game(self) -> Game:
        """The game."""
        return self.begin.game

    def record(self) -> dict[str, Any]:
        """What the command prints with ``--json``: exact numbers as text."""
        raise NotImplementedError

    def _head(self) -> dict[str, Any]:
        """With what every record begins."""
        after = list(map(str, self.begin.play))
        return {**record_header(self.game), "after": after, "provenance": self.provenance.record()}


class Tabular:
    """What is a table."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """The rows, by the names of the columns. Numbers are exact: ``Fraction`` or ``int``."""
        raise NotImplementedError

    def to_dataframe(self) -> Any:
        """The :meth:`rows` as a pandas ``DataFrame``; ``.astype(float)`` makes decimals of exact numbers.

        Raises ``ZermeloError`` (``library-missing``) without pandas, which the extra ``dataframes`` installs."""
        from zermelo.solvers.common.libraries import import_library  # which few need

        return import_library("pandas", "data frames", "dataframes").DataFrame(self.rows())


class GameRows(GameResult, Tabular):
    """A result that is a table."""

    __slots__ = ()


# How the functions are made.


def start_of(game: Game | State) -> State:
    """The state that is asked about: that of a game is its initial one."""
    return game.initial if isinstance(game, Game) else game


def question(function: Callable[P, Found]) -> Callable[P, Found]:
    """A public function about a game or a state, its first argument: its result tells where it comes from, and
    unexpected exceptions become errors in words."""
    answer = wrap_internal_errors(function)

    @wraps(function)
    def ask(*arguments: P.args, **named: P.kwargs) -> Found:
        found = answer(*arguments, **named)
        origin = _provenance(function, arguments, named, found)
        return cast(Found, evolve(cast(Any, found), provenance=origin))

    return ask


def _provenance(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: Mapping[str, Any], found: GameResult
) -> Provenance:
    from inspect import signature  # which takes a while to describe a function

    parts = signature(function)
    given = parts.bind(*arguments, **named)
    given.apply_defaults()
    options: dict[str, Any] = {}
    for name, each in list(parts.parameters.items())[1:]:
        value = given.arguments[name]
        if each.kind is each.VAR_KEYWORD:
            options |= {option: _kept(one) for option, one in value.items()}
        elif name == "seed" or (name not in _UNSAID and value != each.default and value != ()):
            options[name] = _kept(value)
    subject = given.arguments[next(iter(parts.parameters))]
    if isinstance(subject, str):  # a text that need not be a game
        return Provenance(function.__name__, __version__, "", _digest(subject), {}, {}, "", (), options)
    game, play = (subject, ()) if isinstance(subject, Game) else (subject.game, subject.play)
    return Provenance(
        function.__name__,
        __version__,
        game.name,
        digest_of(game),
        record_header(game)["parameters"],
        {name: str(weight) for name, weight in game.weights.items()},
        game.choice,
        tuple(map(str, play)),
        options,
        getattr(found, "solver", ""),
    )


def digest_of(game: Game) -> str:
    """The SHA-256 of the text of the rules; and of the network, where one is the estimate."""
    network = "" if game.model.network is None else repr(game.model.network)
    return _digest(f"{game.model.source.text}{network}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _kept(value: Any) -> Any:
    """An option as a result keeps it: what is plain as it is, another result by where it comes from, anything else by
    its text."""
    if isinstance(value, GameResult):
        return value.provenance
    if isinstance(value, Game):
        return {"game": value.name, "digest": digest_of(value), **_kept(record_header(value)["parameters"])}
    if isinstance(value, list | tuple):
        return tuple(map(_kept, value))
    if isinstance(value, Mapping):
        return {str(name): _kept(each) for name, each in value.items()}
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value if isinstance(value, _PLAIN) else repr(value)
