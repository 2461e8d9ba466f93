"""``python -m tools.playground SITE``: adds the page that runs in the browser to a site."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from zermelo import gamedefs
from zermelo.grammar.reading import LARGEST
from zermelo.serving.bundled import bundled_game, gallery, sheet
from zermelo.serving.questions import QUICK

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
PAGE: Final = ROOT / "zermelo" / "serving" / "page"

PYODIDE: Final = "314.0.7"
"""The version of Pyodide."""

INTEGRITY: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The SHA-512 digest of its package, as the npm registry writes digests."""

CORE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the package that a browser loads."""

LIBRARIES: Final = """\
attrs==26.1.0 --hash=sha256:c647aa4a12dfbad9333ca4e71fe62ddc36f4e63b2d260a37a8b83d2f043ac309
lark==1.3.1 --hash=sha256:c629b661023a014c37da873b4ff58a817398d12635d3bbb2c5a03be7fe5d1e12
"""
"""What small games need beside this project, as pip reads requirements."""

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The policy of the page, as of the server's; a browser compiles WebAssembly only where it is allowed."""


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m tools.playground", description=__doc__)
    parser.add_argument("site", metavar="SITE", type=Path)
    place = parser.parse_args(words).site / "playground"
    shutil.rmtree(place, ignore_errors=True)
    with TemporaryDirectory() as folder:
        add_page(place)
        add_files(place / "api")
        add_pyodide(place / "pyodide", Path(folder))
        add_packages(place / "python", place / "pyodide", Path(folder))
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    print(f"{place}: {size / 1e6:.1f} MB")
    return 0


def add_page(place: Path) -> None:
    """The page, with another way to ask, and with its policy in itself: a site of files sends no headers."""
    shutil.copytree(PAGE, place / "page", ignore=shutil.ignore_patterns("index.html"))
    for name in ("transport.js", "worker.js"):
        shutil.copyfile(HERE / name, place / "page" / name)
    (place / "page" / "quick.js").write_text(f"export const QUICK = {json.dumps(QUICK)}\n", "utf-8")
    first = '<meta charset="utf-8">\n'
    policy = f'<meta http-equiv="content-security-policy" content="{POLICY}">\n'
    text = (PAGE / "index.html").read_text("utf-8")
    if first not in text:
        sys.exit("the page has no place for its policy")
    (place / "index.html").write_text(text.replace(first, first + policy), "utf-8")


def add_files(place: Path) -> None:
    """The answers that never change."""
    _write(place / "limits.json", {"bytes": LARGEST})
    _write(place / "sheet.json", sheet())
    _write(place / "gallery.json", gallery())
    for name in gamedefs.names():
        _write(place / "gallery" / f"{name}.json", bundled_game(name))


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


def add_pyodide(place: Path, folder: Path) -> None:
    """Pyodide's core, from the npm registry. Ends the program if it is not what it was."""
    run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}"], folder)
    package = folder / f"pyodide-{PYODIDE}.tgz"
    found = base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode()
    if found != INTEGRITY:
        sys.exit(f"pyodide {PYODIDE} has the digest {found}, and not {INTEGRITY}")
    place.mkdir(parents=True)
    with tarfile.open(package) as archive:
        for name in CORE:
            content = archive.extractfile(f"package/{name}")
            assert content is not None
            (place / name).write_bytes(content.read())


def add_packages(place: Path, pyodide: Path, folder: Path) -> None:
    """The packages in one archive, with the byte code that Pyodide makes of them."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    (folder / "libraries.txt").write_text(LIBRARIES, "utf-8")
    wheels = folder / "wheels"
    only = ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    run([*pip, "download", *only, "--dest", str(wheels), "-r", str(folder / "libraries.txt")], folder)
    source = folder / "source"  # where nobody else builds at the same time
    skipped = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info", "node_modules", "tests", "docs")
    shutil.copytree(ROOT, source, symlinks=True, ignore=skipped)
    run([*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(source)], folder)
    place.mkdir(parents=True)
    names = sorted(map(str, wheels.glob("*.whl")))
    run(
        ["node", str(HERE / "prepare.mjs"), str(pyodide.resolve()), str(place.resolve() / "packages.zip"), *names],
        folder,
    )


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command in a folder; ends the program if it fails."""
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(command)} ended with {ran.returncode}:\n{(ran.stdout + ran.stderr)[-4000:]}")


if __name__ == "__main__":
    sys.exit(main())
