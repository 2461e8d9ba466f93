"""Three men's morris, solved a second time by retrograde analysis."""

from __future__ import annotations

from second_program import Node, agree, choice, end, outcomes

POINTS = [f"{x}{y}" for y in "123" for x in "abc"]
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
BEGINNING = ("." * 9, 0)


def program(middle: bool):
    """A position is the board, and the number of men that have been put, or 6 and 7 for White and Black to slide."""

    def node(position: tuple[str, int]) -> Node:
        board, stage = position
        mine, other = "WB" if stage % 2 == 0 else "BW"
        player = {"W": "White", "B": "Black"}[mine]
        loss = -1 if mine == "W" else 1
        if any(all(board[point] == other for point in row) for row in ROWS):
            return end(loss)
        moves = {}
        if stage < 6:
            for to in range(9):
                if board[to] == "." and (middle or stage > 0 or to != 4):
                    moves[f"put({POINTS[to]})"] = (board[:to] + mine + board[to + 1 :], stage + 1)
        else:
            for origin in range(9):
                for to in range(9):
                    apart = abs(origin % 3 - to % 3) + abs(origin // 3 - to // 3)
                    if board[origin] == mine and board[to] == "." and apart == 1:
                        after = list(board)
                        after[origin], after[to] = ".", mine
                        moves[f"slide({POINTS[origin]}, {POINTS[to]})"] = ("".join(after), 13 - stage)
        return choice(player, moves) if moves else end(loss)

    return node


def test_the_rules_are_those_of_the_second_program(start):
    assert agree(start("three_mens_morris"), program(True), BEGINNING) > 4000


def test_the_middle_may_be_forbidden_to_the_first_man(start):
    play = start("three_mens_morris", middle=False)
    assert play.legal == set(program(False)(BEGINNING).edges)
    assert "put(b2)" in play.then("put(a1)").legal


def test_whoever_begins_in_the_middle_wins():
    """Gardner, Hexaflexagons and other mathematical diversions, 1959, chapter 4: the first player surely wins by
    putting a man in the middle, and with this forbidden the game is a draw."""
    known = outcomes(program(True), BEGINNING, "White")
    assert known[BEGINNING][0] == 1
    assert {to for to in range(9) if known.get(("." * to + "W" + "." * (8 - to), 1), (0, 0))[0] == 1} == {4}
    assert BEGINNING not in outcomes(program(False), BEGINNING, "White")


def test_the_values(solution):
    assert solution("three_mens_morris").value == (1, -1)
    assert list(map(str, solution("three_mens_morris").best)) == ["put(b2)"]
    assert solution("three_mens_morris", middle=False).value == (0, 0)
