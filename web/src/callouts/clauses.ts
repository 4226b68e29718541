// The sentence of a callout, clause by clause: the first is the cause, the others are what followed from it.

import { skipUnknown } from "../exhaustive";
import { drawsOf } from "../game/draws";
import { facesOf, isWild, UNKNOWN } from "../game/faces";
import { offersOf } from "../game/moves";
import type { EventInfo, ViewInfo } from "../wire";
import type { Facts } from "../words/catalogue";
import type { Audience } from "./callout";
import { sumOf, valuesOf } from "./counting";

const MOST_HANDS = 3; // whose values are added up in words

/** What happens to one seat: all that it draws, shows and misses is one clause. */
interface Hit {
  seat: number;
  cards: string[];
  side: EventInfo["side"];
  revealed: string | null;
  skipped: boolean;
  /** it was drawn on a turn, and not because of anything; then kept, or not yet */
  turn: boolean;
  kept: boolean;
}

export class Clauses {
  #clauses: (string | Hit)[] = [];
  #uno = false;
  #reshuffled = false;
  #left: { seat: number; worth: number }[] = [];

  constructor(
    readonly told: Audience,
    readonly events: readonly EventInfo[],
    readonly aloud: boolean,
  ) {}

  add(event: EventInfo): void {
    const { seat = -1 } = event;
    switch (event.event) {
      case "played":
        return this.#play(event);
      case "called_color":
        if (!this.#follows(event, "played")) this.#say("callout.called", event);
        return;
      case "drew":
        return void this.#hit(event).cards.push(event.card ?? UNKNOWN);
      case "revealed":
        return void (this.#hit(event).revealed = event.card ?? UNKNOWN);
      case "skipped":
        return void (this.#hit(event).skipped = true);
      case "kept":
        return this.#keep(event);
      case "reshuffled":
        this.#reshuffled = true;
        return;
      case "said_uno":
        if (this.#clauses.length) this.#uno = true;
        else this.#say("callout.said_uno", event);
        return;
      case "reversed":
        return this.#say(event.direction === 1 ? "callout.left" : "callout.right", event);
      case "laid_open":
        this.#left.push({ seat, worth: sumOf(valuesOf(event.cards ?? [], event.side)) });
        return;
      case "scored":
        return this.#score(event);
      case "won":
        return this.#win(event);
      case "dealer_chosen": // with a card: it was the highest
        return this.#say(event.card === undefined ? "callout.dealer_chosen" : "callout.dealer_found", event);
      case "turned_up":
      case "returned":
      case "passed":
      case "flipped":
      case "caught":
      case "caught_in_vain":
      case "accepted":
      case "challenged":
      case "found_guilty":
      case "found_innocent":
      case "went_out":
      case "round_void":
        return this.#say(`callout.${event.event}`, event);
      case "jumped_in": // told with the play
      case "dealer_card":
      case "dealt":
        return;
      default:
        return skipUnknown(event.event);
    }
  }

  /** What the view adds: somebody has to answer, goes again, or has drawn what doesn't fit. */
  look(view: ViewInfo): void {
    const { you, words } = this.told;
    const played = this.events.findLast(({ event }) => event === "played" || event === "jumped_in");
    const seat = view.to_act;
    if (view.phase === "challenge" && played && seat !== null) this.#answer(view, seat);
    else if (played && this.#clauses.length === 1 && seat === played.seat && view.phase === "turn")
      this.#say("callout.again", { seat });
    const drew = this.events.some(({ event }) => event === "drew");
    if (drew && view.drawn !== null && you !== null && !fits(view)) {
      const { front } = facesOf(view.drawn, view.side);
      const color = view.color === null ? "" : words.color(view.color);
      if (isWild(front)) this.#clauses.push(words.text("callout.unplayable"));
      else if (isWild(view.top)) this.#clauses.push(words.text("callout.unfit_color", { color }));
      else this.#clauses.push(words.text("callout.unfit", { card: words.face(view.top) }));
    }
  }

  all(): string[] {
    const said = this.#clauses.flatMap((clause) => (typeof clause === "string" ? [clause] : this.#hitTexts(clause)));
    if (this.#reshuffled) said.push(this.told.words.text("callout.reshuffled"));
    if (this.#uno) said.push(this.told.words.text("callout.uno")); // last: it is what is to be heard
    return said;
  }

  #play(event: EventInfo): void {
    const jumped = this.#follows(event, "jumped_in");
    const called = this.events[this.events.indexOf(event) + 1];
    if (called?.event === "called_color" && called.color !== undefined)
      this.#say(jumped ? "callout.jumped_in_calling" : "callout.played_calling", { ...event, color: called.color });
    else this.#say(jumped ? "callout.jumped_in" : "callout.played", event);
  }

  /** The event just before was such a one, of the same seat. */
  #follows(event: EventInfo, name: EventInfo["event"]): boolean {
    const before = this.events[this.events.indexOf(event) - 1];
    return before?.event === name && before.seat === event.seat;
  }

  #hit({ seat = -1, side }: EventInfo): Hit {
    const found = this.#clauses.find((clause): clause is Hit => typeof clause !== "string" && clause.seat === seat);
    if (found) return found;
    const turn = this.#clauses.length === 0;
    const hit: Hit = { seat, side, cards: [], revealed: null, skipped: false, turn, kept: false };
    this.#clauses.push(hit);
    return hit;
  }

  #keep(event: EventInfo): void {
    const [drew] = this.#clauses;
    if (drew && typeof drew !== "string") drew.kept = true;
    else this.#say("callout.kept", event);
  }

  #hitTexts(hit: Hit): string[] {
    const { seat, cards, side, revealed, skipped, turn, kept } = hit;
    const said: string[] = [];
    const faces = cards.map((card) => facesOf(card, side).front);
    const named = this.#isYou(seat) && !faces.includes(UNKNOWN) && (turn || this.aloud);
    const { words } = this.told;
    const facts = { seat, n: cards.length, cards: words.listed(faces.map((face) => words.face(face))) };
    const a_cards = words.listed(faces.map((face) => words.aFace(face)));
    const missed = skipped ? "_missed" : "";
    if (cards.length && turn) said.push(this.#text(kept ? "callout.drew_kept" : "callout.drew", { ...facts, a_cards }));
    else if (cards.length && named) said.push(words.text(`callout.draws_cards${missed}`, { ...facts, a_cards }));
    else if (cards.length) said.push(this.#text(`callout.draws${missed}`, facts));
    if (revealed !== null)
      said.push(this.#text("callout.revealed", { seat, card: words.face(facesOf(revealed, side).front) }));
    if (skipped && (cards.length === 0 || turn)) said.push(this.#text("callout.skipped", { seat }));
    return said;
  }

  #answer(view: ViewInfo, seat: number): void {
    const draws = drawsOf(view);
    const color = view.color === null ? "" : this.told.words.color(view.color);
    if (draws !== null)
      this.#clauses.push(this.#text("callout.answer", { seat, n: draws || drawsOf({ ...view, owed: 1 })! }));
    else this.#clauses.push(this.#text("callout.answer_until", { seat, color }));
  }

  /** One winner gets what all the others hold; where everybody counts their own, each is named. */
  #score({ points = [] }: EventInfo): void {
    const { words, names, you } = this.told;
    const scorers = points.flatMap((n, seat) => (n > 0 ? [seat] : []));
    const [winner] = scorers;
    if (winner === undefined) return void this.#clauses.push(words.text("callout.no_points"));
    const pointsOf = (seat: number, n: number): string =>
      words.text("callout.worth", { name: words.names([seat], you, names), n });
    if (scorers.length > 1 || this.#left.some(({ seat }) => seat === winner)) {
      const list = words.listed(scorers.map((seat) => pointsOf(seat, points[seat] ?? 0)));
      return void this.#clauses.push(words.text("callout.points", { list }));
    }
    const total = points[winner] ?? 0;
    const adds = this.#left.length <= MOST_HANDS && sumOf(this.#left.map(({ worth }) => worth)) === total;
    const sum = this.#left.map(({ seat, worth }) => pointsOf(seat, worth)).join(" + ");
    this.#clauses.push(
      adds && this.#left.length > 1
        ? this.#text("callout.scored_sum", { seat: winner, total, sum })
        : this.#text("callout.scored", { seat: winner, total }),
    );
  }

  #win({ winners = [] }: EventInfo): void {
    const { words, names, you } = this.told;
    if (winners.length > 1)
      this.#clauses.push(words.text("callout.won_shared", { winners: words.names(winners, you, names) }));
    else this.#clauses.push(this.#text("callout.won", { seat: winners[0] ?? 0 }));
  }

  #say(key: string, { seat, by, card, side = "light", color }: Partial<EventInfo>): void {
    const { words, names } = this.told;
    const facts: Facts & { seat?: number; by?: number } = { side: words.side(side).toLowerCase() };
    if (card !== undefined) {
      const { front } = facesOf(card, side);
      facts.card = words.face(front);
      facts.a_card = words.aFace(front);
    }
    if (color !== undefined) facts.color = words.color(color);
    if (by !== undefined) facts.catcher = words.name(by, names);
    if (seat !== undefined) facts.seat = seat;
    if (by !== undefined) facts.by = by;
    this.#clauses.push(this.#text(key, facts));
  }

  /** The form that speaks to whom it is about, or to who did it. */
  #text(key: string, facts: Facts & { seat?: number; by?: number }): string {
    const { words, names } = this.told;
    const forms = [key];
    if (facts.by !== undefined && this.#isYou(facts.by)) forms.unshift(`${key}.by_you`);
    if (facts.seat !== undefined && this.#isYou(facts.seat)) forms.unshift(`${key}.you`);
    const who = facts.seat === undefined ? {} : { who: words.name(facts.seat, names) };
    return words.text(words.first(...forms), { ...facts, ...who });
  }

  #isYou(seat: number): boolean {
    return this.told.you !== null && seat === this.told.you;
  }
}

/** Whether the card that was drawn is among what may be said. */
const fits = ({ drawn, legal }: ViewInfo): boolean => drawn !== null && offersOf(legal).plays.has(drawn);
