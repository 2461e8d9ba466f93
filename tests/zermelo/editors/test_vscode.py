"""The extension for VS Code, and its package."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from tools.vsix import FOLDER, package
from zermelo.cli import COMMANDS

ROOT = Path(__file__).parents[3]
SCHEMA = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"


def described():
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def test_the_package_has_a_manifest_and_every_file(tmp_path):
    target = tmp_path / "zermelo.vsix"
    package(FOLDER, target)
    with ZipFile(target) as archive:
        names = set(archive.namelist())
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        assert json.loads(archive.read("extension/package.json")) == described()
    here = {f"extension/{path.relative_to(FOLDER).as_posix()}" for path in FOLDER.rglob("*") if path.is_file()}
    assert names == here | {"extension.vsixmanifest", "[Content_Types].xml"}
    identity = manifest.find(f"{SCHEMA}Metadata/{SCHEMA}Identity").attrib
    assert (identity["Id"], identity["Version"]) == (described()["name"], described()["version"])
    assert {asset.attrib["Path"] for asset in manifest.iter(f"{SCHEMA}Asset")} <= names
    assert {f".{name.rpartition('.')[2]}" for name in names} - {".xml"} <= {kind.attrib["Extension"] for kind in types}


def test_the_manifest_says_what_a_gallery_shows(tmp_path):
    target, extension = tmp_path / "zermelo.vsix", described()
    package(FOLDER, target)
    with ZipFile(target) as archive:
        names = set(archive.namelist())
        about = ElementTree.fromstring(archive.read("extension.vsixmanifest")).find(f"{SCHEMA}Metadata")
    assert about.find(f"{SCHEMA}Icon").text == f"extension/{extension['icon']}"
    assert {about.find(f"{SCHEMA}{part}").text for part in ("Icon", "License")} <= names
    assert about.find(f"{SCHEMA}Categories").text.split(",") == extension["categories"]
    assert about.find(f"{SCHEMA}Tags").text.split(",") == [*extension["keywords"], "__ext_game"]
    values = {each.attrib["Id"].rpartition(".")[2]: each.attrib["Value"] for each in about.iter(f"{SCHEMA}Property")}
    assert (values["Engine"], values["ExtensionKind"]) == (extension["engines"]["vscode"], "workspace")


def test_the_description_keeps_to_the_rules_of_the_gallery():
    """What vsce 4 refuses, or warns of: names, versions, categories, and an icon other than a PNG of 128 pixels."""
    extension = described()
    for name in ("name", "publisher"):
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]*", extension[name])
    assert re.fullmatch(r"\d+\.\d+\.\d+", extension["version"])
    assert re.fullmatch(r"\^1\.\d+\.\d+", extension["engines"]["vscode"])
    assert set(extension["categories"]) <= {"Programming Languages", "Linters", "Formatters"}
    icon = (FOLDER / extension["icon"]).read_bytes()
    assert icon[:8] == b"\x89PNG\r\n\x1a\n" and icon[12:16] == b"IHDR"
    assert struct.unpack(">II", icon[16:24]) == (128, 128)
    assert extension["license"] == "MIT"
    assert (FOLDER / "LICENSE.txt").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_what_the_extension_contributes_is_there():
    contributes = described()["contributes"]
    (language,), (grammar,) = contributes["languages"], contributes["grammars"]
    assert language["extensions"] == [".game"] and language["id"] == grammar["language"]
    for path in (language["configuration"], grammar["path"], described()["main"]):
        assert (FOLDER / path).is_file()
    json.loads((FOLDER / language["configuration"]).read_text(encoding="utf-8"))
    assert json.loads((FOLDER / grammar["path"]).read_text(encoding="utf-8"))["scopeName"] == grammar["scopeName"]


def test_the_sheet_is_a_command_of_the_palette():
    (command,) = described()["contributes"]["commands"]
    text = (FOLDER / "extension.js").read_text(encoding="utf-8")
    assert f'registerCommand("{command["command"]}", showSheet)' in text
    server = (ROOT / "zermelo" / "language_server" / "server.py").read_text(encoding="utf-8")
    assert 'command: "zermelo.sheet"' in text and 'command("zermelo.sheet")' in server


def test_the_client_runs_what_lenses_ask_for():
    text = (FOLDER / "extension.js").read_text(encoding="utf-8")
    folder = ROOT / "zermelo" / "language_server"
    server, showing = ((folder / name).read_text(encoding="utf-8") for name in ("server.py", "showing.py"))
    assert 'registerCommand("zermelo.run", run)' in text and '"zermelo.run"' in showing
    assert "initializationOptions: { terminal: true }" in text and 'options.get("terminal")' in server
    (task,) = described()["contributes"]["taskDefinitions"]
    assert f'new Task({{ type: "{task["type"]}" }}' in text


def test_the_client_starts_a_command_that_there_is():
    text = (FOLDER / "extension.js").read_text(encoding="utf-8")
    assert 'args: ["lsp"]' in text and "lsp" in COMMANDS
    assert 'get("command")' in text and "zermelo.command" in described()["contributes"]["configuration"]["properties"]
    assert 'require("vscode-languageclient/node")' in text and "vscode-languageclient" in described()["dependencies"]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_client_is_a_program():
    assert subprocess.run(["node", "--check", FOLDER / "extension.js"], timeout=60).returncode == 0
