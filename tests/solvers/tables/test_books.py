"""Opening books: parts of tables, searched values, what follows from these, and how both are verified."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from attrs import evolve

import zermelo
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.playing.seats import seats_of
from zermelo.solvers.tables import books
from zermelo.tables import Table

pytest.importorskip("pyarrow")


def near(game: Game, plies: int) -> dict[Any, tuple[State, int]]:
    """The positions within some plies of the beginning, ends left out, each with a state and its distance from there,
    by the reference machine."""
    found: dict[Any, tuple[State, int]] = {}
    level = [game.initial]
    for ply in range(plies + 1):
        following = []
        for state in level:
            position = game.machine.position(state.machine_state)
            if not state.is_over and position not in found:
                found[position] = state, ply
                following += after_each(state)
        level = following
    return found


def after_each(state: State) -> list[State]:
    return [state.after(move) for move in state.moves or [move for move, _ in state.outcomes]]


def refused(work: Callable[[], Any]) -> str:
    with pytest.raises(ZermeloError) as error:
        work()
    return error.value.code


# ------------------------------------------------------- a part of a table

WALK = """
game "Walk"
players Ann, Bob
type Cell = grid(5, 1)
var at: Cell = c1
endless draw
start at walk(Ann)

phase walk(p: Player):
    turn p:
        move step(c in Cell) if c in neighbours(at):
            at := c
            go walk(other p)
        move stop if at == e1: end win p
"""


GAMES: dict[str, Callable[[], Game]] = {
    "connect four": lambda: zermelo.load("connect_four", rows=3, columns=4, run=3),
    "pig": lambda: zermelo.load("pig", target=6),
    "kalah": lambda: zermelo.load("kalah", pits=2, seeds=2),
    "three players": lambda: zermelo.load("n_person_nim"),
    "walk": lambda: zermelo.loads(WALK),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("plies", [1, 3])
def test_a_part_of_the_table(name: str, plies: int, tmp_path: Path) -> None:
    game = GAMES[name]()
    whole = Table.build(game, tmp_path / "whole")
    book = Table.build(game, tmp_path / "book", plies=plies)
    book.verify()
    assert book.is_exact and book.book is not None and book.book.plies == plies
    states = near(game, plies)
    for state, ply in states.values():
        assert book[state] == whole[state]
        told = book.worths(state)
        assert told == whole.worths(state) or (ply == plies and told == ((), ()) and book.evaluate(state) is None)
    for state, ply in near(game, plies + 1).values():
        assert ply <= plies or book.get(state) is None
    assert len(book) <= len(states)
    plain = Table.build(game, tmp_path / "plain", plies=plies, up_to_symmetry=False)
    assert len(plain) == len(states)


def test_a_book_of_all(tmp_path: Path) -> None:
    """Further than any play: there is no last ply."""
    game = zermelo.load("connect_four", rows=3, columns=3, run=3)
    whole, book = Table.build(game, tmp_path / "whole"), Table.build(game, tmp_path / "book", plies=20)
    assert len(book) == len(whole)
    book.verify()
    assert zermelo.solve(game, endgames=book.endgames(game)).counts["lookups"] > 0


# --------------------------------------------------------- searched values


def test_searched_to_the_end(tmp_path: Path) -> None:
    """Then all values are exact, and a search takes them for such."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    whole = Table.build(game, tmp_path / "whole")
    book = Table.build(game, tmp_path / "book", plies=3, depth=20)
    book.verify()
    assert book.is_exact
    for state, ply in near(game, 3).values():
        told, right = book[state], whole[state]
        assert (told.value, told.depth) == (right.value, None)
        assert told.best_moves == (None if ply == 3 else sum(w.payoff == right.value for w in whole.worths(state)[0]))
    found = zermelo.solve(game, endgames=book.endgames(game))
    assert found.exact and found.value == whole[game.initial].value and found.counts["lookups"] > 0


def minimax(state: State, left: int) -> Fraction:
    """What the first player gets in so many moves, by the estimate there."""
    if state.is_over:
        assert state.payoff is not None
        return state.payoff[0]
    if left == 0:
        return state.game.reference.estimate(reference_state(state), 0)
    values = [minimax(there, left - 1) for there in after_each(state)]
    return max(values) if state.actor == state.game.players[0] else min(values)


def reference_state(state: State) -> Any:
    machine = state.game.reference
    there = machine.initial()
    for move in state.play:
        there = machine.after(there, machine.find_move(there, str(move)))
    return there


def test_estimates_are_those_of_minimax(tmp_path: Path) -> None:
    """In breakthrough every move goes forward, so a position comes up after so many moves or never."""
    game = zermelo.load("breakthrough", rows=4, columns=2, deep=1)
    book = Table.build(game, tmp_path / "book", plies=2, depth=2, up_to_symmetry=False)
    book.verify()
    assert book.book is not None and book.book.solver == "principal_variation"
    states = near(game, 2)
    estimates = 0
    for state, ply in states.values():
        entry = book[state]
        assert entry.value is not None
        assert entry.value[0] == minimax(state, 4 - ply)
        assert entry.depth in (None, 4 - ply)
        estimates += entry.depth is not None
    assert book.book.estimates == estimates > 0


DICE = """
game "Dice"
players Ann, Bob
var left: 0..9 = 9
start at choose(Ann)

phase choose(p: Player):
    turn p:
        move small:
            left -= 1
            go next(other p)
        move large if left > 2: go roll(p)

phase roll(p: Player):
    chance:
        outcome two prob 2 / 3:
            left -= 2
            go next(other p)
        outcome three prob 1 / 3:
            left -= 3
            go next(other p)

phase next(p: Player):
    if left == 0: end win other p
    go choose(p)

estimate for p: if p == Ann then left % 3 / 5 else -(left % 3) / 5
"""


def test_chance_before_the_last_ply(tmp_path: Path) -> None:
    """Values are means, and a win that is certain is exact though other moves have not been searched to the end."""
    game = zermelo.loads(DICE)
    whole = Table.build(game, tmp_path / "whole")
    exact = Table.build(game, tmp_path / "exact", plies=4, depth=30)
    exact.verify()
    for state, _ in near(game, 4).values():
        assert exact[state].value == whole[state].value
    assert exact.is_exact
    book = Table.build(game, tmp_path / "book", plies=4, depth=1)
    book.verify()
    kinds = set()
    for state, ply in near(game, 4).values():
        entry = book[state]
        kinds.add((state.actor == CHANCE, ply < 4, entry.depth is None))
        if entry.depth is None:
            assert entry.value == whole[state].value
        if ply < 4 and state.actor == CHANCE:
            behind = [(chance, state.after(move)) for move, chance in state.outcomes]
            values = [(chance, there.payoff if there.is_over else book[there].value) for chance, there in behind]
            mean = sum((chance * value[0] for chance, value in values if value is not None), Fraction(0))
            assert entry.value == (mean, -mean)
    assert {(True, True, False), (False, False, False)} <= kinds


def test_three_players(tmp_path: Path) -> None:
    game = zermelo.load("n_person_nim")
    book = Table.build(game, tmp_path / "book", plies=2, depth=9)
    book.verify()
    assert book.is_exact and book.book is not None and book.book.solver == "maxn"
    for state, ply in near(game, 2).values():
        if ply < 2:
            assert book[state].value in [there.payoff or book[there].value for there in after_each(state)]


def test_what_has_no_searched_book(tmp_path: Path) -> None:
    assert refused(lambda: Table.build(zermelo.loads(WALK), tmp_path / "a", plies=2, depth=3)) == "no-table"
    patient = WALK.replace("endless draw", "discount 1 / 2")
    assert refused(lambda: Table.build(zermelo.loads(patient), tmp_path / "b", plies=2, depth=3)) == "no-table"
    game = zermelo.load("nim")
    assert refused(lambda: Table.build(game, tmp_path / "c", plies=2, depth=3)) == "needs-estimate"
    assert Table.build(game, tmp_path / "d", plies=2, depth=30).is_exact
    assert list(tmp_path.iterdir()) == [tmp_path / "d"]


# ------------------------------------------------------------ verification


@pytest.fixture
def breakthrough() -> Game:
    return zermelo.load("breakthrough", rows=4, columns=3, deep=1)


def test_wrong_searches_are_noticed(breakthrough: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = books.search_position
    for number, other in enumerate(
        (
            lambda found: evolve(found, value=(found.value[0] + 1, found.value[1] - 1)),
            lambda found: evolve(found, depth=(found.depth or 7) + 1),
            lambda found: evolve(found, best=1),
        )
    ):
        monkeypatch.setattr(books, "search_position", lambda *asked, other=other: other(plain(*asked)))
        book = Table.build(breakthrough, tmp_path / str(number), plies=2, depth=2)
        monkeypatch.setattr(books, "search_position", plain)
        assert refused(book.verify) == "damaged-table"


def test_distances_that_nobody_has_found_are_noticed(
    breakthrough: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the last ply, too, where no moves tell them."""
    plain = books._rows

    def far(machine: Any, opening: Any, known: Any) -> Any:
        rows = plain(machine, opening, known)
        is_last = numpy.array([not opened.choices for opened in opening.values()])
        return evolve(rows, distances=numpy.where(is_last, 0, -1).astype("int32"))

    with monkeypatch.context() as patch:
        patch.setattr(books, "_rows", far)
        book = Table.build(breakthrough, tmp_path / "book", plies=2, depth=2)
    assert refused(book.verify) == "damaged-table"


def test_what_does_not_follow_is_noticed(breakthrough: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = books.follow
    for number, other in enumerate(
        (
            lambda found: evolve(found, value=(found.value[0] + 1, found.value[1] - 1)),
            lambda found: evolve(found, value=(found.value[0] - 1, found.value[1] + 1)),
            lambda found: evolve(found, depth=1),
            lambda found: evolve(found, depth=None),
            lambda found: evolve(found, best=found.best + 1),
            lambda found: evolve(found, best=0),
        )
    ):
        with monkeypatch.context() as patch:
            patch.setattr(books, "follow", lambda *asked, other=other: other(plain(*asked)))
            book = Table.build(breakthrough, tmp_path / str(number), plies=2, depth=2)
        assert refused(book.verify) == "damaged-table"


def test_positions_that_are_missing_or_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = zermelo.load("connect_four", rows=3, columns=3, run=3)
    plain = books.open_positions
    for number, other in enumerate(
        (lambda found: dict(list(found.items())[:-1]), lambda found: dict([*found.items()][:1] + [*found.items()][2:]))
    ):
        with monkeypatch.context() as patch:
            patch.setattr(books, "open_positions", lambda *asked, other=other: other(plain(*asked)))
            book = Table.build(game, tmp_path / str(number), plies=2)
        assert refused(book.verify) == "damaged-table"
    with monkeypatch.context() as patch:
        patch.setattr(books, "open_positions", lambda f, root, plies, *rest: plain(f, root, plies + 1, *rest))
        book = Table.build(game, tmp_path / "more", plies=2)
    assert refused(book.verify) == "damaged-table"


# ----------------------------------------------------------------- playing


def test_estimates_are_played_and_never_taken_for_exact(breakthrough: Game, tmp_path: Path) -> None:
    book = Table.build(breakthrough, tmp_path / "book", plies=2, depth=2)
    assert not book.is_exact
    assert refused(lambda: book.endgames(breakthrough)) == "estimated-table"
    assert book.endgames_of_use(breakthrough, 1 << 30) is None
    told = book.evaluate(breakthrough.initial)
    assert told is not None and told.certainty.name != "EXACT" and "4 moves ahead" in told.notes[0]
    seat = seats_of(breakthrough, [("White", "best")], Random(1), 1 << 28, book)["White"]
    move, remark = seat.choose(breakthrough.initial)
    assert move in told.best and remark == "White plays by the book."
    state = breakthrough.initial.after(move)
    state = state.after(state.moves[0])
    assert seat.choose(state)[1] == ""
