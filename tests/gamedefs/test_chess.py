"""Chess: the counts of plays, and the rules that are easy to get wrong."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from unittest.mock import patch

import chess
import pytest
from all_machines import python_machine
from second_program import Node, agree, choice, end, outcomes, uniform
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running import path_search
from zermelo.solvers.search.counting import count_exactly


def played(start, moves: str):
    """A play in short notation: e2e4, e7e8q, O-O, O-O-O."""
    return start("chess").then(*line(moves))


def line(moves: str) -> tuple[str, ...]:
    return tuple(map(written, moves.split()))


def written(move: str) -> str:
    if move.startswith("O-O"):
        return "castle(king_side)" if move == "O-O" else "castle(queen_side)"
    squares = f"{move[:2]}, {move[2:4]}"
    kinds = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
    return f"go_to({squares}, {kinds[move[4]]})" if len(move) == 5 else f"go_to({squares})"


def test_plays_are_counted(start):
    assert [start("chess").count(length) for length in range(1, 4)] == [20, 400, 8902]


def test_fools_mate(start):
    assert played(start, "f2f3 e7e5 g2g4 d8h4").payoff == (-1, 1)


def test_stalemate_is_a_draw(start):
    """Sam Loyd's, in ten moves."""
    moves = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6"
    assert played(start, moves).payoff == (0, 0)


def test_castling(start):
    play = played(start, "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7")
    assert "castle(king_side)" in play.legal
    assert "castle(queen_side)" not in play.legal  # knight, bishop and queen stand between
    later = play.then("castle(king_side)")
    assert "castle(king_side)" in later.legal  # Black may, too
    assert "go_to(f1, e1)" in later.then("castle(king_side)").legal  # the rook stands on f1


def test_castling_is_lost_when_king_or_rook_has_moved(start):
    prepared = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 "
    assert "castle(king_side)" not in played(start, prepared + "e1f1 a7a6 f1e1 a6a5").legal
    assert "castle(king_side)" not in played(start, prepared + "h1g1 a7a6 g1h1 a6a5").legal
    assert "castle(king_side)" in played(start, prepared + "a2a3 a7a6 a3a4 a6a5").legal


def test_the_king_does_not_castle_out_of_through_or_into_check(start):
    through = played(start, "g1f3 b7b6 g2g3 c8a6 f1h3 a6e2")  # the bishop on e2 attacks f1
    assert "castle(king_side)" not in through.legal
    out_of = played(start, "g1f3 e7e6 g2g3 f8b4 f1g2 b4d2")
    assert "castle(king_side)" not in out_of.legal
    into = played(start, "f2f4 e7e5 g1f3 f8c5 g2g3 a7a6 f1g2 a6a5")  # the bishop on c5 attacks g1
    assert "castle(king_side)" not in into.legal


def test_a_rook_that_was_captured_does_not_castle(start):
    play = played(start, "g1h3 b7b6 g2g3 c8b7 f1g2 b7g2 h3g5 g2h1")
    assert "castle(king_side)" not in play.legal


def test_en_passant_at_once_or_never(start):
    play = played(start, "e2e4 a7a6 e4e5 d7d5")
    assert "go_to(e5, d6)" in play.legal
    assert "go_to(e5, f6)" not in play.legal
    taken = play.then("go_to(e5, d6)")
    assert not any(str(move).startswith("go_to(d5") for move in taken.moves)  # the pawn on d5 is gone
    assert "go_to(e5, d6)" not in play.then("go_to(a2, a3)", "go_to(a6, a5)").legal


def test_a_pawn_promotes_to_any_of_four(start):
    play = played(start, "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6")
    promotions = {move for move in play.legal if move.startswith("go_to(b7, a8")}
    assert promotions == {f"go_to(b7, a8, {kind})" for kind in ("queen", "rook", "bishop", "knight")}
    assert "go_to(b7, a8)" not in play.legal


def test_a_position_that_comes_up_a_third_time_is_a_draw(start):
    there_and_back = "g1f3 g8f6 f3g1 f6g8 "
    assert not played(start, there_and_back).ended
    assert played(start, there_and_back * 2).payoff == (0, 0)


def test_a_right_to_take_en_passant_makes_another_position(start):
    """After the first e4 Black's pawn on d4 may take on e3: that position differs from the later one."""
    play = played(start, "a2a3 d7d5 a3a4 d5d4 e2e4")
    assert "go_to(d4, e3)" in play.legal
    round_trip = line("g8f6 g1f3 f6g8 f3g1")
    play = play.then(*round_trip, *round_trip)
    assert not play.ended
    assert play.then(round_trip[0]).payoff == (0, 0)


def test_a_right_that_nobody_can_use_does_not(start):
    """After e4 no pawn can take on e3: the position equals the later one."""
    play = played(start, "e2e4")
    round_trip = line("g8f6 g1f3 f6g8 f3g1")
    assert play.then(*round_trip, *round_trip).payoff == (0, 0)


def test_fifty_moves_without_a_capture_or_a_pawn_move_are_a_draw(start):
    """Knights and rooks move behind their own lines."""
    random = Random(7)
    play = start("chess")
    for length in range(1, 101):
        walks = [move for move in play.moves if move.name == "go_to" and stays_at_home(play, move)]
        later = [play.go_on(move) for move in random.sample(walks, len(walks))]
        play = next(after for after in later if not after.ended or length == 100)
    assert play.payoff == (0, 0)


def stays_at_home(play, move) -> bool:
    """Whether neither a pawn moves nor a piece leaves its player's three ranks."""
    home = (1, 3) if play.actor == "White" else (8, 6)
    start, goal, _ = move.arguments
    return start.y in home and goal.y in home


def test_random_plays_agree_with_another_program(start):
    chess = pytest.importorskip("chess")
    random = Random(3)
    for _ in range(2):
        play, other = start("chess"), chess.Board()
        while not play.ended:
            assert play.legal == {written_by_peer(other, move, chess) for move in other.legal_moves}
            move = random.choice(sorted(play.legal))
            other.push(next(m for m in other.legal_moves if written_by_peer(other, m, chess) == move))
            play = play.then(move)
            assert play.ended == bool(other.outcome() or other.is_repetition(3) or other.halfmove_clock >= 100)


def written_by_peer(board, move, chess) -> str:
    if board.is_kingside_castling(move):
        return "castle(king_side)"
    if board.is_queenside_castling(move):
        return "castle(queen_side)"
    return written(move.uci())


# Chess problems and combinations from games, solved by df-pn or to a depth and, independently, by python-chess.


# Every move gives check.
MATES = [
    # Morphy against Duke Karl and Count Isouard, Paris 1858
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1", 2, "reference"),
    # smothered, after Lucena, 1497
    ("1r5k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2, "python"),
    # Anastasia's mate, after Heinse, 1803
    ("5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", 2, "python"),
    # Réti against Tartakower, Vienna 1910
    ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9", 3, "python"),
    # Anderssen against Dufresne, Berlin 1852: the evergreen game
    ("1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1 w - - 0 21", 4, "python"),
    # Damiano, 1512, without a white king, which stands far away here
    ("4qrk1/6p1/5pP1/8/8/8/1K2P3/3Q1R1R w - - 0 1", 5, "python"),
    # Edward Lasker against Thomas, London 1912, before the 13th move
    ("rn3r2/pbppq1p1/1p2pN1k/4N3/3P4/3B4/PPP2PPP/R3K2R w KQ - 1 13", 5, "auto"),
    # the same before the 11th, with the queen's sacrifice
    ("rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 6 11", 7, "auto"),
]

# The first moves give no check.
QUIET_MATES = [
    # Morphy's problem, 1856
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
    # Loyd, Chess Monthly 1859: Charles XII at Bender, with one man less each time
    ("8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1", 3, "g7g3"),
    ("8/6R1/7p/5K1k/8/6p1/5bPP/8 w - - 0 1", 4, "h2g3"),
    ("8/6R1/7p/5K1k/8/6p1/5bP1/8 w - - 0 1", 5, "g7b7"),
]


def position_of(board: chess.Board) -> str:
    """The position as Zermelo reads it."""
    rows = str(board).replace(" ", "").splitlines()
    rights = [
        f"    may_castle[{player}, {wing}] := {str(has(color)).lower()}"
        for color, player in ((chess.WHITE, "White"), (chess.BLACK, "Black"))
        for has, wing in (
            (board.has_queenside_castling_rights, "queen_side"),
            (board.has_kingside_castling_rights, "king_side"),
        )
    ]
    mover = "White" if board.turn else "Black"
    layout = [f'        "{row}"' for row in rows]
    return "\n".join(["setup:", "    board := layout", *layout, *rights, f"start at play({mover})", ""])


# Positions from files: what a file says of a right counts only where the pieces stand that it is about.


@pytest.mark.parametrize(
    ("fen", "counts"),
    [  # published in the Chess Programming Wiki, Perft Results: Kiwipete, and positions 3 to 6
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", [46, 2079]),
    ],
)
def test_plays_from_a_position_are_counted(fen, counts):
    machine = zermelo.load_position("chess", position_of(chess.Board(fen))).reference
    found = [count_exactly(machine, machine.initial(), length).plays for length in range(1, len(counts) + 1)]
    assert found == counts


LONE = """\
setup:
    board := none
    board[{king}] := (White, king)
    board[e8] := (Black, king)
    {more}
start at play(White)
"""


@pytest.mark.parametrize(
    ("king", "more", "castles"),
    [
        ("e1", "board[h1] := (White, rook)", {"castle(king_side)"}),
        ("d3", "board[h1] := (White, rook)", set()),
        ("e1", "board[h1] := (Black, rook)", set()),
    ],
)
def test_king_and_rook_castle_where_they_stand(king, more, castles):
    begin = zermelo.load_position("chess", LONE.format(king=king, more=more)).initial
    assert {str(move) for move in begin.moves if move.name == "castle"} == castles


def test_a_king_that_walks_home_does_not_castle():
    begin = zermelo.load_position("chess", LONE.format(king="e2", more="board[h1] := (White, rook)")).initial
    home = begin.after("go_to(e2, e1)").after("go_to(e8, e7)")
    assert not any(move.name == "castle" for move in home.moves)


@pytest.mark.parametrize(
    ("more", "takes"),
    [
        ("board[d5] := (Black, pawn)", True),
        ("", False),
        ("board[d5] := (White, rook)", False),
        ("board[d6] := (White, rook)", False),
    ],
)
def test_only_a_pawn_is_taken_in_passing(more, takes):
    text = LONE.format(king="a1", more=f"board[e5] := (White, pawn)\n    en_passant := d6\n    {more}")
    assert ("go_to(e5, d6)" in map(str, zermelo.load_position("chess", text).initial.moves)) is takes


def test_a_pawn_that_goes_straight_takes_nothing():
    text = LONE.format(king="a1", more="board[d5] := (White, pawn)\n    en_passant := d6")
    after = zermelo.load_position("chess", text).initial.after("go_to(d5, d6)")
    pieces = {str(seen.indices[0]): str(seen.value) for seen in after.view("White") if seen.variable == "board"}
    assert pieces["d6"] == "(White, pawn)"


def uci(move) -> str:
    return "".join(re.findall(r"[a-h][1-8]", str(move)))


def is_mate_in(board: chess.Board, moves: int, by_checks: bool) -> bool:
    """Whether the player to move mates within so many moves, by checks alone or not."""
    for move in list(board.legal_moves):
        if (moves == 1 or by_checks) and not board.gives_check(move):
            continue
        board.push(move)
        found = board.is_checkmate() or (moves > 1 and are_lost(board, moves - 1, by_checks))
        board.pop()
        if found:
            return True
    return False


def are_lost(board: chess.Board, moves: int, by_checks: bool) -> bool:
    """Whether there are replies, and the opponent mates within so many moves after each of them."""
    replies = list(board.legal_moves)
    for reply in replies:
        board.push(reply)
        lost = is_mate_in(board, moves, by_checks)
        board.pop()
        if not lost:
            return False
    return bool(replies)


@pytest.mark.parametrize(("fen", "moves", "where"), MATES)
def test_mates(fen, moves, where):
    board = chess.Board(fen)
    assert is_mate_in(board, moves, by_checks=True)
    assert not any(is_mate_in(board, fewer, by_checks=True) for fewer in range(1, moves))
    game = zermelo.load_position("chess", position_of(board))
    machines = {"auto": game.searching, "python": python_machine(game.model), "reference": game.reference}
    found = solve(machines[where], game.facts, "dfpn")
    assert found.exact
    assert found.value == (1, -1)
    for move in found.line:
        board.push_uci(uci(move))
    assert board.is_checkmate()


@pytest.mark.parametrize(("fen", "moves", "key"), QUIET_MATES)
def test_quiet_mates(fen, moves, key):
    """Without a table only the key mates within the depth. Entries of a table may reach deeper than they must, so that
    a search with one may prefer a move that mates later; but it mates."""
    board = chess.Board(fen)
    assert not any(is_mate_in(board, fewer, by_checks=False) for fewer in range(1, min(moves, 4)))
    game = zermelo.load_position("chess", position_of(board))
    machine = game.searching
    too_short, enough = (
        solve(machine, game.facts, "principal_variation", limits=Limits(depth=plies))
        for plies in (2 * moves - 3, 2 * moves - 1)
    )
    assert too_short.value[0] < 1
    assert enough.value == (1, -1)
    with patch.object(path_search, "table_size", return_value=1):  # none
        plain = solve(machine, game.facts, "principal_variation", limits=Limits(depth=2 * moves - 1))
    assert plain.value == (1, -1)
    assert uci(plain.best[0]) == key
    assert solve(machine, game.facts, "dfpn").value == (1, -1)
    if uci(enough.best[0]) != key:
        board.push_uci(uci(enough.best[0]))
        behind = zermelo.load_position("chess", position_of(board))
        assert solve(behind.searching, behind.facts, "dfpn").value == (1, -1)


# King and rook against king, solved a second time by retrograde analysis.


STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]

Square = tuple[int, int]
BEGINNING = ("White", (1, 1), (2, 2), (3, 3))
"""Who is to move, White's king, the rook, and Black's king."""


def name(square: Square) -> str:
    return f"{'abcdefgh'[square[0] - 1]}{square[1]}"


def are_near(one: Square, two: Square) -> bool:
    return abs(one[0] - two[0]) <= 1 and abs(one[1] - two[1]) <= 1


def program(size: int):
    squares = set(product(range(1, size + 1), repeat=2))

    def steps(square: Square) -> list[Square]:
        return [to for i, j in AROUND if (to := (square[0] + i, square[1] + j)) in squares]

    def line(rook: Square, king: Square, other: Square | None) -> list[Square]:
        """The squares that the rook attacks; the white king stops it, and so does ``other``, which it attacks, too."""
        found = []
        for i, j in STRAIGHT:
            x, y = rook[0] + i, rook[1] + j
            while (x, y) in squares and (x, y) != king:
                found.append((x, y))
                if (x, y) == other:
                    break
                x, y = x + i, y + j
        return found

    def node(position: tuple[str, Square, Square, Square]) -> Node:
        player, king, rook, lone = position
        if player == "White":
            if rook == lone:
                return end(0)
            kings = {
                f"move_king({name(to)})": ("Black", to, rook, lone)
                for to in steps(king)
                if to != rook and not are_near(to, lone)
            }
            rooks = {f"move_rook({name(to)})": ("Black", king, to, lone) for to in line(rook, king, lone) if to != lone}
            return choice("White", kings | rooks)
        moves = {
            f"move_king({name(to)})": ("White", king, rook, to)
            for to in steps(lone)
            if not are_near(to, king) and (to == rook or to not in line(rook, king, None))
        }
        if moves:
            return choice("Black", moves)
        return end(1 if lone in line(rook, king, lone) else 0)

    return node


@pytest.mark.parametrize("size", [3, 4])
def test_the_rules_are_those_of_the_second_program(start, size):
    assert agree(start("rook_ending", size=size), program(size), BEGINNING) > 100


@pytest.mark.parametrize(("size", "plies"), [(3, 5), (4, 9), (5, 17)])
def test_white_mates_as_soon_as_the_second_program(solution, size, plies):
    assert outcomes(program(size), BEGINNING, "White")[BEGINNING] == (1, plies)
    found = solution("rook_ending", on="auto", size=size)
    assert found.value == (1, -1)
    assert len(found.line) == plies


def test_the_longest_mate_takes_sixteen_moves(solution):
    """Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986): 16 moves on the usual board. The game
    begins in one of the positions that need them."""
    found = solution("rook_ending", on="auto", size=8)
    assert found.value == (1, -1)
    assert len(found.line) == 31


# King and rook against an unseen king, written a second time: positions, what White hears, values and mates.


KING, ROOK = (1, 1), (2, 2)
"""Where White begins."""


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


def kriegspiel_ending_program(size: int, moves: int):
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
def test_the_rules_are_those_of_the_second_program_in_kriegspiel_ending(start, size, moves):
    play = start("kriegspiel_ending", size=size, moves=moves)
    assert agree(play, kriegspiel_ending_program(size, moves), beginning(moves)) > 100


@pytest.mark.parametrize(("size", "moves"), [(3, 3), (4, 2)])
def test_white_knows_what_the_umpire_says(size, moves):
    """Plays look the same to White in both programs: they tell them apart by their own moves, refusals, and checks."""
    game, board = zermelo.load("kriegspiel_ending", size=size, moves=moves), Board(size)
    node = kriegspiel_ending_program(size, moves)
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


@pytest.mark.parametrize(("moves", "value"), [(1, 0), (2, 0), (3, Fraction(2, 3)), (4, Fraction(2, 3))])
def test_values_on_three_by_three(moves, value):
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
    assert zermelo.solve(zermelo.load("kriegspiel_ending", moves=moves), memory=1 << 30).value == (value, -value)


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
        assert zermelo.force(game, "White", memory=1 << 30).amount == is_forced
