"""Connections whose other side does not go on: they are ended, and hold no place for ever."""

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
import tomllib
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvicorn
from asking import ask
from endless import ENDLESS
from page_server import SERVE, served
from uvicorn.server import ServerState

from benchmarks.typing import fetch_page, load
from tools.page_words import COLOURS, FILE, colours, text
from zermelo.gamedefs import names, path
from zermelo.grammar.reading import LARGEST
from zermelo.grammar.words import SHEET
from zermelo.serving import app
from zermelo.serving.app import MOST_BYTES

MUCH = 1 << 24
"""More bytes than a system keeps of what nobody reads."""

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


@asynccontextmanager
async def connected(answer, most, parts=1):
    """A connection to a server whose ``answer`` gets the connection on its side; and that side."""
    config, state = uvicorn.Config(None, log_config=None), ServerState()

    async def application(scope, receive, send):
        (line,) = state.connections
        content = answer(line)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for k in range(parts):
            await send({"type": "http.response.body", "body": content, "more_body": k < parts - 1})

    config.load()
    config.loaded_app = application

    def made():
        return app.Connection(config, state, {})

    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "_IDLE", most)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), limit=1000)
        yield reader, writer, state
    writer.close()
    server.close()


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: he"])
def test_a_head_that_does_not_come_ends_the_connection(sent):
    async def scene():
        async with connected(lambda line: b"", 0.05) as (reader, writer, _):
            writer.write(sent)
            with pytest.raises(ConnectionResetError):
                assert await reader.read() == b""
                raise ConnectionResetError  # closed in one way or the other

    asyncio.run(scene())


def test_half_a_head_after_an_answer_ends_the_connection():
    async def scene():
        async with connected(lambda line: b"", 600) as (reader, writer, state):
            writer.write(REQUEST)
            await reader.readuntil(b"\r\n\r\n")
            (line,) = state.connections
            before = line._over
            writer.write(b"GET")
            while not line.conn.trailing_data[0]:
                await asyncio.sleep(0)
            assert line._over is before and not before.cancelled()

    asyncio.run(scene())


@pytest.mark.parametrize("parts", [1, 2])
def test_an_answer_that_nobody_reads_ends_the_connection(parts):
    """It has been written, and is to be sent; or the rest of it waits until the first part has been sent."""
    begun = []

    def answer(line):
        begun.append(line)
        app._IDLE = 0
        return bytes(MUCH)

    async def scene():
        async with connected(answer, 600, parts) as (_, writer, state):
            writer.write(REQUEST)
            while not begun or state.connections:
                await asyncio.sleep(0.01)

    asyncio.run(scene())


def test_work_on_an_answer_has_no_such_limit():
    seen = []

    async def scene():
        async with connected(lambda line: b"%r" % seen.append(line._over), 600) as (reader, writer, _):
            writer.write(REQUEST)
            await reader.readuntil(b"\r\n\r\n")

    asyncio.run(scene())
    assert seen == [None]


# Who may ask the server, and what its answers tell a browser.


QUESTION = {"source": 'game "Nothing"'}


@pytest.fixture(params=["/", "/page/main.js", "/api/gallery", "/api/findings", "/api/solve"])
def guard_path(request):
    return request.param


def asked(address, guard_path, **headers):
    return ask(address, guard_path, QUESTION if guard_path in ("/api/findings", "/api/solve") else None, **headers)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.example:{port}", ""])
def test_another_host_is_refused(address, guard_path, host):
    """As after a name of somebody else has been made to point to this machine."""
    answer = asked(address, guard_path, Host=host.format(port=urlsplit(address).port))
    assert answer.status == 403
    assert answer.json["code"] == "bad-usage"


def test_its_own_names_are_answered(address, guard_path):
    port = urlsplit(address).port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"):
        assert asked(address, guard_path, Host=host, Origin=f"http://{host}").status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "null", ""]
)
def test_a_page_of_another_origin_is_refused(address, guard_path, origin):
    answer = asked(address, guard_path, Origin=origin.format(port=urlsplit(address).port))
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_send_is_refused(address, kind):
    assert ask(address, "/api/findings", QUESTION, Content_Type=kind).status == 400


def test_nobody_is_given_leave(address):
    answer = ask(address, "/api/findings", method="OPTIONS", Access_Control_Request_Method="POST")
    assert answer.status == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_policy_is_strict(address, guard_path):
    for answer in (
        asked(address, guard_path),
        asked(address, guard_path, Host="evil.example"),
        ask(address, "/nothing"),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http:" not in policy and "*" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_a_request_has_a_size(address):
    answer = ask(address, "/api/findings", method="POST", Content_Type="application/json", Content_Length="9999999")
    assert answer.status == 413
    assert answer.json["code"] == "file-too-large"
    answer = ask(address, "/api/findings", {"source": "x" * (LARGEST + 1)})
    assert answer.status == 400
    assert ask(address, "/api/findings", {"source": "#" * LARGEST}).status == 200


def test_a_request_without_a_length_has_a_size_too(address):
    """Sent in chunks, of which nobody has said how many there are."""
    port = urlsplit(address).port
    head = f"POST /api/findings HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(MOST_BYTES // 0x10000 + 1):
            line.sendall(chunk)
        line.sendall(b"0\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 413 ")


def test_it_listens_on_the_loopback_address_alone(address):
    """Linux: what the system says about the socket."""
    port = urlsplit(address).port
    try:
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
    except OSError:
        pytest.skip("this system does not tell")
    assert [place.split(":")[0] for place in listening if place.endswith(f":{port:04X}")] == ["0100007F"]


# The command: how the server begins and ends, and fifty people who type at it.


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


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_a_missing_library_is_named(library, tmp_path):
    (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError('no {library}')", encoding="utf-8")
    said = run("--port", "0", "--no-browser", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert said.returncode == 1
    assert f"the library {library} is needed" in said.stderr and "pip install 'zermelo[serve]'" in said.stderr


def test_many_people_type_at_once(address):
    """Everybody hears about their last text; how fast, the benchmark measures."""
    port = urlsplit(address).port
    assert asyncio.run(fetch_page(port)).startswith(b"HTTP/1.1 200")
    times = asyncio.run(load(port, 20, 4.0))
    assert len(times.waits) >= 20


# The files of the page: what they import and name is there, nothing comes from elsewhere, and the bundle is made of
# what is locked.


ROOT = Path(__file__).parents[3]
PAGE = ROOT / "zermelo" / "serving" / "page"
BUNDLE = PAGE / "codemirror.js"
MODULES = sorted(set(PAGE.glob("*.js")) - {BUNDLE})


class Read(HTMLParser):
    """The attributes of a page, and what stands in its scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.inline = ""
        self._is_inline = False

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, name, value) for name, value in attrs]
        self._is_inline = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._is_inline = False

    def handle_data(self, data):
        self.inline += data if self._is_inline else ""


@pytest.fixture(scope="module")
def html():
    read = Read()
    read.feed((PAGE / "index.html").read_text(encoding="utf-8"))
    return read


def test_the_words_are_those_of_the_grammar():
    assert FILE.read_text(encoding="utf-8") == text(), "run `python -m tools.page_words`"


def test_the_colours_of_dark_pictures_are_those_of_the_pictures():
    assert COLOURS.read_text(encoding="utf-8") == colours(), "run `python -m tools.page_words`"


def test_the_bundle_is_made_of_what_is_locked():
    locked = json.loads((PAGE.parent / "bundle" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    said = dict(re.findall(r"(\S+) ([\d.]+)[,;]", BUNDLE.read_text(encoding="utf-8").partition("\n")[0]))
    assert said == {name: locked[f"node_modules/{name}"]["version"] for name in said}
    wanted = json.loads((PAGE.parent / "bundle" / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert {name for name in wanted if name.startswith("@codemirror/")} <= set(said)
    licences = (PAGE / "codemirror.LICENSE.txt").read_text(encoding="utf-8")
    assert [part.partition("\n")[0] for part in licences.split("-" * 80 + "\n\n")] == list(said)
    assert licences.count("Permission is hereby granted, free of charge") == len(said)


def test_the_page_has_no_script_or_style_of_its_own(html):
    assert html.inline == ""
    assert not [name for _, name, _ in html.attributes if name == "style" or name.startswith("on")]


def test_the_page_is_made_of_files_beside_it(html):
    addresses = [value for _, name, value in html.attributes if name in ("src", "href")]
    for address in addresses:
        assert address.startswith("#") or (PAGE / address.removeprefix("page/")).is_file()
    for file in [*MODULES, *PAGE.glob("*.css"), PAGE / "index.html"]:
        assert not re.search(r"https?://|@import|url\(", file.read_text(encoding="utf-8")), file.name


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_a_module_imports_and_names_what_is_there(html, module):
    script = module.read_text(encoding="utf-8")
    assert script.count("\n") <= 400
    assert script.startswith("// ")
    for imported, file in re.findall(r"import \{([^}]*)\} from \"\./(.*?)\"", script):
        exported = (PAGE / file).read_text(encoding="utf-8")
        for name in re.findall(r"\w+", imported):
            assert re.search(rf"\bexport\b[^;]*\b{name}\b", exported), f"{file} has no {name}"
            assert len(re.findall(rf"\b{name}\b", script)) > 1, f"{name} is imported for nothing"
    named = {value for _, name, value in html.attributes if name == "id"}
    assert set(re.findall(r"part\(\"([\w-]+)\"\)", script)) - {"seat-chance"} <= named


def test_every_id_is_there_once_and_leads_somewhere(html):
    ids = [value for _, name, value in html.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    wanted = {"for", "aria-labelledby", "aria-describedby", "aria-controls"}
    assert {value for _, name, value in html.attributes if name in wanted} <= set(ids)


def test_every_file_is_in_the_package():
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "page/*" in described["tool"]["setuptools"]["package-data"]["zermelo.serving"]
    assert all(path.is_file() for path in PAGE.iterdir())


# No file of the machine can be read through the server: not by an address, not by a text, not by a name in a
# question.


SECRET = "the secret of the file"


@pytest.fixture
def secret(tmp_path):
    """A file that every command reads: a game, and with strategies in it as JSON can be."""
    file = tmp_path / "secret.game"
    file.write_text(NIM.replace('game "', f'game "{SECRET} '), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "address_of",
    [
        "/page/../app.py", "/page/..%2fapp.py", "/page/%2e%2e/app.py", "/page/%2e%2e%2f%2e%2e%2fcli.py", "/etc/passwd",
        "/page//etc/passwd", "/page/%2fetc%2fpasswd", "/page/", "/page/.", "/page/..", "/page/index.html%00.js",
        "/page/bundle", "/api/gallery/..%2f..%2fREADME", "/api/gallery/nim.game", "/api/gallery/-",
        "/api/gallery/%2fetc%2fpasswd", "/../../../../etc/passwd",
    ],
)  # fmt: skip
def test_no_address_leads_out(address, address_of):
    answer = ask(address, address_of)
    assert answer.status == 404
    assert "root:" not in answer.text and "import" not in answer.text


def test_the_gallery_has_the_bundled_games_alone(address, secret):
    listed = ask(address, "/api/gallery").json
    assert tuple(game["name"] for game in listed) == names()
    assert all(game["title"] and game["about"] for game in listed)
    assert ask(address, "/api/gallery/nim").json == {"name": "nim", "source": NIM}
    assert ask(address, f"/api/gallery/{str(secret).replace('/', '%2f')}").status == 404


def test_the_sheet_is_the_one_that_is_printed(address):
    assert ask(address, "/api/sheet").json == {"sheet": SHEET.read_text(encoding="utf-8")}


@pytest.mark.parametrize("kind", ["findings", "format", "rules", "position", "solve", "tree"])
def test_a_text_is_never_a_path(address, secret, kind):
    for source in (str(secret), f'import "{secret}"', f'game "{secret}"', "nim", "-", "/dev/stdin"):
        assert SECRET not in ask(address, f"/api/{kind}", {"source": source, "play": []}).text


@pytest.mark.parametrize(
    "kind, fields",
    [
        ("reply", ["seat"]), ("position", ["view"]), ("tree", ["solver"]), ("solve", ["solver"]),
        ("position", ["play"]), ("rules", ["parameters"]),
    ],
)  # fmt: skip
def test_no_field_is_a_path(address, secret, kind, fields):
    names = str(secret), f"@{secret}", f"file://{secret}", f"{secret.parent}/../{secret.parent.name}/secret.game"
    for name in names:
        value = {"play": [name], "parameters": {"heaps": name}}.get(fields[0], name)
        answer = ask(address, f"/api/{kind}", {"source": NIM, "play": [], fields[0]: value})
        assert SECRET not in answer.text
        assert answer.status in (400, 422) or answer.events[-1][0] == "refused"


def test_a_seat_is_no_person_and_no_file(address, tmp_path):
    (tmp_path / "nim.json").write_text("{}", encoding="utf-8")
    for seat in ("human", str(tmp_path / "nim.json"), "", "uniform"):
        answer = ask(address, "/api/reply", {"source": NIM, "play": [], "seat": seat})
        assert answer.status == 400
        assert "can play" in answer.json["message"]
