"""``python -m tools.api_page``: write the page about the Python interface to ``docs/api.md``.

It is made of the docstrings: of the functions behind commands and others of the package, and of the results that they
give. So it says what ``help`` says, and its examples are those that the tests run.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import zermelo
from zermelo import questions
from zermelo.questions import OF_GAMES, OF_STATES

FILE: Final = Path(__file__).parents[1] / "docs" / "api.md"
WIDTH: Final = 80

RESULTS: Final = (
    "zermelo.solved_game.SolvedGame",
    "zermelo.steps.ToldSearch",
    "zermelo.comparing.Comparison",
    "zermelo.comparing.Outcome",
    "zermelo.move_values.MoveValues",
    "zermelo.solutions.forcing.ForcedPayoff",
    "zermelo.equilibria_page.ListedEquilibria",
    "zermelo.solutions.mediation.MediatedPlay",
    "zermelo.policies.exploiting.ExploitedStrategies",
    "zermelo.policies.exploiting.ExactMatch",
    "zermelo.playing.matching.PlayedMatch",
    "zermelo.playing.judged_weights.JudgedWeights",
    "zermelo.playing.judged_weights.WeightsInMatches",
    "zermelo.playing.balancing.Balance",
    "zermelo.random_playing.PlaysAtRandom",
    "zermelo.drawing.drawn.DrawnPicture",
    "zermelo.drawing.drawn.DrawnFrames",
    "zermelo.handout.handed_out.HandedOut",
    "zermelo.testing.checking.CheckedFile",
    "zermelo.testing.suites.TestedGame",
    "zermelo.counted_plays.CountedPlays",
    "zermelo.testing.differing.GameDifference",
    "zermelo.testing.grading.Grades",
    "zermelo.testing.grading.GradedFile",
    "zermelo.testing.mutation.MutationScore",
    "zermelo.converting.ConvertedGame",
    "zermelo.results.Origin",
    "zermelo.results.Provenance",
)
"""The classes of results, and of where they come from."""

GAMES: Final = (
    "zermelo.game.Game",
    "zermelo.game.State",
    "zermelo.interpreter.numbering.moves.NumberedMoves",
    "zermelo.interpreter.numbering.moves.MoveGroup",
    "zermelo.interpreter.numbering.observations.ObservationEncoding",
    "zermelo.interpreter.numbering.observations.ObservationBlock",
    "zermelo.plays_at_once.Batch",
)
"""The classes of games and states, and of what their numbers mean."""

OTHERS: Final = (
    "load",
    "loads",
    "load_position",
    "convert",
    "batch",
    "sweep",
    "learn",
    "with_weights",
    "render",
    "parse",
    "upgrade",
)

_ROLE: Final = re.compile(r":\w+:`~?([\w.]+)`")
_CODE: Final = re.compile(r"``([^`]+)``")


def page() -> str:
    """The whole page."""
    asked = list(dict.fromkeys((*OF_GAMES, *OF_STATES)))
    lines = ["# The Python interface", "", "<!-- python -m tools.api_page writes this page. -->", ""]
    lines += ["[From Python](python.md) tells how to begin.", ""]
    lines += _words(_rest(questions.__doc__))
    others = [getattr(zermelo, name) for name in OTHERS]
    lines += [*map(_item, [*asked, *others]), ""]
    lines += ["## Questions about games and states", ""]
    for function in asked:
        of = [kind for kind, those in (("game", OF_GAMES), ("state", OF_STATES)) if function in those]
        lines += _entry(f"zermelo.{function.__name__}", function, [f"{each}.{function.__name__}" for each in of])
    lines += ["## Results", "", *_words(inspect.getdoc(zermelo.GameResult)), ""]
    for path in RESULTS:
        lines += _result(path)
    lines += ["## Games, states, and their numbers", ""]
    for path in GAMES:
        lines += _result(path)
    lines += ["## Reading games, and other work", ""]
    for function in others:
        lines += _entry(f"zermelo.{function.__name__}", function, [])
    return "\n".join(lines).rstrip() + "\n"


def _rest(text: str | None) -> str:
    """A docstring without its first line, which is a title."""
    return (text or "").partition("\n\n")[2]


def _item(function: Callable[..., Any]) -> str:
    """A line of the list at the top: a function, and the first sentence about it."""
    name = function.__name__
    first, *_ = re.split(r"[.:]\s", f"{inspect.getdoc(function)}\n", maxsplit=1)
    return f"- [`zermelo.{name}`](#zermelo{name}): {_inline(' '.join(first.split()))}."


def _entry(name: str, function: Callable[..., Any], methods: Iterable[str]) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    yield "```python"
    yield from _signature(name, function)
    yield "```"
    yield ""
    if methods := list(methods):
        yield f"Also {' and '.join(f'`{method}(...)`' for method in methods)}."
        yield ""
    yield from _words(inspect.getdoc(function))
    yield ""


def _signature(name: str, function: Callable[..., Any]) -> list[str]:
    """The signature, in a line or, if it is long, with a line for each parameter."""
    parts = [_parameter(each) for each in inspect.signature(function).parameters.values()]
    kinds = [each.kind for each in inspect.signature(function).parameters.values()]
    only = inspect.Parameter.KEYWORD_ONLY
    if only in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parts.insert(kinds.index(only), "*")
    gives = inspect.signature(function).return_annotation
    line = f"{name}({', '.join(parts)}) -> {gives}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{name}(", *(f"    {part}," for part in parts), f") -> {gives}"]


def _parameter(each: inspect.Parameter) -> str:
    """A parameter, without the quotes of its type; a default that is a function is not shown."""
    stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
    default = "" if each.default is each.empty else f" = {'...' if callable(each.default) else repr(each.default)}"
    return f"{stars}{each.name}: {each.annotation}{default}"


def _result(path: str) -> Iterator[str]:
    """A class of results: what it says of itself, and its properties and methods."""
    module, _, name = path.rpartition(".")
    kind = getattr(import_module(module), name)
    yield f"### {name}"
    yield ""
    yield from _words(inspect.getdoc(kind))
    yield ""
    for each, value in vars(kind).items():
        text = inspect.getdoc(value)
        is_shown = isinstance(value, property) or inspect.isfunction(value)
        if not each.startswith("_") and is_shown and text:
            called = "" if isinstance(value, property) else "()"
            yield f"- `{each}{called}`: {_inline(' '.join(text.split()))}"
    yield ""


def _words(text: str | None) -> Iterator[str]:
    """A docstring as Markdown: examples become blocks of code."""
    for part in re.split(r"\n\n+", (text or "").strip()):
        if part.startswith(">>>"):
            yield from ("```python", part, "", "```", "")
        else:
            yield from (_inline(part), "")


def _inline(text: str) -> str:
    return _CODE.sub(r"`\1`", _ROLE.sub(r"`\1`", text))


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
