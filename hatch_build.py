"""Within ``pip install``: the page in the browser is made before the package is, unless it is there already."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "web"))
import make


class Page(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        return [make.NODE] if make.wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling calls it so
        if make.wanted():
            make.make()
