// The client: starts `zermelo lsp`, and leaves everything else to it.
const { commands, ProcessExecution, Task, tasks, TaskScope, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate(context) {
  context.subscriptions.push(commands.registerCommand("zermelo.showSheet", showSheet));
  context.subscriptions.push(commands.registerCommand("zermelo.run", run));
  const command = workspace.getConfiguration("zermelo").get("command");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  const options = { documentSelector: [{ language: "zermelo" }], initializationOptions: { terminal: true } };
  client = new LanguageClient("zermelo", "Zermelo", server, options);
  return client.start();
}

// Run zermelo with these arguments in a terminal: for the lenses above a game.
function run(...words) {
  const execution = new ProcessExecution(workspace.getConfiguration("zermelo").get("command"), words);
  return tasks.executeTask(new Task({ type: "zermelo" }, TaskScope.Workspace, words[0], "Zermelo", execution));
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
