"""What the window kernel finds out about a state before it searches its moves (see
:mod:`zermelo.solvers.search.null_move` and :mod:`zermelo.solvers.search.singular_extensions` for what is asked, and
why).

An *inquiry* is a search of the state behind a pass, or of the state itself, which stands one place further on the path
meanwhile. ``E[d]`` is the stage of state d: 0 where there is
nothing to ask, odd where a question is to be put, and then the next number while its answer is searched for; ``CUT``
where the answer has cut the state off. ``P[d]`` is the plan for its
moves: the ``FIRST`` one, the one that is ``EXTENDED``, the one that is ``BARRED`` (-1 where there is none), the ``PLY``
of the state, which counts moves and passes alone, and the ``BOUND`` that no other move must reach.

The host gives ``PASSES`` and ``EXTENDS``, from how many plies on passes are tried and moves tested, 0 for never,
``ADAPTIVE``, from how many on a pass costs one more, ``MARGIN``, and the function ``lets_pass`` of ``(C, S)``.
"""

ASK_PASS = 1
BEHIND_PASS = 2
ASK_SHALLOW = 3
SHALLOW = 4
ASK_OTHERS = 5
OTHERS = 6
CUT = 8

FIRST = 0
EXTENDED = 1
BARRED = 2
PLY = 3
BOUND = 4


def inquires() -> int:
    """Whether anything is ever asked; where not, ``E`` and ``P`` are not in use."""
    return 1 if PASSES + EXTENDS > 0 else 0


def stage(E: ints[depth], depth: int, d: int) -> int:
    """The stage of state d."""
    return E[d] if inquires() != 0 else 0


def ply(P: rows[depth, 5], depth: int, d: int) -> int:
    """How many moves and passes lead from the root to state d."""
    return P[d][PLY] if inquires() != 0 else d


def is_extended(P: rows[depth, 5], depth: int, d: int, m: int) -> int:
    """Whether move m of state d is searched one ply deeper than the others."""
    return 1 if EXTENDS != 0 and m == P[d][EXTENDED] else 0


def first_stage(E: ints[depth], L: ints[depth], P: rows[depth, 5], depth: int, d: int) -> int:
    """The stage in which state d begins, its plan made."""
    plan = P[d]
    if plan[PLY] == 0 or L[d] >= TO_THE_END:
        return 0
    if PASSES != 0 and L[d] >= PASSES and E[d - 1] != BEHIND_PASS:
        return ASK_PASS
    if EXTENDS != 0 and L[d] >= EXTENDS and plan[BARRED] < 0 and plan[PLY] <= L[0]:
        return ASK_SHALLOW
    return 0


def make_plan(E: ints[depth], P: rows[depth, 5], depth: int, d: int, first: int) -> int:
    """The plan of state d, which depends on why it is searched."""
    plan = P[d]
    plan[FIRST] = first
    plan[EXTENDED] = -1
    plan[BARRED] = -1
    plan[PLY] = 0
    if d > 0:
        plan[PLY] = P[d - 1][PLY] + (1 if E[d - 1] <= BEHIND_PASS else 0)
        if E[d - 1] == OTHERS:
            plan[BARRED] = P[d - 1][FIRST]
    return 0


def inquire(C: ints[CONTEXT], stack: states[depth * BREADTH], A: ints[depth], Z: ints[depth], E: ints[depth],
            R: ints[8], depth: int, d: int) -> int:
    """Put the question about state d: make the state to be searched for it. 0 where it is not to be asked after all."""
    here = stack[d * BREADTH]
    there = stack[(d + 1) * BREADTH]
    if E[d] == ASK_PASS:
        w: int = worth(C, here)
        if ((w < Z[d]) if actor(here) == 0 else (w > A[d])) or is_unsettled(C, here) != 0:
            E[d] = 0
            return 0
    copy(there, here, STATE)
    if E[d] == ASK_PASS:
        if lets_pass(C, there) == 0:
            E[d] = 0
            return 0
        R[1] = R[1] + 1
    E[d] = E[d] + 1
    return 1


def question(A: ints[depth], Z: ints[depth], L: ints[depth], E: ints[depth], P: rows[depth, 5], F: ints[4], depth: int,
             d: int, who: int) -> int:
    """Into ``F``: the window and the plies of the search that answers the question about state d."""
    F[0] = A[d]
    F[1] = Z[d]
    F[2] = L[d] >> 1
    if E[d] == BEHIND_PASS:
        F[2] = L[d] - (4 if L[d] >= ADAPTIVE else 3)
        if who == 0:
            F[0] = Z[d] - 1
        else:
            F[1] = A[d] + 1
    elif E[d] == OTHERS:
        F[0] = P[d][BOUND] if who == 0 else P[d][BOUND] - 1
        F[1] = F[0] + 1
    return 0


def answer(A: ints[depth], Z: ints[depth], V: ints[depth], H: ints[depth], U: ints[depth], E: ints[depth],
           P: rows[depth, 5], F: ints[4], depth: int, d: int, who: int) -> int:
    """What follows from the answer, a value, its move and whether it holds to the end in ``F``. 1 where the moves of
    state d are to be listed now."""
    plan = P[d]
    asked: int = E[d]
    E[d] = 0
    if asked == BEHIND_PASS:
        if F[3] == 0 and ((F[0] >= Z[d]) if who == 0 else (F[0] <= A[d])):
            V[d] = F[0]
            H[d] = plan[FIRST]
            U[d] = 1
            E[d] = CUT
    elif asked == SHALLOW:
        if F[2] >= 0:
            plan[FIRST] = F[2]
            if (F[0] > A[d]) if who == 0 else (F[0] < Z[d]):
                plan[BOUND] = F[0] - MARGIN if who == 0 else F[0] + MARGIN
                E[d] = ASK_OTHERS
    elif (F[0] <= plan[BOUND]) if who == 0 else (F[0] >= plan[BOUND]):
        plan[EXTENDED] = plan[FIRST]
    return 1 if E[d] == 0 else 0


def taken_back(C: ints[CONTEXT], E: ints[depth], depth: int, d: int) -> int:
    """Where a rule has gone wrong below a pass, the state whose player passed, the last if there are several; the pass
    is taken back and the rule forgotten. Else -1."""
    e: int = d
    while e >= 0 and E[e] != BEHIND_PASS:
        e -= 1
    if e >= 0:
        C[0] = 0
        E[e] = 0
    return e
