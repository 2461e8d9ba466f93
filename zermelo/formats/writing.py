"""Games written for other programs: as trees (``.efg``), as tables (``.nfg``), and as trees of LiteEFG; and what of a
game stays behind, because no format has a place for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.formats.labels import Losses, plain, told_apart
from zermelo.foundation.deadline import check_deadline
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Source, Span, ZermeloError
from zermelo.grammar.names import shown
from zermelo.grammar.parse import parse
from zermelo.interpreter.checks.game_facts import moves_differ_error
from zermelo.interpreter.machine import CHANCE, END, Asked, InformationState, Machine, Move, State, display_text
from zermelo.solvers.common.limits import Progress, ignore_progress
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm
from zermelo.solvers.normal_form.normal_form import NormalForm

# The tree of any game, written for Gambit and the programs that read its trees (``.efg``).
#
# Every history of the game is a node: the tree is walked on the machine, and the information sets are what the machine
# says of the players' observations. What is written takes the strictest form of the format, which OpenSpiel needs, too:
# each node has all its actions, payoffs are at ends alone and with commas, sets and outcomes are numbered without gaps
# in the order of the file, labels are different from each other, and there is no comment.


MOST_NODES: Final = 1_000_000
"""The most histories that are written: a file of about 40 MB."""

_TOLD: Final = 1_000
"""After so many histories the time is looked at."""

LONGEST: Final = 1_000
"""The most moves and outcomes of a play that is written: other programs go down a tree by recursion."""


@frozen(eq=False)
class WrittenNode:
    """A node of the tree. ``actor`` is a player's number, :data:`CHANCE` or :data:`END`; ``set`` is the number of the
    information set, from 1 for each actor; ``chances`` belong to chance, and the ``payoff`` to an end."""

    actor: int
    set: int = 0
    set_label: str = ""
    labels: tuple[str, ...] = ()
    chances: tuple[Fraction, ...] = ()
    payoff: tuple[Fraction, ...] = ()


def histories(machine: Machine[State], root: State, progress: Progress = ignore_progress) -> Iterator[WrittenNode]:
    """All histories from ``root`` on, in prefix order; ``progress`` is told how many have been counted, to see whether
    they fit, and then how many have been written.

    Raises ``ZermeloError``: ``too-large-to-convert`` for more than :data:`MOST_NODES`, or a play longer than
    :data:`LONGEST`, ``moves-differ`` if the moves offered would reveal hidden information, ``too-many-outcomes``, or an
    error of the rules."""
    _check_fits(machine, root, progress)
    sets: dict[Hashable, _MetSet] = {}
    counts: dict[int, int] = {}
    waiting = [root]
    for count in itertools.count():
        if not waiting:
            return
        if not count % _TOLD:
            check_deadline()
            progress(count)
        state = waiting.pop()
        actor = machine.actor(state)
        if actor == END:
            yield WrittenNode(END, payoff=machine.payoff(state))
            continue
        if actor == CHANCE:
            counts[CHANCE] = counts.get(CHANCE, 0) + 1
            outcomes = machine.outcomes(state)
            moves = tuple(outcome for outcome, _ in outcomes)
            yield WrittenNode(CHANCE, counts[CHANCE], "", _labels(moves), tuple(chance for _, chance in outcomes))
        else:
            known = machine.information_state(state, actor)
            met = sets.get((actor, known))
            if met is None:
                counts[actor] = counts.get(actor, 0) + 1
                met = _MetSet(counts[actor], _label_of(known), machine.moves(state), state)
                sets[actor, known] = met
            elif set(met.moves) != set(machine.moves(state)):
                raise moves_differ_error(machine, actor, met.first, state)
            moves = met.moves
            yield WrittenNode(actor, met.number, met.label, met.labels)
        waiting += [machine.after(state, move) for move in reversed(moves)]


def _check_fits(machine: Machine[State], root: State, progress: Progress) -> None:
    """Raise ``ZermeloError`` (``too-large-to-convert``) for more histories than :data:`MOST_NODES`, or a play longer
    than :data:`LONGEST`. Histories of the same length that lead to one position are counted together, each with those
    that follow at once."""
    moves = _moves_or_outcomes(machine, root)
    histories, looked_at = 1 + len(moves), 0
    layer = {machine.position(root): (root, moves, 1)}
    for _ in range(LONGEST + 1):
        following: dict[Hashable, tuple[State, Sequence[Move], int]] = {}
        for state, moves, times in layer.values():
            check_deadline()
            looked_at += 1
            if not looked_at % _TOLD:
                progress(histories)
            for move in moves:
                after = machine.after(state, move)
                position = machine.position(after)
                if position in following:
                    after, further, before = following[position]
                else:
                    further, before = _moves_or_outcomes(machine, after), 0
                following[position] = after, further, before + times
                histories += times * len(further)
                check_size(histories)
        if not following:
            return
        layer = following
    raise _too_large(f"a play has more than {LONGEST:,} moves, or no end")


def _moves_or_outcomes(machine: Machine[State], state: State) -> Sequence[Move]:
    """What may happen in a state, whoever acts; nothing at an end."""
    if machine.actor(state) == CHANCE:
        return [outcome for outcome, _ in machine.outcomes(state)]
    return machine.moves(state)


def check_size(nodes: int) -> None:
    """Raise ``ZermeloError`` (``too-large-to-convert``) for more than :data:`MOST_NODES`."""
    if nodes > MOST_NODES:
        raise _too_large(f"the tree has more than {MOST_NODES:,} nodes, or no end")


def _too_large(why: str) -> ZermeloError:
    help = "the files of other programs list every node: take smaller parameters, or a later position"
    return ZermeloError("too-large-to-convert", f"{why}: it cannot be written down", help)


@define(eq=False)
class _MetSet:
    """An information set: its moves in the order of its first state."""

    number: int
    label: str
    moves: tuple[Move, ...]
    first: Any
    labels: tuple[str, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.labels = _labels(self.moves)


def _labels(moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(told_apart([display_text(move) for move in moves]))


def _label_of(known: InformationState) -> str:
    """The label of an information set, where the game itself has one: in a tree it is the phase of its nodes."""
    question = known[-1] if len(known) else None
    if isinstance(question, Asked) and question.phase.startswith("@"):
        return question.phase[1:]
    return ""


def efg_text(title: str, players: Sequence[str], tree: Iterator[WrittenNode]) -> str:
    """The text of an ``.efg`` with these histories."""
    lines = [f"EFG 2 R {quoted(title)} {{ {' '.join(map(quoted, players))} }}", '""', ""]
    ends = 0
    for node in tree:
        if node.actor == END:
            ends += 1
            lines.append(f't "" {ends} "" {{ {", ".join(map(str, node.payoff))} }}')
        elif node.actor == CHANCE:
            branches = zip(node.labels, node.chances, strict=True)
            written = " ".join(f"{quoted(label)} {chance}" for label, chance in branches)
            lines.append(f'c "" {node.set} "" {{ {written} }} 0')
        else:
            written = " ".join(map(quoted, node.labels))
            lines.append(f'p "" {node.actor + 1} {node.set} {quoted(node.set_label)} {{ {written} }} 0')
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A text in quotes, as all programs read it: they disagree on backslashes."""
    return f'"{plain(text).replace(chr(92), "/")}"'


# The table of a small game, written for Gambit and the programs that read its tables (``.nfg``).
#
# The table is the reduced strategic form: a pure strategy says what its player does wherever their own moves can lead
# them. The payoffs of all profiles follow as numbers, and the first player's strategy changes fastest.


def strategy_labels(table: NormalForm) -> list[list[str]]:
    """The labels of every player's pure strategies, in their order: their moves, told apart."""
    return [told_apart([shown(strategy.name) for strategy in own]) for own in table.strategies]


def nfg_text(title: str, table: NormalForm) -> str:
    """The text of an ``.nfg`` with this table."""
    players = " ".join(quoted(shown(name)) for name in table.player_names)
    lines = [f"NFG 1 R {quoted(title)} {{ {players} }}", "", "{"]
    lines += [f"  {{ {' '.join(map(quoted, own))} }}" for own in strategy_labels(table)]
    lines += ["}", '""', ""]
    for backwards in product(*map(range, reversed(table.counts))):
        lines.append(" ".join(map(str, table.payoff(backwards[::-1]))))
    return "\n".join(lines) + "\n"


# The tree of a game, written for LiteEFG (Liu, Farina and Ozdaglar 2024): every history, named by its path, and the
# information sets.


def liteefg_text(tree: ExtensiveForm) -> str:
    """A game in the format of LiteEFG, which has decimals in place of fractions."""
    sets: list[list[str]] = [[] for _ in range(len(tree.information_sets))]
    lines = list(_histories(tree, sets))
    lines += (f"infoset set{s} nodes {' '.join(names)}" for s, names in enumerate(sets))
    players = f"#     players: {len(tree.player_names)},"
    head = ["# game instance with parameters:", "#", "# Opt {", "#     openspiel,", players, "# }", "#"]
    return "\n".join([*head, *lines]) + "\n"


def inexact_numbers(tree: ExtensiveForm) -> list[Fraction]:
    """The payoffs and probabilities that no decimal of double precision gives exactly, each once."""
    numbers = {Fraction(amount, tree.denominator) for amount in tree.payoffs}
    for node in range(tree.nodes):
        if tree.sets_of[node] == CHANCE_NODE:
            weights = [tree.weights[edge] for edge in tree.edges(node)]
            numbers |= {Fraction(weight, sum(weights)) for weight in weights}
    return sorted(number for number in numbers if Fraction(repr(float(number))) != number)


def _histories(tree: ExtensiveForm, sets: list[list[str]]) -> Iterator[str]:
    """A line for every history, before those of its continuations; adds its name to its information set."""
    waiting = [("h", tree.nodes - 1)]
    while waiting:
        name, node = waiting.pop()
        if node < 0:
            payoffs = (f"{player + 1}={float(amount)!r}" for player, amount in enumerate(tree.payoff(-1 - node)))
            yield f"node {name} leaf payoffs {' '.join(payoffs)}"
            continue
        edges = range(tree.firsts[node], tree.firsts[node + 1])
        names = [f"{name}.{k}" for k in range(len(edges))]
        waiting += zip(names, (tree.children[edge] for edge in edges), strict=True)
        s = tree.sets_of[node]
        if s == CHANCE_NODE:
            total = sum(tree.weights[edge] for edge in edges)
            shares = (f"{each}={tree.weights[edge] / total!r}" for each, edge in zip(names, edges, strict=True))
            yield f"node {name} chance actions {' '.join(shares)}"
        else:
            sets[s].append(name)
            yield f"node {name} player {tree.information_sets.players[s] + 1} actions {' '.join(names)}"


# What a game file says that no file of another program can: a finding for each kind of thing that stays behind.


_LEFT_OUT: Final[dict[type[syntax.Declaration], str]] = {
    syntax.Claim: "claims",
    syntax.Expect: "expectations",
    syntax.Witness: "expectations",
    syntax.Test: "tests",
    syntax.Estimate: "estimates",
    syntax.Feature: "estimates",
    syntax.Weight: "estimates",
    syntax.Unsettled: "estimates",
    syntax.OrderMoves: "estimates",
    syntax.Legend: "looks",
    syntax.Drawn: "looks",
    syntax.Parameter: "parameters, which have one value each,",
}


def note_left_behind(source: Source, losses: Losses) -> None:
    """Note what no other format has a place for, in a game that can be read."""
    tree, _ = parse(source)
    assert tree is not None, "the game has been read before"
    for item in tree.declarations:
        kind = _LEFT_OUT.get(type(item))
        if kind is not None:
            line = source.line(item.span.line).strip().partition("#")[0].rstrip(" :")
            losses.note("dropped-part", f"{kind} are left out", item.span, f"'{line}'")
        if isinstance(item, syntax.Discount):
            losses.note("moved-payoff", "discounts are part of the payoffs at the ends", item.span, "'discount'")
        for node in syntax.nodes_in(item):
            if isinstance(node, syntax.Earn):
                what = "earnings are added to the payoffs at the ends"
                losses.note("moved-payoff", what, node.span, f"'{' '.join(source.excerpt(node.span).split())}'")


def note_lost_tree(tree: ExtensiveForm, span: Span, losses: Losses) -> None:
    """Note that a table does not say who moves when, if there is anything to say."""
    if len(tree.information_sets) > len(tree.player_names) or CHANCE_NODE in tree.sets_of:
        losses.note("dropped-part", "who moves when, and who knows what then", span, "a table has strategies alone")
