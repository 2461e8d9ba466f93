"""Which random cases the tests try: the same ones in every run of the suite; many others in a campaign.

``python -m tests.campaign`` sets both variables of the environment. With the same values the same cases come again.
"""

from __future__ import annotations

import os
from typing import Final

LONGER: Final = int(os.environ.get("ZERMELO_TEST_LONGER", "1"))
"""So many times as many cases as in the suite."""

FIRST: Final = int(os.environ.get("ZERMELO_TEST_SEED", "0"))
"""The seeds of the suite begin at 0, those of a campaign elsewhere."""

IS_CAMPAIGN: Final = "ZERMELO_TEST_SEED" in os.environ


def many(count: int) -> int:
    """How many cases to try where the suite tries ``count``."""
    return count * LONGER


def seeds(count: int) -> range:
    """The seeds of the cases, where the suite tries ``count``."""
    return range(FIRST, FIRST + many(count))
