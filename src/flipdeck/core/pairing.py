"""The printed pairing of the 112-card deck (DECK-4): which dark faces are behind each light face.

Recorded from transcriptions of a physical deck that agree.  No sheet states it, and it is not known for the
108-card deck, which therefore has no ``pairing=printed``.  The mini deck for research (DECK-6) has one pairing, ours.
"""

from __future__ import annotations

from .cards import Face, Side, code_of

PRINTED_PAIRS = """
    R1: P3 V2; R2: OR V+5; R3: P7 W+C; R4: OF V+5;
    R5: P2 T5; R6: O9 PE; R7: O1 V5; R8: T7 VR;
    R9: TR V5; R+1: P3 P4; RR: T7 V3; RS: O+5 W;
    RF: P8 V3; Y1: PE W; Y2: T1 T8; Y3: P+5 V1;
    Y4: P+5 VF; Y5: T8 V9; Y6: OE W+C; Y7: O2 V6;
    Y8: O2 P1; Y9: T5 V4; Y+1: P1 V8; YR: TF W;
    YS: O3 TF; YF: O8 P4; G1: O5 OF; G2: T+5 TE;
    G3: PF V2; G4: P8 T9; G5: O7 T4; G6: P5 W+C;
    G7: O6 T2; G8: PR T9; G9: O+5 PR; G+1: O6 T6;
    GR: O1 P7; GS: O9 V4; GF: T3 W+C; B1: VE VE;
    B2: O8 P6; B3: T2 V8; B4: T+5 V1; B5: OR P9;
    B6: TE VR; B7: O3 OE; B8: T4 TR; B9: O5 VF;
    B+1: P6 T6; BR: O4 W; BS: P9 T1; BF: V6 V7;
    W: P5 PF T3 V7; W+2: O4 O7 P2 V9
"""


# No color is behind itself, no Flip behind a Flip, no wild behind a wild.
MINI_PAIRS = "R1: O2; R2: W; RF: O1; Y1: PF; Y2: W+C; YF: P1; W: OF; W+2: P2"


def _codes_of_pairs(text: str) -> tuple[tuple[int, int], ...]:
    pairs = []
    for entry in text.split(";"):
        light, darks = entry.split(":")
        for dark in darks.split():
            pairs.append((code_of(Side.LIGHT, Face.parse(light.strip())), code_of(Side.DARK, Face.parse(dark))))
    return tuple(pairs)


# tuples of whole numbers, so that compiled rules can read them
PRINTED_LIGHT = tuple(light for light, _ in _codes_of_pairs(PRINTED_PAIRS))
PRINTED_DARK = tuple(dark for _, dark in _codes_of_pairs(PRINTED_PAIRS))
MINI_LIGHT = tuple(light for light, _ in _codes_of_pairs(MINI_PAIRS))
MINI_DARK = tuple(dark for _, dark in _codes_of_pairs(MINI_PAIRS))
