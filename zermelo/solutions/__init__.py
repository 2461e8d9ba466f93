"""Solutions in words, as JSON and as pages: what players get, what they do, and how that is known."""
