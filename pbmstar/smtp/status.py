"""Status lines for peers: fixed ASCII texts, with no word of the peer."""

from __future__ import annotations

from ..intake.fate import Fate, Receipt


class Status(str):
    """The lines of one SMTP reply, without the last line end. After a ``last`` one we close."""

    __slots__ = ("last",)
    last: bool

    def __new__(cls, text: str, last: bool = False) -> Status:
        self = super().__new__(cls, text)
        self.last = last
        return self


OK = Status("250 2.0.0 OK")
SENDER_OK = Status("250 2.1.0 Sender OK")
RECIPIENT_OK = Status("250 2.1.5 Recipient OK")
NOT_TOLD = Status("252 2.5.0 Send some mail, it will be tried")
BYE = Status("221 2.0.0 Bye")
HELP = Status("214 2.0.0 Mail the word help to this server's address")
GO_AHEAD = Status("354 End data with <CR><LF>.<CR><LF>")

TIMEOUT = Status("421 4.4.2 Timeout", last=True)
CLOSING = Status("421 4.3.2 The server is being stopped, try again later", last=True)
TOO_MANY_PEERS = Status("421 4.7.0 Too many connections, try again later", last=True)
TOO_MANY_MAILS = Status("421 4.7.0 Too many messages on this connection", last=True)
TOO_MANY_COMMANDS = Status("421 4.7.0 Too many commands", last=True)
TOO_MANY_ERRORS = Status("421 4.7.0 Too many errors", last=True)
TROUBLE = Status("451 4.3.0 Temporary error, try again later")
DISK_FULL = Status("452 4.3.1 Insufficient storage, try again later")
TOO_MANY_RECIPIENTS = Status("452 4.5.3 Too many recipients")
NO_TLS = Status("454 4.7.0 TLS not available")

UNKNOWN = Status("500 5.5.2 Command not recognized")
NOT_ASCII = Status("501 5.6.7 Only ASCII in commands: SMTPUTF8 is not supported")
SYNTAX = Status("501 5.5.4 Syntax error in arguments")
NOT_IMPLEMENTED = Status("502 5.5.1 Command not implemented")
OUT_OF_ORDER = Status("503 5.5.1 Bad sequence of commands")
NO_MAILBOX = Status("550 5.1.1 No such mailbox here")
NO_RELAY = Status("550 5.7.1 This server relays no mail")
TOO_BIG = Status("552 5.3.4 Message too big")
BAD_ADDRESS = Status("553 5.1.3 Malformed address")
UNREADABLE = Status("554 5.6.0 This message cannot be read")
BAD_PARAMETER = Status("555 5.5.4 Parameter not supported")

# Our answers in place of the library's answers, by their code.
_OURS = {
    status[:3]: status
    for status in (
        BYE, OK, TOO_MANY_COMMANDS, TROUBLE, NO_TLS, UNKNOWN, SYNTAX, NOT_IMPLEMENTED, OUT_OF_ORDER,
        TOO_BIG, BAD_ADDRESS, BAD_PARAMETER,
    )
}  # fmt: skip
# ... and by their text, where the code says too little.
_OURS_BY_TEXT = {
    "500 Error: strict ASCII mode": NOT_ASCII,
    "501 Error: SMTPUTF8 disabled": BAD_PARAMETER,
}
_REFUSED = {Fate.LATER: TROUBLE, Fate.FULL: DISK_FULL, Fate.UNREADABLE: UNREADABLE}


def ours(librarys: str) -> Status:
    """Return our status in place of the library's status, which may echo the peer."""
    if librarys.startswith("220 "):  # the greeting, with our own name; or the start of TLS
        return Status(librarys)
    return _OURS_BY_TEXT.get(librarys) or _OURS.get(librarys[:3], TROUBLE)


def after_content(receipt: Receipt, lmtp: bool) -> Status:
    """Return the status of a message after its content; if it was taken, with its id in our log.

    The mail server that speaks LMTP to us would turn a refusal into a bounce to a sender that may be
    forged. So an unreadable mail from it is accepted, and dropped.
    """
    if receipt.fate is Fate.TAKEN or (lmtp and receipt.fate is Fate.UNREADABLE):
        return Status(f"250 2.0.0 Accepted {receipt.id}")
    return _REFUSED[receipt.fate]
