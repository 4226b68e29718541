"""``flipdeck rules``: the rule book in the terminal and as a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flipdeck.cli import main
from flipdeck.cli.rules import anchor
from flipdeck.i18n.rulebook import EDITIONS, LANGUAGES, book, rule_ids

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
REGENERATE = "docs/rules.md is out of date: run  flipdeck rules --markdown --lang en > docs/rules.md"


@pytest.fixture(autouse=True)
def english_terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def ids_in(text: str) -> list[str]:
    """The ids that begin a line, in order."""
    known = set(rule_ids())
    return [line.split("  ")[0] for line in text.splitlines() if line.split("  ")[0] in known]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_topic_the_whole_book_is_shown(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--lang", language)
    assert text.startswith(book(language).title)
    assert ids_in(text) == list(rule_ids())


@pytest.mark.parametrize(("columns", "widest"), [("20", 40), ("60", 60), ("100", 100), ("300", 100)])
def test_lines_fit_the_terminal_and_are_never_longer_than_100(
    columns: str, widest: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    lines = shown(capsys, "DECK-1").splitlines()
    assert max(map(len, lines)) <= widest
    assert max(map(len, lines)) > widest - 15


def test_a_topic_shows_its_rules_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert ids_in(shown(capsys, "challenge")) == [f"CHAL-{number}" for number in range(1, 7)]


def test_an_id_shows_one_rule_with_every_deviation_marked(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "flip-4")
    assert ids_in(text) == ["FLIP-4"]
    assert "    → splash: When the dark side comes up" in text
    assert "    Decided (classic): The sheet doesn't say who calls." in text
    assert "    Decided (splash): The sheet contradicts itself" in text
    assert "    Options: wild_after_flip_to_dark, wild_after_flip_to_light" in text


def test_an_edition_shows_its_own_sentence_and_who_plays_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    splash = shown(capsys, "ACT-8", "--edition", "splash")
    assert "is shown to everyone" in splash
    assert "→ Differs in: classic, mild-wild" in splash
    classic = shown(capsys, "ACT-8", "--edition", "classic")
    assert "is not shown" in classic
    assert "→ Differs in: splash, argentina" in classic


def test_an_edition_shows_its_own_decisions_alone(capsys: pytest.CaptureFixture[str]) -> None:
    splash = shown(capsys, "FLIP-4", "--edition", "splash")
    assert "    Decided: The sheet contradicts itself" in splash
    assert splash.count("Decided") == 1
    assert "Decided" not in shown(capsys, "FLIP-4", "--edition", "argentina")
    assert "    Decided: No sheet says who deals next." in shown(capsys, "DEALER-2")


def test_a_topic_that_no_sheet_has_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nDecided: No printed edition has any of this.\n" in shown(capsys, "research")
    assert "\n**Decided:** No printed edition has any of this.\n" in shown(capsys, "research", "--markdown")


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_shows_the_whole_book_in_its_words(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--edition", edition)
    assert ids_in(text) == list(rule_ids())
    assert ("Mild face" in text) == (edition == "mild-wild")
    assert "→ Differs in: " in text


def test_an_option_shows_its_values_its_default_and_who_sets_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "catch_window")
    assert "    next_turn (default): " in text
    assert "    while_one_card: " in text
    assert "    → argentina: while_one_card" in text
    assert "    → argentina: while_one_card" in shown(capsys, "catch_window", "--edition", "argentina")
    assert "    → Differs in: argentina" in shown(capsys, "catch_window", "--edition", "classic")


def test_a_number_shows_its_range_as_the_language_writes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a whole number from 1 to 1,000,000; 500 by default" in shown(capsys, "target")
    assert "de 1 a 1.000.000;" in shown(capsys, "target", "--lang", "es-AR")


def test_a_card_of_several_words_needs_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "wild", "draw", "two")
    assert text == shown(capsys, "Wild Draw Two")
    assert "ACT-6" in ids_in(text)


def test_an_unknown_topic_is_one_sentence_with_near_matches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chalenge"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("flipdeck rules: There is no topic or rule 'chalenge'; did you mean challenge, ")
    assert err.endswith("?\n")
    assert err.count("\n") == 1


def test_an_unknown_topic_with_nothing_near_names_the_topics(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--lang", "es", "qqqqqq"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("flipdeck rules: No hay ningún tema, regla ni carta 'qqqqqq'; los temas son deck, setting-up")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--edition", "deluxe"], ["--lang", "fr"], ["--nonsense"]])
def test_a_bad_argument_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", *arguments]) == 2
    assert arguments[-1] in capsys.readouterr().err


def test_the_language_of_the_environment_is_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "es_AR.UTF-8")
    assert "mazo" in shown(capsys, "DEAL-1")
    assert "draw pile" in shown(capsys, "DEAL-1", "--lang", "en")


def test_the_page_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert PAGE.exists(), REGENERATE
    assert shown(capsys, "--markdown", "--lang", "en") == PAGE.read_text(encoding="utf-8"), REGENERATE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_the_page_leads_to_a_heading(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = shown(capsys, "--markdown", "--lang", language)
    headings = [anchor(heading) for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE)]
    links = re.findall(r"\]\(#(.*?)\)", page)
    assert len(links) == len(book(language).topics)
    assert set(links) <= set(headings)
    assert len(headings) == len(set(headings))
    assert len(re.findall(r"^### ", page, re.MULTILINE)) == len(rule_ids())


def test_one_topic_as_markdown_has_no_front_matter(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "--markdown", "pairing").startswith("## Options\n")


def test_the_help_describes_the_command_and_gives_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["rules", "--help"])
    assert exit_.value.code == 0
    out = capsys.readouterr().out
    assert "Print the rule book:" in out
    assert "flipdeck rules FLIP-4 --edition splash" in out
