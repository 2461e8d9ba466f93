"""What is asked about hidden things: whether moves give them away, whether players can work them out, and whether they
matter at all. Plays are visited for this, since what somebody knows depends on all that they have perceived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from attrs import define

from zermelo.grammar.diagnostics import Finding, Label
from zermelo.interpreter.analysis.unnoticed import unnoticed_variables
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.information_sets import moves_differ
from zermelo.interpreter.machine import PlayError, Seen, TellingMachine, shown
from zermelo.interpreter.model import Model, Variable
from zermelo.interpreter.model.rewriting import reads, subexpressions
from zermelo.interpreter.model.walks import rules_of
from zermelo.solvers.validation.betrayals import HISTORIES, Betrayal, find_betrayal
from zermelo.solvers.validation.histories import Histories
from zermelo.solvers.validation.reply import BY_RULES, SHOWN, Reply
from zermelo.solvers.validation.worked_out import Concealed, find_secrets, hidden_variables

_SHOWN: Final = 2
"""The most entries of variables that are shown with their values."""

_FEW: Final = 1_000
"""The plays in which it is shown that players do not know something, where not all plays can be visited."""


@define(eq=False)
class AboutSecrets:
    """The questions about what is hidden in a game. Each visits the first plays once."""

    machine: TellingMachine[Any]
    model: Model
    facts: Facts

    def replies(self) -> Iterator[Reply]:
        """All of them; those about hidden variables only where there are any."""
        histories = Histories(self.machine, HISTORIES)
        yield self._betrayed(histories)
        if hidden_variables(self.model):
            yield from self._worked_out(HISTORIES if histories.is_whole or histories.count == 0 else _FEW)
            yield self._mattering()

    # ------------------------------------------------------------- moves

    def _betrayed(self, histories: Histories[Any]) -> Reply:
        question = "Do a player's moves betray a secret?"
        if self.facts.perfect_information.holds:
            return Reply(question, "no", BY_RULES)
        try:
            found = find_betrayal(histories)
        except PlayError:  # in a position that has not been searched
            return Reply(question, "not seen", _within(histories))
        if found is None:
            return Reply(question, "no" if histories.is_whole else "not seen", _within(histories))
        play = self.machine.play(found.second.state)
        return Reply(question, "yes", SHOWN, self._betrayal(found), play)

    def _betrayal(self, found: Betrayal[Any]) -> Finding:
        """The finding of two decisions, with what they may give away."""
        first, second = found.first, found.second
        error = moves_differ(self.machine, first.player, first.state, second.state)
        leaks = self._tested(found.leaks(self.machine))
        remark = "; ".join(f"{shown(one)} in one, {shown(other)} in the other" for one, other in leaks[:_SHOWN])
        names = dict.fromkeys(one.variable for one, _ in leaks)
        labels = [Label(self._variable(name).span, "the moves give this away") for name in names]
        return self._finding(error.code, error.message, remark, labels, error.help)

    def _tested(self, leaks: list[tuple[Seen, Seen]]) -> list[tuple[Seen, Seen]]:
        """Those whose variables a guard or a domain reads, if there are any: the moves depend on them."""
        read = {
            read.variable.name
            for phase in self.model.phases.values()
            for rule in rules_of(phase.decision)
            for expr in subexpressions(rule)
            for read in reads(expr)
        }
        return [pair for pair in leaks if pair[0].variable in read] or leaks

    # ------------------------------------------------------------- knowledge

    def _worked_out(self, most: int) -> Iterator[Reply]:
        """Whether hidden variables are secrets to those who do not see them, which is a finding if they are to none of
        them; and whether public ones tell them."""
        always, sometimes = "Can a player work out what is hidden?", "Does a public variable tell a secret?"
        histories = Histories(self.machine, most)
        try:
            secrets = find_secrets(self.machine, self.model, histories)
        except PlayError:
            secrets = []
        if not histories.is_whole:
            is_kept = bool(secrets) and all(secret.mistaken for secret in secrets)
            yield Reply(always, "no" if is_kept else "not seen", SHOWN if is_kept else _within(histories))
            yield Reply(sometimes, "not seen", _within(histories))
            return
        known = [secret for secret in secrets if secret.is_open]
        told = [secret for secret in secrets if secret.tellers and not secret.is_open]
        kept = {secret.variable for secret in secrets if secret.mistaken}
        yield from self._about(always, known, lambda secret: None if secret.variable in kept else self._open(secret))
        yield from self._about(sometimes, told, self._told)

    def _about(
        self, question: str, secrets: list[Concealed], finding: Callable[[Concealed], Finding | None]
    ) -> Iterator[Reply]:
        """The answer, once for each secret that is none."""
        if not secrets:
            yield Reply(question, "no", "proved")
        for secret in secrets:
            play = secret.play if secret.is_open else secret.written[secret.tellers[0]].play
            answer = f"yes: {self.machine.player_names[secret.player]}, {secret.variable}"
            yield Reply(question, answer, "proved", finding(secret), play)

    def _open(self, secret: Concealed) -> Finding:
        name = self.machine.player_names[secret.player]
        tellers = [public for public, dependence in secret.by_public.items() if dependence.tells]
        return self._finding(
            "secret-worked-out",
            f"{name} can always work out '{secret.variable}', which is hidden from them",
            f"hidden from {name}",
            [Label(self._variable(public).span, "this tells it") for public in tellers[:1]],
            "let them see it, or hide from them by what they know it",
            self._variable(secret.variable),
        )

    def _told(self, secret: Concealed) -> Finding:
        name, public = self.machine.player_names[secret.player], secret.tellers[0]
        return self._finding(
            "secret-told",
            f"'{public}' tells {name} what '{secret.variable}' is, which is hidden from them",
            "everybody sees this",
            [Label(self._variable(secret.variable).span, "this is told")],
            f"hide '{public}', too; or 'reveal {secret.variable}' before it is written, if this is meant",
            self._variable(public),
        )

    # ------------------------------------------------------------- use

    def _mattering(self) -> Reply:
        question = "Does every hidden variable matter?"
        found = unnoticed_variables(self.model)
        if not found:
            return Reply(question, "yes", BY_RULES)
        names = [variable.name for variable in found]
        finding = self._finding(
            "unnoticed-variable",
            f"nobody can ever notice {' and '.join(map(repr, names))}: no rule reads what nobody sees",
            "hidden, and only assigned",
            [Label(variable.span, "and so is this") for variable in found[1:]],
            "remove it, or see whether a rule should read it",
            found[0],
        )
        return Reply(question, f"no: {', '.join(names)}", BY_RULES, finding)

    def _finding(
        self, code: str, message: str, remark: str, labels: list[Label], help: str, place: Variable | None = None
    ) -> Finding:
        span = self.model.start.span if place is None else place.span
        return Finding(code, message, self.model.source, span, remark, labels=tuple(labels), help=help)

    def _variable(self, name: str) -> Variable:
        return next(variable for variable in self.model.variables if variable.name == name)


def _within(histories: Histories[Any]) -> str:
    return "proved" if histories.is_whole else f"within {histories.count:,} plays, whole or begun"
