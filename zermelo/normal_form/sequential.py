"""Which of the equilibria of a table are sequential, in words and as JSON.

What is proved is in :mod:`zermelo.solvers.imperfect_information.sequential_equilibrium`. A node of an information set
is told by what the others saw last and did on the way to it, without what all nodes of the set have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.interpreter.machine import InformationState, Move, shown
from zermelo.numbers import readable
from zermelo.solutions.strategies import asked, heard
from zermelo.solutions.strategy_table import sightings
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import sequence_form
from zermelo.solvers.imperfect_information.assessments import OwnSet, Product, Setting
from zermelo.solvers.imperfect_information.sequential_equilibrium import (
    NotSequential,
    PerhapsSequential,
    Sequential,
    SupportingBelief,
    Verdict,
    examine,
)
from zermelo.solvers.normal_form.mixed_equilibria import MixedProfile
from zermelo.solvers.normal_form.nash import plan_of_mixture
from zermelo.solvers.normal_form.normal_form import NormalForm

SEQUENTIAL: Final = "which equilibria are sequential"
"""The part of an analysis that time may leave out."""

_MARKS: Final = {Sequential: "sequential", NotSequential: "not sequential", PerhapsSequential: "perhaps sequential"}

_NAMED: Final = 4
"""The greatest number of beliefs, moves or sets that are told of an equilibrium."""


@define(eq=False)
class SequentialMarks:
    """The ``verdicts`` about the first equilibria of a table, None for those that are only near one. ``is_whole``: time
    sufficed for all that were asked for."""

    tree: ExtensiveForm
    setting: Setting
    verdicts: list[Verdict | None] = field(factory=list)
    is_whole: bool = True

    @property
    def matter(self) -> bool:
        """Whether some equilibrium leaves an information set out, so that it might not be sequential."""
        return any(verdict not in (None, Sequential()) for verdict in self.verdicts)

    def verdict(self, number: int) -> Verdict | None:
        """The verdict about an equilibrium; None if there is none."""
        return self.verdicts[number] if number < len(self.verdicts) else None

    def mark(self, number: int) -> list[str]:
        """The mark of an equilibrium, where marks matter and it has one."""
        verdict = self.verdict(number)
        return [_MARKS[type(verdict)]] if self.matter and verdict is not None else []

    # ------------------------------------------------------------- in words

    def reason(self, number: int) -> str:
        """Why an equilibrium is sequential or not, in words; empty if there is nothing to tell."""
        verdict = self.verdict(number)
        if isinstance(verdict, PerhapsSequential):
            return "may be sequential or not: neither was proved"
        if isinstance(verdict, NotSequential):
            return f"not sequential: {self._failing(verdict)}"
        if verdict is None or not (told := [*map(self._believed, verdict.beliefs), *self._elsewhere(verdict)]):
            return ""
        return f"sequential: {'; '.join(_some(told))}"

    def _believed(self, belief: SupportingBelief) -> str:
        names = self._names(self._nodes(belief.set))
        weights = readable(*(probability for _, probability in belief.nodes))
        parts = [
            names[nodes] if weight == "1" else f"{weight} {names[nodes]}"
            for weight, (nodes, _) in zip(weights, belief.nodes, strict=True)
        ]
        return f"{self.tree.player_names[belief.player]} believes {', '.join(parts)} {self._when(belief.set)}"

    def _elsewhere(self, verdict: Sequential) -> list[str]:
        """What players do where they never go by themselves, if they have a choice there."""
        made: dict[OwnSet, list[str]] = {}
        for player, sequence, probability in verdict.elsewhere:
            at = self.setting.place_of(player, sequence)
            move = shown(self._move(player, sequence))
            made.setdefault(at, []).append(move if probability == 1 else f"{readable(probability)[0]} {move}")
        return [
            f"{self.tree.player_names[at.player]} does {', '.join(moves)} {self._when(self.setting.set_of(at))}"
            for at, moves in sorted(made.items(), key=lambda item: self.setting.set_of(item[0]))
            if len(self.setting.moves(at)) > 1
        ]

    def _failing(self, verdict: NotSequential) -> str:
        sets = self.tree.information_sets
        first = verdict.sets[0]
        if verdict.better is not None:
            player = sets.players[first]
            move = shown(self._move(player, verdict.better))
            whatever = ", whatever they believe" if len(self._nodes(first)) > 1 else ""
            whatever += ", if best moves follow" if len(verdict.sets) > 1 else ""
            return f"{self.tree.player_names[player]} gets more by {move} {self._when(first)}{whatever}"
        where = [f"{self.tree.player_names[sets.players[s]]} {self._when(s)}" for s in verdict.sets]
        return f"no consistent beliefs make it best everywhere for {'; '.join(_some(where))}"

    def _when(self, s: int) -> str:
        """What the player has perceived in an information set, in words."""
        known = self.tree.information_sets.known(s)
        name = self.tree.player_names[self.tree.information_sets.players[s]]
        seen, moves = ", ".join(_seen(known)), heard(known, name) if known else ", ".join(self._after(s))
        parts = [f"after {moves}" if moves else "", f"seeing {seen}" if seen else ""]
        return " and ".join(filter(None, parts)) or (f"in {asked(known)}" if asked(known) else "at the start")

    def _after(self, s: int) -> list[str]:
        """The moves of players that lead to every node of an information set. Where everybody sees everything, nothing
        else tells it."""
        at = self._place(s)
        made = self.setting.common(at) | {
            (at.player, sequence) for sequence in self.setting.chosen(at.player, self.setting.parent(at))
        }
        in_order = sorted(made, key=lambda each: self.setting.set_of(self.setting.place_of(*each)))
        return [f"{self.tree.player_names[player]}: {shown(self._move(player, s))}" for player, s in in_order]

    def _nodes(self, s: int) -> list[Product]:
        at = self._place(s)
        return list(self.setting.nodes[at.player][at.place])

    def _place(self, s: int) -> OwnSet:
        return next(at for at in self.setting.places if self.setting.set_of(at) == s)

    def _move(self, player: int, sequence: int) -> Move:
        at = self.setting.place_of(player, sequence)
        moves = self.tree.information_sets.moves_of(self.setting.set_of(at))
        return moves[sequence - self.setting.moves(at).start]

    def _known(self, player: int, sequence: int) -> InformationState:
        return self.tree.information_sets.known(self.setting.set_of(self.setting.place_of(player, sequence)))

    def _names(self, nodes: Sequence[Product]) -> dict[Product, str]:
        """Names of the nodes of a set: what tells them apart."""
        told = {node: self._told(node) for node in nodes}
        common = set.intersection(*map(set, told.values()))
        return {
            node: ", ".join(word for word in words if word not in common) or "none of these"
            for node, words in told.items()
        }

    def _told(self, node: Product) -> list[str]:
        """What the others saw and did on the way to a node."""
        words = []
        for player, last in enumerate(node):
            name = self.tree.player_names[player]
            if last:
                words += _seen(self._known(player, last))
            words += [f"{name}: {shown(self._move(player, s))}" for s in self.setting.chosen(player, last)]
        return words

    # ------------------------------------------------------------- as JSON

    def record(self, number: int) -> dict[str, object]:
        """The verdict about an equilibrium as JSON: ``sequential`` is null where it is not known."""
        verdict = self.verdict(number)
        if isinstance(verdict, NotSequential):
            fails = [self._set_record(s) for s in verdict.sets]
            if verdict.better is not None:
                fails[0]["better"] = str(
                    self._move(self.tree.information_sets.players[verdict.sets[0]], verdict.better)
                )
            return {"sequential": False, "fails": fails}
        if not isinstance(verdict, Sequential):
            return {"sequential": None}
        return {
            "sequential": True,
            "beliefs": [
                {
                    **self._set_record(belief.set),
                    "nodes": [
                        {"probability": str(probability), "others": self._node_record(node)}
                        for node, probability in belief.nodes
                    ],
                }
                for belief in verdict.beliefs
            ],
            "elsewhere": [
                {**self._move_record(player, sequence), "probability": str(probability)}
                for player, sequence, probability in verdict.elsewhere
            ],
        }

    def choices(self, player: int, sequences: Iterable[int]) -> list[dict[str, object]]:
        """The moves of a pure strategy as JSON, each with its information set."""
        return [self._move_record(player, sequence) for sequence in sorted(sequences) if sequence]

    def _set_record(self, s: int) -> dict[str, object]:
        sets = self.tree.information_sets
        return {
            "player": self.tree.player_names[sets.players[s]],
            "known": list(map(str, sets.known(s))),
            **({} if sets.known(s) else {"after": self._after(s)}),
        }

    def _move_record(self, player: int, sequence: int) -> dict[str, object]:
        at = self.setting.place_of(player, sequence)
        return {**self._set_record(self.setting.set_of(at)), "move": str(self._move(player, sequence))}

    def _node_record(self, node: Product) -> list[dict[str, object]]:
        """The last decision of each of the others, whose ``known`` contains those before it."""
        return [self._move_record(player, last) for player, last in enumerate(node) if last]


def sequential_marks(
    tree: ExtensiveForm,
    table: NormalForm,
    profiles: Sequence[MixedProfile],
    limits: Limits,
    report: Callable[[int], None],
) -> SequentialMarks:
    """Which of these equilibria are sequential, as far as time suffices. Raises ``ZermeloError``: ``out-of-memory``,
    ``broken-installation``."""
    form = sequence_form(tree, limits)
    marks = SequentialMarks(tree, Setting(tree, form))
    try:
        with limits.kept():
            for number, profile in enumerate(profiles):
                report(number)
                limits.check({"nodes": 0})
                if not profile.is_proved:
                    marks.verdicts.append(None)
                    continue
                plans: list[list[Fraction]] = [
                    plan_of_mixture(table, player, mixture, len(form.players[player]))
                    for player, mixture in enumerate(profile.mixtures)
                ]
                marks.verdicts.append(examine(marks.setting, plans, limits))
    except LimitReached as reached:
        if reached.code != "out-of-time":
            raise
        marks.is_whole = False
    return marks


def _seen(known: InformationState) -> list[str]:
    return [f"{name} = {value}" for name, (value,) in sightings(known)]


def _some(parts: Sequence[str]) -> list[str]:
    """The first of these texts, and the number of the others."""
    more = len(parts) - _NAMED
    return [*parts[:_NAMED], *([f"and {more} more, which --json lists"] if more > 0 else [])]
