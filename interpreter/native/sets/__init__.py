"""Sets as masks, questions about them, and loops over them, lowered."""
