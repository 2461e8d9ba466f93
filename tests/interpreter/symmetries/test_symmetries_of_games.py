"""The symmetries of bundled games, and of games with a slip in them: what is proved holds on random plays."""

from __future__ import annotations

from random import Random

import pytest
from relabelled_plays import fault
from written_games import bundled_model, model_of

from zermelo import gamedefs
from zermelo.grammar.mutants import mutants
from zermelo.grammar.parse import parse
from zermelo.grammar.source import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.group import symmetries

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


@pytest.mark.parametrize("name", sorted(set(gamedefs.names()) - {"four_card_whist", "oh_hell"} - KNOWN.keys()))
def test_what_is_proved_of_bundled_games_holds_on_plays(name: str) -> None:
    assert check_on_plays(bundled_model(name), 1, 1) >= 1


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
