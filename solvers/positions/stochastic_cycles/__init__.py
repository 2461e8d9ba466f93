"""Chance in circles: policies and their numbers, as fractions or within bounds."""
