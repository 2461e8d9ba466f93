"""Who sees what in the rules: reads of hidden values, and moves and ends that give them away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

from attrs import define, evolve, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import NOWHERE, Findings, Label, Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.measures import SET, Contexts, directions_of
from zermelo.interpreter.evaluation.expressions import evaluate_constant
from zermelo.interpreter.model.cardinality import TOO_MUCH, evaluation_cost
from zermelo.interpreter.model.rewriting import (
    assigned_variables,
    bound_slots,
    free_slots,
    is_closed,
    own_statements,
    reads,
    rules_of,
    slots,
    subexpressions,
    substitute,
    unfold,
    walk,
)
from zermelo.interpreter.types import BOOL, MemberType, NumberType, SetType, Type, UnknownType, strip_none
from zermelo.interpreter.values import EvaluationError, Member, OrderedSet

# Who sees a value, by enumeration: all players as the player who looks, and all values of the names in the indices,
# except those that the surrounding conditions exclude (``q == p and hand[q] == 2``). If an audience depends on the
# state, nothing is known.


_MOST_CASES = 5_000


@frozen(eq=False, repr=False)
class Case(ByValue):
    """The context of a read: the player to move, the types of the names in scope, by slot, the conditions that hold,
    and the expressions whose value everybody has been told."""

    player: model.Expr
    types: Mapping[int, Type]
    conditions: tuple[tuple[model.Expr, bool], ...] = ()
    revealed: tuple[model.Expr, ...] = ()

    def where(self, condition: model.Expr, holds: bool) -> Case:
        return evolve(self, conditions=(*self.conditions, (condition, holds)))


class _Cases(Contexts[Case]):
    def narrow(self, test: model.Expr, holds: bool, known: Case) -> Case:
        return known.where(test, holds)

    def bind(self, name: model.Local, domain: model.Expr, known: Case) -> Case:
        return self.let(name, domain, known).where(model.Contains(name, domain, type=BOOL, span=domain.span), True)

    def let(self, name: model.Local, value: model.Expr, known: Case) -> Case:
        return evolve(known, types={**known.types, name.slot: name.type})


_CASES = _Cases()


def reads_in_context(expr: model.Expr, case: Case) -> Iterator[tuple[model.Read, Case]]:
    """The reads of variables in an expression, with defines unfolded, each with its context. Parts that have been
    revealed are left out."""
    if expr in case.revealed:
        return
    if isinstance(expr, model.Read):
        yield expr, case
    for part, _, there in _CASES.parts(expr, case):
        yield from reads_in_context(part, there)
    if isinstance(expr, model.Call):
        yield from reads_in_context(unfold(expr), case)


def players_of(game: model.Model, whether: bool) -> model.Const:
    """The set of all players, or the empty one."""
    players = OrderedSet(game.players if whether else ())
    return model.Const(players, type=SetType(game.player_type), span=NOWHERE)


def audience_of(read: model.Read, game: model.Model) -> model.Expr:
    """Who sees the entry: a player, a set of players or none; everybody if an index has an error."""
    visibility = read.variable.visibility
    if any(isinstance(index.type, UnknownType) for index in read.indices):
        return players_of(game, True)
    if isinstance(visibility, model.SeenBy):
        return substitute(visibility.audience, dict(enumerate(read.indices)))
    return players_of(game, is_public(read.variable))


def is_public(variable: model.Variable) -> bool:
    """Whether everybody sees all its entries."""
    seen = variable.visibility
    return seen is model.Audience.EVERYBODY or (variable.is_constant and not isinstance(seen, model.SeenBy))


def player_outside_audiences(audiences: Iterable[model.Expr], case: Case) -> Member | None:
    """A possible player of the case who belongs to none of the audiences; None if there is none, or none is known."""
    audiences = tuple(audiences)
    needed = sorted(free_slots(case.player).union(*map(free_slots, audiences)))
    types = case.types
    if not all(slot in types and _is_listable(types[slot]) for slot in needed):
        return None
    domains = [list(strip_none(types[slot]).generate()) for slot in needed]
    if prod(map(len, domains)) > _MOST_CASES:
        return None
    for values in product(*domains):
        bound = {
            slot: model.Const(value, type=types[slot], span=case.player.span)
            for slot, value in zip(needed, values, strict=True)
        }
        if any(_constant_value(substitute(condition, bound)) is (not holds) for condition, holds in case.conditions):
            continue
        who = _constant_value(substitute(case.player, bound))
        seeing = [_constant_value(substitute(audience, bound)) for audience in audiences]
        if who is _UNKNOWN or _UNKNOWN in seeing:
            return None
        if isinstance(who, Member) and not any(_sees(who, audience) for audience in seeing):
            return who
    return None


_UNKNOWN = object()


def _constant_value(expr: model.Expr) -> object:
    """The value of an expression, if it does not depend on the position."""
    if not is_closed(expr) or evaluation_cost(expr) >= TOO_MUCH:
        return _UNKNOWN
    try:
        value: object = evaluate_constant(expr)
    except EvaluationError:
        return _UNKNOWN
    return value


def _is_listable(type: Type) -> bool:
    return isinstance(strip_none(type), MemberType | NumberType) and strip_none(type).is_finite


def _sees(who: Member, audience: object) -> bool:
    return who in audience if isinstance(audience, OrderedSet) else who is audience


# The hidden content of an expression: the secrets whose values flow into it.
#
# A secret is an entry that not everybody sees, an argument of a move that the others do not perceive, an outcome of
# chance that is stored where not everybody sees it, or a secret argument of a phase. A value computed from a secret is
# as secret. The condition of an ``if``, which only *chooses* between values, does not count, since the course of a play
# says something about the cards in any game. A player who has been told a value knows it: revealed and told values are
# followed along each path, up to an assignment that changes them.
#
# A walk expresses the names of a block in terms of the frame in which it began (``Knowledge``): a name bound by ``let``
# and an argument of an action are replaced by the expressions that they stand for.


FRAME = 10_000_000
"""The slots of a called action begin at this number times the depth of the call."""


@frozen(eq=False, repr=False)
class Secret(ByValue):
    """A hidden value: its name, where it was declared, and those who know it (``audiences``, players or sets of
    players)."""

    name: str
    span: Span = field(eq=False)
    audiences: tuple[model.Expr, ...]


@define(eq=False, repr=False)
class Knowledge:
    """What is known at a place of a block: the names that stand for expressions (``meant``), those that are secret,
    what has been told and to whom, and the conditions that hold. ``offset`` is where the slots of the frame begin."""

    game: model.Model
    meant: dict[int, model.Expr] = field(factory=dict)
    secret: dict[int, tuple[Secret, ...]] = field(factory=dict)
    told: list[tuple[model.Expr, model.Expr]] = field(factory=list)
    told_of_all: list[tuple[model.Variable, model.Expr]] = field(factory=list)
    conditions: tuple[tuple[model.Expr, bool], ...] = ()
    offset: int = 0

    def copy(self) -> Knowledge:
        return evolve(
            self,
            meant=dict(self.meant),
            secret=dict(self.secret),
            told=list(self.told),
            told_of_all=list(self.told_of_all),
        )

    def meaning(self, expr: model.Expr) -> model.Expr:
        """The expression in terms of the frame in which the walk began."""
        bound = bound_slots(expr)
        values: dict[int, model.Expr] = {}
        for part in walk(expr):
            if isinstance(part, model.Local) and part.slot not in bound:
                moved = evolve(part, slot=part.slot + self.offset)
                values[part.slot] = self.meant.get(moved.slot, moved)
        return substitute(expr, values)

    def hear(self, audience: model.Expr, values: Iterable[model.Expr]) -> None:
        """Somebody is told these values."""
        self.told += [(self.meaning(value), self.meaning(audience)) for value in values]

    def name(self, statement: model.SetLocal) -> None:
        """A name gets a value. A local variable that has once been secret stays so."""
        slot = statement.slot + self.offset
        value = self.meaning(statement.value)
        if statement.type is None:
            self.meant[slot] = value
        else:
            self.taint(slot, self.secrets(value))

    def taint(self, slot: int, found: tuple[Secret, ...]) -> None:
        if found:
            self.secret[slot] = (*self.secret.get(slot, ()), *found)

    def change(self, variable: model.Variable) -> None:
        """The variable changes: what was told about it no longer holds; names that stand for it keep their secrets."""
        for slot, value in list(self.meant.items()):
            if any(read.variable is variable for read in reads(value)):
                self.taint(slot, self.secrets(value))
                del self.meant[slot]
        self.told = [each for each in self.told if all(read.variable is not variable for read in reads(each[0]))]
        self.told_of_all = [each for each in self.told_of_all if each[0] is not variable]

    def secrets(self, expr: model.Expr, bound: frozenset[int] = frozenset()) -> tuple[Secret, ...]:
        """The secrets whose values flow into an expression, which is a ``meaning``."""
        known = tuple(audience for value, audience in self.told if value == expr)
        return tuple(
            evolve(found, audiences=(*found.audiences, *known)) for found in self._secrets_flowing_into(expr, bound)
        )

    def _secrets_flowing_into(self, expr: model.Expr, bound: frozenset[int]) -> Iterator[Secret]:
        match expr:
            case model.Local(slot=slot):
                if slot not in bound:
                    yield from self.secret.get(slot, ())
                return
            case model.If(yes=yes, no=no):
                yield from self.secrets(yes, bound)
                yield from self.secrets(no, bound)
                return
            case model.Call():
                yield from self.secrets(unfold(expr), bound)
                return
            case model.Chosen(rule=rule, player=player, parameter=parameter):
                if rule.secret or (parameter is not None and rule.parameters[parameter].secret):
                    yield Secret(rule.name, expr.span, (player,))
            case model.Read(variable=variable):
                if variable.visibility is not model.Audience.EVERYBODY and not variable.is_constant:
                    told = tuple(audience for all_of, audience in self.told_of_all if all_of is variable)
                    yield Secret(variable.name, variable.span, (audience_of(expr, self.game), *told))
        inner = bound | bound_slots(expr)
        for part in subexpressions(expr):
            yield from self.secrets(part, inner)


def translate_audience(audience: model.Expr, arguments: Mapping[int, model.Expr]) -> tuple[model.Expr, ...]:
    """The forms of an audience in the names of a phase that is entered with these arguments; empty if there is none. A
    player who is also an argument may be named in either way."""
    found: list[model.Expr] = []
    if not slots(audience) - bound_slots(audience):
        found.append(audience)
    for slot, argument in arguments.items():
        if argument == audience:
            found.append(model.Local(slot, "player", type=argument.type, span=argument.span))
    if not found:
        places = {
            argument.slot: model.Local(slot, argument.name, type=argument.type, span=argument.span)
            for slot, argument in arguments.items()
            if isinstance(argument, model.Local)
        }
        if slots(audience) <= set(places) | bound_slots(audience):
            found.append(substitute(audience, places))
    return tuple(found)


# Guards that read hidden data: a player's moves would reveal what they do not see, and one information set would offer
# different moves. Suspicions, with their reasons.


def check_leaks(game: model.Model, findings: Findings) -> None:
    """Report guards that read values which their player does not see."""
    if not _has_secrets(game):  # all players belong to the audience of every read
        return
    for phase in game.phases.values():
        _check_guards(phase, game, findings)


# ----------------------------------------------------------------- guards and their reads


def _check_guards(phase: model.Phase, game: model.Model, findings: Findings) -> None:
    match phase.decision:
        case model.Turn(player=player, moves=rules):
            pass
        case model.Together(slot=slot, moves=rules, span=span):
            player = model.Local(slot, "whoever chooses", type=game.player_type, span=span)
        case _:
            return
    types = {slot: parameter.type for slot, parameter in enumerate(phase.parameters)}
    if isinstance(player, model.Local):
        types[player.slot] = game.player_type
    case = Case(player, types)
    entry = Knowledge(game)
    _Walk(entry, phase, {}, None).block(phase.entry)
    revealed = tuple(value for value, audience in entry.told if player_outside_audiences((audience,), case) is None)
    for rule in rules:
        places, known = _CASES.guards(rule, evolve(case, revealed=revealed))
        for test, why, when in places:
            # the reason tells a domain, which must be a set, from a condition
            _check_test("domain" if why == SET else "guard", test, rule, when, phase, game, findings)
        if rule.ensuring is not None:
            _check_test("'ensuring'", rule.ensuring, rule, known, phase, game, findings)


def _check_test(
    what: str,
    test: model.Expr,
    rule: model.Rule,
    case: Case,
    phase: model.Phase,
    game: model.Model,
    findings: Findings,
) -> None:
    for slot in sorted(slots(test)):
        if slot < len(phase.parameters) and phase.parameters[slot].secret:
            findings.report(
                "guard-reads-hidden",
                test.span,
                f"the {what} of '{rule.name}' uses '{phase.parameters[slot].name}', which its player does not see",
                labels=[Label(phase.parameters[slot].span, "secret")],
                help="positions that a player cannot tell apart must offer the same moves",
            )
    for read, when in reads_in_context(test, case):
        unseen = player_outside_audiences((audience_of(read, game),), when)
        if unseen is None:
            continue
        name = read.variable.name
        who = case.player.name if isinstance(case.player, model.Local) else unseen.name
        findings.report(
            "guard-reads-hidden",
            test.span,
            f"the {what} of '{rule.name}' reads '{name}', but {who} does not always see it",
            remark=f"for example, {unseen.name} does not see this entry of '{name}'"
            if read.indices
            else f"{unseen.name} does not see '{name}'",
            labels=[Label(read.variable.span, "declared here")],
            help="offer the move whatever is hidden, and let its effects decide what happens; or let the player see it",
        )


# Hidden values that come to light: public variables, arguments of phases and phases that betray a secret.
#
# Every block is walked along all of its paths with what is known there. Three steps give a secret away: its value is
# assigned to a *public variable*, which everybody sees; it becomes an *argument of a phase*, which the players who
# decide there perceive; or it chooses between *phases* of different names, which the players who decide there perceive.
# Nobody perceives an argument of a phase in which nobody decides; such an argument carries its secret on.
#
# These are suspicions: many games show a card on purpose. An author who means it writes ``reveal`` first.


Carried = dict[tuple[str, int], tuple[Secret, ...]]
"""The secrets held by the arguments of phases in which nobody decides."""


def check_betrayals(game: model.Model, findings: Findings) -> None:
    """Report the steps that give a secret away."""
    if game.notation != "phases" or not _has_secrets(game):
        return
    carried: Carried = {}
    found = -1
    while found < len(carried):  # each round finds another argument, so they end
        found = len(carried)
        for phase in game.phases.values():
            _walk_phase(phase, game, carried, None)
    for phase in game.phases.values():
        _walk_phase(phase, game, carried, findings)


def _has_secrets(game: model.Model) -> bool:
    """Whether anything is declared hidden or secret."""
    return (
        any(variable.visibility is not model.Audience.EVERYBODY for variable in game.variables)
        or any(parameter.secret for phase in game.phases.values() for parameter in phase.parameters)
        or any(
            rule.secret or any(parameter.secret for parameter in rule.parameters)
            for phase in game.phases.values()
            for rule in rules_of(phase.decision)
        )
    )


def _walk_phase(phase: model.Phase, game: model.Model, carried: Carried, findings: Findings | None) -> None:
    knowledge = Knowledge(game)
    for slot, parameter in enumerate(phase.parameters):
        if parameter.secret:
            knowledge.secret[slot] = (Secret(parameter.name, parameter.span, ()),)
        elif (phase.name, slot) in carried:
            knowledge.secret[slot] = carried[phase.name, slot]
    _Walk(knowledge, phase, carried, findings).block(phase.entry)
    for rule in rules_of(phase.decision):
        inner = knowledge.copy()
        inner.conditions += tuple((guard, True) for guards in rule.guards for guard in guards)
        for bound in rule.parameters:
            secret = _secret_of(bound, rule, phase, inner)
            if secret is not None:
                inner.secret[bound.slot] = (secret,)
        _Walk(inner, phase, carried, findings).block(rule.body)
    if isinstance(phase.decision, model.Together):
        _Walk(knowledge.copy(), phase, carried, findings).block(phase.decision.then)
    if phase.otherwise is not None:
        _Walk(knowledge.copy(), phase, carried, findings).block(phase.otherwise)


def _secret_of(
    parameter: model.RuleParameter, rule: model.Rule, phase: model.Phase, knowledge: Knowledge
) -> Secret | None:
    """The secret that an argument of a move or an outcome is, if it is one."""
    if isinstance(phase.decision, model.Turn) and (rule.secret or parameter.secret):
        return Secret(parameter.name, parameter.span, (phase.decision.player,))
    if isinstance(phase.decision, model.Chance):
        stored = _Walk(knowledge.copy(), phase, {}, None)
        stored.block(rule.body)
        places = [read for read, used in stored.limited if parameter.slot in used]
        if places:
            secrets = [secret for read in places for secret in knowledge.secrets(read)]
            return Secret(parameter.name, parameter.span, tuple(who for secret in secrets for who in secret.audiences))
    return None


@define(eq=False, repr=False)
class _Walk:
    """A walk along the paths of a block. ``limited`` are the assigned entries that not everybody sees, with the slots
    used; without ``findings`` nothing is reported."""

    knowledge: Knowledge
    phase: model.Phase
    carried: Carried
    findings: Findings | None
    limited: list[tuple[model.Read, set[int]]] = field(factory=list)

    def block(self, block: model.Block) -> None:
        for place, statement in enumerate(block):
            match statement:
                case model.Assign() | model.Fill():
                    self.assigned(statement)
                    self.knowledge.change(statement.variable)
                case model.SetLocal():
                    self.knowledge.name(statement)
                case model.SetLocalField(slot=slot, value=value):
                    knowledge = self.knowledge
                    knowledge.taint(slot + knowledge.offset, knowledge.secrets(knowledge.meaning(value)))
                case model.Tell(audience=audience, arguments=arguments):
                    self.knowledge.hear(audience, arguments)
                case model.If_():
                    self.branches(statement, block[place + 1 :])
                case model.For(binders=binders, body=body):
                    self.loop(binders, body)
                case model.Do():
                    self.call(statement)
                case model.Go():
                    self.entered(statement)

    def within(self, knowledge: Knowledge) -> _Walk:
        return _Walk(knowledge, self.phase, self.carried, self.findings, self.limited)

    def branches(self, statement: model.If_, rest: model.Block) -> None:
        here = self.knowledge
        condition = here.meaning(statement.condition)
        self.chosen(statement, condition, rest)
        after = []
        for body, holds in ((statement.yes, True), (statement.no, False)):
            branch = here.copy()
            branch.conditions += ((condition, holds),)
            self.within(branch).block(body)
            if _exits(body)[1]:
                after.append(branch)
        for changed in assigned_variables((statement,)):
            here.change(changed)
        if after:
            here.told += [each for each in after[0].told if all(each in other.told for other in after)]
            for branch in after:
                for slot, found in branch.secret.items():
                    here.secret[slot] = tuple(dict.fromkeys((*here.secret.get(slot, ()), *found)))

    def loop(self, binders: tuple[model.Binder, ...], body: model.Block) -> None:
        inner = self.knowledge.copy()
        for binder in binders:
            slot = binder.slot + inner.offset
            inner.meant.pop(slot, None)
            inner.secret.pop(slot, None)
            inner.taint(slot, inner.secrets(inner.meaning(binder.domain)))
        self.within(inner).block(body)
        for changed in assigned_variables(body):
            self.knowledge.change(changed)
        running = {binder.slot + inner.offset for binder in binders}
        for value, audience in inner.told:
            if isinstance(value, model.Read) and slots(value) & running and not slots(audience) & running:
                self.knowledge.told_of_all.append((value.variable, audience))  # ``for q in Player: reveal hand[q]``
        for slot, found in inner.secret.items():
            if slot not in running:
                self.knowledge.secret[slot] = found

    def call(self, statement: model.Do) -> None:
        here = self.knowledge
        inner = here.copy()
        inner.offset += FRAME
        for slot, argument in enumerate(statement.arguments):
            inner.meant[slot + inner.offset] = here.meaning(argument)
        self.within(inner).block(statement.action.body)
        for changed in assigned_variables(statement.action.body):
            here.change(changed)
        here.told += [each for each in inner.told if each not in here.told]

    # ------------------------------------------------------------- what comes to light

    def assigned(self, statement: model.Assign | model.Fill) -> None:
        here, variable = self.knowledge, statement.variable
        value = here.meaning(statement.value)
        indices = () if isinstance(statement, model.Fill) else tuple(map(here.meaning, statement.indices))
        if variable.visibility is not model.Audience.EVERYBODY:
            takes_away = "shrinks" in directions_of(statement)
            read = model.Read(variable, indices, type=variable.type.base, span=statement.span)
            if not takes_away:
                self.limited.append((read, slots(value).union(*map(slots, indices))))
            return
        anybody = model.Local(-1, "anybody", type=here.game.player_type, span=statement.span)
        for secret in (found for expr in (value, *indices) for found in here.secrets(expr)):
            who = self.misses(secret, anybody)
            if who is not None:
                self.report(
                    statement.span,
                    f"'{variable.name}' is public, and is written from '{secret.name}', which {who.name} does not see",
                    "everybody sees this",
                    secret,
                    "declare the variable 'private', 'hidden' or 'seen by ...', unless this is meant: then write "
                    "'reveal ...' before it",
                )
                return

    def entered(self, statement: model.Go) -> None:
        here = self.knowledge
        target = here.game.phases.get(statement.phase)
        if target is None:
            return
        arguments = dict(enumerate(map(here.meaning, statement.arguments)))
        player = _deciding_player(target, arguments, here.game)
        for slot, parameter in enumerate(target.parameters):
            if parameter.secret or slot not in arguments:
                continue
            secrets = here.secrets(arguments[slot])
            if player is None and not isinstance(target.decision, model.Turn | model.Together):
                self.carry((target.name, slot), secrets, arguments)
                continue
            for secret in secrets:
                who = None if player is None else self.misses(secret, player)
                if who is not None:
                    self.report(
                        statement.span,
                        f"whoever decides in phase '{target.name}' perceives its argument '{parameter.name}', which "
                        f"comes from '{secret.name}'; {who.name} does not see that",
                        f"{who.name} perceives this",
                        secret,
                        f"make it 'secret {parameter.name}' in the phase, unless this is meant: then write "
                        "'reveal ...' before it",
                    )
                    return

    def carry(self, place: tuple[str, int], secrets: tuple[Secret, ...], arguments: dict[int, model.Expr]) -> None:
        """An argument that nobody perceives keeps its secret."""
        for secret in secrets:
            known = [translate_audience(audience, arguments) for audience in secret.audiences]
            if place not in self.carried and all(known):
                audiences = tuple(audience for forms in known for audience in forms)
                self.carried[place] = (Secret(secret.name, secret.span, audiences),)

    def chosen(self, statement: model.If_, condition: model.Expr, rest: model.Block) -> None:
        """Report a secret that chooses between phases, if a player who decides in one of them does not know it."""
        here = self.knowledge
        secrets = here.secrets(condition)
        if not secrets or any(isinstance(each, model.Tell) for each in own_statements((statement,))):
            return
        ways_on: list[dict[str, model.Expr]] = []
        for body in (statement.yes, statement.no):
            goes, falls_through = _exits((*body, *rest) if _exits(body)[1] else body)
            found: dict[str, model.Expr] = {}
            for go in goes:
                target = here.game.phases.get(go.phase)
                values = dict(enumerate(map(here.meaning, go.arguments)))
                player = None if target is None else _deciding_player(target, values, here.game)
                if player is not None:
                    found[go.phase] = player
            if falls_through:
                player = _deciding_player(self.phase, {}, here.game)
                if player is not None:
                    found[self.phase.name] = player
            ways_on.append(found)
        one, other = ways_on
        for phase in sorted(one.keys() ^ other.keys()) if one and other else ():
            player = (one | other)[phase]
            for secret in secrets:
                who = self.misses(secret, player)
                if who is not None:
                    self.report(
                        condition.span,
                        f"'{secret.name}' decides whether phase '{phase}' comes, which {who.name} perceives without "
                        "seeing it",
                        "this chooses the phase",
                        secret,
                        "go to one phase, unless this is meant: then write 'reveal ...' before it",
                    )
                    return

    def misses(self, secret: Secret, player: model.Expr) -> Member | None:
        names = (part for expr in (player, *secret.audiences) for part in walk(expr) if isinstance(part, model.Local))
        case = Case(player, {part.slot: part.type for part in names}, self.knowledge.conditions)
        return player_outside_audiences(secret.audiences, case)

    def report(self, span: Span, message: str, remark: str, secret: Secret, help: str) -> None:
        if self.findings is not None and all(
            (found.code, found.span) != ("betrays-hidden", span) for found in self.findings.found
        ):
            label = Label(secret.span, "not everybody sees this")
            self.findings.report("betrays-hidden", span, message, remark=remark, labels=[label], help=help)


def _deciding_player(phase: model.Phase, arguments: dict[int, model.Expr], game: model.Model) -> model.Expr | None:
    """Who decides in a phase that is entered with these arguments; None if nobody does, or it is not known here."""
    match phase.decision:
        case model.Turn(player=player):
            decides = substitute(player, arguments)
            known = set(arguments) if arguments else set(range(len(phase.parameters)))
            return decides if slots(player) <= known else None
        case model.Together(span=span):
            return model.Local(-1, "anybody", type=game.player_type, span=span)
    return None


def _exits(block: model.Block) -> tuple[list[model.Go], bool]:
    """The ``go`` statements by which a block may be left, and whether it may run to its end."""
    goes: list[model.Go] = []
    for statement in block:
        match statement:
            case model.Go():
                return [*goes, statement], False
            case model.End():
                return goes, False
            case model.If_(yes=yes, no=no):
                left, right = _exits(yes), _exits(no)
                goes += left[0] + right[0]
                if not left[1] and not right[1]:
                    return goes, False
    return goes, True
