"""The protocol as it is written down keeps up with the messages, and what it shows is what is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec import Struct

from flipdeck.core import errors as core_errors
from flipdeck.core.match import Match
from flipdeck.server.app import SOCKET_PATH
from flipdeck.server.config import Config
from flipdeck.server.limits import RateLimits
from flipdeck.server.table.state import MOST_MISSED
from flipdeck.server.transport.session import GREETING_SECONDS, MOST_BYTES
from flipdeck.wire import PROTOCOL
from flipdeck.wire.__main__ import ROOT, main, render_documents
from flipdeck.wire.client_messages import EMOTES
from flipdeck.wire.connection import CLOSE_CODES, FINAL, POLICY, RECONNECT
from flipdeck.wire.errors import SENTENCES, Code, GameCode, TableRefusal
from flipdeck.wire.reference import BEGIN, END, with_reference
from flipdeck.wire.rest import ANSWERS, BODIES
from flipdeck.wire.schema import json_schema
from flipdeck.wire.shapes import (
    CLIENT_MESSAGES,
    EVERY,
    PARTS,
    REST,
    SERVER_MESSAGES,
    about,
    choices_of,
    fields_of,
    structs_in,
    tag_of,
)

DOCUMENT = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
PROSE, _, REFERENCE = DOCUMENT.partition(BEGIN)
# what a table never does: read a record, or take a deck from somebody; and the general kind, of which all are cases
NOT_AT_A_TABLE = {"refused", "bad-record", "bad-deck"}


def names(structs: tuple[type[Struct], ...]) -> list[str]:
    return [struct.__name__ for struct in structs]


# ---------------------------------------------------------------- the files
@pytest.mark.parametrize("name", ["docs/wire.schema.json", "web/src/wire.ts", "docs/wire.md"])
def test_what_is_written_down_is_up_to_date(name: str) -> None:
    path = ROOT / name
    assert path.read_text(encoding="utf-8") == render_documents(ROOT)[path], "run python -m flipdeck.wire"


def test_checking_names_what_is_stale_and_writing_mends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    document = tmp_path / "docs" / "wire.md"
    document.write_text(f"Before.\n{BEGIN}\nold\n{END}\nAfter.\n", encoding="utf-8")
    assert main(["--check"], tmp_path) == 1
    assert "web/src/wire.ts is not what the messages say" in capsys.readouterr().err
    assert not (tmp_path / "web").exists()
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    text = document.read_text(encoding="utf-8")
    assert text.startswith("Before.\n")
    assert text.endswith("\nAfter.\n")
    assert "old" not in text.split()
    capsys.readouterr()
    document.write_text(text.replace("`cmd_id`", "`command`", 1), encoding="utf-8")
    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "docs/wire.md is not what the messages say: run python -m flipdeck.wire.\n"


def test_a_document_without_its_marks_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="to put the reference between"):
        with_reference(f"{END} {BEGIN}")
    assert main([], tmp_path) == 1
    assert "docs/wire.md can't be brought up to date" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- nothing is left out
@pytest.mark.parametrize("struct", EVERY, ids=names(EVERY))
def test_everything_that_can_be_said_is_in_the_document(struct: type[Struct]) -> None:
    assert about(struct), f"{struct.__name__} has no docstring"
    chapters = re.split(r"^#{3,4} ", REFERENCE, flags=re.MULTILINE)
    heading = f"`{tag_of(struct)}`" if tag_of(struct) else struct.__name__
    mine = [c for c in chapters if c.startswith(f"{heading}\n") and about(struct) in " ".join(c.split())]
    assert len(mine) == 1
    rows = re.findall(r"^\| `(\w+)` \|", mine[0], re.MULTILINE)
    assert rows == [field.name for field in fields_of(struct)]


def test_every_part_is_a_part_of_something() -> None:
    used = set().union(*map(structs_in, (*CLIENT_MESSAGES, *SERVER_MESSAGES, *ANSWERS, *BODIES)))
    assert used == set(EVERY)
    assert len(set(names(EVERY))) == len(EVERY) == len({*CLIENT_MESSAGES, *SERVER_MESSAGES, *PARTS, *REST})


@pytest.mark.parametrize("code", choices_of(Code))
def test_every_code_is_in_the_document(code: str) -> None:
    assert f"| `{code}` |" in REFERENCE


def test_every_emote_is_in_the_document() -> None:
    assert " ".join(f"`{emote}`" for emote in EMOTES) in REFERENCE


def test_every_way_to_close_a_connection_is_in_the_document() -> None:
    assert f"| {POLICY} |" in PROSE
    for code, number in CLOSE_CODES.items():
        assert f"| {number} | `{code}` |" in PROSE


def test_the_document_says_after_which_close_codes_a_client_connects_again() -> None:
    then = {int(number): text for number, text in re.findall(r"^\| (\d{4}) \|.*\| ([^|]+) \|$", PROSE, re.MULTILINE)}
    assert then.keys() == FINAL | RECONNECT
    by_itself = {
        number for number, text in then.items() if re.search(r"(?<!don't )connect again(?! (only|when))", text)
    }
    assert by_itself == RECONNECT


def test_the_document_tells_the_protocol_and_the_limits() -> None:
    assert f"(this is {PROTOCOL})" in PROSE
    assert f"at `{SOCKET_PATH}`" in PROSE
    assert (GREETING_SECONDS, "within five seconds" in PROSE) == (5, True)
    assert f"at most {MOST_BYTES // 1024} KiB" in PROSE
    assert f"may be {Config().messages_per_second} a second" in PROSE
    assert re.search(rf"more\s+than {MOST_MISSED}\s+steps", PROSE)
    usual = RateLimits(Config())
    greet = rf"greet {usual.address_hellos.rate:.0f} times a\s+second \({usual.address_hellos.burst:.0f} at once\)"
    ask = rf"{usual.requests.rate:.0f} a\s+second \({usual.requests.burst:,.0f} at once\)"
    assert re.search(greet, PROSE)
    assert re.search(ask, PROSE)


def test_every_http_request_is_in_the_document() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/flipdeck/server").rglob("*.py"))
    doors = re.findall(r'@(get|post)\(\s*"(/api/[^"]+)"', sources)
    shown = re.findall(r"^\| `(GET|POST) (/api/[^`]+)` \|", PROSE, re.MULTILINE)
    assert sorted((method.upper(), re.sub(r":(str|int)}", "}", path)) for method, path in doors) == sorted(shown)


def test_every_place_in_the_document_that_is_pointed_to_is_there() -> None:
    headings = re.findall(r"^#+ (.+)$", DOCUMENT, re.MULTILINE)
    places = {re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", DOCUMENT)) <= places


# ---------------------------------------------------------------- codes
def test_every_code_has_a_sentence() -> None:
    """Those of the server in ``SENTENCES``, those of the rules in the tree of ``core.errors``; no code has two."""
    of_the_rules = set(re.findall(r"^\| `([\w-]+)` \| of the rules: \w", REFERENCE, re.MULTILINE))
    assert all(SENTENCES.values())
    assert sorted([*SENTENCES, *of_the_rules]) == sorted(choices_of(Code))
    assert of_the_rules == set(choices_of(GameCode))


def test_the_codes_of_the_rules_are_those_a_table_can_meet() -> None:
    kinds: list[type[core_errors.Refusal]] = [core_errors.Refusal, *core_errors.Refusal.__subclasses__()]
    codes = {refusal.code for refusal in kinds}
    assert set(choices_of(GameCode)) == codes - NOT_AT_A_TABLE


@pytest.mark.parametrize("move", ["R7", "draw", "keep", "uno", "catch 1", "catch 9", "accept", "color R", "R7/O1", "Ω"])
def test_a_move_that_the_rules_refuse_keeps_its_code_and_sentence(move: str) -> None:
    match = Match(players=3, seed="refused")
    met = [refusal for seat in range(4) if (refusal := match.why_not(seat, move)) is not None]
    assert met
    for refusal in met:
        told = TableRefusal.of_game(refusal)
        assert told.code in choices_of(GameCode)
        assert (told.code, told.reason, str(told)) == (refusal.code, refusal.reason, str(refusal))


# ---------------------------------------------------------------- the schema
def test_the_schema_has_every_message_under_its_tag() -> None:
    schema = json_schema()
    assert json_schema() == schema
    for union, structs in (("client_message", CLIENT_MESSAGES), ("server_message", SERVER_MESSAGES)):
        places = {tag_of(struct): f"#/$defs/{struct.__name__}" for struct in structs}
        assert schema["$defs"][union]["discriminator"] == {"propertyName": "type", "mapping": places}
        assert [each["$ref"] for each in schema["$defs"][union]["oneOf"]] == list(places.values())


@pytest.mark.parametrize("struct", EVERY, ids=names(EVERY))
def test_the_schema_has_every_field_of_everything(struct: type[Struct]) -> None:
    described = json_schema()["$defs"][struct.__name__]
    tag = ["type"] if tag_of(struct) else []
    assert list(described["properties"]) == [*tag, *(field.name for field in fields_of(struct))]
    assert described["required"] == [*tag, *(field.name for field in fields_of(struct) if field.needed)]
    assert described["description"] == about(struct)
    assert (described.get("additionalProperties") is False) == struct.__struct_config__.forbid_unknown_fields


def test_every_reference_in_the_schema_leads_somewhere() -> None:
    schema = json_schema()
    references = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
    assert references <= schema["$defs"].keys()
