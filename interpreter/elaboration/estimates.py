"""Hints for search: the estimate of a position, unsettled positions, and the order of moves."""

from __future__ import annotations

from fractions import Fraction

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.expressions import condition, constant, known
from zermelo.interpreter.elaboration.names import kind_with_article, undefined
from zermelo.interpreter.elaboration.operators import typed_number
from zermelo.interpreter.model.compatibility import in_words
from zermelo.interpreter.model.weights import weighted_sum
from zermelo.interpreter.types import NUMBER, NumberType


def estimate_of(globals: FileGlobals) -> model.Estimate | None:
    weights = _weights(globals)
    for written in globals.declarations.every(syntax.Estimate):
        scope = globals.scope()
        if isinstance(written.value, syntax.WeightedSum):
            features = _weighed(weights, written.value.span, globals)
            slot = scope.bind(written.player, globals.player_type, "player", expendable=True)
            player = model.Local(slot, written.player.text, type=globals.player_type, span=written.player.span)
            value = weighted_sum(features, player, written.value.span)
            return model.Estimate(value, scope.frame.size, features)
        scope.bind(written.player, globals.player_type, "player", expendable=True)
        value = typed_number(written.value, scope, "an estimate")
        _report_idle(weights, globals)
        return model.Estimate(value, scope.frame.size, ())
    _report_idle(weights, globals)
    return None


def _weights(globals: FileGlobals) -> dict[str, tuple[syntax.Weight, Fraction | int]]:
    """The weights by their features. A wrong one is reported, and counts as 1."""
    features = {feature.name.text for feature in globals.declarations.every(syntax.Feature)}
    found: dict[str, tuple[syntax.Weight, Fraction | int]] = {}
    for written in globals.declarations.every(syntax.Weight):
        name = written.feature
        declared = globals.declarations.named.get(name.text)
        amount = constant(written.value, globals.scope(), NUMBER, f"the weight of '{name}'")
        if name.text in found:
            globals.findings.report(
                "duplicate-name",
                name.span,
                f"'{name}' has two weights",
                remark="the second weight",
                labels=[Label(found[name.text][0].span, "the first one")],
                help="keep one of them",
            )
        elif declared is None:
            undefined(name.text, name.span, "feature", features, globals.findings)
        elif not isinstance(declared, syntax.Feature):
            globals.findings.report(
                "wrong-kind-of-name",
                name.span,
                f"'{name}' is {kind_with_article(declared)}, but only features have weights",
                labels=[Label(declared.name.span, "declared here")],
            )
        else:
            globals.refer(name.span, declared.name.span)
            found[name.text] = written, amount.value if known(amount) else 1
    return found


def _weighed(
    weights: dict[str, tuple[syntax.Weight, Fraction | int]], sum: Span, globals: FileGlobals
) -> tuple[model.Feature, ...]:
    """The terms of a weighted sum: every feature of the file, in the order of the text."""
    made = []
    written = globals.declarations.every(syntax.Feature)
    if not written:
        globals.findings.report(
            "missing-declaration",
            sum,
            "there is nothing to sum: the file has no feature",
            help="declare one, as in: feature lead(p) = score[p] - score[other p]",
        )
    for feature in written:
        name = feature.name.text
        globals.used.add(name)
        define = globals.define(feature)
        if name not in weights:
            globals.findings.report(
                "missing-weight",
                feature.name.span,
                f"the feature '{name}' has no weight",
                help=f"add: weight {name} = 1",
            )
        elif define is not None and known(define.body):
            if isinstance(define.body.type, NumberType):
                made.append(model.Feature(define.body, define.frame_size, define, weights[name][1]))
            else:
                message = f"a feature must be a number, but this is {in_words(define.body.type)}"
                globals.findings.report("type-mismatch", define.body.span, message)
    return tuple(made)


def _report_idle(weights: dict[str, tuple[syntax.Weight, Fraction | int]], globals: FileGlobals) -> None:
    """Report weights without a weighted sum."""
    for name, (written, _) in weights.items():
        globals.findings.report(
            "unused-name",
            written.span,
            f"the weight of '{name}' is never used",
            help="remove it, or add: estimate for p: weighted sum",
        )


def unsettled_of(globals: FileGlobals) -> model.Loose | None:
    for written in globals.declarations.every(syntax.Unsettled):
        scope = globals.scope()
        return model.Loose(condition(written.condition, scope), scope.frame.size)
    return None


def order_of(globals: FileGlobals) -> model.Loose | None:
    for written in globals.declarations.every(syntax.OrderMoves):
        scope = globals.scope()
        return model.Loose(typed_number(written.key, scope, "the key of 'order moves by'"), scope.frame.size)
    return None
