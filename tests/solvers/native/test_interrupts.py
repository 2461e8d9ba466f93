"""Ctrl-C while a kernel is at work: a short message, and the exit code of interrupted programs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interpreter.native.llvm.engine import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="llvmlite is not installed")

PROGRAM = """\
import os, signal, sys, threading
from interpreter.native.kernels import CompiledKernels
from zermelo.cli import main

call = CompiledKernels.call

def watched(self, name, *arguments):
    if name == sys.argv[1]:
        CompiledKernels.call = call
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    return call(self, name, *arguments)

CompiledKernels.call = watched
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    "kernel, command",
    [
        *(
            (name, f"solve nim -p heaps=6 --solver {name}")
            for name in ("minimax", "alphabeta", "expectiminimax", "maxn")
        ),
        ("walk", "plays connect_four 30"),
        ("play", "random pig --plays 1000000000000"),
        ("play", "random pig --plays 1000000000000 --threads 1"),
    ],
)
def test_an_interrupt_ends_a_kernel(kernel, command):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, kernel, *command.split(), "--machine", "native"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 130
    assert ran.stderr == "\nInterrupted: there is no result.\n"
