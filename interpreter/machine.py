"""The machine: a game as solvers see it.

A machine runs a model. States are immutable; a state is *at rest*: a player is to decide, chance is to draw, or the
play has ended. Everything between two decisions (effects, ``go``, entry statements, ``otherwise``) belongs to the move
that set it off. No solver knows a game, and none sees more of one than this file shows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from attrs import frozen

from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.interpreter.values import Value, format_value

if TYPE_CHECKING:
    from zermelo.interpreter.model import Loose

CHANCE: Final = -1
"""The actor of a state in which chance is to draw."""

END: Final = -2
"""The actor of a state in which the play has ended."""

MOST_PHASES: Final = 10_000
"""How many phases may follow each other without a decision that offers something. It is a limit of the language, so it
is the same on every machine: a run that enters more is an error (``endless-go``)."""

Payoff = tuple[Fraction, ...]
"""What each player gets, in the order of the players."""


class Move:
    """A move, or an outcome of chance: the rule's name and the values of its parameters. It never changes.

    What a record does is written out here: of moves there are many, and they are the keys of most dictionaries.
    """

    __slots__ = ("_hash", "arguments", "name")
    __match_args__ = ("name", "arguments")

    def __init__(self, name: str, arguments: tuple[Value, ...] = ()) -> None:
        self.name = name
        self.arguments = arguments
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Move) and self.name == other.name and self.arguments == other.arguments
        )

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.name, self.arguments))
        return self._hash

    def __reduce__(self) -> tuple[type[Move], tuple[str, tuple[Value, ...]]]:
        return Move, (self.name, self.arguments)  # hashes differ between processes

    def __repr__(self) -> str:
        return f"Move(name={self.name!r}, arguments={self.arguments!r})"

    def __str__(self) -> str:
        """The move as the language writes it: ``mark(b2)``, ``pass``."""
        return f"{self.name}({', '.join(map(format_value, self.arguments))})" if self.arguments else self.name


NULL_MOVE: Final = Move("null move")
"""What stands in a play where the player to move let the other move in his place: no rule has a name with a space."""


@frozen
class PerceivedMove:
    """A move that a player saw ``player`` make; arguments that he did not see are None."""

    player: str
    name: str
    arguments: tuple[Value, ...]

    def __str__(self) -> str:
        shown = ", ".join("?" if value is None else format_value(value) for value in self.arguments)
        return f"{self.player}: {self.name}({shown})" if shown else f"{self.player}: {self.name}"


@frozen
class Told:
    """What a ``tell`` told him."""

    label: str
    arguments: tuple[Value, ...]

    def __str__(self) -> str:
        shown = ", ".join(map(format_value, self.arguments))
        return f"told {self.label}({shown})" if shown else f"told {self.label}"


class Seen(NamedTuple):
    """The value of an entry of a variable (None: it is none, or unset)."""

    variable: str
    indices: tuple[Value, ...]
    value: Value

    def __str__(self) -> str:
        index = f"[{', '.join(map(format_value, self.indices))}]" if self.indices else ""
        return f"{self.variable}{index} = {format_value(self.value)}"


@frozen
class Sighting:
    """The values, at least one, that a step made new to a player: all of them at once, in no order."""

    values: frozenset[Seen]

    def __str__(self) -> str:
        return "; ".join(sorted(map(str, self.values)))


@frozen
class Asked:
    """That he is to decide in this phase, with the arguments that he sees (None: a secret one)."""

    phase: str
    arguments: tuple[Value, ...]

    def __str__(self) -> str:
        shown = ", ".join("?" if value is None else format_value(value) for value in self.arguments)
        return f"to decide: {self.phase}({shown})" if shown else f"to decide: {self.phase}"


Observation: TypeAlias = PerceivedMove | Told | Sighting | Asked
"""One thing that a player perceived. Observations of different kinds are never equal."""


InformationState: TypeAlias = Sequence[Observation]
"""What a player has perceived so far, in order, his own moves included; nothing in it tells where one step ended and
the next began (:mod:`zermelo.interpreter.reference.perception`). States that give a player to move equal information
states belong to one information set. It is a key of dictionaries, to be compared with others of the same machine; parts
of it (``known[:3]``) are information states, too."""

State = TypeVar("State")


class Machine(Protocol[State]):
    """What a solver may ask. Players are numbered from 0 in the order of the file; ``State`` is opaque."""

    @property
    def player_names(self) -> tuple[str, ...]:
        """The players' names, in order."""

    def initial(self) -> State:
        """The state in which a play begins."""

    def actor(self, state: State) -> int:
        """Who is to act: a player's number, :data:`CHANCE` or :data:`END`."""

    def moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves of the player to act, at least one; empty for chance and at the end."""

    def outcomes(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        """The outcomes of chance with their exact, positive probabilities, which sum to 1; raises ``ZermeloError``
        (``too-many-outcomes``) where they are too many to list."""

    def draw(self, state: State, random: Random) -> Move:
        """One outcome of chance, drawn with its probability, without listing them all."""

    def after(self, state: State, move: Move) -> State:
        """The state after a legal move or outcome; raises ``ZermeloError`` (``illegal-move``, ``game-over``) else."""

    def passed(self, state: State) -> State | None:
        """The state in which the player to act has let the other move in his place, and nothing else has changed
        (:mod:`zermelo.interpreter.model.passing`); None where that cannot be, where the other has no move, and where
        the state has been come to by passing. It is no state of the game: it serves a search to ask what would be."""

    def payoff(self, state: State) -> Payoff:
        """What the play has brought each player, earnings and discount included; only at the end."""

    def earned(self, state: State) -> Payoff:
        """What ``earn`` has brought each player so far, discounted; zeros where the game has no ``earn``."""

    def position(self, state: State) -> Hashable:
        """What the rest of the play depends on, and nothing else: equal for states with the same future. What has
        been earned and the discount so far are no part of it; history is where the rules look at it."""

    def information_state(self, state: State, player: int) -> InformationState:
        """What a player has perceived so far."""

    def estimate(self, state: State, player: int) -> Fraction:
        """What the file's ``estimate`` says that a position is worth to a player, where it has one."""

    def is_unsettled(self, state: State) -> bool:
        """Whether a search must not be cut off here, by the file's ``unsettled``, where it has one."""

    def rank(self, state: State) -> Fraction:
        """How soon to try the move that led here, by the file's ``order moves by``, where it has one: larger first."""

    def play(self, state: State) -> tuple[Move, ...]:
        """The moves and outcomes that led to the state, from the beginning."""


class TellingMachine(Machine[State], Protocol[State]):
    """What people ask beside that: what they see, how moves are written, and why something is not allowed."""

    def view(self, state: State, player: int) -> tuple[Seen, ...]:
        """The entries of variables that a player sees now."""

    def entries(self, state: State) -> tuple[Seen, ...]:
        """All entries of variables."""

    def evaluate(self, state: State, loose: Loose, *arguments: Value) -> Value:
        """The value of an expression that belongs to no rule."""

    def find_move(self, state: State, text: str) -> Move:
        """The legal move or outcome that is written so; raises ``ZermeloError`` (``illegal-move``, ``game-over``)."""

    def why_not(self, state: State, text: str) -> Finding | None:
        """Why a move is not legal; None for one that is."""


class PlayError(ZermeloError):
    """A rule that goes wrong while the game is played.

    ``finding`` points at the rule and says what is wrong; ``play`` is the shortest known play that leads there.
    """

    def __init__(self, finding: Finding, play: tuple[Move, ...]) -> None:
        moves = ", ".join(map(str, play))
        where = f"{finding.source.name}:{finding.span.line}"
        super().__init__(
            finding.code, f"{where}: {finding.message}{f' (after {moves})' if moves else ''}", finding.help
        )
        self.finding = finding
        self.play = play
