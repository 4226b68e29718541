// The flip, 900 ms: the piles turn, hands turn card by card from the flipper outward, the new top card lands last.

export const FLIP_MS = 900;
/** one card turns over in this time */
export const TURN_MS = 420;
/** the flip begins when the card that flips has come down */
export const DRAW_PILE_DELAY = 120;
export const DISCARD_DELAY = FLIP_MS - TURN_MS;

const FIRST_HAND = 100;
const OUTWARD = 220; // until the hands farthest away begin
const THROUGH_A_HAND = 160; // from its first card to its last

/** How many seats lie between two, the short way round. */
export function seatsApart(one: number, other: number, players: number): number {
  const around = Math.abs(one - other) % players;
  return Math.min(around, players - around);
}

/** When the card at `place` of a hand of `cards` begins to turn, if `flipper` (null: nobody) flips. */
export function turnDelay(seat: number, flipper: number | null, players: number, place: number, cards: number): number {
  const farthest = Math.max(1, Math.floor(players / 2));
  const away = flipper === null ? 0 : seatsApart(seat, flipper, players) / farthest;
  const along = cards > 1 ? place / (cards - 1) : 0;
  return Math.round(FIRST_HAND + away * OUTWARD + along * THROUGH_A_HAND);
}

/** Who flips in these events; null if nobody does. */
export function flipperIn(events: readonly { event: string; seat?: number }[]): number | null {
  return events.find((each) => each.event === "flipped")?.seat ?? null;
}
