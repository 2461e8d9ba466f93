"""The values of sequences against given plans, and best responses to these, in floating point.

For *sequences* and *plans*, and the source, see :mod:`zermelo.solvers.forms.extensive_form`. The value of a sequence at
the leaves where it ends is the sum of their payoffs times chance's probability times the weights of all others'
sequences there. Bottom-up, the value of each information set is computed from its moves and added to the sequence that
leads there; the empty sequence has the value of the game. A *best response* takes the best move everywhere.

Sums are taken in the order of sequences and of leaves, so every executor gives the same bits.

Cost: one visit of every leaf and every sequence of a player. Leaves dominate, and are stored in the order of visits.
"""

from __future__ import annotations


class Form:
    """A game in sequence form. The sequences of all players are numbered consecutively, player by player, as are their
    information sets.

    Player p has the sequences ``bases[p]`` to ``bases[p + 1]`` (exclusive), the first of which is the empty one, and
    the sets ``sets[p]`` to ``sets[p + 1]``. Set i follows sequence ``parents[i]``, and has the sequences ``firsts[i]``
    to ``ends[i]``, one for each move; sets after a set have greater numbers.

    ``rows[s]`` to ``rows[s + 1]`` are the leaves at which sequence s ends: the player's payoffs there times chance's
    probability (``payoffs``), and the sequence there of each other player in turn (``others``).

    ``values`` are those of sequences, during the computation, and ``gains`` those of best responses."""

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
    """Whether the lists for information sets are equally long, as they always are."""
    return len(form.firsts) == len(form.parents) and len(form.ends) == len(form.parents)


def evaluate(form: Form, plans: list[float], player: int) -> None:
    """Write the value of each sequence of a player at leaves, against the plans of the others, to ``form.values``."""
    rows = form.rows
    others = form.others
    payoffs = form.payoffs
    values = form.values
    first: int = form.bases[player]
    end: int = form.bases[player + 1]
    stop: int = rows[first]
    if len(others) == len(payoffs):  # two players: machine code then checks an index once for both
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
    """Write each player's gain by a best response to the plans to ``form.gains``."""
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
                best = max(best, form.values[s])
            form.values[form.parents[i]] += best
        form.gains[p] = form.values[root] - expected
