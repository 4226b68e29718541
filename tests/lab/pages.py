"""Reading a report as a browser would: is it well-formed, and what would it fetch?"""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

_VOID = {"meta", "br", "img", "link", "input", "hr"}
_FETCH = {"src", "href", "xlink:href", "data", "srcset", "poster", "action"}


class Page(HTMLParser):
    """Parses a page and fails at the first tag that is not closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.fetched: list[str] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            if name in _FETCH and not (value or "").startswith("#"):
                self.fetched.append(value or "")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())
