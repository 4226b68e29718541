// Faces and cards as the notation writes them.  There are no rules in here: the server lists what may be done.

import { COLORS, WILDS, type ViewInfo } from "../wire";

export type Side = ViewInfo["side"];

/** One face of a card: "R7", "VE", "W+C", or "?" for one that nobody here may know. */
export type FaceText = string;

/** Both faces, light first: "R7/O1". */
export type CardText = string;

export const UNKNOWN = "?";

const ONLY_DARK: readonly string[] = WILDS.dark.filter((wild) => !(WILDS.light as readonly string[]).includes(wild));

export const colorsOf = (side: Side): readonly string[] => COLORS[side];

export const otherSide = (side: Side): Side => (side === "light" ? "dark" : "light");

export const isWild = (face: FaceText): boolean => face.startsWith("W");

/** "R7" is of color R; wilds and unknown faces have none. */
export const colorOf = (face: FaceText): string | null => (isWild(face) || face === UNKNOWN ? null : (face[0] ?? null));

/** "R7" has the symbol 7; a wild is its own symbol. */
export const symbolOf = (face: FaceText): string => (isWild(face) || face === UNKNOWN ? face : face.slice(1));

/** The side that has this face; a wild that both have is shown on the light one. */
export function sideOf(face: FaceText): Side {
  const dark = isWild(face) ? ONLY_DARK.includes(face) : (COLORS.dark as readonly string[]).includes(face[0] ?? "");
  return dark ? "dark" : "light";
}

/** The face that is in play on this side, and the one behind it. */
export function facesOf(card: CardText, side: Side): { front: FaceText; back: FaceText } {
  const [light = UNKNOWN, dark = UNKNOWN] = card.split("/");
  return side === "light" ? { front: light, back: dark } : { front: dark, back: light };
}
