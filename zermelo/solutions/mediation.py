"""What a mediator can arrange who tells every move when it is due: extensive-form correlated equilibria, in words and
as JSON (:mod:`zermelo.solvers.imperfect_information.extensive_form_correlated`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from zermelo.game import State
from zermelo.interpreter.machine import InformationState, Move, Payoff, display_text
from zermelo.numbers import by_player
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.forms.extensive_form import ExtensiveForm, SequenceForm, sequence_form
from zermelo.solvers.imperfect_information.extensive_form_correlated import Told, best_in_extensive_form
from zermelo.whole_tree import whole_tree

if TYPE_CHECKING:
    from zermelo.report.console import Watch
    from zermelo.solvers.common.limits import Limits


@frozen
class ToldTogether:
    """What the mediator draws with this ``probability``: a strategy for each player, ``strategies`` as JSON and in
    ``words``, in the order of the players."""

    probability: Fraction
    words: tuple[str, ...]
    strategies: list[dict[str, Any]] = field(repr=False)


@frozen(repr=False)
class MediatedPlay(GameRows):
    """The extensive-form correlated equilibrium with the greatest sum of payoffs, or with the greatest payoff of the
    player ``favoured``, from :func:`zermelo.correlated`: what the players get, the exact ``payoff``, and what is
    ``drawn``, the likeliest first. ``counts`` say how large the linear program was."""

    begin: State = field(eq=False)
    favoured: str | None
    payoff: Payoff
    drawn: tuple[ToldTogether, ...]
    counts: Mapping[str, int]
    provenance: Provenance = UNASKED

    @property
    def welfare(self) -> Fraction:
        """The sum of the payoffs."""
        return sum(self.payoff, Fraction(0))

    def __repr__(self) -> str:
        return f"<correlated equilibrium of '{self.game.name}': welfare {self.welfare}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each thing that is drawn: its probability, and what each player is told."""
        return [
            {"probability": each.probability, **dict(zip(self.game.players, each.words, strict=True))}
            for each in self.drawn
        ]

    def record(self, limit: int | None = None) -> dict[str, Any]:
        """What ``zermelo correlated --json`` prints, with so many things drawn at most."""
        listed = self.drawn[:limit]
        return {
            **self._head(),
            "players": list(self.game.players),
            "for": self.favoured,
            "payoff": by_player(self.game, self.payoff),
            "welfare": str(self.welfare),
            "drawn": [{"probability": str(each.probability), "strategies": each.strategies} for each in listed],
            "all": len(listed) == len(self.drawn),
            "counts": dict(self.counts),
        }


def mediate(begin: State, favoured: str | None, limits: Limits, watch: Watch) -> MediatedPlay:
    """What a mediator can arrange from a state on. Raises ``ZermeloError`` as :func:`zermelo.correlated` does."""
    number = None if favoured is None else begin.game.number(favoured)
    with limits.enforce():
        tree = whole_tree(begin, "mediators who draw strategies", limits, watch)
        form = sequence_form(tree, limits)
        sequences = sum(map(len, form.players))
        with watch("solving a linear program", "sequences", None) as report:
            report(sequences)
            found = best_in_extensive_form(tree, form, limits, number)
    drawn = [
        ToldTogether(chance, tuple(instructions_in_words(tree, form, told)), strategy_record(tree, form, told))
        for told, chance in sorted(found.drawn.items(), key=lambda each: -each[1])
    ]
    counts = {
        "nodes": tree.histories,
        "information sets": len(tree.information_sets),
        "sequences": sequences,
        **found.counts,
    }
    who = None if number is None else begin.game.players[number]
    return MediatedPlay(begin, who, found.payoff, tuple(drawn), counts)


# What a mediator tells the players, in words and as JSON.


def strategy_moves(
    tree: ExtensiveForm, form: SequenceForm, told: Told, player: int
) -> Iterator[tuple[InformationState, Move]]:
    """The moves of a pure strategy, each with what the player knows when it is due, in the order of plays."""
    side, sets = form.players[player], tree.information_sets
    due = side.behind[0][::-1]
    while due:
        i = due.pop()
        sequence = next(each for each in side.options(i) if each in told[player])
        s = side.sets[i]
        yield sets.known(s), sets.moves_of(s)[sequence - side.firsts[i]]
        due += side.behind[sequence][::-1]


def instructions_in_words(tree: ExtensiveForm, form: SequenceForm, told: Told) -> list[str]:
    """What each player is told, as tables name pure strategies."""
    return [
        ", ".join(display_text(move) for _, move in strategy_moves(tree, form, told, player)) or "nothing"
        for player in range(len(form.players))
    ]


def strategy_record(tree: ExtensiveForm, form: SequenceForm, told: Told) -> list[dict[str, Any]]:
    """The same as JSON: for each player the moves, with what they know when it is due."""
    return [
        {
            "player": name,
            "decisions": [
                {"known": list(map(str, known)), "move": str(move)}
                for known, move in strategy_moves(tree, form, told, player)
            ],
        }
        for player, name in enumerate(tree.player_names)
    ]
