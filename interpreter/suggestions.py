"""Did you mean ...: the known name nearest to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.grammar.diagnostics import Fix, Span, ZermeloError

_LONGEST = 60
"""No name is suggested for a longer one, in characters: the work grows with the square of the length."""


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that differs from ``name`` by the fewest slips, regardless of case, the first of several; None if
    more than one slip would be needed for three letters of the longer one: then a person would not have meant it."""
    best: str | None = None
    fewest = 0
    for candidate in candidates:
        longer = max(len(name), len(candidate))
        allowed = longer // 3
        if longer > _LONGEST or abs(len(name) - len(candidate)) > allowed:
            continue
        slips = slips_between(name.lower(), candidate.lower())
        if slips <= allowed and (best is None or slips < fewest):
            best, fewest = candidate, slips
    return best


def slips_between(written: str, meant: str) -> int:
    """The fewest slips that make one word of the other: a letter left out, put in, or replaced, or two neighbours
    swapped (the restricted Damerau-Levenshtein distance)."""
    before: list[int] = []
    above = list(range(len(meant) + 1))
    for i, letter in enumerate(written, 1):
        row = [i]
        for j, other in enumerate(meant, 1):
            slips = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and written[i - 2] == other:
                slips = min(slips, before[j - 2] + 1)
            row.append(slips)
        before, above = above, row
    return above[-1]


def did_you_mean(name: str, candidates: Iterable[str], span: Span) -> tuple[str, Fix | None]:
    """A remark and a fix for a misspelled name; empty without a similar candidate."""
    match = nearest(name, candidates)
    if match is None:
        return "", None
    return f"did you mean '{match}'?", Fix(span, match, f"write '{match}'")


def require_known(names: Iterable[str], known: Sequence[str], kind: str, without: str) -> None:
    """Raise ``ZermeloError`` (``unknown-parameter``, ``unknown-weight``) for the first name of this kind that a game
    does not have; ``without`` is the help if it has none at all."""
    for name in names:
        if name not in known:
            match = nearest(name, known)
            raise ZermeloError(
                f"unknown-{kind}",
                f"the game has no {kind} '{name}'" + (f"; did you mean '{match}'?" if match else ""),
                f"its {kind}s are {', '.join(known)}" if known else without,
            )
