"""The checker: from a text to a model, with all findings on the way.

The passes, each in a file of its own:

1. :mod:`zermelo.grammar.parse`: text to syntax tree
2. :mod:`zermelo.interpreter.elaboration.names`: which names are declared
3. :mod:`zermelo.interpreter.elaboration`: types, and the model
4. :mod:`zermelo.interpreter.checks`: paths through phases, values that may be none, constants out of range,
   probabilities, leaks of hidden information, and claims that the rules refute; all but the first only where the
   present parameters let a play come
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Final

from zermelo.grammar.diagnostics import Finding, Findings
from zermelo.grammar.parse import parse_parts
from zermelo.grammar.source import Source
from zermelo.grammar.syntax import GameFile, Parameter, PlayerCount
from zermelo.interpreter.checks.betrayals import check_betrayals
from zermelo.interpreter.checks.claims import check_claims
from zermelo.interpreter.checks.flow import check_flow
from zermelo.interpreter.checks.leaks import check_leaks
from zermelo.interpreter.checks.nullness import check_nullness
from zermelo.interpreter.checks.other_parameters import without_others
from zermelo.interpreter.checks.probabilities import check_probabilities
from zermelo.interpreter.checks.ranges import check_ranges
from zermelo.interpreter.checks.stuck import check_stuck
from zermelo.interpreter.checks.unreached import reached
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.names import declare
from zermelo.interpreter.elaboration.players import file_globals
from zermelo.interpreter.model import Model
from zermelo.interpreter.suggestions import require_known

_WITHIN_ONE_PLACE: Final = {"doubled-payoff", "duplicate-name", "missing-payoff", "out-of-range"}
"""Findings that do not come from a declaration elsewhere that is missing: what a missing name would be is unknown, and
fits everywhere."""


def check(source: Source, overrides: Mapping[str, Any] | None = None) -> tuple[Model | None, Findings]:
    """The model of a game and the findings; no model if one of them is an error.

    ``overrides`` maps parameters to values, or to the text of a value. Raises ``ZermeloError``
    (``unknown-parameter``) for a name that is no parameter of the game.
    """
    tree, findings, lost = parse_parts(source)
    known = {} if overrides is None else overrides
    if not findings.errors:
        return check_tree(tree, findings, known)
    if "players" not in lost:  # whose names are everywhere
        findings.found += _beyond(tree, lost, source, {} if lost else known)
    return None, findings


def _beyond(tree: GameFile, lost: Set[str], source: Source, overrides: Mapping[str, Any]) -> list[Finding]:
    """What else is wrong with a file that cannot be read as it is, in the tree of what can be read with likely repairs.
    If declarations are ``lost``, of which these are the words, only what cannot follow from that: findings within one
    place, and names that no lost word can declare."""
    later = Findings(source)
    if not lost:
        check_tree(tree, later, overrides)
        return later.found
    assemble(file_globals(declare(tree, later), later, overrides))
    return [
        finding
        for finding in later.found
        if finding.code in _WITHIN_ONE_PLACE
        or (finding.code == "undefined-name" and lost.isdisjoint(source.excerpt(finding.span).split()))
    ]


def check_tree(tree: GameFile, findings: Findings, overrides: Mapping[str, Any]) -> tuple[Model | None, Findings]:
    """The same for a text that has been parsed without errors; what is found is added to the ``findings`` of that."""
    _refuse_unknown(tree, overrides)
    declarations = declare(tree, findings)
    if not declarations.are_clear:
        return None, findings
    return check_rules(assemble(file_globals(declarations, findings, overrides)), findings)


def check_rules(model: Model, findings: Findings) -> tuple[Model | None, Findings]:
    """The same from the model of the whole file on, with the findings so far: the last pass."""
    model = without_others(model, findings)
    if findings.errors:
        # A name that looks unused may be the one that a misspelling was meant to be.
        findings.found = [finding for finding in findings.found if finding.code != "unused-name"]
    if any(finding.code == "nested-too-deep" for finding in findings):
        return None, findings
    check_flow(model, findings)
    before = len(findings.found)
    for pass_ in (check_stuck, check_ranges, check_nullness, check_probabilities, check_leaks, check_betrayals):
        pass_(model, findings)
    findings.found[before:] = reached(model, findings.found[before:])
    if findings.errors:
        return None, findings
    check_claims(model, findings)
    return model, findings


def _refuse_unknown(tree: GameFile, overrides: Mapping[str, Any]) -> None:
    known = [item.name.text for item in tree.declarations if isinstance(item, Parameter)]
    if any(isinstance(item, PlayerCount) for item in tree.declarations):
        known.append("players")
    require_known(overrides, known, "parameter", "it has no parameters")
