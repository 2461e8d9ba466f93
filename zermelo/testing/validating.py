"""Validating a game by what its plays show: ``zermelo check --deep``."""

from __future__ import annotations

from attrs import frozen

from zermelo.game import Game
from zermelo.interpreter.machine import Move
from zermelo.report.records import Record, finding_record
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.validation.about_coverage import USED, coverage_replies
from zermelo.solvers.validation.covering import Coverage, cover
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.reply import Reply
from zermelo.solvers.validation.searching import MOST_EXACTLY, Extent, Searched, search
from zermelo.solvers.validation.witnesses import asked


@frozen(eq=False)
class Validation:
    """What the plays of a game show: how much was searched, the answer to each question, and how often each part of the
    rules was used, None if that was not counted."""

    extent: Extent
    replies: tuple[Reply, ...]
    coverage: Coverage | None

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


def validate(
    game: Game, most: int | None, limits: Limits, progress: Progress, with_coverage: bool = False
) -> Validation:
    """Search the first ``most`` positions of a game and ask what they show. Questions for which the limits leave no
    time or memory are not asked. How often each part of the rules is used is counted if there are few positions, or
    always, ``with_coverage``."""
    machine, searched = game.searching, Searched(Extent(0, is_whole=False, stopped="time ran out"), None)
    found, coverage = list[Reply](), None
    try:
        with limits.kept():
            searched = search(machine, game.facts, most, limits, progress, asked(game.model))
            found.extend(replies(machine, game.model, game.facts, searched, limits))
            if searched.fault is None:
                is_small = searched.extent.is_whole and searched.extent.positions <= MOST_EXACTLY
                if with_coverage or is_small:
                    coverage = cover(game.model, most, limits, progress)
                    found.extend(coverage_replies(coverage))
                else:
                    found.append(Reply(USED, "not asked", "--coverage asks"))
    except LimitReached as stop:
        found.append(Reply("What else do the positions show?", "not asked", stop.limit))
    return Validation(searched.extent, tuple(found), coverage)


def _texts(play: tuple[Move, ...]) -> list[str]:
    """The moves of a play as the language writes them."""
    return list(map(str, play))
