"""The checks of a file, in their order; and again with its parameters at the ends of their ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Finding, Findings, InvalidGame, Source, Span, require_known
from zermelo.grammar.names import normal
from zermelo.grammar.parse import parse, parse_parts
from zermelo.grammar.syntax import GameFile, Parameter, PlayerCount
from zermelo.interpreter.checks.claims import check_claims, drop_other_lines, is_in_line, is_in_other_line, other_lines
from zermelo.interpreter.checks.nullness import (
    check_flow,
    check_nullness,
    check_probabilities,
    check_ranges,
    check_stuck,
)
from zermelo.interpreter.checks.unreachable_parts import drop_unreached
from zermelo.interpreter.checks.visibility import check_betrayals, check_leaks
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.declarations import file_globals
from zermelo.interpreter.elaboration.names import DeclaredNames, declare
from zermelo.interpreter.model import Model
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Value, format_value

# The checker: from a text to a model, with all findings on the way.
#
# The passes, each in a file of its own:
#
# 1. :mod:`zermelo.grammar.parse`: text to syntax tree
# 2. :mod:`zermelo.interpreter.elaboration.names`: which names are declared
# 3. :mod:`zermelo.interpreter.elaboration`: types, and the model
# 4. :mod:`zermelo.interpreter.checks`: paths through phases, values that may be none, constants out of range,
#    probabilities, leaks of hidden information, and claims that the rules refute; all but the first only for the parts
#    that a play can reach under the present parameters


_WITHIN_ONE_PLACE: Final = {"doubled-payoff", "duplicate-name", "missing-payoff", "out-of-range"}
"""Findings that cannot come from a missing declaration elsewhere: a missing name has the unknown type, which fits
everywhere."""


def check(source: Source, overrides: Mapping[str, Any] | None = None) -> tuple[Model | None, Findings]:
    """The model of a game and the findings; no model if one of them is an error.

    ``overrides`` maps parameters to values, or to the text of a value. Raises ``ZermeloError``
    (``unknown-parameter``) for a name that is no parameter of the game.
    """
    tree, findings, lost = parse_parts(source)
    known = _with_normal_names(overrides)
    if not findings.errors:
        return check_tree(tree, findings, known)
    if "players" not in lost:  # whose names are everywhere
        findings.found += _further_findings(tree, lost, source, {} if lost else known)
    return None, findings


def _further_findings(tree: GameFile, lost: Set[str], source: Source, overrides: Mapping[str, Any]) -> list[Finding]:
    """Further findings in a file that cannot be read as it is, from the tree of what can be read with likely repairs.
    ``lost`` are the words of the declarations that are missing from it. If there are any, findings that may follow
    from this do not count: only those within one place do, and undefined names that are not among these words."""
    later = Findings(source)
    if not lost:
        check_tree(tree, later, overrides)
        return later.found
    assemble(file_globals(declare(tree, later), later, overrides))
    return [
        finding
        for finding in later.found
        if finding.code in _WITHIN_ONE_PLACE
        or (finding.code == "undefined-name" and lost.isdisjoint(normal(source.excerpt(finding.span)).split()))
    ]


def check_tree(tree: GameFile, findings: Findings, overrides: Mapping[str, Any]) -> tuple[Model | None, Findings]:
    """The same for a text that has been parsed without errors; adds to ``findings``, which are those of the parser."""
    _refuse_unknown(tree, overrides)
    declarations = declare(tree, findings)
    if not declarations.are_clear:
        return None, findings
    return check_rules(assemble(file_globals(declarations, findings, overrides)), findings)


def check_rules(model: Model, findings: Findings) -> tuple[Model | None, Findings]:
    """The same for the model of the whole file, with the findings so far: the last pass."""
    model = drop_other_lines(model, findings)
    if findings.errors:
        # A name that looks unused may be the one that a misspelling was meant to be.
        findings.found = [finding for finding in findings.found if finding.code != "unused-name"]
    if any(finding.code == "nested-too-deep" for finding in findings):
        return None, findings
    check_flow(model, findings)
    before = len(findings.found)
    for pass_ in (check_stuck, check_ranges, check_nullness, check_probabilities, check_leaks, check_betrayals):
        pass_(model, findings)
    findings.found[before:] = drop_unreached(model, findings.found[before:])
    if findings.errors:
        return None, findings
    check_claims(model, findings)
    return model, findings


def _with_normal_names(overrides: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return {normal(name): value for name, value in (overrides or {}).items()}


def _refuse_unknown(tree: GameFile, overrides: Mapping[str, Any]) -> None:
    known = [item.name.text for item in tree.declarations if isinstance(item, Parameter)]
    if any(isinstance(item, PlayerCount) for item in tree.declarations):
        known.append("players")
    require_known(overrides, known, "parameter", "it has no parameters")


# The parameters alone.


@frozen(eq=False, repr=False)
class DeclaredParameters(ByValue):
    """The parameters of a file, before anybody looks at the rest of it."""

    source: Source
    declarations: DeclaredNames

    @classmethod
    def of(cls, source: Source) -> DeclaredParameters:
        """Raises ``InvalidGame`` if the file cannot be read, or its names are not clear."""
        tree, findings = parse(source)
        declarations = None if tree is None else declare(tree, findings)
        if declarations is None or not declarations.are_clear:
            raise InvalidGame(findings)
        return cls(source, declarations)

    def under(self, overrides: Mapping[str, Any]) -> tuple[Mapping[str, tuple[Type, Value]], tuple[str, ...]]:
        """The type and the value of each, if some have been given, and the names of the players then. Whether these
        values may stand together is left open. Raises ``InvalidGame`` (``parameter-out-of-range``), and
        ``ZermeloError`` (``unknown-parameter``)."""
        known, findings = _with_normal_names(overrides), Findings(self.source)
        _refuse_unknown(self.declarations.tree, known)
        globals = file_globals(self.declarations, findings, known)
        for declaration in self.declarations.tree.declarations:
            if isinstance(declaration, Parameter):
                globals.parameter(declaration)
        if findings.errors:
            raise InvalidGame(findings)
        return globals.parameters, tuple(player.name for player in globals.player_type.listed)


# Checking a file at the extremes of its parameters.
#
# Rules that are sound for the default parameters may not be so for others, and it is at the ends of their domains that
# they mostly break: an empty board, a range that is too short. So a file is checked at the first and at the last value
# of each parameter, the others having their default values, and with all parameters at their first and at their last
# values: not at all combinations, whose number grows exponentially. Combinations that the file does not allow are
# passed over.
#
# Lines that name other parameters, as in ``expect ... with size = 4``, are checked with those.


SINGLE: Final = 20
"""With more parameters than this they are not varied one by one."""

NOT_ALLOWED: Final = frozenset({"parameter-out-of-range", "requirement-not-met"})
"""Findings of values that the file does not allow together."""


def check_at_extremes(source: Source, overrides: Mapping[str, Any] | None = None) -> tuple[Model | None, Findings]:
    """As :func:`check`, with the findings that only come up at extreme values of the other parameters, too; their
    messages say at which."""
    overrides = _with_normal_names(overrides)
    tree, findings = parse(source)
    if tree is None or findings.errors:
        return None, findings
    game, findings = check_tree(tree, findings, overrides)
    return game, findings if game is None else add_extremes(tree, game, findings, overrides)


def add_extremes(tree: GameFile, game: Model, findings: Findings, overrides: Mapping[str, Any]) -> Findings:
    """The findings of a game under ``overrides``, and those that only come up at the extremes; ``tree`` is that of its
    text."""
    known = {(finding.code, finding.span) for finding in findings}
    found: dict[tuple[str, Span], tuple[Finding, list[dict[str, Any]]]] = {}
    for values in _extreme_values(game, overrides):
        _, there = check_tree(tree, Findings(game.source), {**overrides, **values})
        if any(finding.code in NOT_ALLOWED for finding in there):
            continue
        for finding in there:
            if (finding.code, finding.span) not in known and not is_in_other_line(game, finding):
                where = found.setdefault((finding.code, finding.span), (finding, []))[1]
                if not any(fewer.items() <= values.items() for fewer in where):  # they alone are wrong
                    where.append(values)
    for settings, lines in other_lines(game):
        _, there = check_tree(tree, Findings(game.source), {**overrides, **settings})
        refused = [evolve(each, span=lines[0].span, labels=()) for each in there if each.code in NOT_ALLOWED]
        findings.found += refused or [each for each in there if any(is_in_line(each, line) for line in lines)]
    for finding, where in found.values():
        conditions = " or ".join(map(_condition, where))
        findings.found.append(evolve(finding, message=f"{finding.message} (if {conditions})"))
    return findings


def _condition(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {format_value(value)}" for name, value in values.items())


def _extreme_values(game: Model, overrides: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The values of parameters to check; each time only those that differ from the present ones."""
    met: list[dict[str, Any]] = [{}]
    free = {name: ends for name, ends in game.extremes.items() if name not in overrides}
    each = [{name: end} for name, ends in free.items() for end in ends] if len(free) <= SINGLE else []
    for values in (*each, *({name: ends[k] for name, ends in free.items()} for k in (0, 1))):
        changed = {name: value for name, value in values.items() if value != game.parameters[name]}
        if changed not in met:
            met.append(changed)
            yield changed
