"""Ctrl-C while a kernel runs: a short message, and the exit code of interrupted programs."""

from __future__ import annotations

import subprocess
import sys

from all_machines import needs_llvm

pytestmark = needs_llvm

PROGRAM = """\
import os, signal, sys, threading
from zermelo.interpreter.native.running.kernels import CompiledKernels
from zermelo.cli import main

call = CompiledKernels._call

def watched(self, name, plain):
    if name == kernel:
        CompiledKernels._call = call
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return call(self, name, plain)

for command in sys.argv[1:]:
    kernel, *words = command.split()
    CompiledKernels._call = watched
    print("exit code", main([*words, "--machine", "native"]))
"""

COMMANDS = (
    "minimax solve nim -p heaps=6 --solver minimax",
    "alphabeta solve nim -p heaps=6 --solver alphabeta",
    "expectiminimax solve nim -p heaps=6 --solver expectiminimax",
    "maxn solve nim -p heaps=6 --solver maxn",
    "go_on solve connect_four --solver mcts --time 60",
    "go_on plays connect_four 30",
    "go_on show connect_four --positions --time 60 --memory 1G --threads 1",
    "go_on show connect_four --positions --time 60 --memory 1G --threads 2",
    "go_on random pig --plays 1000000000000 --threads 1",
    "go_on random pig --plays 1000000000000 --threads 2",
)


def test_an_interrupt_ends_every_kernel():
    ran = subprocess.run([sys.executable, "-c", PROGRAM, *COMMANDS], capture_output=True, text=True, timeout=300)
    assert ran.stderr == "\nInterrupted: there is no result.\n" * len(COMMANDS)
    assert ran.stdout.count("exit code 130") == len(COMMANDS)
