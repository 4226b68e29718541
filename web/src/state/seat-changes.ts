// What happens around the game: somebody leaves, a bot sits in, somebody is back or new, a clock runs out, somebody is
// slow or voted out.

import { hasTrait } from "../game/events";
import type { EventInfo, SeatInfo, TableInfo } from "../wire";

export type SeatChange = "left" | "sits_in" | "back" | "late" | "slow" | "voted_out" | "takes_over" | "unopened";

export interface ChangedSeat {
  seat: number;
  what: SeatChange;
}

/** From one look at the table to the next. */
export function changesOf(before: readonly SeatInfo[], after: readonly SeatInfo[]): ChangedSeat[] {
  return after.flatMap((now, seat): ChangedSeat[] => {
    const then = before[seat];
    if (then?.kind === "bot" && now.kind === "person") return [{ seat, what: "takes_over" }];
    if (!then || then.kind !== "person" || now.kind !== "person") return [];
    if (!then.slow && now.slow) return [{ seat, what: "slow" }];
    if (then.sits_in === now.sits_in) return [];
    if (!now.sits_in) return [{ seat, what: "back" }];
    return [{ seat, what: now.voted_out ? "voted_out" : now.left ? "left" : "sits_in" }];
  });
}

/** Who had pledged a value and did not open it, when the cards of a match are seen for the first time. */
export function unopenedSince(before: TableInfo | null, after: TableInfo): ChangedSeat[] {
  if (before?.match === after.match && before.fairness.values.length) return [];
  return after.fairness.unopened.map((seat) => ({ seat, what: "unopened" }));
}

/** Something of ours happened that we did not say. */
export const playedForUs = (events: readonly EventInfo[], you: number | null): boolean =>
  you !== null && events.some(({ event, seat }) => seat === you && hasTrait(event, "by_default"));
