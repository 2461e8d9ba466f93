"""The page of ``zermelo serve`` as a part of the documentation's site: without a server, by Python in the browser.

``python -m tools.playground SITE`` adds ``SITE/playground/`` to a site that MkDocs has built:

- the page itself, ``zermelo/serving/page``, with ``transport.js`` of this folder in place of its own: questions go to
  ``worker.js``, in which Pyodide, a CPython for browsers, runs :mod:`zermelo.serving.in_browser`;
- Pyodide's core from the npm registry, in one version with its checksum; nothing of it is kept in the project;
- the packages that small games need, in one archive: attrs, lark, and the wheel of this project. ``prepare.mjs``
  unpacks them in the same Pyodide, asks a few questions, and keeps the byte code and the tables of the parser that
  this has made;
- what never changes as files: the gallery, the games, the language on one page.

Whoever opens the page loads files of the site alone, and what they write stays in their browser. Building needs npm
with Node.js, the npm registry and PyPI.
"""
