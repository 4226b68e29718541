"""Lazy exports (PEP 562): a package loads a public name from its module when the name is first asked for.

So ``import flipdeck`` is cheap, and a command that needs no rules starts at once.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def lazy_exports(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package; ``homes`` has the relative name of each module, and what it exports."""

    def load(name: str) -> object:
        for home, names in homes.items():
            if name in names:
                thing: object = getattr(import_module(home, package), name)
                setattr(sys.modules[package], name, thing)
                return thing
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
