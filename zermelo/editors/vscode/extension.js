// The client: starts `zermelo lsp`, and leaves everything else to it.
const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("zermelo").get("command");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("zermelo", "Zermelo", server, { documentSelector: [{ language: "zermelo" }] });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
