"""What a game file says that no file of another program can: a finding for each kind of thing that stays behind."""

from __future__ import annotations

from typing import Final

from zermelo.formats.labels import Losses
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Source, Span
from zermelo.grammar.parse import parse
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm

_LEFT_OUT: Final[dict[type[syntax.Declaration], str]] = {
    syntax.Claim: "claims",
    syntax.Expect: "expectations",
    syntax.Witness: "expectations",
    syntax.Test: "tests",
    syntax.Estimate: "estimates",
    syntax.Feature: "estimates",
    syntax.Weight: "estimates",
    syntax.Unsettled: "estimates",
    syntax.OrderMoves: "estimates",
    syntax.Legend: "looks",
    syntax.Drawn: "looks",
    syntax.Parameter: "parameters, which have one value each,",
}


def note_left_behind(source: Source, losses: Losses) -> None:
    """Note what no other format has a place for, in a game that can be read."""
    tree, _ = parse(source)
    assert tree is not None, "the game has been read before"
    for item in tree.declarations:
        kind = _LEFT_OUT.get(type(item))
        if kind is not None:
            line = source.line(item.span.line).strip().partition("#")[0].rstrip(" :")
            losses.note("dropped-part", f"{kind} are left out", item.span, f"'{line}'")
        if isinstance(item, syntax.Discount):
            losses.note("moved-payoff", "discounts are part of the payoffs at the ends", item.span, "'discount'")
        for node in syntax.nodes_in(item):
            if isinstance(node, syntax.Earn):
                what = "earnings are added to the payoffs at the ends"
                losses.note("moved-payoff", what, node.span, f"'{' '.join(source.excerpt(node.span).split())}'")


def note_lost_tree(tree: ExtensiveForm, span: Span, losses: Losses) -> None:
    """Note that a table does not say who moves when, if there is anything to say."""
    if len(tree.information_sets) > len(tree.player_names) or CHANCE_NODE in tree.sets_of:
        losses.note("dropped-part", "who moves when, and who knows what then", span, "a table has strategies alone")
