"""Games from and for other programs: what :func:`zermelo.convert` gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from os import PathLike, fspath
from pathlib import Path, PurePath
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.files import write_file
from zermelo.formats.reading import ReadGame, read_game
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings, Source, ZermeloError
from zermelo.last_resort import wrap_internal_errors
from zermelo.loading import TEXT, Parameter, build, find, read_file
from zermelo.report.console import Watch, unwatched
from zermelo.results import start_of
from zermelo.solvers.common.limits import Limits, quarter_of_memory
from zermelo.solving import on_machine, search
from zermelo.whole_tree import whole_tree

if TYPE_CHECKING:
    from zermelo.formats.labels import Losses
    from zermelo.interpreter.machine import Machine
    from zermelo.solvers.forms.extensive_form import ExtensiveForm
    from zermelo.solvers.forms.strategy import Strategy
    from zermelo.solvers.normal_form.normal_form import NormalForm

FORMATS: Final = ("game", "efg", "nfg", "liteefg")
"""The formats that are written; all but the last one are read, too."""


@frozen(eq=False, repr=False)
class ConvertedGame:
    """A game in another format: its ``text``, the ``format`` of that and the one it was ``read_as``, and a finding for
    each kind of thing that has been lost on the way."""

    name: str
    text: str
    format: str
    read_as: str
    findings: tuple[Finding, ...] = ()
    _forms: tuple[ExtensiveForm, NormalForm] | None = None

    def __repr__(self) -> str:
        lost = f", {len(self.findings)} losses" if self.findings else ""
        return f"<'{self.name}' as {self.format}{lost}>"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the text to a file. Raises ``ZermeloError`` (``unwritable-file``)."""
        write_file(Path(fspath(path)), self.text.encode())

    def strategies(self, profile: Sequence[Sequence[Fraction | int | str]]) -> tuple[Strategy, ...]:
        """The strategies of the game that do the same as a mixed profile of the table, of an ``nfg``: for each player the
        probability of each pure strategy, in the order of the table. What they do where they never come themselves is
        a best response.

        Raises ``ZermeloError`` (``bad-usage``) for what is no profile of this table.

        >>> import zermelo
        >>> table = zermelo.convert("coin_flip_tree", to="nfg")
        >>> left, other = table.strategies([[1, 0], ["1/2"] * 2 + [0] * 14])
        >>> [str(move) for move in left.decisions[0].moves], left.decisions[0].probabilities
        (['left', 'right'], [Fraction(1, 1), Fraction(0, 1)])
        """
        from zermelo.solvers.forms.extensive_form import sequence_form
        from zermelo.solvers.forms.strategy import strategies
        from zermelo.solvers.normal_form.nash import plan_of_mixture

        if self._forms is None:
            raise ZermeloError("bad-usage", f"profiles are of tables, and this is a game as {self.format}")
        tree, table = self._forms
        mixtures = [list(map(Fraction, own)) for own in profile]
        fits = tuple(map(len, mixtures)) == table.counts
        if not fits or any(sum(own) != 1 or min(own) < 0 for own in mixtures):
            counts = ", ".join(map(str, table.counts))
            raise ZermeloError("bad-usage", f"a profile has probabilities that sum to 1, of {counts} strategies")
        form = sequence_form(tree, Limits())
        plans = [
            plan_of_mixture(table, player, mixture, len(form.players[player]))
            for player, mixture in enumerate(mixtures)
        ]
        return strategies(tree, form, plans)

    def record(self) -> dict[str, Any]:
        """What ``zermelo convert --json`` prints."""
        from zermelo.report.annotations import finding_record

        return {
            "game": self.name,
            "format": self.format,
            "read_as": self.read_as,
            "text": self.text,
            "findings": list(map(finding_record, self.findings)),
        }


@wrap_internal_errors
def convert(
    game: Game | State | str | PathLike[str],
    to: str | None = None,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    time: float = inf,
    memory: int | None = None,
    since: float | None = None,
    watch: Watch = unwatched,
) -> ConvertedGame:
    """A game in the format of another program, or a game of another program as one of the language.

    ``game`` is a game or a state, whose rest is written; or a file, the name of a bundled game, or a text of several
    lines, in a format that its first line tells: a ``.game``, or Gambit's ``.efg`` or ``.nfg``. ``to`` is ``game``,
    ``efg``, ``nfg`` or ``liteefg``; by default a game of another program becomes a ``game``, and a game an ``efg``. All
    numbers are exact, but for ``liteefg``, which has decimals.

    Raises ``InvalidGame``, also for a file that does not fit its format (``foreign-syntax``) or has no perfect recall
    (``imperfect-recall``), and ``ZermeloError``: ``bad-usage``, ``too-large-to-convert``, of a table ``needs-end`` and
    ``too-many-strategies``, ``out-of-time``, ``out-of-memory``, and what :func:`zermelo.load` raises.

    >>> import zermelo
    >>> print(zermelo.convert("prisoners_dilemma", to="nfg").text)
    NFG 1 R "The prisoner's dilemma" { "A" "B" }
    <BLANKLINE>
    {
      { "silent" "confess" }
      { "silent" "confess" }
    }
    ""
    <BLANKLINE>
    -1 -1
    0 -10
    -10 0
    -5 -5
    <BLANKLINE>
    >>> print(zermelo.convert('''EFG 2 R "Trust" { "Player 1" "Player 2" }
    ... p "" 1 1 "" { "trust" "keep" } 0
    ... p "" 2 1 "" { "give back" "keep" } 0
    ... t "" 1 "" { 1, 1 }
    ... t "" 2 "" { -1, 2 }
    ... t "" 3 "" { 0, 0 }
    ... ''').text)
    game "Trust"
    <BLANKLINE>
    players Player_1 "Player 1", Player_2 "Player 2"
    <BLANKLINE>
    tree:
        Player_1:
            trust: Player_2:
                give_back "give back": (1, 1)
                keep: (-1, 2)
            keep: (0, 0)
    <BLANKLINE>
    """
    if to is not None and to not in FORMATS:
        raise ZermeloError("bad-usage", f"'{to}' is no format", f"the formats are {', '.join(FORMATS)}")
    limits = Limits(time, quarter_of_memory() if memory is None else memory, perf_counter() if since is None else since)
    if isinstance(game, Game | State):
        begin = start_of(game)
        read = ReadGame(begin.game.model.source)
        return _written(read, to or "efg", begin, limits, watch)
    name, source = _source_of(fspath(game))
    read = read_game(source)
    if to is None:
        to = "efg" if read.format == "game" else "game"
    if to == "game":
        from zermelo.grammar.formatter import format_text

        return ConvertedGame(source.name, format_text(read.source), to, read.format, read.losses)
    with limits.enforce():
        begin = build(name, read.source, parameters or {}).initial
    return _written(read, to, begin, limits, watch)


def _source_of(game: str) -> tuple[str, Source]:
    """The name and the text of what is a text itself, or names a file."""
    if "\n" in game:
        return TEXT, Source(TEXT, game)
    return PurePath(game).as_posix(), read_file(*find(game))


def _written(read: ReadGame, to: str, begin: State, limits: Limits, watch: Watch) -> ConvertedGame:
    """A game from a state on, written in one of the formats that are not our own."""
    from zermelo.formats.labels import Losses
    from zermelo.formats.left_behind import note_left_behind

    findings = Findings(read.source)
    losses = Losses(findings)
    if read.format == "game":
        note_left_behind(read.source, losses)
    forms = None
    with limits.enforce():
        match to:
            case "efg":
                text = _as_efg(begin, watch)
            case "nfg":
                text, forms = _as_nfg(begin, limits, watch, losses)
            case _:
                text = _as_liteefg(begin, limits, watch, losses)
    losses.report()
    return ConvertedGame(read.source.name, text, to, read.format, (*read.losses, *findings), forms)


def _as_efg(begin: State, watch: Watch) -> str:
    from zermelo.formats.efg_writing import efg_text, histories

    game = begin.game

    def write(machine: Machine[Any]) -> str:
        return efg_text(game.title, game.titles, histories(machine, on_machine(begin, machine)))

    with watch("writing down the tree", "histories", None):
        return search(game, write)


def _as_nfg(
    begin: State, limits: Limits, watch: Watch, losses: Losses
) -> tuple[str, tuple[ExtensiveForm, NormalForm]]:
    from zermelo.formats.left_behind import note_lost_tree
    from zermelo.formats.nfg_writing import nfg_text
    from zermelo.solvers.normal_form.normal_form import normal_form

    tree = whole_tree(begin, "tables of pure strategies", limits, watch)
    table = normal_form(tree, limits)
    note_lost_tree(tree, NOWHERE, losses)
    return nfg_text(begin.game.title, table), (tree, table)


def _as_liteefg(begin: State, limits: Limits, watch: Watch, losses: Losses) -> str:
    from zermelo.formats.efg_writing import check_size
    from zermelo.formats.liteefg_writing import inexact_numbers, liteefg_text

    tree = whole_tree(begin, "trees of all histories", limits, watch)
    check_size(tree.histories)
    losses.note("dropped-part", "names are left out", NOWHERE, "LiteEFG has numbers alone")
    for number in inexact_numbers(tree):
        losses.note("truncated-number", "fractions are written as decimals", NOWHERE, f"{number} is {float(number)!r}")
    return liteefg_text(tree)
