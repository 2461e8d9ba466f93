"""Compiled phases and decisions: who is to act, and the legal moves.

Nothing here has side effects; a decision does not change its frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Context, Frame
from zermelo.interpreter.evaluation.statements import Arguments, CompiledRule, StatementCompiler
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model.rewriting import remembered_names
from zermelo.interpreter.values import EvaluationError, Member

Legal = dict[Move, tuple[CompiledRule, Arguments]]
"""Moves in order, each with its rule and its arguments."""


MOST_MOVES: Final = 1 << 17
"""The most moves of a decision: more would fill the memory, and be of no use."""


def _list_moves(rules: list[CompiledRule], context: Context, frame: Frame) -> Legal:
    """All moves that ``rules`` allow; writes to the frame. Raises ``EvaluationError`` (``too-many-moves``)."""
    legal: Legal = {}
    for rule in rules:
        for arguments in rule.legal(context, frame):
            legal[rule.move(arguments)] = rule, arguments
            if len(legal) > MOST_MOVES:
                raise EvaluationError(
                    "too-many-moves",
                    f"this decision has more than {MOST_MOVES:,} moves, which is too many to list",
                    rule.model.span,
                    "let the player choose step by step, with a decision for each step",
                )
    return legal


def _has_legal_move(rules: list[CompiledRule], context: Context, frame: Frame) -> bool:
    """Whether ``rules`` allow any move; writes to the frame."""
    return any(True for rule in rules for _ in rule.legal(context, frame))


class CompiledTurn:
    """``turn``."""

    def __init__(self, decision: model.Turn, statements: StatementCompiler) -> None:
        self.model = decision
        self.player = statements.compiler.value(decision.player, "a player")
        self.rules = [CompiledRule(rule, statements) for rule in decision.moves]

    def offers(self, context: Context, frame: Frame) -> bool:
        return _has_legal_move(self.rules, context, frame.copy())

    def legal(self, context: Context, frame: Frame) -> Legal:
        """All moves that the rules allow, before a clause leaves some out."""
        return _list_moves(self.rules, context, frame.copy())


class CompiledChance:
    """``chance``."""

    def __init__(self, decision: model.Chance, statements: StatementCompiler) -> None:
        self.model = decision
        self.rules = [CompiledRule(rule, statements) for rule in decision.outcomes]
        self.has_probabilities = any(rule.probability is not None for rule in decision.outcomes)

    def offers(self, context: Context, frame: Frame) -> bool:
        frame = frame.copy()
        return any(rule.weigh(context, frame) > 0 for rule in self.rules for _ in rule.bindings(context, frame))


class CompiledTogether:
    """``together``: successive choices, hidden until the last one is made."""

    def __init__(self, decision: model.Together, statements: StatementCompiler) -> None:
        self.model = decision
        self.players = statements.compiler.value(decision.players, "a set of players")
        self.slot = decision.slot
        self.rules = [CompiledRule(rule, statements) for rule in decision.moves]
        self.then = statements.block(decision.then)

    def choosers(self, context: Context, frame: Frame) -> tuple[Member, ...]:
        """The players with a move, in order."""
        return tuple(self._choosers(context, frame.copy()))

    def _choosers(self, context: Context, frame: Frame) -> Iterator[Member]:
        for player in sorted(self.players(context, frame), key=lambda member: member.index):
            frame[self.slot] = player
            if _has_legal_move(self.rules, context, frame):
                yield player

    def offers(self, context: Context, frame: Frame) -> bool:
        return any(True for _ in self._choosers(context, frame.copy()))

    def legal(self, context: Context, frame: Frame, player: Member) -> Legal:
        frame = frame.copy()
        frame[self.slot] = player
        return _list_moves(self.rules, context, frame)


CompiledDecision = CompiledTurn | CompiledChance | CompiledTogether


class CompiledPhase:
    """A phase; ``decision`` is None if its entry statements always leave it. ``remembered`` are the slots of its names
    that belong to the position (:mod:`zermelo.interpreter.model.rewriting`)."""

    def __init__(self, phase: model.Phase, statements: StatementCompiler) -> None:
        self.model = phase
        self.name = phase.name
        self.entry = statements.block(phase.entry) if phase.entry else None
        self.otherwise = None if phase.otherwise is None else statements.block(phase.otherwise)
        self.decision = None if phase.decision is None else _compile_decision(phase.decision, statements)
        self.remembered = remembered_names(phase)
        self._rest: Frame = [None] * (phase.frame_size - len(phase.parameters))

    def frame(self, arguments: Arguments) -> Frame:
        return [*arguments, *self._rest]


def _compile_decision(decision: model.Decision, statements: StatementCompiler) -> CompiledDecision:
    match decision:
        case model.Turn():
            return CompiledTurn(decision, statements)
        case model.Chance():
            return CompiledChance(decision, statements)
        case model.Together():
            return CompiledTogether(decision, statements)
