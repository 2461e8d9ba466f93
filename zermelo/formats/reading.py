"""From a text in any format that is read to the text of a game."""

from __future__ import annotations

import re

from attrs import frozen

from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings, InvalidGame, Mistake, Source
from zermelo.grammar.reading import GAMBIT, LARGEST


@frozen
class ReadGame:
    """The text of a game, the format that it was read from (``game``, ``efg`` or ``nfg``), and a finding for each kind
    of thing that has been lost on the way."""

    source: Source
    format: str = "game"
    losses: tuple[Finding, ...] = ()


def format_of(text: str) -> str:
    """The format of a text, by its first line."""
    found = re.match(GAMBIT, text)
    return "game" if found is None else found[1].lower()


def read_game(source: Source) -> ReadGame:
    """The text of a game for a text in any format; a game is returned as it is.

    Raises ``InvalidGame`` for what does not fit the format that its first line names (``foreign-syntax``), and for what
    the language does not have: ``imperfect-recall``, ``probabilities-not-one``, ``negative-probability``,
    ``nested-too-deep``, ``file-too-large``."""
    kind = format_of(source.text)
    if kind == "game":
        return ReadGame(source)
    from zermelo.formats.efg_reading import as_tree  # which few games need
    from zermelo.formats.labels import Losses
    from zermelo.formats.nfg_reading import as_table

    findings = Findings(source)
    losses = Losses(findings)
    try:
        text = (as_tree if kind == "efg" else as_table)(source, losses)
        if len(text) > LARGEST:
            message = f"as a game this file has {len(text):,} characters; at most {LARGEST:,} are read"
            raise Mistake("file-too-large", NOWHERE, message)
    except Mistake as mistake:
        mistake.report(findings)
        raise InvalidGame(findings) from None
    losses.report()
    return ReadGame(Source(f"{source.name} as a game", text), kind, tuple(findings))
