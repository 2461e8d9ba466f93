"""``preferring`` in the dialect: of the steps of a turn, those from which a best complete turn can be reached.

:mod:`zermelo.interpreter.reference.preferring` says what that means. Here the positions of the turn are numbered as
they are found, the one at hand first, and told apart by their keys, of which a digest stands apart. Every step is an
edge to another position, or a completion whose worth counts for the position that it starts from; then worths are
handed back along the edges until none changes. A worth is a class (1: the turn ends, 2: the game ends, 0: neither) and
the values of the criterion.

A random play draws a step and needs to know of this one alone. Where :mod:`zermelo.interpreter.native.rules.prospects`
tells that the turn cannot end the game, a single way to complete it that is worth as much as any can be is proof
enough.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.bindings import Env
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.rules import prospects
from zermelo.interpreter.native.rules.branches import Branches, bytes_for_each

_POSITIONS: Final = 1 << 11
_ROOM: Final = 1 << 21
"""How many bytes of the stack the positions of a turn may take: a thread has 8 MiB at most places."""

_EDGES: Final = 1 << 14


def preferred_function(lowering: Lowering, number: int, turn: model.Turn, env: Env, body: Body) -> None:
    """``preferred_k(C, S, M, n)``: keep the preferred ones of n moves. ``env`` has the phase's names, which ``body``
    begins by putting into names of their own."""
    text = lowering.text
    criteria = [criterion for criterion, _ in _criteria(lowering, turn, env)]
    worths = [f"w{k}" for k in range(len(criteria))]
    columns = ["kind", *worths]
    overflow = text.site("overflow", turn.span)
    layout = lowering.layout
    room = layout.size * layout.width // 8 + 8 * layout.key_words + bytes_for_each(lowering)
    positions = min(_POSITIONS, _ROOM // room)
    branches = Branches(lowering, positions)

    with body.block("if n < 2"):
        body.line("return n")
    body.line(f"who: int = S[{ACTOR}]")
    body.line(f"place = scratches({positions})")
    body.line(f"keys = array({positions} * KEY)")
    body.line(f"digests = array({positions})")
    body.line(f"origin = array({_EDGES})")
    body.line(f"target = array({_EDGES})")
    body.line("K = array(KEY)")
    body.line("L = array(MOVES)")
    body.line("to = array(MOVES)")
    for column in columns:
        body.line(f"best_{column} = array({positions})")
        body.line(f"own_{column} = array(MOVES)")
    body.line("digests[0] = -1")
    body.line("copy(place[0], S, STATE)")
    branches.begin(body)
    body.line("edges: int = 0")
    body.line("found: int = 1")
    body.line("at: int = 0")
    for column in columns:
        body.line(f"best_{column}[0] = 0")
    with body.block("while at < found"):
        branches.recall(body)
        body.line("many: int = n")
        with body.block("if at == 0"), body.block("for i in range(n)"):
            body.line("L[i] = M[i]")
        with body.block("else"):
            body.line("many = steps(C, place[at], L)")
        with body.block("for k in range(many)"):
            _step(branches, _goes_on(lowering), criteria, worths, overflow, body)
        body.line("at += 1")
    _hand_back(columns, body)
    _keep(columns, body)
    text.function(f"preferred_{number}(C: ints[CONTEXT], S: state, M: ints[MOVES], n: int) -> int", body)


def _criteria(lowering: Lowering, turn: model.Turn, env: Env) -> list[tuple[str, int | None]]:
    """The criteria, looking at ``T``, each with the greatest value that it can have."""
    found = []
    for expr in turn.preferring:
        judge = Body()
        lowering.is_deciding = True
        value = lowering.value(expr, env)
        lowering.is_deciding = False
        judge.line(f"return {value.text}")
        call = lowering.text.lift("judge", judge, state="T")
        found.append((call, prospects.best_worth(lowering, expr, value)))
    return found


def _goes_on(lowering: Lowering) -> str:
    """Whether ``T`` is a position of the turn of ``who``."""
    phases = lowering.layout.phases
    turns = sum(1 << k for k, phase in enumerate(phases) if isinstance(phase.decision, model.Turn))
    return f"T[{ACTOR}] == who and ({turns} >> T[{PHASE}]) & 1 != 0"


def proof_function(lowering: Lowering, number: int, turn: model.Turn, env: Env, body: Body) -> bool:
    """``proof_k(C, S, m)``: whether move m is surely among the preferred ones, since no turn can end the game and the
    first way found to complete it is worth as much as any can be. Whether there is such a function."""
    criteria = _criteria(lowering, turn, env)
    safe = prospects.out_of_reach(lowering, lowering.layout.phases[number], turn, env)
    if safe is None or any(best is None for _, best in criteria):
        return False
    with body.block(f"if not {safe}"):
        body.line("return 0")
    body.line(f"who: int = S[{ACTOR}]")
    body.line("L = array(MOVES)")
    body.line("T = scratch()")
    body.line("copy(T, S, STATE)")
    body.line("step: int = m")
    with body.block("while 1"):
        body.line("effects(C, T, step)")
        for k, (criterion, _) in enumerate(criteria):
            body.line(f"w{k}: int = {criterion}")
        body.line("arrive(C, T)")
        with body.block(f"if not ({_goes_on(lowering)})"):
            body.line("return 0")
        with body.block("if steps(C, T, L) == 0"):
            best = " and ".join(f"w{k} == {best}" for k, (_, best) in enumerate(criteria))
            body.line(f"return C[0] == 0 and {best}")
        body.line("step = L[0]")
    lowering.text.function(f"proof_{number}(C: ints[CONTEXT], S: state, m: int) -> int", body)
    return True


def _step(branches: Branches, goes_on: str, criteria: list[str], worths: list[str], overflow: int, body: Body) -> None:
    """Look at step k of position ``at``."""
    with body.block(f"if found >= {branches.positions - 1} or edges >= {_EDGES - 1} or C[0] != 0"):
        with body.block("if C[0] == 0"):
            body.line(f"C[0] = {overflow}")
        body.line("return n")
    body.line("T = place[found]")
    body.line("copy(T, place[at], STATE)")
    body.line("effects(C, T, L[k])")
    for worth, criterion in zip(worths, criteria, strict=True):
        body.line(f"{worth}: int = {criterion}")
    body.line("settle(C, T)")
    body.line("kind: int = 1")
    body.line("next: int = -1")
    with body.block(f"if T[{ACTOR}] == 0"):
        body.line("kind = 2")
        for worth in worths:
            body.line(f"{worth} = 0")
    with body.block(f"elif {goes_on}"):
        body.line("kind = 0")
        body.line("pack(T, K)")
        body.line("h: int = 0")
        with body.block("for i in range(KEY)"):
            body.line("h = mix(h, K[i])")
        branches.digest(body)
        body.line("last: int = found if count(digests, 0, found, h) != 0 else 0")
        with body.block("for j in range(last)"), body.block("if digests[j] == h"):
            body.line("same: int = 1")
            with body.block("for i in range(KEY)"), body.block("if keys[j * KEY + i] != K[i]"):
                body.line("same = 0")
            branches.compare(body)
            with body.block("if same != 0"):
                body.line("next = j")
                body.line("break")
        with body.block("if next < 0"):
            body.line("next = found")
            body.line("digests[found] = h")
            with body.block("for i in range(KEY)"):
                body.line("keys[found * KEY + i] = K[i]")
            branches.keep(overflow, body)
            for column in ("kind", *worths):
                body.line(f"best_{column}[found] = 0")
            body.line("found += 1")
        body.line("origin[edges] = at")
        body.line("target[edges] = next")
        body.line("edges += 1")
    with body.block("if kind != 0"):
        columns = ("kind", *worths)
        with body.block(f"if {_less([f'best_{c}[at]' for c in columns], list(columns))}"):
            for column in columns:
                body.line(f"best_{column}[at] = {column}")
    with body.block("if at == 0"):
        body.line("to[k] = next")
        for column in ("kind", *worths):
            body.line(f"own_{column}[k] = {column}")


def _hand_back(columns: list[str], body: Body) -> None:
    """Give every position the best worth that can be reached from it."""
    body.line("changed: int = 1")
    with body.block("while changed != 0"):
        body.line("changed = 0")
        with body.block("for j in range(edges)"):
            body.line("e: int = edges - 1 - j")
            body.line("a: int = origin[e]")
            body.line("b: int = target[e]")
            less = _less([f"best_{c}[a]" for c in columns], [f"best_{c}[b]" for c in columns])
            with body.block(f"if {less}"):
                body.line("changed = 1")
                for column in columns:
                    body.line(f"best_{column}[a] = best_{column}[b]")


def _keep(columns: list[str], body: Body) -> None:
    """Keep the moves that are worth most, which is what the first position is worth."""
    body.line("kept: int = 0")
    with body.block("for k in range(n)"):
        with body.block("if to[k] >= 0"):
            for column in columns:
                body.line(f"own_{column}[k] = best_{column}[to[k]]")
        with body.block(f"if {' and '.join(f'own_{c}[k] == best_{c}[0]' for c in columns)}"):
            body.line("M[kept] = M[k]")
            body.line("kept += 1")
    body.line("return kept")


def _less(one: list[str], two: list[str]) -> str:
    """Whether one row of numbers comes before another, compared from the left."""
    text = f"{one[-1]} < {two[-1]}"
    for a, b in zip(reversed(one[:-1]), reversed(two[:-1]), strict=True):
        text = f"{a} < {b} or ({a} == {b} and ({text}))"
    return text
