"""The four printed editions: each a TOML file of options, never a branch in the code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..errors import BadOption
from ..options import Options

NAMES = ("classic", "splash", "argentina", "mild-wild")
DEFAULT = "classic"


@dataclass(frozen=True, slots=True)
class Edition:
    name: str
    title: str
    options: Options


@cache
def _load(name: str) -> Edition:
    import tomllib  # here, not above: these two would be half of the time that ``import flipdeck`` takes
    from importlib.resources import files

    data = tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return Edition(name, data["title"], Options().changed(data["options"]))


def edition(name: object) -> Edition:
    if not isinstance(name, str) or name not in NAMES:
        raise BadOption("unknown-edition", name=name, known=", ".join(NAMES))
    return _load(name)
