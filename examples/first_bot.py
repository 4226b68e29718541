"""A first bot: it plays the color of which it has most, keeps its wilds, says UNO and catches.

flipdeck arena --bots py:first_bot:FirstBot,regular --seats 2 --rounds 200
flipdeck play --text --players 2 --bots py:first_bot:FirstBot
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from flipdeck import Catch, Move, Play, SayUno, View
from flipdeck.bots import Memory


class FirstBot:
    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        """One of ``legal``: a play if there is one, of the color of which this hand has most."""
        plays = [move for move in legal if isinstance(move, Play)]
        if not plays:
            return legal[0]
        faces = [card.face(view.side) for card in view.hand]
        colors = Counter(face.color for face in faces if face and face.color)

        def worth(play: Play) -> tuple[bool, bool, int]:
            face = play.card.face(view.side)
            color = play.color or (face.color if face else None)
            wild = face is None or face.is_wild
            return play.uno, not wild, colors[color] if color else 0  # say UNO when it is due, keep wilds for later

        return max(plays, key=worth)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        """Out of turn: catch whoever forgot UNO."""
        return next((move for move in legal if isinstance(move, (Catch, SayUno))), None)
