"""Validating a game by what its plays show: ``zermelo check --deep``."""

from __future__ import annotations

from attrs import frozen

from zermelo.game import Game
from zermelo.interpreter.machine import Move
from zermelo.report.records import Record, finding_record
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.reply import Reply
from zermelo.solvers.validation.searching import Extent, search
from zermelo.solvers.validation.witnesses import asked


@frozen(eq=False)
class Validation:
    """What the plays of a game show: how much was searched, and the answer to each question."""

    extent: Extent
    replies: tuple[Reply, ...]

    @property
    def found(self) -> list[Record]:
        """The findings, each with its play and its certainty, ready for JSON."""
        return [
            {
                **finding_record(answer.finding),
                "play": None if answer.play is None else _texts(answer.play),
                "certainty": answer.how,
            }
            for answer in self.replies
            if answer.finding is not None
        ]

    @property
    def record(self) -> Record:
        """All but the findings, ready for JSON."""
        return {
            "searched": {
                "positions": self.extent.positions,
                "all": self.extent.is_whole,
                "random_plays": self.extent.plays,
                "stopped": self.extent.stopped or None,
            },
            "answers": [
                {
                    "question": answer.question,
                    "answer": answer.answer,
                    "how": answer.how,
                    "code": answer.finding.code if answer.finding else None,
                    "play": None if answer.play is None else _texts(answer.play),
                }
                for answer in self.replies
            ],
        }


def validate(game: Game, most: int | None, limits: Limits, progress: Progress) -> Validation:
    """Search the first ``most`` positions of a game and ask what they show. Questions for which the limits leave no
    time or memory are not asked."""
    machine = game.searching
    with limits.kept():
        searched = search(machine, game.facts, most, limits, progress, asked(game.model))
        found = list[Reply]()
        try:
            found.extend(replies(machine, game.model, game.facts, searched, limits))
        except LimitReached as stop:
            found.append(Reply("What else do the positions show?", "not asked", stop.limit))
    return Validation(searched.extent, tuple(found))


def _texts(play: tuple[Move, ...]) -> list[str]:
    """The moves of a play as the language writes them."""
    return list(map(str, play))
