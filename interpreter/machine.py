"""The machine: a game as solvers see it.

A machine runs a model. States are immutable and *at rest*: a player is to decide, chance is to draw, or the play has
ended. Everything between two decisions (effects, ``go``, entry statements, ``otherwise``) belongs to the move before
it. Solvers see nothing of a game but this interface.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from attrs import frozen

from zermelo.foundation.records import Displayed, Unchanging
from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.interpreter.values import Value, are_equal, display_value, format_value

if TYPE_CHECKING:
    from random import Random

    from zermelo.interpreter.model import Event, Loose

CHANCE: Final = -1
"""The actor of a state in which chance is to draw."""

END: Final = -2
"""The actor of a state in which the play has ended."""

MOST_PHASES: Final = 10_000
"""How many phases may follow each other without a decision that offers a move. A limit of the language, the same on
every machine: a run that enters more is an error (``endless-go``)."""

Payoff = tuple[Fraction, ...]
"""The payoff of each player, in the order of the players."""


def payoff_text(payoff: Payoff) -> str:
    """What all players get, exactly: ``(1, -1/2)``."""
    return f"({', '.join(map(str, payoff))})"


Write: TypeAlias = Callable[[Value], str]
"""How values are written: :func:`format_value`, or as people are shown them, :func:`display_value`."""


class Move(Unchanging):
    """A move, or an outcome of chance: the rule's name and the values of its parameters. Immutable.

    Written by hand instead of by attrs, for speed: there are many moves, and they are the keys of most dictionaries.
    """

    __slots__ = ("_hash", "arguments", "name")
    __match_args__ = ("name", "arguments")

    def __init__(self, name: str, arguments: tuple[Value, ...] = ()) -> None:
        self.name = name
        self.arguments = arguments
        self._hash = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Move) and self.name == other.name and are_equal(self.arguments, other.arguments)
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
        return self.text(format_value)

    def text(self, write: Write) -> str:
        return write(self.name) + _written_arguments(self.arguments, write)


def _written_arguments(arguments: tuple[Value, ...], write: Write) -> str:
    """The arguments of a move in brackets. None is left out at their end: only optional arguments can be none."""
    given = len(arguments)
    while given and arguments[given - 1] is None:
        given -= 1
    return f"({', '.join(map(write, arguments[:given]))})" if given else ""


NULL_MOVE: Final = Move("null move")
"""The null move as it appears in plays; no rule has a name with a space."""


class Hidden(Enum):
    """What stands in an observation for an argument that the observer does not see."""

    HIDDEN = "?"

    def __str__(self) -> str:
        return self.value


HIDDEN: Final = Hidden.HIDDEN


@frozen(eq=False, repr=False)
class PerceivedMove(Displayed):
    """A move by ``player`` that the observer saw; arguments hidden from them are :data:`HIDDEN`. Phases may have moves
    of one name with arguments of different types."""

    player: str
    name: str
    arguments: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, PerceivedMove)
            and self.name == other.name
            and self.player == other.player
            and are_equal(self.arguments, other.arguments)
        )

    def __hash__(self) -> int:
        return hash((self.player, self.name, self.arguments))

    def __str__(self) -> str:
        return self.text(format_value)

    def text(self, write: Write) -> str:
        return f"{write(self.player)}: {write(self.name)}{_written_arguments(self.arguments, write)}"


@frozen(eq=False, repr=False)
class Told(Displayed):
    """The message of a ``tell``. Messages of one label may have arguments of different types."""

    label: str
    arguments: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Told) and self.label == other.label and are_equal(self.arguments, other.arguments)
        )

    def __hash__(self) -> int:
        return hash((self.label, self.arguments))

    def __str__(self) -> str:
        return self.text(format_value)

    def text(self, write: Write) -> str:
        written = ", ".join(map(write, self.arguments))
        return f"told {self.label}({written})" if written else f"told {self.label}"


class Seen(NamedTuple):
    """The value of an entry of a variable (None: none, or unset)."""

    variable: str
    indices: tuple[Value, ...]
    value: Value

    def __str__(self) -> str:
        return self.text(format_value)

    def text(self, write: Write) -> str:
        index = f"[{', '.join(map(write, self.indices))}]" if self.indices else ""
        return f"{write(self.variable)}{index} = {write(self.value)}"


@frozen(repr=False)
class Sighting(Displayed):
    """The values, at least one, that a step shows to a player anew: all at once, in no order."""

    values: frozenset[Seen]

    def __str__(self) -> str:
        return self.text(format_value)

    def text(self, write: Write) -> str:
        return "; ".join(sorted(entry.text(write) for entry in self.values))


@frozen(repr=False)
class Asked(Displayed):
    """The observer is to decide in this phase; secret arguments are :data:`HIDDEN`."""

    phase: str
    arguments: tuple[Value, ...]

    def __str__(self) -> str:
        return self.text(format_value)

    def text(self, write: Write) -> str:
        written = ", ".join(map(write, self.arguments))
        return f"to decide: {self.phase}({written})" if written else f"to decide: {self.phase}"


Observation: TypeAlias = PerceivedMove | Told | Sighting | Asked
"""Observations of different kinds are never equal."""


def display_text(thing: Move | Seen | Observation) -> str:
    """A move, an entry of a variable or an observation as people are shown it: with the signs of the file's legends and
    the texts behind names. ``str`` writes the same with the names of the language."""
    return thing.text(display_value)


InformationState: TypeAlias = Sequence[Observation]
"""The observations of a player so far, in order, their own moves included, without marks between steps
(:mod:`zermelo.interpreter.reference.perception`). States in which the player to move has equal information states form
an information set. Hashable, and comparable within one machine; so are its slices (``known[:3]``)."""

State = TypeVar("State")


class SampleSpace(Protocol):
    """The outcomes of a chance decision, all or those of an event, in the order of a list; but each is made only when
    it is asked for. All numbers are exact."""

    @property
    def count(self) -> int:
        """The number of outcomes."""

    @property
    def mass(self) -> Fraction:
        """The probability of the event; 1 if the outcomes are all."""

    def probability(self, outcome: Move) -> Fraction:
        """The probability of an outcome, given the event; 0 for a move that is none of these outcomes."""

    def rank(self, outcome: Move) -> int | None:
        """The number of an outcome, from 0; None for a move that is none of these outcomes."""

    def unrank(self, number: int) -> Move:
        """Outcome number ``number``, from 0; raises ``IndexError``."""

    def draw(self, random: Random) -> Move:
        """An outcome, drawn with its probability; there must be one."""

    def given(self, known: Mapping[str, Mapping[int, Value]]) -> SampleSpace | None:
        """The outcomes of the rules with these names whose arguments have the ``known`` values, by number; None if they
        cannot be counted without a list."""

    def __iter__(self) -> Iterator[tuple[Move, Fraction]]:
        """The outcomes in order with their probabilities, given the event."""


class Machine(Protocol[State]):
    """The interface for solvers. Players are numbered from 0 in the order of the file; ``State`` is opaque."""

    @property
    def player_names(self) -> tuple[str, ...]:
        """In the order of the file."""

    @property
    def discount(self) -> Fraction:
        """The factor by which each decision of a player, before the move or outcome that brings a payment, multiplies
        this payment; 1 without a discount."""

    def endless(self) -> Payoff | None:
        """What a play that never ends pays, beside what it has earned; None if the file does not say."""

    def initial(self) -> State:
        """The state in which a play begins."""

    def actor(self, state: State) -> int:
        """Who is to act: a player's number, :data:`CHANCE` or :data:`END`."""

    def moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves of the player to act, at least one; empty for chance and at the end."""

    def outcomes(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        """The outcomes of chance with their exact, positive probabilities, which sum to 1; raises ``ZermeloError``
        (``too-many-outcomes``) if they are too many to list."""

    def draw(self, state: State, random: Random) -> Move:
        """An outcome of chance, sampled without listing them all."""

    def sample_space(self, state: State) -> SampleSpace:
        """The outcomes of chance, counted and numbered without a list where they are dealt
        (:mod:`zermelo.interpreter.evaluation.context`), else from a list. Raises ``ZermeloError``:
        ``too-many-outcomes`` if that is too long, ``illegal-move`` if it is not chance's turn."""

    def consistent_outcomes(self, state: State, player: int, known: InformationState) -> SampleSpace:
        """The outcomes of chance after which ``player`` may come to know ``known``, without those ruled out by the
        arguments that they perceive in full (:mod:`zermelo.interpreter.reference.perception`). All outcomes that are
        consistent are there, with exact probabilities; others may be. Raises as :meth:`sample_space` does."""

    def after(self, state: State, move: Move) -> State:
        """The state after a legal move or outcome; raises ``ZermeloError`` (``illegal-move``, ``game-over``) else."""

    def after_pass(self, state: State) -> State | None:
        """The state after a null move: the other player is to move, and nothing else has changed
        (:mod:`zermelo.interpreter.model.rewriting`). None if the rules admit no such state, if the other player has no
        move in it, or after another null move. It is no state of the game; searches use it for bounds."""

    def payoff(self, state: State) -> Payoff:
        """The payoffs at the end of a play, earnings and discount included."""

    def earned(self, state: State) -> Payoff:
        """The earnings (``earn``) of each player so far, discounted; zeros in a game without ``earn``."""

    def position(self, state: State) -> Hashable:
        """The part of the state on which the rest of the play depends: equal for states with the same future. It
        leaves out earnings and discount, and includes the history if the rules look at it."""

    def is_within_round(self, state: State) -> bool:
        """Whether some of those who choose at once with the player to act have chosen already; the player does not know
        their choices."""

    def information_state(self, state: State, player: int) -> InformationState:
        """The observations of a player so far."""

    def estimate(self, state: State, player: int) -> Fraction:
        """The file's ``estimate`` of the position for a player; only in a game that has one."""

    def features(self, state: State, player: int) -> tuple[Fraction, ...]:
        """The features of the position for a player of which the file's ``estimate`` is a weighted sum; empty if it is
        none. Of a network its units, as the ``viewer`` sees them."""

    def viewer(self, state: State) -> int:
        """The player from whose point of view a network looks at the position; 0 if there is none."""

    def is_unsettled(self, state: State) -> bool:
        """The file's ``unsettled``, which keeps a search from stopping here; only in a game that has one."""

    def rank(self, state: State) -> Fraction:
        """The file's ``order moves by`` for the move that led here, larger first; only in a game that has one."""

    def is_witnessed(self, state: State, number: int) -> bool:
        """Whether the file's ``reachable`` or ``never`` with this number, from 0, describes the state."""

    def play(self, state: State) -> tuple[Move, ...]:
        """The moves and outcomes from the initial state to this one."""


class TellingMachine(Machine[State], Protocol[State]):
    """The interface for people: what players see, how moves are written, and why a move is illegal."""

    def view(self, state: State, player: int) -> tuple[Seen, ...]:
        """The entries of variables that a player sees now."""

    def values_at_first(self) -> tuple[Seen, ...]:
        """All entries of variables after ``setup``, which the rules tell everybody."""

    def phase(self, state: State) -> tuple[str, tuple[Value, ...]] | None:
        """The phase in which somebody acts, with its arguments; None at the end."""

    def choosers(self, state: State) -> tuple[int, ...]:
        """Those who are to choose before anybody learns of it: the player to act first, and where players choose at
        once all who have not chosen yet; nobody if it is chance's turn, and at the end."""

    def earlier(self, state: State) -> Iterator[State]:
        """The states before this one in its play, the latest first."""

    def entries(self, state: State) -> tuple[Seen, ...]:
        """All entries of variables."""

    def evaluate(self, state: State, loose: Loose, *arguments: Value) -> Value:
        """The value of an expression outside the rules."""

    def is_such(self, state: State, event: Event) -> bool:
        """Whether the event describes the state."""

    def find_move(self, state: State, text: str) -> Move:
        """The legal move or outcome with this text; raises ``ZermeloError`` (``illegal-move``, ``game-over``)."""

    def why_not(self, state: State, text: str) -> Finding | None:
        """Why a move is illegal; None for a legal one."""


class PlayError(ZermeloError):
    """An error of the rules during a play.

    ``finding`` points at the rule; ``play`` is the shortest known play to the error.
    """

    def __init__(self, finding: Finding, play: tuple[Move, ...]) -> None:
        moves = ", ".join(map(display_text, play))
        where = f"{finding.source.name}:{finding.span.line}"
        super().__init__(
            finding.code, f"{where}: {finding.message}{f' (after {moves})' if moves else ''}", finding.help
        )
        self.finding = finding
        self.play = play
