"""Pictures for users: what :func:`zermelo.draw` gives."""

from __future__ import annotations

from inspect import signature
from math import inf
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.drawing.game_trees import NODES
from zermelo.drawing.pictures import draw
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.numbers import count_in_words
from zermelo.pictures.marks import NO_ROWS, Picture, Rows
from zermelo.results import UNASKED, GameRows, Provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zermelo.drawing.frames import Frame
    from zermelo.report.console import Watch
    from zermelo.solvers.common.limits import Limits


_OF: Final = {
    "view": ("position",),
    "flip": ("position",),
    "solvers": ("tree", "convergence"),
    "depth": ("tree", "sizes"),
    "nodes": ("tree", "sizes", "coverage"),
    "deepening": ("tree",),
    "frames": ("tree",),
    "boards": ("tree",),
    "merge_symmetric": ("tree",),
    "hide": ("tree",),
    "iterations": ("convergence",),
    "seed": ("convergence",),
    "weights": ("learning",),
}
"""The pictures about which an option says something."""


@frozen(repr=False)
class DrawnPicture(GameRows):
    """A picture of a state, of this ``kind``, as marks on a plane; a notebook shows it. Its rows are the numbers that
    it shows."""

    begin: State = field(eq=False)
    kind: str
    marks: Picture
    provenance: Provenance = UNASKED

    @property
    def svg(self) -> str:
        """The picture as SVG. The same picture is always the same text."""
        from zermelo.pictures.svg import svg

        return svg(self.marks)

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns. Raises ``ZermeloError`` (``bad-usage``) if the picture is not made of rows."""
        return tuple(self._numbers().kinds)

    def rows(self) -> list[dict[str, Any]]:
        """The numbers that the picture shows, as files of them have them: decimals, and texts where values are exact.
        Raises ``ZermeloError`` (``bad-usage``) if it is not made of rows, as that of a position."""
        return [dict(zip(self.columns, row, strict=True)) for row in self._numbers().rows]

    def _numbers(self) -> Rows:
        if self.marks.rows is None:
            raise ZermeloError("bad-usage", "this picture is not made of rows of numbers", NO_ROWS)
        return self.marks.rows

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file in the format that the ending of its name says: .svg, .pdf, .png or .tex; or its numbers,
        .csv, .json or .parquet; or, of a tree, .dot or .graphml.

        Raises ``ZermeloError``: ``bad-usage``, ``unwritable-file``, and ``library-missing`` without the extra
        ``pictures``, which PNG and PDF need, or ``tables``, which Parquet does."""
        from zermelo.drawing.picture_files import write_picture

        file = Path(fspath(path))
        write_picture(self.marks, file)

    def __repr__(self) -> str:
        return f"<picture of '{self.game.name}': {self.kind}>"

    def record(self) -> dict[str, Any]:
        """The picture as SVG, and what it shows."""
        return {**self._head(), "picture": self.kind, "svg": self.svg}


def draw_picture(state: State, kind: str, options: Mapping[str, Any], limits: Limits, watch: Watch) -> DrawnPicture:
    """A picture of a state. Raises ``ZermeloError`` as :func:`zermelo.draw` does."""
    if unknown := options.keys() - signature(draw).parameters.keys():
        raise ZermeloError(
            "bad-usage",
            f"there is no option '{min(unknown)}' of pictures",
            "`zermelo draw --help` lists them",
        )
    check_options(kind, options)
    with watch("drawing", "nodes", None) as report, limits.enforce():
        return DrawnPicture(state, kind, draw(state, kind, **options, limits=limits, progress=report))


@frozen(repr=False)
class DrawnFrames(GameRows):
    """A search to watch, from :func:`zermelo.draw_frames`: a frame of each moment, with its picture, the sentence about
    it, and the branches that are cut off."""

    begin: State = field(eq=False)
    frames: tuple[Frame, ...]
    provenance: Provenance = UNASKED

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures, each with its sentence below, all of the same size."""
        from zermelo.pictures.trees import captioned

        return tuple(captioned([frame.picture for frame in self.frames], [frame.said for frame in self.frames]))

    def save(
        self,
        path: str | PathLike[str],
        *,
        theme: str | None = None,
        plain: bool = False,
        font_size: float | None = None,
    ) -> tuple[list[Path], list[Path]]:
        """Write them as the pages of a PDF, or to numbered files, ``search-001.svg`` and so on for ``search.svg``, with
        the colours of a ``theme``, in black and white (``plain``), or with words of another size. The files that have
        been written, and those that have been removed: files whose numbers go on, which an earlier search has left.

        Raises ``ZermeloError``: ``bad-usage``, ``unwritable-file``, ``library-missing``."""
        from zermelo.drawing.picture_files import write_frames
        from zermelo.pictures.themes import styled

        looks = [styled(picture, theme, plain, font_size) for picture in self.pictures]
        return write_frames(looks, Path(fspath(path)))

    def __repr__(self) -> str:
        return f"<search of '{self.game.name}': {count_in_words(len(self.frames), 'frame')}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each frame: its number, what is said, what is cut off at it, and the number of the node in work,
        None at the end."""
        return [
            {"frame": number, "said": each.said, "cut": ", ".join(each.cut), "node": each.current}
            for number, each in enumerate(self.frames, 1)
        ]

    def record(self) -> dict[str, Any]:
        """What each frame says, and its picture as SVG."""
        from zermelo.pictures.svg import svg

        drawn = [{**row, "svg": svg(picture)} for row, picture in zip(self.rows(), self.pictures, strict=True)]
        return {**self._head(), "frames": drawn}


def draw_search_frames(
    state: State, solver: str | None, depth: float | None, nodes: int | None, limits: Limits, watch: Watch
) -> DrawnFrames:
    """A picture of each moment of a search. Raises ``ZermeloError`` as :func:`zermelo.draw_frames` does."""
    from zermelo.drawing.frames import search_frames

    with watch("drawing", "nodes", None) as report, limits.enforce():
        found = search_frames(state, solver, depth or inf, nodes or NODES, limits, report)
    return DrawnFrames(state, tuple(found))


def check_options(kind: str, options: Mapping[str, Any]) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) for an option that says nothing about a picture of this kind."""
    for name, kinds in _OF.items():
        if options.get(name) and options[name] != inf and kind not in kinds:
            raise ZermeloError(
                "bad-usage",
                f"argument --{name.replace('solvers', 'solver').replace('_', '-')}: it says nothing about this picture",
                f"it is for pictures of this kind: {', '.join(kinds)}",
            )
