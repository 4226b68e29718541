// Events as sentences, from the point of view of a seat or of a spectator.

import { hasTrait } from "../game/events";
import { facesOf, UNKNOWN } from "../game/faces";
import type { EventInfo, EventName } from "../wire";
import { capitalized, type Catalogue, type Facts } from "./catalogue";

/** An event, or what the page makes of two. */
type Told = Omit<EventInfo, "event"> & { event: EventName | "drew_kept" };

export function sentence(words: Catalogue, event: Told, you: number | null, names: readonly string[]): string {
  const key = keyOf(words, event, you);
  return words.has(key) ? capitalized(words.text(key, factsOf(words, event, you, names))) : ""; // a newer server knows more
}

/** Cards that one player draws one after the other, as one event with `cards`; the cards that chose the dealer, as one
 * event with the card that did. */
export function together(events: readonly EventInfo[]): EventInfo[] {
  const merged: EventInfo[] = [];
  for (const event of withDealerChosen(events)) {
    const last = merged[merged.length - 1];
    if (event.event !== "drew" || event.card === undefined) merged.push(event);
    else if (last?.event === "drew" && last.seat === event.seat)
      merged[merged.length - 1] = { ...last, cards: [...(last.cards ?? []), event.card] };
    else merged.push({ ...event, cards: [event.card] });
  }
  return merged;
}

/** How the dealer was chosen, as one event: it carries the card that did it. */
export function withDealerChosen(events: readonly EventInfo[]): EventInfo[] {
  if (!events.some(({ event }) => event === "dealer_chosen")) return [...events];
  return events
    .filter(({ event }) => event !== "dealer_card")
    .map((each) => {
      if (each.event !== "dealer_chosen") return each;
      const drew = events.findLast(({ event, seat }) => event === "dealer_card" && seat === each.seat);
      return drew?.card === undefined ? each : { ...each, card: drew.card, side: drew.side };
    });
}

/** The events that have a line in the log and are announced. */
export const logged = (events: readonly EventInfo[]): EventInfo[] =>
  together(events).filter(({ event }) => !hasTrait(event, "on_results"));

/** Of cards that were drawn on a turn and then kept, in one sentence. */
export const keptSentence = (words: Catalogue, drew: EventInfo, you: number | null, names: readonly string[]): string =>
  sentence(words, { ...drew, event: "drew_kept" }, you, names);

/** The sentence that fits who did it, who listens and what they may know. */
function keyOf(words: Catalogue, event: Told, you: number | null): string {
  const found = event.event === "dealer_chosen" && event.card !== undefined; // by the cards
  const base = `event.${found ? "dealer_found" : event.event}`;
  if (event.direction !== undefined) return `${base}.${event.direction > 0 ? "left" : "right"}`;
  if (event.winners !== undefined) {
    if (event.winners.length > 1) return `${base}.shared`;
    return you !== null && event.winners[0] === you ? `${base}.you` : base;
  }
  const wanted = [base];
  if (cardsKnown(event)) wanted.unshift(`${base}.open`);
  if (you !== null && event.by === you) wanted.unshift(`${base}.by_you`);
  if (you !== null && event.seat === you) wanted.unshift(`${base}.you`);
  return words.first(...wanted);
}

const cardsOf = (event: Told): string[] => event.cards ?? (event.card === undefined ? [] : [event.card]);

/** Whoever listens knows the faces in play, not the backs alone. */
function cardsKnown(event: Told): boolean {
  const cards = cardsOf(event);
  return cards.length > 0 && cards.every((card) => facesOf(card, event.side).front !== UNKNOWN);
}

function factsOf(words: Catalogue, event: Told, you: number | null, names: readonly string[]): Facts {
  const { side } = event;
  const cards = cardsOf(event);
  const facts: Facts = { side: words.side(side) };
  if (cards.length) {
    facts.n = cards.length;
    facts.cards = words.listed(cards.map((card) => words.card(card, side)));
    facts.a_cards = words.listed(cards.map((card) => words.card(card, side, true)));
  }
  if (event.card !== undefined) {
    const { front } = facesOf(event.card, side);
    facts.card = words.face(front);
    facts.a_card = words.aFace(front);
  }
  if (event.color !== undefined) facts.color = words.color(event.color);
  if (event.seat !== undefined) facts.who = words.name(event.seat, names);
  if (event.by !== undefined) facts.by = words.name(event.by, names);
  if (event.scores !== undefined) facts.scores = scoresOf(words, event, you, names);
  if (event.winners !== undefined) {
    facts.winners = words.names(event.winners, you, names);
    facts.who = words.name(event.winners[0] ?? 0, names);
  }
  return facts;
}

function scoresOf(words: Catalogue, event: Told, you: number | null, names: readonly string[]): string {
  const told = (event.scores ?? []).map((total, seat) =>
    words.text("scores.short", { name: words.names([seat], you, names), total, points: event.points?.[seat] ?? 0 }),
  );
  return told.join(", ");
}
