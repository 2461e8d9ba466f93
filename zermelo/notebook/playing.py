"""A game to be played: a person clicks on cells or moves, and the seats of the others answer.

A page holds what the person may know, and nothing else: where something is hidden, the position is what their player
sees, and the list of what has happened is what they have perceived. At the end everything is shown. So there is one
person at most if something is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from attrs import define, field

from zermelo.drawing.positions import cells_changed
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import display_text
from zermelo.notebook.bundles import bounded_position
from zermelo.notebook.widgets import Conversation, Message, Page, board_of, button, move_of
from zermelo.numbers import with_parameters
from zermelo.playing.seats import KINDS, Seat, is_kind, seats_of
from zermelo.positions import changing_variables_text, past_knowledge, question_of
from zermelo.solvers.common.limits import Limits
from zermelo.solving import facts_with_information

_STEPS: Final = 1_000
"""After so many moves of others in a row the person is asked whether to go on."""


@define(eq=False)
class PlayTable(Conversation):
    """A play that began in ``begin`` and is in ``state``. ``taken`` are the states in which people have moved, the
    latest last. If it ``is_flipped``, the board is seen from the other end."""

    begin: State
    seats: Mapping[str, Seat]
    random: Random
    state: State = field(init=False)
    taken: list[State] = field(init=False, factory=list)
    is_flipped: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self.state, self.remark = self._let_others_move(self.begin)

    @property
    def people(self) -> tuple[str, ...]:
        """The players who are people."""
        return tuple(player for player in self.begin.game.players if player not in self.seats)

    @property
    def is_public(self) -> bool:
        """Whether it is proved that nothing is hidden in the game."""
        return self.begin.game.facts.perfect_information.holds is True

    @property
    def is_open(self) -> bool:
        """Whether the page may show everything."""
        return self.is_public or self.state.is_over

    @property
    def may_take_back(self) -> bool:
        """Whether there is a move to take back; not once the end has shown what was hidden."""
        return bool(self.taken) and (self.is_public or not self.state.is_over)

    # ------------------------------------------------------------- what is done

    def follow(self, message: Message) -> None:
        """Make a ``move`` by its number, or ``press`` a button."""
        match message:
            case {"do": "move", "number": int(number)} if self._is_asked and 0 <= number < len(self.state.moves):
                here = self.state
                self.state, self.remark = self._let_others_move(here.after(here.moves[number]))
                self.taken.append(here)
            case {"do": "press", "name": "undo"} if self.may_take_back:
                self.state = self.taken.pop()
            case {"do": "press", "name": "again"}:
                self.state, self.remark = self._let_others_move(self.begin)
                self.taken.clear()
            case {"do": "press", "name": "flip"}:
                self.is_flipped = not self.is_flipped
            case {"do": "press", "name": "on"}:
                self.state, self.remark = self._let_others_move(self.state)

    def remembered(self) -> Callable[[], None]:
        state, taken, is_flipped = self.state, list(self.taken), self.is_flipped

        def bring_back() -> None:
            self.state, self.taken, self.is_flipped = state, taken, is_flipped

        return bring_back

    @property
    def _is_asked(self) -> bool:
        return self.state.actor in self.people

    def _let_others_move(self, state: State) -> tuple[State, str]:
        """Let all others move until a person is asked, or the play ends, for at most :data:`_STEPS` moves. Returns the
        state that is reached, and the remarks of the others."""
        remarks = []
        for _ in range(_STEPS):
            actor = state.actor
            if actor is None or actor in self.people:
                break
            if actor == CHANCE:
                move = state.sample(self.random)
            else:
                move, remark = self.seats[actor].choose(state)
                remarks += [remark] if remark else []
            state = state.after(move)
        return state, " ".join(dict.fromkeys(remarks))

    # ------------------------------------------------------------- what is shown

    def content(self) -> Page:
        state, game = self.state, self.begin.game
        viewer = None if self.is_open else self.people[0]
        seen = game.machine.entries(state.machine_state) if viewer is None else state.view(viewer)
        board = bounded_position(state, viewer, is_titled=False, is_flipped=self.is_flipped)
        moves = state.moves if self._is_asked else ()
        changed = cells_changed(state) if self._is_asked else {}
        question = question_of(state, state.actor) if self._is_asked and state.actor is not None else ""
        return {
            "title": with_parameters(game.title, game),
            "status": f"{state.status} in the phase {question}" if question else state.status,
            "log": self._log(viewer),
            "tree": None,
            "board": None if board is None else board_of(board, moves, changed),
            "text": changing_variables_text(game, seen),
            "moves": [move_of(move, changed) for move in moves],
            "buttons": [
                button("undo", "Take back", self.may_take_back),
                button("again", "Play again"),
                *([button("flip", "Flip the board")] if board is not None and board.spots else []),
                *([] if self._is_asked or state.is_over else [button("on", "Go on")]),
            ],
        }

    def _log(self, viewer: str | None) -> list[str]:
        """What has happened, as far as the viewer knows."""
        if viewer is not None:
            return past_knowledge(self.state, viewer)
        here, found = self.begin.game.initial, []
        for move in self.state.play:
            found.append(f"{here.actor_title}: {display_text(move)}")
            here = here.after(move)
        return found


def table(game: Game | State, kinds: Mapping[str, str], seed: int | None) -> PlayTable:
    """A table at which a game begins, with a kind of seat for some players.

    Raises ``ZermeloError``: ``unknown-player``, ``bad-usage``, and what reading a file of strategies raises."""
    begin = game.initial if isinstance(game, Game) else game
    for player, kind in kinds.items():
        if not is_kind(kind):
            raise ZermeloError(
                "bad-usage",
                f"nobody of the kind '{kind}' can play for {player}",
                f"the kinds are {', '.join(KINDS)}, or the name of a file of strategies",
            )
    random = Random(seed)
    seats = seats_of(begin.game, kinds.items(), random, Limits().memory)
    people = [player for player in begin.game.players if player not in seats]
    if not people:
        raise ZermeloError("bad-usage", "nobody is left to play", "leave a player out of `seats`")
    if len(people) > 1 and begin.game.facts.perfect_information.holds is not True:
        is_seen = facts_with_information(begin.game).perfect_information.holds is False
        raise ZermeloError(
            "bad-usage",
            f"something {'is' if is_seen else 'may be'} hidden in this game, and {' and '.join(people)} "
            "would look at the same screen",
            "say in `seats` who plays for all but one of them",
        )
    return PlayTable(begin, seats, random)
