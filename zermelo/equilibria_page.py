"""The Nash equilibria of a small game and what else its table shows, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field, frozen

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.interpreter.machine import InformationState, Move, Payoff, display_text
from zermelo.interpreter.values import round_digits
from zermelo.numbers import by_player, exact_text, readable_texts, rounded_up_text
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solutions.strategy_table import decision_phase, distinguishing_texts, perceptions_text, sightings
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm, sequence_form
from zermelo.solvers.imperfect_information.extensive_form_correlated import best_in_extensive_form
from zermelo.solvers.imperfect_information.sequential_equilibrium import (
    NotSequential,
    OwnSet,
    PerhapsSequential,
    Product,
    Sequential,
    Setting,
    SupportingBelief,
    Verdict,
    examine,
)
from zermelo.solvers.normal_form.approximate_equilibria import approximate_equilibria
from zermelo.solvers.normal_form.double_description import TooManyVertices
from zermelo.solvers.normal_form.nash import (
    Equilibria,
    MixedProfile,
    equilibria_of,
    extreme_equilibria,
    plan_of_mixture,
    recommend,
)
from zermelo.solvers.normal_form.normal_form import EXCLUDED, NormalForm, normal_form, sets_in_order
from zermelo.solvers.normal_form.solution_concepts import (
    Correlated,
    Elimination,
    best_correlated,
    dominant_strategy,
    eliminate,
    is_efficient,
    is_strict,
    maximin,
    undominated_payoffs,
)
from zermelo.whole_tree import whole_tree

if TYPE_CHECKING:
    from zermelo.report.console import Watch

# The analysis of a game as a table, in stages: the quick ones come first, and what they found stays if time runs out.
#
# Equilibria in pure strategies take one look at every profile; those in mixed strategies, and correlated ones, may take
# minutes. So a time limit ends a stage and those after it, and what earlier ones found stands: it is complete in
# itself.


MIXED: Final = "equilibria in mixed strategies"
"""The part that may take longest."""

EFFICIENT: Final = "which equilibria are efficient"


@define(eq=False)
class TableAnalysis:
    """What is known of a ``table``: its equilibria ``found``, others that are only ``nearly`` such or were found
    numerically, and what is ``missing`` to find those; the strategies ``taken`` by elimination and those ``left``;
    whether payoffs of equilibria are ``efficient``; what every player secures; the best correlated equilibria: of the
    table, of the extensive form, and coarse ones. ``unfinished`` names the parts for which time did not suffice: they
    are empty or None, or lack what is not known."""

    table: NormalForm
    found: Equilibria
    dominant: list[int | None]
    nearly: list[MixedProfile] = field(factory=list)
    missing: str = ""
    taken: list[Elimination] = field(factory=list)
    left: tuple[tuple[int, ...], ...] = ()
    efficient: dict[Payoff, bool] = field(factory=dict)
    maximin: list[tuple[Fraction, list[Fraction]]] = field(factory=list)
    correlated: Correlated | None = None
    extensive: Correlated | None = None
    coarse: Correlated | None = None
    unfinished: list[str] = field(factory=list)

    @property
    def equilibria(self) -> list[MixedProfile]:
        """All that are known, the best recommended first."""
        return [*self.found.profiles, *self.nearly]


def analyse(tree: ExtensiveForm, table: NormalForm, limits: Limits, is_pure: bool = False) -> TableAnalysis:
    """The analysis of the table of a game; ``is_pure``: without equilibria in mixed strategies.

    Raises ``ZermeloError``: ``out-of-time`` where there is not even time for the pure equilibria, ``out-of-memory``."""
    players = range(len(table.counts))
    with limits.enforce():
        pure = equilibria_of(table, limits, is_pure=True)
        known = TableAnalysis(table, pure, [dominant_strategy(table, player) for player in players])
        front = undominated_payoffs(table.payoffs)

    def find_dominated() -> None:
        known.taken, known.left = eliminate(table, limits)

    def find_secured() -> None:
        known.maximin = [maximin(table, player, limits) for player in players]

    def find_mixed() -> None:
        if len(players) == 2:
            met: list[MixedProfile] = []
            try:
                known.found = recommend(extreme_equilibria(table, limits, met), are_all=True)
            except TooManyVertices:
                pass
            finally:  # also of a search that time ends
                if not known.found.are_all:
                    mixed = [profile for profile in met if not profile.is_pure]
                    known.found = recommend([*known.found.profiles, *mixed], are_all=False)
        else:
            known.nearly, known.missing = _approximate(table, limits)

    def find_efficient() -> None:
        for profile in known.found.profiles:
            if profile.payoff not in known.efficient:
                known.efficient[profile.payoff] = is_efficient(profile.payoff, front, limits)

    def find_correlated() -> None:
        known.correlated = best_correlated(table, False, limits)
        known.coarse = best_correlated(table, True, limits)

    def find_extensive() -> None:
        known.extensive = _best_extensive(tree, known, limits)

    stages: list[tuple[str, Callable[[], None]]] = [
        ("dominated strategies", find_dominated),
        ("what the players secure", find_secured),
        (EFFICIENT, find_efficient),
        *([] if is_pure else [(MIXED, find_mixed), (EFFICIENT, find_efficient)]),
        ("correlated equilibria", find_correlated),
        ("correlated equilibria of the extensive form", find_extensive),
    ]
    for name, find in stages:
        try:
            limits.check({"nodes": 0})
            with limits.enforce():
                find()
        except LimitReached as reached:
            if reached.code != "out-of-time":
                raise
            if name not in known.unfinished:
                known.unfinished.append(name)
    return known


def _best_extensive(tree: ExtensiveForm, known: TableAnalysis, limits: Limits) -> Correlated | None:
    """The extensive-form correlated equilibrium with the greatest welfare; None if the others are not known.

    Sound: each correlated equilibrium of the table is an extensive-form one, and each of these is a coarse one, since a
    player who ignores the mediator from the beginning deviates wherever they first decide. So where the best correlated
    and the best coarse equilibrium have the same welfare, no other program is needed."""
    table, correlated, coarse = known.table, known.correlated, known.coarse
    if correlated is None or coarse is None:
        return None
    if correlated.welfare == coarse.welfare:
        return correlated
    found = best_in_extensive_form(tree, sequence_form(tree, limits), limits)
    numbers = [{strategy.sequences: k for k, strategy in enumerate(own)} for own in table.strategies]
    profiles = {
        tuple(own[told] for own, told in zip(numbers, drawn, strict=True)): chance
        for drawn, chance in found.drawn.items()
    }
    return Correlated(profiles, found.payoff)


def _approximate(table: NormalForm, limits: Limits) -> tuple[list[MixedProfile], str]:
    """Mixed equilibria of more than two players; and what to do if the library that finds them is missing or fails."""
    try:
        return approximate_equilibria(table, limits), ""
    except LimitReached:
        raise
    except ZermeloError as error:
        return [], f"mixed ones need {error.help}: {error.message}"


# Which of the equilibria of a table are sequential, in words and as JSON.
#
# What is proved is in :mod:`zermelo.solvers.imperfect_information.sequential_equilibrium`. A node of an information set
# is described by what the others saw last and did on the way to it, without what all nodes of the set share.


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
            return f"not sequential: {self._failure_text(verdict)}"
        if verdict is None or not (told := [*map(self._belief_text, verdict.beliefs), *self._off_path_texts(verdict)]):
            return ""
        return f"sequential: {'; '.join(_first_few(told))}"

    def _belief_text(self, belief: SupportingBelief) -> str:
        names = self._names(self._nodes(belief.set))
        weights = readable_texts(*(probability for _, probability in belief.nodes))
        parts = [
            names[nodes] if weight == "1" else f"{weight} {names[nodes]}"
            for weight, (nodes, _) in zip(weights, belief.nodes, strict=True)
        ]
        believer = shown(self.tree.player_names[belief.player])
        return f"{believer} believes {', '.join(parts)} {self._situation_text(belief.set)}"

    def _off_path_texts(self, verdict: Sequential) -> list[str]:
        """What players do where they never go by themselves, if they have a choice there."""
        made: dict[OwnSet, list[str]] = {}
        for player, sequence, probability in verdict.elsewhere:
            at = self.setting.place_of(player, sequence)
            move = display_text(self._move(player, sequence))
            made.setdefault(at, []).append(move if probability == 1 else f"{readable_texts(probability)[0]} {move}")
        names = self.tree.player_names
        return [
            f"{shown(names[at.player])} does {', '.join(moves)} {self._situation_text(self.setting.set_of(at))}"
            for at, moves in sorted(made.items(), key=lambda item: self.setting.set_of(item[0]))
            if len(self.setting.moves(at)) > 1
        ]

    def _failure_text(self, verdict: NotSequential) -> str:
        sets = self.tree.information_sets
        first = verdict.sets[0]
        if verdict.better is not None:
            player = sets.players[first]
            move = display_text(self._move(player, verdict.better))
            whatever = ", whatever they believe" if len(self._nodes(first)) > 1 else ""
            whatever += ", if best moves follow" if len(verdict.sets) > 1 else ""
            return (
                f"{shown(self.tree.player_names[player])} gets more by {move} {self._situation_text(first)}{whatever}"
            )
        where = [f"{shown(self.tree.player_names[sets.players[s]])} {self._situation_text(s)}" for s in verdict.sets]
        return f"no consistent beliefs make it best everywhere for {'; '.join(_first_few(where))}"

    def _situation_text(self, s: int) -> str:
        """What the player has perceived in an information set, in words."""
        known = self.tree.information_sets.known(s)
        name = self.tree.player_names[self.tree.information_sets.players[s]]
        seen, moves = (
            ", ".join(_sighting_texts(known)),
            perceptions_text(known, name) if known else ", ".join(self._leading_moves(s)),
        )
        parts = [f"after {moves}" if moves else "", f"seeing {seen}" if seen else ""]
        return " and ".join(filter(None, parts)) or (
            f"in {decision_phase(known)}" if decision_phase(known) else "at the start"
        )

    def situations(self, player: int) -> list[str]:
        """What a player has perceived in each of their information sets, in words that tell these apart, in the order
        in which strategies name their moves."""
        own = self.setting.form.players[player]
        sets = [own.sets[place] for place in sets_in_order(own)]
        texts = list(map(self._situation_text, sets))
        for text, count in Counter(texts).items():
            if count > 1:
                alike = [k for k, each in enumerate(texts) if each == text]
                for k, told in zip(alike, self._told_apart([sets[k] for k in alike], text), strict=True):
                    texts[k] = told
        return texts

    def _told_apart(self, sets: Sequence[int], text: str) -> list[str]:
        """Several texts of sets that would have the same one: with the phase, with what was perceived before, or, where
        chance alone told them apart, with a number."""
        knowns = [self.tree.information_sets.known(s) for s in sets]
        name = self.tree.player_names[self.tree.information_sets.players[sets[0]]]
        in_phase = [f"{text}, in {decision_phase(known)}" for known in knowns]
        recalled = [f"after {told}" for told in distinguishing_texts(knowns, name)]
        numbered = [f"{text} ({k} of {len(sets)})" for k in range(1, len(sets) + 1)]
        return next(told for told in (in_phase, recalled, numbered) if len(set(told)) == len(sets))

    def _leading_moves(self, s: int) -> list[str]:
        """The moves of players that lead to every node of an information set. Where everybody sees everything, nothing
        else describes the set."""
        at = self._place(s)
        made = self.setting.common(at) | {
            (at.player, sequence) for sequence in self.setting.chosen(at.player, self.setting.parent(at))
        }
        in_order = sorted(made, key=lambda each: self.setting.set_of(self.setting.place_of(*each)))
        return [
            f"{shown(self.tree.player_names[player])}: {display_text(self._move(player, s))}" for player, s in in_order
        ]

    def _nodes(self, s: int) -> list[Product]:
        at = self._place(s)
        return list(self.setting.nodes[at.player][at.place])

    def _place(self, s: int) -> OwnSet:
        return next(at for at in self.setting.places if self.setting.set_of(at) == s)

    def _move(self, player: int, sequence: int) -> Move:
        at = self.setting.place_of(player, sequence)
        moves = self.tree.information_sets.moves_of(self.setting.set_of(at))
        return moves[sequence - self.setting.moves(at).start]

    def _knowledge(self, player: int, sequence: int) -> InformationState:
        return self.tree.information_sets.known(self.setting.set_of(self.setting.place_of(player, sequence)))

    def _names(self, nodes: Sequence[Product]) -> dict[Product, str]:
        """Names of the nodes of a set: what tells them apart."""
        told = {node: self._words_of_node(node) for node in nodes}
        common = set.intersection(*map(set, told.values()))
        return {
            node: ", ".join(word for word in words if word not in common) or "none of these"
            for node, words in told.items()
        }

    def _words_of_node(self, node: Product) -> list[str]:
        """What the others saw and did on the way to a node."""
        words = []
        for player, last in enumerate(node):
            name = self.tree.player_names[player]
            if last:
                words += _sighting_texts(self._knowledge(player, last))
            words += [
                f"{shown(name)}: {display_text(self._move(player, s))}" for s in self.setting.chosen(player, last)
            ]
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
            **({} if sets.known(s) else {"after": self._leading_moves(s)}),
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
        with limits.enforce():
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


def _sighting_texts(known: InformationState) -> list[str]:
    return [f"{name} = {value}" for name, (value,) in sightings(known)]


def _first_few(parts: Sequence[str]) -> list[str]:
    """The first of these texts, and the number of the others."""
    more = len(parts) - _NAMED
    return [*parts[:_NAMED], *([f"and {more} more, which --json lists"] if more > 0 else [])]


LISTED: Final = 24
"""The greatest number of equilibria that are printed."""

_TABLE: Final = 8
"""The greatest numbers of rows and columns of a table that is printed."""

_SETS: Final = 16
"""The greatest number of information sets that are described for a player."""

Table = tuple[list[str], list[list[str]]]
"""Heads, and rows under them."""


def _figures(known: TableAnalysis) -> tuple[Any, ...]:
    """By which analyses are compared."""
    return known.equilibria, known.maximin, known.taken, known.correlated, known.extensive, known.coarse


@frozen(repr=False)
class ListedEquilibria(GameRows):
    """The analysis of a game from the state ``begin`` on, from :func:`zermelo.equilibria`. ``known`` is the analysis of
    its table, with the equilibria as exact fractions; ``marks`` tell which of them are sequential; ``is_pure``:
    equilibria in mixed strategies were not asked for. No more than ``limit`` of them are in records and examined,
    or all if it is None."""

    begin: State = field(eq=False)
    known: TableAnalysis = field(eq=_figures)
    marks: SequentialMarks = field(eq=False)
    is_pure: bool
    limit: int | None = None
    provenance: Provenance = UNASKED

    @property
    def table(self) -> NormalForm:
        """The pure strategies of all players, and what they bring."""
        return self.known.table

    @property
    def listed(self) -> list[MixedProfile]:
        """All equilibria that are known, the best recommended first."""
        return self.known.equilibria

    def __repr__(self) -> str:
        count = len(self.listed)
        return f"<{count} equilibri{'um' if count == 1 else 'a'} of '{self.game.title}'>"

    # ------------------------------------------------------------- in words

    def payoffs(self) -> Table | None:
        """The table of two players; None if there are more, or if it is too large to be printed."""
        if len(self.table.counts) != 2 or max(self.table.counts) > _TABLE:
            return None
        row_player, column_player = self.game.titles
        rows, columns = self.table.strategies
        return [f"{row_player} \\ {column_player}", *(shown(strategy.name) for strategy in columns)], [
            [
                shown(strategy.name),
                *(", ".join(readable_texts(*self.table.payoff((i, j)))) for j in range(len(columns))),
            ]
            for i, strategy in enumerate(rows)
        ]

    def profiles(self, limit: int | None) -> Table:
        """The equilibria, no more than ``limit``, with what they pay and what they are."""
        heads = [*self.game.titles, *(f"{player} gets" for player in self.game.titles), "equilibrium"]
        rows = [self._row(number, profile) for number, profile in enumerate(self.listed[:limit])]
        if any(self._reasons()):
            heads, rows = ["", *heads], [[str(number), *row] for number, row in enumerate(rows, 1)]
        return heads, rows

    def _reasons(self) -> list[str]:
        """Why each equilibrium that is listed is sequential or not; empty if there is nothing to tell."""
        return [self.marks.reason(number) for number in range(len(self.marks.verdicts))]

    def _row(self, number: int, profile: MixedProfile) -> list[str]:
        written = readable_texts if profile.is_proved else _rounded_texts
        mixed = [self._mixture(player, mixture, written) for player, mixture in enumerate(profile.mixtures)]
        return [*mixed, *written(*profile.payoff), ", ".join(self._marks(number, profile))]

    def _mixture(
        self, player: int, mixture: Sequence[Fraction], written: Callable[..., list[str]] = readable_texts
    ) -> str:
        played = [
            (shown(strategy.name), weight)
            for strategy, weight in zip(self.table.strategies[player], mixture, strict=True)
            if weight
        ]
        if len(played) == 1:
            return played[0][0]
        weights = written(*(weight for _, weight in played))
        return "; ".join(f"{weight} {name}" for weight, (name, _) in zip(weights, played, strict=True))

    def _marks(self, number: int, profile: MixedProfile) -> list[str]:
        marks = ["pure" if profile.is_pure else "mixed"]
        if profile.is_pure:
            pure = tuple(mixture.index(1) for mixture in profile.mixtures)
            if is_strict(self.table, pure):
                marks.append("strict")
            if list(pure) == self.known.dominant:
                marks.append("dominant")
        if self.known.efficient.get(profile.payoff) and profile.is_proved:
            marks.append("efficient")
        if not profile.is_proved:
            marks.append(f"to within {rounded_up_text(profile.gain)}")
        return [*marks, *self.marks.mark(number)]

    def lines(self) -> list[tuple[str, str]]:
        """What else there is to say, each a word and a text about it."""
        lines, known = self._legend(), self.known
        if known.unfinished:
            lines.append(("time", f"is up: not looked for to the end are {', '.join(known.unfinished)}"))
        if not self.listed:
            lines.append(("equilibria", f"none in pure strategies{self._why_no_others()}"))
        elif not known.found.are_all and not self.is_pure:
            more = f"; {known.missing}" if known.missing else "."
            lines.append(("note", f"There may be more equilibria in mixed strategies{more}"))
        if not all(profile.is_proved for profile in known.nearly):
            lines.append(("to within", "a proved bound on the gain by a unilateral deviation; weights are rounded"))
        for number, reason in enumerate(self._reasons(), 1):
            if reason:
                lines.append((f"equilibrium {number}", reason))
        for number in dict.fromkeys(gone.round for gone in known.taken):
            gone = [each for each in known.taken if each.round == number]
            lines.append((f"dominated {number}", self._removed_text(gone)))
        if known.taken and all(len(kept) == 1 for kept in known.left):
            lines.append(("left", ", ".join(map(shown, self.table.names(tuple(kept[0] for kept in known.left))))))
        for player, (value, mixture) in zip(self.game.titles, known.maximin, strict=False):  # none, where time ended
            how = self._mixture(self.game.titles.index(player), mixture)
            lines.append((f"{player} secures", f"{exact_text(value)} by {how}"))
        if len({sum(payoff) for payoff in self.table.payoffs}) == 1:
            return lines  # every profile has the same welfare
        most, where = self._welfare()
        lines.append(("welfare", f"at most {exact_text(most)}: {where}"))
        if known.correlated is not None:
            lines.append(("correlated", self._correlated_text(known.correlated)))
            if known.extensive is not None and known.extensive.welfare != known.correlated.welfare:
                lines.append(("extensive", self._correlated_text(known.extensive)))
            if known.coarse is not None and known.coarse.welfare != known.correlated.welfare:
                lines.append(("coarse", self._correlated_text(known.coarse)))
        return lines

    def _legend(self) -> list[tuple[str, str]]:
        """In which information sets the moves of strategies are made, for players who have several."""
        lines = []
        for player, title in enumerate(self.game.titles):
            told = [f"{number}. {text}" for number, text in enumerate(self.marks.situations(player), 1)]
            if len(told) > 1:
                more = [f"and {len(told) - _SETS} more, which --json lists"] if len(told) > _SETS else []
                names = [shown(strategy.name) for strategy in self.table.strategies[player]]
                is_marked = any(EXCLUDED in name.split(", ") for name in names)
                note = f" ({EXCLUDED}: earlier moves exclude it)" if is_marked else ""
                lines.append((f"{title} moves", "; ".join([*told[:_SETS], *more]) + note))
        return lines

    def _why_no_others(self) -> str:
        """Why a page lists no equilibrium, though every game has one."""
        if self.is_pure or MIXED in self.known.unfinished:
            return ""
        return f"; {self.known.missing or 'the game is too large to find all mixed ones'}"

    def _removed_text(self, gone: Sequence[Elimination]) -> str:
        """The strategies removed in one round, by name or, if they are many, by number."""
        if len(gone) <= _NAMED:
            return "; ".join(
                f"{self.game.titles[each.player]}: {shown(self.table.strategies[each.player][each.strategy].name)}"
                for each in gone
            )
        counted = Counter(self.game.titles[each.player] for each in gone)
        return ", ".join(f"{count} strategies of {player}" for player, count in counted.items())

    def _welfare(self) -> tuple[Fraction, str]:
        """The greatest sum of payoffs, and a profile that attains it."""
        best = max(self.table.profiles(), key=lambda profile: sum(self.table.payoff(profile)))
        return sum(self.table.payoff(best), Fraction(0)), f"({'; '.join(map(shown, self.table.names(best)))})"

    def _correlated_text(self, correlated: Correlated) -> str:
        drawn = zip(readable_texts(*correlated.profiles.values()), correlated.profiles, strict=True)
        parts = [f"{weight} ({'; '.join(map(shown, self.table.names(pure)))})" for weight, pure in drawn]
        return f"welfare at most {exact_text(correlated.welfare)}: {', '.join(parts)}"

    # ------------------------------------------------------------- as JSON

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.game.players, *(f"{player} gets" for player in self.game.players), "equilibrium")

    def rows(self) -> list[dict[str, Any]]:
        """A row for each equilibrium: what each player does, in words, what they get, and what kind it is."""
        players = self.game.players
        found = []
        for number, profile in enumerate(self.listed[: self.limit]):
            said = self._row(number, profile)
            found.append(
                {
                    **dict(zip(players, said, strict=False)),
                    **{f"{player} gets": amount for player, amount in zip(players, profile.payoff, strict=True)},
                    "equilibrium": said[-1],
                }
            )
        return found

    def record(self) -> dict[str, Any]:
        names, game, known = self.game.players, self.game, self.known
        listed = self.listed[: self.limit]
        return {
            **self._head(),
            "players": list(names),
            "strategies": {
                name: [strategy.name for strategy in own]
                for name, own in zip(names, self.table.strategies, strict=True)
            },
            "choices": {
                name: [self.marks.choices(player, strategy.sequences) for strategy in own]
                for player, (name, own) in enumerate(zip(names, self.table.strategies, strict=True))
            },
            "payoffs": [by_player(game, payoff) for payoff in self.table.payoffs],
            "equilibria": [
                {
                    "strategies": {
                        name: list(map(str, mixture)) for name, mixture in zip(names, found.mixtures, strict=True)
                    },
                    "payoff": by_player(game, found.payoff),
                    "marks": self._marks(number, found),
                    "efficient": self.known.efficient.get(found.payoff),
                    **self.marks.record(number),
                }
                for number, found in enumerate(listed)
                if found.is_proved
            ],
            "nearly": [
                {
                    "strategies": {
                        name: list(map(float, mixture)) for name, mixture in zip(names, found.mixtures, strict=True)
                    },
                    "payoff": {name: float(amount) for name, amount in zip(names, found.payoff, strict=True)},
                    "gain": rounded_up_text(found.gain),
                }
                for found in listed
                if not found.is_proved
            ],
            "all": known.found.are_all and len(listed) == len(self.listed),
            "unfinished": known.unfinished,
            "dominated": [
                {"round": gone.round, "player": names[gone.player], "strategy": gone.strategy} for gone in known.taken
            ],
            "maximin": {
                name: {"value": str(value), "strategy": list(map(str, mixture))}
                for name, (value, mixture) in zip(names, known.maximin, strict=False)
            },
            "correlated": self._distribution(known.correlated),
            "extensive": self._distribution(known.extensive),
            "coarse": self._distribution(known.coarse),
        }

    def _distribution(self, correlated: Correlated | None) -> dict[str, object] | None:
        if correlated is None:
            return None
        payoff: Payoff = correlated.payoff
        return {
            "payoff": by_player(self.game, payoff),
            "profiles": [{"strategies": list(pure), "probability": str(w)} for pure, w in correlated.profiles.items()],
        }


def _rounded_texts(*numbers: Fraction) -> list[str]:
    return [round_digits(number, 6) for number in numbers]


# The equilibria of a small game (:mod:`zermelo.solvers.normal_form`).


def list_equilibria(begin: State, limits: Limits, is_pure: bool, limit: int | None, watch: Watch) -> ListedEquilibria:
    """The equilibria of the game from a state on, within limits; for the first ``limit`` of them, or for all if it is
    None, with a verdict on whether they are sequential.

    Raises ``ZermeloError`` as :func:`zermelo.equilibria` does."""
    with limits.enforce():
        tree = whole_tree(begin, "tables of pure strategies", limits, watch)
        table = normal_form(tree, limits)
    known = analyse(tree, table, limits, is_pure)
    listed = known.equilibria[:limit]
    with watch("looking for sequential ones", "equilibria", len(listed)) as report:
        marks = sequential_marks(tree, table, listed, limits, report)
    if not marks.is_whole:
        known.unfinished.append(SEQUENTIAL)
    return ListedEquilibria(begin, known, marks, is_pure, limit)
