"""An independent referee: a small game worked out the long way, from the words of the manual, to hold others against.

It asks the reference machine for nothing but the steps of single plays, from full states, and makes all the rest
itself: the tree of *histories* (no positions, no tables, nothing merged), who perceives what (from the manual's "Who
sees what"), values by plain recursion, best responses. It is slow and has no limits but the number of histories.
"""
