"""The optimum of a linear program in rational numbers, with its certificate.

HiGHS finds a basis in double precision; its systems are solved again in rational numbers; and the solution and the
multipliers are checked exactly against the program (:mod:`zermelo.solvers.linear_programming.linear_program`). If the
check holds, the optimum is proved, independently of all floating-point arithmetic.

The check may fail, since optimality within a tolerance need not be exact (as in *degenerate* programs, with several
bases at one corner). Then the program is refined: the exact violations of the pair become the bounds and costs of
another program with the same coefficients, scaled by a power of two, and HiGHS continues from its basis. Every round
adds some ten digits (Gleixner, Steffy and Wolter, "Iterative refinement for linear programming", 2016).

If that does not converge, since coefficients are nearly or exactly equal in double precision, the simplex method
continues in rational numbers from the last basis (:mod:`zermelo.solvers.linear_programming.exact_simplex`). Small
programs are solved by it from the start: a few steps take less time than loading HiGHS.

Cost: a linear program in double precision and two systems of equations in rational numbers a round; usually one round.
"""

from __future__ import annotations

from fractions import Fraction

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.exact_simplex import optimum_from
from zermelo.solvers.linear_programming.linear_program import Certificate, LinearProgram, is_optimal, product
from zermelo.solvers.linear_programming.optimal_basis import Basis, Optimizer
from zermelo.solvers.linear_programming.rational_basis import SMALL, solve_basis

_ROUNDS = 12


def optimum(program: LinearProgram, limits: Limits) -> tuple[Certificate, bool] | None:
    """The solution with its multipliers, and whether they are proved to be optimal; None if no solution is found.

    Raises ``ZermeloError``: ``broken-installation``, ``out-of-time``, ``out-of-memory``."""
    limits.require(program.bytes, f"a linear program of {len(program.rows):,} rows")
    limits.hold(program, program.bytes)
    if len(program.rows) <= SMALL:
        certificate = optimum_from(program, Basis([], []), limits)
        if certificate is not None and is_optimal(program, certificate):
            return certificate, True
    return refined_optimum(program, limits)


def refined_optimum(program: LinearProgram, limits: Limits) -> tuple[Certificate, bool] | None:
    """The same by HiGHS, whatever the size. Raises as :func:`optimum`."""
    optimizer = Optimizer(program, limits)
    found, last = None, Basis([], [])
    nothing = Certificate([Fraction(0)] * len(program.costs), [Fraction(0)] * len(program.rows))
    basis = optimizer.optimize(*_what_remains(optimizer, nothing))
    for _ in range(_ROUNDS):
        certificate = None if basis is None or basis == last else solve_basis(program, basis, limits)
        if basis is None or certificate is None:
            break
        found, last = certificate, basis
        if is_optimal(program, certificate):
            return certificate, True
        basis = optimizer.optimize(*_what_remains(optimizer, certificate))
    certificate = optimum_from(program, last, limits)
    if certificate is not None:
        return certificate, is_optimal(program, certificate)
    return None if found is None else (found, False)


def _what_remains(
    optimizer: Optimizer, certificate: Certificate
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """The costs, lowest values and bounds of the program relative to a pair, slacks included."""
    program, x, y = optimizer.program, certificate.x, certificate.y
    missed = [bound - value for bound, value in zip(program.bounds, product(program.rows, x), strict=True)]
    worth = [Fraction(cost) for cost in program.costs]
    for row, multiplier in zip(program.rows, y, strict=True):
        if multiplier:
            for j, factor in row:
                worth[j] -= factor * multiplier
    costs = [*worth, *(-y[i] for i in optimizer.slacks)]
    lowest = [*(-value for value in x), *(-missed[i] for i in optimizer.slacks)]
    bounds = [gap if program.is_equality[i] else Fraction(0) for i, gap in enumerate(missed)]
    return costs, lowest, bounds
