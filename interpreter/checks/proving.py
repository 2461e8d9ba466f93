"""The facts that the rules alone prove."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.analysis import (
    may_fall_through,
    perfect_information,
    public_between_rounds,
    simplify,
    simultaneous_choices,
)
from zermelo.interpreter.checks.game_facts import Bounds, Facts
from zermelo.interpreter.checks.sums import (
    bounds_of_expression,
    common_payoff,
    constant_sum,
    payoff_bounds,
    phases_after,
    reachable_phases,
)
from zermelo.interpreter.checks.termination import terminates
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.model.rewriting import (
    assigned_variables,
    map_parts,
    may_pass,
    phase_title,
    rules_of,
    statements,
    substitute,
)

# The facts that the rules alone prove.
#
# :func:`facts` reads only the rules and is quick, however large the game. A survey of the positions or a count of the
# information sets may settle the rest. Solvers rely on facts, never on claims.


# Decisions that some play certainly reaches, as far as the rules alone prove it.
#
# A chain of ``go`` may lead to a phase that no play reaches, since guards may bar the way. So an example in the rules
# refutes a property only if some play reaches it. This module follows the steps that no guard can bar: a phase whose
# entry statements do not leave it, and which cannot be skipped, decides something; there a move without guards or
# conditions and with nonempty domains is legal in every state, and so is the only move of a phase without
# ``otherwise``. An unconditional ``go`` in its effects leads on.
#
# Sound, apart from errors of the rules: a play that ends in one on the way shows only that the rules are wrong.


def certain_decisions(game: model.Model) -> set[str]:
    """The names of phases in which some play decides something."""
    if game.notation != "phases":
        return set(game.phases)  # plays reach every node of a tree and every cell of a table
    decided: set[str] = set()
    entered: set[str] = set()
    waiting: list[str] = [game.start.phase]
    while waiting:
        name = waiting.pop()
        if name in entered:
            continue
        entered.add(name)
        phase = game.phases[name]
        entry = tuple(_start_entry(game)) if name == game.start.phase else phase.entry
        if _may_leave(entry):
            waiting.extend(_sure_successor(entry))
            continue
        offered = [rule for rule in rules_of(phase.decision) if _is_offered(rule, phase)]
        if phase.otherwise is None or offered:
            decided.add(name)
            if isinstance(phase.decision, model.Together):
                waiting.extend(_sure_successor(phase.decision.then))
            for rule in offered:
                waiting.extend(_sure_successor(rule.body))
    return decided


def _start_entry(game: model.Model) -> Iterator[model.Statement]:
    """The entry statements of the first phase at the beginning of a play. An ``if`` that the arguments and unchanged
    initial values decide is replaced by the branch that is taken."""
    arguments = dict(enumerate(game.start.arguments))
    changed = assigned_variables(game.setup)

    def fill_in_initial_values(expr: model.Expr) -> model.Expr:
        match expr:
            case model.Read(variable) if variable.has_initial and variable not in changed:
                return model.Const(variable.initial, type=expr.type, span=expr.span)
        return map_parts(expr, fill_in_initial_values)

    for statement in game.phases[game.start.phase].entry:
        if isinstance(statement, model.If_) and not game.history:
            condition = simplify(fill_in_initial_values(substitute(statement.condition, arguments)))
            if isinstance(condition, model.Const):
                yield from statement.yes if condition.value else statement.no
                continue
        changed |= assigned_variables((statement,))
        yield statement


def _is_offered(rule: model.Rule, phase: model.Phase) -> bool:
    """Whether some instance of the rule is legal whenever its phase decides something."""
    if isinstance(phase.decision, model.Together):
        return False
    rules = rules_of(phase.decision)
    if len(rules) == 1 and phase.otherwise is None:
        return True
    is_narrowed = isinstance(phase.decision, model.Turn) and phase.decision.is_narrowed
    if any(rule.guards) or rule.ensuring is not None or is_narrowed:
        return False
    numbers = [simplify(number) for number in (rule.weight, rule.probability) if number is not None]
    domains = [simplify(parameter.domain) for parameter in rule.parameters if not parameter.is_optional]
    return all(isinstance(number, model.Const) and number.value for number in numbers) and all(
        isinstance(domain, model.Const) and bool(domain.value) for domain in domains
    )


def _may_leave(block: model.Block) -> bool:
    return any(isinstance(statement, model.Go | model.End) for statement in statements(block))


def _sure_successor(block: model.Block) -> Iterator[str]:
    """The phase to which a block leads on every path, if by an unconditional ``go``."""
    for statement in block:
        match statement:
            case model.Go(phase):
                yield phase
                return
            case model.If_() | model.For() | model.Do() | model.End() if _may_leave((statement,)):
                return


@lru_cache(maxsize=1)
def facts(game: model.Model) -> Facts:
    """The facts that the rules alone prove. Those of the last model are cached, since the same model is usually checked
    for its claims and then played."""
    phases = reachable_phases(game)
    sum_fact, amount = constant_sum(game, phases)
    return Facts(
        players=tuple(player.name for player in game.players),
        constant_sum=sum_fact,
        sum=amount,
        common_payoff=common_payoff(game, phases),
        chance=_chance(game, phases),
        simultaneous=simultaneous_choices(game, phases),
        perfect_information=perfect_information(game, phases),
        public_between_rounds=public_between_rounds(game, phases),
        terminates=terminates(game, phases),
        discounted=game.discount != 1,
        bounds=payoff_bounds(game, phases, amount),
        has_estimate=game.estimate is not None or game.network is not None,
        has_unsettled=game.unsettled is not None,
        has_order=game.order_moves is not None,
        estimates=_bounds_of_estimates(game),
        can_pass=can_pass(game, phases),
        has_endless=game.endless is not None,
        has_history=bool(game.history),
        has_several_rounds=_has_several_rounds(game, phases),
    )


def _bounds_of_estimates(game: model.Model) -> Bounds | None:
    if game.network is not None:
        return game.network.low, game.network.high
    return None if game.estimate is None else bounds_of_expression(game.estimate.value)


def _chance(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether some play has a chance move. ``phases`` are the reachable ones: without a chance decision among them the
    answer is no; with one it is yes if some play certainly reaches it."""
    drawing = [phase for phase in phases if isinstance(phase.decision, model.Chance) and may_fall_through(phase.entry)]
    certain = certain_decisions(game) if drawing else ()
    for phase in drawing:
        if phase.name in certain:
            return Fact(True, f"chance draws in {phase_title(game, phase)}")
    for phase in drawing:
        return Fact(None, f"chance draws in {phase_title(game, phase)}, if a play reaches it")
    return Fact(False, "chance never draws")


def _has_several_rounds(game: model.Model, phases: tuple[model.Phase, ...]) -> bool:
    """Whether a decision of a player may follow one in which players choose at once."""
    after = (
        later for phase in phases if isinstance(phase.decision, model.Together) for later in phases_after(game, phase)
    )
    return any(isinstance(phase.decision, model.Turn | model.Together) for phase in after)


def can_pass(game: model.Model, phases: tuple[model.Phase, ...]) -> Fact:
    """Whether one of the reachable ``phases`` admits a null move."""
    for phase in phases:
        if may_pass(game, phase):
            return Fact(True, f"the argument of phase '{phase.name}' is the player to move")
    if len(game.players) != 2:
        return Fact(False, f"its players are {', '.join(player.name for player in game.players)}")
    return Fact(False, "no phase has the player to move as its only argument")


# The facts about the rest of a play if all hidden values are revealed.


def with_open_cards(facts: Facts, game: model.Model, phase: str) -> Facts:
    """The facts about the rest of a play from a decision in this phase, if everybody sees everything from there on.
    They are read off the phases reachable from it: chance may still be ahead, and those who choose at once still do not
    see each other's choices. A phase that the model does not have, such as a node of a tree, stands for all phases."""
    here = game.phases.get(phase)
    phases = tuple(game.phases.values()) if here is None else (here, *phases_after(game, here))
    ahead = {type(each.decision) for each in phases}
    at_once = model.Together in ahead
    return evolve(
        facts,
        chance=facts.chance if model.Chance in ahead else Fact(False, "chance draws no more"),
        simultaneous=facts.simultaneous if at_once else Fact(False, "players choose one after the other"),
        perfect_information=Fact(False, facts.simultaneous.how) if at_once else Fact(True, "all cards are open"),
    )
