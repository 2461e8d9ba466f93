"""Kernels over any machine, with exact numbers of any size."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, Sequence
from fractions import Fraction
from inspect import getgeneratorlocals
from math import lcm
from random import Random
from sys import maxsize
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Generic, NoReturn, TypeVar, cast

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import SAMPLE_SIZE, MemoryQuota
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, InformationState, Machine, Move, PlayError, State
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel
from zermelo.interpreter.native.dialect.language import Namespace
from zermelo.interpreter.native.dialect.records import Kind
from zermelo.interpreter.native.dialect.words import State as StateWords
from zermelo.interpreter.native.dialect.words import Visit
from zermelo.interpreter.native.running.kernels import PlainKernels, PythonText
from zermelo.interpreter.native.running.views import PythonViews, RuleError
from zermelo.interpreter.values import exact
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, JustAbove, Number
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.kernels.answers import UNVALUED
from zermelo.solvers.kernels.observations import UNKNOWN, Knowledge
from zermelo.solvers.running.backend import (
    AS_IT_IS,
    UNWATCHED,
    WATCHED,
    Draws,
    ExactNumbers,
    Rollouts,
    TraceView,
    Watch,
    exact_numbers,
)
from zermelo.solvers.solution import Endgames, Problem

# Records and arrays of kernels for any machine: an array of length 0 grows as needed.


class Growing(dict[int, Any]):
    """An array of any length, whose elements are made on first access. It has no end: it is indexed, and neither
    iterated nor sliced."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __missing__(self, place: int) -> Any:
        made = self[place] = self._make()
        return made


@define
class GrowingViews(PythonViews):
    """Records as objects, with arrays that grow and numbers of any size."""

    def _maker(self, kind: Kind) -> Callable[[], Any]:
        if kind.length != 0:
            return super()._maker(kind)
        make = self.record(kind.element.record) if kind.name == "array" else int
        return lambda: Growing(make)

    def _pairs(self, kind: Kind, place: str) -> str:
        if kind.length != 0:
            return super()._pairs(kind, place)
        return f"((target{place}[k], each) for k, each in source{place}.items())"

    def _assignment(self, kind: Kind, place: str) -> str:
        return super()._assignment(kind, place) if kind.length != 0 else f"target{place}.update(source{place})"

    def check_numbers(self, record: Any, name: str) -> None:
        """Nothing: numbers are of any size."""


# What the words of the dialect mean over a machine, with exact numbers.
#
# Lengths that the rules of a lowered game fix are these: a state is an array of one entry, the machine's state, and a
# key one of one entry, the position. ``MOVES`` is 0; arrays of no fixed length grow.


Result = TypeVar("Result")

Legal = MutableMapping[int, Move]

_MOST: Final = (1 << 63) - 1
_MADE_LAST: Final = 1024


@define(eq=False)
class Positions:
    """Numbers for positions, in the order in which they are met, as long as there is ``room`` for them and their
    entries in ``tables``. Those met later have number 0."""

    room: MemoryQuota
    tables: list[Mapping[int, object]] = field(factory=list)
    _numbers: dict[Hashable, int] = field(factory=dict)

    def number(self, position: Hashable) -> int:
        """The number of a position."""
        found = self._numbers.get(position)
        if found is None:
            if len(self._numbers) >= self.room.most and not self.room.grows(self):
                return 0
            found = self._numbers[position] = len(self._numbers) + 1
        return found

    @property
    def are_few(self) -> bool:
        """Whether there is no room for more than a handful."""
        return self.room.budget.is_spent and self.room.most <= SAMPLE_SIZE

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[object]:
        return iter(self._numbers)

    def __reversed__(self) -> Iterator[object]:
        """Positions with their entries, the latest ones first."""
        for position, number in reversed(self._numbers.items()):
            yield position, [table.get(place_of(number)) for table in self.tables]


def place_of(number: int) -> int:
    """The entry for a position of this number; those behind it are its own, too, where entries stand in groups."""
    return number << 3


@define(eq=False)
class NextStates(Generic[State]):
    """The states behind others. Those that a search looked at last are stored, since it often goes there; a search that
    never looks ahead stores none, and never looks them up."""

    machine: Machine[State]
    _made: dict[tuple[int, Move], tuple[State, State]] = field(factory=dict)

    def after(self, state: State, move: Move) -> State:
        """The state behind a move, to go there."""
        known = self._made.get((id(state), move)) if self._made else None
        return self.machine.after(state, move) if known is None else known[1]

    def ahead(self, state: State, move: Move) -> State:
        """The state behind a move, to look at."""
        known = self._made.get((id(state), move))
        if known is None:
            if len(self._made) == _MADE_LAST:
                self._made.clear()
            known = self._made[id(state), move] = state, self.machine.after(state, move)
        return known[1]


@define(eq=False)
class RuleFaults:
    """The error of the rules met last. As over lowered rules it is noted in the context, and the search is left, up to
    a ``try`` of a search function."""

    error: PlayError | None = None

    def note(self, rules: list[int], error: PlayError, instead: Result) -> Result:
        """Note an error; returns ``instead``, which the word gives and nobody uses."""
        self.error, rules[0] = error, 1
        return instead


@frozen
class Words(Generic[State]):
    """The words that the rules of a game give, and the tables and loops of kernels."""

    machine: Machine[State]
    positions: Positions
    faults: RuleFaults
    is_watched: bool

    def names(self) -> Namespace:
        """All of them, by name."""
        words = (self._lengths(), self._rules(), self._random(), self._tables(), self._loops(), FRACTIONS, WINDOWS)
        return {name: meaning for each in words for name, meaning in each.items()}

    def _lengths(self) -> Namespace:
        return {
            **rule_constants(self.machine),
            "INFINITE": INFINITE,
            "mix": lambda one, other: hash((one, other)) & _MOST,
            "array": lambda count: [0] * count if count else Growing(int),
        }

    def _rules(self) -> Namespace:
        machine, note = self.machine, self.faults.note
        behind = NextStates(machine)

        def moves(rules: list[int], state: list[State], legal: Legal) -> int:
            try:
                listed = machine.moves(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            legal.update(enumerate(listed))
            return len(listed)

        def first_untried(rules: list[int], state: list[State], rest: int, listed: Legal) -> Move:
            return listed[len(listed) - rest]

        def outcomes(rules: list[int], state: list[State], drawn: Legal, weights: MutableMapping[int, int]) -> int:
            try:
                listed = machine.outcomes(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            whole = lcm(*(probability.denominator for _, probability in listed))
            for k, (move, probability) in enumerate(listed):
                drawn[k], weights[k] = move, int(probability * whole)
            return len(listed)

        def after(rules: list[int], state: list[State], move: Move) -> list[State]:
            try:
                return [behind.after(state[0], move)]
            except PlayError as error:
                return note(rules, error, state)

        def apply(rules: list[int], state: list[State], move: Move) -> int:
            try:
                state[0] = behind.ahead(state[0], move)
            except PlayError as error:
                return note(rules, error, 0)
            return 0

        def make_word(question: Callable[..., Any]) -> Callable[..., Any]:
            def ask(rules: list[int], state: list[State], *player: int) -> Any:
                try:
                    return exact(question(state[0], *player))
                except PlayError as error:
                    return note(rules, error, 0)

            return ask

        def features(rules: list[int], state: list[State], player: int, terms: MutableMapping[int, Any]) -> int:
            try:
                found, viewer = machine.features(state[0], player), machine.viewer(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            for k, each in enumerate(found):
                terms[k] = exact(each)
            return viewer

        def pass_turn(rules: list[int], state: list[State]) -> int:
            try:
                there = machine.after_pass(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            if there is None:
                return 0
            state[0] = there
            return 1

        def pack(state: list[State], key: list[Hashable]) -> int:
            key[0] = machine.position(state[0])
            return 0

        return {
            "actor": lambda state: machine.actor(state[0]),
            "moves": moves,
            "untried": moves,
            "first_untried": first_untried,
            "left_untried": lambda rest, move: rest - 1,
            "outcomes": outcomes,
            "apply": apply,
            "hurry": apply,  # no decision of a machine offers nothing, so there is none to leave
            "leave": lambda rules, state, steps: 0,
            "after": after,
            "set_up": lambda rules, state: 0,  # a machine itself knows what was perceived there
            "passed": pass_turn,
            "pack": pack,
            "take_reads": lambda rules, past: 0,
            "add_reads": lambda rules, past: 0,
            "payoff": lambda state, player: exact(machine.payoff(state[0])[player]),
            "earned": lambda state, player: exact(machine.earned(state[0])[player]),
            "estimate": make_word(lambda *given: machine.estimate(*given)),
            "features": features,
            "unsettled": make_word(lambda state: int(machine.is_unsettled(state))),
            "order_key": make_word(lambda state: machine.rank(state)),
        }

    def _random(self) -> Namespace:
        """Numbers are drawn as machine code draws them. To sample, the state of a random generator is one of Python,
        which the number that stands there first seeds."""
        machine = self.machine

        def generator(random: list[Any]) -> Random:
            if isinstance(random[0], int):
                random[0] = Random(random[0])
            found: Random = random[0]
            return found

        def sample(rules: object, state: list[State], legal: object, weights: object, random: list[Any]) -> Move | int:
            if machine.actor(state[0]) == CHANCE:
                return machine.draw(state[0], generator(random))
            listed = machine.moves(state[0])
            return generator(random).choice(listed) if listed else -1

        def draw_below(random: list[int], count: int) -> int:
            draws = Draws(random[0])
            place = draws.below(count)
            random[0] = draws.state
            return place

        return {"sample": sample, "drawn": draw_below, "share": lambda gains, most: float(gains / most)}

    def _tables(self) -> Namespace:
        """Every position that there is room for has a place of its own (:mod:`zermelo.solvers.kernels.states`)."""
        number = self.positions.number
        return {
            "slot_of": lambda key, size: place_of(number(key[0])) & size - 1,
            "group_of": lambda key, beside, size: place_of(number((key[0], beside))) & size - 1,
            "hash_of": lambda key: number(key[0]),
            "is_same": lambda one, other: one[0] == other[0],
        }

    def _loops(self) -> Namespace:
        """The positions of the path are the keys of a dictionary, in their order
        (:mod:`zermelo.solvers.kernels.repetition`)."""
        if not self.is_watched:
            return {}
        position, path = self.machine.position, dict[Hashable, int]()

        def comes_back(rules: object, watch: Any, state: list[State], depth: int) -> bool:
            here = position(state[0])
            if here in path:
                watch.met = path[here]
                return True
            path[here] = depth
            return False

        def go_back(watch: object, depth: int) -> None:
            path.popitem()

        return {"forget": lambda watch: path.clear(), "comes_back": comes_back, "go_back": go_back}


def rule_constants(machine: Machine[Any]) -> dict[str, int]:
    """The constants that the rules give."""
    return {
        "MOVES": 0,
        "LISTED": 0,
        "KEY": 1,
        "STATE": 1,
        "CONTEXT": 1,
        "PLAYERS": len(machine.player_names),
        "TERMS": 0,
        "MOMENT": 0,
        "PAST": 0,
    }


def _put_whole(target: Any, number: int | Fraction) -> None:
    target.over, target.under = number, 1


def _put_multiple(rules: object, target: Any, number: int, source: Any) -> None:
    target.over, target.under = number * source.over, 1


def _add(rules: object, target: Any, weight: int, term: Any) -> None:
    target.over += weight * term.over


def _divide(rules: object, target: Any, number: int) -> None:
    target.over = exact(Fraction(target.over) / number)


FRACTIONS: Namespace = {
    "product": lambda rules, number, other: number * other,
    "is_less": lambda one, other: one.over < other.over,
    "is_equal": lambda one, other: one.over == other.over,
    "is_whole": lambda one, number: one.over == number,
    "put_whole": _put_whole,
    "put_multiple": _put_multiple,
    "add": _add,
    "divide": _divide,
}
"""The functions of :mod:`zermelo.solvers.kernels.fractions` for fractions whose numerator may be any exact number, and
whose denominator is 1."""

WINDOWS: Namespace = {
    "slot_of_history": lambda node, move: (node.player, move),
    "promised": lambda is_first, killer, history: (is_first, 0, killer, history),
    "with_rank": lambda promise, rank: (promise[0], rank, *promise[2:]),
    "rest_of": lambda work, reach, move: (work, reach, move),
    "work_in": lambda rest: rest[0] if rest else 0,
    "reach_in": lambda rest: rest[1],
    "move_in": lambda rest: rest[2],
    "fetch": lambda search, key: None,
}
"""What :mod:`zermelo.solvers.kernels.window` packs into one number where moves are numbers; and nothing is fetched
ahead."""


# Kernels over any machine, as plain Python with exact numbers.
#
# The functions of a kernel run as they are; the words that they use are defined above. Where machine code has numbers
# of 64 bits, there may be any number, and where it has a move's number, the move.
#
# Invariant: a table knows positions by themselves, never by a hash, and gives up none that it has taken.


R = TypeVar("R")

_ENTRY_BYTES: Final = 16
"""What an entry of a table takes at least, with its position, as those are counted that are its own and not used. How
many there is room for is measured."""


class ExactKernels(PythonText, Generic[State]):
    """The functions of a kernel. A ``trace`` is told of the first search that a search function makes."""

    views = GrowingViews

    def __init__(
        self,
        machine: Machine[State],
        source: Kernel,
        limits: Limits,
        trace: Trace[State] | None = None,
        shown: TraceView = AS_IT_IS,
    ) -> None:
        super().__init__(source, rule_constants(machine), check_deadline, [0])
        self._limits = limits
        self._trace = trace
        self._shown = shown
        self._made: dict[type, Any] = {}
        self._positions = Positions(limits.room())
        self._faults = RuleFaults()
        is_watched = bool(source.constants.get("WATCHES"))
        self._functions.update(Words(machine, self._positions, self._faults, is_watched).names())
        if trace is not None:
            for name, trampoline in self._trampolines.items():
                _, *others = trampoline.parameters
                trampoline.function = self._trace_calls(trampoline.function, others)
                self._functions[name] = self._trace_calls(self._functions[name], others)

    def new(self, record: type[R], /, **lengths: Any) -> R:
        self._made[record] = super().new(record, **lengths)
        return cast(R, self._made[record])

    def elements(self, of: type[R], count: int, everywhere: bool = False) -> list[R]:
        elements = super().elements(of, count, everywhere)
        if everywhere:
            self._positions.tables.append(cast(Any, elements))
        return elements

    def put(self, there: StateWords, state: State) -> None:
        cast(list[Any], there)[0] = state

    @property
    def knows_few(self) -> bool:
        """Whether tables have no room for more than a handful of positions."""
        return self._positions.are_few

    def row_bytes(self, length: int) -> int:
        return _ENTRY_BYTES

    def bytes_each(self, record: type, name: str) -> float:
        """Measured, of those that have been used last; 0 where there are none."""
        if name == "calls":
            used: list[object] = [call for trampoline in self._trampolines.values() for call in trampoline.calls]
        else:
            found = getattr(self._made[record], name, None) if record in self._made else None
            used = list(found.values()) if isinstance(found, dict) else []
        room = self._limits.room()
        room.grows(used)
        return room.each

    def _call(self, name: str, arguments: Sequence[Any]) -> int:
        self._faults.error = None
        rules = self.border.context
        rules[0] = 0
        result = super()._call(name, arguments)
        if rules[0] == UNVALUED:
            raise RuleError(UNVALUED)
        if rules[0] and self._faults.error is not None:
            raise self._faults.error
        return result

    def waiting(self, search: Any) -> Sequence[Any]:
        (trampoline,) = self._trampolines.values()
        calls = (getattr(call, "gi_yieldfrom", None) or call for call in trampoline.calls[: search.depth])
        return [SimpleNamespace(**getgeneratorlocals(cast(Any, call))) for call in calls]

    def _trace_calls(self, function: Callable[..., Visit[R]], others: Sequence[str]) -> Callable[..., Visit[R]]:
        """A search function that tells the trace of its first call, and of the calls below it while that is at work."""

        def trace_call(search: Any, state: list[State], *arguments: Any) -> Visit[R]:
            trace = self._trace
            if trace is None:
                return (yield from function(search, state, *arguments))
            named = dict(zip(others, arguments, strict=True))
            trace.enter(state[0], *self._shown.window(named), self._shown.part(named))
            nodes, estimates = search.nodes, search.estimates
            value = yield from function(search, state, *arguments)
            is_estimate = (search.nodes, search.estimates) == (nodes + 1, estimates + 1)
            trace.leave(self._shown.value(search, value, named), is_estimate)
            if trace.depth == 0:
                self._trace = None
            return value

        return trace_call


@frozen
class ExactBackend(Generic[State]):
    """Implements :class:`~zermelo.solvers.running.backend.Backend`. A ``trace`` is told of the first search; tables
    fill what ``limits`` allow."""

    machine: Machine[State]
    limits: Limits
    trace: Trace[State] | None = None

    unit: ClassVar[int] = 1
    infinite: ClassVar[Number] = INFINITE
    knows_the_past: ClassVar[bool] = True
    moment: ClassVar[int] = 0
    displaces: ClassVar[bool] = False

    @property
    def rules(self) -> object:
        return self

    def run(self, kernel: Kernel, work: Callable[[ExactKernels[State]], Result], shown: TraceView = AS_IT_IS) -> Result:
        return work(ExactKernels(self.machine, kernel, self.limits, self.trace, shown))

    def held(self, state: State) -> State:
        return state

    def move(self, number: Move) -> Move:
        return number

    def number_of(self, state: State, move: Move) -> Move:
        return move

    def value(self, number: int | Fraction) -> Fraction:
        return Fraction(number)

    def least(self, amount: Number, is_strict: bool) -> Number | JustAbove:
        return JustAbove(amount) if is_strict else amount

    def watch(self, problem: Problem[State]) -> Watch:
        return UNWATCHED if problem.facts.terminates.holds else WATCHED

    def hints(self, problem: Problem[State], parts: int) -> tuple[int, dict[str, Hole]]:
        machine = self.machine
        rollouts = Rollouts(machine, Random(problem.seed))

        def guess(rules: object, state: list[State], player: int) -> int | Fraction:
            if problem.rollouts:
                return rollouts.means(state[0])[player]
            return exact(machine.estimate(state[0], player)) if problem.has_estimate else 0

        def is_unsettled(rules: object, state: list[State]) -> int:
            return int(problem.facts.has_unsettled and machine.is_unsettled(state[0]))

        return self.unit, {"PAYOFFS": 1, "guess": guess, "is_unsettled": is_unsettled}

    def window_numbers(self, problem: Problem[State], middle: Number) -> ExactNumbers:
        return exact_numbers(self.machine, problem, middle)

    def naming(self, endgames: Endgames | None) -> Hole:
        if endgames is not None:
            raise ZermeloError(
                "no-table",
                "positions of this search cannot be looked up in a table: its rules or its numbers need the reference "
                "machine, whose positions have no packed keys",
                "without a table it is searched as far as the limits allow",
            )
        return "pack(state, key)"

    def gains(
        self, bounds: Sequence[tuple[Fraction, Fraction]], plays: int, by_estimate: bool
    ) -> tuple[int, dict[str, Hole]]:
        unit = 2 * lcm(*(bound.denominator for pair in bounds for bound in pair))

        def worth(rules: object, state: list[State], player: int) -> int | Fraction:
            return exact(self.machine.estimate(state[0], player) * unit)

        return unit, {"SCALE": unit, "worth": worth}

    def feature_denominators(self, count: int) -> Sequence[int]:
        return [1] * count

    def learning(self, recalls: bool = False) -> dict[str, Hole]:
        numbers: dict[tuple[int, InformationState], int] = {}

        def recall(
            knowledge: Knowledge, last: object, state: list[State], move: Move, before: object, now: list[int]
        ) -> int:
            for player in range(len(self.machine.player_names)):
                known = player, tuple(self.machine.information_state(state[0], player))
                now[player] = numbers.get(known, UNKNOWN)
            return 0

        def learn(
            knowledge: Knowledge, last: object, state: list[State], move: Move, before: object, now: list[int]
        ) -> int:
            for player in range(len(self.machine.player_names)):
                known = player, tuple(self.machine.information_state(state[0], player))
                if known not in numbers:
                    numbers[known] = knowledge.count
                    cast(list[InformationState], knowledge.words)[knowledge.count] = known[1]
                    knowledge.count += 1
                now[player] = numbers[known]
            return 0

        holes: dict[str, Hole] = {"learn": learn, "recall": recall} if recalls else {"learn": learn}
        return {**holes, "STEP_WORDS": 0, "STEP_STATES": 0}

    def knowing(
        self, kernels: PlainKernels, knowledge: Knowledge, numbers: array[int]
    ) -> Callable[[int], InformationState]:
        words = cast(Sequence[InformationState], knowledge.words)  # as they have been learned here
        known = [words[number] for number in numbers]
        return known.__getitem__

    def number(self, value: Fraction) -> int | Fraction:
        return exact(value)

    def rank(self) -> Hole:
        return "order_key(rules, state)"

    def forgets(self, kernels: ExactKernels[State]) -> bool:
        return kernels.knows_few

    def length(self, most: int) -> int:
        return maxsize

    def explain(self, root: State, made: Sequence[Move], error: RuleError) -> NoReturn:
        raise error
