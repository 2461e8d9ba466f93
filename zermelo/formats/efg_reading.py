"""Gambit's trees (``.efg``): read leniently, and written as a tree of the language.

A file lists the nodes in prefix order: each decision and draw before what follows it. The first node of an information
set says what its actions are called; others may leave that out, and an outcome may give its payoffs once and be meant
by its number later. Payoffs may stand at any node, and add up along a play.

Source: the format as Gambit documents it, "The extensive game (.efg) file format" (McKelvey, McLennan and Turocy).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.formats.labels import NOT_FOR_PLAYERS, Losses, Renamed, names_of, numbered, plain, told_apart
from zermelo.formats.tokens import MOST_DIGITS, GambitTokens, number_text
from zermelo.grammar.diagnostics import Label, Mistake, Source, Span
from zermelo.grammar.names import as_name

DEEPEST: Final = 120
"""How many decisions may follow one another: a tree of the language has a few more levels at most."""

_MOVE, _OUTCOME = "move", "outcome"
_CHANCE: Final = 0

SetKey = tuple[int, int]
"""The number of a player, from 1, or 0 for chance; and that of an information set."""


@define(eq=False)
class ListedNode:
    """A node of the file. ``set`` is None at an end; ``chances`` are as they are written; ``pays`` is what its outcome
    pays each player, as it is written, or nothing."""

    span: Span
    label: str
    set: SetKey | None = None
    actions: tuple[str, ...] = ()
    chances: tuple[str, ...] = ()
    pays: tuple[str, ...] = ()
    children: list[ListedNode] = field(factory=list)

    def all_nodes(self) -> Iterator[ListedNode]:
        """This node and those behind it, in prefix order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


@define(eq=False)
class ListedTree:
    """A whole file."""

    title: str
    title_span: Span
    players: tuple[str, ...]
    players_span: Span
    comment: str
    root: ListedNode
    set_labels: dict[SetKey, str]


def read_efg(tokens: GambitTokens, losses: Losses) -> ListedTree:
    """The tree of a file. Raises :class:`~zermelo.grammar.diagnostics.Mistake`: ``foreign-syntax``,
    ``nested-too-deep``."""
    reader = _Reader(tokens, losses)
    return reader.tree()


@define(eq=False)
class _Reader:
    tokens: GambitTokens
    losses: Losses
    players: tuple[str, ...] = ()
    set_labels: dict[SetKey, str] = field(factory=dict)
    actions: dict[SetKey, tuple[str, ...]] = field(factory=dict)
    chances: dict[SetKey, tuple[str, ...]] = field(factory=dict)
    outcomes: dict[int, tuple[str, ...]] = field(factory=dict)

    def tree(self) -> ListedTree:
        title_span, title, players_span, self.players = read_heading(self.tokens)
        comment = self.tokens.optional_text()
        root = self._node()
        open_nodes = [root]
        while open_nodes:
            node = open_nodes[-1]
            if len(node.children) == len(node.actions):
                open_nodes.pop()
                continue
            child = self._node()
            if child.set is not None and len(open_nodes) == DEEPEST:
                message = f"more than {DEEPEST} decisions follow one another here"
                raise Mistake("nested-too-deep", child.span, message)
            node.children.append(child)
            open_nodes.append(child)
        if not self.tokens.ended:
            self.tokens.refuse("the end of the file: all actions lead to nodes already")
        return ListedTree(title, title_span, self.players, players_span, comment, root, self.set_labels)

    def _node(self) -> ListedNode:
        tokens = self.tokens
        span = tokens.span
        kind = tokens.word("a node, which begins with c, p or t")
        if kind not in ("c", "p", "t"):
            raise Mistake("foreign-syntax", span, f"'{kind}' is no node: a node begins with c, p or t")
        node = ListedNode(span, tokens.text("the label of the node, in quotes"))
        if node.label:
            self.losses.note("dropped-part", "labels of nodes are left out", span, f"'{plain(node.label)}'")
        if kind != "t":
            player = _CHANCE
            if kind == "p":
                at = tokens.span
                player = tokens.whole_number("the number of a player")
                if not 1 <= player <= len(self.players):
                    message = f"there is no player {player}"
                    raise Mistake("foreign-syntax", at, message)
            self._information_set(node, player)
        node.pays = self._outcome()
        return node

    def _information_set(self, node: ListedNode, player: int) -> None:
        tokens = self.tokens
        number_span = tokens.span
        node.set = key = player, tokens.whole_number("the number of an information set")
        label = tokens.optional_text()
        self.set_labels.setdefault(key, label)
        if tokens.sees("{"):
            actions_span = tokens.span
            actions, chances = self._actions(player == _CHANCE)
            known = self.actions.setdefault(key, actions)
            if len(known) != len(actions):
                message = f"here {len(actions)} actions are listed, at another node of this set {len(known)}"
                raise Mistake("foreign-syntax", actions_span, message)
            if any(here != before and here in known for here, before in zip(actions, known, strict=True)):
                message = "another node of this set lists these actions in another order: which of them are the same?"
                raise Mistake("foreign-syntax", actions_span, message)
            for here, before in zip(actions, known, strict=True):
                self.losses.note_renamed("actions of one information set", actions_span, here, before)
            expected = self.chances.setdefault(key, chances)
            if list(map(Fraction, expected)) != list(map(Fraction, chances)):
                message = "these probabilities differ from those at another node of this set"
                raise Mistake("foreign-syntax", actions_span, message)
            node.actions, node.chances = known, chances
        elif key in self.actions:
            node.actions, node.chances = self.actions[key], self.chances[key]
        else:
            message = "no node of this information set before says what its actions are"
            raise Mistake("foreign-syntax", number_span, message)

    def _actions(self, is_chance: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The actions of a node in braces and, of chance, their probabilities."""
        tokens = self.tokens
        tokens.expect("{")
        span = tokens.span
        labels: list[str] = []
        chances: list[str] = []
        while not tokens.accept("}"):
            labels.append(tokens.text("the label of an action, in quotes"))
            if is_chance:
                chances.append(tokens.number("the probability of the outcome"))
            tokens.accept(",")
        if not labels:
            raise Mistake("foreign-syntax", span, "a node has at least one action")
        otherwise = _OUTCOME if is_chance else _MOVE
        apart = told_apart([label or otherwise for label in labels])
        for before, after in zip(labels, apart, strict=True):
            self.losses.note_renamed("actions of one node", span, before, after)
        return tuple(apart), tuple(chances)

    def _outcome(self) -> tuple[str, ...]:
        """What the outcome of a node pays, or nothing if it has none."""
        tokens = self.tokens
        span = tokens.span
        number = tokens.whole_number("the number of an outcome, or 0 for none")
        label = tokens.optional_text()
        if label:
            self.losses.note("dropped-part", "labels of outcomes are left out", span, f"'{plain(label)}'")
        if tokens.sees("{"):
            if not number:
                tokens.refuse("the next node: outcome 0 pays nothing")
            pays = read_payoffs(tokens, len(self.players))
            known = self.outcomes.setdefault(number, pays)
            if list(map(Fraction, known)) != list(map(Fraction, pays)):
                message = f"outcome {number} pays ({', '.join(known)}) at a node before"
                raise Mistake("foreign-syntax", span, message)
        elif number and number not in self.outcomes:
            raise Mistake("foreign-syntax", span, f"outcome {number} has no payoffs here, nor at a node before")
        return self.outcomes[number] if number else ()


def read_heading(tokens: GambitTokens) -> tuple[Span, str, Span, tuple[str, ...]]:
    """The heading of either format: ``EFG 2 R "title" { "Ann" "Bob" }``; the title and the players, with places."""
    for wanted in ("EFG or NFG", "a number", "R or D"):
        tokens.word(wanted)
    title_span = tokens.span
    title = tokens.text("the title, in quotes")
    tokens.expect("{")
    players_span = tokens.span
    players: list[str] = []
    while not tokens.accept("}"):
        players.append(tokens.text("the name of a player, in quotes"))
        tokens.accept(",")
    if not players:
        raise Mistake("foreign-syntax", players_span, "a game has at least one player")
    return title_span, title, players_span, tuple(players)


def read_payoffs(tokens: GambitTokens, players: int) -> tuple[str, ...]:
    """The payoffs of all players in braces, with or without commas."""
    tokens.expect("{")
    pays = []
    for k in range(players):
        if k:
            tokens.accept(",")
        pays.append(tokens.number("a payoff for each player"))
    tokens.accept(",")
    tokens.expect("}")
    return tuple(pays)


# From the nodes to the text of a game.


def efg_as_game(tree: ListedTree, losses: Losses) -> str:
    """The text of a game with this tree. Raises :class:`~zermelo.grammar.diagnostics.Mistake`: ``imperfect-recall``,
    ``foreign-syntax`` for a sum of payoffs that is too long,
    ``probabilities-not-one``, ``negative-probability``."""
    _drop_impossible(tree.root, losses)
    pasts = _pasts(tree)
    _check_recall(tree, pasts)
    sizes = {key: len(places) for key, places in pasts.items()}
    players = player_names(tree.players, tree.players_span, losses)
    moves = move_names(
        [(action, node.span) for node in tree.root.all_nodes() for action in node.actions], losses, "labels of actions"
    )
    labels = _label_names(tree, sizes, players, losses)
    lines = heading(tree.title, tree.title_span, tree.comment, players, losses)
    lines.append("tree:")
    zero = (Fraction(0),) * len(tree.players)

    def add(node: ListedNode, before: str, depth: int, earned: tuple[Fraction, ...]) -> None:
        indent = "    " * depth
        if node.set is None:
            lines.append(f"{indent}{before}({', '.join(_amounts(node, earned))})")
            return
        if any(map(Fraction, node.pays)):
            losses.note(
                "moved-payoff",
                "payoffs inside the tree are added at its ends",
                node.span,
                f"({', '.join(node.pays)})",
            )
            earned = tuple(sum_ + Fraction(pay) for sum_, pay in zip(earned, node.pays, strict=True))
        player, _ = node.set
        if player == _CHANCE:
            lines.append(f"{indent}{before}chance:")
            for chance, action, child in zip(node.chances, node.actions, node.children, strict=True):
                add(child, f"{number_text(chance)} {moves[action].written}: ", depth + 1, earned)
        else:
            lines.append(f"{indent}{before}{players[player - 1].name}{labels.get(node.set, '')}:")
            for action, child in zip(node.actions, node.children, strict=True):
                add(child, f"{moves[action].written}: ", depth + 1, earned)

    add(tree.root, "", 1, zero)
    return "\n".join(lines) + "\n"


def _amounts(node: ListedNode, earned: Sequence[Fraction]) -> list[str]:
    """The payoffs at an end: as they are written there, if nothing is added."""
    if not any(earned):
        return [number_text(pay) for pay in node.pays or ("0",) * len(earned)]
    pays = node.pays or ("0",) * len(earned)
    sums = [sum_ + Fraction(pay) for sum_, pay in zip(earned, pays, strict=True)]
    if any(len(str(part)) > MOST_DIGITS for total in sums for part in (abs(total.numerator), total.denominator)):
        message = f"the payoffs on the way to this end have a sum with more than {MOST_DIGITS} digits"
        raise Mistake("foreign-syntax", node.span, message)
    return list(map(str, sums))


def heading(title: str, span: Span, comment: str, players: Sequence[Renamed], losses: Losses) -> list[str]:
    """The first lines of a game: its title, the comment of the file, its players."""
    shown = plain(title) or "Untitled"
    if shown != " ".join(title.split()):
        losses.note_renamed("titles", span, title, shown)
    remarks = [f"# {plain(line)}".rstrip() for line in comment.strip().splitlines()]
    names = ", ".join(player.written for player in players)
    return [f'game "{shown}"', "", *remarks, *([""] if remarks else []), f"players {names}", ""]


def player_names(labels: Sequence[str], span: Span, losses: Losses) -> list[Renamed]:
    """The names of the players, told apart."""
    apart = told_apart([label or "player" for label in labels])
    names = names_of(apart, "player", NOT_FOR_PLAYERS)
    for before, after in zip(labels, apart, strict=True):
        losses.note_renamed("names of players", span, before, names[after].shown)
    return [names[label] for label in apart]


def move_names(places: Sequence[tuple[str, Span]], losses: Losses, what: str) -> dict[str, Renamed]:
    """The names of moves and outcomes, by their labels."""
    names = names_of((label for label, _ in places), _MOVE)
    for label, span in dict(reversed(places)).items():
        losses.note_renamed(what, span, label, names[label].shown)
    return names


def _label_names(
    tree: ListedTree, sizes: Mapping[SetKey, int], players: Sequence[Renamed], losses: Losses
) -> dict[SetKey, str]:
    """The ``@label`` of each information set of a player that has a label in the file, or several nodes."""
    firsts = {node.set: node for node in reversed([*tree.root.all_nodes()]) if node.set is not None}
    named: dict[SetKey, str] = {}
    for (player, number), node in reversed(firsts.items()):
        label = plain(tree.set_labels[player, number])
        if player == _CHANCE:
            if label:
                losses.note("dropped-part", "labels of draws are left out", node.span, f"'{label}'")
            continue
        if label or sizes[player, number] > 1:
            name = as_name(label)
            if not name.strip("_"):
                name = f"{players[player - 1].name}_{number}"
            elif name != label and name.startswith("_"):
                name = f"set{name}"
            named[player, number] = numbered(name, "_", set(named.values()))
            if label:
                losses.note_renamed("labels of information sets", node.span, label, named[player, number])
    return {key: f" @{name}" for key, name in named.items()}


def _drop_impossible(root: ListedNode, losses: Losses) -> None:
    """Check the probabilities of all draws, and leave out what has none."""
    for node in root.all_nodes():
        if not node.chances:
            continue
        amounts = list(map(Fraction, node.chances))
        if min(amounts) < 0:
            raise Mistake("negative-probability", node.span, f"a probability is negative: {min(amounts)}")
        if sum(amounts) != 1:
            message = f"the probabilities sum to {sum(amounts)}, not to 1"
            help = "write them as fractions, as in 1/3, which sum to exactly 1"
            raise Mistake("probabilities-not-one", node.span, message, help=help)
        if not all(amounts):
            for amount, action in zip(amounts, node.actions, strict=True):
                if not amount:
                    what = "branches of probability 0 are left out, with all behind them"
                    losses.note("dropped-part", what, node.span, f"'{plain(action)}'")
            kept = [k for k, amount in enumerate(amounts) if amount]
            node.children = [node.children[k] for k in kept]
            node.actions = tuple(node.actions[k] for k in kept)
            node.chances = tuple(node.chances[k] for k in kept)


Past = tuple[tuple[SetKey, str], ...]
"""A player's information sets on the way to a node, with the moves there."""


@define(eq=False)
class _Place:
    """A node of an information set: the actions that lead there, and which of them are its player's own."""

    node: ListedNode
    play: tuple[str, ...]
    own: Past


def _pasts(tree: ListedTree) -> dict[SetKey, list[_Place]]:
    """The nodes of every information set, in the order of the file."""
    found: dict[SetKey, list[_Place]] = {}
    waiting: list[tuple[ListedNode, tuple[str, ...], dict[int, Past]]] = [(tree.root, (), {})]
    while waiting:
        node, play, pasts = waiting.pop()
        if node.set is None:
            continue
        player, _ = node.set
        own = pasts.get(player, ())
        found.setdefault(node.set, []).append(_Place(node, play, own))
        for action, child in zip(reversed(node.actions), reversed(node.children), strict=True):
            waiting.append((child, (*play, action), {**pasts, player: (*own, (node.set, action))}))
    return found


def _check_recall(tree: ListedTree, pasts: dict[SetKey, list[_Place]]) -> None:
    """Raise for a set whose player forgets: what they did, what they knew, or that they have been there."""
    for key, (first, *others) in pasts.items():
        player, number = key
        other = next((place for place in others if place.own != first.own), None)
        if player == _CHANCE or other is None:
            continue
        label = plain(tree.set_labels[key])
        name = plain(tree.players[player - 1]) or f"player {player}"
        named = f"information set {number}" + (f" ('{label}')" if label else "")
        is_absent = any(key in (passed for passed, _ in place.own) for place in (first, other))
        differs = [action for _, action in first.own] != [action for _, action in other.own]
        forgets = "made other moves" if differs else "moved where they knew something else"
        raise Mistake(
            "imperfect-recall",
            other.node.span,
            f"{name} forgets: {named} joins {_in_words(first.play)} with {_in_words(other.play)}, "
            + ("which has passed through this set before" if is_absent else f"and {name} {forgets} on the way"),
            labels=(Label(first.node.span, "the set begins here"),),
            help="games of the language have perfect recall: nobody forgets what they have seen and done. Give these "
            "nodes sets of their own, or let a team of several players with the same payoffs move here",
        )


def _in_words(play: Sequence[str]) -> str:
    return f"the play ({', '.join(map(plain, play))})" if play else "the beginning"


def as_tree(source: Source, losses: Losses) -> str:
    """The text of a game for the text of an ``.efg``. Raises as :func:`read_efg` and :func:`efg_as_game` do."""
    return efg_as_game(read_efg(GambitTokens(source), losses), losses)
