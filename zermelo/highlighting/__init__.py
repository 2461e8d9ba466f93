"""Colours for the words of a file, by their looks alone: for pages, terminals, and editors without the language server.

Both highlighters take their words from the grammar (:mod:`zermelo.grammar.words`).
"""
