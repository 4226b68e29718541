"""The rule book: every rule by its id, in every language, with the differences between editions.

    book("es").find("FLIP-4")            the part of the book that says it
    book("en", "mild-wild").to_dict()    the whole book as plain data, in the words of an edition

``index.toml`` holds what is the same in every language, one more file a language the sentences; es-AR says only what
it says otherwise than es.  A rule's text holds for every edition that has no text of its own.  What no printed sheet
states is marked as decided, edition by edition; ``sources.toml`` has the sheet behind every other rule, and a test
compares the two.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from .finding import near_matches, plain

LANGUAGES = ("en", "es", "es-AR")
_SPOKEN_LIKE = {"es-AR": "es"}


@dataclass(frozen=True, slots=True)
class OptionFacts:
    """What an option can be: named values, each with its sentence, or a range of whole numbers."""

    default: str
    values: Mapping[str, str]
    research: Mapping[str, str]  # values that no table offers
    range: tuple[int, int] | None
    editions: Mapping[str, str]  # only those that set it otherwise

    def value_in(self, edition: str) -> str:
        return self.editions.get(edition, self.default)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the printed sheets of some editions leave open, and why it is as it is."""

    text: str
    editions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, or an option under its own name."""

    id: str
    name: str
    text: str
    decided: tuple[Decision, ...]
    editions: Mapping[str, str]  # the text of the editions that have their own
    setting: OptionFacts | None  # of an option
    related: tuple[str, ...]  # the options that change a rule, the rules that an option changes

    def text_in(self, edition: str | None) -> str:
        return self.text if edition is None else self.editions.get(edition, self.text)

    def decided_in(self, edition: str | None) -> tuple[Decision, ...]:
        """The decisions that concern an edition; all of them without one."""
        return tuple(each for each in self.decided if edition is None or edition in each.editions)


@dataclass(frozen=True, slots=True)
class Topic:
    id: str
    title: str
    text: str
    decided: str  # no printed sheet has any of its rules; or nothing
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class CardName:
    id: str
    name: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Book:
    language: str
    edition: str | None  # whose words it uses; None: the usual ones
    title: str
    intro: str
    editions: Mapping[str, str]
    labels: Mapping[str, str]
    topics: tuple[Topic, ...]
    cards: tuple[CardName, ...]

    def rules(self) -> Iterator[Rule]:
        for topic in self.topics:
            yield from topic.rules

    def rule(self, rule_id: str) -> Rule:
        return {rule.id: rule for rule in self.rules()}[rule_id]

    def find(self, query: str) -> tuple[Topic, ...]:
        """The part of the book about a topic, a rule, a family of rules (``OPEN``) or a card, by id or name."""
        wanted = plain(query)
        about = {rule for card in self.cards if wanted in (plain(card.id), plain(card.name)) for rule in card.rules}
        found = []
        for topic in self.topics:
            if wanted in (plain(topic.id), plain(topic.title)):
                found.append(topic)
                continue
            rules = tuple(rule for rule in topic.rules if rule.id in about or wanted in _names(rule))
            if rules:
                found.append(replace(topic, rules=rules))
        return tuple(found)

    def near(self, query: str) -> tuple[str, ...]:
        """What somebody who asked for this may have meant."""
        names = [name for topic in self.topics for name in (topic.id, topic.title)]
        names += [card.name for card in self.cards]
        names += [name for rule in self.rules() for name in (rule.id, rule.name)]
        return near_matches(query, names)

    def to_dict(self) -> dict[str, object]:
        """As JSON tells it."""
        return {
            "language": self.language,
            "edition": self.edition,
            "title": self.title,
            "intro": self.intro,
            "editions": dict(self.editions),
            "labels": dict(self.labels),
            "topics": [
                {
                    "id": topic.id,
                    "title": topic.title,
                    "text": topic.text,
                    "decided": topic.decided or None,
                    "rules": [_rule_dict(r) for r in topic.rules],
                }
                for topic in self.topics
            ],
            "cards": [{"id": card.id, "name": card.name, "rules": list(card.rules)} for card in self.cards],
        }


def _names(rule: Rule) -> set[str]:
    names = {plain(rule.id), plain(rule.name)}
    if rule.setting is None:
        names.add(plain(rule.id.split("-")[0]))
    return names


def _rule_dict(rule: Rule) -> dict[str, object]:
    setting = rule.setting
    return {
        "id": rule.id,
        "name": rule.name,
        "text": rule.text,
        "decided": [{"text": each.text, "editions": list(each.editions)} for each in rule.decided],
        "editions": dict(rule.editions),
        "setting": setting
        and {
            "default": setting.default,
            "values": dict(setting.values),
            "research": dict(setting.research),
            "range": setting.range and list(setting.range),
            "editions": dict(setting.editions),
        },
        "related": list(rule.related),
    }


# ---------------------------------------------------------------- reading the files
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


_INDEX = _read("index")
EDITIONS: tuple[str, ...] = tuple(_INDEX["editions"])
EVERY = "every"  # edition


def rule_ids() -> tuple[str, ...]:
    """The ids of all rules and options, in the order of the book."""
    return tuple(rule_id for rules in _INDEX["topics"].values() for rule_id in rules)


@cache
def book(language: str, edition: str | None = None) -> Book:
    """The book in a language; with an edition, in the words of that edition (Mild and Wild for the sides)."""
    if language not in LANGUAGES:
        raise ValueError(f"There is no rule book in {language!r}; there are {', '.join(LANGUAGES)}.")
    if edition is not None and edition not in EDITIONS:
        raise ValueError(f"There is no edition {edition!r}; there are {', '.join(EDITIONS)}.")
    source = _read(language)
    if language in _SPOKEN_LIKE:
        source = _overlaid(_read(_SPOKEN_LIKE[language]), source)
    say = _Words(source)
    return Book(
        language=language,
        edition=edition,
        title=say(source["title"], edition),
        intro=say(source["intro"], edition),
        editions={name: say(source["editions"][name], None) for name in EDITIONS},
        labels=source["labels"],
        topics=tuple(
            Topic(
                topic,
                say(source["topics"][topic]["title"], edition),
                say(source["topics"][topic].get("text", ""), edition),
                say(source["topics"][topic].get("decided", ""), edition),
                tuple(_rule(rule_id, source["rules"][rule_id], say, edition) for rule_id in rules),
            )
            for topic, rules in _INDEX["topics"].items()
        ),
        cards=tuple(
            CardName(card, say(source["cards"][card], edition), tuple(rules)) for card, rules in _INDEX["cards"].items()
        ),
    )


class _Words:
    """Fills in the words that a country or an edition says its own way, and undoes the line breaks of the file."""

    def __init__(self, source: dict[str, Any]) -> None:
        self.usual: dict[str, str] = source["words"]
        self.of_editions: dict[str, dict[str, str]] = source.get("edition_words", {})

    def __call__(self, text: str, edition: str | None) -> str:
        own = self.of_editions.get(edition, {}) if edition else {}
        return " ".join(text.format_map(self.usual | own).split())


def _rule(rule_id: str, entry: dict[str, Any], say: _Words, edition: str | None) -> Rule:
    options = _INDEX["options"]
    setting = None
    if rule_id in options:
        facts = options[rule_id]
        values, research = (
            {value: say(entry["values"][value], edition) for value in facts.get(kind, ())}
            for kind in ("values", "research")
        )
        low_high = (facts["range"][0], facts["range"][1]) if "range" in facts else None
        setting = OptionFacts(facts["default"], values, research, low_high, facts.get("editions", {}))
        related = tuple(facts["rules"])
    else:
        related = tuple(name for name in rule_ids() if name in options and rule_id in options[name]["rules"])
    return Rule(
        rule_id,
        say(entry["name"], edition),
        say(entry["text"], edition),
        _decisions(entry.get("decided", {}), say, edition),
        {name: say(entry[name], name) for name in EDITIONS if name in entry},
        setting,
        related,
    )


def _decisions(decided: str | dict[str, str], say: _Words, edition: str | None) -> tuple[Decision, ...]:
    """One text for every edition, or texts by the editions they concern: ``"classic splash" = …``."""
    found = []
    for key, text in ({EVERY: decided} if isinstance(decided, str) else decided).items():
        concerned = EDITIONS if key == EVERY else tuple(key.split())
        words_of = concerned[0] if len(concerned) == 1 else edition
        found.append(Decision(say(text, words_of), concerned))
    return tuple(found)


def _overlaid(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    both = dict(base)
    for key, value in own.items():
        both[key] = _overlaid(base.get(key, {}), value) if isinstance(value, dict) else value
    return both
