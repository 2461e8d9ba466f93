"""Games solved position by position: every position once, whatever the number of plays that lead to it.

From the rules to the values::

    graph/              the graph of positions: which there are, and which moves lead from one to another (exploring);
                        its strongly connected components, in reverse topological order
    solving             the values, one component after another:
                          no circle                        backward induction, there
                          two players, no chance           retrograde
                          chance in circles                stochastic_cycles/policy_iteration, exact_numbers, lifting
                          too much chance for fractions    stochastic_cycles/interval_iteration: certified intervals
                          moves at once in a circle        stochastic_games/enclosures: certified intervals
                          three and more players           stochastic_games/matrix_rounds: subgame perfection
    undecided           of a contest without chance whose positions do not fit into memory: those in which nobody can
                        win at once
    solved_positions    what positions are worth, and best play, whatever has found it
    policies            what to do in every position, and whether the values satisfy their own equations
    durations           how long plays take then
    best_responses      to policies, in the game of one player that is left
    quickest_wins       by which move who wins hurries
    answering           all of this as one solver, the *host*; for positions up to symmetry, if not all fit into memory
"""
