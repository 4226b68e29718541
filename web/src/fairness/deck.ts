// The deck of a match: which faces there are, and which dark face is behind which light one.

import { facesOf, type CardText, type FaceText, type Side } from "../game/faces";
import { COLORS, MINI_DECK, PRINTED_DECK, STREAMS, SYMBOLS, WILDS, type Options } from "../wire";
import { Stream } from "./chance";

const COPIES = 2; // of every face that has a color
const SIDES: readonly Side[] = ["light", "dark"];

/** The number of its cards. */
export const sizeOf = (deck: Options["deck"]): number => (deck === "mini" ? MINI_DECK.length : deck);

/** The n-th face of a side: four colors with everything twice, then the two wilds in turn. */
function nthFace(side: Side, n: number): FaceText {
  const [colors, symbols, wilds] = [COLORS[side], SYMBOLS[side], WILDS[side]];
  const ofOneColor = COPIES * symbols.length;
  const color = colors[Math.floor(n / ofOneColor)];
  return color === undefined ? wilds[n % wilds.length]! : color + symbols[n % symbols.length]!;
}

/** Every card of the match, by its number in the shuffles. */
export function deckOf(seed: Uint8Array, { deck, pairing }: Options): readonly CardText[] {
  if (deck === "mini") return MINI_DECK;
  if (pairing === "printed") return PRINTED_DECK;
  const backs = Array.from({ length: deck }, (_, n) => n);
  new Stream(seed, STREAMS.pairing, 0, 0).shuffle(backs);
  return backs.map((back, n) => `${nthFace("light", n)}/${nthFace("dark", back)}`);
}

/** Whether cards that were set by hand have the faces of the deck, in whatever pairing. */
export function isWhole(cards: readonly CardText[], { deck }: Options): boolean {
  const facesIn = (all: readonly CardText[], side: Side): FaceText[] => all.map((card) => facesOf(card, side).front);
  return SIDES.every((side) => {
    const wanted =
      deck === "mini" ? facesIn(MINI_DECK, side) : Array.from({ length: deck }, (_, n) => nthFace(side, n));
    return wanted.sort().join() === facesIn(cards, side).sort().join();
  });
}
