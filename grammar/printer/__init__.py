"""From trees to canonical text, which :func:`zermelo.grammar.parse.parse` reads back as an equal tree.

Brackets are printed only where the grammar needs them, every block is on lines of its own, and lines are not broken.
Comments are not printed. A tree that no text has (an ``And`` directly inside an ``And``, a negative ``Number``, a range
as the step of a range) is printed as text with another tree, or none; a ``match`` in the middle of an expression raises
TypeError.
"""

from __future__ import annotations

from zermelo.grammar.printer.declarations import print_declaration
from zermelo.grammar.printer.expressions import print_expression, print_type
from zermelo.grammar.printer.statements import print_statement
from zermelo.grammar.syntax import GameFile

__all__ = ["print_declaration", "print_expression", "print_game", "print_statement", "print_type"]


def print_game(game: GameFile) -> str:
    """The text of a whole file."""
    lines = [f'game "{game.title}"']
    for declaration in game.declarations:
        printed = print_declaration(declaration)
        if len(printed) > 1:
            lines.append("")
        lines += printed
    return "\n".join(lines) + "\n"
