// The end of a round, one thing after the other: the last card lands, hands are laid open and counted, then the results.
// Whoever comes later, or has seen enough, has the results at once.

import type { Room, TableStep } from "../state/room.svelte";

/** Until the last card has landed, and the room has turned over if it was a Flip. */
export const LANDING_MS = 900;
/** Until the hands that were laid open have been looked at. */
export const COUNTING_MS = 2600;

const ENDS: ReadonlySet<string> = new Set(["went_out", "round_void", "laid_open"]);

/** The step that ended the round, if it is the last that we saw. */
export function endOf(steps: readonly TableStep[]): TableStep | null {
  const last = steps[steps.length - 1];
  return last?.events.some(({ event }) => ENDS.has(event)) ? last : null;
}

export class RoundEnd {
  /** steps whose last card has landed, and whose hands have been counted */
  #landed = $state(0);
  #counted = $state(0);

  constructor(readonly room: Room) {}

  get #step(): number {
    return this.room.info?.phase === "playing" ? 0 : (endOf(this.room.steps)?.id ?? 0);
  }

  /** Hands lie open: not before the last card has been seen. */
  get open(): boolean {
    return this.#landed >= this.#step;
  }

  get counting(): boolean {
    return this.#counted < this.#step;
  }

  /** Nobody wants to look any longer. */
  skip(): void {
    this.#landed = this.#counted = this.#step;
  }

  /** To be called in an effect; what it returns ends it.  Never more than half of the time until the next deal. */
  run(): (() => void) | undefined {
    const step = this.#step;
    if (this.#counted >= step) return;
    const left = this.room.dealsAt === null ? Infinity : (this.room.dealsAt - performance.now()) / 2;
    const landing = Math.min(LANDING_MS, left / 3);
    const timers = [
      setTimeout(() => (this.#landed = step), landing),
      setTimeout(() => (this.#landed = this.#counted = step), Math.min(LANDING_MS + COUNTING_MS, left)),
    ];
    return () => timers.forEach(clearTimeout);
  }
}
