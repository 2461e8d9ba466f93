"""What makes the files that others read: the extension for VS Code, its grammar, and the words of the page."""
