"""The bundled games against OpenSpiel's, move for move, if it is installed and has the same rules.

Both are walked in parallel, in full or by random plays. At every history the same player is to move, or chance with the
same probabilities; the moves correspond one to one; the information sets are the same; and so are the payoffs at the
end. Decisions with a single move are skipped on both sides: some rules have them, some do not.

Games with the same name but other rules are left out: in OpenSpiel the posts of Colonel Blotto count differently, pig
players may stop before they have rolled, bids in auctions are below the value of the item, the prisoner's dilemma and
the stag hunt pay other amounts, and a whole turn of backgammon is one move.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest
from attrs import define, field, frozen

import zermelo
from zermelo.interpreter.machine import CHANCE, END, Machine, Move
from zermelo.interpreter.values import Cell, Direction, OrderedSet, Value


class Point(NamedTuple):
    """A cell: its column and row, counted from 0, its name, and its name on a board of eight rows upside down."""

    x: int
    y: int
    name: str
    mirrored: str


def shown(value: Value) -> Any:
    """One of our values in the form of the texts below."""
    if isinstance(value, Cell):
        name = str(value)
        return Point(value.x - 1, value.y - 1, name, f"{name[0]}{9 - value.y}")
    if isinstance(value, Direction):
        return "horizontally" if value.dx else "vertically"
    if isinstance(value, OrderedSet):
        cards = sorted(value, key=lambda card: (card[1].index, card[0].index), reverse=True)
        return "".join(f"{suit}"[0].upper() + f"{rank}"[0].upper() for rank, suit in cards)
    return "" if value is None else value


def plainly(state: Any, action: int) -> str:
    """OpenSpiel's text for an action."""
    return state.action_to_string(action)


def without_captures(state: Any, action: int) -> str:
    return plainly(state, action).removesuffix("*")


def in_coordinates(state: Any, action: int) -> str:
    """A move of chess by squares and promotion: ``e7e8queen``."""
    move = pyspiel().chess.action_to_move(action, state.board())
    kind = move.promotion_type.name.lower()
    return move.to_lan()[:4] + ("" if kind == "empty" else kind)


def by_row_and_column(state: Any, action: int) -> str:
    """A cell of a board of three columns: ``row,column``."""
    return "{},{}".format(*divmod(action, 3))


def as_he_counts(state: Any, action: int) -> str:
    """A pit of kalah; in OpenSpiel the second player's are 8 to 13."""
    return str(action % 7)


def without_the_count(text: str) -> str:
    """What a player knows in dark hex, without the number of all moves: no umpire announces attempts in vain."""
    return "\n".join(line for line in text.split("\n") if not line.isdecimal())


def pyspiel() -> Any:
    return pytest.importorskip("pyspiel")


@frozen
class Twin:
    """A game in both programs. ``words`` translate a rule, or a single move, to OpenSpiel: texts with the arguments
    by number, ``{p}`` or ``{mark}`` for the player, and ``&`` between several actions for one move of ours.
    ``plays`` random plays are walked, of at most ``longest`` moves; 0 means all plays. ``first`` is the number of
    the first player in OpenSpiel, ``said`` gives its text of an action, ``told`` what counts in its text of an
    information set. If it ``forgets``, its information sets are coarser: they ignore the order of observations."""

    name: str
    theirs: str
    words: dict[str, str]
    parameters: dict[str, Any] = field(factory=dict)
    plays: int = 0
    longest: int = 10**6
    first: int = 0
    said: Callable[[Any, int], str] = plainly
    told: Callable[[str], str] = str
    forgets: bool = False

    def __str__(self) -> str:
        return ",".join([self.name, *(f"{name}={value}" for name, value in self.parameters.items())])

    def translated(self, player: int, move: Move) -> tuple[str, ...]:
        """One of our moves in OpenSpiel's words."""
        text = self.words.get(str(move)) or self.words[move.name]
        side = {"mark": "xo"[player % 2], "colour": "BW"[player % 2], "home": 1 + 7 * player}
        return tuple(text.format(*map(shown, move.arguments), p=player, number=player + 1, **side).split(" & "))


BETS = {"check": "Pass", "bet": "Bet", "fold": "Pass", "call": "Bet"}
KUHN = {"deal": "Deal:{0.index} & Deal:{1.index}", **BETS}
KUHN_FOR_SEVERAL = {**{f"deal({card})": f"Deal:{card - 1}" for card in range(1, 6)}, **BETS}
LEDUC = {
    **{
        f"{deal}(({rank}, {suit}))": f"Chance outcome:{2 * r + s}"
        for deal in ("deal", "turn_up")
        for r, rank in enumerate("JQK")
        for s, suit in enumerate(("hearts", "spades"))
    },
    "check": "Call",
    "call": "Call",
    "fold": "Fold",
    "raise": "Raise",
}
DICE = {"roll": "Roll {0}", "bid": "{0}-{1}", "liar": "Liar"}
BIDS = {"bid": "[P{p}]Bid: {0}", "prize": "Deal {0}"}
SHIPS = {
    "place": "Pl{p}: place ship {1} with top-left corner in ({0.y}, {0.x})",
    "fire": "Pl{p}: shoot at ({0.y}, {0.x})",
}
SHERIFF = "sheriff(item_value={}.0,item_penalty=1.0,sheriff_penalty=1.0,max_items={},max_bribe={},num_rounds={})"
CART = {
    "load": "PlaceIllegalItems(num={0})",
    "offer": "Bribe(amount={0})",
    "search": "InspectionFeedback(will_inspect=True)",
    "pass": "InspectionFeedback(will_inspect=False)",
}
THROWS = {"show(rock)": "Rock", "show(paper)": "Paper", "show(scissors)": "Scissors"}
MARKS = {"mark": "{mark}({0.y},{0.x})"}
LINES = {"lay": "P{number}(h,{0.y},{0.x})", "stand": "P{number}(v,{0.y},{0.x})"}
# In OpenSpiel's dark hex the first player joins the other two sides: rows and columns are exchanged.
DARK_HEX = {f"place({'abcd'[x]}{y + 1})": f"{'abcd'[y]}{x + 1}" for x in range(4) for y in range(4)}
TRICKS = {
    **{f"dealer(P{k + 1})": str(k) for k in range(4)},
    **{
        f"{rule}(({rank}, {suit}))": f"{suit[0].upper()}{r + 2}"
        for rule in ("deal", "turn_up", "lead", "follow")
        for r, rank in enumerate(("two", "three", "four", "five"))
        for suit in ("clubs", "diamonds", "spades")
    },
    "bid": "{0}",
}
COMPASS = ("north", "south", "west", "east")  # in OpenSpiel the first row is the upper one, here the lower one
COINS = {
    **{f"like({colour})": str(k) for k, colour in enumerate(("red", "blue", "green", "yellow"))},
    **{
        f"{rule}({'abcd'[x]}{y + 1})": str(4 * y + x) for rule in ("put", "scatter") for x in range(4) for y in range(3)
    },
    **{f"walk({to})": word for to, word in zip(COMPASS, ("down", "up", "left", "right"), strict=True)},
    "stand": "stand",
}
TINY_BRIDGE = {
    "deal": "{0} & {1}",
    **{
        f"bid(({tricks}, {trumps}))": f"{tricks}{word}"
        for tricks in (1, 2)
        for trumps, word in (("hearts", "H"), ("spades", "S"), ("no_trumps", "NT"))
    },
    "pass": "Pass",
}
HANABI = {
    **{
        f"{rule}(({colour}, {rank}))": f"(Deal {colour[0].upper()}{rank})"
        for rule in ("deal", "draw")
        for colour in ("red", "yellow", "green")
        for rank in range(1, 6)
    },
    **{f"{rule}({slot})": f"({rule.title()} {slot - 1})" for rule in ("play", "discard") for slot in range(1, 6)},
    **{f"name_colour({word})": f"(Reveal player +1 color {word[0].upper()})" for word in ("red", "yellow", "green")},
    "name_rank": "(Reveal player +1 rank {0})",
}
GO = {"place": "{colour} {0.name}", "pass": "{colour} PASS"}
JUMPS = {"step": "{0.name}{1.name}", "jump": "{0.name}{1.name}"}
CHESS = {
    "go_to": "{0.name}{1.name}{2}",
    "castle(king_side)": "e{home}g{home}",
    "castle(queen_side)": "e{home}c{home}",
}
COIN_GAME = "coin_game(players={},rows=3,columns=4,num_coins_per_color=2,num_extra_coin_colors={},episode_length={})"
GOOFSPIEL = "goofspiel(num_cards={},imp_info={},points_order={})"
HANABI_GAME = "hanabi(players=2,colors={},ranks={},hand_size={},max_information_tokens={},max_life_tokens={})"
WHOLE_HANDS = {"colours": 3, "ranks": 5, "each": 5, "hints": 8, "lives": 3}
OH_HELL = "oh_hell(players={},num_suits={},num_cards_per_suit={},num_tricks_fixed={})"
BATTLESHIP = (
    "battleship(board_width={},board_height={},ship_sizes=[{}],ship_values=[{}],num_shots={},"
    "allow_repeated_shots=false)"
)
TWO_SHIPS = {"columns": 3, "rows": 3, "second": 2, "shots": 4}
FLEET = {"columns": 10, "rows": 10, "length": 5, "second": 4, "third": 3, "fourth": 3, "fifth": 2, "shots": 100}

TWINS = [
    Twin("kuhn_poker", "kuhn_poker", KUHN),
    Twin("kuhn_poker_for_several", "kuhn_poker", KUHN_FOR_SEVERAL, {"players": 2}),
    Twin("kuhn_poker_for_several", "kuhn_poker(players=3)", KUHN_FOR_SEVERAL),
    Twin("kuhn_poker_for_several", "kuhn_poker(players=4)", KUHN_FOR_SEVERAL, {"players": 4}),
    Twin("leduc_poker", "leduc_poker", LEDUC),
    Twin("liars_dice", "liars_dice(dice_sides=3)", DICE, {"sides": 3}),
    Twin("liars_dice", "liars_dice", DICE, plays=200),
    Twin("liars_dice", "liars_dice(numdice=2)", DICE, {"dice": 2}, plays=200, forgets=True),
    Twin("goofspiel", GOOFSPIEL.format(3, "true", "descending"), BIDS),
    Twin("goofspiel", GOOFSPIEL.format(3, "true", "random"), BIDS, {"shuffled": True}),
    Twin("goofspiel", GOOFSPIEL.format(4, "false", "descending"), BIDS, {"cards": 4, "open": True}, forgets=True),
    Twin("battleship", BATTLESHIP.format(2, 2, 1, 1, 2), SHIPS),
    Twin("battleship", BATTLESHIP.format(3, 2, 2, 1, 2), SHIPS, {"columns": 3, "length": 2}, plays=300),
    Twin("battleship", BATTLESHIP.format(3, 3, "1;2", "1;1", 4), SHIPS, TWO_SHIPS, plays=100),
    Twin("battleship", BATTLESHIP.format(10, 10, "5;4;3;3;2", "1;1;1;1;1", 100), SHIPS, FLEET, plays=2),
    Twin("sheriff", SHERIFF.format(5, 3, 2, 2), CART),
    Twin("sheriff", SHERIFF.format(3, 2, 1, 3), CART, {"worth": 3, "most": 2, "bribe": 1, "rounds": 3}),
    Twin("matching_pennies", "matrix_mp", {"heads": "Heads", "tails": "Tails"}),
    Twin("rock_paper_scissors", "matrix_rps", THROWS),
    Twin("battle_of_the_sexes", "matrix_bos", {"opera": "Bach", "football": "Stravinsky"}),
    Twin("blind_tic_tac_toe", "phantom_ttt", MARKS, plays=200),
    Twin("blind_tic_tac_toe", "phantom_ttt(obstype=reveal-numturns)", MARKS, {"announced": True}, plays=200),
    Twin("dark_hex", "dark_hex(num_rows=2,num_cols=2)", DARK_HEX, told=without_the_count),
    Twin("dark_hex", "dark_hex(num_rows=2,num_cols=2,obstype=reveal-numturns)", DARK_HEX, {"announced": True}),
    Twin("dark_hex", "dark_hex", DARK_HEX, {"size": 3}, plays=200, told=without_the_count),
    Twin("dark_hex", "dark_hex(num_rows=4,num_cols=4)", DARK_HEX, {"size": 4}, plays=100, told=without_the_count),
    Twin("oh_hell", OH_HELL.format(3, 2, 4, 2), TRICKS, plays=200),
    Twin("oh_hell", OH_HELL.format(4, 3, 3, 2), TRICKS, {"players": 4, "suits": 3, "ranks": 3}, plays=100),
    Twin(
        "coin_game",
        COIN_GAME.format(2, 1, 9),
        COINS,
        {"columns": 4, "each": 2, "steps": 9},
        plays=100,
        forgets=True,
    ),
    Twin(
        "coin_game",
        COIN_GAME.format(3, 0, 12),
        COINS,
        {"players": 3, "columns": 4, "each": 2, "extra": 0, "steps": 12},
        plays=100,
        forgets=True,
    ),
    Twin("hanabi", HANABI_GAME.format(1, 2, 1, 2, 1), HANABI, {"colours": 1, "each": 1}, forgets=True),
    Twin("hanabi", HANABI_GAME.format(2, 2, 2, 2, 3), HANABI, {"lives": 3}, plays=200, forgets=True),
    Twin("hanabi", HANABI_GAME.format(3, 5, 5, 8, 3), HANABI, WHOLE_HANDS, plays=30, forgets=True),
    Twin("tiny_bridge", "tiny_bridge_2p", TINY_BRIDGE, plays=200),
    Twin("tic_tac_toe", "tic_tac_toe", MARKS, plays=200),
    Twin("tic_tac_toe", "mnk(m=4,n=4,k=4)", MARKS, {"size": 4}, plays=50),
    Twin("connect_four", "connect_four", {f"drop({x})": f"{{mark}}{x - 1}" for x in range(1, 8)}, plays=50),
    Twin("nim", "nim(pile_sizes=3;4;5,is_misere=false)", {"take": "pile:{0}, take:{1};"}, plays=200),
    Twin("dots_and_boxes", "dots_and_boxes(num_rows=2,num_cols=3,utility_margin=true)", LINES, {"rows": 2}, plays=50),
    Twin("hex", "hex(num_cols=3,num_rows=3)", {"place": "{0.x},{0.y}"}, {"size": 3}, plays=100, said=by_row_and_column),
    Twin("breakthrough", "breakthrough", {"step": "{0.mirrored}{1.mirrored}"}, plays=10, said=without_captures),
    Twin("othello", "othello", {"place": "{0.name}"}, plays=10),
    Twin("go", "go(board_size=5,komi=7.0,max_game_length=1000)", GO, {"size": 5}, plays=10),
    Twin("checkers", "checkers", JUMPS, plays=20, longest=60),  # after that the rules of draws differ
    Twin("kalah", "mancala", {"sow": "{0}"}, plays=50, said=as_he_counts),
    Twin("chess", "chess", CHESS, plays=2, first=1, said=in_coordinates),
]


@define
class Walk:
    """A walk through both programs, with the information sets met so far."""

    twin: Twin
    machine: Machine[Any]
    all_is_seen: bool
    over_there: dict[Any, str] = field(factory=dict)
    here: dict[Any, Any] = field(factory=dict)

    def options(self, ours: Any) -> list[tuple[Move, float]]:
        """Our moves or outcomes, with their probabilities; 1 for moves."""
        if self.machine.actor(ours) == CHANCE:
            return [(move, float(probability)) for move, probability in self.machine.outcomes(ours)]
        return [(move, 1.0) for move in self.machine.moves(ours)]

    def settled(self, ours: Any, theirs: Any) -> tuple[Any, Any]:
        """Both states after all forced moves."""
        while len(options := self.options(ours)) == 1:
            ours = self.machine.after(ours, options[0][0])
        while len(actions := actions_of(theirs)) == 1:
            theirs = theirs.child(actions[0][0])
        return ours, theirs

    def compared(self, ours: Any, theirs: Any) -> list[tuple[Move, tuple[int, ...]]]:
        """The moves or outcomes of both programs, after their comparison; none at the end."""
        actor, options = self.machine.actor(ours), self.options(ours)
        assert theirs.is_terminal() == (actor == END)
        if actor == END:
            payoff, returns = list(map(float, self.machine.payoff(ours))), theirs.returns()
            assert payoff == pytest.approx(returns[self.twin.first :] + returns[: self.twin.first], abs=1e-9)
            return []
        assert theirs.is_chance_node() == (actor == CHANCE)
        if actor != CHANCE:
            assert (theirs.current_player() - self.twin.first) % theirs.num_players() == actor
            self.compare_knowledge(ours, theirs, actor)
        words = [self.twin.translated(actor, move) for move, _ in options]
        named = branches(theirs, len(words[0]), self.twin.said)
        assert sorted(words) == sorted(named)
        assert [named[said][0] for said in words] == pytest.approx([probability for _, probability in options])
        return [(move, named[said][1]) for said, (move, _) in zip(words, options, strict=True)]

    def after(self, ours: Any, theirs: Any, move: Move, actions: tuple[int, ...]) -> tuple[Any, Any]:
        """Both states a move later."""
        for action in actions:
            theirs = theirs.child(action)
        return self.settled(self.machine.after(ours, move), theirs)

    def compare_knowledge(self, ours: Any, theirs: Any, actor: int) -> None:
        """Information sets are the same in both programs, as far as both have been visited."""
        if self.all_is_seen:
            return
        mine = actor, self.machine.information_state(ours, actor)
        his = actor, self.twin.told(known_to_mover(theirs))
        assert self.over_there.setdefault(mine, his) == his
        assert self.twin.forgets or self.here.setdefault(his, mine) == mine


def known_to_mover(theirs: Any) -> str:
    """What the player to move knows; in games without information states, what they see."""
    has_states = theirs.get_game().get_type().provides_information_state_string
    return theirs.information_state_string() if has_states else theirs.observation_string(theirs.current_player())


def actions_of(theirs: Any) -> list[tuple[int, float]]:
    """OpenSpiel's actions or outcomes, with their probabilities; 1 for actions."""
    if theirs.is_chance_node():
        return list(theirs.chance_outcomes())
    return [(action, 1.0) for action in theirs.legal_actions()]


def branches(
    theirs: Any, length: int, said: Callable[[Any, int], str]
) -> dict[tuple[str, ...], tuple[float, tuple[int, ...]]]:
    """OpenSpiel's sequences of so many actions, by name, with their probabilities."""
    found = {}
    for action, probability in actions_of(theirs):
        word = said(theirs, action)
        behind = branches(theirs.child(action), length - 1, said) if length > 1 else {(): (1.0, ())}
        for words, (share, actions) in behind.items():
            found[word, *words] = probability * share, (action, *actions)
    return found


@pytest.mark.parametrize("twin", TWINS, ids=str)
def test_the_same_game_as_in_open_spiel(twin):
    spiel = pyspiel()
    game = spiel.load_game(twin.theirs)
    if game.get_type().dynamics == spiel.GameType.Dynamics.SIMULTANEOUS:
        game = spiel.convert_to_turn_based(game)
    all_is_seen = game.get_type().information == spiel.GameType.Information.PERFECT_INFORMATION
    machine = zermelo.load(twin.name, **twin.parameters).searching
    walk = Walk(twin, machine, all_is_seen)
    beginning = walk.settled(machine.initial(), game.new_initial_state())
    if not twin.plays:
        waiting = [beginning]
        while waiting:
            pair = waiting.pop()
            waiting += (walk.after(*pair, *choice) for choice in walk.compared(*pair))
    random = Random(1)
    for _ in range(twin.plays):
        pair = beginning
        for _ in range(twin.longest):
            choices = walk.compared(*pair)
            if not choices:
                break
            pair = walk.after(*pair, *random.choice(choices))
