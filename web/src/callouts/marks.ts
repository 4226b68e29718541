// Marks at the seats that something happens to: "+2", "Skipped", "UNO!", "Caught: +2", "Challenge won".

import { skipUnknown } from "../exhaustive";
import { drawsOf } from "../game/draws";
import type { EventInfo, ViewInfo } from "../wire";
import type { Catalogue } from "../words/catalogue";
import { sumText, valuesOf } from "./counting";

/** How it looks: bad news, good news, UNO, or just so. */
export type MarkTone = "bad" | "good" | "uno" | "plain";

export interface SeatMark {
  seat: number;
  tone: MarkTone;
  text: string;
  /** what a hand is worth, or what it brings: not before the hands lie open */
  counts?: true;
}

/** While draw cards wait for an answer: what they add up to, at the seat that has to answer. */
export function standingMarks(view: ViewInfo): SeatMark[] {
  if (view.phase !== "challenge" || view.to_act === null) return [];
  const draws = drawsOf({ top: view.top, owed: Math.max(1, view.owed) });
  return [{ seat: view.to_act, tone: "bad", text: draws === null ? "+?" : `+${draws}` }];
}

export class Marks {
  #marks: SeatMark[] = [];
  #drawn = new Map<number, number>();
  #caught = new Set<number>();
  /** the turn's own draw is no blow */
  #hit = false;
  #left: EventInfo[] = [];
  #counted = false;

  constructor(readonly words: Catalogue) {}

  add(event: EventInfo): void {
    const { seat = -1, by = -1 } = event;
    switch (event.event) {
      case "drew":
        this.#drawn.set(seat, (this.#drawn.get(seat) ?? 0) + 1);
        return;
      case "played":
      case "turned_up":
      case "accepted":
        this.#hit = true;
        return;
      case "skipped":
        return this.#set(seat, "bad", this.words.text("callout.mark.skipped"));
      case "said_uno":
        return this.#set(seat, "uno", this.words.text("callout.mark.uno"));
      case "caught":
        this.#hit = true;
        this.#caught.add(seat);
        return;
      case "caught_in_vain":
        this.#hit = true;
        return this.#set(by, "plain", this.words.text("callout.mark.in_vain"));
      case "challenged":
        this.#hit = true;
        return;
      case "found_guilty":
        return this.#set(by, "good", this.words.text("callout.mark.challenge_won"));
      case "found_innocent":
        return this.#set(by, "bad", this.words.text("callout.mark.challenge_lost"));
      case "passed":
        return this.#set(seat, "plain", this.words.text("callout.mark.passed"));
      case "dealer_chosen":
        return this.#set(seat, "plain", this.words.text("callout.mark.dealer"));
      case "went_out":
        return this.#set(seat, "good", this.words.text("callout.mark.out"));
      case "laid_open":
        this.#left.push(event);
        return;
      case "scored":
        return this.#score(event);
      case "won":
        for (const winner of event.winners ?? []) this.#set(winner, "good", this.words.text("callout.mark.winner"));
        return;
      case "dealer_card":
      case "dealt":
      case "returned":
      case "jumped_in":
      case "called_color":
      case "revealed":
      case "kept":
      case "reversed":
      case "flipped":
      case "reshuffled":
      case "round_void":
        return; // it is about the piles, or about everybody: the sentence tells it
      default:
        return skipUnknown(event.event);
    }
  }

  /** In the order of the events; what was drawn comes first. */
  all(): SeatMark[] {
    const tone = this.#hit ? "bad" : "plain";
    const drawn = [...this.#drawn]
      .filter(([seat]) => !this.#caught.has(seat))
      .map(([seat, n]): SeatMark => ({ seat, tone, text: `+${n}` }));
    const caught = [...this.#caught].map((seat): SeatMark => {
      const n = this.#drawn.get(seat) ?? 0;
      const text = n ? this.words.text("callout.mark.caught_draws", { n }) : this.words.text("callout.mark.caught");
      return { seat, tone: "bad", text };
    });
    const left = this.#left.map((event): SeatMark => ({
      seat: event.seat ?? -1,
      tone: "plain",
      text: this.#leftText(event),
      counts: true,
    }));
    return [...caught, ...drawn, ...this.#marks, ...left];
  }

  #leftText({ cards = [], side }: EventInfo): string {
    return this.#counted ? sumText(valuesOf(cards, side)) : this.words.text("count.cards", { n: cards.length });
  }

  #score({ points = [] }: EventInfo): void {
    this.#counted = true;
    points.forEach((n, seat) => {
      const won = n > 0 && !this.#left.some((event) => event.seat === seat);
      if (won) this.#marks.push({ seat, tone: "good", text: `+${this.words.number(n)}`, counts: true });
    });
  }

  #set(seat: number, tone: MarkTone, text: string): void {
    this.#marks.push({ seat, tone, text });
  }
}
