"""King and rook against an unseen king, written a second time: positions, what White hears, values and mates."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from second_program import agree, choice, end, uniform

import zermelo
from zermelo.solvers.common.limits import Limits

AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))

Square = tuple[int, int]
KING, ROOK = (1, 1), (2, 2)
"""Where White begins."""


def name(square: Square) -> str:
    return f"{'abcdefgh'[square[0] - 1]}{square[1]}"


def are_near(one: Square, two: Square) -> bool:
    return abs(one[0] - two[0]) <= 1 and abs(one[1] - two[1]) <= 1


class Board:
    """What pieces can do on a board of this size."""

    def __init__(self, size: int) -> None:
        self.squares = set(product(range(1, size + 1), repeat=2))

    def steps(self, square: Square) -> list[Square]:
        return [to for i, j in AROUND if (to := (square[0] + i, square[1] + j)) in self.squares]

    def line(self, rook: Square, king: Square) -> list[Square]:
        """The squares up to the white king that the rook attacks or can go to."""
        found = []
        for i, j in STRAIGHT:
            x, y = rook[0] + i, rook[1] + j
            while (x, y) in self.squares and (x, y) != king:
                found.append((x, y))
                x, y = x + i, y + j
        return found

    def places(self) -> list[Square]:
        """Where Black may stand in the beginning."""
        taken = {ROOK, *self.line(ROOK, KING)}
        return sorted(square for square in self.squares - taken if not are_near(square, KING))

    def flights(self, king: Square, rook: Square, lone: Square) -> list[Square]:
        hit = self.line(rook, king)
        return [to for to in self.steps(lone) if not are_near(to, king) and (to == rook or to not in hit)]

    def tries(self, king: Square, rook: Square, refused: frozenset[Square]) -> list[Square]:
        return [to for to in self.steps(king) if to != rook and to not in refused]

    def check(self, king: Square, rook: Square, lone: Square) -> str:
        """What the umpire announces when White has moved."""
        if lone == rook or lone not in self.line(rook, king):
            return ""
        return "file" if rook[0] == lone[0] else "rank"


def program(size: int, moves: int):
    board = Board(size)

    def node(position):
        phase, king, rook, lone, refused, left = position
        if phase == "place":
            return uniform({f"place({name(s)})": ("white", king, rook, s, refused, left) for s in board.places()})
        if phase == "taken" or (phase == "white" and left == 0):
            return end(0)
        if phase == "white":
            after = {
                f"rook_to({name(to)})": ("black", king, to, lone, frozenset(), left - 1)
                for to in board.line(rook, king)
            }
            for to in board.tries(king, rook, refused):
                is_refused = are_near(to, lone)
                after[f"king_to({name(to)})"] = (
                    ("white", king, rook, lone, refused | {to}, left)
                    if is_refused
                    else ("black", to, rook, lone, frozenset(), left - 1)
                )
            return choice("White", after)
        flights = board.flights(king, rook, lone)
        if not flights:
            return end(1 if board.check(king, rook, lone) else 0)
        return choice(
            "Black",
            {
                f"flee({name(to)})": ("taken" if to == rook else "white", king, rook, to, refused, left)
                for to in flights
            },
        )

    return node


def beginning(moves: int):
    return "place", KING, ROOK, (3, 3), frozenset(), moves


@pytest.mark.parametrize(("size", "moves"), [(3, 3), (4, 3), (5, 2)])
def test_the_rules_are_those_of_the_second_program(start, size, moves):
    play = start("kriegspiel_ending", size=size, moves=moves)
    assert agree(play, program(size, moves), beginning(moves)) > 100


@pytest.mark.parametrize(("size", "moves"), [(3, 3), (4, 2)])
def test_white_knows_what_the_umpire_says(size, moves):
    """Plays look the same to White in both programs: they tell them apart by their own moves, refusals, and checks."""
    game, board = zermelo.load("kriegspiel_ending", size=size, moves=moves), Board(size)
    node = program(size, moves)
    waiting = [(game.initial, beginning(moves), ())]
    heard_of: dict[object, object] = {}
    while waiting:
        state, position, heard = waiting.pop()
        if state.actor == "White":
            known = tuple(map(str, state.information_state("White")))
            assert heard_of.setdefault(known, heard) == heard
        for text, edge in node(position).edges.items():
            said = heard
            if state.actor == "White":
                phase, king, rook, lone, _, _ = edge.to
                said += ((text, phase == "white" or board.check(king, rook, lone)),)
            waiting.append((state.after(text), edge.to, said))
    assert len(set(heard_of.values())) == len(heard_of) > 50


@pytest.mark.parametrize(("moves", "value"), [(1, 0), (2, 0), (3, Fraction(2, 3))])
def test_values_on_three_by_three(solution, moves, value):
    """White gets no more than against the worst pure strategy of Black: White knows it, and does what is best by what
    they hold possible, with probabilities. Here that is the value."""
    board = Board(3)

    def best(king, rook, weights, refused, left) -> Fraction:
        """What White gets from here on, in all the positions that they hold possible together."""
        if left == 0 or not weights:
            return Fraction(0)
        values = [worst(king, to, weights, left) for to in board.line(rook, king)]
        for to in board.tries(king, rook, refused):
            legal = {lone: weight for lone, weight in weights.items() if not are_near(to, lone)}
            others = {lone: weight for lone, weight in weights.items() if lone not in legal}
            values.append(worst(to, rook, legal, left) + best(king, rook, others, refused | {to}, left))
        return max(values)

    def worst(king, rook, weights, left) -> Fraction:
        """What White gets after a move, if Black flees to where it is worst for White."""
        flights = {lone: board.flights(king, rook, lone) for lone in weights}
        said = {lone: board.check(king, rook, lone) for lone in weights}
        mates = sum((weights[lone] for lone in weights if said[lone] and not flights[lone]), Fraction(0))
        fleeing = [lone for lone in weights if flights[lone]]
        found = []
        for chosen in product(*(flights[lone] for lone in fleeing)):
            groups: dict[str, dict[Square, Fraction]] = {}
            for lone, to in zip(fleeing, chosen, strict=True):
                if to != rook:
                    group = groups.setdefault(said[lone], {})
                    group[to] = group.get(to, Fraction(0)) + weights[lone]
            found.append(sum((best(king, rook, group, frozenset(), left - 1) for group in groups.values()), mates))
        return min(found)

    places = board.places()
    assert best(KING, ROOK, {lone: Fraction(1, len(places)) for lone in places}, frozenset(), moves) == value
    assert solution("kriegspiel_ending", on="auto", moves=moves).value == (value, -value)


def test_on_four_by_four_white_can_force_mate_in_eight_moves():
    """Whatever Black does, and wherever they stand: a rook and a king mate an unseen king, too (Boyce, A Kriegspiel
    endgame, 1981), and eight moves are needed."""
    board = Board(4)

    @cache
    def forces(king, rook, lones, refused, left) -> bool:
        """Whether White can mate for certain from where Black may stand."""
        if left == 0:
            return not lones
        for to in board.line(rook, king):
            if moved(king, to, lones, left):
                return True
        for to in board.tries(king, rook, refused):
            near = frozenset(lone for lone in lones if are_near(to, lone))
            if moved(to, rook, lones - near, left) and (not near or forces(king, rook, near, refused | {to}, left)):
                return True
        return False

    @cache
    def moved(king, rook, lones, left) -> bool:
        groups: dict[str, set[Square]] = {}
        for lone in lones:
            flights, said = board.flights(king, rook, lone), board.check(king, rook, lone)
            if rook in flights or not (flights or said):
                return False
            groups.setdefault(said, set()).update(flights)
        return all(forces(king, rook, frozenset(group), frozenset(), left - 1) for group in groups.values() if group)

    for moves, is_forced in ((7, False), (8, True)):
        game = zermelo.load("kriegspiel_ending", size=4, moves=moves)
        assert forces(KING, ROOK, frozenset(board.places()), frozenset(), moves) is is_forced
        assert zermelo.force(game.initial, "White", limits=Limits(memory=1 << 30)).amount == is_forced
