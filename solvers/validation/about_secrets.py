"""The questions about hidden things: whether moves give them away, whether players can work them out, and whether they
matter at all. Plays are visited for this, since what a player knows depends on all that they have perceived.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import Any, Final, Generic

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import Finding, Label
from zermelo.interpreter.analysis import unnoticed_variables
from zermelo.interpreter.checks.game_facts import Facts, choices_at, moves_differ_error, unless_too_many
from zermelo.interpreter.machine import (
    CHANCE,
    END,
    InformationState,
    Machine,
    Move,
    PerceivedMove,
    PlayError,
    Seen,
    State,
    TellingMachine,
    Told,
    display_text,
)
from zermelo.interpreter.model import Audience, Model, Variable
from zermelo.interpreter.model.rewriting import reads, rules_of, subexpressions
from zermelo.solvers.validation.shortest_plays import BY_RULES, SHOWN, Reply

# The decisions of players in the first plays of a game, breadth first.
#
# What a player knows depends on the whole play, so plays are visited here, unfinished ones included, and not positions.
# Shorter plays come before longer ones. Draws with too many outcomes to list are not followed, and then not all plays
# have been seen. Cost: a state for each play that waits.


@frozen(eq=False)
class Decided(Generic[State]):
    """A state in which a player decides, what they have perceived, and the moves that they are offered."""

    state: State
    player: int
    known: InformationState
    moves: frozenset[Move]


@define(eq=False)
class Histories(Generic[State]):
    """The first ``most`` plays; ``count`` of them have been visited, which are all if ``is_whole``."""

    machine: Machine[State]
    most: int
    count: int = 0
    is_whole: bool = False

    def decisions(self) -> Iterator[Decided[State]]:
        """Visit them. Raises ``PlayError`` where a rule fails."""
        machine = self.machine
        waiting = deque([machine.initial()])
        is_listed = True
        while waiting and self.count < self.most:
            check_deadline()
            state = waiting.popleft()
            self.count += 1
            moves = unless_too_many(partial(choices_at, machine, state))
            if moves is None:
                is_listed = False
                continue
            actor = machine.actor(state)
            if actor not in (CHANCE, END):
                yield Decided(state, actor, machine.information_state(state, actor), frozenset(moves))
            waiting.extend(machine.after(state, move) for move in moves)
        self.is_whole = is_listed and not waiting


# Whether the moves that are offered tell a player what they do not know.
#
# Plays that a player cannot tell apart must offer them the same moves. Plays are visited breadth first, so the first
# two that differ are of the least length for the longer of them. Cost: one information state for each play, all of
# which are kept.


HISTORIES: Final = 10_000
"""The most plays, the unfinished ones among them, that are visited."""


@frozen(eq=False, repr=False)
class Betrayal(Displayed, Generic[State]):
    """Two decisions that their player can tell apart by the moves alone."""

    first: Decided[State]
    second: Decided[State]

    def leaks(self, machine: TellingMachine[State]) -> list[tuple[Seen, Seen]]:
        """The entries of variables that their player sees in neither and whose values differ: what the moves give
        away is among them."""
        player = self.first.player
        first, second = (_unseen_entries(machine, decided.state, player) for decided in (self.first, self.second))
        return [(first[entry], second[entry]) for entry in first if entry in second and first[entry] != second[entry]]


def find_betrayal(histories: Histories[State]) -> Betrayal[State] | None:
    """Visit histories up to the first two that a player cannot tell apart by anything but their moves."""
    first_of: dict[Hashable, Decided[State]] = {}
    for decided in histories.decisions():
        first = first_of.setdefault((decided.player, decided.known), decided)
        if first.moves != decided.moves:
            return Betrayal(first, decided)
    return None


def _unseen_entries(machine: TellingMachine[State], state: State, player: int) -> dict[Hashable, Seen]:
    """The entries that a player does not see, by name and indices."""
    seen = set(machine.view(state, player))
    return {(entry.variable, entry.indices): entry for entry in machine.entries(state) if entry not in seen}


# Whether players can work out what is hidden from them.
#
# A *secret* is what a player does not see of a variable that is not for everybody: the values of these entries, all
# together. At a decision the player can work it out if it is the same in all plays that they cannot tell apart from
# this one, that is, with the same information state. If that is so at all of a player's decisions in all plays, it is
# no secret to that player; and if it is a secret to nobody, the declaration that hides it has no effect.
#
# This is no mistake where they know it from their own moves, or because the rules ``tell`` or ``reveal`` it to them:
# where it is a function of what they have done and been told. Nor if it never has another value when they decide.
#
# A public variable *tells* a secret if, wherever it has been written (its value is not that in which the play began),
# the secret is a function of its value; there must be different values of both. It betrays the secret from then on,
# though it may have been one before.
#
# All this is about all plays, and is said only if all have been visited. Two plays are enough to show that a player
# does *not* know a secret.
#
# Cost: for each play two lists of entries, and for each player and secret one entry of a table for each information
# state; for each public variable another one.


Values = tuple[Seen, ...]


@define(eq=False)
class Dependence:
    """Whether something is a function of something else, as far as both have been seen together."""

    values: dict[Hashable, Values] = field(factory=dict)
    holds: bool = True

    def note(self, argument: Hashable, value: Values) -> None:
        """Note that both have been seen together."""
        if self.holds:
            self.holds = self.values.setdefault(argument, value) == value

    @property
    def tells(self) -> bool:
        """Whether the argument tells one value from another."""
        return self.holds and len(set(self.values.values())) > 1


@define(eq=False)
class Written:
    """The decisions after a public variable has been written: what a secret is by its value, and by what the player has
    done and been told; and a shortest play there."""

    play: tuple[Move, ...]
    by_value: Dependence = field(factory=Dependence)
    by_deeds: Dependence = field(factory=Dependence)


@define(eq=False)
class Concealed:
    """What a player does not see of a variable, at all of their decisions: by their information state, by what they
    have done and been told, and by public variables. ``play`` is a shortest play after which this has a second value,
    ``mistaken`` are two plays that show that the player does not know it."""

    player: int
    variable: str
    by_known: Dependence = field(factory=Dependence)
    by_deeds: Dependence = field(factory=Dependence)
    by_public: dict[str, Dependence] = field(factory=dict)
    plays: dict[Hashable, tuple[Move, ...]] = field(factory=dict)
    first: Values | None = None
    play: tuple[Move, ...] | None = None
    mistaken: tuple[tuple[Move, ...], tuple[Move, ...]] | None = None
    written: dict[str, Written] = field(factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether the player always knows it, though neither their moves nor what they have been told say it."""
        return self.by_known.tells and not self.by_deeds.holds

    @property
    def tellers(self) -> list[str]:
        """The public variables that tell it, always or once they have been written, though neither the player's moves
        nor what they are told do."""
        always = (name for name, dependence in self.by_public.items() if dependence.tells and self.is_open)
        written = (
            name for name, written in self.written.items() if written.by_value.tells and not written.by_deeds.holds
        )
        return list(dict.fromkeys([*always, *written]))


def find_secrets(machine: TellingMachine[State], model: Model, histories: Histories[State]) -> list[Concealed]:
    """Visit histories, and return all secrets: one for each player and hidden variable."""
    looking = _Looking(machine, model)
    for decided in histories.decisions():
        looking.note(decided)
    return list(looking.secrets.values())


def hidden_variables(model: Model) -> list[str]:
    """The variables that are not for everybody."""
    return [
        variable.name
        for variable in model.variables
        if variable.visibility is not Audience.EVERYBODY and not variable.is_constant
    ]


@define(eq=False)
class _Looking(Generic[State]):
    machine: TellingMachine[State]
    model: Model
    hidden: list[str] = field(init=False)
    public: list[str] = field(init=False)
    initial: dict[str, Values] = field(init=False)
    secrets: dict[tuple[int, str], Concealed] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.hidden = hidden_variables(self.model)
        self.public = [
            variable.name
            for variable in self.model.variables
            if variable.visibility is Audience.EVERYBODY and not variable.is_constant
        ]
        self.initial = _group_by_variable(self.machine.entries(self.machine.initial()))

    def note(self, decided: Decided[State]) -> None:
        machine, player = self.machine, decided.player
        seen = machine.view(decided.state, player)
        in_sight = set(seen)
        missed = _group_by_variable(entry for entry in machine.entries(decided.state) if entry not in in_sight)
        values = _group_by_variable(seen)
        deeds = self._deeds(decided)
        play = machine.play(decided.state)
        for name in self.hidden:
            secret = self.secrets.setdefault((player, name), Concealed(player, name))
            value = missed.get(name, ())
            self._note_known(secret, decided, value, play)
            secret.by_deeds.note(deeds, value)
            for public in self.public:
                now = values.get(public, ())
                secret.by_public.setdefault(public, Dependence()).note(now, value)
                if now != self.initial.get(public, ()):
                    written = secret.written.setdefault(public, Written(play))
                    written.by_value.note(now, value)
                    written.by_deeds.note(deeds, value)

    def _note_known(self, secret: Concealed, decided: Decided[State], value: Values, play: tuple[Move, ...]) -> None:
        if secret.first is None:
            secret.first = value
        elif secret.play is None and value != secret.first:
            secret.play = play
        before = secret.plays.setdefault(decided.known, play)
        secret.by_known.note(decided.known, value)
        if not secret.by_known.holds and secret.mistaken is None:
            secret.mistaken = before, play

    def _deeds(self, decided: Decided[State]) -> Hashable:
        """What the player has done and been told."""
        name = self.machine.player_names[decided.player]
        return tuple(
            [
                each
                for each in decided.known
                if isinstance(each, Told) or (isinstance(each, PerceivedMove) and each.player == name)
            ]
        )


def _group_by_variable(entries: Iterable[Seen]) -> dict[str, Values]:
    found: dict[str, list[Seen]] = {}
    for entry in entries:
        found.setdefault(entry.variable, []).append(entry)
    return {name: tuple(values) for name, values in found.items()}


_SHOWN: Final = 2
"""The most entries of variables that are shown with their values."""

_FEW: Final = 1_000
"""The plays that are visited to show that players do not know something, where not all plays can be."""


@define(eq=False)
class AboutSecrets:
    """The questions about what is hidden in a game. Each visits the first plays once."""

    machine: TellingMachine[Any]
    model: Model
    facts: Facts

    def replies(self) -> Iterator[Reply]:
        """The answers to all questions; those about hidden variables only where there are any."""
        histories = Histories(self.machine, HISTORIES)
        yield self._reply_about_moves(histories)
        if hidden_variables(self.model):
            yield from self._replies_about_knowledge(HISTORIES if histories.is_whole or histories.count == 0 else _FEW)
            yield self._reply_about_use()

    # ------------------------------------------------------------- moves

    def _reply_about_moves(self, histories: Histories[Any]) -> Reply:
        question = "Do a player's moves betray a secret?"
        if self.facts.perfect_information.holds:
            return Reply(question, "no", BY_RULES)
        try:
            found = find_betrayal(histories)
        except PlayError:  # in a position that has not been searched
            return Reply(question, "not seen", _extent_text(histories))
        if found is None:
            return Reply(question, "no" if histories.is_whole else "not seen", _extent_text(histories))
        play = self.machine.play(found.second.state)
        return Reply(question, "yes", SHOWN, self._betrayal_finding(found), play)

    def _betrayal_finding(self, found: Betrayal[Any]) -> Finding:
        """The finding of two decisions, with what they may give away."""
        first, second = found.first, found.second
        error = moves_differ_error(self.machine, first.player, first.state, second.state)
        leaks = self._leaks_in_rules(found.leaks(self.machine))
        remark = "; ".join(
            f"{display_text(one)} in one, {display_text(other)} in the other" for one, other in leaks[:_SHOWN]
        )
        names = dict.fromkeys(one.variable for one, _ in leaks)
        labels = [Label(self._variable(name).span, "the moves give this away") for name in names]
        return self._finding(error.code, error.message, remark, labels, error.help)

    def _leaks_in_rules(self, leaks: list[tuple[Seen, Seen]]) -> list[tuple[Seen, Seen]]:
        """The leaks whose variables a guard or a domain reads (the moves depend on these); all if there are none."""
        read = {
            read.variable.name
            for phase in self.model.phases.values()
            for rule in rules_of(phase.decision)
            for expr in subexpressions(rule)
            for read in reads(expr)
        }
        return [pair for pair in leaks if pair[0].variable in read] or leaks

    # ------------------------------------------------------------- knowledge

    def _replies_about_knowledge(self, most: int) -> Iterator[Reply]:
        """Whether hidden variables are secrets to the players who do not see them: a finding if they are secrets to
        none of these; and whether public variables tell them, which is no second finding where they always do."""
        always, sometimes = "Can a player work out what is hidden?", "Does a public variable tell a secret?"
        histories = Histories(self.machine, most)
        try:
            secrets = find_secrets(self.machine, self.model, histories)
        except PlayError:
            secrets = []
        if not histories.is_whole:
            is_kept = bool(secrets) and all(secret.mistaken for secret in secrets)
            yield Reply(always, "no" if is_kept else "not seen", SHOWN if is_kept else _extent_text(histories))
            yield Reply(sometimes, "not seen", _extent_text(histories))
            return
        known = [secret for secret in secrets if secret.is_open]
        told = [secret for secret in secrets if secret.tellers]
        kept = {secret.variable for secret in secrets if secret.mistaken}
        yield from self._replies_about(
            always, known, lambda secret: None if secret.variable in kept else self._worked_out_finding(secret)
        )
        yield from self._replies_about(
            sometimes, told, lambda secret: None if secret.is_open else self._told_finding(secret)
        )

    def _replies_about(
        self, question: str, secrets: list[Concealed], finding: Callable[[Concealed], Finding | None]
    ) -> Iterator[Reply]:
        """An answer for each of the ``secrets``, which are none after all; or a single answer if the list is empty."""
        if not secrets:
            yield Reply(question, "no", "proved")
        for secret in secrets:
            play = secret.play if secret.is_open else secret.written[secret.tellers[0]].play
            answer = f"yes: {self.machine.player_names[secret.player]}, {secret.variable}"
            yield Reply(question, answer, "proved", finding(secret), play)

    def _worked_out_finding(self, secret: Concealed) -> Finding:
        name = self.machine.player_names[secret.player]
        return self._finding(
            "secret-worked-out",
            f"{name} can always work out '{secret.variable}', which is hidden from them",
            f"hidden from {name}",
            [Label(self._variable(public).span, "this tells it") for public in secret.tellers[:1]],
            "let them see it, or hide from them by what they know it",
            self._variable(secret.variable),
        )

    def _told_finding(self, secret: Concealed) -> Finding:
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

    def _reply_about_use(self) -> Reply:
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


def _extent_text(histories: Histories[Any]) -> str:
    return "proved" if histories.is_whole else f"within {histories.count:,} plays, whole or begun"
