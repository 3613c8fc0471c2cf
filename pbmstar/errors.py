"""Errors, sorted by who must act.

``Refusal``      the player must: the text is written for the player's eyes.
``Unreadable``   the sender's program must: the mail itself cannot be accepted.
``Passing``      time must: ours, and it will pass; the sender's server tries again.

Anything else that escapes is a bug: the edges (daemon, command line) catch it, keep the mail, and
tell nobody but the operator.
"""


class PbmstarError(Exception):
    """The base of all errors that this package raises on purpose."""


class Refusal(PbmstarError):
    """A command that is not carried out. ``str(error)`` is one or more whole sentences for the player.

    ``code`` is a short name of the reason, in kebab-case, for programs and tests.
    """

    def __init__(self, text: str, code: str = "refused") -> None:
        super().__init__(text)
        self.code = code


class UnknownGame(Refusal):
    """No game of that name."""


class BadOption(Refusal):
    """An option that the game does not have, or a value that it does not take."""


class InvalidMove(Refusal):
    """Not a move on this board, whatever the position."""


class IllegalMove(Refusal):
    """A move, but not one that is allowed now."""


class BadInput(Refusal):
    """What was given is not of the form asked for."""


class UsageError(BadInput):
    """A line that is meant as a command and cannot be read; how to write it is part of the text.

    ``understood`` is the part of the line that was understood, without what may be a password;
    ``board`` the number of a board that it names, 0 if none was read.
    """

    def __init__(self, text: str, code: str, understood: str = "", board: int = 0) -> None:
        super().__init__(text, code)
        self.understood = understood
        self.board = board


class Unreadable(PbmstarError):
    """A mail that is refused as a whole. ``str(error)`` is constant ASCII text, never user data."""


class Passing(PbmstarError):
    """A trouble of ours that will pass: database locked, disk full. The text is for the log."""


class Broken(Passing):
    """The disk did not confirm a commit: what stands on it is not known to this process any more.

    It may pass for who begins anew from what is there, so to those outside it is ``Passing``.
    """
