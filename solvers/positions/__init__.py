"""Games solved position by position: every position once, whatever the number of plays that lead to it.

From the rules to the values::

    exploring       the graph of positions: which there are, and which moves lead from one to another
    components      its strongly connected components, in reverse topological order
    solving         the values, one component after another:
                      no circle                        backward induction (stages)
                      two players, no chance           retrograde analysis
                      chance and one player, or none   policy iteration
                      chance and two players           strategy iteration
                      too much chance for fractions    interval iteration, a certified interval
                      moves at once in a circle        Shapley's iteration, a certified interval
    lasting         who can see to it that a play never ends
    policies        what to do in every position, and how long plays take then
"""
