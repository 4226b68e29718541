// How a card travels and turns, as keyframes.  Only transform and opacity move, so that nothing is laid out again.

import type { AnchorBox } from "./anchors";
import type { Flight } from "./flights";

const OUT = "cubic-bezier(0.3, 0.65, 0.3, 1)";
const FADE_MS = 160;

/** The largest card that fits into a place, in its middle. */
export function cardIn({ left, top, width, height }: AnchorBox): AnchorBox {
  const wide = Math.min(width, (height * 5) / 7);
  const high = (wide * 7) / 5;
  return { left: left + (width - wide) / 2, top: top + (height - high) / 2, width: wide, height: high };
}

/** From one place to another, for an element of the size of `to` in the corner of the screen. */
export function travel(flight: Flight, from: AnchorBox, to: AnchorBox): Keyframe[] {
  const at = ({ left, top, width }: AnchorBox): string => `translate(${left}px, ${top}px) scale(${width / to.width})`;
  if (flight.kind !== "flip") return [{ transform: at(from), easing: OUT }, { transform: at(to) }];
  const lifted = at({
    left: to.left - to.width * 0.09,
    top: to.top - to.height * 0.3,
    width: to.width * 1.18,
    height: to.height * 1.18,
  });
  return [
    { transform: at(to), easing: OUT },
    { transform: lifted, offset: 0.4 },
    { transform: lifted, offset: 0.6, easing: "ease-in" },
    { transform: at(to) },
  ];
}

/** All of a flight, or with "start" the time until it sets out ("end": until it has landed). */
export function timing({ delay, ms }: Flight, until?: "start" | "end"): KeyframeAnimationOptions {
  if (until) return { duration: until === "start" ? delay : delay + ms };
  return { delay, duration: ms, fill: "both" };
}

/** Never edge on: a layer that can't be seen at all is not painted, and as soon as it can the browser stops everything
    that moves until it is. */
const EDGE = 89;
const turned = (degrees: number, scale: number): string => `perspective(60rem) rotateY(${degrees}deg) scale(${scale})`;

/** The face that is seen first goes until it is on its edge, the other comes from there; in parts of the whole time.
    Until then what comes waits behind what goes, a little smaller, so that nothing of it sticks out. */
export function turningOver(
  [begin, edge, end]: readonly [number, number, number],
  lifted = 1,
): { going: Keyframe[]; coming: Keyframe[] } {
  const flat = turned(0, 1);
  return {
    going: [
      { transform: flat, offset: 0 },
      { transform: flat, offset: begin, easing: "ease-in" },
      { transform: turned(EDGE, lifted), offset: edge },
      { transform: turned(EDGE, 0), offset: edge },
      { transform: turned(EDGE, 0), offset: 1 },
    ],
    coming: [
      { transform: turned(-EDGE, 0.9), offset: 0 },
      { transform: turned(-EDGE, 0.9), offset: edge },
      { transform: turned(-EDGE, lifted), offset: edge, easing: "ease-out" },
      { transform: flat, offset: end },
      { transform: flat, offset: 1 },
    ],
  };
}

/** A pile turns while it is lifted; what is played or drawn, at the beginning of its way. */
export const turning = ({ kind }: Flight): { going: Keyframe[]; coming: Keyframe[] } =>
  turningOver(kind === "flip" ? [0.15, 0.5, 0.85] : [0, 0.28, 0.56]);

export const HIDDEN: Keyframe[] = [{ opacity: 0 }, { opacity: 0 }];
export const FADING_IN: Keyframe[] = [{ opacity: 0 }, { opacity: 1 }];
export const FADING_OUT: Keyframe[] = [{ opacity: 1 }, { opacity: 0 }];
export const FADE: KeyframeAnimationOptions = { duration: FADE_MS, fill: "both" };
