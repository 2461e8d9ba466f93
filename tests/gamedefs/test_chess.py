"""Chess: the counts of plays, and the rules that are easy to get wrong."""

from __future__ import annotations

from random import Random

import pytest


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
    return f"promote({squares}, {kinds[move[4]]})" if len(move) == 5 else f"go_to({squares})"


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
    promotions = {move for move in play.legal if move.startswith("promote(b7, a8")}
    assert promotions == {f"promote(b7, a8, {kind})" for kind in ("queen", "rook", "bishop", "knight")}
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
    start, goal = move.arguments
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
