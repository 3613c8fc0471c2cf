"""The text of an HTML mail, for messages that have no other text.

Hidden text is left out, and so are the containers in which mail programs put quotes. A line ``>`` stands
in place of a quote.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, cast

from lxml import etree

_CHUNK = 4_096  # bytes fed to the parser at a time
_NODES = 30_000  # starts, ends and texts; beyond that the rest is not read
_DEPTH = 250  # elements in elements; beyond that the rest is not read

# fmt: off
_LEFT_OUT = frozenset((
    "head", "title", "style", "script", "template", "noscript", "iframe", "object", "svg", "math",
    "select", "textarea",
))
_BLOCKS = frozenset((
    "address", "article", "aside", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol",
    "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))
# fmt: on

_QUOTE, _DROP, _END = "quote", "drop", "end"  # a quote; not the writer's words; all below is quoted
_CONTAINERS = {  # by class, id, name or data-marker, in lower case
    "gmail_quote": _QUOTE,
    "gmail_quote_container": _QUOTE,
    "gmail_extra": _QUOTE,
    "gmail_attr": _DROP,
    "gmail_signature": _DROP,
    "gmail_signature_prefix": _DROP,
    "divrplyfwdmsg": _END,  # Outlook
    "appendonsend": _END,
    "mail-editor-reference-message-container": _QUOTE,
    "ms-outlook-mobile-reference-message": _QUOTE,
    "ms-outlook-mobile-signature": _DROP,
    "signature": _DROP,
    "outlookmessageheader": _END,
    "olk_src_body_section": _QUOTE,
    "stopspelling": _END,  # Hotmail
    "applemailsignature": _DROP,
    "moz-cite-prefix": _DROP,  # Thunderbird: the quote itself is a blockquote, one may write below
    "moz-forward-container": _END,
    "moz-signature": _DROP,
    "protonmail_quote": _QUOTE,
    "protonmail_signature_block": _DROP,
    "yahoo_quoted": _QUOTE,
    "ymail_android_signature": _DROP,
    "tutanota_quote": _QUOTE,
    "zmail_extra": _QUOTE,  # Zoho
    "__headers__": _END,  # Zimbra
    "__quoted_text__": _QUOTE,
    "reply-intro": _DROP,  # Roundcube
    "messagereplysection": _QUOTE,  # Spark
    "isforwardcontent": _QUOTE,  # NetEase
}
# What Outlook draws above the mail that it answers, in any language.
_LINE_ABOVE = re.compile(
    r"border-top:(?:solid(?:#e1e1e1|#b5c4df)1\.0pt|1(?:\.0)?ptsolid(?:#e1e1e1|#b5c4df|rgb\((?:225,225,225|181,196,223)\)))"
)
_HIDDEN = re.compile(r"display:none|visibility:hidden|mso-hide:all")
_SPACES = re.compile(r"[ \t\n\r\f]+")


def extract(markup: str) -> str:
    """Return the visible text, block by block in lines; "" if there is none. Never raises.

    It runs in this process: ``mime.HTML`` bytes of the worst markup known take 60 ms at most, and the
    interpreter is free between two chunks.
    """
    page = _Extractor()
    # The type that the stubs ask for takes bytes too, which the parser never hands over.
    parser = etree.HTMLParser(target=cast(Any, page), encoding="utf-8", no_network=True)
    data = markup.encode("utf-8", "ignore")
    with suppress(etree.LxmlError):  # the text up to here counts
        for at in range(0, len(data), _CHUNK):
            parser.feed(data[at : at + _CHUNK])
            if page.over:
                break
        else:
            parser.close()
    return "".join(page.pieces)


class _Extractor:
    """A target for the parser's events.

    It builds no tree: for hostile attributes that takes quadratic time, and we need none.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.over = False  # nothing more is read
        self._fresh = True  # nothing stands in the current line
        self._nodes = 0
        self._depth = 0
        self._skipped_at = 0  # the depth of the element that is being left out, or 0
        self._pre_at = 0  # the depth of the element whose line ends count, or 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEPTH:
            self.over = True
        if self._ignores():
            return
        what, preformatted = _look(attributes) if attributes else ("", False)
        if what == _END or (tag == "hr" and attributes.get("tabindex") == "-1"):
            self.over = True
        elif tag == "blockquote" or what == _QUOTE:
            self._skipped_at = self._depth
            self._end_line()
            self.pieces.append(">\n")
        elif what == _DROP or tag in _LEFT_OUT:
            self._skipped_at = self._depth
        elif tag == "br":
            self.pieces.append("\n")
            self._fresh = True
        elif tag in _BLOCKS:
            self._end_line()
            if not self._pre_at and (preformatted or tag == "pre"):
                self._pre_at = self._depth
        elif tag in ("td", "th") and not self._fresh:
            self.pieces.append(" ")

    def end(self, tag: str) -> None:
        if self._skipped_at == self._depth:
            self._skipped_at = 0
        if self._pre_at == self._depth:
            self._pre_at = 0
        self._depth -= 1
        if not self._ignores() and tag in _BLOCKS:
            self._end_line()

    def data(self, data: str) -> None:
        if self._ignores():
            return
        data = data.replace("\v", "")  # no character of HTML, and no blank to a browser
        if not self._pre_at:
            data = _SPACES.sub(" ", data)
            if self._fresh:
                data = data.lstrip(" ")
        if data:
            self.pieces.append(data)
            self._fresh = data.endswith("\n")

    def close(self) -> None:
        """Do nothing; the parser calls this at the end."""

    def _ignores(self) -> bool:
        """Count an event. Return True if it is left out, or one of too many."""
        self._nodes += 1
        if self._nodes > _NODES:
            self.over = True
        return self.over or self._skipped_at > 0

    def _end_line(self) -> None:
        if not self._fresh:
            self.pieces.append("\n")
            self._fresh = True


def _look(attributes: dict[str, str]) -> tuple[str, bool]:
    """Return the meaning of an element's attributes by the table, and True if its line ends count."""
    style = attributes.get("style", "").lower().replace(" ", "")
    if "hidden" in attributes or _HIDDEN.search(style):
        return _DROP, False
    if _LINE_ABOVE.search(style):
        return _END, False
    for key in ("class", "id", "name", "data-marker"):
        for name in attributes.get(key, "")[:500].lower().split():
            what = _CONTAINERS.get(name.removeprefix("x_"))  # Outlook's mark on messages passed on
            if what:
                return what, False
    return "", "white-space:pre" in style
