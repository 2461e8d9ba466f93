"""A game played in the terminal.

The people at the keyboard see what their players see: variables, moves, and what they were told. The position is shown
after every move. If something is hidden and several people share the screen, it is shown at their turns alone, and
cleared between them. Without people, a spectator sees everything.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from textwrap import fill
from typing import Final

from attrs import define, field

from zermelo.boards import WIDTH
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import normal, shown
from zermelo.interpreter.machine import InformationState, Move, PerceivedMove, display_text
from zermelo.playing.seats import Seat
from zermelo.positions import changing_variables_text, perceived_texts, question_of
from zermelo.report import render
from zermelo.report.console import is_lively, paint_for

HELP: Final = """\
Type a move as it is listed, mark(b2), or only its arguments, b2, or the number
of a move in a list with numbers.
  moves       list the legal moves
  why MOVE    why a move is not legal
  board       show the position again
  hint        a best move, and what it brings
  values      what each move is worth, for all you know; Ctrl-C ends the search
  belief      how probable each position is, for all you know, if all moves of
              the others are equally likely; belief best: if they follow the
              equilibrium that is found; belief FILE: the strategies of a file
  undo        take back your last move, and all that followed
  help        this list
  quit        end the session"""

COMMANDS: Final = ("moves", "why", "board", "hint", "values", "belief", "undo", "help", "quit")

_LONGEST: Final = 100_000
"""The longest line, in characters; nobody types a longer one."""

_LISTED: Final = 40
"""The most moves that are listed unasked."""

_DIGITS: Final = 6
"""No list of moves has a number of so many digits."""

_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
_BETWEEN: Final = re.compile(r"[\s,()]+")


class _Quit(Exception):
    """A person at the keyboard ends the session."""


@define(eq=False)
class Session:
    """One session: ``seats`` are the players without a keyboard, the others are people; it begins in a ``state``.
    ``print_belief`` prints what a player should believe in a state, if the others choose in some way
    (:func:`zermelo.belief`); ``print_hint`` a move for the player to move, and ``print_values`` what each of their
    moves is worth (:mod:`zermelo.playing.analysis`)."""

    game: Game
    seats: Mapping[str, Seat]
    random: Random
    state: State
    print_belief: Callable[[State, str, str], None]
    print_hint: Callable[[State], None]
    print_values: Callable[[State], None]
    taken: list[State] = field(init=False, factory=list)  # states in which people have moved, the latest last
    told: dict[str, int] = field(init=False, factory=dict)  # number of observations shown to each person
    unsaid: list[tuple[str, int, str]] = field(init=False, factory=list)  # seat, number of its move, remark about it
    shown: str = field(init=False, default="")  # the drawing that is the latest on the screen
    at_keyboard: str = field(init=False, default="")
    people: tuple[str, ...] = field(init=False)
    is_open: bool = field(init=False)  # whether the screen may show everything

    def __attrs_post_init__(self) -> None:
        self.people = tuple(player for player in self.game.players if player not in self.seats)
        self.is_open = not self.people or self.game.facts.perfect_information.holds is True

    def run(self) -> None:
        """Play until the end of the play or of the input, or until a person quits."""
        try:
            self.show_position()
            while not self.state.is_over:
                self.step()
                self.say_what_may_be_known()
                self.show_position()
            self.show_end()
        except (EOFError, _Quit):
            print("\nThe session is over.")
            self.say_what_may_be_known(is_closing=True)

    def step(self) -> None:
        """One move, or one outcome of chance."""
        actor = self.state.actor
        assert actor is not None, "the session ends with the play"
        if actor == CHANCE:
            self.happen(actor, self.state.sample(self.random))
        elif actor in self.seats:
            move, remark = self.seats[actor].choose(self.state)
            if remark:
                self.unsaid.append((actor, _moves_in(self.state.information_state(actor), actor) + 1, remark))
            self.say_what_may_be_known()
            self.happen(actor, move)
        else:
            self.ask(actor)

    def happen(self, actor: str, move: Move) -> None:
        """A move of a seat, or an outcome of chance."""
        if self.is_open:
            print(f"{shown(actor)}: {display_text(move)}")
        self.state = self.state.after(move)

    def say_what_may_be_known(self, is_closing: bool = False) -> None:
        """The remarks of seats. Each tells that a decision has been made, of which people may know nothing: it waits
        until they have perceived as many moves of that seat, or for the end of the play or the session."""
        waiting, self.unsaid = self.unsaid, []
        for seat, moves, remark in waiting:
            known = (_moves_in(self.state.information_state(person), seat) for person in self.people)
            if self.is_open or self.state.is_over or is_closing or all(seen >= moves for seen in known):
                print(remark)
            else:
                self.unsaid.append((seat, moves, remark))

    # ------------------------------------------------------------- people

    def ask(self, player: str) -> None:
        """A turn of a person: input until it is a move, or the last move is taken back."""
        self.hand_over(player)
        if not self.is_open:
            self.show_news(player)
        self.show_board(player)
        here = self.state
        while self.state is here:
            self.obey(_typed(f"\n{shown(player)}> ").strip())

    def hand_over(self, player: str) -> None:
        """Clear the screen for the next person."""
        if self.at_keyboard != player and len(self.people) > 1 and not self.is_open:
            if is_lively(sys.stdout):
                print(_CLEAR, end="")
            _typed(f"\n{shown(player)} is next. Press Enter when nobody else is looking. ")
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
                print(
                    fill(
                        ", ".join(map(display_text, self.state.moves)),
                        WIDTH,
                        break_long_words=False,
                        break_on_hyphens=False,
                    )
                )
            case "why":
                self.explain(rest)
            case "board":
                self.show_board(self.at_keyboard)
            case "hint":
                self.tell("hint", partial(self.print_hint, self.state))
            case "values":
                self.tell("search for values", partial(self.print_values, self.state))
            case "belief":
                self.believe(rest)
            case "undo" if self.taken:
                self.state = self.taken.pop()
                self.told.clear()
                self.unsaid.clear()
            case "undo":
                print("There is no move to take back.")
            case "help":
                print(HELP)
            case "quit":
                raise _Quit

    def explain(self, words: str) -> None:
        """Why a move is not legal."""
        if not words:
            print(f"Which move? For example: why {display_text(self.state.moves[0])}")
            return
        finding = None if self.matching(words) else self.state.why_not(self.completed(words))
        print("This move is legal." if finding is None else render(finding, paint_for(sys.stdout)))

    def believe(self, others: str) -> None:
        """What the person whose turn it is should believe. The belief of another player would tell what they know."""
        if others in self.game.players and others != self.at_keyboard and not self.is_open:
            print(f"What {others} believes would tell you what they know. They may ask at their own turn.")
            return
        self.tell("belief", partial(self.print_belief, self.state, self.at_keyboard, others or "uniform"))

    def tell(self, what: str, print_it: Callable[[], None]) -> None:
        """Something that is worked out for the person whose turn it is, or why it cannot be."""
        try:
            print_it()
        except ZermeloError as error:
            print(render(error, paint_for(sys.stdout)))
        except KeyboardInterrupt:  # it may take long; the session goes on
            print(f"\nThe {what} has been interrupted.")

    def understand(self, words: str) -> Move | None:
        """The move meant; None, with a message, if it is not clear."""
        matching = self.matching(words)
        if len(matching) == 1:
            return matching[0]
        if matching:
            print(f"Which one? {', '.join(map(display_text, matching))}")
        elif not words:
            print(f"Type a move, or one of: {', '.join(COMMANDS)}")
        else:
            try:
                return self.state.find(self.completed(words))
            except ZermeloError as error:
                print(render(error, paint_for(sys.stdout)))
                self.list_moves()
        return None

    def list_moves(self) -> None:
        """The legal moves, with the numbers that stand for them where no argument is a number."""
        moves = self.state.moves
        if len(moves) > _LISTED:
            print(f"There are {len(moves)} legal moves, which 'moves' lists.")
            return
        texts = list(map(display_text, moves))
        if self.are_numbered:
            texts = [f"{k} {text}" for k, text in enumerate(texts, 1)]
        print(fill(f"legal: {', '.join(texts)}", WIDTH, break_long_words=False, break_on_hyphens=False))

    @property
    def are_numbered(self) -> bool:
        """Whether a number stands for a move: no move has a number as an argument."""
        return not any(part.isdigit() for move in self.state.moves for part in _BETWEEN.split(display_text(move)))

    def matching(self, words: str) -> list[Move]:
        """The legal moves with this text, or with these arguments."""
        wanted = _BETWEEN.split(normal(words).strip(" ()"))
        parts = {
            move: [_BETWEEN.split(text.strip(" ()")) for text in {str(move), display_text(move)}]
            for move in self.state.moves
        }
        exact = [move for move, texts in parts.items() if wanted in texts]
        found = exact or [move for move, texts in parts.items() if wanted in [text[1:] for text in texts]]
        if not found and words.isdecimal() and self.are_numbered:
            found = list(self.state.moves[int(words) - 1 : int(words)]) if len(words) < _DIGITS else []
        return found

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
        news = perceived_texts(information[self.told.get(player, 0) :], hide=player)
        self.told[player] = len(information)
        if news:
            print("\n" + "\n".join(news))

    def show_position(self) -> None:
        """The position between two moves, unless it is on the screen, or will be shown now: to the person whose turn it
        is, or as the last one. People who keep secrets from each other see it at their turns alone. While chance draws
        secrets, nobody sees it before all are drawn: the order in which cards come is not perceived."""
        if self.state.is_over or self.state.actor in self.people:
            return
        if self.people and not self.is_open and self.state.actor == CHANCE:
            return
        if not self.people:
            seen = changing_variables_text(self.game, self.game.machine.entries(self.state.machine_state))
        elif self.is_open or len(self.people) == 1:
            if not self.is_open:
                self.show_news(self.people[0])
            seen = changing_variables_text(self.game, self.state.view(self.people[0]))
        else:
            return
        if seen != self.shown:
            self.show(seen)

    def show(self, seen: str) -> None:
        self.shown = seen
        if seen:
            print(f"\n{seen}")

    def show_board(self, player: str) -> None:
        """What a player sees, without what never changes, and what they are asked, where the phase tells more than
        their name."""
        self.show(changing_variables_text(self.game, self.state.view(player)))
        if self.state.actor == player:
            question = question_of(self.state, player)
            if question:
                print(f"\nphase: {question}")

    def show_end(self) -> None:
        """The last position, with what was hidden, and the payoffs."""
        people = self.people
        if not people:
            self.show_everything()
        elif len({self.state.view(player) for player in people}) == 1:
            if len(people) == 1 and not self.is_open:
                self.show_news(people[0])
            self.show_board(people[0])
        if people and not self.is_open:
            print("\nAt the end, with what was hidden:")
            self.show_everything()
        said = self.state.status
        print(f"\n{said[0].upper()}{said[1:]}.")

    def show_everything(self) -> None:
        self.show(changing_variables_text(self.game, self.game.machine.entries(self.state.machine_state)))


def _moves_in(known: InformationState, player: str) -> int:
    """How many moves of a player have been perceived by somebody with this information."""
    return sum(isinstance(each, PerceivedMove) and each.player == player for each in known)


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
