"""The result of lowering: the program that machines and kernels run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from zermelo.grammar.diagnostics import Span
    from zermelo.interpreter.model import Model
    from zermelo.interpreter.native.state_encoding.move_codes import MoveCodes
    from zermelo.interpreter.native.state_encoding.observations import Perception
    from zermelo.interpreter.native.state_encoding.state_layout import History, NothingHidden, NotLowered, StateLayout


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
