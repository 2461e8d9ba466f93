"""The algorithms of the solvers, as entries of the registry. Each is imported when it is run: a process runs few of
them, and starts faster."""

from __future__ import annotations

from typing import Any

from zermelo.solvers.solution import Answer, Problem


def enhanced_alphabeta(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.enhanced_alphabeta import enhanced_alphabeta

    return enhanced_alphabeta(problem)


def alphabeta_table(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.alphabeta_table import alphabeta_table

    return alphabeta_table(problem)


def alphabeta(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.alphabeta import alphabeta

    return alphabeta(problem)


def minimax(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.minimax import minimax

    return minimax(problem)


def positions(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.positions.answering import positions

    return positions(problem)


def sequence_form(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.sequence_form_lp import sequence_form

    return sequence_form(problem)


def team(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.team import team

    return team(problem)


def subgame_perfect(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.subgame_perfect import subgame_perfect

    return subgame_perfect(problem)


def normal_form(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.normal_form.nash import normal_form_equilibria

    return normal_form_equilibria(problem)


def principal_variation(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.principal_variation import principal_variation

    return principal_variation(problem)


def iterative_deepening(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.iterative_deepening import iterative_deepening

    return iterative_deepening(problem)


def aspiration(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.aspiration import aspiration

    return aspiration(problem)


def mtdf(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.mtdf import mtdf

    return mtdf(problem)


def dfpn(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.dfpn import dfpn

    return dfpn(problem)


def late_moves(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.late_moves import late_moves

    return late_moves(problem)


def null_move(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.null_move import null_move

    return null_move(problem)


def singular_extensions(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.singular_extensions import singular_extensions

    return singular_extensions(problem)


def expectiminimax(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.expectiminimax import expectiminimax

    return expectiminimax(problem)


def star1(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.star import star1

    return star1(problem)


def star2(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.star import star2

    return star2(problem)


def maxn(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.maxn import maxn

    return maxn(problem)


def paranoid(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.one_against_all import paranoid

    return paranoid(problem)


def best_reply(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.one_against_all import best_reply

    return best_reply(problem)


def predictive_cfr_plus(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import predictive_cfr_plus

    return predictive_cfr_plus(problem)


def cfr_plus(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import cfr_plus

    return cfr_plus(problem)


def discounted_cfr(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import discounted_cfr

    return discounted_cfr(problem)


def linear_cfr(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import linear_cfr

    return linear_cfr(problem)


def cfr(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import cfr

    return cfr(problem)


def external_sampling(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import external_sampling

    return external_sampling(problem)


def outcome_sampling(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.imperfect_information.regret_minimization import outcome_sampling

    return outcome_sampling(problem)


def mcts(problem: Problem[Any]) -> Answer:
    from zermelo.solvers.search.monte_carlo_tree_search import monte_carlo_tree_search

    return monte_carlo_tree_search(problem)
