"""Pivoting in whole numbers: the step of the simplex method and of its relatives, without fractions.

A tableau of whole numbers stands for itself over a common denominator, the last pivot. A step makes ``column`` basic in
``row``: as much of the pivot's row is taken from every other one as clears the column, and the pivot becomes the
denominator. By Sylvester's identity all entries are minors of the first tableau, so the divisions leave no rest, and
the entries grow no faster than determinants do.

Source: Edmonds, "Systems of distinct representatives and linear algebra" (1967); Bareiss, "Sylvester's identity and
multistep integer-preserving Gaussian elimination" (1968); for the simplex method: Avis, "lrs" (2000). Cost: one pass
over the tableau.
"""

from __future__ import annotations


def pivot(tableau: list[list[int]], denominator: int, row: int, column: int) -> int:
    """Make a column basic in a row, in place; the new denominator. The pivot must be above 0."""
    taken = tableau[row]
    head = taken[column]
    for i, entries in enumerate(tableau):
        if i == row:
            continue
        factor = entries[column]
        if factor:
            tableau[i] = [(head * a - factor * b) // denominator for a, b in zip(entries, taken, strict=True)]
        elif head != denominator:
            tableau[i] = [head * a // denominator for a in entries]
    return head
