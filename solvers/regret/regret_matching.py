"""What the algorithms of regret have in common, for one player of a sequence form, in floating point.

Sums are taken in the order of sequences and of leaves, so that kernels, which do the same, come to the same bits.
"""

from __future__ import annotations

from zermelo.solvers.forms.sequence_form import SequenceForm, Sequences

Weights = list[float]
"""A number for each sequence of a player."""


def match(sequences: Sequences, i: int, leaning: Weights, strategy: Weights) -> None:
    """Regret matching in information set i: every move with a probability in proportion to what speaks for it, as far
    as that is positive, or all alike (Hart and Mas-Colell 2000)."""
    moves = range(sequences.firsts[i], sequences.firsts[i + 1])
    total = 0.0
    for s in moves:
        total += leaning[s] if leaning[s] > 0.0 else 0.0
    for s in moves:
        if total > 0.0:
            strategy[s] = leaning[s] / total if leaning[s] > 0.0 else 0.0
        else:
            strategy[s] = 1.0 / float(len(moves))


def follow(sequences: Sequences, strategy: Weights, plan: Weights) -> None:
    """The realization plan of a strategy, into ``plan``."""
    for i, parent in enumerate(sequences.parents):
        for s in range(sequences.firsts[i], sequences.firsts[i + 1]):
            plan[s] = plan[parent] * strategy[s]


def sequence_values(form: SequenceForm, player: int, plans: list[Weights]) -> Weights:
    """What each sequence of a player brings at leaves while the others follow their plans."""
    values = [0.0] * len(form.players[player])
    others = [q for q in range(len(form.players)) if q != player]
    for leaf, payoff in enumerate(form.payoffs[player]):
        value = payoff / form.denominator
        for q in others:
            value *= plans[q][form.leaves[q][leaf]]
        values[form.leaves[player][leaf]] += value
    return values


def response_gains(form: SequenceForm, plans: list[Weights]) -> list[float]:
    """What a best response brings each player more than his own plan."""
    gains = []
    for player, sequences in enumerate(form.players):
        values, expected = sequence_values(form, player, plans), 0.0
        for s, weight in enumerate(plans[player]):
            expected += weight * values[s]
        for i in reversed(range(len(sequences.parents))):
            values[sequences.parents[i]] += max(values[sequences.firsts[i] : sequences.firsts[i + 1]])
        gains.append(values[0] - expected)
    return gains
