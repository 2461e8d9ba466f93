"""Building the tree of all plays, the extensive form."""
