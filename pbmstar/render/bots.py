"""What a bot has done, or does not do, in sentences: notices as in ``happenings``.

``resigned``    who resigned; the text is ``lost`` if that is proved
``bot-played``  the text says how many of the last moves are new to the reader
``bot-waits``   why a bot does not answer now: ``off``, or the most answers an hour
"""

from __future__ import annotations

from ..match import Happening, Match
from . import headings


def resigned(match: Match, happening: Happening) -> tuple[str, ...]:
    userid = happening.userid
    if happening.text != "lost":
        return (f"{userid} resigns.",)
    return (f"{userid} resigns: however it goes on, {match.opponent(userid)} wins.",)


def played(match: Match, happening: Happening) -> tuple[str, ...]:
    """The last moves: a bot's answer comes in the letter that shows what it answers."""
    count = int(happening.text)
    return (" ".join(headings.played_by(entry) for entry in match.record[-count:]),)


def waits(_: Match, happening: Happening) -> tuple[str, ...]:
    if happening.text == "off":
        return (
            f"The bots of this server are switched off: {happening.userid} answers when they are on "
            "again.",
        )
    return (
        f"Bots have answered you {happening.text} times within an hour, which is the most: "
        f"{happening.userid} answers later, without your doing.",
    )


NOTICES = {"resigned": resigned, "bot-played": played, "bot-waits": waits}
