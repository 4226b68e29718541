// What each answer to a draw card costs, in words.

import { WRONG_CHALLENGE } from "../wire";
import type { Catalogue } from "../words/catalogue";
import type { Stake } from "./stakes";

export interface StakeText {
  /** who played what, and what was in force */
  about: string;
  accept: string;
  /** if the challenge is right, and if it is wrong */
  right: string;
  wrong: string;
  /** for the buttons, which have little room */
  acceptShort: string;
  challengeShort: string;
}

/** `orWild`: another wild in the hand counts as a match too (CHAL-3). */
export function stakeText(words: Catalogue, stake: Stake, names: readonly string[], orWild: boolean): StakeText {
  const { by, draws, owed, color, before } = stake;
  const name = by === null ? words.text("act.stake.whoever") : words.name(by, names);
  const called = { name, color: color ? words.color(color) : "", before: before ? words.color(before) : "" };
  const facts = { ...called, what: whatMatches(words, before, orWild) };
  const about = before ? "act.stake.called_before" : "act.stake.called";
  return {
    about: stake.top.startsWith("W") ? words.text(about, called) : words.text("act.stake.stacked", { n: owed }),
    accept:
      draws === null
        ? words.text("act.stake.accept_until", { ...called, n: owed })
        : words.text("act.stake.accept", { n: draws }),
    right:
      draws === null
        ? words.text("act.stake.right_until", { ...facts, n: owed })
        : words.text("act.stake.right", { ...facts, n: draws }),
    wrong:
      draws === null
        ? words.text("act.stake.wrong_until", { ...called, n: owed, more: WRONG_CHALLENGE })
        : words.text("act.stake.wrong", { n: draws + WRONG_CHALLENGE }),
    acceptShort:
      draws === null
        ? words.text("act.stake.accept_until_short", called)
        : words.text("act.stake.accept_short", { count: draws }),
    challengeShort:
      draws === null
        ? words.text("act.stake.challenge_until_short", { ...facts, more: WRONG_CHALLENGE })
        : words.text("act.stake.challenge_short", { ...facts, count: draws, more: draws + WRONG_CHALLENGE }),
  };
}

function whatMatches(words: Catalogue, before: string | null, orWild: boolean): string {
  if (!before) return words.text("act.stake.what_unknown");
  return words.text(orWild ? "act.stake.what_or_wild" : "act.stake.what", { before: words.color(before) });
}
