"""``python -m tests.installing``: what users install, with the oldest libraries that it admits and with the newest.

A wheel is built from a source distribution, and installed into fresh environments: one with exactly the lower bounds of
``pyproject.toml``, one with the newest of everything, and (``--extras``) one for each extra. In each, some commands are
run outside of the repository, and what they write as JSON is read. Needs the package registry.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[1]

COMMANDS: Final = (
    "games --json",
    "show hex --json",
    "check chess",
    "check nim --deep --json",
    "moves tic_tac_toe --values --json",
    "plays tic_tac_toe 4 --json",
    "random pig --plays 100 --json",
    "solve nim --json",
    "solve tic_tac_toe --verify --json",
    "solve kuhn_poker --json",
    "solve kuhn_poker --solver cfr_plus --iterations 100 --json",
    "solve rock_paper_scissors --json",
    "solve pig -p target=10 --json",
    "solve tiger --json",
    "equilibria prisoners_dilemma --json",
    "correlated prisoners_dilemma --json",
    "exploit kuhn_poker uniform --json",
    "match kuhn_poker --seat Alice=random --seat Bob=random --plays 10 --json",
    "compare nim --json",
    "test nim --json",
    "draw two_ply_tree tree",
    "fmt --check game.game",
    "explain no-solver",
)
"""Commands that need no extra."""

MODULES: Final = {
    "dataframes": "pandas", "gambit": "zermelo.interop.pygambit", "gymnasium": "zermelo.interop.gymnasium",
    "lsp": "zermelo.language_server.server", "notebook": "zermelo.notebook", "openspiel": "zermelo.interop.open_spiel",
    "pettingzoo": "zermelo.interop.pettingzoo", "pictures": "cairosvg", "serve": "zermelo.serving.app",
    "tables": "pyarrow.parquet",
}  # fmt: skip
"""What can be imported with each extra of users."""


def main() -> int:
    parser = ArgumentParser(prog="python -m tests.installing", description=__doc__.partition("\n")[0])
    parser.add_argument("--lowest", action="store_true", help="the lower bounds only")
    parser.add_argument("--extras", action="store_true", help="each extra as well")
    options = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with TemporaryDirectory() as folder:
        source = Path(folder, "source")  # where nobody else builds at the same time
        skipped = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT, source, symlinks=True, ignore=skipped)
        python = made(Path(folder, "building"), ["build"])
        run([python, "-m", "build", "--outdir", folder, str(source)])
        (wheel,) = map(str, Path(folder).glob("*.whl"))
        smoke(Path(folder, "lowest"), [wheel, *map(lowest, project["dependencies"])])
        if not options.lowest:
            smoke(Path(folder, "newest"), [wheel, "--upgrade"])
        for extra in MODULES if options.extras else ():
            python = made(Path(folder, extra), [f"{wheel}[{extra}]"])
            run([python, "-c", f"import {MODULES[extra]}"], cwd=Path(folder))
    return 0


def lowest(requirement: str) -> str:
    """The same library in its oldest version: ``attrs==25.4`` for ``attrs>=25.4,<27``."""
    return re.sub(r"^([\w-]+)>=([\w.]+).*", r"\1==\2", requirement)


def smoke(folder: Path, packages: Sequence[str]) -> None:
    """Run the commands in an environment of these packages; ends the program if one fails."""
    python = made(folder, packages)
    (folder / "game.game").write_text(
        'game "One"\nplayers Ann\n\ntree:\n    Ann:\n        a: 1\n        b: 2\n', "utf-8"
    )
    for command in COMMANDS:
        written = run([python, "-m", "zermelo", *command.split()], cwd=folder, silent=True)
        if "--json" in command:
            json.loads(written)
    print(f"{folder.name}: {len(COMMANDS)} commands")


def made(folder: Path, packages: Sequence[str]) -> str:
    """The Python of a new environment with these packages."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    run([python, "-m", "pip", "install", "--quiet", "--no-compile", *packages])
    return python


def run(command: Sequence[str], cwd: Path | None = None, silent: bool = False) -> str:
    """What a command writes; ends the program if it fails, or, if it is to be silent, writes to standard error."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ran.returncode or (silent and ran.stderr):
        sys.exit(f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
