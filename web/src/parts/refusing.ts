// What the server, or the way to it, says no to: as a sentence in the language of the page.

import { RequestRefused } from "../net/api";
import type { Bye, Refused } from "../wire";
import type { Facts } from "../words/catalogue";
import { words } from "../words/language.svelte";

/** Why a request was refused; `facts` are what the page knows about it: an answer to a request carries none. */
export function whyNot(error: unknown, facts: Facts = {}): string {
  if (!(error instanceof RequestRefused)) return words().text("refusal.unreachable");
  const { reason, code, message } = error.failure;
  return words().refusal({ reason, code: code as Refused["code"], message, facts });
}

export const reasonOf = (error: unknown): string => (error instanceof RequestRefused ? error.failure.reason : "");

/** Why the line was closed: the server's last word, or its answer to our greeting. */
export function lastWord(bye: Bye | null, refusal: Refused | null): { code: string; sentence: string } | null {
  const word = bye ? { ...bye, reason: bye.code, facts: {} } : refusal;
  return word && { code: word.code, sentence: words().refusal(word) };
}
