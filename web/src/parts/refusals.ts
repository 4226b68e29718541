// Refusals as sentences in the language of the page.

import { RequestRefused } from "../net/api";
import type { Bye, Refused } from "../wire";
import type { Facts } from "../words/catalogue";
import { words } from "../words/language.svelte";

/** Why a request was refused; `known` is what the page knows about it besides what the answer says. */
export function refusalText(error: unknown, known: Facts = {}): string {
  if (!(error instanceof RequestRefused)) return words().text("refusal.unreachable");
  const { reason, code, message, facts } = error.failure;
  const sentence = words().refusal({ reason, code: code as Refused["code"], message, facts: { ...known, ...facts } });
  return withWord(sentence, facts);
}

export const reasonOf = (error: unknown): string => (error instanceof RequestRefused ? error.failure.reason : "");

/** Why the connection was closed: the `bye` of the server, or its refusal of our greeting. */
export function closeReason(bye: Bye | null, refusal: Refused | null): { code: string; sentence: string } | null {
  const word = bye ? { ...bye, reason: bye.code } : refusal;
  return word && { code: word.code, sentence: withWord(words().refusal(word), word.facts) };
}

/** With what whoever runs the server has to say about it. */
const withWord = (sentence: string, facts: Facts): string =>
  typeof facts["word"] === "string" ? `${sentence} “${facts["word"]}”` : sentence;
