"""The checker: from a text to a model, with all findings on the way.

The passes, each in a file of its own:

1. :mod:`zermelo.grammar.parse`: text to syntax tree
2. :mod:`zermelo.interpreter.elaboration.names`: which names are declared
3. :mod:`zermelo.interpreter.elaboration`: types, and the model
4. :mod:`zermelo.interpreter.checks`: paths through phases, values that may be none, constants out of range,
   probabilities, leaks of hidden information, and claims that the rules refute
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.parse import parse
from zermelo.grammar.source import Source
from zermelo.grammar.syntax import GameFile, Parameter, PlayerCount
from zermelo.interpreter.checks.claims import check_claims
from zermelo.interpreter.checks.flow import check_flow
from zermelo.interpreter.checks.leaks import check_leaks
from zermelo.interpreter.checks.nullness import check_nullness
from zermelo.interpreter.checks.probabilities import check_probabilities
from zermelo.interpreter.checks.ranges import check_ranges
from zermelo.interpreter.checks.stuck import check_stuck
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.names import declare
from zermelo.interpreter.model import Model
from zermelo.interpreter.suggestions import require_known


def check(source: Source, overrides: Mapping[str, Any] | None = None) -> tuple[Model | None, Findings]:
    """The model of a game and the findings; no model if one of them is an error.

    ``overrides`` maps parameters to values, or to the text of a value. Raises ``ZermeloError``
    (``unknown-parameter``) for a name that is no parameter of the game.
    """
    tree, findings = parse(source)
    if tree is None or findings.errors:
        return None, findings
    overrides = {} if overrides is None else overrides
    _refuse_unknown(tree, overrides)
    declarations = declare(tree, findings)
    if not declarations.are_clear:
        return None, findings
    model = assemble(declarations, findings, overrides)
    if findings.errors:
        # A name that looks unused may be the one that a misspelling was meant to be.
        findings.found = [finding for finding in findings.found if finding.code != "unused-name"]
    if any(finding.code == "nested-too-deep" for finding in findings):
        return None, findings
    for pass_ in (check_flow, check_stuck, check_ranges, check_nullness, check_probabilities, check_leaks):
        pass_(model, findings)
    if findings.errors:
        return None, findings
    check_claims(model, findings)
    return model, findings


def _refuse_unknown(tree: GameFile, overrides: Mapping[str, Any]) -> None:
    known = [item.name.text for item in tree.declarations if isinstance(item, Parameter)]
    if any(isinstance(item, PlayerCount) for item in tree.declarations):
        known.append("players")
    require_known(overrides, known, "parameter", "it has no parameters")
