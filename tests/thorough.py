"""``FLIPDECK_THOROUGH=1`` runs what is repeated at its full length; otherwise tests do a representative part of it."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("FLIPDECK_THOROUGH") == "1"
