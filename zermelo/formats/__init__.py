"""Games in the formats of other programs: read as games of the language, and written for these programs.

A file of Gambit, the tree of a game (``.efg``) or its table (``.nfg``), becomes the *text* of a game: what is known of
games in the language then holds for it. Labels become names with display names, and whatever a text cannot say is a
finding. What is written takes the strictest form of a format, which all programs read that know it.
"""
