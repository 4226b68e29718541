// What people paste to join: a code however it is written, or a link, with whatever a messenger put around it.

import { isCode, plainCode, tablePath } from "../../state/route.svelte";

const LINK = /\/(table|seat|replay)\/([\w-]+)(\?[\w=&]+)?/;

/** Where it leads, as the part of an address behind #; null if it is neither a code nor a link of ours. */
export function pathOf(pasted: string): string | null {
  const [, kind, name, place = ""] = LINK.exec(pasted) ?? [];
  if (kind === "seat") return `#/seat/${name}${place}`;
  if (kind === "replay") return `#/replay/${name}${place}`; // the very moment that was shared
  const code = plainCode(name ?? pasted);
  return isCode(code) ? tablePath(code) : null;
}
