"""Policies and strategies: as tables to read, as files, and judged against each other exactly."""
