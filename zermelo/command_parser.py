"""The parser of a command's arguments: argparse, whose mistakes are errors with a code."""

from __future__ import annotations

import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import TYPE_CHECKING, Final, NoReturn

from zermelo.grammar.diagnostics import ZermeloError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_UNKNOWN: Final = "unrecognized arguments: "
_SETTING: Final = re.compile(r"\w+=\S+")


def parser_of(name: str, description: str | None, examples: str) -> ArgumentParser:
    """A parser for the command ``name``, without arguments, whose help shows these texts."""
    return _Parser(
        prog=f"zermelo {name}",
        description=description,
        epilog=examples,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


class _Parser(ArgumentParser):
    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; unlike argparse, fail if it cannot be written."""
        print(message, end="", file=file)

    def error(self, message: str) -> NoReturn:
        meant = self._meant(message)
        if meant:
            message += f"; did you mean '{meant}'?"
        raise ZermeloError("bad-usage", message, f"`{self.prog} --help` lists its arguments and has examples")

    def _meant(self, message: str) -> str | None:
        """What was probably meant by the first argument that the command does not have: an option, or ``-p`` before a
        parameter."""
        unknown = message.removeprefix(_UNKNOWN).split(" ")[0]
        if unknown == message.split(" ")[0]:
            return None
        if unknown.startswith("-"):
            from zermelo.interpreter.suggestions import nearest

            return nearest(unknown, [option for option in self._option_string_actions if option.startswith("--")])
        return f"-p {unknown}" if "-p" in self._option_string_actions and _SETTING.fullmatch(unknown) else None
