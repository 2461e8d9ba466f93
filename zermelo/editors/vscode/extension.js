// The client: starts `zermelo lsp`, and leaves everything else to it, but for pictures, which `zermelo draw` makes.
const { execFile } = require("node:child_process");
const {
  commands, ProcessExecution, Task, tasks, TaskScope, ViewColumn, window, workspace,
} = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const STYLE = `
  img { max-width: 100% }
  pre { white-space: pre-wrap }
  .vscode-dark img { color-scheme: dark }
  .vscode-light img { color-scheme: light }
`;

let client;

function activate(context) {
  context.subscriptions.push(commands.registerCommand("zermelo.showSheet", showSheet));
  context.subscriptions.push(commands.registerCommand("zermelo.run", run));
  context.subscriptions.push(commands.registerCommand("zermelo.preview", preview));
  const server = { command: program(), args: ["lsp"], transport: TransportKind.stdio };
  const options = { documentSelector: [{ language: "zermelo" }], initializationOptions: { terminal: true } };
  client = new LanguageClient("zermelo", "Zermelo", server, options);
  return client.start();
}

function program() {
  return workspace.getConfiguration("zermelo").get("command");
}

// Run zermelo with these arguments in a terminal: for the lenses above a game.
function run(...words) {
  const execution = new ProcessExecution(program(), words);
  return tasks.executeTask(new Task({ type: "zermelo" }, TaskScope.Workspace, words[0], "Zermelo", execution));
}

async function showSheet() {
  const content = await client.sendRequest("workspace/executeCommand", { command: "zermelo.sheet" });
  const { uri } = await workspace.openTextDocument({ content, language: "markdown" });
  await commands.executeCommand("markdown.showPreviewToSide", uri);
}

// The board and the tree beside a file, as it is when it is saved.
async function preview() {
  const { document } = window.activeTextEditor;
  if (document.isUntitled && !(await document.save())) return;
  const panel = window.createWebviewPanel("zermelo.preview", "Preview", ViewColumn.Beside, {});
  const pictures = [["position"], ["tree", "--nodes", "40", "--time", "10"]];
  let latest;
  const show = async () => {
    const asked = (latest = {});
    const parts = await Promise.all(pictures.map((words) => drawn(document.fileName, words)));
    if (asked === latest) panel.webview.html = page([...new Set(parts)]); // else saved again, or closed, in the meantime
  };
  const saved = workspace.onDidSaveTextDocument((other) => other === document && show());
  panel.onDidDispose(() => {
    latest = undefined;
    saved.dispose();
  });
  await show();
}

// A picture, or what `zermelo draw` says instead.
function drawn(file, words) {
  const options = { maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(program(), ["draw", file, ...words], options, (error, picture, said) => {
      const source = `data:image/svg+xml;base64,${Buffer.from(picture).toString("base64")}`;
      resolve(error ? `<pre>${escaped(said || error.message)}</pre>` : `<img alt="${words[0]}" src="${source}">`);
    });
  });
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function page(parts) {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${STYLE}</style>`;
  return `<!DOCTYPE html>${head}${parts.join("")}`;
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
