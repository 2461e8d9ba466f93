"""The parts of expressions, statements and rules, each with what is known where it is evaluated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

from zermelo.interpreter import model
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model.cardinality import member_type
from zermelo.interpreter.model.rewriting import Whole, operands

Known = TypeVar("Known")

Place = tuple[model.Expr, str | None, Known]
"""An expression, the reason why it must not be none (None without one), and what is known where it is evaluated."""

CONDITION: Final = "a condition is true or false"
SET: Final = "'in' needs a set"


class Contexts(ABC, Generic[Known]):
    """What conditions and names let a check know, in the scope of each."""

    @abstractmethod
    def narrow(self, test: model.Expr, holds: bool, known: Known) -> Known:
        """What is known if a condition holds, or if it fails."""

    @abstractmethod
    def bind(self, name: model.Local, domain: model.Expr, known: Known) -> Known:
        """What is known where a name runs over a set."""

    @abstractmethod
    def let(self, name: model.Local, value: model.Expr, known: Known) -> Known:
        """What is known where a name stands for a value."""

    def parts(self, whole: Whole, known: Known) -> Iterator[Place[Known]]:
        """The parts of an expression or statement, without those of statements inside it."""
        match whole:
            case model.And(parts=parts) | model.Or(parts=parts):
                for part in parts:
                    yield part, CONDITION, known
                    known = self.narrow(part, isinstance(whole, model.And), known)
            case model.Not(operand=operand):
                yield operand, CONDITION, known
            case model.If(condition=test, yes=yes, no=no):
                yield test, CONDITION, known
                yield yes, None, self.narrow(test, True, known)
                yield no, None, self.narrow(test, False, known)
            case model.Let(slot=slot, value=value, body=body):
                yield value, None, known
                yield body, None, self.let(model.Local(slot, "", type=value.type, span=value.span), value, known)
            case model.Reach(slot=slot, start=start, step=step):
                name = model.Local(slot, "", type=member_type(start), span=start.span)
                yield start, "'reach' needs a set", known
                yield step, "'reach' needs a set", self.let(name, start, known)
            case model.Quantified(quantifier=kind, binders=binders, body=body):
                places, known = self.binders(binders, known)
                yield from places
                yield body, f"'{kind}' needs a number" if kind in ("sum", "min", "max") else CONDITION, known
            case model.Comprehension(element=element, binders=binders):
                places, known = self.binders(binders, known)
                yield from places
                yield element, None, known
            case model.Compare(operator="<" | "<=" | ">" | ">=" as sign, left=left, right=right):
                yield left, f"'{sign}' compares values", known
                yield right, f"'{sign}' compares values", known
            case model.Apply(function=function, arguments=arguments):
                built_in = FUNCTIONS[function]
                why = f"'{built_in.spoken or function}' needs a value"
                yield from ((part, why if built_in.needs_value(k) else None, known) for k, part in enumerate(arguments))
            case model.End(outcome=model.PayoffForOutcome(player=player, amount=amount, binders=binders)):
                places, known = self.binders(binders, known)
                yield from (*places, (player, None, known), (amount, "a payoff is a number", known))
            case model.End(outcome=model.PayoffOutcome(entries=entries)):
                for player, amount in entries:
                    yield from ((player, None, known), (amount, "a payoff is a number", known))
            case _:
                yield from ((part, why, known) for part, why in operands(whole))

    def binders(self, binders: tuple[model.Binder, ...], known: Known) -> tuple[list[Place[Known]], Known]:
        """The expressions of binders, and what is known behind them."""
        places: list[Place[Known]] = []
        for binder in binders:
            places.append((binder.domain, SET, known))
            name = model.Local(binder.slot, binder.name, type=member_type(binder.domain), span=binder.domain.span)
            known = self.bind(name, binder.domain, known)
            if binder.stop_condition is not None:
                places.append((binder.stop_condition, CONDITION, known))
                if binder.stop == "while":
                    known = self.narrow(binder.stop_condition, True, known)
            for test in binder.tests:
                places.append((test, CONDITION, known))
                known = self.narrow(test, True, known)
        return places, known

    def guards(self, rule: model.Rule, known: Known) -> tuple[list[Place[Known]], Known]:
        """The domains and the parts of the guard of a rule, and what is known of its moves."""
        places: list[Place[Known]] = []
        for parameter, tests in zip((None, *rule.parameters), rule.guards, strict=True):
            if parameter is not None:
                places.append((parameter.domain, SET, known))
                name = model.Local(parameter.slot, parameter.name, type=parameter.type, span=parameter.span)
                known = self.bind(name, parameter.domain, known)
            for test in tests:
                places.append((test, CONDITION, known))
                known = self.narrow(test, True, known)
        return places, known
