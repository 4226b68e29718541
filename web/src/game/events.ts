// What each kind of event is to the page.  A kind that is missing here does not compile; one with nothing to it says so.

import type { EventName } from "../wire";

type Trait =
  /** ends a decision of the player whose event it is */
  | "decision"
  /** may have been decided by the clock, for a player who did not */
  | "by_default"
  /** about a color, which its line in the log shows as a mark */
  | "colored"
  /** part of a long list, too much for a caption */
  | "listed"
  /** shown by the results, all at once: in the log and read aloud it would be too much */
  | "on_results";

const TRAITS: Record<EventName, readonly Trait[]> = {
  dealer_card: ["listed"],
  dealer_chosen: [],
  dealt: ["listed"],
  turned_up: ["colored"],
  returned: [],
  played: ["decision", "colored"],
  jumped_in: [],
  called_color: ["decision", "by_default", "colored"],
  drew: ["decision", "by_default"],
  revealed: ["colored"],
  kept: ["decision", "by_default"],
  passed: ["decision", "by_default"],
  skipped: [],
  reversed: [],
  flipped: [],
  reshuffled: [],
  said_uno: [],
  caught: [],
  caught_in_vain: [],
  accepted: ["decision", "by_default"],
  challenged: ["decision"],
  found_guilty: [],
  found_innocent: [],
  went_out: [],
  round_void: [],
  laid_open: ["listed", "on_results"],
  scored: [],
  won: [],
};

/** A kind of event that only a newer server knows has no traits. */
export const hasTrait = (event: EventName, trait: Trait): boolean =>
  (TRAITS as Partial<typeof TRAITS>)[event]?.includes(trait) ?? false;
