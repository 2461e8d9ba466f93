"""What everything stands on: the deadline of the work at hand, the memory of objects, the cache on disk, and
records."""
