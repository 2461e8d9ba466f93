"""Games solved position by position: every position once, whatever the number of plays that lead to it.

From the rules to the values::

    graph/          the graph of positions: which there are, and which moves lead from one to another
                    (exploring); its strongly connected components, in reverse topological order
    solving         the values, one component after another:
                      no circle                        backward_induction
                      two players, no chance           retrograde/
                      chance and one player, or none   circles/policy_iteration
                      chance and two players           circles/strategy_iteration
                      too much chance for fractions    circles/interval_iteration, a certified interval, and
                                                       circles/narrowing for more digits
                      moves at once in a circle        rounds/shapley, a certified interval
                      three and more players           rounds/subgame_perfection
    symmetric_answering
                    of a game whose positions do not fit into memory those up to symmetry alone
    undecided/      of a contest without chance whose positions do not fit into memory those in which nobody can win at
                    once: for which games (premises), and their values (undecided); undecided_answering tells them
    checking        whether the values satisfy their own equations
    policies        what to do in every position, and how long plays take then
    responding      best responses to policies, in the game of one player that is left (one_against_policies)
    answering       all of this as one solver, the *host*
"""
