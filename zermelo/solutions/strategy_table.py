"""A strategy as a table of a page: what a player does in every decision that matters.

A decision with a single move is no decision, and one that the player's own moves avoid never comes. Those that come
only if somebody else leaves their strategy are left out, too, where the table would take more than a page. What remains
is shortened without loss: an observation that follows from the others in its row is not repeated, and rows that differ
in the value of one observation alone are one. A row has the latest values that the player has seen; where these do not
settle what they do, those seen before stand among the moves. Decisions that do not come while all follow their
strategies are marked.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from fractions import Fraction
from typing import Final

from attrs import evolve, frozen

from zermelo.grammar.names import shown
from zermelo.interpreter.machine import Asked, InformationState, Move, Sighting, display_text
from zermelo.numbers import count_in_words, readable_texts
from zermelo.positions import Sight, past_sights, perceived_texts, sights
from zermelo.solvers.forms.strategy import Decision, Strategy

# Strategies in words: what a player has seen, and the moves that they make then.


ELSEWHERE: Final = "uniform"
"""In decisions that a strategy from samples does not list, all moves have the same probability."""


def perceptions_text(known: InformationState, player: str, recalled: Container[Sight] = ()) -> str:
    """The moves that a player has perceived, their own without their name, what they were told, and the values
    ``recalled``, in order."""
    return ", ".join(text.removeprefix(f"{shown(player)}: ") for text in perceived_texts(known, recalled=recalled))


def decision_phase(known: InformationState) -> str:
    """The phase in which the player is to decide: ``answer(Bob)``."""
    question = known[-1] if len(known) else None
    return display_text(question).removeprefix("to decide: ") if isinstance(question, Asked) else ""


def mixture(moves: Sequence[Move], chances: Sequence[Fraction], write: Callable[[Move], str] = display_text) -> str:
    """The moves that are made: ``bet``, ``bet 1/3, check 2/3``, each as ``write`` writes it; fractions too long to read
    are rounded."""
    rows = [(write(move), chance) for move, chance in zip(moves, chances, strict=True) if chance]
    if len(rows) == 1:
        return rows[0][0]
    texts = readable_texts(*(chance for _, chance in rows))
    return ", ".join(f"{move} {text}" for (move, _), text in zip(rows, texts, strict=True))


def record(strategy: Strategy, is_brief: bool = False) -> dict[str, object]:
    """A strategy as JSON: fractions as text, so that they stay exact. ``known``, which identifies a decision
    (:mod:`zermelo.policies.strategy_files`), has a text for each observation, in order: a move ``Bob: bet``, what was
    told ``told low``, the values newly seen in one step ``hand[Ann] = K; pot = 2``, a question ``to decide:
    answer(Ann)``. ``reached`` is the probability that the player's own moves lead there, and ``met`` is false off the
    path, where nobody comes while all follow their strategies. ``elsewhere`` is ``uniform`` if not all decisions are
    listed, and in others all moves have the same probability. ``is_brief``: only decisions with a choice that the
    player's own moves lead to, and in them only the moves made."""
    if is_brief:
        decisions = [_brief_record(decision) for decision in strategy.decisions.reached.chosen]
    else:
        decisions = [_full_record(decision) for decision in strategy.decisions]
    elsewhere = {"elsewhere": ELSEWHERE} if strategy.is_partial else {}
    return {"player": strategy.player, "decisions": decisions, **elsewhere}


def _full_record(decision: Decision) -> dict[str, object]:
    losses = decision.losses or [None] * len(decision.moves)
    return {
        "known": [str(observation) for observation in decision.known],
        "reached": str(decision.reached),
        "met": decision.is_met,
        "moves": {
            str(move): {"probability": str(chance)} | ({} if loss is None else {"loses": str(loss)})
            for move, chance, loss in zip(decision.moves, decision.probabilities, losses, strict=True)
        },
    }


def _brief_record(decision: Decision) -> dict[str, object]:
    made = ((move, chance) for move, chance in zip(decision.moves, decision.probabilities, strict=True) if chance)
    return {
        "known": [str(observation) for observation in decision.known],
        "moves": {str(move): {"probability": str(chance)} for move, chance in made},
    }


PAGE: Final = 24
"""The greatest number of rows for a player."""

OFF_PATH: Final = "off the path"
"""The note of a decision that does not come while all follow their strategies."""

_MOST: Final = 2_000
"""The greatest number of decisions from which a page is made."""

_NAMED: Final = 4
"""The greatest number of values of an observation that are listed in a row."""


@frozen
class StrategyTable:
    """Rows under heads. ``unmet`` is the number of decisions left out that come only if somebody else leaves their
    strategy, ``more`` that of other rows left out."""

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]
    unmet: int = 0
    more: int = 0


@frozen
class _Row:
    """``sees`` are the values of variables, by their names."""

    sees: tuple[tuple[str, tuple[str, ...]], ...]
    after: str
    phase: str
    does: str
    indifferent: str
    note: str

    @property
    def seen(self) -> str:
        return ", ".join(f"{name} = {' or '.join(values)}" for name, values in self.sees)

    def without(self, name: str) -> _Row:
        return evolve(self, sees=tuple(entry for entry in self.sees if entry[0] != name))

    @property
    def known(self) -> tuple[object, ...]:
        return self.sees, self.after, self.phase


def strategy_table(strategy: Strategy, is_all: bool = False) -> StrategyTable:
    """The table of a strategy; ``is_all``: a row for every decision, whether it matters or not."""
    if is_all:
        return StrategyTable(*_columns(strategy.player, _rows(strategy.decisions, strategy.player, is_all=True)))
    reached = strategy.decisions.reached.chosen
    kept = reached if len(reached) <= PAGE else strategy.decisions.met.chosen
    rows = _merge_rows(_drop_implied_variables(_rows(kept[:_MOST], strategy.player)))
    heads, shown = _columns(strategy.player, rows[:PAGE])
    return StrategyTable(heads, shown, len(reached) - len(kept), len(rows) - len(shown) + max(0, len(kept) - _MOST))


def _rows(decisions: Iterable[Decision], player: str, is_all: bool = False) -> list[_Row]:
    """A row for each decision, or one for those that look alike and have the same answer, unless ``is_all``. Other rows
    that would look alike also say what was seen before."""
    alike: dict[tuple[object, ...], list[tuple[Decision, _Row]]] = {}
    for decision in decisions:
        row = _row(decision, player)
        alike.setdefault(row.known, []).append((decision, row))
    rows: list[_Row] = []
    for group in alike.values():
        if len(group) == 1 or (not is_all and len({row for _, row in group}) == 1):
            rows.append(group[0][1])
        else:
            told = distinguishing_texts([decision.known for decision, _ in group], player)
            rows += [evolve(row, after=after) for (_, row), after in zip(group, told, strict=True)]
    return rows


def distinguishing_texts(group: Sequence[InformationState], player: str) -> list[str]:
    """What a player has perceived in each of these, in order, with only as many entries of variables as are needed to
    tell them apart, and without the latest values if possible."""

    def texts_with(values: Iterable[Iterable[Sight]], names: Container[object]) -> list[str]:
        return [
            perceptions_text(known, player, {value for value in some if value[1][:2] in names})
            for known, some in zip(group, values, strict=True)
        ]

    for values in (list(map(past_sights, group)), list(map(sights, group))):
        names = {entry[:2] for each in values for _, entry in each}
        if len(set(texts_with(values, names))) == len(group):
            break
    for name in sorted(names, key=str):
        if len(set(texts_with(values, names - {name}))) == len(group):
            names -= {name}
    return texts_with(values, names)


def _row(decision: Decision, player: str) -> _Row:
    return _Row(
        sightings(decision.known),
        perceptions_text(decision.known, player),
        decision_phase(decision.known),
        mixture(decision.moves, decision.probabilities),
        ", ".join(map(display_text, decision.indifferent)),
        "" if decision.is_met else OFF_PATH,
    )


def sightings(known: InformationState) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The latest value of every entry that has changed."""
    latest = {
        (entry.variable, entry.indices): entry
        for observation in known
        if isinstance(observation, Sighting)
        for entry in observation.values
    }
    texts = sorted(map(display_text, latest.values()))
    return tuple((name, (value,)) for name, _, value in (text.partition(" = ") for text in texts))


def _drop_implied_variables(rows: list[_Row]) -> list[_Row]:
    """The rows without the variables whose values follow from the rest of each row."""
    for name in sorted({name for row in rows for name, _ in row.sees}):
        without = [row.without(name) for row in rows]
        if len(rows) > 1 and len({row.known for row in without}) == len(rows):
            rows = without
    return rows


def _merge_rows(rows: list[_Row]) -> list[_Row]:
    """One row for those that differ in the value of one variable alone, and say the same."""
    for name in sorted({name for row in rows for name, _ in row.sees}):
        alike: dict[_Row, list[_Row]] = {}
        for row in rows:
            alike.setdefault(row.without(name), []).append(row)
        rows = [merged for group in alike.values() for merged in _join_rows(name, group)]
    return rows


def _join_rows(name: str, group: Sequence[_Row]) -> Iterable[_Row]:
    """One row with all values of a variable, in place of rows that differ in it alone, if all have a value and these
    are few."""
    values = [dict(row.sees).get(name) for row in group]
    listed = tuple(dict.fromkeys(value for each in values for value in each or ()))
    if len(group) == 1 or None in values or len(listed) > _NAMED:
        return group
    first = group[0]
    sees = tuple((entry, listed if entry == name else value) for entry, value in first.sees)
    return [evolve(first, sees=sees)]


def _columns(player: str, rows: Sequence[_Row]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The heads and the cells of rows, without columns that tell nothing."""
    name = shown(player)
    heads = f"{name} sees", "after", "in", f"{name} does", "might as well", "note"
    cells = [(row.seen, row.after, row.phase, row.does, row.indifferent, row.note) for row in rows]
    is_clear = len({row[:2] for row in cells}) == len(cells)
    telling = [k for k in range(len(heads)) if any(row[k] for row in cells) and not (k == 2 and is_clear)]
    return tuple(heads[k] for k in telling), [tuple(row[k] for k in telling) for row in cells]


def strategy_parts(
    strategy: Strategy, is_all: bool = False, elsewhere: str = ""
) -> tuple[list[str], list[tuple[str, ...]], list[str]]:
    """The heads and the rows of a strategy's table, and sentences about what is not in it, which end in ``elsewhere``:
    where that is, as in ``, which --all lists``."""
    found = strategy_table(strategy, is_all)
    said = [] if found.rows else [f"{shown(strategy.player)} never has a choice."]
    if found.more:
        said.append(f"... and {count_in_words(found.more, 'more row')}{elsewhere}")
    if found.unmet:
        said.append(
            f"... and {count_in_words(found.unmet, 'decision')} to which these strategies do not lead{elsewhere}"
        )
    return list(found.heads), found.rows, said
