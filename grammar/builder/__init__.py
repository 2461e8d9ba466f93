"""From the rules of the grammar to the nodes of :mod:`zermelo.grammar.syntax`.

The parser calls the method named like a rule of ``game.lark`` (or like its alias) as soon as the rule is complete, with
one argument for each symbol of the rule: a node built before, a token, or None for an absent optional part. Most rules
list the fields of a node in their order, with words and signs between them (:func:`.expressions.built`); read the
parameters of any other method beside its rule. No step recurses, however deep the text nests.
"""

from __future__ import annotations

from zermelo.grammar.builder.declarations import Declarations, Statements, Title
from zermelo.grammar.builder.expressions import Expressions

__all__ = ["Builder", "Title"]


class Builder(Declarations, Statements, Expressions):
    """The callbacks of one parser."""
