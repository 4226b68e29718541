"""Settings of a server: from flags, from the environment, written down, and refused where they can't be."""

from __future__ import annotations

import argparse
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import pytest

from flipdeck.cli import serve
from flipdeck.server.config import PREFIX, BadConfig, Config, read_config
from flipdeck.server.paths import data_folder

ROOT = Path(__file__).parent.parent.parent
EVERY = pytest.mark.parametrize("spec", fields(Config), ids=lambda spec: spec.name)
ORIGINS = ("https://a.example", "http://b.example:80")
NUMBERS = [spec for spec in fields(Config) if "range" in spec.metadata]


def flags() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="flipdeck serve")
    serve.add_arguments(parser)
    return parser


def shown_default(spec: Field[Any]) -> str:
    if spec.name == "data":
        return "the system's place for data"
    return f"`{spec.default}`" if spec.default != "" else "none"


def two_values(spec: Field[Any]) -> tuple[str, str]:
    """As they are typed."""
    if "range" in spec.metadata:
        low, high = spec.metadata["range"]
        return str(low), str(high)
    special = {
        "journal": ("postgresql://one", "postgres://two"),
        "log_level": ("debug", "error"),
        "origins": ORIGINS,
        "public_url": ORIGINS,
    }
    return special.get(spec.name, ("one", "two"))


@EVERY
def test_every_setting_is_in_the_document_as_it_is(spec: Field[Any]) -> None:
    flag, variable = "--" + spec.name.replace("_", "-"), PREFIX + spec.name.upper()
    row = f"| `{flag}` | `{variable}` | {shown_default(spec)} | {spec.metadata['what']} |"
    assert row in (ROOT / "docs/server.md").read_text(encoding="utf-8").splitlines()


@EVERY
def test_every_setting_is_a_flag_with_its_help(spec: Field[Any]) -> None:
    flag = "--" + spec.name.replace("_", "-")
    (action,) = [action for action in flags()._actions if flag in action.option_strings]
    assert action.dest == spec.name
    assert str(action.help).startswith(spec.metadata["what"])


@EVERY
def test_a_flag_goes_before_the_environment_and_that_before_what_is_usual(spec: Field[Any]) -> None:
    first, second = two_values(spec)
    variable = {PREFIX + spec.name.upper(): second}
    usual, from_environment = read_config({}, {}), read_config({spec.name: None}, variable)
    from_flag = read_config({spec.name: first}, variable)
    values = [str(getattr(config, spec.name)) for config in (from_flag, from_environment)]
    assert [value.removesuffix(".0") for value in values] == [first, second]
    assert getattr(usual, spec.name) == (data_folder() if spec.name == "data" else spec.default)
    assert type(getattr(from_flag, spec.name)) in (type(getattr(usual, spec.name)), float)


@EVERY
def test_a_variable_that_is_set_to_nothing_is_not_set(spec: Field[Any]) -> None:
    assert read_config({}, {PREFIX + spec.name.upper(): ""}) == read_config({}, {})


@pytest.mark.parametrize("spec", NUMBERS, ids=lambda spec: spec.name)
def test_a_number_has_its_range_and_a_sentence_for_any_other(spec: Field[Any]) -> None:
    low, high = spec.metadata["range"]
    for text in (str(low), str(high)):
        assert getattr(read_config({spec.name: text}, {}), spec.name) == float(text)
    for text in (str(low - 1), str(high + 1), "many", "nan", "inf", "1e999", "0x10", " "):
        with pytest.raises(BadConfig) as told:
            read_config({spec.name: text}, {})
        flag = "--" + spec.name.replace("_", "-")
        assert str(told.value) == f"{flag} is a number from {low} to {high}, not {text!r}."


def test_the_sentence_names_the_variable_where_that_was_wrong() -> None:
    with pytest.raises(BadConfig, match=r"^FLIPDECK_PORT is a number from 0 to 65535, not 'http'\.$"):
        read_config({}, {"FLIPDECK_PORT": "http"})
    with pytest.raises(BadConfig, match=r"^--log-level is debug, info, warning or error, not 'loud'\.$"):
        read_config({"log_level": "loud"}, {})


@pytest.mark.parametrize(
    "text", ["cards.example", "https://cards.example/", "*", "https://a.example;https://b.example"]
)
def test_an_origin_that_no_browser_would_send_is_refused(text: str) -> None:
    with pytest.raises(BadConfig, match=r"^--origins are addresses like https://cards"):
        read_config({"origins": text}, {})


def test_variables_of_others_change_nothing() -> None:
    others = {"PORT": "9", "flipdeck_port": "9", "FLIPDECK_PORTS": "9", "FLIPDECK_CACHE": "/x"}
    assert read_config({}, others) == read_config({}, {})


def test_origins_are_listed_with_commas() -> None:
    assert Config().listed_origins == frozenset()
    listed = Config(origins="https://a.example, http://b.example:8000,").listed_origins
    assert listed == {"https://a.example", "http://b.example:8000"}


def test_a_folder_is_a_path() -> None:
    assert read_config({"data": "some/folder"}, {}).data == Path("some/folder")
