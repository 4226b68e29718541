"""The page about observations is the one that their declaration gives."""

from __future__ import annotations

from flipdeck.envs.columns import FLAT, Layout
from flipdeck.envs.documents import PAGE, page


def test_the_page_is_written_from_the_declaration() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m flipdeck.envs.documents"


def test_every_column_has_its_own_name() -> None:
    for players in (2, 4, 10):
        layout = Layout(FLAT, players)
        assert len(set(layout.labels)) == len(layout.labels) == len(layout.highs) == layout.width
    assert Layout(FLAT, 2).labels[Layout(FLAT, 2).slice_of("backs").start] == "backs[1, a1]"
