// What is announced to screen readers: every event once, in order, and nothing that is old when they join.

import { hasTrait } from "../game/events";
import { facesOf } from "../game/faces";
import type { LogLine, Room } from "../state/room.svelte";
import type { EventInfo } from "../wire";
import { capitalized, type Catalogue } from "../words/catalogue";
import { logged } from "../words/happenings";

export interface Announcement {
  /** for the polite live region */
  polite: string[];
  /** for the assertive live region: UNO */
  assertive: string[];
  /** a decision of ours begins */
  turn: boolean;
}

export class Transcript {
  #told: number;
  #side: EventInfo["side"] | null = null;
  #decision: string | null = null;

  /** Begins with what happens just now; all lines before it are old. */
  constructor(room: Room) {
    const now = logged(room.happening?.events ?? []).length;
    const events = room.log.filter((line) => line.kind === "event");
    const first = now > 0 ? events[events.length - now] : undefined;
    this.#told = first ? first.id - 1 : lastId(room);
  }

  /** What is new since it was last asked.  `acts`: the prompt of a turn is announced too. */
  next(room: Room, words: Catalogue, acts: boolean): Announcement {
    const lines = room.log.filter((line) => line.id > this.#told);
    this.#told = lastId(room);
    const heard: Announcement = { polite: [], assertive: [], turn: this.#turn(room, lines) && acts };
    for (const line of lines) {
      if (heard.turn && isInPrompt(line, room)) continue;
      const sentence = this.#sentence(line, room, words);
      if (!sentence) continue;
      if (line.kind === "event" && line.event.event === "said_uno") heard.assertive.push(sentence);
      else heard.polite.push(sentence);
    }
    return heard;
  }

  /** After a decision of one's own the next one is announced even if it follows at once. */
  #turn(room: Room, lines: readonly LogLine[]): boolean {
    const before = this.#decision;
    this.#decision = room.myTurn ? (room.view?.phase ?? null) : null;
    if (this.#decision === null) return false;
    const decided = lines.some(
      (line) => line.kind === "event" && line.event.seat === room.you && hasTrait(line.event.event, "decision"),
    );
    return decided || this.#decision !== before;
  }

  #sentence(line: LogLine, room: Room, words: Catalogue): string {
    if (line.kind === "said") {
      const { seat, name, text } = line.said;
      return seat !== null && seat === room.you ? "" : words.text("announce.said", { name, text });
    }
    if (line.kind === "emoted") {
      const { seat, emote } = line.emoted;
      const key = `talk.emote.${emote}`;
      if (seat === room.you || !words.has(key)) return "";
      return words.text("announce.said", { name: words.name(seat, room.names), text: words.text(key) });
    }
    if (line.kind === "seat") return words.change(line.changed, room.you, room.names);
    return this.#event(line.event, room, words);
  }

  /** The side is said when it is another than before: the same words mean other cards there. */
  #event(event: EventInfo, room: Room, words: Catalogue): string {
    const sentence = words.event(event, room.you, room.names);
    if (!sentence || (event.card === undefined && event.cards === undefined)) return sentence;
    const changed = event.side !== this.#side;
    this.#side = event.side;
    const side = words.side(event.side).toLowerCase();
    if (event.event === "flipped" && event.card !== undefined) {
      const key = event.seat === room.you ? "announce.flipped.you" : "announce.flipped";
      const who = words.name(event.seat ?? 0, room.names);
      return words.text(key, { who, side, card: words.face(facesOf(event.card, event.side).front) });
    }
    return changed ? words.text("announce.side", { side: capitalized(side), sentence }) : sentence;
  }
}

/** The prompt names the one card that we have just drawn: it is not said twice. */
const isInPrompt = (line: LogLine, { view, you }: Room): boolean =>
  line.kind === "event" &&
  line.event.event === "drew" &&
  line.event.seat === you &&
  line.event.cards?.length === 1 &&
  line.event.cards[0] === view?.drawn;

const lastId = (room: Room): number => room.log[room.log.length - 1]?.id ?? 0;
