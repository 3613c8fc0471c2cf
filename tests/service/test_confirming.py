"""What confirms a request by a letter with a token: a yes and nothing else, from where it was asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from harness.letters import PASSWORD, Got
from harness.office import Office
from harness.quick import opened
from harness.server import until

from pbmstar.service.work.context import Envelope, Outcome, Precomputed

NEW, HOME = "new@new.example", "alice@home.example"
OURS = "Re: Star account zed"


def asked(
    office: Office, line: str = "signup zed z3d.pass", sender: str = NEW, to: str = NEW
) -> Got:
    """The letter with a token that a command brings to an address."""
    (letter,) = (each for each in office.send(sender, line) if each.to == to)
    return letter


def has_account(office: Office, userid: str = "zed") -> bool:
    return office.ask("accounts.user", userid) is not None


# Bodies, with the Subject of a reply.
PROTESTS = """
Remove me
I do not know you. Remove me from your list!
Who are you? I did not ask for this, leave me alone.
What is this?
???
I never signed up for anything
No
No thanks
Please delete my data.
This is spam, yes?
Yes?
ok, please?
¿Sí?
Yes, what is this about?
Yes I would like to know who gave you my address
ok so who is this
Okay, please remove me.
OK then: who are you?
Not me.
Wrong address
You have the wrong person
Confirm what?
Please confirm who you are
I cannot confirm this
Confirmed spam
yesterday I got another one of these
Thanks
Thank you for contacting us.
Hi
Hello, who is this?
F6
signup zed
help
forget it
undo
I'm not sure
Sure not
Go away
nicht bestellt
Nein
Nein danke
Das habe ich nicht bestellt.
Ja, was soll das?
Ja nein
Wer sind Sie?
Bitte nicht mehr schreiben
Bitte bestätigen Sie Ihre Anfrage
Abmelden
Ich kenne Sie nicht, löschen Sie meine Adresse.
Falsche Adresse
Keine Ahnung, worum es geht
Non
Non merci
Je n'ai rien demandé.
Qui êtes-vous ?
Oui mais je ne sais pas de quoi il s'agit
Désabonnez-moi
Supprimez mon adresse, merci
C'est une erreur
Merci de ne plus m'écrire
No gracias
No he pedido nada
¿Quién es usted?
Sí, pero no sé qué es esto
Bórrenme de la lista
Por favor, den de baja mi correo
No, grazie
Non ho richiesto nulla
Chi siete?
Sì, ma chi siete?
Cancellatemi dalla lista
Nee
Nee, dank u
Ik heb niets besteld
Ja, maar wie bent u?
Wie is dit?
Verwijder mij van de lijst
Não
Não, obrigado
Não pedi isto
Quem são vocês?
Sim, mas quem é?
Nie
Nie, dziękuję
Nie zamawiałem
Kim pan jest?
Tak, ale kto to?
Proszę mnie usunąć
Нет
Кто вы?
Nej tack
Nei takk
""".strip().splitlines()
MACHINES = """
I am out of office until Monday
I'm on holiday and will read your mail on 4 January.
Ticket #1234 received
Your request (#88123) has been received and is being reviewed by our support staff.
##- Please type your reply above this line -##
[#8812] Thank you for your request
We have received your email. Yes, a real person will answer.
Your message awaits moderation
Your message to list players awaits moderator approval
You are not allowed to post to this mailing list
The mailbox is no longer monitored.
This is an automated response. Please do not reply.
Ich bin bis Montag nicht im Büro.
Vielen Dank für Ihre Nachricht. Wir melden uns.
Ihre Anfrage ist bei uns eingegangen.
Je suis absente jusqu'au 4 janvier.
Nous avons bien reçu votre message.
Estoy fuera de la oficina hasta el lunes.
Hemos recibido su mensaje.
Sono fuori ufficio fino a lunedì.
Abbiamo ricevuto il suo messaggio.
Ik ben tot maandag afwezig.
Wij hebben uw bericht ontvangen.
Estou de férias até segunda-feira.
Recebemos a sua mensagem.
Jestem poza biurem do poniedziałku.
Otrzymaliśmy Państwa wiadomość.
Read: Star account zed
Your message was read on Monday.
Confirm your humanity: click https://gate.example/confirm
Please confirm that you are a person: reply with the code 8812.
""".strip().splitlines()
# A Subject of its own and a body.
MAILS = [
    ("Ticket #1234 received", ""),
    ("Re: Ticket #1234 received", ""),
    ("Re: Remove me", ""),
    ("Remove me", "> yes"),
    ("[Ticket#2026112] Star account zed", "Your ticket has been opened."),
    ("Re: [Ticket#2026112] Star account zed", "> To open it"),
    ("Star account zed was moved to Trash", ""),
    ("Received: Star account zed", "Hello,\r\n\r\nyour mail has reached us."),
    (OURS, "Yes\r\nplease remove me"),
    (OURS, "ok.\r\nDo not write again"),
    (OURS, "Ja\r\nnicht!"),
    (OURS, "Oui\r\nmais pas moi"),
    (OURS, "Hello\r\n\r\nwhat is this?"),
    (OURS, "confirm aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
]
NOT_YES = [*((OURS, line) for line in (*PROTESTS, *MACHINES)), *MAILS]


@pytest.mark.slow
def test_only_a_yes_opens_an_account(office_of: Callable[..., Office]) -> None:
    """Of all other answers the first brings a letter, the others none."""
    assert len(NOT_YES) > 120
    office = office_of(limits="off")
    letter = asked(office)
    told = []
    for subject, body in NOT_YES:
        told += office.send(NEW, subject, body, letter.reply_to)
        assert not has_account(office), (subject, body)
    (told_once,) = told
    assert told_once.to == NEW and told_once.reply_to == letter.reply_to
    assert "Nothing has changed." in told_once.text
    assert "reply yes" in told_once.words
    assert "reply: never" in told_once.words
    assert told_once.mail["Auto-Submitted"] == "auto-replied"
    assert "OOF" in told_once.mail["X-Auto-Response-Suppress"]
    (welcome,) = office.send(NEW, OURS, "Yes", told_once.reply_to)
    assert welcome.text.startswith("Welcome, zed!")


@pytest.mark.slow
def test_only_a_yes_adds_or_changes_an_address(office: Office) -> None:
    pw = PASSWORD["alice"]
    for line in (f"add address alice {pw} {HOME}", f"change address alice {pw} {HOME}"):
        letter = asked(office, line, "alice", HOME)
        for subject, body in NOT_YES:
            office.send(HOME, subject, body, letter.reply_to)
        assert office.ask("accounts.users_at", HOME) == []


YES_LINES = """
yes
Yes.
YES!
yes please
Yes, please!
Yes, thanks
y
yep
ok
OK!
Ok, thank you
okay
Confirm
confirmed
I confirm
Yes, I confirm.
sure
*yes*
"yes"
Ja
ja bitte
Ja, gerne!
Einverstanden
Ich bestätige
Oui
oui, merci
Oui, s’il vous plaît
D’accord
je confirme
Sí
sí, por favor
Si\u0301, gracias
confirmo
De acuerdo
Sì
Sì, grazie
confermo
va bene
Ja graag
akkoord
Sim
sim, obrigada
Tak
tak, proszę
potwierdzam
Да
Да, пожалуйста
Ja tack
👍 yes
""".strip().splitlines()
HTML = "Content-Type: text/html; charset=utf-8\r\n\r\n"
QUOTE = "On Fri, Jan 15, 2027 at 9:00 AM Star game server <star@pbm.example> wrote:\r\n> To open it, reply\r\n> no\r\n"
YES_MAILS = [
    *((OURS, line) for line in YES_LINES),
    (OURS, ""),
    ("AW: Star account zed", ""),
    ("RE: Star account zed", QUOTE),
    (OURS, f"Yes\r\n\r\n{QUOTE}"),
    (OURS, "ja bitte\r\n\r\nAm 15.01.2027 um 09:00 schrieb Star game server:\r\n> To open it"),
    (OURS, "Yes\r\n\r\nSent from my iPhone"),
    (OURS, "Sent from my iPhone"),
    (OURS, "Yes\r\n-- \r\nZed Miller\r\nNot a lawyer"),
    (OURS, "Yes\r\nZed"),
    (OURS, "Yes\r\n\r\nBest regards\r\nZed Miller\r\n\r\nThis message is not for anybody else."),
    (OURS, "Hi,\r\n\r\nyes please\r\n\r\nZed"),
    (
        OURS,
        "-----Original Message-----\r\nFrom: Star game server\r\nSubject: Star account zed\r\n\r\nremove",
    ),
    ("yes", ""),
    ("Yes please!", ""),
    ("Re: yes", ""),
    ("", ""),
]


@pytest.mark.slow
def test_each_yes_confirms(office_of: Callable[..., Office]) -> None:
    office = office_of(limits="off")
    for number, (subject, body) in enumerate(YES_MAILS):
        userid, who = f"zed{number}", f"zed@new{number}.example"
        letter = asked(office, f"signup {userid} z3d.pass", who, who)
        office.send(who, subject.replace("zed", userid), body, letter.reply_to)
        assert has_account(office, userid), (subject, body)


@pytest.mark.parametrize(
    ("html", "confirms"),
    [
        ("<html><body><div>Yes</div></body></html>", True),
        ("<p>Oui&nbsp;!</p><p>Envoyé de mon iPhone</p>", True),
        (
            '<div dir="ltr">yes please</div><br><div class="gmail_quote"><div>On Fri, Jan 15, 2027 at 9:00'
            " AM Star &lt;star@pbm.example&gt; wrote:<br></div><blockquote>To open it, reply</blockquote></div>",
            True,
        ),
        ("<p>Remove me</p>", False),
        ("<p>Yes</p><p>Ticket</p>", True),
        ("<table><tr><td>Ticket #1234</td><td>yes</td></tr></table>", False),
        ('<p></p><img src="cid:logo">', True),
    ],
)  # fmt: skip
def test_a_yes_in_html_alone_confirms(office: Office, html: str, confirms: bool) -> None:
    letter = asked(office)
    raw = office.write(NEW, OURS, html, letter.reply_to).replace(b"text/plain", b"text/html")
    office.deliver(raw, to=letter.reply_to)
    assert has_account(office) is confirms


@pytest.mark.parametrize(
    "header",
    ["List-Id: <x.example>", "Precedence: bulk", "X-Auto-Response-Suppress: All", "X-Loop: x@x"],
)
def test_an_empty_mail_of_a_program_confirms_nothing_and_is_not_answered(
    office: Office, header: str
) -> None:
    letter = asked(office)
    for body in ("", "Your ticket"):
        raw = office.write(NEW, OURS, body, letter.reply_to, headers=f"{header}\r\n")
        office.deliver(raw, to=letter.reply_to)
        assert office.letters() == [] and not has_account(office)


# -- from where


@pytest.mark.parametrize("verb", ["add", "change"])
def test_an_address_is_confirmed_from_there(office: Office, verb: str) -> None:
    """Another address gets no letter; the one that was asked gets one. Its other spellings are the same."""
    pw = PASSWORD["alice"]
    letter = asked(office, f"{verb} address alice {pw} {HOME}", "alice", HOME)
    for _ in range(3):
        told = office.send("robot@lists.example", OURS, "yes", letter.reply_to)
        told += office.send("alice", OURS, "yes", letter.reply_to)
        assert office.ask("accounts.users_at", HOME) == []
        assert {each.to for each in told} <= {HOME}
    token = re.search(r"confirm (\w{32})", letter.text)
    assert token
    office.send("robot@lists.example", f"confirm {token[1]}")
    assert office.ask("accounts.users_at", HOME) == []
    office.send("alice+star@home.example", OURS, "yes", letter.reply_to)
    assert [user.userid for user in office.ask("accounts.users_at", HOME)] == ["alice"]


def test_who_reads_there_but_writes_from_home_sends_the_command(office: Office) -> None:
    letter = asked(office, f"change address alice {PASSWORD['alice']} {HOME}", "alice", HOME)
    token = re.search(r"confirm (\w{32})", letter.text)
    assert token
    office.send("alice", f"confirm {token[1]}")
    assert [user.userid for user in office.ask("accounts.users_at", HOME)] == ["alice"]


def test_after_never_no_letter_explains(office: Office) -> None:
    letter = asked(office)
    assert office.send(NEW, OURS, "never", letter.reply_to) == []
    assert office.send(NEW, OURS, "who are you?", letter.reply_to) == []


# -- what the account itself has asked for


def wished(office: Office, wish: str) -> Got:
    """The letter that asks alice if she means what she wishes, by a command or in a reply."""
    if wish == "resign all":
        office.game()
        return asked(
            office, f"resign all alice {PASSWORD['alice']}", "alice", "alice@alice.example"
        )
    (account,) = office.send("alice", f"zone alice {PASSWORD['alice']} Europe/Berlin")
    (letter,) = office.send("alice", f"Re: {account.subject}", wish, account.reply_to)
    return letter


@pytest.mark.parametrize("wish", ["resign all", "signoff"])
@pytest.mark.parametrize(
    "line", ["no", "No, I play on", "nein danke", "non", "nope", "Não!", "нет", "stop", "never"]
)
def test_after_a_no_nothing_is_done(office: Office, wish: str, line: str) -> None:
    letter = wished(office, wish)
    before = office.state()
    (told,) = office.send("alice", f"Re: {letter.subject}", line, letter.reply_to)
    assert told.subject == "Star account alice: nothing changed"
    assert told.words.strip() == "Fine, we didn't do anything."
    assert office.state() == before


@pytest.mark.parametrize("wish", ["resign all", "signoff"])
@pytest.mark.parametrize("line", ["hmm", "", "No?"])
def test_no_answer_quotes_what_nobody_wrote(office: Office, wish: str, line: str) -> None:
    letter = wished(office, wish)
    before = office.state()
    (told,) = office.send("alice", f"Re: {letter.subject}", line, letter.reply_to)
    assert "reply yes." in told.words and "We read" not in told.words
    assert office.state() == before
    office.send("alice", f"Re: {letter.subject}", "yes", letter.reply_to)
    assert office.state() != before


# -- a password in a first mail


@pytest.mark.parametrize("word", ["Lund", "lund", "Lund-Berg", "geheim"])
def test_a_surname_is_no_password(office: Office, word: str) -> None:
    letter = asked(office, f"signup Marta {word}")
    assert "We didn't take the word after marta" in letter.words and word not in letter.text
    (welcome,) = office.send(NEW, "Re: Star account marta", "yes", letter.reply_to)
    assert "To set a password for other messages, reply: forgot marta" in welcome.words
    office.send("eve@evil.example", f"zone marta {word} Europe/Berlin")
    assert office.ask("accounts.user", "marta").zone == "UTC"


def test_a_reply_to_the_welcome_makes_no_surname_a_password(office: Office) -> None:
    (welcome,) = office.send(NEW, "hello")
    (account,) = office.send(NEW, "Re: Star: welcome", "signup Marta Lund", welcome.reply_to)
    assert "We didn't take the word after marta" in account.words
    assert office.ask("accounts.user", "marta").password == ""


@pytest.mark.parametrize(("answer", "kept"), [("yes", True), ("without password", False)])
def test_a_password_is_named_before_it_counts(office: Office, answer: str, kept: bool) -> None:
    """Who is signed up by somebody else can open the account without that person's password."""
    letter = asked(office, f"signup zed z3d.pass {NEW}", "mallory@evil.example")
    assert "The word after zed" in letter.words and "z3d.pass" not in letter.text
    office.send(NEW, OURS, answer, letter.reply_to)
    assert bool(office.ask("accounts.user", "zed").password) is kept


def test_what_is_left_of_a_first_mail_is_told(office: Office) -> None:
    office.run("admin", "bot", "add", "bot2")
    (letter,) = office.send(NEW, "", "signup zed\r\nstar challenge zed bot2")
    assert "1 more line of that message has to wait" in letter.words
    assert "more line" not in asked(office, "signup zed2").text


# -- two at once


def waits(office: Office) -> object:
    with office.store.engine.connect() as connection:
        return connection.exec_driver_sql("SELECT 1 FROM pg_locks WHERE NOT granted").first()


@pytest.mark.parametrize("what", ["one token", "one userid", "a third address"])
def test_two_nodes_that_confirm_at_once_do_it_once(
    office: Office, database: str, what: str
) -> None:
    """The one waits for the other, and is then told why not."""
    if office.store.is_sqlite:
        pytest.skip("needs --postgresql: here the second transaction begins after the first")
    pw = PASSWORD["alice"]
    if what == "a third address":
        letters = {
            who: asked(office, f"add address alice {pw} {who}", "alice", who)
            for who in ("alice@a.example", "alice@b.example", "alice@c.example")
        }
        first = "alice@a.example"
        office.send(first, OURS, "yes", letters.pop(first).reply_to)
    elif what == "one userid":
        whos = ("a@a.example", "b@b.example")
        letters = {who: asked(office, "signup zed z3d.pass", who, who) for who in whos}
    else:
        letters = {NEW: asked(office)}
    one, other = (list(letters.items()) * 2)[:2]
    mails = [office.write(who, OURS, "yes", got.reply_to) for who, got in (one, other)]
    with closing(opened(database)) as node, ThreadPoolExecutor() as pool:
        with office.store.transaction() as tx:
            mail = office.service.read(mails[0])
            envelope = Envelope(one[0], (one[1].reply_to,), "", "1-1")
            done = office.service.execute(tx, envelope, mail, mails[0], Precomputed())
            assert isinstance(done, Outcome) and done.name == "applied"
            answer = pool.submit(office.deliver_to, mails[1], other[1].reply_to, store=node)
            until(lambda: answer.done() or waits(office))
        assert answer.result().name == "refused"
        assert answer.result().codes
    assert office.check() == []
