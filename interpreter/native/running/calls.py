"""Search functions as plain Python: generators on a stack of their own, a trampoline.

It counts, and comes back, where machine code does (:mod:`zermelo.interpreter.native.llvm.searches`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from attrs import define, field

from zermelo.interpreter.native.dialect.words import GiveUp, Visit

_DONE: Final = -1
_NO_RULES: Final = (0,)


@define
class Trampoline:
    """Goes on with the ``calls`` of a search function that are under way. The first one gets what ``search.calls[0]``
    has for its ``parameters``. A result that is a record is ``put`` into ``search.value``."""

    function: Callable[..., Visit[Any]]
    parameters: Sequence[str]
    put: Callable[[Any, Any], None] | None
    calls: list[Visit[Any]] = field(factory=list)

    def __call__(self, search: Any, budget: int) -> int:
        if search.depth == 0:
            first = search.calls[0]
            self.calls[:] = [self.function(search, *[getattr(first, name) for name in self.parameters])]
        calls, left, rules, put = self.calls, budget, getattr(search, "rules", _NO_RULES), self.put
        depth, most = search.depth, len(search.calls) - 1
        result: Any = None
        while depth < most:
            try:
                call = calls[-1].send(result)
            except StopIteration as returned:
                result = returned.value
                if rules[0] != 0:
                    break
                if put is not None:
                    put(search.value, result)
                    result = search.value
                if depth == 0:
                    search.value = result
                    return _DONE
                calls.pop()
                search.depth = depth = depth - 1
            except GiveUp as given_up:
                return int(given_up.args[0])
            else:
                calls.append(call)
                result = None
                search.depth = depth = depth + 1
                left -= 1
                if left <= 0 or rules[0] != 0:
                    break
        return int(depth)


def copying(
    function: Callable[..., Visit[Any]], parameters: Sequence[str], copiers: Mapping[str, Callable[[Any], Any]]
) -> Callable[..., Visit[Any]]:
    """A search function as it calls itself: what some of its ``parameters`` get, but for the first, is copied."""
    if not copiers:
        return function
    given = (f"copy_{each}({each})" if each in copiers else each for each in parameters)
    names: dict[str, Any] = {f"copy_{name}": copier for name, copier in copiers.items()} | {"function": function}
    call = eval(f"lambda search, {', '.join(parameters)}: function(search, {', '.join(given)})", names)
    return cast(Callable[..., Visit[Any]], call)
