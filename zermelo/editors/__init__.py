"""What editors are given beside the language server: the extension for VS Code, in the folder ``vscode``."""
