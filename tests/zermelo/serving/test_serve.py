"""The command: how the server begins and ends, and fifty people who type at it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from asking import ask
from endless import ENDLESS
from page_server import SERVE, served

from benchmarks.typing import first, load
from zermelo.gamedefs import path

NIM = path("nim").read_text(encoding="utf-8")


def run(*options, **more):
    return subprocess.run([sys.executable, "-m", "zermelo", "serve", *options], capture_output=True, text=True, **more)


@pytest.mark.parametrize("sign, code", [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_it_ends_quietly(sign, code):
    """In the middle of a search and with a page that has not said goodbye; no process is left."""
    server = subprocess.Popen(SERVE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0)
    said = server.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", said).group()
    assert said == f"{address} has the page to write games on; Ctrl-C ends the server.\n"
    with socket.create_connection(("127.0.0.1", urlsplit(address).port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        assert ask(address, "/api/findings", {"source": NIM}).json["diagnostics"] == []
        os.killpg(server.pid, sign) if sign == signal.SIGINT else server.send_signal(sign)  # as a terminal does
        rest, errors = server.communicate(timeout=100)
    assert (rest, errors, server.returncode) == ("", "", code)
    for _ in range(1000):
        try:
            os.killpg(server.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("a process is left")


def test_work_ends_when_the_page_is_closed():
    """Every process for searches works without an end; then all pages are closed, and somebody else is answered."""
    with served("--time", "600", "--memory", "200M") as address:
        begun = []
        for _ in range(ask(address, "/api/limits").json["solves"]):
            line = HTTPConnection(urlsplit(address).netloc, timeout=100)
            headers = {"Content-Type": "application/json"}
            line.request("POST", "/api/solve", json.dumps({"source": ENDLESS}), headers)
            answer = line.getresponse()
            while b" nodes, " not in answer.readline():
                pass
            begun.append((line, answer))
        for line, answer in begun:
            answer.close()
            line.close()
        hint = ask(address, "/api/hint", {"source": path("tic_tac_toe").read_text(encoding="utf-8"), "play": []})
        assert hint.json["value"] == "0"


def test_a_port_that_is_taken_is_said_to_be():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = run("--port", str(port), "--no-browser")
    assert said.returncode == 2 and f"port {port} cannot be used" in said.stderr and "--port 0" in said.stderr


@pytest.mark.parametrize(
    "options", [["--port", "65536"], ["--port", "-1"], ["--time", "0"], ["--time", "x"], ["--memory", "0"]]
)
def test_wrong_options_are_refused(options):
    said = run(*options)
    assert said.returncode == 2 and f"argument {options[0]}: " in said.stderr


@pytest.mark.parametrize("library", ["starlette", "uvicorn", "pygls"])
def test_a_missing_library_is_named(library, tmp_path):
    (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError('no {library}')", encoding="utf-8")
    said = run("--port", "0", "--no-browser", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert said.returncode == 1
    assert f"the library {library} is needed" in said.stderr and "pip install 'zermelo[serve]'" in said.stderr


def test_many_people_type_at_once(address):
    """Everybody hears about their last text; how fast, the benchmark measures."""
    port = urlsplit(address).port
    assert asyncio.run(first(port)).startswith(b"HTTP/1.1 200")
    times = asyncio.run(load(port, 20, 4.0))
    assert len(times.waits) >= 20
