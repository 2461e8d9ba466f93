"""An independent referee: brute force on small games, by the words of the manual, to compare others with.

It uses the reference machine only for the steps of single plays, from full states. The rest is its own: the tree of
*histories* (no positions, no tables, nothing merged), perception (from the manual's "Who sees what"), values by plain
recursion, best responses. It is slow and limited only in the number of histories.
"""
