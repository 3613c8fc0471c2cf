"""Print how often some habits occur in the prose, in 1,000 words: ``python tests/bench/rates.py [FILE...]``.

They betray a text that was thought in another language, or that saves words at the reader's cost. The last columns
are what a page has of three other projects, and what ours should have. Nothing fails because of these numbers.
Without FILE it reads the pages of ``docs/`` (but not the reference, which is made from the program), README.md,
CONTRIBUTING.md, CHANGELOG.md, ``.github/`` and ``tests/README.md``. ``--pages`` prints a line for each page too.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
# The regular expression, the rate of procrastinate, aiosmtpd and Mailman 3, and our goal.
HABITS = {
    "begin": (r"\b(?:begin|begins|began|begun)\b", "0.0 to 0.1", "at most 0.3"),
    "contractions": (r"\w(?:n't|'re|'ve|'ll|'m)\b|\b(?:it|that|there|what|here|let)'s\b", "3 to 9", "at least 4"),
    "of": (r"\bof\b", "12 to 15", "at most 20"),
    "that, which, who": (r"\b(?:that|which|who|whom|whose)\b", "11 to 13", "at most 16"),
    "semicolons": (r";", "0.2 to 3", "at most 4"),
    "you": (r"\b(?:you|your|yours|yourself)\b", "16 to 28", "at least 16"),
    "if you, you can, you want": (r"\bif you\b|\byou (?:can|want|need|have)\b", "6 to 8", ""),
    "says what": (r"\b(?:says?|said) (?:what|how|if|which|so|who|where|when|why)\b", "0.0 to 0.2", ""),
    "what is": (r"\bwhat (?:is|was|are|you|they|it|we|the|no|both)\b", "0.0 to 0.1", ""),
    "letters come": (
        r"\b(?:letters?|answers?|boards?|cop(?:y|ies)|messages?|mail|games?|offers?|pages?|results?|reminders?)"
        r" (?:comes?|goes?|came|went)\b",
        "0.0 to 0.1",
        "",
    ),
    "no ... is": (
        r"(?<=[.!?:] )(?:No|Nobody|Nothing|None) (?:\w+ ){0,3}(?:is|are|was|were|has|have|can|will|may|did)\b",
        "0",
        "",
    ),
    "is to": (
        r"\b(?:is|are|was|were) to (?:move|play|stand|wait|come|go|have|answer|be (?:asked|sent|stored))\b",
        "0 to 0.1",
        "",
    ),
    "that of, those of": (r"\b(?:that|those) of\b", "0 to 0.1", ""),
}  # fmt: skip
PAGES = [
    CHECKOUT / "README.md",
    CHECKOUT / "CONTRIBUTING.md",
    CHECKOUT / "CHANGELOG.md",
    CHECKOUT / "tests" / "README.md",
    *sorted((CHECKOUT / ".github").rglob("*.md")),
    *sorted(
        path
        for path in (CHECKOUT / "docs").rglob("*.md")
        if "reference" not in path.relative_to(CHECKOUT).parts
    ),
]


def prose(text: str) -> str:
    """Return a page of Markdown without blocks and words of code, addresses of links and comments."""
    text = re.sub(r"(?ms)^ *```.*?^ *```$|<!--.*?-->", "", text)
    text = re.sub(r"`[^`]*`|(?<=\])\([^)]*\)|(?m:^\[\w+\]:.*)", " ", text)
    return " ".join(text.split())


def rates(text: str) -> tuple[int, dict[str, float]]:
    """Return how many words of prose there are, and how often each habit occurs in 1,000 of them."""
    words = len(re.findall(r"[\w'-]*[A-Za-z][\w'-]*", text))
    return words, {
        name: 1000 * len(re.findall(habit, text, re.I)) / max(1, words)
        for name, (habit, *_) in HABITS.items()
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("file", nargs="*", type=Path)
    asked = parser.parse_args()
    files = asked.file or PAGES
    words, found = rates("\n".join(prose(path.read_text("utf-8")) for path in files))
    print(f"{words:,} words of prose in {len(files)} pages\n")
    print(f"{'in 1,000 words':28}{'ours':>6}   {'other projects':16}goal")
    for name, (_, peers, goal) in HABITS.items():
        print(f"{name:28}{found[name]:6.1f}   {peers:16}{goal}")
    if asked.pages:
        shown = list(HABITS)[:6]
        print(f"\n{'page':44}{'words':>6}" + "".join(f"{name.split(',')[0]:>13}" for name in shown))
        for path in files:
            words, found = rates(prose(path.read_text("utf-8")))
            name = path.resolve().relative_to(CHECKOUT).as_posix()
            print(f"{name:44}{words:6}" + "".join(f"{found[each]:13.1f}" for each in shown))


if __name__ == "__main__":
    main()
