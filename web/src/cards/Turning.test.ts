import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { preferences } from "../state/preferences.svelte";
import Turning from "./Turning.svelte";

interface Played {
  keyframes: Keyframe[];
  animation: Animation;
}
const played: Played[] = [];
const finish = (animation: Animation): void => animation.onfinish?.call(animation, {} as AnimationPlaybackEvent);

Element.prototype.animate = function (keyframes): Animation {
  const animation = { onfinish: null, cancel: vi.fn() } as unknown as Animation;
  played.push({ keyframes: keyframes as Keyframe[], animation });
  return animation;
};

const faces = (root: Element): (string | null)[] =>
  [...root.querySelectorAll("svg")].map((svg) => svg.getAttribute("data-face"));

describe("a card that turns", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    played.length = 0;
    preferences.motion = "system";
  });

  it("shows the old face until the new one has come up, after its delay", async () => {
    const { container, rerender } = render(Turning, { face: "R7", side: "light", delay: 80 });
    await rerender({ face: "O1", side: "dark", delay: 80 });
    expect(faces(container)).toEqual(["O1", "R7"]);
    expect(container.querySelector(".hidden svg")!.getAttribute("data-face")).toBe("O1");
    await rerender({ face: "O1", side: "dark", delay: 0 }); // the next thing happens: the turn does not begin again
    vi.advanceTimersByTime(79);
    expect(played).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(played).toHaveLength(2); // both faces at once: the browser needs the page no more until they have turned
    await tick();
    expect(container.querySelector(".hidden")).toBeNull();
    expect(faces(container)).toEqual(["O1", "R7"]);
    for (const { animation } of played) finish(animation);
    await tick();
    expect(faces(container)).toEqual(["O1"]);
    expect(container.querySelector(".hidden")).toBeNull();
  });

  it("turns back when it is turned back on its way", async () => {
    const { container, rerender } = render(Turning, { face: "R7", side: "light" });
    await rerender({ face: "O1", side: "dark" });
    vi.runAllTimers();
    await rerender({ face: "R7", side: "light" });
    for (const { animation } of played.splice(0)) expect(animation.cancel).toHaveBeenCalled();
    vi.runAllTimers();
    for (const { animation } of played) finish(animation);
    await tick();
    expect(faces(container)).toEqual(["R7"]);
    expect(container.querySelector(".hidden")).toBeNull();
  });

  it("does not turn for another face of the same side", async () => {
    const { container, rerender } = render(Turning, { face: "R7", side: "light" });
    await rerender({ face: "R8", side: "light" });
    expect(faces(container)).toEqual(["R8"]);
    expect(played).toHaveLength(0);
  });

  it("fades where motion is reduced", async () => {
    preferences.motion = "reduced";
    const { rerender } = render(Turning, { face: "R7", side: "light", delay: 80 });
    await rerender({ face: "O1", side: "dark", delay: 80 });
    expect(played).toHaveLength(2);
    for (const { keyframes } of played) expect(keyframes.every((frame) => !("transform" in frame))).toBe(true);
  });
});
