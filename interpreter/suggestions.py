"""Did you mean ...: the known name nearest to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.grammar.diagnostics import Fix, ZermeloError
from zermelo.grammar.source import Span


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most similar to ``name``, regardless of case, or None if none is similar."""
    from difflib import get_close_matches  # which few commands need

    lowered: dict[str, str] = {}
    for candidate in candidates:
        lowered.setdefault(candidate.lower(), candidate)
    matches = get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    return lowered[matches[0]] if matches else None


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
