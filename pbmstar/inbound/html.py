"""The text of an HTML mail, for mails that have no other text.

Only what its writer saw and wrote: what is hidden is left out, and so are the containers in which the
mail programs of the world put what they quote. In place of a quote stands a line ``>``.
"""

from __future__ import annotations

import re

from lxml import etree

_CHUNK = 4_096  # bytes fed to the parser at a time
_NODES = 30_000  # tags and texts; beyond that the rest is not read
_DEPTH = 250  # elements in elements; beyond that the rest is not read

_LEFT_OUT = frozenset(
    "head script style title template noscript svg math object iframe select textarea".split()
)
_BLOCKS = frozenset(
    "address article aside body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li "
    "main nav ol p pre section table tbody tfoot thead tr ul".split()
)
_QUOTES = frozenset(  # classes and ids of quotes and of what stands above them
    "gmail_quote gmail_quote_container gmail_attr gmail_extra protonmail_quote yahoo_quoted yahoo-quoted "
    "tutanota_quote zmail_extra moz-forward-container outlookmessageheader olk_src_body_section "
    "mail-editor-reference-message-container ms-outlook-mobile-reference-message reply-intro "
    "messagereplysection isforwardcontent qt __headers__ __quoted_text__".split()
)
_DROPPED = frozenset(  # of signatures, and of attributions above a quote that has a form of its own
    "moz-cite-prefix moz-signature gmail_signature gmail_signature_prefix applemailsignature signature "
    "ms-outlook-mobile-signature protonmail_signature_block ymail_android_signature".split()
)
_ENDS = frozenset(
    "divrplyfwdmsg appendonsend stopspelling replysplit".split()
)  # all below is quoted
_HIDDEN = re.compile(r"(?:display:none|visibility:hidden|mso-hide:all)")
_SPACES = re.compile(r"[ \t\n\r\f]+")


def extract(markup: str) -> str:
    """The visible text, block by block in lines; "" if there is none. Never raises."""
    page = _Page()
    parser = etree.HTMLParser(target=page, encoding="utf-8", no_network=True)
    data = markup.encode("utf-8", "ignore")
    try:
        for at in range(0, len(data), _CHUNK):
            parser.feed(data[at : at + _CHUNK])
            if page.over:
                break
        else:
            parser.close()
    except etree.LxmlError:
        pass  # what was read so far counts
    return page.text()


class _Page:
    """Takes the parser's events. No tree is built: that takes quadratic time for hostile attributes."""

    def __init__(self) -> None:
        self.over = False
        self.nodes = 0
        self.depth = 0
        self.skipped_at = 0  # the depth of the element that is being left out, or 0
        self.pre_at = 0  # the depth of the element whose line ends count, or 0
        self.pieces: list[str] = []
        self.fresh = True  # nothing stands in the current line

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.nodes += 1
        if self.nodes > _NODES or self.depth > _DEPTH:
            self.over = True
        if self.over or self.skipped_at:
            return
        style = attributes.get("style", "").lower().replace(" ", "") if attributes else ""
        if tag in _LEFT_OUT or "hidden" in attributes or (style and _HIDDEN.search(style)):
            self.skipped_at = self.depth
            return
        names = _names(attributes) if attributes else frozenset()
        if names & _ENDS:
            self.over = True
        elif tag == "blockquote" or names & _QUOTES:
            self.skipped_at = self.depth
            self._line_end()
            self.pieces.append(">\n")
        elif names & _DROPPED:
            self.skipped_at = self.depth
        elif tag == "br":
            self.pieces.append("\n")
            self.fresh = True
        elif tag in _BLOCKS:
            self._line_end()
            if not self.pre_at and (tag == "pre" or "white-space:pre" in style):
                self.pre_at = self.depth
        elif tag in ("td", "th"):
            self.pieces.append(" ")

    def end(self, tag: str) -> None:
        self.nodes += 1
        if self.skipped_at == self.depth:
            self.skipped_at = 0
        if self.pre_at == self.depth:
            self.pre_at = 0
        self.depth -= 1
        if not self.skipped_at and not self.over and tag in _BLOCKS:
            self._line_end()

    def data(self, data: str) -> None:
        self.nodes += 1
        if self.over or self.skipped_at:
            return
        if not self.pre_at:
            text = _SPACES.sub(" ", text)
            if self.fresh:
                text = text.lstrip(" ")
        if text:
            self.pieces.append(text)
            self.fresh = text.endswith("\n")

    def close(self) -> None:
        """Called by the parser at the end."""

    def text(self) -> str:
        return "".join(self.pieces)

    def _line_end(self) -> None:
        if not self.fresh:
            self.pieces.append("\n")
            self.fresh = True


def _names(attributes: dict[str, str]) -> frozenset[str]:
    """Class names and ids, without the ``x_`` that Outlook puts before them in what it passes on."""
    told = " ".join(attributes.get(name, "") for name in ("class", "id", "name", "data-marker"))
    return frozenset(name.removeprefix("x_").lower() for name in told[:500].split())
