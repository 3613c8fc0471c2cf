"""Letters: from what is to be told to the bytes of a mail.

``words`` puts a match into lines of text, once for both players; ``letters`` fills templates, help
pages among them (``pages``); ``hypertext`` says the same as the text in HTML; ``wire`` writes the
mail around both. Nothing here knows the store or decides anything.
"""

from .hypertext import CHOICES, Draft, draw, hypertext, paragraphs
from .letters import Comment, Renderer, folder
from .wire import mail
from .words import board, choices, reply_words, status

__all__ = [
    "CHOICES",
    "Comment",
    "Draft",
    "Renderer",
    "board",
    "choices",
    "draw",
    "folder",
    "hypertext",
    "mail",
    "paragraphs",
    "reply_words",
    "status",
]
