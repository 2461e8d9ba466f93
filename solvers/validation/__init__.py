"""What the plays of a game show about its rules."""
