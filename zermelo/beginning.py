"""A game that begins at another position: a problem, an endgame, a board of one's own.

A position is written as a game file writes its beginning: ``setup:`` and ``start at``. Its ``setup:`` runs after that
of the game, so it contains only the differences, and its ``start at`` replaces that of the game. Game and position
together are one text, which is read, checked and searched like any other.
"""

from __future__ import annotations

from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.grammar.parse import parse, parse_declarations
from zermelo.grammar.syntax import Setup, Start


def begun_at(game: Source, position: Source) -> Source:
    """The text of a game that begins at a position. Lines of the game keep their numbers, those of the position follow.

    Raises ``InvalidGame`` if the position cannot be read or has any other declaration; errors of the game itself are
    found when it is read.
    """
    declared, findings = parse_declarations(position)
    for item in declared:
        if not isinstance(item, Setup | Start):
            findings.report("syntax", item.span, "a position has 'setup:' and 'start at', and nothing else")
    if findings.errors:
        raise InvalidGame(findings)
    text = game.text
    tree, _ = parse(game)
    if tree is not None and any(isinstance(item, Start) for item in declared):
        for item in tree.declarations:
            if isinstance(item, Start):
                text = text[: item.span.start] + " " * (item.span.end - item.span.start) + text[item.span.end :]
    return Source(f"{game.name} from {position.name}", f"{text.rstrip()}\n\n{position.text}")
