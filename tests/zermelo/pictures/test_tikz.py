"""Pictures as TikZ: the same marks as in SVG, and LaTeX reads them."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.drawing.picture_files import write_picture
from zermelo.drawing.pictures import draw
from zermelo.pictures.marks import Curve, Disc, Lettering, Picture, Polygon, Rectangle, Spot, Style
from zermelo.pictures.svg import svg
from zermelo.pictures.tikz import tex_text, tikz

LINE = Style("#000000")


def test_each_mark_is_at_its_place():
    marks = (
        Lettering(10, 20, "50% of A_1", 12, anchor="end", is_bold=True),
        Disc(1, 2, 8, Style("#c44e00", "#ffffff", 2)),
        Rectangle(0, 0, 30, 10, Style(fill="#f6f8fa"), 3),
        Polygon(((0, 0), (5, 5), (9, 0)), LINE),
        Polygon(((0, 0), (5, 5)), Style("#000000", dash="4 2", opacity=0.5), is_open=True),
        Curve(((0, 0), (0, 30), (50, 30), (50, 0)), LINE),
        Spot(0, 0, 1, 1, "nowhere"),
    )
    text = tikz(Picture("marks", marks))
    assert [line for line in text.splitlines() if line.startswith(("\\path", "\\node"))] == [
        r"\node[anchor=base east, scale=0.9, text=zermelo1b1f24] at (10,20) {\bfseries 50\% of A\_1};",
        r"\path[fill=zermeloffffff, draw=zermeloc44e00, line width=1.5bp] (1,2) circle[radius=6bp];",
        r"\path[fill=zermelof6f8fa, rounded corners=2.25bp] (0,0) rectangle (30,10);",
        r"\path[draw=zermelo000000, line width=0.75bp] (0,0) -- (5,5) -- (9,0) -- cycle;",
        r"\path[draw=zermelo000000, line width=0.75bp, dash pattern=on 3bp off 1.5bp, opacity=0.5] (0,0) -- (5,5);",
        r"\path[draw=zermelo000000, line width=0.75bp] (0,0) .. controls (0,30) and (50,30) .. (50,0);",
    ]
    assert r"\definecolor{zermeloc44e00}{HTML}{C44E00}" in text and "nowhere" not in text


def test_it_has_the_words_of_the_svg_and_nothing_from_elsewhere():
    picture = draw(zermelo.load("kuhn_poker").initial)
    text = tikz(picture)
    assert len(re.findall(r"^\\node", text, re.MULTILINE)) == svg(picture).count("<text") == len(picture.words)
    assert "usepackage" not in text.replace("% Read it with \\input in a document that has \\usepackage{tikz}.", "")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_no_word_is_a_command(text):
    """Every brace closes, and nothing that TeX obeys is left but what the table writes."""
    written = tex_text(text)
    bare = re.sub(r"\\(textbackslash|char34|[{}$&#%_])|\\[\^~]\{\}|\{\}|\$[<>|]\$|\{-\}", "", written)
    assert not re.search(r"[\\$&#%_^~]", bare)


def test_code_keeps_its_spaces():
    assert tex_text("if  x", is_code=True) == r"if\ \ x" and tex_text("if  x") == "if  x"


GAMES = (
    ("tic_tac_toe", {"boards": True, "depth": 2, "merge_symmetric": True}),
    ("kuhn_poker", {"theme": "dark"}),
    ("coin_flip_tree", {"plain": True, "font_size": 15}),
    ("two_ply_tree", {"solvers": ["alphabeta"]}),
    ("four_card_hand", {"what": "position"}),
    ("goofspiel", {"what": "coverage"}),
    ("chicken", {"what": "table"}),
)


def test_a_table_of_payoffs_is_set_as_one(tmp_path):
    """Chicken: one of both swerves in equilibrium, and each does best to do what the other one does not."""
    write_picture(draw(zermelo.load("chicken").initial, "table"), tmp_path / "chicken.tex")
    assert (tmp_path / "chicken.tex").read_text("utf-8").splitlines()[-5:] == [
        r"\multicolumn{1}{c}{} & \multicolumn{2}{c}{Two} \\",
        r"\multicolumn{1}{r}{One} & \multicolumn{1}{c}{swerve} & \multicolumn{1}{c}{drive} \\ \cline{2-3}",
        r"swerve & $6$, $6$ & \fbox{$\underline{2}$, $\underline{7}$} \\ \cline{2-3}",
        r"drive & \fbox{$\underline{7}$, $\underline{2}$} & $0$, $0$ \\ \cline{2-3}",
        r"\end{tabular}}",
    ]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex with TikZ (texlive-pictures of Debian)")
def test_latex_reads_it(tmp_path):
    for number, (name, options) in enumerate(GAMES):
        write_picture(draw(zermelo.load(name).initial, **options), tmp_path / f"{number}.tex")
    pages = "\\newpage\n".join(f"\\input{{{number}}}" for number in range(len(GAMES)))
    head = "\\documentclass{article}\n\\usepackage{tikz}\n\\usepackage[paperwidth=90cm,paperheight=90cm]{geometry}\n"
    (tmp_path / "all.tex").write_text(f"{head}\\begin{{document}}\n{pages}\n\\end{{document}}\n", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF") and f"({len(GAMES)} pages" in ran.stdout
    assert "Missing character" not in (tmp_path / "all.log").read_text("latin-1")
