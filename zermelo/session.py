"""A game played in the terminal.

The people at the keyboard see what their players see: variables, moves, and what they were told. If something is hidden
and several people share the screen, it is cleared between their turns. Without people, a spectator sees everything.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from random import Random
from textwrap import fill
from typing import Final

from attrs import define, field

from zermelo.boards import WIDTH, draw_variables
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move
from zermelo.positions import seen_and_told, seen_by
from zermelo.report import render
from zermelo.report.paint import is_lively, paint_for
from zermelo.seats import Seat

HELP: Final = """\
Type a move as it is listed, mark(b2), or only its arguments, b2.
  moves       list the legal moves
  why MOVE    why a move is not legal
  board       show the position again
  undo        take back your last move, and all that followed
  help        this list
  quit        end the session"""

COMMANDS: Final = ("moves", "why", "board", "undo", "help", "quit")

_LONGEST: Final = 100_000
"""The longest line, in characters; nobody types a longer one."""

_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
_BETWEEN: Final = re.compile(r"[\s,()]+")


class _Quit(Exception):
    """A person at the keyboard ends the session."""


@define(eq=False)
class Session:
    """One session: ``seats`` are the players without a keyboard, the others are people; it begins in a ``state``."""

    game: Game
    seats: Mapping[str, Seat]
    random: Random
    state: State
    taken: list[State] = field(init=False, factory=list)  # states in which people have moved, the latest last
    told: dict[str, int] = field(init=False, factory=dict)  # number of observations shown to each person
    at_keyboard: str = field(init=False, default="")
    people: tuple[str, ...] = field(init=False)
    is_open: bool = field(init=False)  # whether the screen may show everything

    def __attrs_post_init__(self) -> None:
        self.people = tuple(player for player in self.game.players if player not in self.seats)
        self.is_open = not self.people or self.game.facts.perfect_information.holds is True

    def run(self) -> None:
        """Play until the end of the play or of the input, or until a person quits."""
        try:
            while not self.state.is_over:
                self.step()
            self.show_end()
        except (EOFError, _Quit):
            print("\nThe session is over.")

    def step(self) -> None:
        """One move, or one outcome of chance."""
        actor = self.state.actor
        assert actor is not None, "the session ends with the play"
        if actor == CHANCE:
            self.happen(actor, self.state.draw(self.random))
        elif actor in self.seats:
            if not self.people:
                self.show_everything()
            move, remark = self.seats[actor].choose(self.state)
            if remark:
                print(remark)
            self.happen(actor, move)
        else:
            self.ask(actor)

    def happen(self, actor: str, move: Move) -> None:
        """A move of a seat, or an outcome of chance."""
        if self.is_open:
            print(f"{actor}: {move}")
        self.state = self.state.after(move)

    # ------------------------------------------------------------- people

    def ask(self, player: str) -> None:
        """A turn of a person: input until it is a move, or the last move is taken back."""
        self.hand_over(player)
        if not self.is_open:
            self.show_news(player)
        self.show_board(player)
        here = self.state
        while self.state is here:
            self.obey(_typed(f"\n{player}> ").strip())

    def hand_over(self, player: str) -> None:
        """Clear the screen for the next person."""
        if self.at_keyboard != player and len(self.people) > 1 and not self.is_open:
            if is_lively(sys.stdout):
                print(_CLEAR, end="")
            _typed(f"\n{player} is next. Press Enter when nobody else is looking. ")
        self.at_keyboard = player

    def obey(self, words: str) -> None:
        word, _, rest = words.partition(" ")
        if word in COMMANDS and not any(move.name == word for move in self.state.moves):
            self.command(word, rest.strip())
            return
        move = self.understand(words)
        if move is not None:
            self.taken.append(self.state)
            self.state = self.state.after(move)

    def command(self, word: str, rest: str) -> None:
        match word:
            case "moves":
                print(fill(", ".join(map(str, self.state.moves)), WIDTH, break_on_hyphens=False))
            case "why":
                self.explain(rest)
            case "board":
                self.show_board(self.at_keyboard)
            case "undo" if self.taken:
                self.state = self.taken.pop()
                self.told.clear()
            case "undo":
                print("There is no move to take back.")
            case "help":
                print(HELP)
            case "quit":
                raise _Quit

    def explain(self, words: str) -> None:
        """Why a move is not legal."""
        if not words:
            print(f"Which move? For example: why {self.state.moves[0]}")
            return
        finding = None if self.matching(words) else self.state.why_not(self.completed(words))
        print("This move is legal." if finding is None else render(finding, paint_for(sys.stdout)))

    def understand(self, words: str) -> Move | None:
        """The move meant; None, with a message, if it is not clear."""
        matching = self.matching(words)
        if len(matching) == 1:
            return matching[0]
        if matching:
            print(f"Which one? {', '.join(map(str, matching))}")
        elif not words:
            print(f"Type a move, or one of: {', '.join(COMMANDS)}")
        else:
            try:
                return self.state.find(self.completed(words))
            except ZermeloError as error:
                print(render(error, paint_for(sys.stdout)))
        return None

    def matching(self, words: str) -> list[Move]:
        """The legal moves with this text, or with these arguments."""
        wanted = _BETWEEN.split(words.strip(" ()"))
        parts = {move: _BETWEEN.split(str(move).strip(" ()")) for move in self.state.moves}
        exact = [move for move, written in parts.items() if wanted == written]
        return exact or [move for move, written in parts.items() if wanted == written[1:]]

    def completed(self, words: str) -> str:
        """The input, with the name of the move if it was left out and there is only one."""
        names = {move.name for move in self.state.moves}
        if len(names) > 1 or _BETWEEN.split(words)[0] in names or "(" in words:
            return words
        return f"{names.pop()}({', '.join(_BETWEEN.split(words))})"

    # ------------------------------------------------------------- what they see

    def show_news(self, player: str) -> None:
        """What others have done, and what the player has been told, since their last turn at the keyboard."""
        information = self.state.information_state(player)
        news = seen_and_told(information[self.told.get(player, 0) :], hide=player)
        self.told[player] = len(information)
        if news:
            print("\n" + "\n".join(news))

    def show_board(self, player: str) -> None:
        seen = seen_by(self.state, player)
        if seen:
            print(f"\n{seen}")

    def show_end(self) -> None:
        """The last position, as far as all people at the keyboard may see it, and the payoffs."""
        people = self.people
        if not people:
            self.show_everything()
        elif len({self.state.view(player) for player in people}) == 1:
            if len(people) == 1 and not self.is_open:
                self.show_news(people[0])
            self.show_board(people[0])
        said = self.state.status
        print(f"\n{said[0].upper()}{said[1:]}.")

    def show_everything(self) -> None:
        drawn = draw_variables(self.game.model, self.game.machine.entries(self.state.machine_state))
        if drawn:
            print(f"\n{drawn}")


def _typed(prompt: str) -> str:
    """The next line of input. Raises ``EOFError`` at the end, and ``ZermeloError`` (``bad-usage``) for a line of more
    than :data:`_LONGEST` characters."""
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(_LONGEST + 1)
    if not line:
        raise EOFError
    if len(line) > _LONGEST:
        raise ZermeloError("bad-usage", f"a line has more than {_LONGEST:,} characters", "a line holds one move")
    return line
