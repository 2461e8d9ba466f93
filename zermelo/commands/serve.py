"""Open a page in the browser to write games on: findings while you type, play, trees, solving.

The page comes from a server on this machine, which no other machine reaches and which asks nobody else. It runs until
you press Ctrl-C. What is asked on the page has limits of time and memory, and at most one search runs for each core;
others wait. docs/serve.md says what is on the page. It needs pip install 'zermelo[serve]'.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Final

from zermelo.commands.options import number_up_to, seconds, size, whole_number
from zermelo.interrupts import INTERRUPTED
from zermelo.machines import cores
from zermelo.solvers.common.libraries import import_library

EXAMPLES: Final = """\
examples:
  zermelo serve                                the page, in your browser
  zermelo serve --port 8000 --no-browser       only the address
  zermelo serve --time 300 --memory 4G         for larger games
"""

_PORT: Final = 8017
_MOST_PORTS: Final = 65_535
_SECONDS: Final = 60.0
_LEAST_SECONDS: Final = 1.0
_CORES: Final = 4
"""The least number of cores between which the memory is shared, so that one search leaves some to the rest."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        metavar="N",
        type=number_up_to(_MOST_PORTS, whole_number),
        default=_PORT,
        help=f"the port (default: {_PORT}); 0: any that is free",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=_some_seconds,
        default=_SECONDS,
        help=f"end the work on a request after this time (default: {_SECONDS:g})",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="the memory for the tables of a request, such as 64M or 2G (default: a quarter of what the machine has, "
        "divided by the number of cores)",
    )


def run(options: Namespace) -> int:
    for library in ("starlette", "uvicorn"):
        import_library(library, "the page to write games on", "serve")
    from zermelo.serving.app import RequestLimits, bind_socket
    from zermelo.serving.app import run as serve
    from zermelo.solvers.common.limits import quarter_of_memory

    count = cores()
    memory = quarter_of_memory() // max(count, _CORES) if options.memory is None else options.memory
    socket = bind_socket(options.port)
    address = f"http://127.0.0.1:{socket.getsockname()[1]}/"

    def announce() -> None:
        print(f"{address} has the page to write games on; Ctrl-C ends the server.", flush=True)
        if not options.no_browser:
            import webbrowser
            from threading import Thread

            Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # some browsers block

    try:
        serve(socket, RequestLimits(options.time, memory, count), announce)
    except KeyboardInterrupt:
        return INTERRUPTED  # no result is missing, so there is nothing to say
    return 0


def _some_seconds(text: str) -> float:
    found = seconds(text)
    if found < _LEAST_SECONDS:
        raise ArgumentTypeError(f"it must be at least {_LEAST_SECONDS:g}")
    return found
