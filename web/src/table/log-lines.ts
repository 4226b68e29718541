// The log as it is shown: a card that was drawn and then kept is one line.

import type { LogLine } from "../state/room.svelte";
import type { EventInfo } from "../wire";

/** `kept` is about the draw: what was drawn has been kept since. */
export type ShownLine = LogLine | { id: number; kind: "kept"; event: EventInfo };

export function shownLines(log: readonly LogLine[]): ShownLine[] {
  const shown: ShownLine[] = [];
  let drew: number | null = null; // where the last event stands, if it was a draw
  for (const line of log) {
    const before = drew === null ? undefined : shown[drew];
    if (line.kind !== "event") shown.push(line);
    else if (line.event.event === "kept" && before?.kind === "event" && before.event.seat === line.event.seat) {
      shown[drew!] = { ...before, kind: "kept" };
      drew = null;
    } else {
      drew = line.event.event === "drew" ? shown.length : null;
      shown.push(line);
    }
  }
  return shown;
}
