"""Games from and for other programs: what :func:`zermelo.convert` gives."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from zermelo.files import write_file
from zermelo.formats.reading import ReadGame, read_game
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings, Source, ZermeloError
from zermelo.loading import TEXT, build, find, read_file
from zermelo.report.console import Watch
from zermelo.results import start_of
from zermelo.solvers.common.limits import Limits
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
        """The strategies of the game that do the same as a mixed profile of its table, an ``nfg``: for each player the
        probability of each pure strategy, in the order of the table. What they do where they never come themselves is
        a best response.

        Raises ``ZermeloError`` (``bad-usage``) for what is no profile of this table.
        """
        from zermelo.solvers.forms.extensive_form import sequence_form
        from zermelo.solvers.forms.strategy import strategies
        from zermelo.solvers.normal_form.nash import plan_of_mixture

        if self._forms is None:
            raise ZermeloError("bad-usage", f"profiles are of tables, and this is a game as {self.format}")
        tree, table = self._forms
        mixtures = [[Fraction(each) for each in own] for own in profile]
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


def convert_game(game: Game | State | str, to: str | None, limits: Limits, watch: Watch) -> ConvertedGame:
    """What :func:`zermelo.convert` gives, and raises."""
    if to is not None and to not in FORMATS:
        raise ZermeloError("bad-usage", f"'{to}' is no format", f"the formats are {', '.join(FORMATS)}")
    if isinstance(game, Game | State):
        begin = start_of(game)
        read = ReadGame(begin.game.model.source)
    else:
        name, source = _source_of(game)
        read = read_game(source)
        if read.format != "game" and to in (None, "game"):
            return ConvertedGame(source.name, _set_out(read), "game", read.format, read.losses)
        with limits.enforce():
            begin = build(name, read.source, {}).initial
    return _written(read, to or "efg", begin, limits, watch)


def _source_of(game: str) -> tuple[str, Source]:
    """The name and the text of what is a text itself, or names a file."""
    if "\n" in game:
        return TEXT, Source(TEXT, game)
    return PurePath(game).as_posix(), read_file(*find(game))


def _set_out(read: ReadGame) -> str:
    """The text of a game in the one layout."""
    from zermelo.grammar.formatter import format_text

    return format_text(read.source)


def _written(read: ReadGame, to: str, begin: State, limits: Limits, watch: Watch) -> ConvertedGame:
    """A game from a state on, written in one of the formats."""
    from zermelo.formats.labels import Losses
    from zermelo.formats.writing import note_left_behind

    findings = Findings(read.source)
    losses = Losses(findings)
    if read.format == "game":
        note_left_behind(read.source, losses)
    forms = None
    losses_of_tree: tuple[Finding, ...] = ()
    with limits.enforce():
        match to:
            case "efg":
                text = _as_efg(begin, watch)
            case "game":
                tree = read_game(Source(f"the tree of {read.source.name}", _as_efg(begin, watch)))
                text, losses_of_tree = _set_out(tree), tree.losses
            case "nfg":
                text, forms = _as_nfg(begin, limits, watch, losses)
            case _:
                text = _as_liteefg(begin, limits, watch, losses)
    losses.report()
    return ConvertedGame(read.source.name, text, to, read.format, (*read.losses, *findings, *losses_of_tree), forms)


def _as_efg(begin: State, watch: Watch) -> str:
    from zermelo.formats.writing import efg_text, histories

    game = begin.game

    with watch("writing down the tree", "histories", None) as report:

        def write(machine: Machine[Any]) -> str:
            return efg_text(game.title, game.titles, histories(machine, on_machine(begin, machine), report))

        return search(game, write)


def _as_nfg(begin: State, limits: Limits, watch: Watch, losses: Losses) -> tuple[str, tuple[ExtensiveForm, NormalForm]]:
    from zermelo.formats.writing import nfg_text, note_lost_tree
    from zermelo.solvers.normal_form.normal_form import normal_form

    tree = whole_tree(begin, "tables of pure strategies", limits, watch)
    table = normal_form(tree, limits)
    note_lost_tree(tree, NOWHERE, losses)
    return nfg_text(begin.game.title, table), (tree, table)


def _as_liteefg(begin: State, limits: Limits, watch: Watch, losses: Losses) -> str:
    from zermelo.formats.writing import check_size, inexact_numbers, liteefg_text

    tree = whole_tree(begin, "trees of all histories", limits, watch)
    check_size(tree.histories)
    losses.note("dropped-part", "names are left out", NOWHERE, "LiteEFG has numbers alone")
    for number in inexact_numbers(tree):
        losses.note("truncated-number", "fractions are written as decimals", NOWHERE, f"{number} is {float(number)!r}")
    return liteefg_text(tree)
