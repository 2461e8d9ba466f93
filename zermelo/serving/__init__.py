"""The page to write games on, and the server behind it.

The server (:mod:`zermelo.serving.app`) knows no game. It hands what is asked to processes of its own
(:mod:`zermelo.serving.workers`), which have limits of time and memory and can be ended; what they answer is in
:mod:`zermelo.serving.answers` and beside it. :mod:`zermelo.serving.app` decides who may ask.
"""
