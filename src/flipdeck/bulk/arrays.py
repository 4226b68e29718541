"""The one place where Numba and NumPy are imported; without them the import raises ``MissingExtra``."""

from __future__ import annotations

from . import require

require()

# only once they are known to be there
import numba  # noqa: E402
import numpy as np  # noqa: E402
from numba.core.extending import intrinsic, overload_method, register_jitable  # noqa: E402
from numba.cpython.unsafe.numbers import leading_zeros  # noqa: E402

__all__ = ["intrinsic", "leading_zeros", "np", "numba", "overload_method", "register_jitable"]
