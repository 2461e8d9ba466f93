"""What a player should believe about the position: probabilities over all plays that fit what they have perceived."""
