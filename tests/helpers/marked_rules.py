"""A second count of what rules use: they are changed to ``tell`` everybody a mark before each statement and in each
branch. Played by the machine without counters, the marks say what ran."""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from zermelo.interpreter import model as rules
from zermelo.interpreter.analysis import ran_key
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.machine import END
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import SetType
from zermelo.interpreter.values import OrderedSet


def mark(what, thing):
    return f"{what} {type(thing).__name__} {thing.span.start} {thing.span.end}"


class Marked:
    """A model whose statements say that they run."""

    def __init__(self, model: rules.Model) -> None:
        self.everybody = rules.Const(OrderedSet(model.players), type=SetType(model.player_type), span=model.start.span)
        self.actions = {}
        phases = {name: self.phase(phase) for name, phase in model.phases.items()}
        self.model = evolve(model, setup=self.block(model.setup), phases=phases)

    def tell(self, what, thing):
        return rules.Tell(self.everybody, mark(what, thing), (), span=thing.span)

    def block(self, block):
        return tuple(step for statement in block for step in (self.tell("ran", statement), self.statement(statement)))

    def statement(self, statement):
        match statement:
            case rules.If_(condition=test, yes=yes, no=no):
                yes = (self.tell("held", test), *self.block(yes))
                return evolve(statement, yes=yes, no=(self.tell("failed", test), *self.block(no)))
            case rules.For(body=body):
                return evolve(statement, body=self.block(body))
            case rules.Do(action=action):
                return evolve(statement, action=self.action(action))
        return statement

    def action(self, action):
        if action not in self.actions:
            self.actions[action] = evolve(action, body=self.block(action.body))
        return self.actions[action]

    def phase(self, phase):
        decision = phase.decision
        match decision:
            case rules.Turn(moves=moves):
                decision = evolve(decision, moves=tuple(map(self.rule, moves)))
            case rules.Together(moves=moves):
                decision = evolve(decision, moves=tuple(map(self.rule, moves)), then=self.block(decision.then))
            case rules.Chance(outcomes=outcomes):
                decision = evolve(decision, outcomes=tuple(map(self.rule, outcomes)))
        otherwise = None if phase.otherwise is None else self.block(phase.otherwise)
        return evolve(phase, entry=self.block(phase.entry), decision=decision, otherwise=otherwise)

    def rule(self, rule):
        return evolve(rule, body=self.block(rule.body))


def told(model):
    """What ran when each move was made once in every position, and how often each decision was to be made."""
    machine = ReferenceMachine(Marked(model).model)
    waiting, known = [machine.initial()], set()
    marks, decided = Counter(label for label in labels(waiting[0])), Counter()
    for state in waiting:
        if state.actor == END or machine.position(state) in known:
            continue
        known.add(machine.position(state))
        decided[ran_key(state.phase.model.decision)] += 1
        for move in choices_at(machine, state):
            waiting.append(machine.after(state, move))
            marks.update(labels(waiting[-1]))
    return marks, decided


def labels(state):
    """The marks since the state before."""
    return [told.label for _, told in state.told if " " in told.label]
