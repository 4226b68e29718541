// What the board says about one version: marks at the seats it hits, and one sentence of cause and effect beside the
// piles.  Pure: events, view, names and words go in.

import type { EventInfo, EventName, ViewInfo } from "../wire";
import { capitalized, type Catalogue } from "../words/catalogue";
import { withDealerChosen } from "../words/happenings";
import { Clauses } from "./clauses";
import { Marks, type SeatMark } from "./marks";

export interface Callout {
  marks: SeatMark[];
  /** who did what; "" if there is nothing to say */
  cause: string;
  /** what followed from it, for whom */
  effect: string;
}

/** Who is told, and in which words. */
export interface Audience {
  you: number | null;
  names: readonly string[];
  words: Catalogue;
}

/** What the board shows itself, for longer than a sentence would: hands that fly to their seats. */
export const SILENT: ReadonlySet<EventName> = new Set<EventName>(["dealer_card", "dealt"]);

/** `aloud`: for those who listen.  They don't see which cards they drew, so these are named. */
export function calloutOf(
  events: readonly EventInfo[],
  view: ViewInfo | null,
  told: Audience,
  { aloud = false }: { aloud?: boolean } = {},
): Callout {
  const marks = new Marks(told.words);
  for (const event of events) marks.add(event);
  const said = withDealerChosen(events);
  const clauses = new Clauses(told, said, aloud);
  for (const event of said) clauses.add(event);
  if (view) clauses.look(view);
  const [cause = "", ...effects] = clauses.all();
  return { marks: marks.all(), cause: capitalized(cause), effect: effects.join(", ") };
}

/** The sentence as it is seen, and as it is said: the arrow would be read out. */
export const written = ({ cause, effect }: Callout, words: Catalogue): string =>
  effect ? words.text("callout.seen", { cause, effect }) : cause;

export function spoken({ cause, effect }: Callout): string {
  if (!cause) return "";
  return [cause, capitalized(effect)].map(ended).filter(Boolean).join(" ");
}

const ended = (text: string): string => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);

/** A card that was drawn on a turn and then kept is one callout: the events of both, or null if these are no such two. */
export function drawnAndKept(before: readonly EventInfo[], now: readonly EventInfo[]): EventInfo[] | null {
  const [kept] = now;
  if (kept?.event !== "kept" || before.length === 0) return null;
  const drew = before.every(({ event, seat }) => event === "reshuffled" || (event === "drew" && seat === kept.seat));
  return drew ? [...before, ...now] : null;
}
