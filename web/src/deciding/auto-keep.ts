// A drawn card that can't be played is kept by itself, so that nobody has to press a button that is the only one.
// Others must not tell it from a card that was kept by choice: the pause is that of somebody who looks and decides, from
// one distribution, whatever the card is.

import type { RunningClock } from "../state/room.svelte";
import type { Choice } from "./choice.svelte";

const SHORTEST_MS = 800;
const LONGEST_MS = 3000;
const MEDIAN_MS = 1400;
const SPREAD = 0.4; // of the logarithm: one pause in six is longer than 2.1 s
const BEFORE_TIME_IS_UP_MS = 600; // on the way to the server too

/**
 * A pause as people make it: log-normal.  One beyond the limits is drawn again, not cut off: a pause of exactly the
 * limit would give itself away.  `chance` is uniform from 0 to 1.
 */
export function humanPause(chance: () => number = Math.random): number {
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance()); // Box and Muller
    const pause = MEDIAN_MS * Math.exp(SPREAD * normal);
    if (pause >= SHORTEST_MS && pause <= LONGEST_MS) return pause;
  }
}

/**
 * Milliseconds until the card is kept: a human pause.  null where the clock of the turn leaves less: then the table keeps
 * the card when the time is up, as it does for whoever is still thinking.  A pause cut short would give itself away.
 */
export function pauseBeforeKeeping(
  clock: RunningClock | null,
  you: number | null,
  pause = humanPause(),
): number | null {
  if (!clock?.running || clock.seat !== you) return pause;
  const left = clock.left_ms - (performance.now() - clock.at);
  return pause + BEFORE_TIME_IS_UP_MS > left ? null : pause;
}

/** Keeps the drawn card after a while, if nothing has changed by then; returns what calls it off. */
export function keepAfterAWhile(choice: Choice): () => void {
  const { clock, you } = choice.room;
  const pause = pauseBeforeKeeping(clock, you);
  if (pause === null) return () => undefined;
  const timer = setTimeout(() => choice.mustKeep && choice.say("keep"), pause);
  return () => clearTimeout(timer);
}
