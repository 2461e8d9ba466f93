"""What of an expression is hidden: the secrets whose values flow into it.

A secret is an entry that not everybody sees, an argument of a move that the others do not perceive, an outcome of
chance that is stored where not everybody sees it, or a secret argument of a phase. A value computed from a secret is as
secret. What only *chooses* between values is not: the condition of an ``if`` does not count, since the course of a
play says something about the cards in any game. Whoever has been told a value knows it: what is revealed, or told, is
followed along each path, up to an assignment that changes it.

A walk keeps the names of a block as expressions of the frame in which it began (``Knowledge``), so that a name made by
``let``, and an argument of an action, is what it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import define, evolve, field, frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.checks.seeing import Case, audience_of, players_of
from zermelo.interpreter.model.rewriting import bound_slots, reads, slots, subexpressions, substitute, unfold, walk
from zermelo.interpreter.model.walks import statements
from zermelo.interpreter.types import Type

FRAME = 10_000_000
"""The slots of a called action are counted from here on, times its depth."""


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
        """A name gets a value. A local variable stays secret once it has been."""
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
        """The variable changes: what was told of it is past, and names that stand for it keep what they had."""
        for slot, value in list(self.meant.items()):
            if any(read.variable is variable for read in reads(value)):
                self.taint(slot, self.secrets(value))
                del self.meant[slot]
        self.told = [each for each in self.told if all(read.variable is not variable for read in reads(each[0]))]
        self.told_of_all = [each for each in self.told_of_all if each[0] is not variable]

    def secrets(self, expr: model.Expr, bound: frozenset[int] = frozenset()) -> tuple[Secret, ...]:
        """The secrets whose values flow into an expression, which is a ``meaning``."""
        known = tuple(audience for value, audience in self.told if value == expr)
        return tuple(evolve(found, audiences=(*found.audiences, *known)) for found in self._flowing(expr, bound))

    def _flowing(self, expr: model.Expr, bound: frozenset[int]) -> Iterator[Secret]:
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

    def case(self, player: model.Expr, about: Iterable[model.Expr]) -> Case:
        """The question what ``player`` sees here, with the types of all names that it depends on."""
        types: dict[int, Type] = {}
        for expr in (player, *about, *(condition for condition, _ in self.conditions)):
            types |= {part.slot: part.type for part in walk(expr) if isinstance(part, model.Local)}
        return Case(player, types, self.conditions)


def follow_simple(knowledge: Knowledge, statement: model.Statement) -> None:
    """What a statement without blocks changes of the knowledge."""
    match statement:
        case model.SetLocal():
            knowledge.name(statement)
        case model.SetLocalField(slot=slot, value=value):
            knowledge.taint(slot + knowledge.offset, knowledge.secrets(knowledge.meaning(value)))
        case model.Assign(variable=variable) | model.Fill(variable=variable):
            knowledge.change(variable)
        case model.Tell(audience=audience, arguments=arguments):
            knowledge.hear(audience, arguments)


def revealed_on_entry(phase: model.Phase, game: model.Model) -> tuple[tuple[model.Expr, model.Expr], ...]:
    """What is told whenever the phase is entered, and to whom, as it still is at its decision."""
    knowledge = Knowledge(game)
    for statement in phase.entry:
        follow_simple(knowledge, statement)
        if isinstance(statement, model.If_ | model.For | model.Do):
            for changed in changed_in((statement,)):
                knowledge.change(changed)
    return tuple(knowledge.told)


def changed_in(block: model.Block) -> set[model.Variable]:
    """The variables that a block may assign."""
    return {each.variable for each in statements(block) if isinstance(each, model.Assign | model.Fill)}


def in_terms_of(audience: model.Expr, arguments: Mapping[int, model.Expr]) -> tuple[model.Expr, ...]:
    """An audience in the names of a phase that is entered with these arguments, none if it has no such form. A player
    who is also an argument goes by either name."""
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


def nobody(game: model.Model) -> model.Expr:
    return players_of(game, False)
