"""Playing as if the cards were about to be opened: averages over deals, and what is wrong with them."""
