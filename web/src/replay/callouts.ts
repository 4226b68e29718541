// The callouts of a step of a replay: a step that is shown stays as long as somebody looks, and so do they.

import { calloutOf, drawnAndKept, spoken, written, type Audience, type Callout } from "../callouts/callout";
import { standingAt, type BoardCallouts, type CalloutLine } from "../callouts/shown.svelte";
import { stepIn, type ShownStep } from "./player.svelte";

/** Who is told is none of the players. */
export type Onlooker = Omit<Audience, "you">;

export function calloutsOf({ round, step }: ShownStep, told: Onlooker): BoardCallouts {
  const before = isKept({ round, step }) ? step - 2 : step - 1; // a draw is in the sentence of its keep
  const lines = [before, step].map((at) => lineAt({ round, step: at }, told)).filter((line) => line !== null);
  const marks = calloutAt({ round, step }, told)?.marks.map((mark, n) => ({ ...mark, id: 1000 * step + n })) ?? [];
  return {
    lines,
    marksAt: (seat, view) => [...standingAt(view), ...marks].filter((mark) => mark.seat === seat),
  };
}

/** The same sentence, for those who listen. */
export function captionOf(shown: Pick<ShownStep, "round" | "step">, told: Onlooker): string {
  const callout = calloutAt(shown, told);
  return callout ? spoken(callout) : "";
}

type At = Pick<ShownStep, "round" | "step">;

function lineAt(at: At, told: Onlooker): CalloutLine | null {
  const callout = calloutAt(at, told);
  return callout?.cause ? { id: at.step, text: written(callout, told.words) } : null;
}

function calloutAt({ round, step }: At, told: Onlooker): Callout | null {
  const now = stepIn(round, step);
  if (!now) return null;
  const before = stepIn(round, step - 1)?.events ?? [];
  const events = drawnAndKept(before, now.events) ?? now.events;
  return calloutOf(events, now.view, { ...told, you: null });
}

const isKept = ({ round, step }: At): boolean =>
  drawnAndKept(stepIn(round, step - 1)?.events ?? [], stepIn(round, step)?.events ?? []) !== null;
