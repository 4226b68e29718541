"""``python -m tests.web.staged SEED PORT``: a server whose matches all have one seed, so that a scene can be chosen.

And a turn may be as short as a second, so that nobody waits for a clock to run out.
"""

from __future__ import annotations

import sys

from flipdeck import cli
from flipdeck.server import identity, lobby

if __name__ == "__main__":
    seed, port = bytes.fromhex(sys.argv[1]), sys.argv[2]
    identity.new_seed = lambda: seed
    lobby.SHORTEST_TURN = 1
    sys.exit(cli.main(["serve", "--port", port]))
