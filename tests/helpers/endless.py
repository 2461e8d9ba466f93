"""A game whose value takes longer than anybody waits."""

ENDLESS = """\
game "Too large"

players A, B

type Cell = grid(8, 8)

var board[Cell]: Player? = none

start at play(A)

phase play(p: Player):
    turn p:
        move mark(c in Cell) if board[c] is none:
            board[c] := p
            go play(other p)
    otherwise:
        if (count c in Cell: board[c] == A and c.x == c.y) >= 4:
            end win A
        end draw
"""
