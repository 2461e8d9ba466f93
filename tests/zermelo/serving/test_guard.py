"""Who may ask the server, and what its answers tell a browser."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest
from asking import ask

from zermelo.grammar.reading import LARGEST
from zermelo.serving.app import MOST_BYTES

QUESTION = {"source": 'game "Nothing"'}


@pytest.fixture(params=["/", "/page/main.js", "/api/gallery", "/api/findings", "/api/solve"])
def path(request):
    return request.param


def asked(address, path, **headers):
    return ask(address, path, QUESTION if path in ("/api/findings", "/api/solve") else None, **headers)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.example:{port}", ""])
def test_another_host_is_refused(address, path, host):
    """As after a name of somebody else has been made to point to this machine."""
    answer = asked(address, path, Host=host.format(port=urlsplit(address).port))
    assert answer.status == 403
    assert answer.json["code"] == "bad-usage"


def test_its_own_names_are_answered(address, path):
    port = urlsplit(address).port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"):
        assert asked(address, path, Host=host, Origin=f"http://{host}").status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "null", ""]
)
def test_a_page_of_another_origin_is_refused(address, path, origin):
    answer = asked(address, path, Origin=origin.format(port=urlsplit(address).port))
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_send_is_refused(address, kind):
    assert ask(address, "/api/findings", QUESTION, Content_Type=kind).status == 400


def test_nobody_is_given_leave(address):
    answer = ask(address, "/api/findings", method="OPTIONS", Access_Control_Request_Method="POST")
    assert answer.status == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_policy_is_strict(address, path):
    for answer in (asked(address, path), asked(address, path, Host="evil.example"), ask(address, "/nothing")):
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
