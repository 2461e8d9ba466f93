"""One decision: what each of its moves brings, and what a player should believe there."""
