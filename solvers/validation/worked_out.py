"""Whether players can work out what is hidden from them.

A *secret* is what a player does not see of a variable that is not for everybody: the values of these entries, all
together. At a decision the player can work it out if it is the same in all plays that they cannot tell apart from this
one, that is, with the same information state. If that is so at all of their decisions in all plays, the secret is none
to them; and if it is one to nobody, the declaration that hides it has no effect.

This is no slip where they know it from their own moves, or because the rules ``tell`` or ``reveal`` it to them: where
it is a function of what they have done and been told. Nor if it never has another value when they decide.

A public variable *tells* a secret if, wherever it has been written (its value is not that in which the play began), the
secret is a function of its value; there must be different values of both. It betrays the secret from then on, though it
may have been one before.

All of this speaks of all plays, and is said only if all have been visited. That a player does *not* know a secret is
shown by two plays.

Cost: for each play two lists of entries, and for each player and secret one entry of a table for each information
state; for each public variable another one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic

from attrs import define, field

from zermelo.interpreter.machine import Move, PerceivedMove, Seen, State, TellingMachine, Told
from zermelo.interpreter.model import Audience, Model
from zermelo.solvers.validation.histories import Decided, Histories

Values = tuple[Seen, ...]


@define(eq=False)
class Dependence:
    """Whether something is a function of something else, as far as both have been seen together."""

    values: dict[Hashable, Values] = field(factory=dict)
    holds: bool = True

    def note(self, argument: Hashable, value: Values) -> None:
        """Both have been seen together."""
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
    """What a player does not see of a variable, at all of their decisions: by their information state, by what
    they have done and been told, and by public variables. ``play`` is a shortest one after which it has a second value,
    ``mistaken`` two plays that show that they do not know it."""

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
        """Whether the player always knows it, though it is neither their doing nor what they have been told."""
        return self.by_known.tells and not self.by_deeds.holds

    @property
    def tellers(self) -> list[str]:
        """The public variables that tell it, though neither the player's moves nor what they are told do."""
        return [name for name, written in self.written.items() if written.by_value.tells and not written.by_deeds.holds]


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
        self.initial = _by_variable(self.machine.entries(self.machine.initial()))

    def note(self, decided: Decided[State]) -> None:
        machine, player = self.machine, decided.player
        seen = machine.view(decided.state, player)
        in_sight = set(seen)
        missed = _by_variable(entry for entry in machine.entries(decided.state) if entry not in in_sight)
        values = _by_variable(seen)
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


def _by_variable(entries: Iterable[Seen]) -> dict[str, Values]:
    found: dict[str, list[Seen]] = {}
    for entry in entries:
        found.setdefault(entry.variable, []).append(entry)
    return {name: tuple(values) for name, values in found.items()}
