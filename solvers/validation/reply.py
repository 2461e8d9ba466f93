"""The answer to a question about a game, with how certain it is."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from zermelo.grammar.diagnostics import Finding
from zermelo.grammar.displayed import Displayed
from zermelo.solvers.validation.shortest_plays import Play

SHOWN: Final = "a play shows it"
BY_RULES: Final = "proved by the rules"


@frozen(eq=False, repr=False)
class Reply(Displayed):
    """``answer`` is what is known, ``how`` its certainty. A ``finding`` is against the rules; the ``play`` leads to
    where it shows, None if it is about no single play."""

    question: str
    answer: str
    how: str
    finding: Finding | None = None
    play: Play | None = None
