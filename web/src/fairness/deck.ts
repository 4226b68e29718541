// The deck of a match: which faces there are, and which dark face is behind which light one.

import type { CardText, FaceText, Side } from "../game/faces";
import { COLORS, PRINTED_DECK, STREAMS, SYMBOLS, WILDS, type Options } from "../wire";
import { Stream } from "./chance";

const COPIES = 2; // of every face that has a color

/** The n-th face of a side: four colors with everything twice, then the two wilds in turn. */
function nthFace(side: Side, n: number): FaceText {
  const [colors, symbols, wilds] = [COLORS[side], SYMBOLS[side], WILDS[side]];
  const ofOneColor = COPIES * symbols.length;
  const color = colors[Math.floor(n / ofOneColor)];
  return color === undefined ? wilds[n % wilds.length]! : color + symbols[n % symbols.length]!;
}

/** Every card of the match, by its number in the shuffles. */
export function deckOf(seed: Uint8Array, { deck: size, pairing }: Options): readonly CardText[] {
  if (pairing === "printed") return PRINTED_DECK;
  const backs = Array.from({ length: size }, (_, n) => n);
  new Stream(seed, STREAMS.pairing, 0, 0).shuffle(backs);
  return backs.map((back, n) => `${nthFace("light", n)}/${nthFace("dark", back)}`);
}
