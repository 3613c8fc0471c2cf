"""Previews: moves tried out on a board and shown with their scores, and the meaning of a yes to them."""

from __future__ import annotations

from dataclasses import replace

from ...command import PLAIN_MOVES, Command, found, named
from ...errors import NOTHING, Refusal, Sentence, literal, say, together
from ...games.base import taken
from ...games.spelling import shown
from ...grammar.verb import Who
from ...identity import DRAFT, OFFER, shown_mark, sign
from ...machine.times import MINUTE
from ...match import Act, Match, begin
from ...match.plan_grammar import write
from ...match.plans import plan_in, try_out
from ...render.facts import PreviewFacts
from ...store import Draft, User
from ..letters.post import BoardLetter
from ..proof import limits
from ..proof.answers import RefusedCommand
from ..work.apply import as_it_was, look
from ..work.letter import scope_of
from ..work.work import BoardRefusal, Speaker, Work

_A_MINUTE = 5  # previews for one account
_WITH_A_PREVIEW = ("accept", "hint", "note", "notes", "say")  # verbs that may answer a preview
_TWO_QUESTIONS = say(
    "{opponent} has asked you something, too, so we can't tell which of the two you're agreeing "
    "to. Reply to another letter about this board with your move, or with accept or decline."
)
_WHERE = say("Where would you like to play?")
_REPEATED = 200  # characters of a message that a button sends again
# Codes of the refusals of lines that are not commands; and of those that may name a cell besides.
_OUT_OF_TURN = ("no-move", "not-a-cell")
OF_TALK = (*_OUT_OF_TURN, "no-cell")
_NAMES_CELL = (*OF_TALK, "too-much", "no-request")
# The players of a new board: a swap exchanges X and O.
_NOBODY = {1: ("player",), 2: ("first", "second")}


def preview(work: Work, command: Command, reader: User) -> None:
    """Mail a board, or a new one, as it would be after some moves; a player of it may then say yes."""
    is_proved = work.proved == reader.userid
    counter = f"preview {'' if is_proved else 'unproved '}{reader.userid}"
    if work.exceeds(_A_MINUTE, counter, MINUTE):
        raise Refusal(
            say("You can send five previews a minute. Please wait a moment."), "too-many-previews"
        )
    at = command.args.get("at")
    if command["board"] is None:
        assert command.game is not None
        seats = _NOBODY[len(command.game.seats)]
        match = begin(0, command.game(command["options"]), seats, work.now)
    else:
        match = look(work, command["board"], reader, command.game)
    base = match if at is None else as_it_was(match, at)
    tried_out, stopped = try_out(base, command["tried"])
    moves = [entry.move for entry in tried_out.record[len(base.record) :]]
    if stopped and not moves:
        raise (
            BoardRefusal(stopped, "no-move", base) if match.number else Refusal(stopped, "no-move")
        )
    detail = ""
    facts = PreviewFacts(first=len(base.record), stopped=stopped or NOTHING)
    if command.args.get("unsaid"):
        facts = replace(facts, offers=[say("Nobody else saw what you wrote below the move.")])
    if match.number and match.player(reader.userid):
        draft = Draft(match.resets, len(match.record), ", ".join(moves))
        marked = draft.moves if at is None else f"#{at} {draft.moves}"
        turn = sign(work.keys, "reply", *scope_of(match, reader.userid))
        detail = turn + _mark(work, match, reader.userid, marked)
        if at is None:
            may_plan = not match.program
            offers, words = _offers(match, reader.userid, moves, is_proved, may_plan)
            again = _again(moves)
            facts = replace(facts, offers=[*facts.offers, *offers], words=words, tried=again)
        if at is None and is_proved:
            work.tx.notebook.set_draft(match.number, reader.userid, draft)
    letter = BoardLetter.answer(tried_out, reader.userid, facts, detail=detail)
    limits.ask(work, reader, ("preview", match.number, at, tuple(moves)), letter)


def accepted(work: Work, speaker: Speaker, with_plan: bool) -> Act:
    """Return the act of a yes to a preview: to play its first move, and ``with_plan`` to plan the rest.

    Raises BoardRefusal if it is not the newest preview, or there is nothing to play.
    """
    match = speaker.match
    if match.request and match.request.userid != speaker.userid:
        raise BoardRefusal(
            _TWO_QUESTIONS.given(opponent=match.request.userid), "two-questions", match
        )
    moves = _drafted(work, speaker)
    if match.to_move == speaker.userid:
        plan = write(plan_in(moves[1:])) if with_plan else ""
        return Act(speaker.userid, "move", moves[0], plan=plan)
    if with_plan and plan_in(moves):
        return Act(speaker.userid, "plan", write(plan_in(moves)))
    raise BoardRefusal(
        say(
            "It isn't your turn. But if the preview includes your answer to a move, you can save "
            "it as a plan. Reply: yes plan"
        ),
        "not-your-turn",
        match,
    )


def offered(work: Work, speaker: Speaker, refused: RefusedCommand) -> RefusedCommand:
    """Return the refusal of a line with an offer in its place, if the line names one thing to do.

    Nothing is offered while the opponent asks something, and nothing to a player who answers a preview:
    a yes would have two meanings.
    """
    match, userid = speaker.match, speaker.userid
    is_asked = match.request is not None and match.request.userid != userid
    is_now = speaker.seen == len(match.record) and not speaker.draft
    events = work.tx.boards.events(match.number)
    text = speaker.text or speaker.line
    meant = found.offered(text, match, userid, events) if is_now and not is_asked else ""
    mark = _offer_mark(work, match, userid, meant)
    if not meant or len(match.seats) == 1 or len(_offered_by(work, match, userid, mark)) > 1:
        why = found.barred(speaker.line, match, userid, events) if is_now else None
        if why is not None and refused.code in _NAMES_CELL:
            return replace(refused, reason=why.told, code=why.code)
        return _explained(work, speaker, refused) if is_now else refused
    is_deed = found.is_deed(meant)
    is_first = found.offered(speaker.line, match, userid, events) == meant
    if not is_first:
        where = say("A line below it has {words} in it.", words=meant)
    elif found.is_misspelled(speaker.line, meant):
        where = say("That line looks like {words}.", words=meant)
    else:
        where = say("That line has {words} in it.", words=meant)
    how = say("To do that, reply yes.") if is_deed else say("To play it, reply yes.")
    deed = literal(meant) if is_deed else say("play {move}", move=meant)
    return replace(refused, reason=together(where, how), offer=mark, deed=deed)


def lost(work: Work, match: Match, userid: str, text: str) -> RefusedCommand | None:
    """Return the offer to do what a reply says that does not answer a letter about the board, or None.

    Nothing proves its writer, unless it answers another letter. So the offer goes to the player's own
    address, and only a yes to it does that.
    """
    events = work.tx.boards.events(match.number)
    meant = found.offered(text, match, userid, events, alone=True)
    mark = _offer_mark(work, match, userid, meant)
    if not meant or len(_offered_by(work, match, userid, mark)) > 1:
        return None
    is_deed = found.is_deed(meant)
    why = (
        say("The letter you answered isn't about your game on board {number}.", number=match.number)
        if work.proved
        else say("Your email app didn't tell us which letter you answered.")
    )
    how = (
        say("To {words}, reply yes.", words=meant)
        if is_deed
        else say("To play {move}, reply yes.", move=meant)
    )
    if work.context.config.detail == "none":
        proof = sign(work.keys, "reply", *scope_of(match, userid)) + mark
        line = say("Or copy this into the subject line of a new message:")
        how = together(how, line, f"  yes [{proof}]", by="\n")
    deed = literal(meant) if is_deed else say("play {move}", move=meant)
    reason = together(why, how)
    return RefusedCommand("", reason, "unaddressed", match.number, offer=mark, deed=deed)


def _explained(work: Work, speaker: Speaker, refused: RefusedCommand) -> RefusedCommand:
    """Return the refusal of lines that are no commands: what is wrong, a question, and replies to it."""
    match, rival = speaker.match, speaker.match.opponent(speaker.userid)
    is_mine, reads = match.to_move == speaker.userid, bool(rival) and not match.program
    if is_mine and refused.code in _NAMES_CELL:
        if cell := found.taken(speaker.text or speaker.line, match):
            return replace(refused, reason=taken(cell).told, code="taken")
        if refused.code in OF_TALK and not any(map(str.isdigit, speaker.line)):
            return _asked(refused, speaker, rival if reads else "")
        return refused
    if match.to_move != rival or not reads or refused.code not in _OUT_OF_TURN:
        return refused
    why = say(
        "It's {opponent}'s turn. Your message may contain a move or a plan, so we didn't pass "
        "it on.",
        opponent=rival,
    )
    asked = _asked(replace(refused, reason=why), speaker, rival)
    question = say("Is it a message for {opponent}, or a plan for your next move?", opponent=rival)
    return replace(asked, question=question, ways=(*asked.ways[:-1], "help plans"))


def _asked(refused: RefusedCommand, speaker: Speaker, rival: str) -> RefusedCommand:
    """Return the refusal of talk with the question whether it is for the opponent.

    rival  empty for one who reads no words
    """
    if not rival:
        return replace(refused, question=_WHERE, ways=("help",))
    text = " ".join((speaker.text or speaker.line).split())
    is_plain = all(shown(word) == word for word in text.split())
    may_repeat = len(text) <= _REPEATED and is_plain and not found.may_hide(text)
    question = say("Is it a message for {opponent}?", opponent=rival)
    if not may_repeat:
        how = say("If so, start it with the word say.")
        return replace(refused, question=together(question, how), ways=("help",))
    return replace(refused, question=question, ways=(f"say {text}", "help"))


def taken_up(work: Work, speaker: Speaker) -> Act:
    """Return the act of a yes to an offer. Raises BoardRefusal if it is not offered any more, or if the
    opponent asks something meanwhile."""
    match = speaker.match
    if match.request and match.request.userid != speaker.userid:
        raise BoardRefusal(
            _TWO_QUESTIONS.given(opponent=match.request.userid), "two-questions", match
        )
    (*_, meant) = ("", *_offered_by(work, match, speaker.userid, speaker.offer))
    if not meant:
        raise BoardRefusal(say("It's too late to say yes to that."), "other-preview", match)
    return found.wanted(speaker.userid, meant)


def _offered_by(work: Work, match: Match, userid: str, mark: str) -> list[str]:
    """Return the things that a mark offers. A mark has few letters, so two things may have the same one."""
    return [
        each
        for each in found.candidates(match, userid)
        if _offer_mark(work, match, userid, each) == mark
    ]


def _offer_mark(work: Work, match: Match, userid: str, meant: str) -> str:
    return shown_mark(work.keys, OFFER, scope_of(match, userid), meant)


def in_reply(work: Work, command: Command, speaker: Speaker) -> Command:
    """Return the command that a reply to a preview means: a move is tried after the moves of the preview.

    Raises BoardRefusal for any other command that would change the board: only a yes may do so.
    """
    name = command.verb.name
    if name in _WITH_A_PREVIEW or command.verb.who is not Who.PLAYER:
        return command
    match = speaker.match
    if name not in ("move", *PLAIN_MOVES) or command.args.get("plan"):
        raise BoardRefusal(
            say(
                "You've replied to a preview. From there, only the word yes changes the board. "
                "For anything else, reply to a board letter."
            ),
            "preview",
            match,
        )
    words = command.args.get("move", [name])
    tried = [word for move in _drafted(work, speaker) for word in move.split(" ")] + words
    verb = named(type(match.game))["preview"]
    unsaid = bool(work.words.text)
    args = {"board": match.number, "at": None, "tried": tried, "unsaid": unsaid}
    return Command(verb, command.game, args, command.understood)


def drafted(work: Work, match: Match, userid: str) -> list[str]:
    """Return the moves of a player's newest preview; none if it shows an earlier state of the board."""
    draft = work.tx.notebook.draft(match.number, userid)
    if draft is None or draft[:2] != (match.resets, len(match.record)):
        return []
    return draft.moves.split(", ")


def _drafted(work: Work, speaker: Speaker) -> list[str]:
    """Return the moves of the preview that a reply answers. Raises BoardRefusal if it is not the newest."""
    match = speaker.match
    moves = drafted(work, match, speaker.userid)
    if moves and not speaker.draft:
        raise BoardRefusal(
            say(
                "You have a preview of this board with {moves}. To play or plan that, reply "
                '"yes" or "yes plan" to the letter with the Subject {title} Board {board} '
                "Preview.",
                moves=" ".join(moves),
                title=match.game.title,
                board=match.number,
            ),
            "other-letter",
            match,
        )
    if not moves or _mark(work, match, speaker.userid, ", ".join(moves)) != speaker.draft:
        raise BoardRefusal(
            say(
                "This preview is out of date. Reply to the newest one, or to a board letter "
                "if you want to move."
            ),
            "other-preview",
            match,
        )
    return moves


def _again(moves: list[str]) -> str:
    """Return the words that try moves again; a further move follows them."""
    return " ".join(("try", *moves))


def _offers(
    match: Match, userid: str, moves: list[str], is_proved: bool, may_plan: bool
) -> tuple[list[Sentence], list[str]]:
    """Return the things that a player can do with a preview, as sentences, and the words to reply.

    If nothing has proved that the player asked for it, somebody else may have: there is no yes to it.
    """
    again = _again(moves)
    sentences: list[Sentence] = []
    words: list[str] = []
    if len(match.seats) == 1:
        sentences.append(say("To play, reply to another letter about the board."))
    elif not is_proved:
        sentences.append(
            say(
                "To play or plan this, reply {words}, and then reply to the letter you get back.",
                words=again,
            )
        )
        words.append(again)
    elif match.to_move == userid:
        sentences.append(say("To play {move}, reply yes.", move=moves[0]))
        words.append("yes")
        if may_plan and plan_in(moves[1:]):
            sentences.append(
                say("To play {move} and save the rest as a plan, reply: yes plan", move=moves[0])
            )
            words.append("yes plan")
    elif may_plan and plan_in(moves):
        sentences.append(say("To save this as a plan, reply: yes plan"))
        words.append("yes plan")
    if is_proved:
        sentences.append(
            say("To try another move, reply with it. Nothing is played until you say yes.")
        )
    return sentences, words


def _mark(work: Work, match: Match, userid: str, moves: str) -> str:
    return shown_mark(work.keys, DRAFT, scope_of(match, userid), moves)
