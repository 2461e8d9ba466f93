"""What the public functions give (:mod:`zermelo.questions`): results that tell where they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce, wraps
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, ParamSpec, Self, TypeVar, cast

from attrs import evolve, field, frozen

from zermelo.arguments import check_first, plain
from zermelo.foundation.records import RichlyDisplayed, Unchanging
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.last_resort import wrap_internal_errors
from zermelo.loading import TEXT, load, load_position
from zermelo.numbers import record_header
from zermelo.version import __version__

P = ParamSpec("P")
Found = TypeVar("Found", bound="GameResult")

_UNSAID: Final = ("cluster", "jobs", "since", "threads", "told", "watch")
"""Arguments on which no result depends: who does the work, from when on time counts, and who is told of progress."""

_PLAIN: Final = (type(None), bool, int, float, str, Fraction)

# Where a result comes from.


@frozen(kw_only=True)
class Origin:
    """All that is needed to read a game again, and to come to a state of it: it has been loaded by the name ``game``
    with these ``parameters``, at a ``position`` if that is not empty (:func:`zermelo.load_position`), and has these
    ``weights`` of its estimate; the state is that after these moves on this ``machine``. ``digest`` is the SHA-256 of
    the text of the rules."""

    game: str = ""
    digest: str
    parameters: Mapping[str, int | bool | str] = field(factory=dict, hash=False)
    weights: Mapping[str, str] = field(factory=dict, hash=False)
    position: str = ""
    machine: str = ""
    after: tuple[str, ...] = ()

    @classmethod
    def of(cls, subject: Game | State, **others: Any) -> Self:
        """Where a game or a state comes from."""
        game, play = (subject, ()) if isinstance(subject, Game) else (subject.game, subject.play)
        return cls(
            game=game.name,
            digest=digest_of(game),
            parameters=record_header(game)["parameters"],
            weights={name: str(weight) for name, weight in game.weights.items()},
            position=game.position,
            machine=game.choice,
            after=tuple(map(str, play)),
            **others,
        )

    def load(self) -> Game | State:
        """The game, or the state after the moves if there are some. Raises ``ZermeloError`` as :func:`zermelo.load`
        does, for a game from a text alone, too, and ``bad-usage`` if the rules are others now."""
        if self.game in ("", TEXT):
            raise ZermeloError(
                "unknown-game", "a game from a text alone cannot be read again", "zermelo.load reads one from a file"
            )
        if self.position:
            game = load_position(self.game, self.position, **self.parameters)
        else:
            game = load(self.game, **self.parameters)
        game = game.on(self.machine)
        if {name: str(weight) for name, weight in game.weights.items()} != self.weights:
            game = game.reweighed(**self.weights)
        if digest_of(game) != self.digest:
            raise ZermeloError("bad-usage", f"'{self.game}' has other rules now than when it was asked about")
        return reduce(State.after, self.after, game.initial) if self.after else game

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "digest": self.digest,
            "weights": dict(self.weights),
            "position": self.position or None,
            "machine": self.machine,
        }


@frozen(kw_only=True)
class Provenance(Origin):
    """All that is needed to make a result again: the public ``function`` of this name, asked about a game or a state
    (:class:`Origin`) with these ``arguments`` and ``options``, which are those given that are not the defaults, and the
    seed in any case. Other games among them are kept as origins, and other results as their provenances; the functions
    take these as they take games and results. ``version`` is that of Zermelo, and ``solver`` the one that found the
    result, where one did."""

    function: str
    version: str = __version__
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(factory=dict, hash=False)
    solver: str = ""

    @property
    def seed(self) -> int | None:
        """The random seed; None where nothing is drawn at random."""
        return self.options.get("seed")

    def again(self) -> Any:
        """Ask again, and get an equal result if no limit of time ended the work.

        Raises ``ZermeloError`` as the function does, and as :meth:`Origin.load` does: a game must be found by the name
        by which it was loaded.

        >>> import zermelo
        >>> found = zermelo.load("nim", heaps=2).random_plays(50, seed=7)
        >>> found.provenance.again() == found
        True
        """
        return _QUESTIONS[self.function](self.load(), *self.arguments, **self.options)

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "function": self.function,
            "version": self.version,
            **super().record(),
            "arguments": _json_option(self.arguments),
            "options": _json_option(self.options),
            "solver": self.solver or None,
        }


def _json_option(value: Any) -> Any:
    if isinstance(value, Provenance):
        return value.record()
    if isinstance(value, Origin):
        return {"game": value.game, "parameters": dict(value.parameters), "after": list(value.after), **value.record()}
    if isinstance(value, tuple):
        return list(map(_json_option, value))
    if isinstance(value, Mapping):
        return {str(name): _json_option(each) for name, each in value.items()}
    return value if isinstance(value, type(None) | bool | int | str) else str(value)


UNASKED: Final = Provenance(digest="", function="")
"""Of a result that no public function gave."""


# Results.


class GameResult(RichlyDisplayed, Unchanging):
    """What a public function gives: a record that is equal to another if all figures in it and its ``provenance`` are.
    A pickle has it all. Its hash is that of its provenance."""

    __slots__ = ()
    provenance: Provenance

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        """The hash of all results, instead of that which attrs makes of the fields: there are mappings among them."""
        cls.__hash__ = GameResult.__hash__  # type: ignore[method-assign]

    def __hash__(self) -> int:
        return hash(self.provenance)

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

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, which a table has without rows, too."""
        return tuple(self.rows()[0])

    def rows(self) -> list[dict[str, Any]]:
        """The rows, by the names of the columns. Numbers are exact: ``Fraction`` or ``int``."""
        raise NotImplementedError

    def to_dataframe(self) -> Any:
        """The :meth:`rows` as a pandas ``DataFrame``; ``.astype(float)`` makes decimals of exact numbers.

        Raises ``ZermeloError`` (``library-missing``) without pandas, which the extra ``dataframes`` installs."""
        from zermelo.solvers.common.libraries import import_library  # which few need

        rows = self.rows()
        frames = import_library("pandas", "data frames", "dataframes")
        return frames.DataFrame(rows) if rows else frames.DataFrame(columns=list(self.columns))

    def csv(self) -> str:
        """The :meth:`rows` as CSV, exact numbers as text: what commands print with ``--format csv``."""
        from zermelo.row_files import csv_text

        return csv_text(self.rows(), self.columns)

    def save_rows(self, path: str | PathLike[str]) -> None:
        """Write the :meth:`rows` to a file, by its ending: CSV, ``.json`` (a list of objects) or ``.parquet``. Exact
        numbers are text; whole numbers of at most 64 bits, truth values and decimals keep their types.

        Raises ``ZermeloError``: ``unwritable-file``, ``library-missing``.
        """
        from zermelo.row_files import kinds_of, write_rows

        rows = self.rows()
        write_rows(Path(fspath(path)), rows, self.columns, kinds_of(rows, self.columns))


class GameRows(GameResult, Tabular):
    """A result that is a table."""

    __slots__ = ()


# How the functions are made.


def start_of(game: Game | State) -> State:
    """The state that is asked about: that of a game is its initial one."""
    return game.initial if isinstance(game, Game) else game


_QUESTIONS: Final[dict[str, Callable[..., Any]]] = {}
"""The public functions by their names."""


def question(function: Callable[P, Found]) -> Callable[P, Found]:
    """A public function about a game or a state, its first argument: its result tells where it comes from, and
    unexpected exceptions become errors in words. It takes an origin for a game, and a provenance for a result."""
    answer = wrap_internal_errors(check_first(function))

    @wraps(function)
    def ask(*arguments: P.args, **named: P.kwargs) -> Found:
        asked: Any = tuple(map(plain, arguments))
        options: Any = {name: plain(each) for name, each in named.items()}
        found = answer(*map(_again, asked), **{name: _again(each) for name, each in options.items()})
        origin = _provenance(function, asked, options, found)
        return cast(Found, evolve(cast(Any, found), provenance=origin))

    _QUESTIONS[function.__name__] = ask
    return ask


def _again(given: Any) -> Any:
    """What is given as it is; but the game of an origin, and the result of a provenance."""
    return given.again() if isinstance(given, Provenance) else given.load() if isinstance(given, Origin) else given


def _provenance(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: Mapping[str, Any], found: GameResult
) -> Provenance:
    from inspect import signature  # which takes a while to describe a function

    parts = signature(function)
    given = parts.bind(*arguments, **named)
    given.apply_defaults()
    several: tuple[Any, ...] = ()
    options: dict[str, Any] = {}
    for name, each in list(parts.parameters.items())[1:]:
        value = given.arguments[name]
        if each.kind is each.VAR_POSITIONAL:
            several = _kept(value)
        elif each.kind is each.VAR_KEYWORD:
            options |= {option: _kept(one) for option, one in value.items()}
        elif name == "seed" or (name not in _UNSAID and value != each.default and value != ()):
            options[name] = _kept(value)
    subject = given.arguments[next(iter(parts.parameters))]
    asked: dict[str, Any] = {"function": function.__name__, "arguments": several, "options": options}
    if isinstance(subject, str):  # a text that need not be a game
        return Provenance(digest=_digest(subject), **asked)
    return Provenance.of(_again(subject), **asked, solver=getattr(found, "solver", ""))


def digest_of(game: Game) -> str:
    """The SHA-256 of the text of the rules; and of the network, where one is the estimate."""
    network = "" if game.model.network is None else repr(game.model.network)
    return _digest(f"{game.model.source.text}{network}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _kept(value: Any) -> Any:
    """An option as a result keeps it: what is plain or never changes as it is, a game by where it comes from, another
    result by its provenance, and anything that has no such form by its text."""
    if isinstance(value, _PLAIN):
        return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
    if isinstance(value, GameResult):
        return value.provenance
    if isinstance(value, Origin):
        return value
    if isinstance(value, Game | State):
        return Origin.of(value)
    if isinstance(value, Unchanging):
        return value
    if isinstance(value, list | tuple):
        return tuple(map(_kept, value))
    if isinstance(value, Mapping):
        return {str(name): _kept(each) for name, each in value.items()}
    if isinstance(value, PathLike):
        return fspath(value)
    return repr(value)
