"""Programs that make files which others read: the extension for VS Code, its grammar, the words of the page."""
