// Stable keys for the cards of one's own hand, from one view to the next.

import { UNKNOWN, type CardText } from "../game/faces";

export interface KeyedCard {
  key: string;
  card: CardText;
}

/**
 * The hand as it is now, when it was `before`: a card that stays keeps its name.  Hands are in order of arrival, so
 * they are followed from left to right.  Where backs are hidden, a flip leaves nothing to know a card by but its place
 * in what is left when `played` has gone.
 */
export function followed(
  before: readonly KeyedCard[],
  hand: readonly CardText[],
  played: CardText | null,
): KeyedCard[] {
  const left = turnedUnseen(before, hand) ? without(before, played) : null;
  const used = new Set<string>();
  let from = 0;
  return hand.map((card, place) => {
    const found = left ? -1 : before.findIndex((held, at) => at >= from && held.card === card);
    const known = left ? left[place] : before[found];
    if (found >= 0) from = found + 1;
    const key = known && !used.has(known.key) ? known.key : fresh(card, used, before);
    used.add(key);
    return { key, card };
  });
}

const shows = (card: CardText | undefined, light: boolean): boolean =>
  card !== undefined && (light ? card.endsWith(`/${UNKNOWN}`) : card.startsWith(`${UNKNOWN}/`));

function turnedUnseen(before: readonly KeyedCard[], hand: readonly CardText[]): boolean {
  const [first, now] = [before[0]?.card, hand[0]];
  return (shows(first, true) && shows(now, false)) || (shows(first, false) && shows(now, true));
}

function without(before: readonly KeyedCard[], played: CardText | null): readonly KeyedCard[] {
  const gone = before.findIndex((held) => held.card === played);
  return gone < 0 ? before : before.toSpliced(gone, 1);
}

function fresh(card: CardText, used: ReadonlySet<string>, before: readonly KeyedCard[]): string {
  for (let copy = 0; ; copy++) {
    const key = `${card}#${copy}`;
    if (!used.has(key) && !before.some((held) => held.key === key)) return key;
  }
}
