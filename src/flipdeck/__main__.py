"""``python -m flipdeck`` is ``flipdeck``."""

import sys

from .cli import main

sys.exit(main())
