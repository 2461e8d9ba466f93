"""Summarise a game: its players and parameters, who sees which variable, its phases and moves, and proved properties.

Properties and symmetries are proved from the rules alone; only if these leave open whether everybody knows the
position, the first plays are searched. With --positions the positions are counted, as far as --time and --memory allow,
or without them for a short time; what that shows of the facts and claims is shown, too.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from zermelo.commands.game_options import add_game, add_limits, add_threads, game_of, limits_of
from zermelo.commands.options import add_format
from zermelo.game import Game
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.checks.claims import verdict, verdict_word
from zermelo.interpreter.model import Chance, Decision, Phase, Rule, Together, Turn
from zermelo.interpreter.types import MemberType
from zermelo.numbers import parameters_text, record_header
from zermelo.positions import parameters_of, variables_of
from zermelo.report.console import print_facts, print_heading, print_json, print_table, print_title, progress
from zermelo.solving import (
    describe,
    fact_record,
    facts_record,
    facts_with_information,
    size_record,
    size_text,
    visit_positions,
)

if TYPE_CHECKING:  # needed for counting positions only
    from zermelo.interpreter.checks.game_facts import Facts, Survey
    from zermelo.interpreter.symmetries.equivariance import Relabelling
    from zermelo.solvers.common.numbers import Size

EXAMPLES = """\
examples:
  zermelo show kuhn_poker
  zermelo show tic_tac_toe --positions
  zermelo show connect_four -p columns=5 -p rows=4 --positions --time 60 --memory 1G
  zermelo show chess
  zermelo show my_game.game --json
"""

MOST_ROWS = 40
"""The greatest number of phases listed; a tree has one for every node."""


def configure(parser: ArgumentParser) -> None:
    add_game(parser, has_play=False)
    parser.add_argument("--positions", action="store_true", help="also count the positions")
    add_threads(parser)
    add_limits(parser, is_for_all=False)
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    survey = None
    if options.positions:
        with progress("counting the positions", "positions") as report:
            known, survey = visit_positions(game, limits_of(options), report, options.threads)
    else:
        known = facts_with_information(game)
    if options.format == "json":
        print_json({**_record(game, known), "size": None if survey is None else size_record(survey)})
    else:
        _print(game, known, survey)
    return 0


def _print(game: Game, known: Facts, survey: Survey | Size | None) -> None:
    print_title(game.title, parameters_text(game))
    for title, heads, rows in (
        ("parameters", ("name", "value", "range"), parameters_of(game)),
        ("variables", ("variable", "seen by"), variables_of(game)),
        (_PHASES[game.model.notation], ("name", "player", "moves"), _phases(game)),
        (
            "weights of the estimate",
            ("feature", "weight"),
            [(name, str(weight)) for name, weight in game.weights.items()],
        ),
    ):
        if rows:
            _section(title)
            print_table(heads, rows[:MOST_ROWS])
        if len(rows) > MOST_ROWS:
            print(f"... and {len(rows) - MOST_ROWS:,} more")
    _section("facts")
    lines = describe(known)
    found, may_be_more = _symmetries(game, known)
    if len(found) > 1:
        count = f"at least {len(found)}" if may_be_more else f"{len(found)}"
        lines.append(
            ("symmetries", f"{count} (ways to rename {_renamed_kinds(game, found)} that leave the rules as they are)")
        )
    if survey is not None:
        lines.append(("size", size_text(survey)))
    elif game.model.notation == "phases":
        lines.append(("size", "`zermelo show --positions` counts the positions"))
    print_facts(lines)
    if game.model.claims:
        _section("claims")
        verdicts = [
            (game.model.source.excerpt(claim.span), verdict(claim, known, game.model)) for claim in game.model.claims
        ]
        print_table(("claim", "status", "reason"), [(claim, verdict_word(fact), fact.how) for claim, fact in verdicts])


def _symmetries(game: Game, known: Facts) -> tuple[tuple[Relabelling, ...], bool]:
    """The symmetries of a game of perfect information, or of two players and constant sum, and whether there may be
    more; other games are not searched, since their solvers have no use for symmetries."""
    if not known.perfect_information.holds and (len(game.players) != 2 or not known.constant_sum.holds):
        return (), False
    from zermelo.interpreter.symmetries.group import search_symmetries

    return search_symmetries(game.model)


def _renamed_kinds(game: Game, found: tuple[Relabelling, ...]) -> str:
    """The kinds of things that symmetries rename: ``players and Cell``."""
    members = {member for symmetry in found for member in symmetry.members}
    kinds = ["players"] * any(player in members for player in game.model.players)
    for type in game.model.types:
        if isinstance(type, MemberType) and type is not game.model.player_type and not members.isdisjoint(type.listed):
            kinds.append(type.name)
    kinds += ["numbers"] * any(symmetry.numbers for symmetry in found)
    *others, last = kinds
    return f"{', '.join(others)} and {last}" if others else last


_PHASES = {"phases": "phases", "tree": "nodes of the tree", "table": "the table"}


def _section(title: str) -> None:
    print()
    print_heading(title, role="heading")


def _phases(game: Game) -> list[tuple[str, str, str]]:
    """Every phase with the player to move in it, and their moves."""
    source = game.model.source
    return [(_phase_heading(phase), *_decision(phase.decision, source)) for phase in game.model.phases.values()]


def _phase_heading(phase: Phase) -> str:
    written = phase.parameters[:-1] if phase.is_numbered else phase.parameters
    parameters = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in written)
    return f"{phase.name}({parameters})" if parameters else phase.name


def _decision(decision: Decision | None, source: Source) -> tuple[str, str]:
    match decision:
        case None:
            return "", ""
        case Chance(outcomes=rules, repeated=repeated):
            actor = "chance" if repeated is None else f"chance for {source.excerpt(repeated)}"
        case Turn(player=player, moves=rules):
            actor = source.excerpt(player.span)
        case Together(moves=rules):
            actor = "together"
    return actor, ", ".join(_rule(rule, source) for rule in rules)


def _rule(rule: Rule, source: Source) -> str:
    parameters = ", ".join(
        f"{'secret ' if parameter.secret else ''}{parameter.name} in {source.excerpt(parameter.domain.span)}"
        f"{'?' if parameter.is_optional else ''}"
        for parameter in rule.parameters
    )
    return f"{rule.name}({parameters})" if parameters else rule.name


def _record(game: Game, known: Facts) -> dict[str, Any]:
    found, may_be_more = _symmetries(game, known)
    return {
        **record_header(game),
        "title": game.title,
        "players": list(game.players),
        "notation": game.model.notation,
        "domains": {name: domain for name, _, domain in parameters_of(game)},
        "variables": [{"variable": variable, "seen_by": audience} for variable, audience in variables_of(game)],
        "phases": [{"phase": phase, "acts": actor, "may": may} for phase, actor, may in _phases(game)],
        "weights": {name: str(weight) for name, weight in game.weights.items()},
        "facts": facts_record(known),
        "symmetries": len(found) or None,
        "symmetries_may_be_more": may_be_more,
        "claims": [
            {"claim": game.model.source.excerpt(claim.span), **fact_record(verdict(claim, known, game.model))}
            for claim in game.model.claims
        ],
    }
