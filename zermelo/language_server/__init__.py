"""What editors ask, by the language server protocol: findings while typing, meanings of names, renaming, completion.

:mod:`zermelo.language_server.server` speaks the protocol. It keeps no knowledge of the language: the names come from
:mod:`zermelo.interpreter.symbols`, the findings from the checker, the words that may come next from the grammar.
"""
