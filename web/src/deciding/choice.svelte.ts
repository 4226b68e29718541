// The one way of a move from the player to the server, whichever control it comes from.  It holds what the player is
// about to do (a wild that waits for its color, UNO armed for the next card, the focused card) and knows no rules:
// whatever goes out was listed as legal by the server and chosen by the player.

import { untrack } from "svelte";
import { colorsOf, UNKNOWN } from "../game/faces";
import { offersOf, waysWith, type Offers, type Play } from "../game/moves";
import { HAND_SORTS, preferences } from "../state/preferences.svelte";
import type { Room } from "../state/room.svelte";
import type { Refused } from "../wire";
import { followed, type KeyedCard } from "./hand-keys";
import { shownOrder } from "./hand-order";

/** Why a move that was tried can't be made; shown until the next thing happens. */
export interface Note {
  /** a key of the catalogue, under `act` */
  says: "no_fit" | "not_your_turn" | "not_now";
  /** the card that was tried */
  card: string | null;
}

const NONE: readonly string[] = [];
/** refusals of a race that was lost, or of a move sent twice: the log tells it better */
const LATE = ["no-uno", "cannot-be-caught"];

export class Choice {
  /** UNO is said with the next card */
  armed = $state(false);
  /** a wild that was chosen and waits for its color */
  wild = $state.raw<{ card: string; place: number } | null>(null);
  /** the card of the hand that has the keyboard focus */
  place = $state(0);
  /** the backs of one's own cards are shown beside them */
  backs = $state(false);
  help = $state(false);
  /** the bots were asked to hurry until it is our turn */
  skipping = $state(false);
  /** the hand, once it is there, takes the focus to its card */
  focusHand: () => void = () => undefined;
  note = $state.raw<Note | null>(null);

  #offers = $derived.by((): Offers => offersOf(this.acts ? (this.room.view?.legal ?? []) : []));
  #held = $derived.by((): KeyedCard[] => this.#follow());
  #order = $derived.by(() => shownOrder(this.hand, this.room.view?.side ?? "light", preferences.sort));
  /** the hand as it was settled last, to find the focused card again */
  #settled: { keys: string[]; order: number[] } = { keys: [], order: [] };
  #before: { hand: readonly string[]; held: KeyedCard[] } = { hand: [], held: [] };
  #phase: string | null = null;

  constructor(readonly room: Room) {
    this.settle();
  }

  /** The legal moves. */
  get offers(): Offers {
    return this.#offers;
  }

  get hand(): readonly string[] {
    return this.room.view?.hand ?? NONE;
  }

  /** The hand with a stable key for each card, while others come and go and when all turn over. */
  get held(): readonly KeyedCard[] {
    return this.#held;
  }

  /** The places of the hand as they are shown, from left to right: only we see them so. */
  get order(): readonly number[] {
    return this.#order;
  }

  /** One sees the backs of one's own cards, unless the rules of the table hide them. */
  get backsKnown(): boolean {
    return this.hand.some((card) => !card.includes(UNKNOWN));
  }

  /** This seat is played from here: we are no spectator, and no bot plays for us. */
  get acts(): boolean {
    const { info, you } = this.room;
    return you !== null && info?.phase === "playing" && !info.seats[you]?.sits_in;
  }

  /** No move of ours is pending. */
  get free(): boolean {
    return this.acts && this.room.pending === null;
  }

  canPlay(place: number): boolean {
    return this.free && this.offers.plays.has(this.hand[place] ?? "");
  }

  /** The place of the card just drawn, playable or not; of equal cards it is the last. */
  get drawn(): number | null {
    const { view, myTurn } = this.room;
    if (!myTurn || view === null || view.drawn === null) return null;
    const place = this.hand.lastIndexOf(view.drawn);
    return place < 0 ? null : place;
  }

  /** The drawn card can be played. */
  get drawnFits(): boolean {
    return this.drawn !== null && this.offers.plays.has(this.hand[this.drawn]!);
  }

  /** Nothing but keeping the drawn card is left to say. */
  get mustKeep(): boolean {
    return this.free && this.drawn !== null && this.offers.keep && this.offers.plays.size === 0;
  }

  /** Cards that may be played although it is somebody else's turn. */
  get jumps(): number[] {
    if (this.room.myTurn) return [];
    return this.hand.flatMap((card, place) =>
      this.offers.plays.has(card) && this.hand.indexOf(card) === place ? [place] : [],
    );
  }

  /** The colors to choose from: for a wild of ours, or for one that turned up. */
  get colors(): string[] {
    const { view } = this.room;
    if (!view || !this.free) return [];
    const wanted = this.wild ? this.#ways(this.wild.card).map((way) => way.color) : this.offers.colors;
    return colorsOf(view.side).filter((color) => wanted.includes(color));
  }

  /** Seats that can be caught; a catch in vain is not offered. */
  get catches(): number[] {
    return (this.room.view?.catchable ?? []).filter((seat) => this.offers.catches.includes(seat));
  }

  /** Whether the UNO button is shown: UNO can be said late, or the next card may leave one. */
  get unoOpen(): boolean {
    const mayLeaveOne = this.hand.length === 2 && (!this.room.myTurn || this.offers.plays.size > 0);
    return this.acts && (this.offers.uno || this.offers.unoWithPlay || mayLeaveOne);
  }

  /** The last refusal that is worth showing. */
  get refusal(): Refused | null {
    const { refusal } = this.room;
    return refusal && LATE.includes(refusal.reason) ? null : refusal;
  }

  /** Nothing is left to draw: drawing is passing. */
  get passes(): boolean {
    const { view } = this.room;
    return view !== null && view.draw_count === 0 && view.discard_count <= 1;
  }

  // ------------------------------------------------------------ what a player does
  /** Plays the card at a place, or asks for its color first. */
  play(place: number): void {
    const card = this.hand[place];
    if (card === undefined) return;
    this.place = place;
    if (!this.canPlay(place)) return this.#tried(card);
    const ways = this.#ways(card);
    if (ways.length > 1) {
      this.note = null;
      this.wild = this.wild?.place === place ? null : { card, place };
    } else if (ways[0]) this.#say(ways[0].move, place);
  }

  call(color: string): void {
    if (!this.colors.includes(color)) return;
    if (!this.wild) return this.#say(`color ${color}`);
    const way = this.#ways(this.wild.card).find((each) => each.color === color);
    if (way) this.#say(way.move, this.wild.place);
  }

  /** A move without a card, if it is legal. */
  say(move: "draw" | "keep" | "accept" | "challenge"): void {
    if (this.free && this.offers[move]) this.#say(move);
    else this.#tried(null);
  }

  /** The drawn card, or the one to jump in with. */
  playIt(): void {
    const place = this.drawn ?? this.jumps[0];
    if (place === undefined) this.#tried(null);
    else this.play(place);
  }

  /** Before the play it arms UNO for the next card; after the play it says UNO late; in between, as soon as it can. */
  uno(): void {
    if (this.offers.uno) return this.room.move("uno");
    const { pending } = this.room;
    if (pending?.card && this.hand.length === 2) {
      if (pending.move.endsWith("!") || this.armed) return;
      this.armed = true; // said again by `settle` if this comes before the card
      if (!pending.held) this.room.move("uno");
    } else if (this.unoOpen) this.armed = !this.armed;
    else this.#tried(null);
  }

  catch(seat: number | undefined = this.catches[0]): void {
    if (seat !== undefined && this.catches.includes(seat)) this.room.move(`catch ${seat}`);
    else this.#tried(null);
  }

  /** Brings the focus to the next card that can be played, from left to right, and around. */
  nextPlayable(): void {
    const at = this.order.indexOf(this.place);
    const next = [...this.order.slice(at + 1), ...this.order.slice(0, at + 1)].find((place) => this.canPlay(place));
    if (next === undefined) return this.#tried(null);
    this.place = next;
    this.focusHand();
  }

  sortOtherwise(): void {
    preferences.sort = HAND_SORTS[(HAND_SORTS.indexOf(preferences.sort) + 1) % HAND_SORTS.length] ?? "arrival";
  }

  /** On to our own turn, while only bots act. */
  skip(): void {
    if (this.skipping || !this.acts || !this.room.onlyBotsAct) return;
    this.skipping = true;
    this.room.skipAhead();
  }

  /** Closes what is open, one thing at a time; false if nothing is. */
  back(): boolean {
    if (this.help) this.help = false;
    else if (this.wild) this.wild = null;
    else if (this.room.shownHand) this.room.shownHand = null;
    else if (this.room.refusal || this.note) this.room.refusal = this.note = null;
    else if (this.backs) this.backs = false;
    else return false;
    return true;
  }

  // ------------------------------------------------------------ what the table does
  /** After an update: drops what no longer applies. */
  settle(): void {
    const { hand, offers } = this;
    this.note = null;
    if (this.wild && (hand[this.wild.place] !== this.wild.card || !offers.plays.has(this.wild.card))) this.wild = null;
    if (this.armed && offers.uno) this.room.move("uno");
    if (hand.length !== 2 || offers.uno) this.armed = false;
    const phase = this.room.myTurn ? (this.room.view?.phase ?? null) : null;
    this.place = this.#placeNow();
    if (phase !== this.#phase && this.drawn !== null) this.place = this.drawn;
    this.#phase = phase;
    this.skipping &&= this.room.onlyBotsAct;
  }

  /** Where the focused card is now; if it has gone, the one that is shown in its stead. */
  #placeNow(): number {
    const before = this.#settled;
    this.#settled = { keys: this.held.map(({ key }) => key), order: [...this.order] };
    const { keys, order } = this.#settled;
    const key = before.keys[this.place];
    const still = key === undefined ? -1 : keys.indexOf(key);
    if (still >= 0) return still;
    const at = Math.max(0, before.order.indexOf(this.place));
    return order[Math.min(at, order.length - 1)] ?? 0;
  }

  #follow(): KeyedCard[] {
    const { hand, room } = this;
    if (hand !== this.#before.hand) {
      const mine = room.happening?.events.find(({ event, seat }) => event === "played" && seat === room.you);
      this.#before = { hand, held: followed(this.#before.held, hand, mine?.card ?? null) };
    }
    return this.#before.held;
  }

  #ways(card: string): Play[] {
    return waysWith(this.offers.plays.get(card) ?? [], this.armed);
  }

  #say(move: string, place: number | null = null): void {
    this.note = null;
    this.wild = null;
    this.room.move(move, place);
  }

  #tried(card: string | null): void {
    if (this.room.pending) return; // one thing at a time, and that is shown
    this.room.refusal = null;
    const says = !this.room.myTurn ? "not_your_turn" : card ? "no_fit" : "not_now";
    this.note = { says, card };
  }
}

const made = new WeakMap<Room, Choice>();

/** The one `Choice` of a room: the hand, the board, the buttons and the keys share it, match after match. */
export function choiceOf(room: Room): Choice {
  let choice = made.get(room);
  if (choice === undefined) {
    // What it derives belongs to the room, not to the component that happens to ask first and may go before it.
    $effect.root(() => void (choice = untrack(() => new Choice(room))));
    made.set(room, choice!);
  }
  return choice!;
}
