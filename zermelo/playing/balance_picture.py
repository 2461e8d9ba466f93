"""Who wins how often among players of several strengths, for a picture."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from zermelo.drawing.tables import picture_title
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.bars import BarPart, DrawnBars, bars_picture
from zermelo.pictures.marks import Picture, Rows, colours_of
from zermelo.playing.balancing import Balance, Measure, Sample

_DRAWN = "#d0d7de"


def balance_picture(found: Balance) -> Picture:
    """The picture of what has been found. Raises ``ZermeloError`` (``bad-usage``) if nobody played, or alone."""
    game = found.games[0]
    bars = tuple(_bars(found))
    if not bars:
        raise ZermeloError("bad-usage", "nobody won or lost", "a picture needs plays of two players or more")
    colours = iter(colours_of(game.players))
    kinds = tuple((each.name, _DRAWN if each.name == "draws" else next(colours)) for each in found.endings)
    titles = dict.fromkeys(picture_title(begin) for begin in found.begins)
    remark = f"Seed: {found.seed}. Below each bar: the 95% interval of how often {game.titles[0]} wins."
    drawn = DrawnBars(f"{' and '.join(titles)}: who wins", kinds, bars, (remark,))
    return evolve(bars_picture(drawn), rows=_rows(found))


def _rows(found: Balance) -> Rows:
    """All parts of all bars."""
    kinds = {
        "game": "string", "strength": "string", "plays": "int64", "result": "string",
        "share": "double", "low": "double", "high": "double",
    }  # fmt: skip
    endings = {measure.name for measure in found.endings}
    told = [row for row in found.rows() if row["measure"] in endings]
    return Rows(
        kinds,
        tuple(
            (
                each["game"],
                each["strength"],
                each["plays"],
                each["measure"],
                float(each["mean"]),
                each["low"],
                each["high"],
            )
            for each in told
        ),
    )


def _bars(found: Balance) -> Iterator[tuple[str, tuple[BarPart, ...]]]:
    """A bar for each sample with plays, those of the same strength one below the other."""
    for row in zip(*found.samples, strict=True):
        for name, sample in zip(found.names, row, strict=True):
            parts = tuple(_part(sample, measure) for measure in found.endings)
            if sample.plays and parts:
                yield sample.strength if len(found.games) == 1 else f"{sample.strength}, {name}", parts


def _part(sample: Sample, measure: Measure) -> BarPart:
    estimate = sample.estimate(measure)
    return BarPart(0.0) if estimate is None else BarPart(float(estimate.mean), estimate.bounds)
