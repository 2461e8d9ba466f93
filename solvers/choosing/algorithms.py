"""The algorithms of the solvers, as entries of the registry. Each is imported when it is needed: a process runs few of
them, and starts faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.solvers.solution import Answer, Problem

Algorithm = Callable[[Problem[Any]], Answer]


def enhanced_alphabeta() -> Algorithm:
    from zermelo.solvers.search.enhanced_alphabeta import enhanced_alphabeta

    return enhanced_alphabeta


def alphabeta_table() -> Algorithm:
    from zermelo.solvers.search.alphabeta_table import alphabeta_table

    return alphabeta_table


def alphabeta() -> Algorithm:
    from zermelo.solvers.search.alphabeta import alphabeta

    return alphabeta


def minimax() -> Algorithm:
    from zermelo.solvers.search.minimax import minimax

    return minimax


def positions() -> Algorithm:
    from zermelo.solvers.positions.answering import positions

    return positions


def sequence_form() -> Algorithm:
    from zermelo.solvers.imperfect_information.sequence_form_lp import sequence_form

    return sequence_form


def horizon() -> Algorithm:
    from zermelo.solvers.horizon.bounding import horizon

    return horizon


def team() -> Algorithm:
    from zermelo.solvers.imperfect_information.team import team

    return team


def beliefs() -> Algorithm:
    from zermelo.solvers.beliefs.belief_search import belief_search

    return belief_search


def lemke() -> Algorithm:
    from zermelo.solvers.imperfect_information.lemke import lemke

    return lemke


def subgame_perfect() -> Algorithm:
    from zermelo.solvers.imperfect_information.subgame_perfect import subgame_perfect

    return subgame_perfect


def normal_form() -> Algorithm:
    from zermelo.solvers.normal_form.nash import normal_form_equilibria

    return normal_form_equilibria


def principal_variation() -> Algorithm:
    from zermelo.solvers.search.principal_variation import principal_variation

    return principal_variation


def iterative_deepening() -> Algorithm:
    from zermelo.solvers.search.iterative_deepening import iterative_deepening

    return iterative_deepening


def aspiration() -> Algorithm:
    from zermelo.solvers.search.aspiration import aspiration

    return aspiration


def mtdf() -> Algorithm:
    from zermelo.solvers.search.mtdf import mtdf

    return mtdf


def dfpn() -> Algorithm:
    from zermelo.solvers.search.dfpn import dfpn

    return dfpn


def late_moves() -> Algorithm:
    from zermelo.solvers.search.late_moves import late_moves

    return late_moves


def null_move() -> Algorithm:
    from zermelo.solvers.search.null_move import null_move

    return null_move


def singular_extensions() -> Algorithm:
    from zermelo.solvers.search.singular_extensions import singular_extensions

    return singular_extensions


def expectiminimax() -> Algorithm:
    from zermelo.solvers.search.expectiminimax import expectiminimax

    return expectiminimax


def star1() -> Algorithm:
    from zermelo.solvers.search.star import star1

    return star1


def star2() -> Algorithm:
    from zermelo.solvers.search.star import star2

    return star2


def maxn() -> Algorithm:
    from zermelo.solvers.search.maxn import maxn

    return maxn


def paranoid() -> Algorithm:
    from zermelo.solvers.search.one_against_all import paranoid

    return paranoid


def best_reply() -> Algorithm:
    from zermelo.solvers.search.one_against_all import best_reply

    return best_reply


def predictive_cfr_plus() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import predictive_cfr_plus

    return predictive_cfr_plus


def cfr_plus() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import cfr_plus

    return cfr_plus


def discounted_cfr() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import discounted_cfr

    return discounted_cfr


def linear_cfr() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import linear_cfr

    return linear_cfr


def cfr() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import cfr

    return cfr


def external_sampling() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import external_sampling

    return external_sampling


def outcome_sampling() -> Algorithm:
    from zermelo.solvers.imperfect_information.regret_minimization import outcome_sampling

    return outcome_sampling


def mcts() -> Algorithm:
    from zermelo.solvers.search.monte_carlo_tree_search import monte_carlo_tree_search

    return monte_carlo_tree_search
