"""How long a test waits before it takes something for hung: so long that no slow machine ever comes near.

No verdict depends on it but that one.  Whatever has to be fast is measured in ``benchmarks/``.
"""

from __future__ import annotations

HANG = 600.0  # seconds
