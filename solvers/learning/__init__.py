"""Programs that learn what positions are worth from plays of their own."""
