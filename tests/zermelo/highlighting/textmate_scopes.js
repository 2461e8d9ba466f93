// The innermost scope of every character, in the files named after the grammar, by the engine of VS Code.
const fs = require("fs");
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const [grammarFile, ...files] = process.argv.slice(2);
const grammarText = fs.readFileSync(grammarFile, "utf8");

async function main() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(grammarText, grammarFile),
  });
  const grammar = await registry.loadGrammar(JSON.parse(grammarText).scopeName);
  const found = {};
  for (const file of files) {
    let state = textmate.INITIAL;
    found[file] = fs.readFileSync(file, "utf8").split("\n").map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]);
    });
  }
  console.log(JSON.stringify(found));
}

main();
