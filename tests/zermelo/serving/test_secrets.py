"""No file of the machine can be read through the server: not by an address, not by a text, not by a name in a
question."""

from __future__ import annotations

import pytest
from asking import ask

from zermelo.gamedefs import names, path

SECRET = "the secret of the file"
NIM = path("nim").read_text(encoding="utf-8")


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
