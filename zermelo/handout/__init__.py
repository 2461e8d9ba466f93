"""The page of a game to hand out."""
