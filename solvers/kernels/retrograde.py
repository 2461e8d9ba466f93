"""Retrograde analysis of a graph of positions without chance: what every position is worth, and how far the end is.

One number counts, what the first player gets; some players want more of it, the others less. Components of the graph
are solved one after another, those behind others first. So every edge that leaves a component leads to a solved
position, and is worth a number; it is called an *exit*. A component without a circle is one position, worth its best
exit (Zermelo 1913). In a circle, play may also stay for ever, and is then worth the amount in the *middle*: what
``endless`` says.

**From the outside in.** Let w be the number of exits that is farthest from the middle m; say, above it. No play is
worth more, since staying is worth less. So a position is worth w if those who want more can force play through an exit
that is worth w. These positions are the *attractor* of such exits (McNaughton 1993, Zielonka 1998), the least set with
every position

    of those who want more    of which one edge is such an exit, or leads into the set;
    of those who want less    of which all edges are, or do.

In all other positions, edges into the set and exits worth w can be struck out. Those who want more have none there.
Those who want less have another edge wherever they have one of these, so they can keep away from w for ever; and where
they do not, the others only get more. Then the next number follows; below the middle the sides change roles. In the end
only exits worth m are left, if any. Each side gets m in the positions that are left, by taking no edge that has been
struck out, whether the play ends or not. So every position has a value, brought about by strategies that look at
nothing but the position. (Washburn 1990; Andersson, Hansen, Miltersen and Sorensen 2008, "Deterministic graphical games
revisited". Where there are only wins, losses and draws, this is how endgames of chess are solved: Stroehlein 1970,
Thompson 1986.)

**Distances.** Those for whom a position is worth more than m *hurry* to the end, and the others delay. Where it is
worth just m, nobody has anything to gain, and all hurry. So the distance is one more than the least distance behind the
edges that keep the number, or than the greatest. In a circle, positions worth w are found in the order of their
distances, as in Dijkstra's algorithm, if exits take their turn: those who hurry take the first edge to a found position
that comes up, and those who delay are driven to the last one.

Thus the *events* of a circle, edges that turn out to lead to a found position or out, come in the order of their
numbers, the farthest from the middle first, and among these of their distances. Those that come from found positions
come in this order by themselves, from a queue. Exits wait in a heap, one for each position: its best exit, in the sense
of its player. For one who hurries no other matters, and for one who delays it is the last to come up.

What is left has the distance ``FOREVER``, more than all others: no play in which nobody gives anything away comes to an
end there. Positions from which play leads there for a reward have ``FOREVER`` and the number of edges. So those who
hurry prefer an end, and else hurry there.

**Marks.** A distance below 0 tells that a position is in the component in work, and its place there: all others that
its edges lead to are solved. The work is done in steps of one position, and may be interrupted after each.

**Exchanged edges.** Where symmetric positions are one, an edge may lead to the image of a position in which two players
have changed places. What the first one gets there is what the second one gets in the image: the ``total`` of both, less
the image's number. Symmetric players are paid the same by a play that never ends, so that the middle is half the total,
and a number is as far from it as before: events keep their order.

Nothing depends on a component being strongly connected. Where it costs too much memory to find them, all positions that
are no ends may be one.

Cost: every edge is looked at once outside of circles, and four times in them, beside the heap.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.answers import DONE

# Exits that wait for their turn in retrograde analysis, in a binary heap:
# first those whose numbers are the farthest from the middle, and among these the nearest to the end.


class Exits:
    """The ``waiting`` exits: the place in the circle that each leaves, its number and its distance. The ``middle``,
    a list of one, is what a play is worth that stays for ever."""

    places: list[half]
    numbers: list[int]
    distances: list[half]
    waiting: int
    middle: list[int]


def push(exits: Exits, place: int, number: int, distance: int) -> None:
    """Let the exit of a place wait for its turn."""
    at: int = exits.waiting
    exits.waiting += 1
    while at > 0 and is_before(exits, number, distance, (at - 1) // 2):
        move_exit(exits, (at - 1) // 2, at)
        at = (at - 1) // 2
    exits.places[at], exits.numbers[at], exits.distances[at] = place, number, distance


def pop(exits: Exits) -> None:
    """Take the next exit off the heap."""
    exits.waiting -= 1
    last: int = exits.waiting
    number: int = exits.numbers[last]
    distance: int = exits.distances[last]
    at: int = 0
    below: int = 1
    while below < last:
        if below + 1 < last and is_before(exits, exits.numbers[below + 1], exits.distances[below + 1], below):
            below += 1
        if is_before(exits, exits.numbers[below], exits.distances[below], last):
            move_exit(exits, below, at)
            at = below
            below = 2 * at + 1
        else:
            below = last
    exits.places[at], exits.numbers[at], exits.distances[at] = exits.places[last], number, distance


def move_exit(exits: Exits, source: int, target: int) -> None:
    """Move what stands at one place of the heap to another."""
    exits.places[target] = exits.places[source]
    exits.numbers[target] = exits.numbers[source]
    exits.distances[target] = exits.distances[source]


def is_before(exits: Exits, number: int, distance: int, at: int) -> bool:
    """Whether an exit comes before the one that stands somewhere in the heap."""
    ahead: int = from_middle(exits, number) - from_middle(exits, exits.numbers[at])
    return ahead > 0 or (ahead == 0 and distance < exits.distances[at])


def from_middle(exits: Exits, number: int) -> int:
    """How far a number is from the middle."""
    return max(number - exits.middle[0], exits.middle[0] - number)


GOES_ON = 0
"""There is more to do."""

NEEDS_ROOM = -4
"""The lists of the circle are too short for its ``size`` or its ``edges``."""

EARNS = -5
"""An edge of a circle earns something."""

FOREVER = 1 << 30
"""The distance where play does not come to an end."""

EXCHANGED: int
"""The mark of a target that stands for the image in which the players have changed places, beside its number."""

PAYS: int
"""The kind of an end that pays amount 0; other amounts k have this minus k."""

OUTSIDE = 0
MARK = 1
COUNT = 2
LINK = 3
GATHER = 4
SPREAD = 5
LEAVE = 6
"""Stages: a component of one position; and for a circle, each for all its positions: mark them; count the edges to
them, and find their best exits; list these edges; line up the exits; find positions, event by event; solve those that
are left."""


class Circle:
    """A component with circles, while it is in work. Its positions have places from 0 on, and the lists are by place.

    ``opens`` counts the edges that do not yet lead to found positions, all exits together as one; below 0 for those who
    want less, and 0 where the position itself is found. There are ``edges`` inside; those to place k come from the
    places ``sources[firsts[k]]`` up to ``sources[firsts[k + 1]]``, which are below 0, -1 less the place, if players
    are exchanged on the way. ``found`` are the places of the found positions, in their order, and ``count`` is their
    number; for those before ``next`` it has been seen what leads there. Before there are any, it is the distance of the
    best exit of each place, -1 where there is none. ``leaving`` places have exits, of which the best ones wait for
    their turn in ``exits``. A stage has come to ``place``, of ``size``."""

    opens: list[half]
    firsts: list[half]
    sources: list[half]
    found: list[half]
    exits: Exits
    size: int
    edges: int
    leaving: int
    count: int
    next: int
    waiting: int
    place: int


class Search:
    """The positions of a graph, from the ends on.

    ``kinds``, ``firsts``, ``targets`` and ``rewards`` are those of the graph; the last is empty if nothing is earned on
    the way. ``exchanges`` says whether players are exchanged on the edges whose targets have that mark
    (:data:`EXCHANGED`). ``amounts`` are what the first player gets, and the last one is the middle. ``wants`` are 1 for
    players who want more of it, and -1 for the others. ``members`` are the positions by components, in reverse
    topological order; component c begins at ``starts[c]``. Both are empty if every edge leads to a position with a
    higher number. The components before ``component`` are solved, which are ``solved`` positions.

    ``numbers`` and ``distances`` are the results. ``distance`` is that of the exit found last."""

    kinds: list[half]
    firsts: list[half]
    targets: list[half]
    rewards: list[half]
    amounts: list[int]
    wants: list[int]
    members: list[half]
    starts: list[half]
    numbers: list[int]
    distances: list[half]
    exchanges: bool
    circle: Circle
    stage: int
    component: int
    solved: int
    distance: int


# ------------------------------------------------------------- step by step


def go_on(search: Search, budget: int) -> int:
    """Make so many more steps: ``GOES_ON``, or one of the other answers."""
    for _ in range(budget):
        answer: int = step_outside(search) if search.stage == OUTSIDE else step_inside(search, search.circle)
        if answer != GOES_ON:
            return answer
    return GOES_ON


def step_outside(search: Search) -> int:
    """Solve the next component if it has no circle; else enter it."""
    if search.solved == len(search.kinds):
        return DONE
    position: int = member(search, search.solved)
    kind: int = search.kinds[position]
    if kind <= PAYS:
        search.numbers[position] = search.amounts[PAYS - kind]
        search.distances[position] = 0
    else:
        size: int = 1
        if len(search.starts) != 0:
            size = search.starts[search.component + 1] - search.solved
        search.distances[position] = -1  # it may lead to itself
        if size > 1 or find_exit(search, position) < search.firsts[position + 1] - search.firsts[position]:
            circle = search.circle
            circle.size = size
            circle.edges, circle.leaving, circle.count, circle.next, circle.place = 0, 0, 0, 0, 0
            circle.exits.waiting, circle.exits.middle[0] = 0, middle(search)
            search.stage = MARK
            return GOES_ON
        search.distances[position] = search.distance
    search.component += 1
    search.solved += 1
    return GOES_ON


def step_inside(search: Search, circle: Circle) -> int:
    """Do the next step in a circle."""
    place: int = circle.place
    if search.stage == MARK:
        if circle.size > len(circle.opens):
            return NEEDS_ROOM
        search.distances[position_at(search, place)] = -1 - place
        circle.firsts[place] = 0
    elif search.stage == COUNT:
        if count_edges(search, circle, place) == EARNS:
            return EARNS
    elif search.stage == LINK:
        if circle.edges > len(circle.sources) or circle.leaving > len(circle.exits.places):
            return NEEDS_ROOM
        link(search, circle, place)
    elif search.stage == GATHER:
        if circle.found[place] >= 0:
            push(circle.exits, place, search.numbers[position_at(search, place)], circle.found[place])
    elif search.stage == SPREAD:
        if circle.next < circle.count or circle.exits.waiting > 0:
            spread(search, circle)
            return GOES_ON
        search.stage = LEAVE
        return GOES_ON
    elif circle.opens[place] != 0:
        solve(search, place, middle(search), FOREVER)
    circle.place += 1
    if circle.place == circle.size:
        finish_stage(search, circle)
    return GOES_ON


def finish_stage(search: Search, circle: Circle) -> None:
    """Come to the next stage."""
    circle.place = 0
    if search.stage == LEAVE:
        search.component += 1
        search.solved += circle.size
        search.stage = OUTSIDE
        return
    if search.stage == COUNT:
        for place in range(circle.size):
            circle.edges += circle.firsts[place]
            circle.firsts[place] = circle.edges
        circle.firsts[circle.size] = circle.edges
    search.stage += 1


# ------------------------------------------------------------------- edges


def find_exit(search: Search, position: int) -> int:
    """Find the best exit of a position where a player decides, and write down its number and its distance; how many
    exits there are."""
    numbers = search.numbers
    distances = search.distances
    rewards = search.rewards
    want: int = search.wants[search.kinds[position]]
    center: int = middle(search)
    exits: int = 0
    best: int = 0
    best_distance: int = -1
    for edge in range(search.firsts[position], search.firsts[position + 1]):
        target: int = behind(search, edge)
        distance: int = distances[target] + 1
        if distance > 0:
            number: int = numbers[target]
            if search.targets[edge] != target:
                number = total(search) - number
            if len(rewards) != 0:
                number += search.amounts[rewards[edge]]
            gain: int = want * (number - best)
            if gain == 0:
                gain = best_distance - distance if want * (number - center) >= 0 else distance - best_distance
            if exits == 0 or gain > 0:
                best, best_distance = number, distance
            exits += 1
    numbers[position] = best
    search.distance = best_distance
    return exits


def count_edges(search: Search, circle: Circle, place: int) -> int:
    """Count the edges from a place to others of the circle, and find its best exit; ``EARNS`` if one of them earns
    something."""
    position: int = position_at(search, place)
    exits: int = find_exit(search, position)
    circle.found[place] = search.distance
    opens: int = 1 if exits > 0 else 0
    circle.leaving += opens
    for edge in range(search.firsts[position], search.firsts[position + 1]):
        mark: int = search.distances[behind(search, edge)]
        if mark < 0:
            if len(search.rewards) != 0 and search.amounts[search.rewards[edge]] != 0:
                return EARNS
            opens += 1
            circle.firsts[-1 - mark] += 1
    circle.opens[place] = search.wants[search.kinds[position]] * opens
    return GOES_ON


def link(search: Search, circle: Circle, place: int) -> None:
    """List a place among the sources of those to which its edges lead. In the end, the end of each of these lists has
    moved to its beginning."""
    position: int = position_at(search, place)
    for edge in range(search.firsts[position], search.firsts[position + 1]):
        target: int = behind(search, edge)
        mark: int = search.distances[target]
        if mark < 0:
            circle.firsts[-1 - mark] -= 1
            circle.sources[circle.firsts[-1 - mark]] = place if search.targets[edge] == target else -1 - place


def behind(search: Search, edge: int) -> int:
    """The position to which an edge leads, or its image."""
    target: int = search.targets[edge]
    return target & (EXCHANGED - 1) if search.exchanges else target


# ------------------------------------------------------------------ events


def spread(search: Search, circle: Circle) -> None:
    """What comes next: the exit of a place, or all edges to a found position."""
    exits = circle.exits
    if exits.waiting > 0 and (circle.next == circle.count or is_exit_next(search, circle)):
        come(search, circle, exits.places[0], exits.numbers[0], exits.distances[0])
        pop(exits)
        return
    place: int = circle.found[circle.next]
    position: int = position_at(search, place)
    number: int = search.numbers[position]
    distance: int = search.distances[position] + 1
    circle.next += 1
    for k in range(circle.firsts[place], circle.firsts[place + 1]):
        source: int = circle.sources[k]
        if source >= 0:
            come(search, circle, source, number, distance)
        else:
            come(search, circle, -1 - source, total(search) - number, distance)


def is_exit_next(search: Search, circle: Circle) -> bool:
    """Whether the next exit comes before the edges to the next found position."""
    position: int = position_at(search, circle.found[circle.next])
    exits = circle.exits
    ahead: int = from_middle(exits, exits.numbers[0]) - from_middle(exits, search.numbers[position])
    return ahead > 0 or (ahead == 0 and exits.distances[0] <= search.distances[position])


def come(search: Search, circle: Circle, place: int, number: int, distance: int) -> None:
    """An edge of a place, or its exits, turn out to be worth a number, with a distance."""
    opens: int = circle.opens[place]
    if opens == 0:
        return
    want: int = 1 if opens > 0 else -1
    if opens == want or want * (number - middle(search)) >= 0:
        solve(search, place, number, distance)
        circle.opens[place] = 0
        circle.found[circle.count] = place
        circle.count += 1
    else:
        circle.opens[place] = opens - want


def solve(search: Search, place: int, number: int, distance: int) -> None:
    """Write down what the position at a place is worth."""
    search.numbers[position_at(search, place)] = number
    search.distances[position_at(search, place)] = distance


def position_at(search: Search, place: int) -> int:
    """The position at a place of the circle."""
    return member(search, search.solved + place)


def member(search: Search, at: int) -> int:
    """The position that is solved after ``at`` others, in the order of components."""
    return search.members[at] if len(search.members) != 0 else len(search.kinds) - 1 - at


def total(search: Search) -> int:
    """What two players get together who may be exchanged."""
    return 2 * middle(search)


def middle(search: Search) -> int:
    """What a play is worth that stays for ever."""
    return search.amounts[len(search.amounts) - 1]
