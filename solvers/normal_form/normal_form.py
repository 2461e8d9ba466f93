"""The normal form: the payoffs of every combination of pure strategies.

A *pure strategy* chooses a move in every information set that the player's own earlier moves do not exclude (in others
it makes no difference: this is the reduced normal form). A *profile* is one pure strategy for each player. Payoffs are
expectations over chance.

Source: von Neumann and Morgenstern (1944). Cost: the number of profiles, which grows exponentially with the number of
information sets; it is counted before any of them is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import log10, prod

from attrs import field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import ShownName
from zermelo.interpreter.machine import Payoff, display_text
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, SequenceForm, Sequences
from zermelo.solvers.forms.extensive_form import sequence_form as form_of

MOST_PROFILES = 250_000


class NoTable(ZermeloError):
    """The table of a game tells no equilibrium: it is too large, or none was found in it."""


EXCLUDED = "*"
"""Stands where the player's own earlier moves exclude an information set, as in Gambit."""

Profile = tuple[int, ...]
"""The number of a pure strategy for each player."""


@frozen
class PureStrategy:
    """The sequences that a player follows, one for each information set that they can reach; ``name`` are its moves in
    words. People are shown :data:`EXCLUDED` in place of those that are not needed, so that the first move is always
    that of the first information set, and so on, in the order of :func:`sets_in_order`."""

    sequences: frozenset[int]
    name: str


@frozen(eq=False)
class NormalForm:
    """``strategies[p]`` are player p's pure strategies; ``payoffs`` are those of every profile, in the order of
    :meth:`profiles`."""

    player_names: tuple[str, ...]
    strategies: tuple[tuple[PureStrategy, ...], ...]
    payoffs: list[Payoff]
    counts: tuple[int, ...] = field(init=False)

    @property
    def bytes(self) -> int:
        """Its memory, about: a tuple of fractions for every profile, and a set of sequences and words for every pure
        strategy."""
        chosen = sum(len(strategy.sequences) for own in self.strategies for strategy in own)
        return len(self.payoffs) * (60 + 110 * len(self.counts)) + 400 * sum(self.counts) + 80 * chosen

    @counts.default
    def _counts(self) -> tuple[int, ...]:
        return tuple(map(len, self.strategies))

    def profiles(self) -> Iterator[Profile]:
        """All profiles; the last player's strategy changes fastest."""
        return product(*map(range, self.counts))

    def payoff(self, profile: Profile) -> Payoff:
        """The players' payoffs of a profile."""
        place = 0
        for count, strategy in zip(self.counts, profile, strict=True):
            place = place * count + strategy
        return self.payoffs[place]

    def instead(self, profile: Profile, player: int) -> Iterator[Profile]:
        """The profiles that differ from this one at most in the strategy of ``player``."""
        for strategy in range(self.counts[player]):
            yield (*profile[:player], strategy, *profile[player + 1 :])

    def names(self, profile: Profile) -> tuple[str, ...]:
        """The profile in words."""
        return tuple(own[k].name for own, k in zip(self.strategies, profile, strict=True))


def normal_form(tree: ExtensiveForm, limits: Limits, whole: ExtensiveForm | None = None) -> NormalForm:
    """The reduced normal form of a game, or of a part of the ``whole`` one.

    Raises :class:`NoTable` (``too-many-strategies``) if it has more than :data:`MOST_PROFILES` profiles, and
    ``ZermeloError`` (``out-of-memory``)."""
    form = form_of(tree, limits)
    counts = [count_strategies(player) for player in form.players]
    check_count(whole or tree, tree.player_names, counts)
    limits.require(_bytes_of(form, counts), f"the normal form of {prod(counts):,} profiles")
    strategies = tuple(tuple(pure_strategies(tree, player)) for player in form.players)
    made = NormalForm(tree.player_names, strategies, _profile_payoffs(form, strategies))
    limits.hold(made, made.bytes)
    return made


def _bytes_of(form: SequenceForm, counts: Sequence[int]) -> int:
    """The memory for making the table, about: a fraction and a sum for each player in every profile, and for each pure
    strategy a set of sequences and words."""
    profiles = prod(counts) * (120 + 200 * len(counts))
    strategies = (count * (400 + 100 * len(player.parents)) for count, player in zip(counts, form.players, strict=True))
    return profiles + sum(strategies)


def check_count(tree: ExtensiveForm, names: Sequence[str], counts: Sequence[int]) -> None:
    """Raise :class:`NoTable` (``too-many-strategies``) if there are too many combinations of these players' pure
    strategies to enumerate, in a game or a part of it."""
    if prod(counts) > MOST_PROFILES:
        each = ", ".join(f"{name} {_count_text(count)}" for name, count in zip(names, counts, strict=True))
        raise NoTable(
            "too-many-strategies",
            f"the players have too many pure strategies to try them all: {each}",
            f"{_command_without_list(tree)} needs no list of them",
        )


def _command_without_list(tree: ExtensiveForm) -> str:
    """The command that goes on without a list of strategies."""
    players = len(tree.player_names)
    if len(set(tree.sets_of) - {CHANCE_NODE}) == tree.nodes - tree.sets_of.count(CHANCE_NODE):
        return "everybody always knows the position, and `zermelo solve`"
    if players != 2:
        return "`zermelo solve --solver cfr_plus`"
    sums = {sum(tree.payoffs[leaf : leaf + players]) for leaf in range(0, len(tree.payoffs), players)}
    return f"`zermelo solve --solver {'sequence_form' if len(sums) == 1 else 'lemke'}`"


def _count_text(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"about 10^{int(log10(count))}"


def count_strategies(player: Sequences) -> int:
    """The number of pure strategies."""
    behind, counts = player.behind, [0] * len(player.parents)
    for i in reversed(range(len(counts))):
        options = player.options(i)
        counts[i] = sum(prod(counts[later] for later in behind[sequence]) for sequence in options)
    return prod(counts[i] for i in behind[0])


def sets_in_order(player: Sequences) -> Iterator[int]:
    """The places of a player's information sets: each is followed by those behind its moves."""
    behind, stack = player.behind, player.behind[0][::-1]
    while stack:
        place = stack.pop()
        yield place
        stack += [later for sequence in player.options(place) for later in behind[sequence]][::-1]


def pure_plans(player: Sequences) -> Iterator[list[int]]:
    """The sequences of each pure strategy of a player but the empty one, in lexicographic order of moves."""
    behind = player.behind

    def choices_from(sets: list[int]) -> Iterator[list[int]]:
        """All choices of sequences in these sets and those after them."""
        if not sets:
            yield []
            return
        first, *others = sets
        for sequence in player.options(first):
            for here in choices_from(behind[sequence]):
                for rest in choices_from(others):
                    yield [sequence, *here, *rest]

    for chosen in choices_from(behind[0]):
        check_deadline()
        yield chosen


def pure_strategies(tree: ExtensiveForm, player: Sequences) -> Iterator[PureStrategy]:
    """A player's pure strategies, in lexicographic order of moves."""
    moves = {
        player.firsts[i] + k: move
        for i, s in enumerate(player.sets)
        for k, move in enumerate(tree.information_sets.moves_of(s))
    }
    order = {place: number for number, place in enumerate(sets_in_order(player))}
    for chosen in pure_plans(player):
        told = [EXCLUDED] * (1 + max((order[player.set_of(sequence)] for sequence in chosen), default=-1))
        for sequence in chosen:
            told[order[player.set_of(sequence)]] = display_text(moves[sequence])
        words = ", ".join(str(moves[sequence]) for sequence in chosen) or "nothing"
        shown = ", ".join(told) or "nothing"
        yield PureStrategy(frozenset(chosen) | {0}, words if shown == words else ShownName(words, shown))


def _profile_payoffs(form: SequenceForm, strategies: tuple[tuple[PureStrategy, ...], ...]) -> list[Payoff]:
    """The payoffs of every profile: each leaf adds to the profiles that lead to it."""
    following = [
        [[k for k, strategy in enumerate(own) if sequence in strategy.sequences] for sequence in range(len(player))]
        for own, player in zip(strategies, form.players, strict=True)
    ]
    counts = list(map(len, strategies))
    totals = [[0] * prod(counts) for _ in counts]
    for leaf in range(len(form.leaves[0])):
        amounts = [payoffs[leaf] for payoffs in form.payoffs]
        if not any(amounts):
            continue
        for profile in product(*(following[p][sequences[leaf]] for p, sequences in enumerate(form.leaves))):
            check_deadline()
            place = 0
            for count, strategy in zip(counts, profile, strict=True):
                place = place * count + strategy
            for total, amount in zip(totals, amounts, strict=True):
                total[place] += amount
    return [tuple(Fraction(amount, form.denominator) for amount in payoff) for payoff in zip(*totals, strict=True)]
