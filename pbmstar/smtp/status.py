"""What the daemon says to its peers: a fixed set of constant ASCII texts, never a word of theirs."""

from __future__ import annotations


class Reply(str):
    """One whole reply, without the last line end. ``leave``: the connection is closed after it."""

    __slots__ = ("leave",)
    leave: bool

    def __new__(cls, text: str, leave: bool = False) -> Reply:
        """A reply of that text."""
        self = super().__new__(cls, text)
        self.leave = leave
        return self


ACCEPTED = Reply("250 2.0.0 Accepted")
OK = Reply("250 2.0.0 OK")
SENDER_OK = Reply("250 2.1.0 Sender OK")
RECIPIENT_OK = Reply("250 2.1.5 Recipient OK")
NOT_TOLD = Reply("252 2.5.0 Send some mail, it will be tried")
BYE = Reply("221 2.0.0 Bye")
HELP = Reply("214 2.0.0 Mail the word help to this server's address")
GO_AHEAD = Reply("354 End data with <CR><LF>.<CR><LF>")

TIMEOUT = Reply("421 4.4.2 Timeout", leave=True)
CLOSING = Reply("421 4.3.2 The server is being stopped, try again later", leave=True)
TOO_MANY_PEERS = Reply("421 4.7.0 Too many connections, try again later", leave=True)
TOO_MANY_MAILS = Reply("421 4.7.0 Too many messages on this connection", leave=True)
TOO_MANY_COMMANDS = Reply("421 4.7.0 Too many commands", leave=True)
TOO_MANY_ERRORS = Reply("421 4.7.0 Too many errors", leave=True)
TROUBLE = Reply("451 4.3.0 Temporary error, try again later")
DISK_FULL = Reply("452 4.3.1 Insufficient storage, try again later")
TOO_MANY_RECIPIENTS = Reply("452 4.5.3 Too many recipients")
NO_TLS = Reply("454 4.7.0 TLS not available")

UNKNOWN = Reply("500 5.5.2 Command not recognized")
SYNTAX = Reply("501 5.5.4 Syntax error in arguments")
NOT_IMPLEMENTED = Reply("502 5.5.1 Command not implemented")
OUT_OF_ORDER = Reply("503 5.5.1 Bad sequence of commands")
NO_MAILBOX = Reply("550 5.1.1 No such mailbox here")
NO_RELAY = Reply("550 5.7.1 This server relays no mail")
TOO_BIG = Reply("552 5.3.4 Message too big")
BAD_ADDRESS = Reply("553 5.1.3 Malformed address")
UNREADABLE = Reply("554 5.6.0 This message cannot be read")
BAD_PARAMETER = Reply("555 5.5.4 Parameter not supported")

# What is said where the library would say something of its own, by its code.
_INSTEAD = {
    reply[:3]: reply
    for reply in (
        BYE,
        OK,
        TOO_MANY_COMMANDS,
        TROUBLE,
        NO_TLS,
        UNKNOWN,
        SYNTAX,
        NOT_IMPLEMENTED,
        OUT_OF_ORDER,
        TOO_BIG,
        BAD_ADDRESS,
        BAD_PARAMETER,
    )
}


def instead(said: str) -> Reply:
    """The constant reply in place of one of the library's, which may echo the peer."""
    if said.startswith("220 "):  # the greeting, made of our own name; and before TLS
        return Reply(said)
    return _INSTEAD.get(said[:3], TROUBLE)


def for_each(reply: Reply, count: int) -> Reply:
    """The reply said once for each of ``count`` recipients, as LMTP wants it."""
    return Reply("\r\n".join([reply] * count))
