"""The parts that verbs are built from, in core and in features; ``command`` gathers them in one table. Pure.

``verb``       one row of the table, and COMMANDS of a feature
``arguments``  the arguments of verbs, with ``plan_arguments`` and ``seeking``; ``literals`` the single
               words in them
``words``      the words of other languages; ``spoken`` tells in which one somebody writes
"""
