// The deck of a match: which faces there are, and which dark face is behind which light one.

import { DARK_COLORS, LIGHT_COLORS, type CardText, type FaceText, type Side } from "../game/faces";
import { PAIRING, Stream } from "./chance";

const NUMBERS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const COLORED = 104; // faces of a side that have a color; the wilds come after them
const FACES: Record<Side, { colors: readonly string[]; symbols: string[]; wilds: [FaceText, FaceText] }> = {
  light: { colors: LIGHT_COLORS, symbols: [...NUMBERS, "+1", "R", "S", "F"], wilds: ["W", "W+2"] },
  dark: { colors: DARK_COLORS, symbols: [...NUMBERS, "+5", "R", "E", "F"], wilds: ["W", "W+C"] },
};

/** The printed deck: the dark faces behind each light one. */
const PRINTED = `
  R1 P3 V2, R2 OR V+5, R3 P7 W+C, R4 OF V+5, R5 P2 T5, R6 O9 PE, R7 O1 V5, R8 T7 VR, R9 TR V5, R+1 P3 P4, RR T7 V3,
  RS O+5 W, RF P8 V3, Y1 PE W, Y2 T1 T8, Y3 P+5 V1, Y4 P+5 VF, Y5 T8 V9, Y6 OE W+C, Y7 O2 V6, Y8 O2 P1, Y9 T5 V4,
  Y+1 P1 V8, YR TF W, YS O3 TF, YF O8 P4, G1 O5 OF, G2 T+5 TE, G3 PF V2, G4 P8 T9, G5 O7 T4, G6 P5 W+C, G7 O6 T2,
  G8 PR T9, G9 O+5 PR, G+1 O6 T6, GR O1 P7, GS O9 V4, GF T3 W+C, B1 VE VE, B2 O8 P6, B3 T2 V8, B4 T+5 V1, B5 OR P9,
  B6 TE VR, B7 O3 OE, B8 T4 TR, B9 O5 VF, B+1 P6 T6, BR O4 W, BS P9 T1, BF V6 V7, W P5 PF T3 V7, W+2 O4 O7 P2 V9`;

/** The n-th face of a side: four colors with everything twice, then the two wilds in turn. */
function nthFace(side: Side, n: number): FaceText {
  const { colors, symbols, wilds } = FACES[side];
  return n < COLORED ? colors[Math.floor(n / 26)]! + symbols[n % 13]! : wilds[n % 2]!;
}

const printed = (): CardText[] =>
  PRINTED.split(",").flatMap((entry) => {
    const [light = "", ...darks] = entry.trim().split(" ");
    return darks.map((dark) => `${light}/${dark}`);
  });

/** Every card of the match, by its number in the shuffles. */
export function deckOf(seed: Uint8Array, size: number, pairing: string): CardText[] {
  if (pairing === "printed") return printed();
  const backs = Array.from({ length: size }, (_, n) => n);
  new Stream(seed, PAIRING, 0, 0).shuffle(backs);
  return backs.map((back, n) => `${nthFace("light", n)}/${nthFace("dark", back)}`);
}
