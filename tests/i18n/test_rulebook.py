"""The rule book says the same in every language, and about the options what the code does."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import Field, fields
from importlib.resources import files
from typing import Any

import pytest

from flipdeck.core import editions
from flipdeck.core.options import MINI_HAND, MINI_MOVES, Options, text_of_option
from flipdeck.core.pairing import MINI_PAIRS
from flipdeck.i18n import rulebook
from flipdeck.i18n.rulebook import EDITIONS, EVERY, LANGUAGES, OptionFacts, Rule, book, rule_ids

FAMILIES = {
    "DECK": 6,
    "DEALER": 2,
    "DEAL": 1,
    "OPEN": 7,
    "TURN": 4,
    "ACT": 10,
    "CHAL": 6,
    "FLIP": 4,
    "UNO": 7,
    "END": 8,
    "PILE": 4,
    "SEE": 8,
}
TOPICS = ["deck", "setting-up", "turn", "action-cards", "challenge", "flip", "uno", "ending", "piles", "seeing"]
TOPICS += ["house-rules", "options", "research"]
SPECS = {spec.name: spec for spec in fields(Options)}


def source(name: str) -> dict[str, Any]:
    return tomllib.loads(files(rulebook).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def leaves(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a file with the path to it."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}/{key}")
        else:
            yield f"{path}/{key}", value


def texts_of(rule: Rule) -> list[str]:
    setting = [*rule.setting.values.values(), *rule.setting.research.values()] if rule.setting else []
    decided = [decision.text for decision in rule.decided]
    return [rule.name, rule.text, *decided, *rule.editions.values(), *setting]


# ---------------------------------------------------------------- completeness
def test_the_book_has_every_rule_and_every_option_once() -> None:
    rules = {f"{family}-{number}" for family, count in FAMILIES.items() for number in range(1, count + 1)}
    assert set(rule_ids()) == rules | {"OPEN-6b"} | set(SPECS)
    assert len(rule_ids()) == len(set(rule_ids()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_topics_and_rules_in_the_same_order(language: str) -> None:
    assert [topic.id for topic in book(language).topics] == TOPICS
    assert tuple(rule.id for rule in book(language).rules()) == rule_ids()


def test_spanish_says_all_that_english_says_and_no_more() -> None:
    language_free = {path for path, _ in leaves(source("en")) if not path.startswith(("/words", "/edition_words"))}
    assert {path for path, _ in leaves(source("es")) if not path.startswith("/words")} == language_free


def test_argentine_spanish_only_holds_what_it_says_otherwise() -> None:
    spanish = dict(leaves(source("es")))
    for path, text in leaves(source("es-AR")):
        assert path in spanish, f"{path} is not in es.toml"
        assert text != spanish[path], f"{path} is the same as in es.toml"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_deviation_of_english_is_in_every_language(language: str) -> None:
    for rule in book("en").rules():
        other = book(language).rule(rule.id)
        assert list(other.editions) == list(rule.editions)
        assert [decision.editions for decision in other.decided] == [decision.editions for decision in rule.decided]


def test_the_files_hold_no_rule_and_no_key_that_the_book_does_not_show() -> None:
    entries = source("en")["rules"]
    assert set(entries) == set(rule_ids())
    for rule_id, entry in entries.items():
        assert set(entry) <= {"name", "text", "decided", "values", *EDITIONS}
        assert is_by_editions(entry.get("decided", "")), rule_id
        facts = source("index")["options"].get(rule_id, {})
        assert set(entry.get("values", ())) == {*facts.get("values", ()), *facts.get("research", ())}


def is_by_editions(decided: str | dict[str, str]) -> bool:
    """One text for all, or one for every edition or for some of them, in the order of the book."""
    if isinstance(decided, str):
        return True
    named = [tuple(key.split()) for key in decided if key != EVERY]
    return all(names == tuple(edition for edition in EDITIONS if edition in names) for names in named)


def test_every_reference_of_the_index_is_a_rule_of_the_book() -> None:
    index = source("index")
    referred = [rule for rules in index["cards"].values() for rule in rules]
    referred += [rule for option in index["options"].values() for rule in option["rules"]]
    assert set(referred) <= set(rule_ids())
    assert set(index["options"]) == set(SPECS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_named_in_a_sentence_exists(language: str) -> None:
    for rule in book(language).rules():
        for text in texts_of(rule):
            assert set(re.findall(r"\b[A-Z]+-\d+b?", text)) <= set(rule_ids())
            for option, value in re.findall(r"\b(\w+)=(\w+)", text):
                setting = book(language).rule(option).setting
                assert setting
                assert value in {*setting.values, *setting.research}


# ---------------------------------------------------------------- decisions
@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_its_own_decisions(edition: str) -> None:
    wild_on_top = book("en", edition).rule("FLIP-4").decided_in(edition)
    assert len(wild_on_top) == (1 if edition in ("classic", "splash") else 0)
    assert [each.editions for each in wild_on_top] == [(edition,)] * len(wild_on_top)
    no_color = "If a wild shows on top, nobody needs to call a color any more."
    last_flip = [each.text for each in book("en", edition).rule("END-3").decided_in(edition)]
    assert last_flip[-1] == no_color
    assert len(last_flip) == (1 if edition == "argentina" else 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_readings_of_the_splash_sheet_are_told_with_their_options(language: str) -> None:
    (decision,) = book(language).rule("FLIP-4").decided_in("splash")
    assert "wild_after_flip_to_dark=next" in decision.text
    assert "wild_after_flip_to_light=flipper" in decision.text


def test_a_decision_about_one_edition_has_its_words() -> None:
    everywhere = " ".join(each.text for rule in book("en").rules() for each in rule.decided_in("mild-wild"))
    assert not re.search(r"\b(light|dark)\b", everywhere.replace("wild_after_flip_to_dark", ""), re.IGNORECASE)


# ---------------------------------------------------------------- the mini deck
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mini_deck_is_the_one_that_is_dealt(language: str) -> None:
    pairs = [entry.split(": ") for entry in MINI_PAIRS.split("; ")]
    text = book(language).rule("DECK-6").text
    assert re.findall(r"\S+/[^\s,.]+", text) == [f"{light}/{dark}" for light, dark in pairs]
    assert f" {len(pairs)} " in text
    assert str(MINI_MOVES) in text
    assert str(MINI_HAND) in text


def test_what_is_for_research_is_in_its_topic_and_on_no_other_list() -> None:
    topics = {topic.id: [rule.id for rule in topic.rules] for topic in book("en").topics}
    research = [name for name, spec in SPECS.items() if spec.metadata.get("research") is True]
    assert topics["research"] == ["DECK-6", *research]


# ---------------------------------------------------------------- words
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", [None, *EDITIONS])
def test_every_placeholder_is_filled_in_and_no_text_is_missing(language: str, edition: str | None) -> None:
    shown = book(language, edition)
    for rule in shown.rules():
        assert rule.name
        assert rule.text
        assert not any(re.search(r"[{}\n]|  ", text) for text in texts_of(rule)), rule.id
        assert not any("!" in text for text in texts_of(rule)), f"{rule.id} shouts"
    assert not any(re.search(r"[{}]", card.name) for card in shown.cards)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_language_is_used(language: str) -> None:
    everything = " ".join(text for _, text in leaves(source("es" if language == "es-AR" else language)))
    for word in source(language)["words"]:
        assert f"{{{word}}}" in everything


def test_mild_wild_calls_the_sides_mild_and_wild_in_english() -> None:
    assert "a Mild face and a Wild face" in book("en", "mild-wild").rule("DECK-1").text
    assert "a light face and a dark face" in book("en", "classic").rule("DECK-1").text
    for rule in book("en", "mild-wild").rules():
        assert not re.search(r"\b(light|dark)\b", rule.text_in("mild-wild"), re.IGNORECASE), rule.id


def test_spanish_and_argentine_spanish_have_their_own_names_for_things() -> None:
    spanish, argentine = (json.dumps(book(lang).to_dict(), ensure_ascii=False) for lang in ("es", "es-AR"))
    for word in (
        "pila para tomar",
        "pila para tirar",
        "rosa",
        "verde azulado",
        "anaranjado",
        "morado",
        "Comodín Toma 2",
    ):
        assert word in spanish
        assert word not in argentine
    for word in ("mazo", "pila de descarte", "fucsia", "turquesa", "naranja,", "violeta", "Comodín Toma dos"):
        assert word not in spanish
    for word in ("el mazo", "pila de descarte", "fucsia", "turquesa", "naranja", "violeta", "Comodín Toma dos"):
        assert word in argentine


# ---------------------------------------------------------------- the options, against the code
def test_the_editions_of_the_book_are_the_editions_of_the_game() -> None:
    assert EDITIONS == editions.NAMES
    assert set(book("en").editions) == set(editions.NAMES)


def setting_of(name: str) -> OptionFacts:
    setting = book("en").rule(name).setting
    assert setting is not None
    return setting


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_an_option_has_its_true_default_and_choices(spec: Field[Any]) -> None:
    setting = setting_of(spec.name)
    assert setting.default == text_of_option(spec.default)
    assert setting.range == spec.metadata.get("range")
    if "choices" in spec.metadata:
        assert [*setting.values, *setting.research] == [str(choice) for choice in spec.metadata["choices"]]
        assert list(setting.research) == [str(choice) for choice in spec.metadata["research"]]
    elif "switch" in spec.metadata:
        assert set(setting.values) == {"on", "off"}


@pytest.mark.parametrize("edition", editions.NAMES)
@pytest.mark.parametrize("name", SPECS)
def test_an_option_has_the_value_that_the_edition_sets(name: str, edition: str) -> None:
    true_value = text_of_option(getattr(editions.edition(edition).options, name))
    assert setting_of(name).value_in(edition) == true_value
    assert (edition in setting_of(name).editions) == (true_value != setting_of(name).default)


def test_a_rule_deviates_only_where_an_option_it_names_is_set_otherwise() -> None:
    for rule in book("en").rules():
        if rule.setting is None:
            set_otherwise = {edition for option in rule.related for edition in setting_of(option).editions}
            # END-2 is only worded more widely: a Skip as the last card changes nothing that counts
            assert set(rule.editions) <= set_otherwise | ({"argentina"} if rule.id == "END-2" else set()), rule.id


def test_an_option_that_an_edition_sets_shows_in_the_text_of_a_rule() -> None:
    for name in SPECS:
        for edition in setting_of(name).editions:
            assert any(edition in book("en").rule(rule_id).editions for rule_id in book("en").rule(name).related)


# ---------------------------------------------------------------- finding
def found(query: str, language: str = "en") -> list[str]:
    return [rule.id for topic in book(language).find(query) for rule in topic.rules]


@pytest.mark.parametrize("query", ["FLIP-4", "flip-4", "flip 4", "A wild shows on top"])
def test_a_rule_is_found_by_id_or_name_in_any_case(query: str) -> None:
    assert found(query) == ["FLIP-4"]


def test_a_topic_is_found_by_id_or_title_and_a_family_by_its_first_letters() -> None:
    assert found("house-rules") == found("House Rules")
    assert found("piles") == found("PILE") == ["PILE-1", "PILE-2", "PILE-3", "PILE-4"]
    assert found("open")[0] == "OPEN-1"
    assert "DEALER-1" not in found("open")


def test_a_name_shared_by_a_topic_and_an_option_finds_both() -> None:
    assert found("deck") == ["DECK-1", "DECK-2", "DECK-3", "DECK-4", "DECK-5", "deck", "DECK-6"]


def test_a_card_finds_the_rules_that_concern_it_in_every_language() -> None:
    assert {"DECK-3", "OPEN-6", "ACT-6", "CHAL-5", "END-4"} <= set(found("wild draw two"))
    assert found("comodin toma 2", "es") == found("Comodín Toma dos", "es-AR") == found("wild draw two")
    assert {"FLIP-1", "OPEN-6b", "END-3"} <= set(found("flip"))


def test_what_is_not_there_finds_nothing_and_offers_what_is_near() -> None:
    assert found("chalenge") == []
    assert "challenge" in book("en").near("chalenge")
    assert book("en").near("qqqqqq") == ()


# ---------------------------------------------------------------- as data
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_book_as_data_is_json_and_holds_every_rule(language: str) -> None:
    data = book(language).to_dict()
    assert json.loads(json.dumps(data)) == data
    topics = data["topics"]
    assert isinstance(topics, list)
    assert [rule["id"] for topic in topics for rule in topic["rules"]] == list(rule_ids())


def test_a_language_or_edition_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="fr"):
        book("fr")
    with pytest.raises(ValueError, match="deluxe"):
        book("en", "deluxe")
