"""The extension for VS Code, and its package."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import sys
from base64 import b64decode
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
    command, _ = described()["contributes"]["commands"]
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
    assert subprocess.run(["node", "--check", FOLDER / "extension.js"], timeout=600).returncode == 0


PREVIEWED = """
const { writeFileSync } = require("node:fs");
const [extension, program, file, text] = process.argv.slice(2);
const registered = {}, panel = { webview: {}, onDidDispose() {} };
const document = { fileName: file, isUntitled: false };
let saved;
const vscode = {
  ViewColumn: { Beside: -2 },
  commands: { registerCommand(name, action) { registered[name] = action; } },
  window: { activeTextEditor: { document }, createWebviewPanel() { return panel; } },
  workspace: {
    getConfiguration() { return { get() { return program; } }; },
    onDidSaveTextDocument(action) { saved = action; },
  },
};
const client = { TransportKind: {}, LanguageClient: class { start() {} } };
require("node:module")._load = new Proxy(require("node:module")._load, {
  apply(load, self, [name, ...rest]) {
    return { vscode, "vscode-languageclient/node": client }[name] ?? load.call(self, name, ...rest);
  },
});
(async () => {
  require(extension).activate({ subscriptions: [] });
  await registered["zermelo.preview"]();
  const pages = [panel.webview.html];
  writeFileSync(file, text);
  await saved(document);
  console.log(JSON.stringify([...pages, panel.webview.html]));
})();
"""
"""A program for Node.js in which the editor is a stand-in: the preview of a file, and again after it has been saved."""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_preview_shows_board_and_tree_or_what_is_wrong(tmp_path):
    program, file, script = tmp_path / "zermelo", tmp_path / "tic.game", tmp_path / "previewed.js"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zermelo "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script.write_text(PREVIEWED, encoding="utf-8")
    shutil.copy(ROOT / "gamedefs" / "tic_tac_toe.game", file)
    command = ["node", script, FOLDER / "extension.js", program, file, "game <b>"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=600).stdout
    first, second = json.loads(said)
    sources = re.findall(r'<img alt="(\w+)" src="data:image/svg\+xml;base64,([^"]+)">', first)
    assert [name for name, _ in sources] == ["position", "tree"]
    assert all(b64decode(picture).startswith(b"<svg") for _, picture in sources)
    assert "error[missing-declaration]" in second and "game &lt;b>" in second and "<img" not in second
    assert second.count("<pre>") == 1, "what both pictures suffer from is said once"
