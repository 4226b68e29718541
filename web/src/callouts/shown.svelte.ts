// The callouts that are on the board just now.  Each is there at once, whatever was there before, so that nothing is ever
// behind the truth; those before it stay beside it for a while, so that fast bots can be followed too.

import type { TableStep } from "../state/room.svelte";
import type { ViewInfo } from "../wire";
import { calloutOf, drawnAndKept, written, type Audience } from "./callout";
import { LANDING_MS } from "./round-end.svelte";
import { standingMarks, type SeatMark } from "./marks";

/** How long a sentence stays when another has come; the last one stays until there is another. */
export const LINE_MS = 3200;
export const MARK_MS = 2200;
const MOST_LINES = 3;

export interface CalloutLine {
  id: number;
  text: string;
}

export interface ShownMark extends SeatMark {
  id: number;
}

/** What a board shows of callouts, at a live table and in a replay. */
export interface BoardCallouts {
  /** the newest last */
  readonly lines: CalloutLine[];
  marksAt(seat: number, view: ViewInfo): ShownMark[];
}

/** What stands there as long as it is so. */
export const standingAt = (view: ViewInfo): ShownMark[] =>
  standingMarks(view).map((mark) => ({ ...mark, id: -mark.seat - 1 }));

export class Callouts implements BoardCallouts {
  /** the newest last */
  lines = $state.raw<CalloutLine[]>([]);
  marks = $state.raw<ShownMark[]>([]);

  #last = 0;
  #step: TableStep | null = null;
  #ids = 0;
  /** the marks are those of a round that is over */
  #over = false;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  /** What is new in these steps; what is older than the first that we see is old. */
  follow(steps: readonly TableStep[], told: Audience): void {
    for (const step of steps.filter(({ id }) => id > this.#last)) this.#tell(step, told);
    this.#last = steps[steps.length - 1]?.id ?? this.#last;
  }

  /** Those of the last moments; and what stands there as long as it is so. */
  marksAt(seat: number, view: ViewInfo): ShownMark[] {
    return [...standingAt(view), ...this.marks].filter((mark) => mark.seat === seat);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #tell(step: TableStep, told: Audience): void {
    const both = this.#step && drawnAndKept(this.#step.events, step.events);
    const { marks, ...callout } = calloutOf(both ?? step.events, step.view, told);
    this.#step = step;
    if (callout.cause) this.#write(written({ marks, ...callout }, told.words), both !== null);
    if (!both) this.#mark(marks, step.view);
  }

  /** `again`: it says more about the same as the last line did. */
  #write(text: string, again: boolean): void {
    const last = this.lines[this.lines.length - 1];
    if (again && last) return void (this.lines = [...this.lines.slice(0, -1), { ...last, text }]);
    this.lines = [...this.lines, { id: ++this.#ids, text }].slice(-MOST_LINES);
    if (last) this.#later(LINE_MS, () => (this.lines = this.lines.filter(({ id }) => id !== last.id)));
  }

  /** Other marks at the same seat make room.  What a round that is over counts comes with the open hands, and stays. */
  #mark(marks: readonly SeatMark[], view: ViewInfo | null): void {
    const fresh = marks.map((mark): ShownMark => ({ ...mark, id: ++this.#ids }));
    const seats = new Set(marks.map(({ seat }) => seat));
    const kept = this.#over ? [] : this.marks.filter(({ seat }) => !seats.has(seat));
    this.#over = view?.laid_open != null;
    this.marks = [...kept, ...fresh.filter(({ counts }) => !counts)];
    if (this.#over) this.#later(LANDING_MS, () => (this.marks = this.#over ? fresh : this.marks));
    else if (fresh.length)
      this.#later(MARK_MS, () => (this.marks = this.marks.filter((mark) => !fresh.includes(mark))));
  }

  #later(ms: number, what: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      what();
    }, ms);
    this.#timers.add(timer);
  }
}
