"""Search functions in Python: generators on an explicit stack, run by a trampoline.

It returns exactly where machine code does (:mod:`zermelo.interpreter.native.llvm.searches`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import getgeneratorlocals
from types import SimpleNamespace
from typing import Any, Final, cast

from attrs import define, field

from zermelo.interpreter.native.dialect.words import GiveUp, PlayError, Visit

_DONE: Final = -1


@define(eq=False, repr=False)
class Trampoline:
    """Resumes the stack ``calls`` of a search function. The first call takes its ``parameters`` from
    ``search.calls[0]``. A result that is a record is ``put`` into ``search.value``."""

    function: Callable[..., Visit[Any]]
    parameters: Sequence[str]
    put: Callable[[Any, Any], None] | None
    calls: list[Visit[Any]] = field(factory=list)
    _waited: list[SimpleNamespace] | None = None

    def __call__(self, search: Any, budget: int) -> int:
        if search.depth == 0:
            first = search.calls[0]
            self.calls[:] = [self.function(search, *[getattr(first, name) for name in self.parameters])]
        calls, last, most = self.calls, search.nodes + budget, len(search.calls) - 1
        rules, put = getattr(search, "rules", [0]), self.put
        result: Any = None
        waited: list[SimpleNamespace] = []
        wrong, self._waited = 0, None
        while wrong or search.depth < most:
            try:
                call = calls[-1].throw(PlayError) if wrong else calls[-1].send(result)
            except GiveUp as given_up:
                return int(given_up.args[0])
            except PlayError:
                calls.pop()
                search.depth -= 1
                if not calls:
                    self._waited = waited
                    rules[0], search.depth = wrong, len(waited)
                    break
                continue
            except StopIteration as returned:
                if rules[0] == 0:
                    result = returned.value
                    if put is not None:
                        put(search.value, result)
                        result = search.value
                    if search.depth == 0:
                        search.value = result
                        return _DONE
                    calls.pop()
                    search.depth -= 1
            else:
                calls.append(call)
                result = None
                search.depth += 1
                if search.nodes >= last and rules[0] == 0:
                    break
            wrong = rules[0]
            if wrong:
                waited, rules[0] = _kept(calls[:-1]), 0
        return int(search.depth)

    def waiting(self, depth: int) -> Sequence[SimpleNamespace]:
        """The frames of the calls suspended now, or when a rule failed."""
        return _kept(self.calls[:depth]) if self._waited is None else self._waited


def _kept(calls: Sequence[Visit[Any]]) -> list[SimpleNamespace]:
    return [SimpleNamespace(**getgeneratorlocals(call)) for call in calls]


def copying(
    function: Callable[..., Visit[Any]], parameters: Sequence[str], copiers: Mapping[str, Callable[[Any], Any]]
) -> Callable[..., Visit[Any]]:
    """A search function for its recursive calls, with copies of the arguments of some ``parameters``, never the
    first."""
    if not copiers:
        return function
    given = (f"copy_{each}({each})" if each in copiers else each for each in parameters)
    names: dict[str, Any] = {f"copy_{name}": copier for name, copier in copiers.items()} | {"function": function}
    call = eval(f"lambda search, {', '.join(parameters)}: function(search, {', '.join(given)})", names)
    return cast(Callable[..., Visit[Any]], call)
