"""What a lowering gives: the program that machines and kernels run."""

from __future__ import annotations

from attrs import frozen

from zermelo.grammar.source import Span
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.coding.history import History
from zermelo.interpreter.native.coding.layout import StateLayout
from zermelo.interpreter.native.coding.moves import MoveCodes
from zermelo.interpreter.native.coding.observations import NothingHidden, NotLowered, Perception


@frozen(eq=False)
class Program:
    """A model in the kernel dialect. ``sites`` are the places where something can go wrong, as ``C[0] - 1`` numbers
    them; payoffs are whole numbers over ``denominator``."""

    model: Model
    text: str
    layout: StateLayout
    moves: MoveCodes
    sites: tuple[tuple[str, Span], ...]
    denominator: int
    most_moves: int
    history: History

    estimate_denominator: int | None
    """What estimates are over, None where there is no function ``estimate``."""

    perception: Perception | NothingHidden | NotLowered
    """What players perceive, as words that the text writes; or why it writes none."""

    may_take_long: bool
    """Whether one call may take so long that it has to be stopped on the way."""

    @property
    def constants(self) -> dict[str, int]:
        """The constants of the text that are lengths of arrays."""
        constants = {
            "CONTEXT": self.history.context, "STATE": self.layout.size, "KEY": self.layout.key_words,
            "PLAYERS": len(self.model.players), "MOVES": self.most_moves,
        }  # fmt: skip
        if isinstance(self.perception, Perception):
            constants["WORDS"] = self.perception.words
        return constants

    def has(self, function: str) -> bool:
        """Whether the text has a function of this name: those of hints are there where the file gives them."""
        return f"def {function}(" in self.text
