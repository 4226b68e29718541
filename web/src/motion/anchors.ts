// Where cards lie on the screen, by name, so that they can travel from one place to another:
// "draw", "discard", "seat:3" (the backs of that seat's hand), "hand" (one's own fan), "hand:R7/O1#0" (a card in it).

import type { Attachment } from "svelte/attachments";
import type { CardText } from "../game/faces";

/** A place on the screen, as getBoundingClientRect has it. */
export interface AnchorBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

const here = new Map<string, HTMLElement>();
const remembered = new Map<string, AnchorBox>();

/** `<div {@attach anchor("draw")}>`: cards travel from and to this element. */
export function anchor(name: string): Attachment<HTMLElement> {
  return (element) => {
    here.set(name, element);
    return () => {
      if (here.get(name) === element) here.delete(name);
    };
  };
}

/** A name for each card of a hand that it keeps while others come and go: copies are counted. */
export function handKeys(cards: readonly CardText[]): string[] {
  const seen = new Map<CardText, number>();
  return cards.map((card) => {
    const copy = seen.get(card) ?? 0;
    seen.set(card, copy + 1);
    return `${card}#${copy}`;
  });
}

export const elementAt = (name: string): HTMLElement | null => here.get(name) ?? null;

/** Where it is; if it has gone, where it was when everything was last remembered. */
export function placeOf(name: string): AnchorBox | null {
  const element = here.get(name);
  return (element && measured(element, name)) ?? remembered.get(name) ?? null;
}

/** Remembers where everything is: a card that is played is gone before anybody can ask. */
export function remember(): void {
  remembered.clear();
  for (const [name, element] of here) {
    const place = measured(element, name);
    if (place) remembered.set(name, place);
  }
}

/** Of a card in a fan less may show than there is: the drawing itself is measured. */
function measured(element: HTMLElement, name: string): AnchorBox | null {
  const card = name.startsWith("hand:") ? element.querySelector("svg") : null;
  const { left, top, width, height } = (card ?? element).getBoundingClientRect();
  return width > 0 && height > 0 ? { left, top, width, height } : null;
}
