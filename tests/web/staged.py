"""``python -m tests.web.staged SEED PORT``: a server whose matches all have one seed, so that a scene can be chosen."""

from __future__ import annotations

import sys

from flipdeck import cli
from flipdeck.server import identity

if __name__ == "__main__":
    seed, port = bytes.fromhex(sys.argv[1]), sys.argv[2]
    identity.new_seed = lambda: seed
    sys.exit(cli.main(["serve", "--port", port]))
