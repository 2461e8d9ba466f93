"""Benchmarks: this project and a peer side by side, as ratios, in one run on one core. See ``docs/benchmarks.md``."""
