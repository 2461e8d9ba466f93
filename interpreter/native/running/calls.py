"""Search functions as plain Python: generators on a stack of their own, a trampoline.

It counts, and comes back, where machine code does (:mod:`zermelo.interpreter.native.llvm.searches`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import define, field

from zermelo.interpreter.native.dialect.words import GiveUp, Visit

_DONE: Final = -1
_NO_RULES: Final = (0,)


@define
class Trampoline:
    """Goes on with the ``calls`` of a search function that are under way. The first one gets what ``search.calls[0]``
    has for its ``parameters``."""

    function: Callable[..., Visit]
    parameters: Sequence[str]
    calls: list[Visit] = field(factory=list)

    def __call__(self, search: Any, budget: int) -> int:
        if search.depth == 0:
            first = search.calls[0]
            self.calls[:] = [self.function(search, *[getattr(first, name) for name in self.parameters])]
        calls, left, rules = self.calls, budget, getattr(search, "rules", _NO_RULES)
        most = len(search.calls) - 1
        result: Any = None
        while search.depth < most:
            try:
                call = calls[-1].send(result)
            except StopIteration as returned:
                result = returned.value
                if rules[0] != 0:
                    return int(search.depth)
                if search.depth == 0:
                    search.value = result
                    return _DONE
                calls.pop()
                search.depth -= 1
            except GiveUp as given_up:
                return int(given_up.args[0])
            else:
                calls.append(call)
                result = None
                search.depth += 1
                left -= 1
                if left <= 0 or rules[0] != 0:
                    return int(search.depth)
        return int(search.depth)
