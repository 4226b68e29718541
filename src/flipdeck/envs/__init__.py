"""Learning environments over the compiled rules.  They need the extra ``flipdeck[envs]``.

Importing this registers ``flipdeck/Round-v0`` and ``flipdeck/Match-v0`` with Gymnasium (``make`` and ``make_vec``) and
with PettingZoo's registry.  ``batch`` steps many games together; ``columns`` declares what observations hold;
``testing`` has the leak test.
"""

from __future__ import annotations

from importlib.util import find_spec

MISSING = "This needs Gymnasium and PettingZoo: install them with  pip install 'flipdeck[envs]'"
VERSION = 0  # rises with any change of rules or encoding


def _register() -> None:
    import gymnasium
    from pettingzoo import register

    for name, settings in (("Round", {}), ("Match", {"whole_match": True, "rewards": "match"})):
        gymnasium.register(
            f"flipdeck/{name}-v{VERSION}",
            entry_point="flipdeck.envs.gymnasium_env:FlipdeckEnv",
            vector_entry_point="flipdeck.envs.gymnasium_vector:FlipdeckVectorEnv",
            kwargs=settings,
        )
        register("aec", f"flipdeck/{name}-v{VERSION}", "flipdeck.envs.pettingzoo:env", kwargs=settings)


if find_spec("gymnasium") is None or find_spec("pettingzoo") is None:
    raise ImportError(MISSING)
_register()
