"""Mails made of random pieces: what is quoted, what is whole, and any structure of parts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.errors import Unreadable
from pbmstar.inbound import read

from .readings import FOLDER, blocks, unescape
from .written import DOMAIN, FILE, MOVE, OLD, lines

PREFIXES = [
    unescape(row)
    for block in blocks((FOLDER / "own_lines.txt").read_text())
    if block.title.startswith("C19: ")
    for row, _ in block.rows
]
ATTRIBUTIONS = [
    unescape(row)
    for block in blocks((FOLDER / "attributions.txt").read_text())
    for row, _ in block.rows
]

_own = st.sampled_from(
    ["F6", "*30", MOVE, "nice move", "Hi Bob,", "", "pass", "star show 1", "½ – “x”"]
)
_blank = st.sampled_from(["", "\n", "\n\n"])
_space = st.sampled_from(["", " ", "\u00a0", "\u200b", "\ufeff", "\t"])

_prefixed = st.builds(lambda space, prefix: space + prefix + OLD, _space, st.sampled_from(PREFIXES))
_ends = st.sampled_from(
    [
        *(f"{attribution}\n\n{OLD}" for attribution in ATTRIBUTIONS),
        f"-- \n{OLD}",
        f"\u2014\n{OLD}",
        f"-----Original Message-----\nFrom: Star\n\n{OLD}",
        f"From: Star\nSent: Tuesday\n\n{OLD}",
        f"*Von:* Star\n*Gesendet:* Dienstag\n\n{OLD}",
        f"Begin forwarded message:\n\n{OLD}",
        f"Summary of Star Board 17\n{OLD}",
        f"stop\n{OLD}",
    ]
)


@settings(max_examples=2 * settings.default.max_examples, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(_own, st.lists(_prefixed, max_size=3)), max_size=6),
    _blank,
    _space,
    _ends,
    st.sampled_from(["8bit", "base64", "quoted-printable"]),
)
def test_what_is_quoted_is_never_an_own_line(told, blank, space, end, cte):
    """All own lines in their order, and nothing of what programs put around them."""
    above = "\n".join("\n".join([own, *quotes]) for own, quotes in told)
    found = lines(f"{above}\n{blank}\n{space}{end}", cte=cte)
    assert [line for line in found if line] == [own for own, _ in told if own]


_decorations = st.lists(
    st.sampled_from(
        [
            "{}",
            " {}",
            "{} ",
            "\u200b{}",
            "{}\u00a0",
            "\ufeff{}",
            "{}\t",
            "> {}",
            "| {}",
            "-- \n{}",
            "hi\n{}",
            "{}\nbye",
            "{}\n-- \nAlice",
            "{}\n\n> x",
            "> x\n\n{}",
            "On 3 Nov 2026, x wrote:\n{}",
            "{}\nSent from my iPhone",
            "_____\nEXTERNAL\n_____\n{}",
            "----- x -----\n{}",
            "Thanks\n{}",
            "{}\r",
            "a \r\n{}",
            "From: a\nTo: b\n{}",
        ]
    ),
    max_size=5,
)
_commands = st.sampled_from(
    [
        MOVE,
        "*star move 3 bob p*ss_w,rd *30*",
        "starstar move 3 bob x>y|z A1#12",
        "star challenge -size=6 a b",
    ]
)


@settings(max_examples=3 * settings.default.max_examples, deadline=None, derandomize=True)
@given(_commands, _decorations, st.booleans())
def test_a_command_survives_whole_or_disappears(command, decorations, flowed):
    """No decoration turns a command into another one."""
    body = command
    for decoration in decorations:
        body = decoration.format(body)
    kind = "text/plain; charset=utf-8" + ("; format=flowed" if flowed else "")
    for line in lines(body, kind=kind):
        if command[:9] in line:
            bare = line.strip()
            assert command in bare if flowed else bare == command


# -- parts

_kinds = st.sampled_from(
    [
        "text/plain",
        "text/html",
        "text/calendar",
        "text/enriched",
        "image/png",
        "application/ms-tnef",
        "application/pkcs7-mime",
        "message/rfc822",
        "message/delivery-status",
        "multipart/mixed",
        "multipart/alternative",
        "multipart/related",
        "multipart/signed",
        "multipart/encrypted",
        "multipart/report",
        "multipart/digest",
    ]
)
_heads = st.sampled_from(
    [
        "",
        "Content-Transfer-Encoding: base64\n",
        "Content-Transfer-Encoding: quoted-printable\n",
        FILE,
        "Content-Disposition: inline\n",
    ]
)
_bodies = st.sampled_from(
    ["", " \n", MOVE, f"> {OLD}\n\n{MOVE}", "c3RhciBzaG93IDE=", "<p>hi", "\xa0", "--x\n"]
)


def _entity(kind: str, head: str, body: str, inner: list[str], mark: str, closed: bool) -> str:
    start = f"Content-Type: {kind}; boundary={mark}\n{head}\n"
    if not kind.startswith("multipart/"):
        return start + body
    return (
        start
        + "".join(f"\n--{mark}\n{told}" for told in inner)
        + (f"\n--{mark}--\n" if closed else "")
    )


_entities = st.recursive(
    st.builds(_entity, _kinds, _heads, _bodies, st.just([]), st.just("x"), st.booleans()),
    lambda inner: st.builds(
        _entity,
        _kinds,
        _heads,
        _bodies,
        st.lists(inner, max_size=4),
        st.sampled_from("xyz"),
        st.booleans(),
    ),
    max_leaves=20,
)


@settings(max_examples=2 * settings.default.max_examples, deadline=None, derandomize=True)
@given(_entities)
def test_any_structure(entity):
    """Whatever the structure: it is read or refused, and quoted text stays quoted."""
    try:
        inbound = read(b"From: a@b.example\n" + entity.encode(), DOMAIN)
    except Unreadable:
        return
    assert OLD not in inbound.lines
    assert not (inbound.lines and inbound.trouble)
