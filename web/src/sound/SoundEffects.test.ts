import { render } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import type { ViewInfo } from "../wire";
import SoundEffects from "./SoundEffects.svelte";
import { play } from "./sounds";

vi.mock("./sounds", () => ({ play: vi.fn(), prepare: vi.fn(), mayBegin: () => true }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.mocked(play).mockClear();
});

const turnOf = (to_act: number): ViewInfo => ({ to_act, round: 1 }) as ViewInfo;
const happening = (after: number) => ({
  version: 1,
  events: [{ event: "played" as const, side: "light" as const, seat: 1, card: "R1/P1" }],
  before: turnOf(1),
  after: turnOf(after),
});
const heard = (): string[] => vi.mocked(play).mock.calls.map(([sound]) => sound);

test("in another tab one's own turn is heard, and nothing else", () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  render(SoundEffects, { scene: { happening: happening(2), you: 0 } });
  expect(heard()).toEqual([]);
  render(SoundEffects, { scene: { happening: happening(0), you: 0 } });
  expect(heard()).toEqual(["knock"]);
});

test("who looks at the table hears all of it", () => {
  render(SoundEffects, { scene: { happening: happening(0), you: 0 } });
  expect(heard()).toEqual(["card", "knock"]);
});
