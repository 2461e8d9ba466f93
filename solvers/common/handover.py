"""What a search leaves to the next one of the same problem: itself, with its table."""

from __future__ import annotations

from typing import Any

from attrs import define


@define(eq=False, repr=False)
class Handover:
    """The last search that can go on from another root, or with another window. A search that does not fit is dropped
    before another one is made, so that their tables are never in memory together."""

    _search: Any = None
    _rules: object = None
    _kernel: str = ""

    def leave(self, search: object, rules: object, kernel: str) -> None:
        """Leave a search by a kernel of this identity over these rules."""
        self._search, self._rules, self._kernel = search, rules, kernel

    def take(self, rules: object, kernel: str) -> Any:
        """The search that has been left, if its rules and its kernel are these; else None."""
        if self._rules is not rules or self._kernel != kernel:
            self.leave(None, None, "")
        return self._search
