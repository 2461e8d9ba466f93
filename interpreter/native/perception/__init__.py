"""What players perceive, written down by lowered rules."""
