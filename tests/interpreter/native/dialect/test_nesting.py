"""Deeply nested or long rules: the lowering flattens or refuses them, so that 'auto' takes the reference machine.
Nothing ever reaches a limit of Python or of LLVM."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.cli import main
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.native.dialect import lowered_text
from zermelo.interpreter.native.dialect.language import execute, parse_module
from zermelo.interpreter.native.dialect.lowered_text import (
    MOST_BLOCKS,
    MOST_LOOPS,
    MOST_LOWERED,
    MOST_PARTS,
    Body,
    Text,
    Unsupported,
    combine_halves,
    is_deep,
    join_operands,
)
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.llvm.functions import emit
from zermelo.interpreter.native.model_lowering import lower
from zermelo.solvers.forms.strategy import Strategy

GAME = """game "Deep"
players Ann, Bob
var n: 0..9 = 0
var done: set of 0..9 = {}
DEFINES
start at play(Ann)
phase play(p: Player):
    if n >= 7: end payoff {p: n + size(done), other p: -n - size(done)}
    turn p:
        move take(k in 1..2):
            n += k
BODY
            go play(other p)
"""


def game(body: str, defines: str = "") -> str:
    return GAME.replace("BODY", body).replace("DEFINES\n", defines)


def nested(head: Callable[[int], str], depth: int, inside: str) -> str:
    """Statements in nested blocks."""
    lines = [" " * (12 + k) + head(k) for k in range(depth)]
    return "\n".join([*lines, " " * (12 + depth) + inside])


@pytest.mark.parametrize("machine", ["auto", "python", "reference"])
def test_a_table_of_fifty_rows_and_columns(machine: str) -> None:
    """The value is right if each player has a strategy that guarantees it."""
    draw = Random(50)
    matrix = [[draw.randrange(100) for _ in range(50)] for _ in range(50)]
    rows = [["A \\ B", *(f"c{c}" for c in range(50))], *([f"r{r}", *row] for r, row in enumerate(matrix))]
    table = "\n".join(f"    {' | '.join(map(str, row))}" for row in rows)
    game = zermelo.loads(f'game "T"\nplayers A, B\nclaim zero_sum\ntable:\n{table}\n')
    solution = zermelo.solve(game.on(machine))
    value = solution.value[0]
    mine, yours = (_mixture(strategy) for strategy in solution.strategies)
    assert min(sum(share * matrix[r][c] for r, share in mine.items()) for c in range(50)) == value
    assert max(sum(share * matrix[r][c] for c, share in yours.items()) for r in range(50)) == value
    assert solution.value == (value, -value) and solution.exact


def _mixture(strategy: Strategy) -> dict[int, Fraction]:
    (decision,) = strategy.decisions
    return {int(str(move)[1:]): share for move, share in zip(decision.moves, decision.probabilities, strict=True)}


# ------------------------------------------------------------------------- deep rules that do without the nesting

FLAT = {
    "else if": game(
        "\n".join(
            f"            {'else ' if k else ''}if n == {k % 12}:\n                n := {k % 9}" for k in range(120)
        )
        + "\n            else:\n                n := min(9, n + 1)"
    ),
    "else if that leaves": game(
        "\n".join(
            f"            {'else ' if c else ''}if n + k == {c + 3}:\n"
            f"                end payoff {{q: {c} for q in Player}}"
            for c in range(40)
        )
    ),
    "match in a statement": game(
        "            match n:\n" + "".join(f"                {c}: n := {(c + 2) % 10}\n" for c in range(10))
    ),
    "match in an expression": game(
        "            n := min(9, f(n, k))",
        "define f(x: 0..9, y: 0..9) = match x * 11 + n:\n"
        + "".join(f"    {k}: {k % 7} + y\n" for k in range(108))
        + "    else: n\n",
    ),
    "blocks": game(nested(lambda k: f"if n > {k % 3}:", 45, "n := min(9, n + 1)")),
    "blocks that leave": game(nested(lambda k: f"if n > {k % 3}:", 45, "end draw")),
    "loops": game(nested(lambda k: f"for y{k} in 1..1 if y{k} < n:", 45, "done := done + {y0}")),
    "loops over sets": game(nested(lambda k: f"for y{k} in {{z + 0 for z in 0..1 if z < n}}:", 4, "done := {y0, y3}")),
    "loops over what changes": game(
        nested(
            lambda k: f"for y{k} in {{x for x in done if x == n}}:" if k else "for y in {x for x in 1..2 if x < n}:",
            30,
            "done := done + {y}",
        )
    ),
    "binders of one loop": game(
        f"            for {', '.join(f'y{k} in 1..{1 + (k < 4)}' for k in range(40))}:\n"
        "                n := min(9, n + y3 - y2)"
    ),
    "conditions": game(
        "            if " + "".join(f"(some y{k} in 1..2: y{k} > n - 2 or " for k in range(18)) + "n > 3" + ")" * 18
        + ": n := 5"
    ),
    "binders of a condition": game(
        f"            if some {', '.join(f'y{k} in 1..n' for k in range(25))}: y24 == n: done := done + {{n}}"
    ),
    "brackets": game("            n := min(9, " + "(" * 45 + "n" + " + k)" * 45 + ")"),
    "least of least": game("            n := " + "min(9, n + " * 25 + "k" + ")" * 25),
    "least of many": game(f"            n := min(9, {', '.join(f'n + {k} * k' for k in range(1, 400))})"),
    "a set of many": game(
        f"            if n in {{{', '.join(f'k + {c}' for c in range(2, 400))}}}: done := done + {{n}}"
    ),
    "all of many": game(
        f"            if {' and '.join(f'n + k != {c}' for c in range(20, 900))}: done := done + {{n}}"
    ),
    "defines of defines": game(
        "            n := min(9, d20)",
        "define d0 = n + 1\n" + "".join(f"define d{k + 1} = min(9, d{k} + n % 2)\n" for k in range(20)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FLAT)
def test_deep_rules_play_alike(what: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(FLAT[what])


@pytest.mark.parametrize("depth", [3, 7, 8, 11])
def test_names_that_are_assigned_in_deep_blocks(depth: int, plays_alike: Callable[[str], None]) -> None:
    """Numbers, sets, and sets that may be none are returned from the functions into which the blocks are lifted."""
    lines = ["var t: 0..9 = 0", "var u: set of 0..9 = {}", "var w: set of 0..9? = none"]
    lines += [f"{' ' * k}for y{k} in 1..{1 + (k % 4 == 2)} if y{k} <= n:" for k in range(depth)]
    inside = ["t := min(9, t + 1)", "u := u + {t}", "if t > 4: w := u", "if t == 9: end payoff {q: t for q in Player}"]
    lines += [" " * depth + line for line in inside]
    lines += ["if w is not none: done := w", "n := min(9, max(n, t - 2))", "done := done + u"]
    plays_alike(game("\n".join(f"            {line}" for line in lines)))


# ------------------------------------------------------------------------- deep rules that are refused

LARGE = "{x for x in 1..130 if x > n + 128}"

BEYOND = {
    "so many values that may change": game(nested(lambda k: f"for y{k} in {LARGE}, z{k} in {LARGE}:", 9, "n := n")),
    "nested loops": game(
        f"            n := min(9, (sum {', '.join(f'y{k} in 1..1' for k in range(MOST_LOOPS + 1))}: n))"
    ),
    "parts deep": game(
        "            if f60(n): done := done + {0}",
        "define f0(x: 0..9) = x > n\n"
        + "".join(f"define f{k + 1}(x: 0..9) = some y in 1..3: y > n and f{k}(y)\n" for k in range(60)),
    ),
}


@pytest.mark.parametrize("construct", BEYOND)
def test_what_is_beyond_is_refused_and_left_to_the_reference_machine(
    construct: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "beyond.game"
    path.write_text(BEYOND[construct])
    with pytest.raises(Unsupported, match=construct) as refused:
        lower(zermelo.load(str(path)).model)
    assert refused.value.span is not None
    for machine in ("python", "native"):
        if machine == "python" or is_available():
            with pytest.raises(ZermeloError, match=construct) as error:
                zermelo.load(str(path)).on(machine)
            assert error.value.code == "machine-unavailable"
    assert main(["solve", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "on the reference machine" in said and construct in said
    assert "since the native one cannot run this game" in said
    assert main(["solve", str(path), "--machine", "reference"]) == 0
    assert "cannot run" not in capsys.readouterr().out


def test_nothing_is_said_where_a_game_is_lowered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tic_tac_toe"]) == 0
    assert "cannot run" not in capsys.readouterr().out


# ------------------------------------------------------------------------- the limits hold what they promise


def in_loops(count: int) -> str:
    body = Body()
    _open(body, "for", count)
    return _text(body)


def in_blocks(count: int) -> str:
    body = Body()
    _open(body, "if", count - 1)
    return _text(body)


def _open(body: Body, kind: str, left: int) -> None:
    if left == 0:
        body.line("x += 1")
        return
    with body.block(f"for i{left} in range(2)" if kind == "for" else "if x >= 0"):
        _open(body, kind, left - 1)


def _text(body: Body) -> str:
    body.lines.insert(0, "    x: int = 0")
    text = Text()
    text.function("moves(y: int) -> int", body, "x")
    return f"from __future__ import annotations\n{text.render()}"


PARTS = {
    "sums": ("1 + (", ")"),
    "calls": ("f(", ")"),
    "choices": ("(1 if y > 3 else ", ")"),
    "conditions": ("(not (y > 1 and ", "))"),
    "comparisons": ("(1 == ", ")"),
    "entries": ("T[", "]"),
    "a chain": ("y + ", ""),
}


def in_parts(before: str, after: str) -> str:
    """As deep as possible."""
    count = next(n for n in range(1, MOST_PARTS + 2) if is_deep(f"    return {before * n}y{after * n}", MOST_PARTS)) - 1
    body = Body()
    body.line(f"return {before * count}y{after * count}")
    return _text(body).replace("def moves", "T = (0, 1,)\n\n\ndef f(y: int) -> int:\n    return y\n\n\ndef moves")


WITHIN = {
    "loops": partial(in_loops, MOST_LOOPS),
    "blocks": partial(in_blocks, MOST_BLOCKS),
    **{what: partial(in_parts, *pair) for what, pair in PARTS.items()},
}


@pytest.mark.parametrize("what", WITHIN)
def test_what_is_within_the_limits_is_compiled_even_by_a_deep_caller(what: str) -> None:
    text = WITHIN[what]()

    def deeper(frames: int) -> None:
        if frames:
            deeper(frames - 1)
            return
        execute(text)
        assert "@moves(" in emit(parse_module(text), 64, ("moves",))

    used = len(_frames())
    assert sys.getrecursionlimit() >= 1000
    deeper(max(0, 350 - used))


def _frames() -> list[object]:
    frames: list[object] = []
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames


def test_what_is_beyond_the_limits_is_refused() -> None:
    with pytest.raises(Unsupported, match="nested loops"):
        in_loops(MOST_LOOPS + 1)
    with pytest.raises(Unsupported, match="nested blocks"):
        in_blocks(MOST_BLOCKS + 1)
    for expression in ("f(" * 81 + "y" + ")" * 81, " + ".join(["y"] * 82)):
        with pytest.raises(Unsupported, match="parts deep"):
            Body().line(f"return {expression}")
    with pytest.raises(Unsupported, match="parts deep"):
        lowered_text.require_shallow(MOST_LOWERED + 1)


OPERATORS = st.sampled_from(["+", "-", "*", "|", "&", "<<", "==", "<", "and", "or"])
EXPRESSIONS = st.recursive(
    st.sampled_from(["x", "12", "S[3]", "M[x]"]),
    lambda part: st.one_of(
        st.builds(lambda a, o, b: f"({a} {o} {b})", part, OPERATORS, part),
        st.builds(lambda o, some: f"({f' {o} '.join(some)})", OPERATORS, st.lists(part, min_size=1, max_size=6)),
        st.builds(lambda a, b, c: f"({a} if {b} else {c})", part, part, part),
        st.builds(lambda a: f"(not {a})", part),
        st.builds(lambda name, some: f"{name}({', '.join(some)})", st.sampled_from("fg"), st.lists(part, max_size=4)),
        st.builds(lambda a: f"S[{a}]", part),
    ),
    max_leaves=60,
)


@given(EXPRESSIONS)
def test_no_expression_is_deeper_than_it_is_said_to_be(text: str) -> None:
    tree = ast.parse(text, mode="eval").body
    depth = _depth(tree)
    assert depth <= lowered_text._depth(text) + 1
    assert all(is_deep(text, most) or depth <= most + 1 for most in (1, 2, 5, 10, 20, 40))


def _depth(node: ast.AST) -> int:
    return 1 + max((_depth(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)), default=0)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=300))
def test_long_operations_come_to_the_same_by_halves(numbers: list[int]) -> None:
    texts = list(map(str, numbers))
    assert eval(join_operands("+", texts)) == sum(numbers)
    assert eval(combine_halves(texts, lambda one, two: f"min({one}, {two})")) == min(numbers)
    assert join_operands("|", texts[:16]) == " | ".join(texts[:16])


def test_random_games_are_not_refused_for_their_depth(random_game: Callable[[Random], str]) -> None:
    """Nobody's rules come near the limits."""
    words = ("nested loops", "nested blocks", "parts deep", "nested so deep")
    for number in range(60):
        try:
            model = zermelo.loads(random_game(Random(number))).model
            lower(model)
        except Unsupported as beyond:
            assert not any(word in beyond.construct for word in words)
        except ZermeloError:
            continue
