"""Elaboration of the statements that inform players: ``tell``, and ``reveal``, which is a ``tell`` of the rules' own.

To reveal is to tell, so that it is no promise that somebody has to keep: those who hear of a value know it, whatever
the rules do with it afterwards, and the machines and the proofs about who knows what need to know nothing new.
"""

from __future__ import annotations

import re

from zermelo.grammar import syntax
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.expressions import broken, elaborate
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.compatibility import fits, in_words
from zermelo.interpreter.model.rewriting import bound_slots, slots, walk
from zermelo.interpreter.types import SetType
from zermelo.interpreter.values import OrderedSet


def tell(statement: syntax.Tell, scope: Scope) -> model.Tell:
    """``tell S that label(arguments)``"""
    audience = player_or_players(statement.audience, scope, "the audience of 'tell'")
    arguments = tuple(elaborate(argument, scope, None) for argument in statement.arguments)
    return model.Tell(audience, statement.label.text, arguments, span=statement.span)


def reveal(statement: syntax.Reveal, scope: Scope) -> model.Tell:
    """``reveal e``, or ``reveal e to S``: tells the words of e, the indices that they leave open, and the value."""
    if statement.audience is None:
        players = scope.globals.player_type
        everybody = OrderedSet(players.generate())
        audience: model.Expr = model.Const(everybody, type=SetType(players), span=statement.span)
    else:
        audience = player_or_players(statement.audience, scope, "the audience of 'reveal'")
    value = elaborate(statement.value, scope, None)
    bound = bound_slots(value)
    read = [index for part in walk(value) if isinstance(part, model.Read) for index in part.indices]
    indices = [index for index in read if not isinstance(index, model.Const) and bound.isdisjoint(slots(index))]
    label = "_".join(re.findall(r"\w+", scope.findings.source.excerpt(statement.value.span)))
    return model.Tell(audience, label, (*dict.fromkeys(indices), value), span=statement.span)


def player_or_players(written: syntax.Expression, scope: Scope, place: str) -> model.Expr:
    """A player or a set of players; ``place`` names its role in messages."""
    players = scope.globals.player_type
    typed = elaborate(written, scope, players)
    if not fits(typed.type, players) and not fits(typed.type, SetType(players)):
        message = f"{place} must be a player or a set of players, but this is {in_words(typed.type)}"
        scope.findings.report("type-mismatch", written.span, message)
        return broken(written.span)
    return typed
