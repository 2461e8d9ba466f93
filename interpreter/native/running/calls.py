"""Search functions as plain Python: generators on a stack of their own, a trampoline.

It counts, and comes back, where machine code does (:mod:`zermelo.interpreter.native.llvm.searches`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from attrs import define, field

from zermelo.interpreter.native.dialect.words import GiveUp, Visit

_DONE: Final = -1
_NO_RULES: Final = (0,)


@define
class Trampoline:
    """Goes on with the ``calls`` of a search function that are under way. The first one gets what ``search.calls[0]``
    has for its ``parameters``. A result that is a record is ``put`` into ``search.value``."""

    function: Callable[..., Visit[Any]]
    parameters: Iterable[str]
    put: Callable[[Any, Any], None] | None
    calls: list[Visit[Any]] = field(factory=list)

    def __call__(self, search: Any, budget: int) -> int:
        if search.depth == 0:
            first = search.calls[0]
            self.calls[:] = [self.function(search, *[getattr(first, name) for name in self.parameters])]
        calls, left, rules, put = self.calls, budget, getattr(search, "rules", _NO_RULES), self.put
        most = len(search.calls) - 1
        result: Any = None
        while search.depth < most:
            try:
                call = calls[-1].send(result)
            except StopIteration as returned:
                result = returned.value
                if rules[0] != 0:
                    return int(search.depth)
                if put is not None:
                    put(search.value, result)
                    result = search.value
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


def copying(
    function: Callable[..., Visit[Any]], copiers: Mapping[int, Callable[[Any], Any]]
) -> Callable[..., Visit[Any]]:
    """A search function as it calls itself: arguments at these places behind the first are copied for the call."""
    if not copiers:
        return function

    def call(search: Any, *given: Any) -> Visit[Any]:
        arguments = list(given)
        for place, copy in copiers.items():
            arguments[place] = copy(arguments[place])
        return function(search, *arguments)

    return call
