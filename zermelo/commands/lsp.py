"""Serve an editor: findings while typing with their fixes, what a name means, where it is declared and used, renaming,
completion, formatting, an outline, and colours.

An editor starts this command itself, and talks with it in the language server protocol over standard input and output.
docs/editors.md says how to set up VS Code, Neovim, Helix, Emacs and others. It needs pip install 'zermelo[lsp]'.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Final

from zermelo.solvers.common.libraries import import_library

EXAMPLES: Final = """\
examples:
  zermelo lsp                                  what to give an editor as the command of the server
  zermelo lsp --stdio                          the same, as some editors write it
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="talk over the standard streams, as without it")


def run(options: Namespace) -> int:
    import_library("pygls.lsp.server", "editors", "lsp", having="LanguageServer")
    from zermelo.language_server.server import serve

    serve()
    return 0
