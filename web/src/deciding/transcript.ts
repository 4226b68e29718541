// What is announced to screen readers: every event once, in order, and nothing that is old when they join.  Of each
// version it is the sentence that the board shows beside the piles, with the cards one can't see named.

import { calloutOf, spoken, type Audience } from "../callouts/callout";
import { hasTrait } from "../game/events";
import type { LogLine, Room, TableStep } from "../state/room.svelte";
import type { EventInfo } from "../wire";
import { capitalized, type Catalogue } from "../words/catalogue";
import { together, withDealerChosen } from "../words/happenings";

export interface Announcement {
  /** for the polite live region */
  polite: string[];
  /** for the assertive live region: UNO */
  assertive: string[];
  /** a decision of ours begins */
  turn: boolean;
}

export class Transcript {
  #line: number;
  #step: number;
  #side: EventInfo["side"] | null = null;
  #decision: string | null = null;

  /** Begins with what happens just now; all that was before it is old. */
  constructor(room: Room) {
    const now = room.steps.find(({ version }) => version === room.version);
    this.#step = now ? now.id - 1 : lastId(room.steps);
    this.#line = lastId(room.log);
  }

  /** What is new since it was last asked.  `acts`: the prompt of a turn is announced too. */
  next(room: Room, words: Catalogue, acts: boolean): Announcement {
    const lines = room.log.filter((line) => line.id > this.#line);
    const steps = room.steps.filter(({ id }) => id > this.#step);
    this.#line = lastId(room.log);
    this.#step = lastId(room.steps);
    const turn = this.#turn(room, steps) && acts;
    const heard: Announcement = { polite: [], assertive: [], turn };
    heard.polite.push(...lines.map((line) => lineText(line, room, words)).filter(Boolean));
    for (const step of steps) this.#tell(step, heard, room, words);
    return heard;
  }

  /** After a decision of one's own the next one is announced even if it follows at once. */
  #turn(room: Room, steps: readonly TableStep[]): boolean {
    const before = this.#decision;
    this.#decision = room.myTurn ? (room.view?.phase ?? null) : null;
    if (this.#decision === null) return false;
    const decided = steps.some(({ events }) =>
      events.some(({ event, seat }) => seat === room.you && hasTrait(event, "decision")),
    );
    return decided || this.#decision !== before;
  }

  /** Hands that are dealt are read out one by one, and UNO interrupts; all the rest is one sentence. */
  #tell({ events: all, view }: TableStep, heard: Announcement, room: Room, words: Catalogue): void {
    const told: Audience = { you: room.you, names: room.names, words };
    const events = withDealerChosen(all);
    if (heard.turn && isInPrompt(events, room)) return;
    const listed = events.filter(({ event }) => hasTrait(event, "listed") && !hasTrait(event, "on_results"));
    for (const event of together(listed)) this.#say(words.event(event, room.you, room.names), event, heard, words);
    const rest = events.filter(({ event }) => !hasTrait(event, "listed") && event !== "said_uno");
    for (const uno of events.filter(({ event }) => event === "said_uno"))
      heard.assertive.push(words.event(uno, room.you, room.names));
    const [first] = rest;
    if (first) this.#say(spoken(calloutOf(rest, view, told, { aloud: true })), first, heard, words);
    const flipped = rest.find(({ event }) => event === "flipped");
    if (flipped) this.#side = flipped.side;
  }

  /** The side is said when it is another than before: the same words mean other cards there. */
  #say(sentence: string, event: EventInfo, heard: Announcement, words: Catalogue): void {
    if (!sentence) return;
    const named = event.card !== undefined || event.cards !== undefined;
    const changed = named && event.event !== "flipped" && event.side !== this.#side;
    if (named) this.#side = event.side;
    const side = capitalized(words.side(event.side).toLowerCase());
    heard.polite.push(changed ? words.text("announce.side", { side, sentence }) : sentence);
  }
}

function lineText(line: LogLine, room: Room, words: Catalogue): string {
  switch (line.kind) {
    case "event":
      return ""; // the steps tell it
    case "said": {
      const { seat, name, text } = line.said;
      return seat !== null && seat === room.you ? "" : words.text("announce.said", { name, text });
    }
    case "emoted": {
      const { seat, emote } = line.emoted;
      const key = `talk.emote.${emote}`;
      if (seat === room.you || !words.has(key)) return "";
      return words.text("announce.said", { name: words.name(seat, room.names), text: words.text(key) });
    }
    case "seat":
      return words.change(line.changed, room.you, room.names);
  }
}

/** The prompt names the one card that we have just drawn: it is not said twice. */
const isInPrompt = (events: readonly EventInfo[], { view, you }: Room): boolean =>
  events.length === 1 &&
  events[0]?.event === "drew" &&
  events[0].seat === you &&
  events[0].card === view?.drawn &&
  view?.drawn !== null;

const lastId = (all: readonly { id: number }[]): number => all[all.length - 1]?.id ?? 0;
