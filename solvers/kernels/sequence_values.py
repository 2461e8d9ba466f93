"""What sequences bring against given plans, and best responses to these, in floating point.

A *sequence* of a player is what they do themselves on the way to a point of the play, and a *plan* gives each of them
the probability that they do their part of it (:mod:`zermelo.solvers.forms.sequence_form`, which is the source, too). So
what a sequence brings at the leaves where it ends is a sum over them: of the payoff, times chance, times the weights
that all others give to their sequences there. What an information set is worth is worked out from its moves, and added
to the sequence that leads there, from the bottom up; at the empty sequence stands what the whole game brings. A *best
response* takes the best move everywhere.

Sums are taken in the order of sequences and of leaves, so every executor comes to the same bits.

Cost: one look at every leaf and every sequence of a player. Leaves are most of it, and lie in the order in which they
are looked at.
"""

from __future__ import annotations


class Form:
    """A game in sequence form. The sequences of all players are numbered on through, player by player, and so are
    their information sets.

    Player p has the sequences ``bases[p]`` to ``bases[p + 1]`` (exclusive), of which the first is the empty one, and
    the sets ``sets[p]`` to ``sets[p + 1]``. Set i follows sequence ``parents[i]``, and has the sequences ``firsts[i]``
    to ``ends[i]``, one for each move; what follows a set has a greater number.

    ``rows[s]`` to ``rows[s + 1]`` are the leaves at which sequence s comes to its end: what they bring its player,
    times chance (``payoffs``), and for each of the other players in turn their sequence there (``others``).

    ``values`` are what the sequences bring, while that is worked out, and ``gains`` what best responses gain."""

    bases: list[int]
    sets: list[int]
    parents: list[int]
    firsts: list[int]
    ends: list[int]
    rows: list[int]
    others: list[int]
    payoffs: list[float]
    values: list[float]
    gains: list[float]


def is_even(form: Form) -> bool:
    """Whether as much is said of each information set, as it is."""
    return len(form.firsts) == len(form.parents) and len(form.ends) == len(form.parents)


def evaluate(form: Form, plans: list[float], player: int) -> None:
    """What each sequence of a player brings at leaves, against the plans of the others; into ``form.values``."""
    rows = form.rows
    others = form.others
    payoffs = form.payoffs
    values = form.values
    first: int = form.bases[player]
    end: int = form.bases[player + 1]
    stop: int = rows[first]
    if len(others) == len(payoffs):  # two players; machine code, which knows this, tests an index once for both
        for s in range(first, end):
            start: int = stop
            stop = rows[s + 1]
            total: float = 0.0
            for leaf in range(start, stop):
                total += payoffs[leaf] * plans[others[leaf]]
            values[s] = total
        return
    rest: int = len(form.gains) - 1
    for s in range(first, end):
        start = stop
        stop = rows[s + 1]
        total = 0.0
        for leaf in range(start, stop):
            value: float = payoffs[leaf]
            for q in range(leaf * rest, leaf * rest + rest):
                value = value * plans[others[q]]
            total += value
        values[s] = total


def respond(form: Form, plans: list[float]) -> None:
    """What a best response to the plans brings each player more than their own, into ``form.gains``."""
    for p in range(len(form.gains)):
        root: int = form.bases[p]
        evaluate(form, plans, p)
        expected: float = 0.0
        for s in range(root, form.bases[p + 1]):
            expected += plans[s] * form.values[s]
        i: int = form.sets[p + 1]
        while i > form.sets[p]:
            i -= 1
            best: float = form.values[form.firsts[i]]
            for s in range(form.firsts[i] + 1, form.ends[i]):
                best = form.values[s] if form.values[s] > best else best
            form.values[form.parents[i]] += best
        form.gains[p] = form.values[root] - expected
