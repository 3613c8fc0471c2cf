"""Letters: from a recipe to the bytes of a mail.

``view`` makes one value of all that a letter shows of a board, with what happened to it
(``sentences``) and what the reader can do (``choices``); templates set it as text and as HTML;
``letters`` writes the mail with ``wire``. Help pages (``pages``) are letters as well. Nothing here
knows the store or decides anything.
"""

from .letters import Renderer
from .recipe import Recipe
from .view import Stone, Telling, View, view_of

__all__ = ["Recipe", "Renderer", "Stone", "Telling", "View", "view_of"]
