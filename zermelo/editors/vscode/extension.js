// The client: starts `zermelo lsp`, and leaves everything else to it.
const { commands, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate(context) {
  context.subscriptions.push(commands.registerCommand("zermelo.showSheet", showSheet));
  const command = workspace.getConfiguration("zermelo").get("command");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("zermelo", "Zermelo", server, { documentSelector: [{ language: "zermelo" }] });
  return client.start();
}

async function showSheet() {
  const content = await client.sendRequest("workspace/executeCommand", { command: "zermelo.sheet" });
  const { uri } = await workspace.openTextDocument({ content, language: "markdown" });
  await commands.executeCommand("markdown.showPreviewToSide", uri);
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
