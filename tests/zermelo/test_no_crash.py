"""Any file gives a message on the command line: in separate processes, with machine code.

A process runs many commands on many files and logs them, so that a file which crashes or hangs it is known.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest
from random_cases import FIRST, many

from zermelo import gamedefs

FILES: Final = many(16)
SECONDS: Final = many(120)

WORD: Final = re.compile(r"[A-Za-z_]\w*|\d+|[^\sA-Za-z_0-9]+")
OTHER_WORDS: Final = ["none", "Player", "{}", "north", "0", "-1", "63", "64", "65", "1000", "999999999999", "1/3", "in"]

COMMANDS: Final = (
    ["check"],
    ["plays", "2", "--time", "1"],
    ["random", "--plays", "3", "--time", "1"],
    ["solve", "--time", "1", "--depth", "2", "--estimate", "rollouts"],
)

PROGRAM: Final = """
import sys, traceback
from zermelo.cli import main
for file in sys.argv[2:]:
    for command in eval(sys.argv[1]):
        words = [command[0], file, *command[1:]] + ([] if command[0] == "check" else ["--machine", "native"])
        print(">>>", *words, flush=True)
        try:
            code = main(words)
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            sys.exit(99)
        print("<<<", code, flush=True)
        if code not in (0, 1, 2):
            sys.exit(98)
"""


def edited(text: str, random: Random) -> bytes:
    """A file with a few words or bytes replaced by others."""
    for _ in range(random.randint(1, 3)):
        words = list(WORD.finditer(text))
        word = random.choice(words)
        other = random.choice(OTHER_WORDS) if random.random() < 0.5 else random.choice(words).group()
        text = text[: word.start()] + other + text[word.end() :]
    data = bytearray(text.encode())
    if random.random() < 0.2:
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("part", range(2))
def test_no_file_ends_the_process(tmp_path: Path, part: int) -> None:
    random = Random(FIRST + part)
    small = [name for name in gamedefs.names() if name not in ("chess", "go", "backgammon", "checkers")]
    files = []
    for k in range(FILES):
        text = gamedefs.path(random.choice(small)).read_text(encoding="utf-8")
        file = tmp_path / f"{k}.game"
        file.write_bytes(edited(text, random))
        files.append(str(file))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, repr(COMMANDS), *files],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    commands = [line for line in ran.stdout.splitlines() if line.startswith(">>>")]
    last = commands[-1] if commands else "nothing"
    assert ran.returncode == 0, f"{last}: exit {ran.returncode}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
    assert "Traceback" not in ran.stderr
    assert len(commands) == FILES * len(COMMANDS)
