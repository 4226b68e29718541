"""Cards and faces as small numbers: the language the rules are written in.

A card is 0..111.  A face is ``16 * color + rank``: its color is ``face >> 4``, its rank ``face & 15``.
Which two faces a card has is decided once a match, so the table is part of the game: ``g.faces[side + card]``.
People meet these things as the types of ``cards``; nothing outside ``core`` sees a number from here.
"""

CARDS, MAX_PLAYERS = 112, 10
MINI_CARDS = 8  # of the deck for research (DECK-6)
LIGHT, DARK = 0, CARDS  # a side is an offset into g.faces
COLOR_AT, RANK_BITS = 4, 15
# colors 0..3 are, light over dark: red / pink, yellow / orange, green / teal, blue / purple
NO_COLOR = 4
# ranks 1..9 are the numbers
DRAW, REVERSE, SKIP, FLIP, WILD, WILD_DRAW = 10, 11, 12, 13, 14, 15
# DRAW is Draw One / Draw Five, SKIP is Skip / Skip Everyone, WILD_DRAW is Wild Draw Two / Wild Draw Color
FIRST_WILD = NO_COLOR << COLOR_AT  # every face from here on is a wild
# cards that Draw One, Draw Five and Wild Draw Two make somebody draw; a Wild Draw Color has no number
LIGHT_DRAWS, DARK_DRAWS, LIGHT_WILD_DRAWS = 1, 5, 2

COLORED_FACES = 104  # a side has so many faces with a color, then the wilds

POINTS_LIGHT = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 20, 20, 40, 50)
POINTS_DARK = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 20, 30, 20, 40, 60)


def nth_face(index: int) -> int:
    """DECK-1 to DECK-3: the faces of one side in order, 4 colors x 13 ranks x 2, then the two wilds in turn."""
    if index < COLORED_FACES:
        return index // 26 << COLOR_AT | index % 13 + 1
    return FIRST_WILD | (WILD if index % 2 == 0 else WILD_DRAW)


def faces_in(deck: int) -> tuple[int, ...]:
    """The faces that one side of a deck has; ``deck`` is its number of cards."""
    if deck == MINI_CARDS:  # DECK-6: 1, 2 and Flip in two colors, and one of each wild
        colored = tuple(color << COLOR_AT | rank for color in (0, 1) for rank in (1, 2, FLIP))
        return (*colored, FIRST_WILD | WILD, FIRST_WILD | WILD_DRAW)
    return tuple(nth_face(index) for index in range(deck))


def points_of(side: int, face: int) -> int:
    """END-4."""
    return POINTS_LIGHT[face & RANK_BITS] if side == LIGHT else POINTS_DARK[face & RANK_BITS]
