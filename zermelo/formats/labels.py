"""From the labels of other programs, which may be any text, to names, with the labels as their display names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from itertools import count
from typing import Final

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import Finding, Findings, Span
from zermelo.grammar.names import INVISIBLE, as_name, compact, is_name, normal
from zermelo.grammar.words import RESERVED

_NOT_SHOWN: Final = re.compile(r"[()\[\]{}<>,;?\s]+")
"""What a display name cannot have, and spaces."""

_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")

_EXAMPLES: Final = 3
"""How many of the labels that have changed a finding names."""


def plain(text: str) -> str:
    """A text on one line, without quotes and characters that are not for people."""
    return " ".join(_UNPRINTABLE.sub("", re.sub(INVISIBLE, "", text)).replace('"', "'").split())


def told_apart(labels: Sequence[str]) -> list[str]:
    """The labels of one node or player, made different: the second ``a`` is ``a 2``."""
    taken, made = Counter(labels), []
    seen: set[str] = set()
    for label in labels:
        new = label
        if label in seen:
            new = next(each for k in count(2) if not taken[each := f"{label} {k}"] and each not in seen)
        seen.add(new)
        made.append(new)
    return made


@frozen
class Renamed:
    """What a label has become: a name, and the text that people are shown in its place."""

    name: str
    shown: str

    @property
    def written(self) -> str:
        """As it is declared."""
        return self.name if self.name == self.shown else f'{self.name} "{self.shown}"'


def names_of(labels: Iterable[str], otherwise: str, forbidden: Collection[str] = ()) -> dict[str, Renamed]:
    """The name of each label of one kind, as the moves of a file: one for each, and another for another.

    A label that is a name, and not ``forbidden``, stays as it is. The others become names like them, with the labels as
    their display names, as far as these can be: without brackets and commas, and with a number where a reader could not
    tell which of two is meant. A label without anything else is called ``otherwise``."""
    known = list(dict.fromkeys(labels))
    made = {label: Renamed(label, label) for label in known if _is_free(label, forbidden)}
    meant = set(made)  # whatever stands for one of the labels in a written move
    for label in known:
        if label in made:
            continue
        text = " ".join(_NOT_SHOWN.sub(" ", plain(label)).split()) or otherwise
        text = numbered(text, " ", meant, compact)
        name = as_name(text) or otherwise
        taken = meant - {compact(text)} | set(forbidden)
        name = numbered(name, "_", taken)
        meant |= {name, compact(text)}
        made[label] = Renamed(name, text)
    return made


def _is_free(label: str, forbidden: Collection[str]) -> bool:
    return is_name(label) and normal(label) == label and label not in forbidden


def numbered(text: str, between: str, taken: Container[str], read: Callable[[str], str] = str) -> str:
    """The text, or the first of those with a number from 2 behind it, that is not taken as it is ``read``."""
    return next(each for k in count(1) if read(each := text if k == 1 else f"{text}{between}{k}") not in taken)


NOT_FOR_PLAYERS: Final = RESERVED | {"Bool", "Player", "Direction", "stuck", "orthogonal", "diagonal"}
"""The words that cannot name a player."""


@define(eq=False)
class Losses:
    """What a conversion loses, collected by kind: one finding for each says how often, with examples."""

    findings: Findings
    _kinds: dict[tuple[str, str], list[tuple[Span, str]]] = field(factory=dict)

    def note(self, code: str, what: str, span: Span, example: str) -> None:
        """Note one loss of a kind; ``what`` says it of several things."""
        self._kinds.setdefault((code, what), []).append((span, example))

    def note_renamed(self, what: str, span: Span, before: str, after: str) -> None:
        """Note a label that reads differently now, if it does."""
        if before != after:
            self.note("renamed-label", f"{what} read differently", span, f"'{' '.join(before.split())}' is '{after}'")

    def report(self) -> None:
        """Add the findings, each at the first place of its kind."""
        for (code, what), places in self._kinds.items():
            examples = list(dict.fromkeys(example for _, example in places))
            more = len(examples) - _EXAMPLES
            said = ", ".join(examples[:_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
            message = f"{what}: {said}"  # there may be several kinds at one place
            self.findings.found.append(Finding(code, message, self.findings.source, places[0][0]))
