"""The result of lowering: the program that machines and kernels run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from attrs import frozen

from zermelo.interpreter.native.dialect.language import parse_module

if TYPE_CHECKING:
    from zermelo.grammar.diagnostics import Span
    from zermelo.interpreter.model import Model
    from zermelo.interpreter.native.state_encoding.move_codes import MoveCodes
    from zermelo.interpreter.native.state_encoding.observations import Perception
    from zermelo.interpreter.native.state_encoding.state_layout import History, NothingHidden, NotLowered, StateLayout


_OF_PLAYS: Final = frozenset(
    {"actor", "moves", "outcomes", "apply", "payoff", "earned", "afresh", "is_within_round", "pack", "unpack"}
)
"""The functions that say what follows from a state; neither how a play begins, nor what is asked beside the rules."""


@frozen(eq=False, repr=False)
class Program:
    """A model in the kernel dialect. ``sites`` are the sites of possible faults, indexed by ``C[0] - 1``; payoffs are
    whole numbers over ``denominator``."""

    model: Model
    text: str
    layout: StateLayout
    moves: MoveCodes
    sites: tuple[tuple[str, Span], ...]
    denominator: int
    history: History

    constants: dict[str, int]
    """The array lengths among the constants of the text."""

    estimate_denominator: int | None
    """The denominator of estimates; None if there is no function ``estimate``."""

    feature_denominators: tuple[int, ...]
    """The denominators of the features; empty if there is no function ``features``."""

    perception: Perception | NothingHidden | NotLowered
    """The encoding of observations; or why the text writes none."""

    may_take_long: bool
    """Whether a single call may take so long that it must be stoppable."""

    def has(self, function: str) -> bool:
        """Whether the text has a function of this name, such as those of hints, which a file may give."""
        return f"def {function}(" in self.text

    @property
    def text_of_plays(self) -> str:
        """The part of the text that says what follows from a state. If it is the same in two programs whose states are
        laid out alike, the same plays follow from the same state in both, and pay the same parts of 1."""
        defined = {
            _name_of(each): each for each in parse_module(self.text).body if not isinstance(each, ast.ImportFrom)
        }
        waiting, kept = sorted(_OF_PLAYS), set[str]()
        while waiting:
            name = waiting.pop()
            if name in defined and name not in kept:
                kept.add(name)
                waiting += [node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)]
        return "\n".join(ast.unparse(each) for name, each in defined.items() if name in kept)


def _name_of(definition: ast.stmt) -> str:
    """What a definition of a text defines: a function or a constant."""
    if isinstance(definition, ast.FunctionDef):
        return definition.name
    (place,) = definition.targets if isinstance(definition, ast.Assign) else (getattr(definition, "target", None),)
    assert isinstance(place, ast.Name), "a text of lowered rules has functions and constants"
    return place.id
