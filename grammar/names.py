"""What a name is made of, when two names are the same, and which look alike.

A name is an identifier of Unicode Standard Annex 31, as in Python: it begins with a letter of any script (XID_Start) or
``_``, and goes on with these, marks and digits (XID_Continue). Two of these characters are left out. The middle dot is
an operator for most people, and Unicode counts it only for the sake of Catalan; and what is invisible by default would
make names different that look the same.

Accented letters have two forms, ``é`` and ``e`` with a mark. Names are compared in Unicode's normal form C, which makes
these one; unlike form KC it does not confuse ``ﬁ`` with ``fi``, nor ``ℌ`` with ``H``. A text stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Self

# ruff: noqa: RUF001, RUF002, RUF003 - characters that look like others are what this is about


# These patterns say what a name does not have: one that names all of Unicode instead takes Python 5 ms to compile, a
# twentieth of the time of a command.

LETTERS: Final = r"[^\x00-\x2f:-@\[-^`{-\x7f]+"
"""A pattern for letters, digits, ``_`` and whatever is not ASCII."""

WORD: Final = rf"(?![0-9]){LETTERS}"
"""A pattern for what may be a name. In a text without errors it finds the names, outside of texts and comments."""

INVISIBLE: Final = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""The characters that leave no mark of their own, or turn the direction of writing: Default_Ignorable_Code_Point of
Unicode 17."""

_DOTS: Final = "\u00b7\u0387"


def is_letter(character: str) -> bool:
    """Whether a name may have this character, behind its first one at least."""
    if character.isascii():
        return character.isalnum() or character == "_"
    return f"_{character}".isidentifier() and character not in _DOTS and not re.match(INVISIBLE, character)


def is_name(text: str) -> bool:
    return text[:1].isidentifier() and all(map(is_letter, text))


def name_at_beginning(text: str) -> str:
    """The longest name with which a text begins; empty if it begins with none."""
    if not text[:1].isidentifier():
        return ""
    return text[: next((k for k, character in enumerate(text) if not is_letter(character)), len(text))]


def letters_at_end(text: str) -> str:
    """The letters, marks and digits at the end of a text."""
    begin = len(text)
    while begin and is_letter(text[begin - 1]):
        begin -= 1
    return text[begin:]


def normal(text: str) -> str:
    """The text in normal form C: names that are equal in it are the same."""
    if text.isascii():
        return text
    from unicodedata import normalize  # which few texts need

    return normalize("NFC", text)


def as_name(text: str) -> str:
    """The name that is nearest to a text: with ``_`` between its words, and letters for other forms of these."""
    from unicodedata import normalize  # which few texts need

    kept = [
        part if is_letter(part) else normalize("NFKD", part).encode("ascii", "ignore").decode()
        for part in normal(re.sub(INVISIBLE, "", text))
    ]
    name = "_".join("".join(part if is_letter(part) else " " for part in "".join(kept)).split())
    return f"_{name}" if name and not name[0].isidentifier() else name


# Display names: a text that people are shown in place of a name.


class ShownName(str):
    """A name with a text that people are shown in its place. It is the name wherever it is compared, looked up, or
    written for the language and for machines."""

    __slots__ = ("shown",)
    shown: str

    def __new__(cls, name: str, shown: str) -> Self:
        made = super().__new__(cls, name)
        made.shown = shown
        return made

    def __reduce__(self) -> tuple[type[ShownName], tuple[str, str]]:
        return ShownName, (self.name, self.shown)

    @property
    def name(self) -> str:
        return str(self)


def shown(name: str) -> str:
    """What people are shown in place of a name: the name itself, if it has no other text."""
    return name.shown if isinstance(name, ShownName) else name


def compact(text: str) -> str:
    """A text as it is compared where people write it: without spaces and quotes, in normal form C."""
    return normal("".join(text.split()).replace('"', ""))


def read_as(name: str, text: str) -> bool:
    """Whether a compact text means this name: it is the name, or what is shown in its place."""
    return name == text or (isinstance(name, ShownName) and compact(name.shown) == text)


# Names that look alike.
#
# From confusables.txt, the table of Unicode Technical Standard 39 (version 17.0), these are the letters of the Latin,
# Greek, Cyrillic and Armenian alphabets that common fonts draw with the same shape. What is merely similar there, as a
# and α, is left out: people who write both mean both.


_SHAPES: Final = {
    "A": "ΑА", "B": "ΒВ", "C": "С", "E": "ΕЕ", "H": "ΗН", "I": "ΙІӀ", "J": "ͿЈ", "K": "ΚК", "M": "ΜМ", "N": "Ν",
    "O": "ΟОՕ", "P": "ΡР", "S": "ЅՏ", "T": "ΤТ", "U": "Ս", "V": "Ѵ", "W": "Ԝ", "X": "ΧХ", "Y": "ΥУҮ", "Z": "Ζ",
    "a": "а", "c": "с", "d": "ԁ", "e": "е", "g": "ց", "h": "һհ", "i": "і", "j": "ϳј", "l": "ӏ", "n": "ո",
    "o": "οоօ", "p": "р", "q": "ԛ", "s": "ѕ", "u": "ս", "v": "νѵ", "w": "ԝ", "x": "х", "y": "уү",
    "Γ": "Г", "Π": "П", "Φ": "ФՓ",
}  # fmt: skip
"""The letters with the shape of another one; this is the Latin one, if there is one."""

_SHAPE_OF: Final = {letter: shape for shape, letters in _SHAPES.items() for letter in letters}
_ALPHABETS: Final = ("Latin", "Greek", "Cyrillic", "Armenian")


def shape(name: str) -> str:
    """A text that is the same for names that look alike."""
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFC", "".join(_SHAPE_OF.get(letter, letter) for letter in normalize("NFD", name)))


def alphabets(name: str) -> tuple[str, ...]:
    """Those of the four alphabets from which a name has letters."""
    from unicodedata import name as title

    words = {title(letter, "").partition(" ")[0] for letter in name}
    return tuple(alphabet for alphabet in _ALPHABETS if alphabet.upper() in words)


def disguised_letters(name: str) -> list[str]:
    """The letters of a name that look like letters of another alphabet from which it has letters, too: the mixed
    scripts of the standard, as far as they deceive. ``Δx`` has none, since nothing looks like Δ."""
    if name.isascii() or len(there := alphabets(name)) < 2:
        return []
    return [letter for letter in dict.fromkeys(name) if _passes_for_another(letter, there)]


def _passes_for_another(letter: str, there: Iterable[str]) -> bool:
    shape = _SHAPE_OF.get(letter)
    if shape is None:
        return False
    others = {alphabet for twin in (shape, *_SHAPES[shape]) for alphabet in alphabets(twin)} - {*alphabets(letter)}
    return not others.isdisjoint(there)
