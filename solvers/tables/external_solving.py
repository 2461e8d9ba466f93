"""Solving a graph of positions in external memory: retrograde analysis, round by round, in shards on disk.

Each shard has a *state*: for each of its positions the best that is known so far to be behind its moves, how many of
these are that good, and how many lead to positions that are not settled. When a position is *settled*, which is final,
the positions before it are told by mail: ``place, number, steps``, with what the move to it earns, or its weight.
What an end pays is told first. A position is settled

- when all is known that is behind its moves. In games without circles that is all. The rules for what is best, and the
  mean of what chance brings, can be applied in any order in which the mail comes;
- in circles, in the order of events of :mod:`zermelo.solvers.kernels.retrograde`, with all that is not settled as one
  component: the numbers farthest from the *middle* first, and among these the nearest to the end. A position is due in
  that order when it has a move to a number on the side of the middle that its player wants, or just to the middle. What
  is left in the end is worth the middle and never comes to an end.

What stays true: a settled position has its value and its distance; it has been told to all positions before it, once;
whatever mail comes to it later changes nothing but how many of its moves are best. So the number of unsettled positions
falls with every round, and the result depends neither on the number of shards nor on the order of mail.

Numbers are whole parts of a unit, those of games of chance fractions of it, both of 64 bits.

Cost: for each position a state of 18 to 38 bytes; each edge is read and told once, 12 to 32 bytes. Without circles
there are as many rounds as moves in the longest play. With circles there is one for each distance of each number; what
is due waits in a queue, 16 bytes each, which is read when something of it is due. Where it matters what endless plays
are worth, and the rules do not say it, all is done twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

import numpy
from attrs import define, field, frozen

from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.tables.external_exploring import EXCHANGED, GraphKinds, ShardedGraph, in_memory_only, sources_of
from zermelo.solvers.tables.rounds import Shards
from zermelo.solvers.tables.shards import PLACES, Job, Shard, ShardFiles, places_of, put, taken

Array = numpy.ndarray[Any, Any]

MOST: Final = 1 << 62
"""Numbers stay below this."""

EVENT: Final = numpy.dtype([("place", "uint32"), ("steps", "int32"), ("far", "int64")])
"""What waits: the position at a place, for its turn in the order of events, by how far its number is from the middle,
and how far the end is."""

NOWHERE: Final = PLACES - 1
"""No place."""

_BLOCK: Final = 1 << 20
"""Positions that are looked at together, at most."""


def too_long() -> Exception:
    """The error of numbers beyond 64 bits."""
    return in_memory_only("its values are too long for 64 bits")


@frozen(eq=False)
class Ordering:
    """What is better: player p wants more if ``wants[p]`` is 1, and less if it is -1; those who get more than the
    ``middle`` hurry, and the others delay. Two opposed players get the ``total`` together. With ``fractions`` no
    distances are told. What is paid counts ``scale`` parts, and what comes after a decision the ``discount``; numbers
    are of a type, ``number_kind``."""

    wants: Sequence[int]
    middle: int
    total: int
    fractions: bool
    scale: int
    number_kind: str
    discount: Fraction = Fraction(1)
    amounts: ClassVar[str] = "number"
    """The field with what is got."""

    def state_kind(self) -> Any:
        """The type of what is known of a position."""
        fractions = [("denominator", "int64"), ("weight", "int64")] if self.fractions else []
        return numpy.dtype(
            [
                ("number", self.number_kind), *fractions, ("steps", "int32"), ("best", "uint32"),
                ("opens", "uint32"), ("actor", "int8"), ("is_settled", "bool"),
            ]
        )  # fmt: skip

    def mail_kind(self) -> Any:
        """The type of what a position is told of a move; the weight is that of an outcome."""
        fractions = [("denominator", "int64"), ("weight", "int64")] if self.fractions else []
        return numpy.dtype([("place", "uint32"), ("number", self.number_kind), *fractions, ("steps", "int32")])

    def told_by_ends(self, ends: Array) -> Array:
        """What ends tell the positions before them."""
        told = numpy.zeros(len(ends), self.mail_kind())
        told["place"], told["number"], told["steps"] = ends["place"], ends["paid"] * self.scale, 1
        if self.fractions:
            told["denominator"], told["weight"] = 1, weights_of(ends)
        return told

    def told_before(self, edges: Array, known: Array) -> Array:
        """What is told along edges by the positions to which they lead, of which this is ``known``; not to which
        places."""
        mail = numpy.empty(len(edges), self.mail_kind())
        is_exchanged = (edges["source"] >> EXCHANGED).astype(bool)
        mail["number"] = numpy.where(is_exchanged, self.total - known["number"], known["number"])
        mail["steps"] = numpy.minimum(known["steps"].astype("int64") + 1, FOREVER)
        if self.fractions:
            mail["weight"] = weights_of(edges)
            mail["number"], mail["denominator"] = self.discounted(known["number"], known["denominator"], edges)
        if "paid" in (edges.dtype.names or ()):
            paid = edges["paid"] * self.scale
            mail["number"] += product(paid, mail["denominator"]) if self.fractions else paid
        if len(mail) and int(numpy.abs(mail["number"]).max()) > MOST // 4:
            raise too_long()
        return mail

    def discounted(self, numbers: Array, denominators: Array, edges: Array) -> tuple[Array, Array]:
        """Fractions behind edges, of which decisions make less."""
        if self.discount == 1:
            return numbers, denominators
        decides = weights_of(edges) == 0
        above = numpy.where(decides, self.discount.numerator, 1)
        below = numpy.where(decides, self.discount.denominator, 1)
        return reduced(product(numbers, in_rows(above, numbers)), product(denominators, below))

    def wants_of(self, actors: Array) -> Array:
        """What those who act want; it does not matter for chance."""
        return numpy.array([*self.wants, 0], "int64")[actors]

    def take(self, known: Array, told: Array) -> None:
        """Let each of some positions know of one more move."""
        if self.fractions:
            self._take_fractions(known, told)
            return
        wants, number = self.wants_of(known["actor"]), told["number"]
        gain = (number - known["number"]) * wants
        hurry = numpy.sign(number - self.middle) * wants
        nearer = known["steps"].astype("int64") - told["steps"]
        gain = numpy.where(gain == 0, nearer * hurry, gain)
        is_better = (known["best"] == 0) | (gain > 0)
        is_same = ~is_better & (gain == 0)
        nearest = numpy.minimum(known["steps"], told["steps"])
        kept = numpy.where(is_same & (hurry == 0), nearest, known["steps"])
        known["steps"] = numpy.where(is_better, told["steps"], kept)
        known["best"] = numpy.where(is_better, 1, known["best"] + is_same)
        known["number"] = numpy.where(is_better, number, known["number"])

    def _take_fractions(self, known: Array, told: Array) -> None:
        draws, wants = known["actor"] == CHANCE, self.wants_of(known["actor"])
        gain = wants * numpy.sign(
            product(told["number"], known["denominator"]) - product(known["number"], told["denominator"])
        )
        is_better = ~draws & ((known["best"] == 0) | (gain > 0))
        known["best"] = numpy.where(is_better, 1, known["best"] + (~is_better & (gain == 0)))
        known["number"] = numpy.where(is_better, told["number"], known["number"])
        known["denominator"] = numpy.where(is_better, told["denominator"], known["denominator"])
        if draws.any():
            self.add_outcomes(known, told, draws)

    def add_outcomes(self, known: Array, told: Array, draws: Array) -> None:
        """Add outcomes to what is known where chance draws."""
        before, more = known[draws], told[draws]
        amounts, others = before[self.amounts], more[self.amounts]
        common = numpy.gcd(before["denominator"], more["denominator"])
        own, theirs = more["denominator"] // common, before["denominator"] // common
        weighed = product(product(others, in_rows(more["weight"], others)), in_rows(theirs, others))
        amounts = product(amounts, in_rows(own, amounts)) + weighed
        before[self.amounts], before["denominator"] = reduced(amounts, product(before["denominator"], own))
        before["weight"] += more["weight"]
        if (before["weight"] > MOST // 2).any():
            raise too_long()
        known[draws] = before

    def settle(self, known: Array) -> None:
        """Give positions their values of which all is known."""
        if self.fractions:
            draws = known["actor"] == CHANCE
            before = known[draws]
            whole = product(before["denominator"], before["weight"])
            before[self.amounts], before["denominator"] = reduced(before[self.amounts], whole)
            known[draws] = before
        known["is_settled"] = True


def product(one: Array, other: Any) -> Array:
    """The products of whole numbers. Raises ``ZermeloError`` (``no-table``) if one may exceed 64 bits."""
    most = numpy.abs(one.astype("float64")) * numpy.abs(other.astype("float64"))
    if (most > MOST / 2).any():
        raise too_long()
    found: Array = one * other
    return found


def reduced(numbers: Array, denominators: Array) -> tuple[Array, Array]:
    """Fractions in lowest terms: one for each denominator, or a row of several."""
    rows = numbers if numbers.ndim == 1 else numpy.gcd.reduce(numbers, axis=1)
    common = numpy.gcd(rows, denominators)
    return numbers // in_rows(common, numbers), denominators // common


def in_rows(factors: Array, numbers: Array) -> Array:
    """Factors, so that each is one of a number or of a row of them."""
    return factors if numbers.ndim == 1 else factors[:, None]


def weights_of(edges: Array) -> Array:
    """The weights of edges: 0, unless they are outcomes of chance."""
    found: Array = edges["weight"] if "weight" in (edges.dtype.names or ()) else numpy.zeros(len(edges), "int64")
    return found


# What is done in a shard.


@frozen(eq=False)
class Solving:
    """Solving a graph with records of these ``kinds`` in an ``order``, into states of this ``name``."""

    kinds: GraphKinds
    order: Ordering
    name: str

    def open(self, shard: ShardFiles) -> Array:
        """The states of a shard."""
        return shard.open(self.name, self.order.state_kind())

    def tell(self, state: Array, told: Array, by_positions: bool) -> tuple[Array, Array]:
        """Let positions know what they are told ``by_positions`` or by ends, each of one move after another: their
        places, and what is known there now."""
        told = taken(told, numpy.argsort(told["place"]))
        firsts = numpy.flatnonzero(numpy.concatenate([[True], told["place"][1:] != told["place"][:-1]]))
        times = numpy.diff(numpy.append(firsts, len(told)))
        often = numpy.argsort(-times)  # so that those with so many moves stand in front
        firsts, times = firsts[often], times[often]
        places = told["place"][firsts].astype("int64")
        known = taken(state, places)
        for k, count in enumerate(numpy.searchsorted(-times, -numpy.arange(int(times[0])))):
            self.order.take(known[:count], taken(told, firsts[:count] + k))
        if by_positions:
            known["opens"] -= times.astype("uint32")
        return places, known

    def settle(self, shard: Shard, places: Array, known: Array, due: Array) -> int:
        """Settle those that are ``due`` of some positions, of which this is known, and tell those before them; how many
        they are."""
        some = taken(known, due)
        self.order.settle(some)
        put(known, due, some)
        most = self.most_mail(shard)
        for first in range(0, len(due), most):
            self._announce(shard, places[due[first : first + most]], some[first : first + most])
            shard.desk.pause()
        return len(due)

    def _announce(self, shard: Shard, places: Array, known: Array) -> None:
        """Tell the positions before those in some places what is known of these."""
        edges, which = sources_of(self.kinds, shard, places)
        to, there = places_of(edges["source"])
        mail = self.order.told_before(edges, taken(known, which))
        mail["place"] = there
        shard.post(to, mail)

    def most_mail(self, shard: Shard) -> int:
        """The records of mail that are read at a time."""
        size: int = self.order.mail_kind().itemsize
        return max(1 << 8, min(_BLOCK, shard.desk.limits.memory // 32 // size))

    # What is due in the order of events waits in a queue, a file with a number, a new one after each event.

    def events(self, places: Array, known: Array) -> Array:
        """The events of positions of which this is known; of those that are not due, it is at no place."""
        side = numpy.sign(known["number"] - self.order.middle) * self.order.wants_of(known["actor"])
        found = numpy.empty(len(known), EVENT)
        found["place"] = numpy.where(~known["is_settled"] & (known["best"] > 0) & (side >= 0), places, NOWHERE)
        found["far"], found["steps"] = abs(known["number"].astype("int64") - self.order.middle), known["steps"]
        return found

    def queue(self, number: int) -> str:
        """The name of a queue."""
        return f"{self.name}.due.{number}"

    def enter(self, shard: Shard, queue: int, events: Array) -> list[int] | None:
        """Let events of a shard wait, those at no place excepted; the first of them, if there are any."""
        events = taken(events, numpy.flatnonzero(events["place"] != NOWHERE))
        if not len(events):
            return None
        shard.append(self.queue(queue), events)
        farthest = events["far"].max()
        return [-int(farthest), int(events["steps"][events["far"] == farthest].min())]


@frozen(eq=False)
class Begin:
    """Write the first states of a shard, and settle what has ends alone behind it. Returns what :class:`AnswerMail`
    does."""

    solving: Solving

    def __call__(self, shard: Shard, given: None) -> Any:
        order = self.solving.order
        actors = shard.read("actors", "int8")
        if not len(actors):
            return [0, None]
        state = numpy.zeros(len(actors), order.state_kind())
        state["actor"], state["opens"] = actors, shard.read("opens", "uint32")
        if order.fractions:
            state["denominator"] = 1
        for ends in shard.blocks("ends", self.solving.kinds.end, _BLOCK):
            put(state, *self.solving.tell(state, order.told_by_ends(ends), by_positions=False))
        due = numpy.flatnonzero(state["opens"] == 0)
        settled = self.solving.settle(shard, numpy.arange(len(state)), state, due)
        shard.write(self.solving.name, state)
        return [settled, None]


@frozen(eq=False)
class AnswerMail:
    """Read the mail of a shard, and settle what all is known of. In circles, what is due then waits in a ``queue``. It
    returns the number of what has been settled, and the first event of what waits newly."""

    solving: Solving

    def __call__(self, shard: Shard, queue: int | None) -> Any:
        settled, order, first = 0, self.solving.order, list[list[int]]()
        for told in shard.mail(order.mail_kind(), self.solving.most_mail(shard)):
            state = self.solving.open(shard)
            places, known = self.solving.tell(state, told, by_positions=True)
            due = numpy.flatnonzero((known["opens"] == 0) & ~known["is_settled"])
            settled += self.solving.settle(shard, places, known, due)
            if queue is not None:
                before, after = (self.solving.events(places, each) for each in (taken(state, places), known))
                if event := self.solving.enter(shard, queue, taken(after, numpy.flatnonzero(after != before))):
                    first.append(event)
            shard.change(self.solving.name, places, known)
        return [settled, min(first, default=None)]


@frozen(eq=False)
class EarnsInCircles:
    """Whether a move earns something that leads to where plays may go round, in a shard."""

    solving: Solving

    def __call__(self, shard: Shard, given: None) -> bool:
        unsettled = numpy.flatnonzero(~self.solving.open(shard)["is_settled"])
        edges, _ = sources_of(self.solving.kinds, shard, unsettled)
        return "paid" in (edges.dtype.names or ()) and bool(edges["paid"].any())


@frozen(eq=False)
class FillQueue:
    """Let all positions of a shard that are due wait in its first queue. Returns what :class:`AnswerMail` does."""

    solving: Solving

    def __call__(self, shard: Shard, queue: int) -> Any:
        state = self.solving.open(shard)
        return [0, self.solving.enter(shard, queue, self.solving.events(numpy.arange(len(state)), state))]


@frozen(eq=False)
class SettleEvent:
    """Settle the positions of a shard of which it is the turn. Given are the queue and the event; the others wait in
    the next queue. Returns what :class:`AnswerMail` does."""

    solving: Solving

    def __call__(self, shard: Shard, given: Sequence[int]) -> Any:
        queue, far, steps = given
        state, waiting = self.solving.open(shard), shard.read(self.solving.queue(queue), EVENT)
        is_due = (waiting["far"] == -far) & (waiting["steps"] == steps)
        events = taken(waiting, numpy.flatnonzero(is_due))
        known = taken(state, events["place"].astype("int64"))
        is_latest = self.solving.events(events["place"], known) == events  # else it has become due before
        places = numpy.unique(events["place"][is_latest]).astype("int64")
        known = taken(state, places)
        settled = self.solving.settle(shard, places, known, numpy.arange(len(places)))
        shard.change(self.solving.name, places, known)
        shard.discard(self.solving.queue(queue))
        return [settled, self.solving.enter(shard, queue + 1, taken(waiting, numpy.flatnonzero(~is_due)))]


@frozen(eq=False)
class SettleRest:
    """Settle what is worth the middle because it never comes to an end. Returns what :class:`AnswerMail` does."""

    solving: Solving

    def __call__(self, shard: Shard, given: None) -> Any:
        state = self.solving.open(shard)
        places = numpy.flatnonzero(~state["is_settled"])
        known = taken(state, places)
        known["number"], known["steps"], known["best"] = self.solving.order.middle, FOREVER, 0
        settled = self.solving.settle(shard, places, known, numpy.arange(len(places)))
        shard.change(self.solving.name, places, known)
        return [settled, None]


@frozen(eq=False)
class DiscardQueue:
    """Delete the queue of a shard that has the given number."""

    solving: Solving

    def __call__(self, shard: Shard, queue: int) -> None:
        shard.discard(self.solving.queue(queue))


@frozen
class Discard:
    """Delete a file of a shard."""

    name: str

    def __call__(self, shard: Shard, given: None) -> None:
        shard.discard(self.name)


# All rounds.


@define(eq=False)
class ShardSolver:
    """Solves a graph. In circles, ``queues`` are the numbers of the queues of all shards, and ``pending`` has for each
    shard in which something waits the first event of it."""

    graph: ShardedGraph
    solving: Solving
    limits: Limits
    progress: Progress
    settled: int = 0
    queues: list[int] = field(factory=list)
    pending: dict[int, list[int]] = field(factory=dict)

    @property
    def shards(self) -> Shards:
        return self.graph.shards

    @property
    def is_done(self) -> bool:
        """Whether all positions have been settled."""
        return self.settled == self.graph.positions

    def begin(self) -> None:
        """Write the first states, and settle all positions that do not lie before a circle."""
        self._round(Begin(self.solving))
        self._answer()

    def go_round(self) -> None:
        """Settle all positions that lie before circles, too."""
        self.queues = [0] * self.shards.count
        self._round(FillQueue(self.solving), dict(enumerate(self.queues)))
        while self.pending and not self.is_done:
            event = min(self.pending.values())
            due = [shard for shard, own in self.pending.items() if own == event]
            given = {shard: [self.queues[shard], *event] for shard in due}
            for shard in due:
                del self.pending[shard]
                self.queues[shard] += 1
            self._round(SettleEvent(self.solving), given)
            self._answer()
        self._round(SettleRest(self.solving))
        self._answer()
        self.shards.map(DiscardQueue(self.solving), dict(enumerate(self.queues)))

    def earns_in_circles(self) -> bool:
        """Whether a move earns something that leads to where plays may go round."""
        return any(self.shards.map(EarnsInCircles(self.solving)).values())

    def _answer(self) -> None:
        """Read mail, and settle what all is known of, until there is no more."""
        while reached := self.shards.exchange():
            queues = {shard: self.queues[shard] if self.queues else None for shard in reached}
            self._round(AnswerMail(self.solving), queues)

    def _round(self, job: Job, given: Mapping[int, Any] | None = None) -> None:
        """Do a job that settles positions on shards."""
        for shard, (settled, event) in self.shards.map(job, given).items():
            self.settled += settled
            if event is not None:
                self.pending[shard] = min(event, self.pending.get(shard, event))
        self.shards.checkpoint()
        self.progress(self.graph.positions + self.settled)
        self.limits.check({"nodes": self.graph.positions})
