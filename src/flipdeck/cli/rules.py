"""Print the rule book: all of it, one topic, one rule by its id, or the rules about a card."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from ..i18n import language_of_environment
from ..i18n.rulebook import EDITIONS, LANGUAGES, Book, Decision, OptionFacts, Rule, Topic, book
from . import OK, CommandError

EXAMPLE = """\
examples:
  flipdeck rules
  flipdeck rules challenge
  flipdeck rules FLIP-4 --edition splash
  flipdeck rules wild draw two
  flipdeck rules --lang es-AR uno
"""
NARROWEST, WIDEST = 40, 100
ARROW = "→"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="*", metavar="TOPIC", help="a topic, the id of a rule, an option or a card")
    parser.add_argument("--edition", choices=EDITIONS, help="of one edition (default: all four, with differences)")
    parser.add_argument("--lang", choices=LANGUAGES, help="language (default: that of the environment)")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")


def run(args: argparse.Namespace) -> int:
    rules = book(args.lang or language_of_environment(), args.edition)
    query = " ".join(args.topic).strip()
    topics = rules.find(query) if query else rules.topics
    if not topics:
        raise CommandError(not_found(rules, query))
    if args.markdown:
        print("\n".join(as_markdown(rules, topics, whole=not query)))
    else:
        print("\n".join(as_text(rules, topics, terminal_width(), whole=not query)))
    return OK


def terminal_width() -> int:
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def not_found(rules: Book, query: str) -> str:
    near = rules.near(query)
    if not near:
        return rules.labels["unknown"].format(query=query, topics=", ".join(topic.id for topic in rules.topics))
    *others, last = near
    offer = f"{', '.join(others)} {rules.labels['or']} {last}" if others else last
    return rules.labels["near"].format(query=query, near=offer)


# ---------------------------------------------------------------- what is said below a rule
def notes(rules: Book, rule: Rule) -> Iterator[tuple[str, str]]:
    """Values, deviations of editions, decisions and related rules: a label and a text each."""
    if rule.setting:
        yield from values(rules, rule.setting)
        yield from deviations(rules, rule.setting.default, rule.setting.editions, in_text=False)
    else:
        yield from deviations(rules, rule.text, rule.editions, in_text=True)
    for decision in rule.decided_in(rules.edition):
        yield decided_label(rules, decision), decision.text
    if rule.related:
        yield rules.labels["rules" if rule.setting else "options"], ", ".join(rule.related)


def decided_label(rules: Book, decision: Decision) -> str:
    """With the editions it concerns, unless that is every one, or the one that is shown."""
    label = rules.labels["decided"]
    if rules.edition is not None or decision.editions == EDITIONS:
        return label
    return f"{label} ({', '.join(decision.editions)})"


def values(rules: Book, setting: OptionFacts) -> Iterator[tuple[str, str]]:
    if setting.range:
        low, high = (f"{number:,}".replace(",", rules.labels["thousands"]) for number in setting.range)
        yield rules.labels["values"], rules.labels["range"].format(low=low, high=high, default=setting.default)
    for value, what in setting.values.items():
        yield f"{value} ({rules.labels['default']})" if value == setting.default else value, what
    for value, what in setting.research.items():
        yield f"{value} ({rules.labels['research']})", what


def deviations(rules: Book, usual: str, own: Mapping[str, str], *, in_text: bool) -> Iterator[tuple[str, str]]:
    """Without an edition: what each one has of its own.  With one: which others are not like it."""
    if rules.edition is None:
        for edition, what in own.items():
            yield f"{ARROW} {edition}", what
        return
    here = own.get(rules.edition, usual)
    if rules.edition in own and not in_text:
        yield f"{ARROW} {rules.edition}", here
    unlike = [edition for edition in EDITIONS if own.get(edition, usual) != here]
    if unlike:
        yield f"{ARROW} {rules.labels['elsewhere']}", ", ".join(unlike)


def shown_editions(rules: Book) -> Iterator[tuple[str, str]]:
    for edition, what in rules.editions.items():
        if rules.edition in (None, edition):
            yield edition, what


# ---------------------------------------------------------------- for the terminal
def as_text(rules: Book, topics: Iterable[Topic], width: int, *, whole: bool) -> Iterator[str]:
    """Plain lines, friendly to screen readers: no dashes as rules, no columns."""
    if whole:
        yield rules.title
        yield ""
        yield from wrap(rules.intro, width, 0)
        yield ""
        yield rules.labels["editions"] + ":" if rules.edition is None else rules.labels["shown_edition"] + ":"
        for edition, what in shown_editions(rules):
            yield from wrap(f"{edition}: {what}", width, 2)
        yield ""
    for number, topic in enumerate(topics):
        if number:
            yield ""
        yield f"{topic.title} ({topic.id})"
        yield from wrap(topic.text, width, 0)
        if topic.decided:
            yield from wrap(f"{rules.labels['decided']}: {topic.decided}", width, 0)
        for rule in topic.rules:
            yield ""
            yield from rule_as_text(rules, rule, width)


def rule_as_text(rules: Book, rule: Rule, width: int) -> Iterator[str]:
    yield f"{rule.id}  {rule.name}"
    yield from wrap(rule.text_in(rules.edition), width, 4)
    for label, text in notes(rules, rule):
        yield from wrap(f"{label}: {text}", width, 4)


def wrap(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,  # keeps ids and options in one piece
    )


# ---------------------------------------------------------------- for pages
def as_markdown(rules: Book, topics: Iterable[Topic], *, whole: bool) -> Iterator[str]:
    if whole:
        yield '<!-- Written by "flipdeck rules --markdown" from src/flipdeck/i18n/rulebook: change it there. -->'
        yield f"# {rules.title}\n"
        yield f"{rules.intro}\n"
        yield f"{rules.labels['editions']}:\n"
        for edition, what in shown_editions(rules):
            yield f"- `{edition}`: {what}"
        yield f"\n{rules.labels['contents']}:\n"
        for topic in topics:
            yield f"- [{topic.title}](#{anchor(topic.title)})"
        yield ""
    for number, topic in enumerate(topics):
        if number:
            yield ""
        yield f"## {topic.title}"
        if topic.text:
            yield f"\n{topic.text}"
        if topic.decided:
            yield f"\n**{rules.labels['decided']}:** {topic.decided}"
        for rule in topic.rules:
            yield from rule_as_markdown(rules, rule)


def rule_as_markdown(rules: Book, rule: Rule) -> Iterator[str]:
    shown_id = f"`{rule.id}`" if rule.setting else rule.id
    yield f"\n### {shown_id}: {rule.name}\n"
    yield rule.text_in(rules.edition)
    for number, (label, text) in enumerate(notes(rules, rule)):
        yield f"{'' if number else chr(10)}- **{label}:** {text}"


def anchor(heading: str) -> str:
    """The anchor that Markdown hosts derive from a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
