"""Strategies in words: what a player has seen, and the moves that they make then."""

from __future__ import annotations

from zermelo.interpreter.machine import Asked, InformationState, PerceivedMove, Sighting, Told
from zermelo.numbers import approximation
from zermelo.solvers.forms.strategy import Decision, Strategy

SHOWN = 40
"""The greatest number of decisions shown for a player; JSON has all of them."""


READABLE = 11
"""The longest fraction that is printed in full."""


def seen(known: InformationState) -> str:
    """What a player sees: the latest value of every entry that has changed: ``hand[Bob] = K``."""
    values = {
        (entry.variable, entry.indices): entry
        for observation in known
        if isinstance(observation, Sighting)
        for entry in observation.values
    }
    return ", ".join(sorted(map(str, values.values())))


def heard(known: InformationState, player: str) -> str:
    """The moves that a player has perceived and what they were told, in order; their own without their name."""
    return ", ".join(
        str(observation).removeprefix(f"{player}: ")
        for observation in known
        if isinstance(observation, PerceivedMove | Told)
    )


def asked(known: InformationState) -> str:
    """The phase in which the player is to decide: ``answer(Bob)``."""
    question = known[-1] if len(known) else None
    return str(question).removeprefix("to decide: ") if isinstance(question, Asked) else ""


def mixture(decision: Decision) -> str:
    """The moves of a decision: ``bet``, ``bet 1/3, check 2/3``; fractions too long to read are rounded."""
    rows = [(move, chance) for move, chance in zip(decision.moves, decision.probabilities, strict=True) if chance]
    if len(rows) == 1:
        return str(rows[0][0])
    is_short = all(len(str(chance)) <= READABLE for _, chance in rows)
    return ", ".join(f"{move} {chance if is_short else approximation(chance)}" for move, chance in rows)


def strategy_table(strategy: Strategy) -> tuple[tuple[str, ...], list[tuple[str, ...]], int]:
    """The heads and the rows of a table, with a row for each decision that the strategy itself may lead to, up to the
    limit, and the number of those left out. Columns without information are left out."""
    reached, rows = strategy.decisions.reached, []
    for decision in reached[:SHOWN]:
        known, indifferent = decision.known, ", ".join(map(str, decision.indifferent))
        row = seen(known), heard(known, strategy.player), asked(known), mixture(decision), indifferent
        rows.append(row)
    heads = f"{strategy.player} sees", "after", "in", f"{strategy.player} does", "might as well"
    is_clear = len({row[:2] for row in rows}) == len(rows)
    shown = [k for k in range(len(heads)) if any(row[k] for row in rows) and not (k == 2 and is_clear)]
    return tuple(heads[k] for k in shown), [tuple(row[k] for k in shown) for row in rows], len(reached) - len(rows)


def record(strategy: Strategy) -> dict[str, object]:
    """A strategy as JSON: fractions as text, so that they stay exact. ``known``, which identifies a decision
    (:mod:`.strategy_files`), has a text for each observation, in order: a move ``Bob: bet``, what was told ``told
    low``, the values newly seen in one step ``hand[Ann] = K; pot = 2``, a question ``to decide: answer(Ann)``."""
    return {
        "player": strategy.player,
        "decisions": [
            {
                "seen": seen(decision.known),
                "heard": heard(decision.known, strategy.player),
                "asked": asked(decision.known),
                "known": [str(observation) for observation in decision.known],
                "reached": str(decision.reached),
                "moves": {
                    str(move): {"probability": str(chance), "loses": str(loss)}
                    for move, chance, loss in zip(decision.moves, decision.probabilities, decision.losses, strict=True)
                },
            }
            for decision in strategy.decisions
        ],
    }
