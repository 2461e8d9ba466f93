"""The facts about a game, and a bounded look at its first plays."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Final, Generic, TypeVar

from attrs import define, evolve, field, frozen

from zermelo.foundation.deadline import DeadlinePassed, check_deadline, time_limit
from zermelo.foundation.memory import MemoryBudget, MemoryQuota, format_bytes
from zermelo.foundation.records import ByValue, Displayed
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, PlayError, State, display_text, payoff_text

Bounds = tuple[Fraction | int, Fraction | int]
"""Lower and upper bound."""


_UNKNOWN: Final = Fact(None, "nothing is known of its rules")


@frozen(eq=False, repr=False)
class Facts(ByValue):
    """The facts about one game.

    ``players`` are the players' names; ``sum`` is the payoffs' sum, if proved constant; ``chance``: some play has a
    chance move; ``simultaneous``: several players choose at once; ``perfect_information``: the player to move always
    knows the position; ``public_between_rounds``: so do all who choose at once, except for what the others choose at
    that moment; ``terminates``: every play ends. ``discounted`` games pay less for what comes later. ``bounds``
    are those of each player's payoff, None if unknown; it is empty if nothing is known. ``has_estimate``,
    ``has_unsettled`` and ``has_order`` are the hints of the file for a search, ``estimates`` the bounds of the
    estimate, if known; ``can_pass``: some positions admit a null move (:mod:`zermelo.interpreter.model.rewriting`);
    ``has_endless``: the file gives the payoff of an infinite play, which does not prove that there is one;
    ``has_history``: the rules read the history of the play; ``ends``: some play is known to end;
    ``has_several_rounds``: a player may decide after players have chosen at once.
    """

    players: tuple[str, ...]
    constant_sum: Fact
    sum: Fraction | None
    common_payoff: Fact
    chance: Fact
    simultaneous: Fact
    perfect_information: Fact
    public_between_rounds: Fact
    terminates: Fact
    discounted: bool = False
    bounds: tuple[Bounds | None, ...] = ()
    has_estimate: bool = False
    has_unsettled: bool = False
    has_order: bool = False
    estimates: Bounds | None = None
    can_pass: Fact = _UNKNOWN
    has_endless: bool = False
    has_history: bool = False
    ends: bool = False
    has_several_rounds: bool = False

    @property
    def zero_sum(self) -> Fact:
        return self.sums_to(0)

    def sums_to(self, amount: Fraction | int) -> Fact:
        """Whether the payoffs always sum to ``amount``. Another constant sum refutes this only if some play ends."""
        if not self.constant_sum.holds or self.sum == amount:
            return self.constant_sum
        return Fact(False if self.ends or self.terminates.holds else None, self.constant_sum.how)

    @property
    def deterministic(self) -> Fact:
        """Whether no play has a chance move."""
        return Fact(None if self.chance.holds is None else not self.chance.holds, self.chance.how)

    def with_count(self, positions: int, finished: bool, loop: Loop | None) -> Facts:
        """The facts, extended by a count of positions, perhaps all (``finished``), and by a play with a cycle."""
        if loop is not None:
            return evolve(self, terminates=Fact(False, str(loop)))
        if finished and not self.terminates.holds:
            how = f"all {positions:,} positions have been visited, and none can come back"
            return evolve(self, terminates=Fact(True, how))
        return self

    def left_open(self, why: str) -> Facts:
        """The facts, with the reason ``why`` added to those that a visit of positions has left open."""

        def add_reason(fact: Fact) -> Fact:
            return fact if fact.holds is not None else Fact(None, f"{fact.how}; {why}")

        return evolve(
            self,
            constant_sum=add_reason(self.constant_sum),
            common_payoff=add_reason(self.common_payoff),
            chance=add_reason(self.chance),
            terminates=add_reason(self.terminates),
        )

    def with_survey(self, survey: Survey) -> Facts:
        """The facts, extended by a survey of the positions."""
        everywhere = f"all {survey.positions:,} positions have been visited"
        known = self.with_count(survey.positions, survey.finished, survey.loop)
        known = evolve(known, ends=known.ends or survey.terminals > 0)
        if known.chance.holds is None and survey.chance:
            known = evolve(known, chance=Fact(True, "a play has been found in which chance draws"))
        elif known.chance.holds is None and survey.finished:
            known = evolve(known, chance=Fact(False, f"{everywhere}, and chance draws in none"))
        complete = survey.finished and survey.loop is None
        if known.constant_sum.holds is None:
            if len(survey.sums) > 1:
                how = f"one play pays {survey.sums[0]} in all and another {survey.sums[1]}"
                known = evolve(known, constant_sum=Fact(False, how))
            elif complete and survey.sums and survey.sum_is_settled and not self.discounted:
                how = f"{everywhere}, and the payoffs always sum to {survey.sums[0]}"
                known = evolve(known, constant_sum=Fact(True, how), sum=survey.sums[0])
        if known.common_payoff.holds is None:
            if survey.unequal is not None:
                how = f"one play pays {payoff_text(survey.unequal)}"
                known = evolve(known, common_payoff=Fact(False, how))
            elif complete and survey.evenly_earned:
                known = evolve(known, common_payoff=Fact(True, f"{everywhere}, and all players get the same"))
        return known

    def with_confusion(self, confusion: Confusion | None) -> Facts:
        """The facts, extended by two plays that a player cannot tell apart, if such were found. Where players choose at
        once they may be plays of one round."""
        if confusion is None:
            return self
        found = Fact(False, str(confusion))
        public = self.public_between_rounds if self.simultaneous.holds else found
        return evolve(self, perfect_information=found, public_between_rounds=public)

    def with_leaves(self, histories: int, sums: set[int], is_common: bool, draws: bool, denominator: int) -> Facts:
        """The facts, extended by the game tree: the sums of the payoffs in its leaves, as multiples of
        1 / ``denominator``, whether all players get the same in each leaf, and whether there are chance moves."""
        everywhere = f"all {histories:,} histories have been visited"
        known = evolve(self, ends=True)
        if known.constant_sum.holds is None:
            if len(sums) == 1:
                amount = Fraction(next(iter(sums)), denominator)
                how = f"{everywhere}, and the payoffs always sum to {amount}"
                known = evolve(known, constant_sum=Fact(True, how), sum=amount)
            else:
                one, another, *_ = (str(Fraction(amount, denominator)) for amount in sorted(sums))
                known = evolve(known, constant_sum=Fact(False, f"one play pays {one} in all and another {another}"))
        if known.common_payoff.holds is None:
            how = f"{everywhere}, and all players get the same" if is_common else "a play pays unequal amounts"
            known = evolve(known, common_payoff=Fact(is_common, how))
        if known.chance.holds is None:
            how = "a play has been found in which chance draws" if draws else f"{everywhere}, and chance never draws"
            known = evolve(known, chance=Fact(draws, how))
        if not known.terminates.holds:
            known = evolve(known, terminates=Fact(True, everywhere))
        return known

    def with_information_sets(self, information: InformationSetCount) -> Facts:
        """The facts, extended by a visit of the histories."""
        if information.finished and information.confusion is None and not self.perfect_information.holds:
            everywhere = f"all {information.histories:,} histories have been visited"
            how = f"{everywhere}, and the player to move always knows the position"
            known = Fact(True, how)
            return evolve(self, perfect_information=known, public_between_rounds=known)
        return self.with_confusion(information.confusion)


def has_one_value(facts: Facts) -> bool:
    """Whether all equilibria have the same payoffs: a single player gets the maximum, and two players with a constant
    sum get the value (von Neumann 1928)."""
    return len(facts.players) == 1 or (len(facts.players) == 2 and facts.constant_sum.holds is True)


# The moves or outcomes of a state, whether a player or chance acts.


def choices_at(machine: Machine[State], state: State) -> tuple[Move, ...]:
    """The legal moves, the outcomes of chance, or nothing at the end. Raises ``ZermeloError``
    (``too-many-outcomes``) if chance has too many outcomes to list."""
    actor = machine.actor(state)
    if actor == END:
        return ()
    if actor == CHANCE:
        return tuple(outcome for outcome, _ in machine.outcomes(state))
    return machine.moves(state)


Result = TypeVar("Result")


def unless_too_many(ask: Callable[[], Result]) -> Result | None:
    """What is asked of a machine; None where chance has too many outcomes to list or count."""
    try:
        return ask()
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return None


# A play that returns to a position: the proof that a game may never end.


SHOWN = 12
"""The most moves of a play that are written out."""


@frozen(eq=False, repr=False)
class Loop(ByValue):
    """``before`` leads from the beginning to a position, and ``moves`` from there back to it."""

    before: tuple[Move, ...]
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        """The loop as a clause: ``after a, b, the moves c, d lead back to the same position``."""
        after = f"after {play_text(self.before)}, " if self.before else ""
        verb = "leads" if len(self.moves) == 1 else "lead"
        return f"{after}{play_text(self.moves)} {verb} back to the same position"


def play_text(moves: tuple[Move, ...]) -> str:
    """The moves, joined by commas, without the middle of a long play."""
    texts = list(map(display_text, moves))
    if len(texts) > SHOWN:
        texts[SHOWN - 1 : -1] = [f"... {len(texts) - SHOWN:,} more ..."]
    return ", ".join(texts)


# A survey: a visit of every position of a game, as far as limits allow.
#
# It computes the number of positions and of terminal ones, the length of the longest play, whether a position can recur
# (with a play that shows it), whether the game has a constant sum or a common payoff, and whether there are chance
# moves. A finished survey proves what holds in all its positions.
#
# The visit is a depth-first search of the graph of positions with the usual three colours: unvisited, on the current
# path, and left. Meeting a position on the path closes a cycle; a finite graph without cycles has plays of bounded
# length. Cost: one visit for each position and one step for each of its moves; memory for all positions.
#
# Earnings are not part of a position, so a position that is met again on another path may have other ones. The survey
# therefore compares the earnings whenever it meets a position, and notes if their sum differs from that of the first
# time, or if the players have not earned the same.


CHECK_EVERY = 16
"""Positions between two checks of the clock."""


ENOUGH: Final = "as soon as the question was settled"
"""The reason why a survey stopped that has answered its question."""


@define(eq=False, repr=False)
class Survey(Displayed):
    """The result of a survey. ``stopped`` says why it ended early, and is empty if it visited everything. While the
    survey runs, ``positions``, ``stopped`` and ``longest`` are not yet set.

    ``sums`` has one sum of the payoffs of a play, or two different ones; ``sum_is_settled`` is false if the earnings
    depend on the path, so that there may be other sums. ``unequal`` is a payoff that is not the same for all players;
    ``evenly_earned`` is false if the players earned different amounts on the way. ``longest`` is the number of moves
    and draws of the longest play, if plays are bounded.
    """

    positions: int = 0
    terminals: int = 0
    stopped: str = ""
    chance: bool = False
    sums: tuple[Fraction, ...] = ()
    sum_is_settled: bool = True
    evenly_earned: bool = True
    unequal: Payoff | None = None
    loop: Loop | None = None
    longest: int | None = None

    @property
    def finished(self) -> bool:
        return not self.stopped


def survey(
    machine: Machine[State],
    limit_positions: float,
    limit_seconds: float,
    progress: Callable[[int], None] | None = None,
    is_enough: Callable[[Survey], bool] | None = None,
    memory: float = inf,
) -> Survey:
    """Visit the positions of a game, within ``limit_positions``, ``limit_seconds`` and bytes of ``memory``, until
    ``is_enough``, which is called in every new position.

    ``progress`` is called every few positions with their number. Errors of the rules are raised as they are.
    """
    budget = MemoryBudget(memory)
    rooms = MemoryQuota(budget), MemoryQuota(budget)
    return _Surveyor(machine, limit_positions, limit_seconds, progress, is_enough, *rooms).run()


@define(eq=False, repr=False)
class _Visit(Generic[State]):
    """A position on the current path: its remaining moves, and the longest play found from it so far."""

    state: State
    position: Hashable
    moves: Iterator[Move]
    longest: int = 0


@define(eq=False, repr=False)
class _Surveyor(Generic[State]):
    """A running survey and its results so far."""

    machine: Machine[State]
    limit_positions: float
    limit_seconds: float
    progress: Callable[[int], None] | None
    is_enough: Callable[[Survey], bool] | None
    stored: MemoryQuota
    followed: MemoryQuota
    path: list[_Visit[State]] = field(factory=list)
    longest: dict[Hashable, int | None] = field(factory=dict)  # None: the position is on the path
    carried: dict[Hashable, Fraction] = field(factory=dict)  # sums earned before a position, other than 0
    found: Survey = field(factory=Survey)
    begin: Hashable = None

    def run(self) -> Survey:
        try:
            with time_limit(self.limit_seconds):
                stopped = self.visit_all()
        except DeadlinePassed:
            stopped = f"after {self.limit_seconds:g} s"
        self.found.positions, self.found.stopped = len(self.longest), stopped
        if not stopped and self.found.loop is None:
            self.found.longest = self.longest[self.begin]
        return self.found

    def visit_all(self) -> str:
        """Visit positions until all are visited, or a limit is met. Returns the limit, or an empty text."""
        first = self.machine.initial()
        self.begin = self.machine.position(first)
        stopped = self.enter(first, self.begin)
        while self.path and not stopped:
            visit = self.path[-1]
            move = next(visit.moves, None)
            if move is None:
                self.leave()
                continue
            check_deadline()
            state = self.machine.after(visit.state, move)
            position = self.machine.position(state)
            if position not in self.longest:
                stopped = self.enter(state, position)
            else:
                self.meet_again(state, position)
        return stopped

    def enter(self, state: State, position: Hashable) -> str:
        """Begin the visit of a new position. Returns the limit that is met, or an empty text."""
        number = len(self.longest) + 1
        if number > self.limit_positions:
            return f"after {self.limit_positions:,.0f} positions"
        if not self.has_room():
            return f"at {format_bytes(self.stored.budget.allowed)} of memory"
        if number % CHECK_EVERY == 0 and self.progress is not None:
            self.progress(number)
        if self.is_enough is not None and self.is_enough(self.found):
            return ENOUGH
        moves = unless_too_many(lambda: choices_at(self.machine, state))
        if moves is None:
            return "at a draw with too many outcomes to list"
        actor = self.machine.actor(state)
        self.found.chance = self.found.chance or actor == CHANCE
        if actor == END:
            self.end(self.machine.payoff(state))
        self.longest[position] = None
        earned = self.earned(state)
        if earned:
            self.carried[position] = earned
        self.path.append(_Visit(state, position, iter(moves)))
        return ""

    def has_room(self) -> bool:
        """Whether there is memory for another position, also on the path."""
        is_stored = len(self.longest) < self.stored.most or self.stored.grows(self.longest)
        return is_stored and (len(self.path) < self.followed.most or self.followed.grows(self.path))

    def end(self, payoff: Payoff) -> None:
        self.found.terminals += 1
        total = sum(payoff, Fraction(0))
        if len(self.found.sums) < 2 and total not in self.found.sums:
            self.found.sums += (total,)
        if self.found.unequal is None and any(amount != payoff[0] for amount in payoff):
            self.found.unequal = payoff

    def leave(self) -> None:
        """End the visit of the last position of the path."""
        visit = self.path.pop()
        self.longest[visit.position] = visit.longest
        if self.path:
            self.path[-1].longest = max(self.path[-1].longest, visit.longest + 1)

    def meet_again(self, state: State, position: Hashable) -> None:
        below = self.longest[position]
        if below is not None:
            self.path[-1].longest = max(self.path[-1].longest, below + 1)
        elif self.found.loop is None:
            play = self.machine.play(state)
            start = next(depth for depth, visit in enumerate(self.path) if visit.position == position)
            self.found.loop = Loop(play[:start], play[start:])
        if self.earned(state) != self.carried.get(position, 0):
            self.found.sum_is_settled = False

    def earned(self, state: State) -> Fraction:
        """The sum of all earnings so far."""
        earned = self.machine.earned(state)
        if any(amount != earned[0] for amount in earned):
            self.found.evenly_earned = False
        return sum(earned, Fraction(0))


# Counting information sets, and finding two plays that a player cannot tell apart.
#
# States in which the player to move has the same information state form an information set. Information states depend
# on the whole play, so this visits histories rather than positions: time and memory grow with the number of plays.


CALL_EVERY = 64
"""Histories between two calls of the progress function."""

EARLY = 1_000
"""Histories visited to find a confusion early: mostly enough, and almost free."""


@frozen(eq=False, repr=False)
class Confusion(ByValue):
    """Two plays that ``player``, who is to move, cannot tell apart, though the positions differ: the refutation of
    perfect information."""

    player: str
    plays: tuple[tuple[Move, ...], tuple[Move, ...]]

    def __str__(self) -> str:
        """As a clause."""
        first, second = (play_text(play) if play else "the beginning" for play in self.plays)
        return f"{shown(self.player)} cannot tell the plays {first} and {second} apart"


@frozen(eq=False, repr=False)
class InformationSetCount(ByValue):
    """``count`` information sets of all players together, in ``histories`` visited histories.

    ``confusion`` is None if the player to move always knew the position; ``finished`` if every history was visited.
    """

    count: int
    histories: int
    confusion: Confusion | None
    finished: bool


def count_information_sets(
    machine: Machine[State],
    limit: float,
    until_confused: bool = False,
    progress: Callable[[int], None] | None = None,
    memory: float = inf,
) -> InformationSetCount:
    """Count the information sets, in at most ``limit`` histories and so many bytes of ``memory``, or
    ``until_confused``: up to the first confusion. ``progress`` is called now and then with the number of histories, and
    may raise an error to end the count.

    Raises ``ZermeloError`` (``moves-differ``) if two states of an information set offer different moves.
    """
    first_of: dict[Hashable, tuple[Hashable, frozenset[Move], State]] = {}
    confusion: Confusion | None = None
    waiting = [machine.initial()]
    histories = 0
    budget = MemoryBudget(memory)
    stored, listed = MemoryQuota(budget), MemoryQuota(budget)
    while waiting and histories < limit and not (until_confused and confusion):
        if len(first_of) >= stored.most and not stored.grows(first_of):
            break
        if len(waiting) >= listed.most and not listed.grows(waiting):
            break
        state = waiting.pop()
        histories += 1
        if progress is not None and histories % CALL_EVERY == 0:
            progress(histories)
        moves = choices_at(machine, state)
        actor = machine.actor(state)
        if actor not in (CHANCE, END):
            known = (actor, machine.information_state(state, actor))
            position, offered, first = first_of.setdefault(known, (machine.position(state), frozenset(moves), state))
            if offered != frozenset(moves):
                raise moves_differ_error(machine, actor, first, state)
            if confusion is None and position != machine.position(state):
                confusion = _make_confusion(machine, actor, first, state)
        waiting.extend(machine.after(state, move) for move in reversed(moves))
    return InformationSetCount(len(first_of), histories, confusion, not waiting)


def find_confusion(machine: Machine[State]) -> Confusion | None:
    """A confusion among the first :data:`EARLY` histories, breadth first, or None.

    The search stops short of chance moves with too many outcomes to list, and of errors of the rules.
    """
    first_of: dict[Hashable, State] = {}
    waiting = deque([machine.initial()])
    for _ in range(EARLY):
        if not waiting:
            break
        state = waiting.popleft()
        actor = machine.actor(state)
        with suppress(ZermeloError):
            if actor not in (CHANCE, END):
                first = first_of.setdefault((actor, machine.information_state(state, actor)), state)
                if first is not state and machine.position(first) != machine.position(state):
                    return _make_confusion(machine, actor, first, state)
            waiting.extend(machine.after(state, move) for move in choices_at(machine, state))
    return None


def _make_confusion(machine: Machine[State], player: int, first: State, second: State) -> Confusion:
    return Confusion(machine.player_names[player], (machine.play(first), machine.play(second)))


def moves_differ_error(machine: Machine[State], player: int, first: State, second: State) -> ZermeloError:
    """The error of two states that a player cannot tell apart, though they offer different moves."""
    name = shown(machine.player_names[player])
    return ZermeloError(
        "moves-differ",
        f"{name} cannot tell the plays {play_text(machine.play(first))} and {play_text(machine.play(second))} apart, "
        f"but may choose from {play_text(machine.moves(first))} in one "
        f"and from {play_text(machine.moves(second))} in the other",
        "let the guard read only what its player sees, or let the player see what it reads",
    )


# The shortest play to an error of the rules.
#
# A search, a survey or a random play meets an error after a play of any length. For a short report the positions are
# visited once more, breadth first, until the same error occurs at the same place. After so many moves, or when the time
# of the work at hand is up, the first play is reported.


MOVES: Final = 4_000
"""The most moves that are made. A limit in seconds would let the reported play depend on how busy the machine is."""


def shortest_failure(machine: Machine[State], known: PlayError) -> PlayError:
    """The same error after a shortest play, or ``known`` itself if no shorter one is found."""
    made = 0
    try:
        layer = [machine.initial()]
        seen: set[Hashable] = {machine.position(layer[0])}
        for _ in range(len(known.play) - 1):
            following: list[State] = []
            for state in layer:
                for found in _successors(machine, state):
                    check_deadline()
                    made += 1
                    if made > MOVES:
                        return known
                    position = machine.position(found)
                    if position not in seen:
                        seen.add(position)
                        following.append(found)
            layer = following
    except PlayError as error:
        if (error.code, error.finding.span) == (known.code, known.finding.span):
            return error
    except DeadlinePassed:
        return known
    return known


def _successors(machine: Machine[State], state: State) -> Iterator[State]:
    """The next states; none after a chance decision with too many outcomes to list."""
    try:
        moves = choices_at(machine, state)
    except PlayError:
        raise
    except ZermeloError:
        return
    for move in moves:
        yield machine.after(state, move)
