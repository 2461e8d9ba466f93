"""The page to write games on: its files are in ``page``, and ``bundle`` makes the editor in it."""
