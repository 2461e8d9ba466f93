"""The symmetries of bundled games, and of games with a slip in them: what is proved holds on random plays."""

from __future__ import annotations

from random import Random

import pytest
from relabelled_plays import fault
from written_games import bundled_model, model_of

from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.mutants import mutants
from zermelo.grammar.parse import parse
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.equivariance import keeps_beginning
from zermelo.interpreter.symmetries.group import generators, symmetries

KNOWN = {
    "tic_tac_toe": 16,  # of the square, and the players
    "three_mens_morris": 16,
    "connect_four": 4,  # mirrored
    "hex": 4,  # turned by a half; mirrored, and the players exchanged
    "nim": 12,  # three heaps
    "n_person_nim": 18,  # three players around a table
    "dobutsu_shogi": 4,  # mirrored; turned, and the players exchanged
    "breakthrough": 4,
    "chess": 1,  # castling
    "domineering": 2,
    "dots_and_boxes": 8,  # those of the square that keep what lies and what stands, and the players
    "goofspiel": 1,
    "leduc_poker": 2,  # the suits; hands are compared by pairs of a number and a rank
    "tiny_bridge": 1,  # bids are in the order of the suits
    "rock_paper_scissors": 1,
}
"""Games with the number of symmetries, known from the rules. Moves at once are not proved."""


def check_on_plays(model: Model, plays: int, seed: int) -> int:
    """Check on random plays that what is proved holds; the number of symmetries."""
    machine, found = ReferenceMachine(model), symmetries(model)
    for number, relabelling in enumerate(found[1:]):
        for play in range(plays):
            shown = fault(machine, relabelling, Random(f"{seed} {number} {play}"))
            assert not shown, (shown, relabelling.members, relabelling.numbers)
    return len(found)


@pytest.mark.parametrize(("name", "count"), KNOWN.items())
def test_known_games_have_their_symmetries(name: str, count: int) -> None:
    assert check_on_plays(bundled_model(name), 3, 0) == count


@pytest.mark.parametrize(("pairs", "count"), [(5, 32), (6, 64), (7, 64)])
def test_a_group_of_the_most_symmetries_is_found(pairs: int, count: int) -> None:
    """The members of every type can be exchanged."""
    types = "".join(f"type T{k} = a{k} | b{k}\n" for k in range(pairs))
    moves = "".join(f"        move pick{k}(x in T{k}): end draw\n" for k in range(pairs))
    text = f'game "Pairs"\nplayers A, B\n{types}start at pick\nphase pick:\n    turn A:\n{moves}'
    assert len(symmetries(model_of(text))) == count


@pytest.mark.parametrize("name", sorted(set(gamedefs.names()) - {"four_card_whist", "oh_hell"} - KNOWN.keys()))
def test_what_is_proved_of_bundled_games_holds_on_plays(name: str) -> None:
    assert check_on_plays(bundled_model(name), 1, 1) >= 1


@pytest.mark.parametrize(("name", "most"), [("tic_tac_toe", 4), ("nim", 3), ("four_card_whist", 4), ("chess", 0)])
def test_few_symmetries_make_all(name: str, most: int) -> None:
    """No more than the binary logarithm of the size of the group, and all of it."""
    found = symmetries(bundled_model(name))
    chosen = generators(found)
    assert len(chosen) <= most
    made, waiting = {found[0].effect}, [found[0]]
    while waiting:
        one = waiting.pop()
        for another in map(one.then, chosen):
            if another.effect not in made:
                made.add(another.effect)
                waiting.append(another)
    assert made == {symmetry.effect for symmetry in found}


def test_a_group_is_closed() -> None:
    found = symmetries(bundled_model("tic_tac_toe"))
    effects = {relabelling.effect for relabelling in found}
    assert len(effects) == len(found)
    assert {one.then(other).effect for one in found for other in found} == effects


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "dobutsu_shogi", "connect_four", "hex", "nim", "dots_and_boxes", "pig"]
)
def test_what_is_proved_of_games_with_a_slip_holds_on_plays(name: str) -> None:
    text = gamedefs.path(name).read_text(encoding="utf-8")
    source = Source("test.game", text)
    tree, _ = parse(source)
    assert tree is not None
    changed = 0
    for number, mutant in enumerate(mutants(source, tree)):
        model, _ = check(Source("test.game", mutant.text(source)))
        if model is not None:
            changed += check_on_plays(model, 2, number) < len(symmetries(bundled_model(name)))
    assert changed > 0


CONSTANT = """\
game "Constants"
players A, B
type Cell = grid(3, 1)
var trap: Cell = {trap}
var pieces[Cell]: Player? = none
var first_move[Player]: Cell? = none
setup:
    first_move[A] := a1
    first_move[B] := c1
start at play(A)
phase play(p: Player):
    turn p:
        move put(c in Cell) if pieces[c] is none and c != trap and c != first_move[p]:
            pieces[c] := p
            go play(other p)
    otherwise: end win {winner}
"""


@pytest.mark.parametrize(
    ("trap", "winner", "count"),
    [("b1", "p", 2), ("b1", "favoured\nvar favoured: Player = A", 1), ("a1", "p", 1)],
)
def test_constants_stay_what_they_are(trap: str, winner: str, count: int) -> None:
    """The players and the ends of the row can be exchanged together, if no constant holds one of them alone."""
    assert check_on_plays(model_of(CONSTANT.format(trap=trap, winner=winner)), 5, 0) == count


NUMBERED = """\
game "Names for numbers of two kinds"
players A, B
type Cell = grid(4, 1)
var count_of[2..3]: 0..2 = 0
var pieces[Cell]: Player? = none
start at play(A)
phase play(p: Player):
    turn p:
        move put(c in Cell) if pieces[c] is none:
            pieces[c] := p
            go play(other p)
        move add(k in 2..3) if count_of[k] < 2:
            count_of[k] += 1
            go play(other p)
    otherwise: end win p
"""


def test_permutations_of_longer_ranges_are_joined() -> None:
    """Files 1 to 4 are mirrored with the board, and 2 and 3 of them are the numbers of two counts, exchanged alone."""
    assert check_on_plays(model_of(NUMBERED), 5, 0) == 8


def test_an_argument_that_is_left_out_stays_so() -> None:
    text = NUMBERED.replace("(k in 2..3) if", "(k in 2..3?) if k is none or")
    text = text.replace("count_of[k] += 1", "if k is not none: count_of[k] += 1")
    assert check_on_plays(model_of(text), 5, 0) == len(symmetries(model_of(NUMBERED)))


NARROW = """\
game "A part of the board"
players A, B
type Cell = grid(3, 1)
type Left = {{a1, b1}}
var piece: Cell = b1
var turns: 0..4 = 0
define here{declared} = if turns > 2 then piece else b1
define is_left(c: {part}) = c in Cell
start at play(A, b1)
phase play(p: Player, at: {at}):
    turn p:
        move go_to(c in neighbours(piece)) if turns < 4 and is_left(here):
            piece := c
            turns += 1
            go play(other p, c)
    otherwise: end win p
"""


@pytest.mark.parametrize(
    ("declared", "part", "at", "count"),
    [("", "Cell", "Cell", 4), (": Left", "Cell", "Cell", 2), ("", "Left", "Cell", 2), ("", "Cell", "Left", 2)],
)
def test_types_that_values_have_to_belong_to_are_kept(declared: str, part: str, at: str, count: int) -> None:
    """Left of the middle, the declared type is an error on the mirrored board alone."""
    assert check_on_plays(model_of(NARROW.format(declared=declared, part=part, at=at)), 5, 0) == count


SUITS = """\
game "Suits"
players A, B
type Suit = clubs | hearts | spades
var held: set of Suit = {{}}
start at play(A)
phase play(p: Player):
    turn p:
        move take(s in Suit) if s not in held and {guard}:
            held += {{s}}
            go play(other p)
    otherwise: end win p
"""


@pytest.mark.parametrize(
    ("guard", "count"),
    [
        ("size(held) < 2", 12),
        ("size(held) < 2 and number(s) < 4", 12),
        ("number(s) < 3", 4),
        ("Suit(1) not in held", 4),
        ("Suit(size(held) + 1) != s", 2),
        ("{clubs: 1, hearts: 1, spades: 1}[s] == 1", 12),
        ("{clubs: 1, hearts: 1, spades: 2}[s] == 1", 4),
    ],
)
def test_members_whose_numbers_matter_are_not_exchanged(guard: str, count: int) -> None:
    assert check_on_plays(model_of(SUITS.format(guard=guard)), 5, 0) == count


LARGE = """\
game "Large boards"
players A, B, C, D, E, F, G
type One = ring(40)
type Two = ring(40)
type Three = ring(40)
type Web = graph({web})
var one[One]: Player? = none
var two[Two]: Player? = none
var three[Three]: Player? = none
var web[Web]: Player? = none
start at play(A)
phase play(p: Player):
    turn p:
        move put(a in One, b in Two, c in Three, w in Web) if one[a] is none and two[b] is none:
            one[a] := p
            two[b] := p
            three[c] := p
            web[w] := p
            go play(next p)
    otherwise: end draw
"""


def test_the_search_for_symmetries_of_large_boards_ends() -> None:
    """The cells of the graph come in an order in which neighbours exclude little."""
    random = Random(5)
    cells = [f"v{k}" for k in range(60)]
    web = ", ".join(f"{one} - {random.choice(cells[:k])}" for k, one in enumerate(cells) if k)
    web += ", " + ", ".join(f"{one} - {cells[-1 - k]}" for k, one in enumerate(cells[:25]))
    found = symmetries(model_of(LARGE.format(web=web)))
    assert 1 <= len(found) <= 64


# Whether a play begins alike under symmetries of the rules.


RULES = """\
game "Suits"
players A, B
claim zero_sum

type Suit = clubs | hearts
var latest: Suit LATEST
var marks[Suit]: 0..1 = 0

setup:
    SETUP

start at name(START)

phase name(s: Suit?):
    turn A:
        move name(t in Suit):
            latest := t
            marks[t] := 1
            if s == latest: end payoff {A: 1, B: -1}
            end payoff {A: 0, B: 0}
"""

EVEN = "for s in Suit: marks[s] := 1"

CASES = {
    "unset": ("", EVEN, "none", True),
    "a variable": ("= clubs", EVEN, "none", False),
    "an argument": ("", EVEN, "hearts", False),
    "an entry": ("", "marks[clubs] := 1", "none", False),
    "an entry that changes nothing": ("", "marks[clubs] := 0", "none", True),
}
"""What a variable begins with, ``setup``, the argument at the start, and whether the suits can be exchanged then."""


@pytest.mark.parametrize(("latest", "setup", "start", "keeps"), CASES.values(), ids=list(CASES))
def test_the_first_state_is_its_own_image(latest: str, setup: str, start: str, keeps: bool) -> None:
    text = RULES.replace("LATEST", latest).replace("SETUP", setup).replace("START", start)
    model = model_of(text)
    (exchange,) = (each for each in symmetries(model) if each.members)
    assert keeps_beginning(model, exchange) == keeps


def test_of_bundled_games() -> None:
    for name in ("leduc_poker", "tic_tac_toe"):
        model = bundled_model(name)
        kept = [each for each in symmetries(model) if not any(player in each.members for player in model.players)]
        assert len(kept) > 1
        assert all(keeps_beginning(model, each) for each in kept)


TOSS = """
    game "Toss"
    players Ann, Bob, Cy
    claim symmetric
    var owner: Player? = none
    var left: 0..3 = 3
    start at toss
    phase toss:
        chance:
            outcome first(p in Player): go play(p)
    phase play(p: Player):
        turn p:
            move take(q in Player) if left > 0:
                left -= 1
                owner := q
                go play(q)
        otherwise: end payoff {q: if owner == q then 2 else -1 for q in Player}
"""


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("toss", "toss", True),
        ("start at toss", "start at play(Ann)", None),
        ("var owner: Player? = none", "var owner: Player? = Ann", None),
        ("then 2 else", "then (if q == Ann then 3 else 2) else", None),
        ("move take(q in Player) if left > 0", "move take(q in Player) if left > 0 and q != Cy", None),
        ("outcome first(p in Player)", "outcome first(p in {Ann, Bob})", None),
    ],
)
def test_players_can_be_exchanged_if_rules_and_beginning_are_the_same(old, new, holds):
    assert old in TOSS
    model = model_of(TOSS.replace(old, new))
    assert verdict(model.claims[0], facts(model), model).holds is holds
