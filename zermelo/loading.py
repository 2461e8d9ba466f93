"""From a name, a file or a text to a game."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

import zermelo.gamedefs as gamedefs
from zermelo.arguments import check_first
from zermelo.game import Game
from zermelo.grammar.diagnostics import Finding, Findings, InvalidGame, Source, ZermeloError, nearest
from zermelo.interpreter.values import Member
from zermelo.last_resort import wrap_internal_errors

if TYPE_CHECKING:
    from zermelo.grammar.syntax import GameFile

# Importing the parser and the checker takes a quarter of a second, so they are imported where a game is read.

Parameter = int | Fraction | bool | str | Member
"""The value of a parameter, or its text: ``4``, ``Fraction(1, 3)``, ``"1/3"``; a member of an enumeration, or its
name."""

TEXT = "<text>"
"""The name of a text that comes from no file."""

STANDARD_INPUT = "-"


@wrap_internal_errors
@check_first
def load(game: str | os.PathLike[str], /, **parameters: Parameter) -> Game:
    """A game from a file, or a bundled one by its name (:func:`games` lists them); keywords set its parameters.

    Files of Gambit, ``.efg`` and ``.nfg``, are read, too; :func:`zermelo.convert` tells what is lost on the way.

    Raises ``InvalidGame`` if the file has errors, and ``ZermeloError`` with the code ``unknown-game``,
    ``unreadable-file`` or ``unknown-parameter``.

    >>> import zermelo
    >>> zermelo.load("tic_tac_toe", size=4).parameters["size"]
    4
    """
    return load_any(os.fspath(game), parameters)


@wrap_internal_errors
@check_first
def load_position(game: str | os.PathLike[str], position: str, /, **parameters: Parameter) -> Game:
    """A game as from :func:`load` that begins at another position (see :func:`zermelo.files.begin_at`).

    Raises as :func:`load` does, ``InvalidGame`` also for errors of the position.

    >>> import zermelo
    >>> game = zermelo.load_position("tic_tac_toe", '''
    ... setup:
    ...     board := layout
    ...         "X.O"
    ...         "OX."
    ...         "..."
    ... ''')
    >>> [str(move) for move in game.initial.moves]
    ['mark(a1)', 'mark(b1)', 'mark(c1)', 'mark(c2)', 'mark(b3)']
    """
    return load_any(os.fspath(game), parameters, Source("<position>", position))


@wrap_internal_errors
@check_first
def loads(text: str, /, **parameters: Parameter) -> Game:
    """A game from the text of a file; keywords set its parameters. Raises as :func:`load` does.

    >>> import zermelo
    >>> game = zermelo.loads('''
    ... game "Matching pennies"
    ... players Even, Odd
    ... table:
    ...     Even \\\\ Odd | heads | tails
    ...     heads      | 1     | -1
    ...     tails      | -1    | 1
    ... ''')
    >>> game.initial.actor
    'Even'
    """
    return build(TEXT, in_the_language(Source(TEXT, text))[0], parameters)


def games() -> tuple[str, ...]:
    """The names of the bundled games, in alphabetical order."""
    return gamedefs.names()


@wrap_internal_errors
@check_first
def parse(text: str) -> GameFile:
    """The syntax tree of the text of a game file (see :mod:`zermelo.grammar.syntax`). Raises ``InvalidGame``.

    >>> import zermelo
    >>> zermelo.parse('game "Nothing"').title
    'Nothing'
    """
    from zermelo.grammar.parse import parse as parse_source

    tree, findings = parse_source(Source(TEXT, text))
    if tree is None:
        raise InvalidGame(findings)
    return tree


@wrap_internal_errors
@check_first
def upgrade(text: str) -> str:
    """The text of a game file in the newest forms of the language, with the number of the language on its first line,
    and in the one layout: what ``zermelo fmt --upgrade`` writes. The game stays the same. Raises ``InvalidGame``.

    >>> import zermelo
    >>> print(zermelo.upgrade('''
    ... game "One"
    ... players Ann, Bob
    ... var n: 0..9 = 0
    ... setup: n := n + 1
    ... '''), end="")
    language 2
    game "One"
    players Ann, Bob
    var n: 0..9 = 0
    setup: n += 1
    """
    from zermelo.grammar.formatter import format_text
    from zermelo.grammar.upgrade import upgrade as upgraded

    return format_text(upgraded(Source(TEXT, text)))


def check_source(source: Source, parameters: Mapping[str, Parameter]) -> Findings:
    """All findings of a source, as from :func:`zermelo.check`, and what is lost if it is in another format. Raises
    ``ZermeloError`` (``unknown-parameter``)."""
    from zermelo.interpreter.check import check_at_extremes

    try:
        source, losses = in_the_language(source)
    except InvalidGame as refused:
        return refused.findings
    model, findings = check_at_extremes(source, parameters)
    findings.found += losses
    if model is not None:
        from zermelo.solvers.validation.first_positions import add_first_fault

        add_first_fault(model, findings)
    return findings


def load_any(name: str, parameters: Mapping[str, Parameter], position: Source | None = None) -> Game:
    """A game as from :func:`load` or :func:`load_position`, from standard input, too."""
    source = read_source(name)
    if position is None:
        return build(name, source, parameters)
    from zermelo.files import begin_at

    return evolve(build(name, begin_at(source, position), parameters), position=position.text)


def build(name: str, source: Source, parameters: Mapping[str, Parameter]) -> Game:
    """The game of a source; raises ``InvalidGame`` and ``ZermeloError`` (``unknown-parameter``)."""
    from zermelo.preparing import prepare

    return Game(name, prepare(source, parameters, is_kept=name not in (TEXT, STANDARD_INPUT)))


def read_source(name: str) -> Source:
    """The text of a game: of a file, of standard input (``-``), or a bundled one. Raises as :func:`load` does."""
    return in_the_language(read_file(*find(name)))[0]


def in_the_language(source: Source) -> tuple[Source, tuple[Finding, ...]]:
    """The text of a game for one in a format that is read (:mod:`zermelo.formats`), and what has been lost; a game is
    as it was. Raises ``InvalidGame``."""
    from zermelo.grammar.reading import GAMBIT

    if not re.match(GAMBIT, source.text):
        return source, ()
    from zermelo.formats.reading import read_game

    read = read_game(source)
    return read.source, read.losses


def read_file(shown: str, path: Path | None) -> Source:
    """The text of a file, of standard input if ``path`` is None; ``shown`` is its name in messages. Raises
    ``ZermeloError`` (``unreadable-file``), and ``InvalidGame`` if it is not text."""
    from zermelo.grammar.reading import LARGEST, read_text

    try:
        if path is None:
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with path.open("rb") as stream:
                data = stream.read(LARGEST + 1)
    except OSError as error:
        raise ZermeloError(
            "unreadable-file", f"cannot read {shown}: {error.strerror}", _similar_file_hint(path, error)
        ) from error
    except ValueError as error:
        raise ZermeloError("unreadable-file", f"no file can have the name {shown!r}") from error
    source, findings = read_text(shown, data)
    if source is None:
        raise InvalidGame(findings)
    return source


def _similar_file_hint(path: Path | None, error: OSError) -> str:
    """A hint at a file whose name is like that of a missing one; empty if there is none."""
    if path is None or not isinstance(error, FileNotFoundError) or not path.parent.is_dir():
        return ""
    like = nearest(path.name, [other.name for other in path.parent.glob("*.game")])
    return "" if like is None else f"there is {path.parent / like}"


def find(name: str) -> tuple[str, Path | None]:
    """The name in messages and the file of a path or of the name of a bundled game; None for standard input. Raises
    ``ZermeloError`` (``unknown-game``)."""
    if name == STANDARD_INPUT:
        return "<stdin>", None
    path = Path(name)
    if os.path.exists(name) and not os.path.isdir(name):  # an impossible name is no error here
        return name, path
    if name in gamedefs.names():
        return f"{name}.game", gamedefs.path(name)
    if path.name != name or path.suffix or os.path.isdir(name):
        return name, path  # reading it raises the error
    match = f"{name}.game" if os.path.exists(f"{name}.game") else nearest(name, gamedefs.names())
    raise ZermeloError(
        "unknown-game",
        f"there is no file and no bundled game '{name}'" + (f"; did you mean '{match}'?" if match else ""),
        "`zermelo games` lists the bundled games, and zermelo.games() does from Python",
    )
