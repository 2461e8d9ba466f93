"""Analyses of tables within limits: what is quick comes first, and time that ends takes nothing back."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

import pytest

import zermelo
from zermelo.equilibria_page import analyse
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.normal_form.normal_form import normal_form
from zermelo.solvers.tree_building.building import build_tree


def _coordination(strategies):
    """Two players who get 1 if they do the same: 2 ** n - 1 equilibria."""
    names = [f"s{k}" for k in range(strategies)]
    rows = "\n".join(
        f"    {row} | " + " | ".join("1, 1" if row == column else "0, 0" for column in names) for row in names
    )
    return f'game "Same"\nplayers Ann, Bob\ntable:\n    Ann \\ Bob | {" | ".join(names)}\n{rows}\n'


def _tree_and_table(game):
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), ignore_progress)
    return tree, normal_form(tree, Limits())


def test_stages_that_time_ends_are_named_and_the_others_stand(monkeypatch):
    tree, table = _tree_and_table(zermelo.loads(_coordination(3)))
    whole = analyse(tree, table, Limits())
    assert whole.unfinished == [] and len(whole.equilibria) == 7 and whole.found.are_all
    stages = ["eliminate", "maximin", "equilibria_of", "best_correlated"]
    for place, stage in enumerate(stages):
        with monkeypatch.context() as here:
            calls = count(0 if stage != "equilibria_of" else -1)  # pure equilibria are found by the first call
            limits = Limits(seconds=1000)
            real = getattr(zermelo.equilibria_page, stage)

            def slow(*arguments, calls=calls, limits=limits, real=real, **named):
                if next(calls) < 0:
                    return real(*arguments, **named)
                object.__setattr__(limits, "seconds", 0.0)
                raise limits.out_of_time({})

            here.setattr(f"zermelo.equilibria_page.{stage}", slow)
            known = analyse(tree, table, limits)
        assert len(known.unfinished) == (6, 5, 4, 2)[place]
        assert known.taken == whole.taken
        assert known.maximin == (whole.maximin if place > 1 else [])
        assert len(known.equilibria) == (7 if place > 2 else 3)
        assert known.found.are_all == (place > 2)
        assert known.correlated is None and known.extensive is None


def test_without_any_time_there_is_nothing_to_show():
    tree, table = _tree_and_table(zermelo.loads(_coordination(3)))
    with pytest.raises(ZermeloError) as refused:
        analyse(tree, table, Limits(seconds=0))
    assert refused.value.code == "out-of-time"


def test_pure_equilibria_alone(run, tmp_path):
    file = tmp_path / "same.game"
    file.write_text(_coordination(6))
    record = run("equilibria", str(file), "--pure", "--json").record
    assert len(record["equilibria"]) == 6 and record["all"] is False and record["unfinished"] == []
    assert record["maximin"]["Ann"]["value"] == str(Fraction(1, 6))
    printed = run("equilibria", str(file), "--pure", "--limit", "2").out
    assert printed.count("pure, strict") == 2 and "... and 4 more, which --limit 6 lists" in printed
    assert "mixed strategies" not in printed
    assert len(run("equilibria", str(file), "--pure", "--limit", "2", "--json").record["equilibria"]) == 2


def test_a_page_says_what_time_did_not_suffice_for(run, tmp_path, monkeypatch):
    file = tmp_path / "same.game"
    file.write_text(_coordination(3))

    def slow(table, is_coarse, limits):
        raise limits.out_of_time({})

    monkeypatch.setattr("zermelo.equilibria_page.best_correlated", slow)
    printed = run("equilibria", str(file)).out
    assert "is up: not looked for to the end are correlated equilibria" in printed
    assert "Ann secures  1/3" in printed and "correlated    " not in printed
    record = run("equilibria", str(file), "--json").record
    assert record["unfinished"] == ["correlated equilibria"] and record["correlated"] is None


def test_a_game_is_not_called_too_large_where_time_is_up(run, monkeypatch):
    real = zermelo.equilibria_page.equilibria_of

    def slow(table, limits, is_pure=False, met=None):
        if is_pure:
            return real(table, limits, is_pure=True)
        raise limits.out_of_time({})

    monkeypatch.setattr("zermelo.equilibria_page.equilibria_of", slow)
    printed = " ".join(run("equilibria", "matching_pennies").out.split())
    assert "is up: not looked for to the end are equilibria in mixed strategies" in printed
    assert "none in pure strategies" in printed and "too large" not in printed
