"""Hidden values that come to light: public variables, arguments of phases and phases that betray a secret.

Every block is walked along all of its paths with what is known there (:mod:`zermelo.interpreter.checks.hidden_values`).
Three steps give a secret away: its value is assigned to a *public variable*, which everybody sees; it becomes an
*argument of a phase*, which whoever decides there perceives; or it chooses between *phases* of different names, whose
names those who decide there perceive. An argument of a phase that nobody decides in is perceived by nobody, and carries
its secret on.

These are suspicions: to show a card is part of many games. Who means it says ``reveal`` first.
"""

from __future__ import annotations

from attrs import define, field

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.hidden_values import (
    FRAME,
    Knowledge,
    Secret,
    changed_in,
    follow_simple,
    in_terms_of,
    nobody,
)
from zermelo.interpreter.checks.measures import ways
from zermelo.interpreter.checks.seeing import who_misses
from zermelo.interpreter.model.rewriting import slots, substitute
from zermelo.interpreter.model.walks import own_statements, rules_of
from zermelo.interpreter.values import Member

Carried = dict[tuple[str, int], tuple[Secret, ...]]
"""The secrets that arguments of phases hold in which nobody decides."""


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
    """Walk every block of a phase."""
    knowledge = Knowledge(game)
    for slot, parameter in enumerate(phase.parameters):
        if parameter.secret:
            knowledge.secret[slot] = (Secret(parameter.name, parameter.span, (nobody(game),)),)
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
                    follow_simple(self.knowledge, statement)
                case model.If_():
                    self.branches(statement, block[place + 1 :])
                case model.For(binders=binders, body=body):
                    self.loop(binders, body)
                case model.Do():
                    self.call(statement)
                case model.Go():
                    self.entered(statement)
                case _:
                    follow_simple(self.knowledge, statement)

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
        for changed in changed_in((statement,)):
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
        for changed in changed_in(body):
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
        for changed in changed_in(statement.action.body):
            here.change(changed)
        here.told += [each for each in inner.told if each not in here.told]

    # ------------------------------------------------------------- what comes to light

    def assigned(self, statement: model.Assign | model.Fill) -> None:
        here, variable = self.knowledge, statement.variable
        value = here.meaning(statement.value)
        indices = () if isinstance(statement, model.Fill) else tuple(map(here.meaning, statement.indices))
        if variable.visibility is not model.Audience.EVERYBODY:
            takes_away = "shrinks" in ways(statement)
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
        player = _who_decides(target, arguments, here.game)
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
            known = [in_terms_of(audience, arguments) for audience in secret.audiences]
            if place not in self.carried and all(known):
                audiences = tuple(audience for forms in known for audience in forms)
                self.carried[place] = (Secret(secret.name, secret.span, audiences),)

    def chosen(self, statement: model.If_, condition: model.Expr, rest: model.Block) -> None:
        """Whether a secret chooses between phases in which somebody decides who does not know it."""
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
                player = None if target is None else _who_decides(target, values, here.game)
                if player is not None:
                    found[go.phase] = player
            if falls_through:
                player = _who_decides(self.phase, {}, here.game)
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
        return who_misses(secret.audiences, self.knowledge.case(player, secret.audiences))

    def report(self, span: Span, message: str, remark: str, secret: Secret, help: str) -> None:
        if self.findings is not None and all(
            (found.code, found.span) != ("betrays-hidden", span) for found in self.findings.found
        ):
            label = Label(secret.span, "not everybody sees this")
            self.findings.report("betrays-hidden", span, message, remark=remark, labels=[label], help=help)


def _who_decides(phase: model.Phase, arguments: dict[int, model.Expr], game: model.Model) -> model.Expr | None:
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
            case _:
                pass
    return goes, True
