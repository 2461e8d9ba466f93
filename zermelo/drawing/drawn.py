"""Pictures for users: what :func:`zermelo.draw` gives."""

from __future__ import annotations

from inspect import signature
from math import inf
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.drawing.pictures import draw
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import Picture
from zermelo.results import UNASKED, GameResult, Provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

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
}
"""The pictures about which an option says something."""


@frozen(repr=False)
class DrawnPicture(GameResult):
    """A picture of a state, of this ``kind``, as marks on a plane; a notebook shows it."""

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

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file in the format that the ending of its name says: .svg, .pdf, .png or .tex; or its numbers,
        .csv, .json or .parquet.

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


def check_options(kind: str, options: Mapping[str, Any]) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) for an option that says nothing about a picture of this kind."""
    for name, kinds in _OF.items():
        if options.get(name) and options[name] != inf and kind not in kinds:
            raise ZermeloError(
                "bad-usage",
                f"argument --{name.replace('solvers', 'solver').replace('_', '-')}: it says nothing about this picture",
                f"it is for pictures of this kind: {', '.join(kinds)}",
            )
