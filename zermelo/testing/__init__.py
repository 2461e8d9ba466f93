"""Testing files of games: claims, witnesses, expectations, tests, and mutations that they should notice."""
