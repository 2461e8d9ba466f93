"""What the words of the language and its functions mean, for people who point at one: a form, and a sentence or two of
the manual (docs/language.md)."""

from __future__ import annotations

import re
from typing import Final

from zermelo.grammar.names import WORD

_NAME: Final = re.compile(WORD)
_QUIET: Final = re.compile(r'#.*|"[^"\n]*"')

WORDS: Final = {
    # declarations
    "language": ("language 2", "The edition of the language that the file is written in; it stands first."),
    "game": ('game "Title"', "The title of the game. `zermelo new --sheet` prints the language on one page."),
    "players": ("players Ann, Bob", "The players, in their order around the table. They are the type `Player`."),
    "param": ("param size: 2..9 = 3", "A constant that `-p size=4` may change."),
    "require": ("require size > 1", "What must hold of the parameters, or the file is refused."),
    "type": ("type Suit = hearts | spades", "A finite type: members, a range, a board, or a record of such."),
    "var": ("var pile: 0..9 = 9  hidden", "A variable: with the phase, the variables are the position."),
    "setup": ("setup:", "Statements that run before the play begins."),
    "legend": ("legend board:", "The signs with which values are drawn and read."),
    "drawn": ("drawn board as disc", "What it looks like: a shape, a text, a colour; the pattern of a board."),
    "as": ("drawn board as disc red", "Comes before what something looks like."),
    "define": ("define free = {c in Cell if board[c] is none}", "A name for an expression; it may have parameters."),
    "action": ("action take(c: Cell):", "A name for statements; it may have parameters."),
    "start": ("start at play(Ann)", "The phase in which a play begins."),
    "phase": ("phase play(p: Player):", "A play is in one phase at a time: statements on entering, then one decision."),
    "tree": ("tree:", "A game as a tree, branch by branch, with payoffs at the leaves."),
    "table": ("table:", "A game as a table of payoffs."),
    "claim": ("claim zero_sum, terminates", "What the author holds to be true of the game."),
    "expect": ("expect value == (1, -1)", "An expectation that `zermelo test` tests."),
    "test": ('test "name":', "A play, and expectations of the position it leads to."),
    "reachable": ("reachable end win Ann", "Some play comes to such a position."),
    "never": ("never pile == 1", "No play comes to such a position."),
    "estimate": ("estimate for p: e", "What a position is worth for p where a search is cut off."),
    "unsettled": ("unsettled if e", "Where a search must not be cut off yet."),
    "order": ("order moves by e", "Which moves to search first; larger values come first."),
    "feature": ("feature mobility(p) = e", "A quantity for an estimate that is a weighted sum."),
    "weight": ("weight mobility = 1/10", "How much a feature, or an outcome of chance, counts."),
    "weighted": ("estimate for p: weighted sum", "The sum of all features, each times its weight."),
    "discount": ("discount 9/10", "A payment counts so much less for every decision before it."),
    "endless": ("endless draw", "What a play that never ends pays."),
    # decisions
    "turn": ("turn p:", "p chooses one of the moves."),
    "chance": (
        "chance:",
        "Chance draws an outcome, all equally likely, or by `weight` or `prob`; `chance for p in S:` draws for each p.",
    ),
    "together": ("together p in Player:", "Players choose at once, without seeing the choices of the others."),
    "move": ("move take(n in 1..3) if n <= pile:", "A move for all arguments for which the guard holds."),
    "outcome": ("outcome roll(d in 1..6):", "An outcome of chance for every choice of its arguments."),
    "if": ("if c: ... else: ...", "A guard, a statement or an expression: `if c then a else b`."),
    "ensuring": ("move go(c in Cell) ensuring not attacked:", "What must hold right after the effects of the move."),
    "preferring": ("turn p preferring (a, b):", "Only turns that are best by a, and among those by b, are allowed."),
    "prob": ("outcome heads prob 1/2:", "The probability of an outcome; all sum to exactly 1."),
    "otherwise": ("otherwise:", "What happens if the decision offers no move."),
    "then": ("then:", "What follows all choices of `together` or draws of `chance for`; also `if c then a else b`."),
    # statements
    "go": ("go play(other p)", "The play enters a phase."),
    "end": ("end win p", "The play ends: `end win p`, `end draw`, `end payoff (2, -2)`."),
    "win": ("end win p", "1 for the winners, shared equally, and -1 for the others."),
    "draw": ("end draw", "0 for everybody."),
    "payoff": ("end payoff {Ann: 2, Bob: 1}", "What each player gets; `payoff p: 2`: the other one of two loses it."),
    "earn": ("earn p: 3", "p gets so much now, whatever comes later."),
    "let": ("let n = e", "A name for a value."),
    "for": ("for c in Cell if g: ...", "For every member; the set is evaluated first."),
    "match": ("match e: ...", "Chooses by value; the cases must cover every value."),
    "else": ("else: ...", "If no condition before it held."),
    "tell": ("tell other p that taken(c)", "Gives players information."),
    "that": ("tell p that heard(e)", "Comes before what is told."),
    "reveal": ("reveal hand[p]", "Shows everybody a hidden value."),
    # who sees what
    "public": ("var pile: 0..9 = 9  public", "Seen by all; the same as no word."),
    "hidden": ("var deck: set of Card = Card  hidden", "Seen by nobody."),
    "private": ("var hand[Player]: Card  private", "Seen by the player who is its first index."),
    "seen": ("var coin: Bool  seen by Ann", "Who sees a variable."),
    "secret": ("move mark(c in Cell) secret", "The others do not perceive the move, or this argument of it."),
    "by": ("seen by Ann", "Part of `seen by`, `end by`, `order moves by` and `terminates by`."),
    # expressions
    "and": ("a and b", "Both hold; b is not asked if a does not."),
    "or": ("a or b", "One of them holds; b is not asked if a does."),
    "not": ("not a", "a does not hold."),
    "in": ("n in 1..3", "Is a member; or, in a move or a loop, is taken from."),
    "is": ("x is none", "Asks for `none`: `is none`, `is not none`."),
    "some": ("some c in S: g", "Whether g holds for one member."),
    "all": ("all c in S: g", "Whether g holds for all members."),
    "no": ("no c in S: g", "Whether g holds for no member."),
    "count": ("count c in S: g", "For how many members g holds."),
    "sum": ("sum c in S: e", "The sum of e over the members."),
    "max": ("max c in S: e", "The greatest e; also `max(a, b)`, and of a set. None if there is none."),
    "min": ("min c in S: e", "The least e; also `min(a, b)`, and of a set. None if there is none."),
    "first": ("first c in S: g", "The first member for which g holds; none if there is none."),
    "last": ("last c in S: g", "The last member for which g holds; none if there is none."),
    "while": ("{c in ray(a, d) while g}", "Stops before the first member for which g does not hold."),
    "until": ("{c in ray(a, d) until g}", "Stops after the first member for which g holds."),
    "reach": ("reach c from S: neighbours(c)", "Everything that can be reached by steps."),
    "from": ("reach c from S: e", "Where `reach` begins."),
    "where": ("e where a = 2", "Names for parts of an expression."),
    "none": ("none", "No value; an optional type, `T?`, has it besides those of T."),
    "true": ("true", "Holds."),
    "false": ("false", "Does not hold."),
    "other": ("other p", "The other one of two players."),
    "next": ("next p", "The player after p around the table; `next p in S`: the first one after p that is in S."),
    # types
    "set": ("set of Card", "A set of members."),
    "of": ("set of Card", "Part of `set of`."),
    "grid": ("grid(8, 8)", "A board with files a, b, ... and ranks 1, 2, ..."),
    "hex": ("hex(5, 5)", "A board of hexagons."),
    "ring": ("ring(12)", "Places in a circle."),
    "graph": ("graph(a-b, b-c)", "A board of named places with edges."),
    "edges": ("edges(Cell)", "The edges of a board."),
    # claims, expectations, tests
    "zero_sum": ("claim zero_sum", "What the players get sums to 0 wherever a play ends."),
    "constant_sum": ("claim constant_sum", "What the players get has the same sum wherever a play ends."),
    "common_payoff": ("claim common_payoff", "All players always get the same."),
    "deterministic": ("claim deterministic", "Chance never draws."),
    "perfect_information": ("claim perfect_information", "Who is to move always knows the position."),
    "symmetric": ("claim symmetric", "The game is the same with the players exchanged."),
    "terminates": ("claim terminates", "Every play ends; `terminates by e` names what falls."),
    "value": ("expect value == (1, -1)", "What the game is worth to each player."),
    "best": ("expect best == take(2)", "A best first move."),
    "positions": ("expect positions == 5478", "The number of positions."),
    "information_sets": ("expect information_sets == 12", "The number of information sets."),
    "plays": ("expect plays(3) == 8902", "The number of plays of that length."),
    "equilibrium": ("expect equilibrium (defect, defect)", "Nobody gains by deviating alone."),
    "within": ("expect value == 1/3 within 1/1000", "How far the value may be from it."),
    "with": ("expect value == 0 with size = 4", "Other parameters for a line."),
    "play": ("play mark(b2), mark(a1)", "In a test: the moves that are played."),
    "illegal": ("expect illegal take(3)", "In a test: the move is not legal."),
    "knows": ("expect knows(Bob, hand[Bob] == Q)", "It holds in every position that the player cannot tell apart."),
    "knows_value": ("expect knows_value(Bob, hand[Bob])", "Its value is the same in all these positions."),
    "layout": ('board := layout "X.." "..."', "Reads a board from the signs of its legend."),
    "at": ("start at play(Ann)", "Part of `start at`."),
    "to": ("reveal e to S", "Whom something is revealed to."),
    "moves": ("order moves by e", "Part of `order moves by`."),
    # functions
    "number": ("number(p)", "The number of a player or of another member, from 1; `Player(k)` is the player k."),
    "size": ("size(S)", "How many members a set or a type has."),
    "any": ("any(S)", "Whether a set has a member."),
    "abs": ("abs(n)", "A number without its sign."),
    "steps": ("steps(a, b)", "How far it is from one place of a ring to another, going round."),
    "neighbours": ("neighbours(c, orthogonal)", "The cells next to a cell, in these directions."),
    "ray": ("ray(c, north)", "The cells from a cell outward, in a direction."),
    "between": ("between(a, b)", "The cells between two on a line, from a on."),
    "direction": ("direction(a, b)", "The direction from one cell to another; none if they are on no line."),
    "distance": ("distance(a, b)", "How many steps it is from one cell to another."),
    "leaps": ("leaps(c, 1, 2)", "The cells that a leap reaches, as of a knight."),
    "directions": ("directions(Square)", "The directions to neighbours on a board."),
    "lines": ("lines(Square, 3)", "All straight runs of so many cells; on a graph its chains."),
    "rows": ("rows(Square)", "The full rows of a board, each a set of cells."),
    "columns": ("columns(Square)", "The full columns of a board, each a set of cells."),
    "diagonals": ("diagonals(Square)", "The diagonals as long as the shorter side of a board, each a set of cells."),
    "subsets": ("subsets(S, 3)", "All subsets of so many members."),
    "repeated": ("repeated(board)", "Whether the variables had their present values before in this play."),
    "repetitions": ("repetitions(board)", "How often the variables have had their present values in this play."),
    "stuck": ("if stuck: end draw", "On entering a phase: its decision will offer no move."),
    "connected": ("connected(S)", "Whether all cells of a set hang together."),
}  # fmt: skip
"""Each word, with a form in which it stands and its meaning."""


def word_at(text: str, offset: int) -> tuple[int, str] | None:
    """The word of the language at an offset, and where it begins; None in comments and texts, and where there is
    none."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[begin : end if end >= 0 else len(text)]
    if any(quiet.start() <= offset - begin < quiet.end() for quiet in _QUIET.finditer(line)):
        return None
    for found in _NAME.finditer(line):
        if found.start() <= offset - begin < found.end() and found[0] in WORDS:
            return begin + found.start(), found[0]
    return None


def word_markdown(word: str) -> str:
    """A word in Markdown: a form, and what it means."""
    form, meaning = WORDS[word]
    return f"```zermelo\n{form}\n```\n{meaning}"
