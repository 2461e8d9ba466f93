"""From a text in any format that is read to the text of a game: Gambit's trees (``.efg``) and tables (``.nfg``).

The chapter goes from the words of a file to a tree, to a table, and to what :func:`read_game` gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Final, NoReturn

from attrs import define, field, frozen

from zermelo.formats.labels import NOT_FOR_PLAYERS, Losses, Renamed, names_of, numbered, plain, told_apart
from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings, InvalidGame, Label, Mistake, Source, Span
from zermelo.grammar.names import as_name
from zermelo.grammar.reading import GAMBIT, LARGEST, position

# The words of Gambit's files: texts in quotes, braces, commas, numbers and letters.


_TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"|[{},]|[^\s{},"]+|"', re.DOTALL)
_NUMBER: Final = re.compile(r"[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
MOST_DIGITS: Final = 100
"""The most digits of a number, as in the language; an exponent stands for so many of them."""


@define(eq=False)
class GambitTokens:
    """The tokens of a file, read one after the other. Whatever does not fit raises
    :class:`~zermelo.grammar.diagnostics.Mistake` (``foreign-syntax``) at the token."""

    source: Source
    _found: list[re.Match[str]] = field(init=False)
    _at: int = 0

    def __attrs_post_init__(self) -> None:
        self._found = list(_TOKEN.finditer(self.source.text))

    @property
    def ended(self) -> bool:
        """Whether no token is left."""
        return self._at == len(self._found)

    @property
    def span(self) -> Span:
        """Where the next token is, or the end of the text."""
        text = self.source.text
        start, end = (len(text.rstrip()),) * 2 if self.ended else self._found[self._at].span()
        first_line_end = text.find("\n", start, end)  # a text may have several lines
        return position(text, start, end if first_line_end < 0 else first_line_end)

    def refuse(self, wanted: str) -> NoReturn:
        """Raise that something else is ``wanted`` here."""
        there = "the file ends here" if self.ended else f"{self._peek()[:40]} cannot stand here"
        raise Mistake("foreign-syntax", self.span, f"{there}: this must be {wanted}")

    def _peek(self) -> str:
        return "" if self.ended else self._found[self._at].group()

    def _take(self) -> str:
        taken = self._peek()
        self._at += 1
        return taken

    def sees(self, token: str) -> bool:
        """Whether this token is next."""
        return self._peek() == token

    def sees_text(self) -> bool:
        """Whether a text in quotes is next."""
        return len(self._peek()) > 1 and self._peek().startswith('"')

    def accept(self, token: str) -> bool:
        """Pass this token if it is next."""
        if not self.sees(token):
            return False
        self._at += 1
        return True

    def expect(self, token: str) -> None:
        """Pass this token."""
        if not self.accept(token):
            self.refuse(f"'{token}'")

    def word(self, wanted: str) -> str:
        """A word without quotes."""
        if self._peek()[:1] in ("", '"', "{", "}", ","):
            self.refuse(wanted)
        return self._take()

    def text(self, wanted: str) -> str:
        """A text without its quotes."""
        if not self.sees_text():
            self.refuse(wanted)
        return self._take()[1:-1].replace('\\"', '"')

    def optional_text(self) -> str:
        """A text if one is next, else the empty one."""
        return self.text("a text") if self.sees_text() else ""

    def whole_number(self, wanted: str) -> int:
        """A number from 0."""
        if not re.fullmatch(r"[0-9]{1,9}", self._peek()):
            self.refuse(wanted)
        return int(self._take())

    def sees_number(self) -> bool:
        """Whether a number is next."""
        return _NUMBER.fullmatch(self._peek()) is not None

    def number(self, wanted: str) -> str:
        """A number as it is written: ``-1/3``, ``0.25``, ``1e-3``."""
        if not self.sees_number():
            self.refuse(wanted)
        digits, power = re.split("[eE]", self._peek() + "e0")[:2]
        if len(power) > 4 or max(map(len, digits.strip("+-").split("/"))) + abs(int(power)) > MOST_DIGITS:
            self.refuse(f"{wanted}, of at most {MOST_DIGITS} digits")
        if re.search(r"/0+$", self._peek()):
            self.refuse(f"{wanted}, and no division by 0")
        return self._take()


_AS_IN_THE_LANGUAGE: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+|/[0-9]+)?")


def number_text(written: str) -> str:
    """A number as the language writes it: as it is, if that can be read there."""
    return written if _AS_IN_THE_LANGUAGE.fullmatch(written) else str(Fraction(written))


# Gambit's trees (``.efg``): read leniently, and written as a tree of the language.
#
# A file lists the nodes in prefix order: each decision and draw before what follows it. The first node of an
# information set says what its actions are called; others may leave that out, and an outcome may give its payoffs once
# and be meant by its number later. Payoffs may stand at any node, and add up along a play.
#
# Source: the format as Gambit documents it, "The extensive game (.efg) file format" (McKelvey, McLennan and Turocy).


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


# Gambit's tables (``.nfg``): read, and written as a table of the language or, unless two play, as a tree.
#
# The payoffs of all profiles follow in an order in which the first player's strategy changes fastest: as numbers, or as
# numbers of outcomes, which are listed before with their payoffs.
#
# Source: the format as Gambit documents it, "The strategic game (.nfg) file format".


@frozen
class ListedTable:
    """A whole file: the strategies of every player, and what every profile pays, as it is written; the first player's
    strategy changes fastest."""

    title: str
    title_span: Span
    players: tuple[str, ...]
    players_span: Span
    comment: str
    strategies: tuple[tuple[str, ...], ...]
    strategies_span: Span
    pays: tuple[tuple[str, ...], ...]


def read_nfg(tokens: GambitTokens, losses: Losses) -> ListedTable:
    """The table of a file. Raises :class:`~zermelo.grammar.diagnostics.Mistake` (``foreign-syntax``)."""
    title_span, title, players_span, players = read_heading(tokens)
    strategies_span = tokens.span
    strategies = _strategies(tokens, players, losses)
    comment = tokens.optional_text()
    count = prod(map(len, strategies))
    pays = _outcomes(tokens, len(players), count, losses) if tokens.sees("{") else _numbers(tokens, len(players), count)
    if not tokens.ended:
        tokens.refuse(f"the end of the file: the table has {count:,} profiles")
    return ListedTable(title, title_span, players, players_span, comment, strategies, strategies_span, tuple(pays))


def _strategies(tokens: GambitTokens, players: Sequence[str], losses: Losses) -> tuple[tuple[str, ...], ...]:
    """The strategies of every player: their labels in braces, or how many there are."""
    span = tokens.span
    tokens.expect("{")
    found = []
    while not tokens.accept("}"):
        if tokens.accept("{"):
            labels = []
            while not tokens.accept("}"):
                labels.append(tokens.text("the label of a strategy, in quotes"))
        else:
            at = tokens.span
            count = tokens.whole_number("how many strategies a player has, or their labels")
            if count > LARGEST:
                raise Mistake("foreign-syntax", at, f"a file of {LARGEST:,} bytes has no room for {count:,} strategies")
            labels = [str(k + 1) for k in range(count)]
        apart = told_apart([label or "move" for label in labels])
        for before, after in zip(labels, apart, strict=True):
            losses.note_renamed("strategies of one player", span, before, after)
        found.append(tuple(apart))
    if len(found) != len(players) or not all(found):
        raise Mistake("foreign-syntax", span, "each player needs a strategy at least")
    return tuple(found)


def _numbers(tokens: GambitTokens, players: int, count: int) -> list[tuple[str, ...]]:
    """The payoffs of all profiles as numbers."""
    pays = []
    for _ in range(count):
        pays.append(
            tuple(tokens.number(f"a payoff for each player in each of {count:,} profiles") for _ in range(players))
        )
        tokens.accept(",")
    return pays


def _outcomes(tokens: GambitTokens, players: int, count: int, losses: Losses) -> list[tuple[str, ...]]:
    """The payoffs of all profiles by their outcomes; outcome 0 pays nothing."""
    listed: list[tuple[str, ...]] = [("0",) * players]
    tokens.expect("{")
    while not tokens.accept("}"):
        tokens.expect("{")
        span = tokens.span
        label = tokens.text("the label of an outcome, in quotes")
        if label:
            losses.note("dropped-part", "labels of outcomes are left out", span, f"'{plain(label)}'")
        pays = []
        for _ in range(players):
            tokens.accept(",")
            pays.append(tokens.number("a payoff for each player"))
        tokens.expect("}")
        listed.append(tuple(pays))
    chosen = []
    for _ in range(count):
        span = tokens.span
        number = tokens.whole_number(f"the outcome of each of {count:,} profiles")
        if number >= len(listed):
            raise Mistake("foreign-syntax", span, f"there is no outcome {number}: {len(listed) - 1} are listed")
        chosen.append(listed[number])
    return chosen


# From the table to the text of a game.


def nfg_as_game(table: ListedTable, losses: Losses) -> str:
    """The text of a game with this table.

    Raises :class:`~zermelo.grammar.diagnostics.Mistake` (``nested-too-deep``)."""
    if len(table.players) > DEEPEST:
        message = f"more than {DEEPEST} players choose one after the other in the tree of this table"
        raise Mistake("nested-too-deep", table.players_span, message)
    players = player_names(table.players, table.players_span, losses)
    places = [(label, table.strategies_span) for own in table.strategies for label in own]
    moves = move_names(places, losses, "labels of strategies")
    lines = heading(table.title, table.title_span, table.comment, players, losses)
    names = [player.name for player in players]
    written = [[moves[label].written for label in own] for own in table.strategies]
    counts = list(map(len, table.strategies))

    def pays(profile: Sequence[int]) -> str:
        place = 0
        for count, strategy in zip(reversed(counts), reversed(profile), strict=True):
            place = place * count + strategy
        return ", ".join(map(number_text, table.pays[place]))

    if len(names) == 2:
        lines += ["table:", f"    {names[0]} \\ {names[1]} | {' | '.join(written[1])}"]
        for row, choice in enumerate(written[0]):
            cells = (pays((row, column)) for column in range(counts[1]))
            lines.append(f"    {choice} | {' | '.join(cells)}")
    else:
        lines += ["tree:", *_as_tree(names, written, pays)]
    return "\n".join(lines) + "\n"


def _as_tree(names: Sequence[str], written: Sequence[Sequence[str]], pays: Callable[[Sequence[int]], str]) -> list[str]:
    """The lines of a tree in which all choose one after the other, and nobody sees what the others have chosen: in a
    table the choices of a third player can have no display names."""
    lines: list[str] = []

    def add(before: str, profile: tuple[int, ...]) -> None:
        player = len(profile)
        indent = "    " * (player + 1)
        if player == len(names):
            lines.append(f"{indent}{before}({pays(profile)})")
            return
        label = f" @{names[player]}" if player else ""
        lines.append(f"{indent}{before}{names[player]}{label}:")
        for strategy, choice in enumerate(written[player]):
            add(f"{choice}: ", (*profile, strategy))

    add("", ())
    return lines


def as_table(source: Source, losses: Losses) -> str:
    """The text of a game for the text of an ``.nfg``. Raises as :func:`read_nfg` and :func:`nfg_as_game`
    do."""
    return nfg_as_game(read_nfg(GambitTokens(source), losses), losses)


# From a text in any format that is read to the text of a game.


@frozen
class ReadGame:
    """The text of a game, the format that it was read from (``game``, ``efg`` or ``nfg``), and a finding for each kind
    of thing that has been lost on the way."""

    source: Source
    format: str = "game"
    losses: tuple[Finding, ...] = ()


def format_of(text: str) -> str:
    """The format of a text, by its first line."""
    found = re.match(GAMBIT, text)
    return "game" if found is None else found[1].lower()


def read_game(source: Source) -> ReadGame:
    """The text of a game for a text in any format; a game is returned as it is.

    Raises ``InvalidGame`` for what does not fit the format that its first line names (``foreign-syntax``), and for what
    the language does not have: ``imperfect-recall``, ``probabilities-not-one``, ``negative-probability``,
    ``nested-too-deep``, ``file-too-large``."""
    kind = format_of(source.text)
    if kind == "game":
        return ReadGame(source)
    findings = Findings(source)
    losses = Losses(findings)
    try:
        text = (as_tree if kind == "efg" else as_table)(source, losses)
        if len(text) > LARGEST:
            message = f"as a game this file has {len(text):,} characters; at most {LARGEST:,} are read"
            raise Mistake("file-too-large", NOWHERE, message)
    except Mistake as mistake:
        mistake.report(findings)
        raise InvalidGame(findings) from None
    losses.report()
    return ReadGame(Source(f"{source.name} as a game", text), kind, tuple(findings))
