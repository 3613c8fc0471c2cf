"""Letters: from a recipe to the bytes of a message.

``board.view`` makes one value of everything that a letter shows of a board, with the happenings
(``board.sentences``) and the reader's choices (``board.choices``); templates set it as text and as
HTML; ``letters`` writes the mail with ``wire``. Help pages (``pages``) are letters as well. Nothing here
knows the store or decides anything.
"""
