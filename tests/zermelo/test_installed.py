"""The installation is a single package: its parts have common names, which must not clash with other modules."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("grammar", "interpreter", "solvers", "gamedefs")
FOREIGN = "raise ImportError('this is a module of somebody else')\n"
SOLVE = "import zermelo; print(zermelo.solve(zermelo.load('nim')).value)"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout, built outside of it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if files.returncode:
        pytest.skip("this is no checkout")
    for name in files.stdout.splitlines():
        if (ROOT / name).is_symlink():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).symlink_to(os.readlink(ROOT / name))
        elif (ROOT / name).exists() and not name.startswith(("tests/", "docs/")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        folder,
    ]
    subprocess.run([*build, source], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A Python with the wheel installed beside foreign modules with the names of its parts, and a folder with more of
    them. Dependencies come from the environment of the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "environment", with_pip=False)
    python = folder / "environment" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.strip())
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel]
    subprocess.run(install, check=True, capture_output=True)
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    here = folder / "project"
    here.mkdir()
    for part in PARTS:
        (packages / part).mkdir()
        (packages / part / "__init__.py").write_text(FOREIGN)
        (here / f"{part}.py").write_text(FOREIGN)
    (here / "script.py").write_text(SOLVE)
    return python, here


def test_a_wheel_holds_one_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"zermelo"}
    needed = {"grammar/game.lark", "gamedefs/nim.game", "grammar/explanations/unknown-game.md", "py.typed"}
    needed |= {"notebook/widget.js", "notebook/widget.css"}
    assert {f"zermelo/{name}" for name in needed} <= set(names)


@pytest.mark.parametrize(
    "how", [["script.py"], ["-c", SOLVE], ["-m", "zermelo", "solve", "nim"]], ids=lambda how: how[0]
)
def test_it_runs_beside_modules_that_are_called_like_its_parts(installed, how):
    python, here = installed
    done = subprocess.run([python, *how], cwd=here, capture_output=True, text=True, env=without_paths())
    assert (done.returncode, done.stderr) == (0, "")
    assert "1" in done.stdout


def test_the_command_is_installed(installed):
    python, here = installed
    done = subprocess.run(
        [python.with_name("zermelo"), "solve", "nim"], cwd=here, capture_output=True, env=without_paths()
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_it_runs_in_a_kernel_of_notebooks(installed):
    pytest.importorskip("ipykernel")
    jupyter = pytest.importorskip("jupyter_client")
    python, here = installed
    manager = jupyter.KernelManager()
    manager.kernel_spec.argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager.start_kernel(cwd=str(here), env=without_paths())
    client = manager.blocking_client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=600)
        shown: list[str] = []
        client.execute_interactive(
            SOLVE, timeout=600, output_hook=lambda message: shown.append(str(message["content"].get("text", "")))
        )
        assert "Fraction(1, 1)" in "".join(shown)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def without_paths() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
