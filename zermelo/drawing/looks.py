"""What the things of a position look like: as the file draws them, else by signs and the colours of names."""

from __future__ import annotations

from attrs import frozen

from zermelo.boards import UNSEEN, legend_of, sign_of
from zermelo.game import Game
from zermelo.interpreter.model import Appearance, Drawn, Ground, Variable
from zermelo.interpreter.types import NumberType, strip_none
from zermelo.interpreter.values import Cell, Member, OrderedSet, Value, display_value
from zermelo.pictures.boards import BoardLook
from zermelo.pictures.marks import FAINT, INK, NAMED, colours_of, named_colour
from zermelo.pictures.pieces import SUITS, Piece

_FACED = ("card", "die")
"""The shapes with a face of their own: the sign of a value or, of a count, that of what is counted."""


@frozen
class Looks:
    """The looks of a game: how variables are drawn, what lies below them, and the ``colours`` of the players. Boards
    that are ``is_flipped`` are seen from the other end."""

    game: Game
    colours: dict[Member, str]
    drawn: dict[str, Drawn]
    is_flipped: bool

    def points(self, variable: Variable) -> Ground | None:
        """The points on which a variable counts men, if it does."""
        grounds = (each for each in self.game.model.grounds if isinstance(each.type.base, NumberType))
        return next((each for each in grounds if variable.name in each.variables), None)

    def board_look(self, board: object) -> BoardLook:
        """The look of a board."""
        ground = next((each for each in self.game.model.grounds if each.type.base is board), None)
        if ground is None:
            return BoardLook(is_flipped=self.is_flipped)
        sides = {side: self.hue(colour) for side, colour in ground.sides.items()}
        return BoardLook(ground.pattern, self.hue(ground.colour), sides, self.is_flipped)

    def hue(self, colour: Member | str) -> str:
        """The colour of a player, or the colour of this name; empty for none."""
        return self.colours[colour] if isinstance(colour, Member) else NAMED.get(colour, "")

    def is_drawn(self, variable: Variable) -> bool:
        return variable.name in self.drawn

    def has_cards(self, variable: Variable, value: Value) -> bool:
        """Whether a value is a card or several, or dice: as the file says, or with the signs of suits."""
        if self.is_drawn(variable):
            look = self.drawn[variable.name].look
            return look is not None and look.shape in _FACED
        several = list(value.items) if isinstance(value, OrderedSet) else [value]
        signs = [display_value(each) for each in several]
        return bool(signs) and all(any(suit in sign for suit in SUITS) for sign in signs)

    def pieces(self, variable: Variable, indices: tuple[Value, ...], value: Value) -> tuple[Piece, ...]:
        """What a value looks like: several things if it is a set, none for nothing."""
        if isinstance(value, OrderedSet):
            return tuple(piece for each in value.items for piece in self.pieces(variable, indices, each))
        drawn = self.drawn.get(variable.name)
        look = None if drawn is None else _look(drawn, value)
        is_nothing = value is None or value is False
        if look is None:
            text = "" if is_nothing else "●" if value is True else self.sign(variable, value)
            return (Piece(text, self.colour(value)),) if text not in ("", ".") else ()
        if is_nothing and drawn is not None and value not in drawn.looks:
            return ()
        return self._looking(look, variable, indices, value)

    def _looking(
        self, look: Appearance, variable: Variable, indices: tuple[Value, ...], value: Value
    ) -> tuple[Piece, ...]:
        of_place = INK if look.shape in _FACED else self.colour(indices, INK)
        colour = self.hue(look.colour) or self.colour(value, "") or of_place
        count = value if _is_count(variable) and isinstance(value, int) else 1
        face = look.face
        if look.is_signed or (look.shape in _FACED and not face):
            is_counted = _is_count(variable) and bool(indices) and look.shape in _FACED
            face = compact_text(indices[-1]) if is_counted else self.sign(variable, value)
        is_number = not look.shape and look.is_signed
        if not (face or look.shape) or count == 0:
            return ()
        return (Piece(face, colour, look.shape, 1 if is_number else count),)

    def unseen(self, variable: Variable) -> Piece:
        """What stands for a value that is hidden."""
        return Piece(UNSEEN, FAINT, "card" if self.has_backs(variable) else "")

    def has_backs(self, variable: Variable) -> bool:
        """Whether a value that is hidden is a card, or a die, face down."""
        look = self.drawn[variable.name].look if self.is_drawn(variable) else None
        return look is not None and look.shape in _FACED and not _is_count(variable)

    def sign(self, variable: Variable, value: Value) -> str:
        if isinstance(value, tuple) and legend_of(self.game.model, variable) is None:
            return compact_text(value)
        return sign_of(variable.type, legend_of(self.game.model, variable))(value)

    def colour(self, value: Value, else_: str = INK) -> str:
        """The colour of the player that a value is or names, or the colour that the name of a member says; ``else_`` if
        there is none, or if there are several."""
        parts = [part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, Member)]
        said = [self.colours[part] for part in parts if part in self.colours] or [
            colour for part in parts if not isinstance(part, Cell) and (colour := named_colour(part.name))
        ]
        return said[0] if len(said) == 1 else else_


def compact_text(value: Value) -> str:
    """A value as it is written on a card: the parts of a record side by side."""
    return "".join(map(display_value, value)) if isinstance(value, tuple) else display_value(value)


def looks_of(game: Game, is_flipped: bool = False) -> Looks:
    """The looks of a game."""
    colours = dict(zip(game.model.players, colours_of(game.players), strict=True))
    return Looks(game, colours, {each.variable.name: each for each in game.model.drawn}, is_flipped)


def _look(drawn: Drawn, value: Value) -> Appearance | None:
    """The look of a value: its own, that of its first part that has one, or the one of all others."""
    parts = value if isinstance(value, tuple) else ()
    return next((drawn.looks[each] for each in (value, *parts) if each in drawn.looks), drawn.look)


def _is_count(variable: Variable) -> bool:
    """Whether a variable holds numbers that may be 0: it says how many there are of something."""
    kind = strip_none(variable.type).base
    return isinstance(kind, NumberType) and kind.low == 0 and kind.step == 1
