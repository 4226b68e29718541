// What this browser keeps of a match to account for its deal: its own value, and the pledges of all seats as they were
// when they could not change any more.  By table and match; gone when the match after it is over.

import { plainCode } from "../state/route.svelte";

const KEY = "values";
const MOST = 40; // matches; the oldest is forgotten

export interface KeptValue {
  commitment: string;
  /** 64 hexadecimal digits; null: this browser only watched */
  value: string | null;
  /** the server has shown the pledge of it in our seat */
  pledged: boolean;
  /** by seat, before any value was shown; null: we did not see them */
  pledges: (string | null)[] | null;
}

type Kept = [match: string, kept: KeptValue][];

let known: Kept | null = null; // where the browser has no storage: for as long as the page lives

const nameOf = (code: string, match: number): string => `${plainCode(code)} ${match}`;

function all(): Kept {
  try {
    const text = localStorage.getItem(KEY); // read every time: another window may have kept some since
    const found: unknown = text === null ? null : JSON.parse(text);
    if (Array.isArray(found)) known = found as Kept;
  } catch {
    // somebody has been at it, or there is no storage
  }
  return known ?? [];
}

function write(kept: Kept): void {
  known = kept.slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // it is known as long as the page lives
  }
}

export const keptFor = (code: string, match: number): KeptValue | null =>
  all().find(([name]) => name === nameOf(code, match))?.[1] ?? null;

export function keepValue(code: string, match: number, kept: KeptValue): void {
  const name = nameOf(code, match);
  write([...all().filter(([other]) => other !== name), [name, kept]]);
}

/** Of a match that is over those before it need no proof any more. */
export function forgetBefore(code: string, match: number): void {
  const kept = all();
  const old = ([name]: Kept[number]): boolean => {
    const [table, number] = name.split(" ");
    return table === plainCode(code) && Number(number) < match;
  };
  if (kept.some(old)) write(kept.filter((each) => !old(each)));
}

/** The pledges that were seen for this commitment before any value was; for a match whose table is not known. */
export const pledgesSeen = (commitment: string): (string | null)[] | null =>
  all().findLast(([, kept]) => kept.commitment === commitment)?.[1].pledges ?? null;
