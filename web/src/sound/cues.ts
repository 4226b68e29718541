// Sound and vibration cues for events.  Nothing is told by sound alone.

import { skipUnknown } from "../exhaustive";
import type { Happening } from "../state/room.svelte";
import type { EventInfo } from "../wire";

export type Sound = "card" | "draw" | "flip-to-light" | "flip-to-dark" | "uno" | "knock" | "catch" | "win";

export interface Cue {
  sound: Sound;
  /** milliseconds from now */
  at: number;
}

const LANDING = 190; // a played card is heard when it comes down
const STAGGER = 60;
const MOST_DRAWS = 4; // of many cards, the first few are enough
const TURN_COMES = 320;

export function soundsOf(happening: Happening, you: number | null): Cue[] {
  const heard: Cue[] = [];
  const have = (sound: Sound): number => heard.filter((each) => each.sound === sound).length;
  for (const event of happening.events) {
    const sound = soundOf(event, you);
    if (sound === null) continue;
    if (sound === "draw") {
      if (have("draw") < MOST_DRAWS) heard.push({ sound, at: have("draw") * STAGGER });
    } else if (have(sound) === 0) heard.push({ sound, at: sound === "card" ? LANDING : have("card") * LANDING });
  }
  if (turnCame(happening, you)) heard.push({ sound: "knock", at: heard.length ? TURN_COMES : 0 });
  return heard;
}

function soundOf(event: EventInfo, you: number | null): Sound | null {
  switch (event.event) {
    case "played":
    case "turned_up":
      return "card";
    case "drew":
    case "dealt":
    case "reshuffled":
      return "draw";
    case "flipped":
      return event.side === "light" ? "flip-to-light" : "flip-to-dark";
    case "said_uno":
      return "uno";
    case "caught":
      return "catch";
    case "went_out":
      return event.seat === you ? "win" : null;
    case "won":
      return "win";
    case "dealer_card":
    case "dealer_chosen":
    case "returned":
    case "jumped_in":
    case "called_color":
    case "revealed":
    case "kept":
    case "passed":
    case "skipped":
    case "reversed":
    case "caught_in_vain":
    case "accepted":
    case "challenged":
    case "found_guilty":
    case "found_innocent":
    case "round_void":
    case "laid_open":
    case "scored":
      return null;
    default:
      skipUnknown(event.event);
      return null;
  }
}

/** It is your turn now, and it was not just before. */
export function turnCame({ before, after }: Happening, you: number | null): boolean {
  if (you === null || after?.to_act !== you) return false;
  return before === null || before.to_act !== you || before.round !== after.round;
}

/** A pattern for navigator.vibrate: milliseconds on, off, on …; none if there is nothing to feel.  The settings say when
 * (`settings.haptics_about`). */
export function vibrationOf(happening: Happening, you: number | null): number[] {
  const about = (name: EventInfo["event"]): boolean =>
    happening.events.some((event) => event.event === name && event.seat === you);
  if (you === null) return [];
  if (about("caught")) return [70, 50, 70];
  if (about("went_out")) return [40, 60, 40, 60, 120];
  if (happening.events.some((event) => event.event === "flipped")) return [35];
  return turnCame(happening, you) ? [45] : [];
}
