"""What a file declares, as it writes it: parameters with their values, and variables with who sees them."""

from __future__ import annotations

from zermelo.game import Game
from zermelo.grammar.source import Source
from zermelo.interpreter.model import Audience, SeenBy
from zermelo.interpreter.values import format_value


def parameters_of(game: Game) -> list[tuple[str, str, str]]:
    """Every parameter with its value and its domain, as the file writes it."""
    return [(name, format_value(game.parameters[name]), domain) for name, domain in game.model.domains.items()]


def variables_of(game: Game) -> list[tuple[str, str]]:
    """Every variable, as the file declares it, and who sees it."""
    source = game.model.source
    return [
        (source.excerpt(variable.declared), _audience(variable.visibility, source)) for variable in game.model.variables
    ]


def _audience(visibility: Audience | SeenBy, source: Source) -> str:
    if isinstance(visibility, Audience):
        return visibility.value
    written = source.excerpt(visibility.audience.span)
    return "each player their own" if written == "private" else written
