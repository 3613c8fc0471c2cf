"""An opponent that searches a position and answers with a move. It knows the rules and nothing else.

``think.answer`` takes a request of plain values and returns an answer of plain values. Below it:
``arrays`` makes flat sequences from a game, ``kernel`` searches, ``search`` runs the kernel and makes an
estimate from its tree, ``levels`` is the table of strengths. Nothing is imported before it is needed: the
first compilation takes seconds, and numba alone half a second.
"""
