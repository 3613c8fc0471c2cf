"""An opponent: it searches a position and answers with a move. It knows the rules and nothing else.

``think.answer`` takes a request of plain values and gives an answer of plain values. Below it:
``tables`` makes flat sequences of a game, ``kernel`` searches, ``search`` runs it and says what was
found, ``levels`` says how strong each level is. Nothing is imported before it is needed: to compile
takes seconds the first time, and numba alone takes half a second.
"""
