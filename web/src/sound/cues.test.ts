import { describe, expect, it } from "vitest";
import type { Happening } from "../state/room.svelte";
import type { EventInfo, ViewInfo } from "../wire";
import { speak, t } from "../words/language.svelte";
import { vibrationOf, soundsOf } from "./cues";

const turnOf = (to_act: number): ViewInfo => ({ to_act, round: 1 }) as ViewInfo;
const happening = (events: EventInfo[], before = 1, after = 1): Happening => ({
  version: 1,
  events,
  before: turnOf(before),
  after: turnOf(after),
});
const heard = (what: Happening, you: number | null = 0): string[] => soundsOf(what, you).map(({ sound }) => sound);

describe("what is heard", () => {
  it("goes up into the light and down into the dark", () => {
    expect(heard(happening([{ event: "flipped", side: "light", seat: 1, card: "R1/P1" }]))).toEqual(["flip-to-light"]);
    expect(heard(happening([{ event: "flipped", side: "dark", seat: 1, card: "R1/P1" }]))).toEqual(["flip-to-dark"]);
  });

  it("is a few cards of many that are drawn", () => {
    const drew: EventInfo = { event: "drew", side: "light", seat: 1, card: "?/P1" };
    expect(heard(happening(Array(12).fill(drew)))).toEqual(Array(4).fill("draw"));
  });

  it("knocks when my turn comes, and not while it lasts or for others", () => {
    const played: EventInfo = { event: "played", side: "light", seat: 1, card: "R1/P1" };
    expect(heard(happening([played], 1, 0))).toEqual(["card", "knock"]);
    expect(heard(happening([played], 0, 0))).toEqual(["card"]);
    expect(heard(happening([played], 1, 2))).toEqual(["card"]);
    expect(heard(happening([played], 1, 0), null)).toEqual(["card"]);
  });

  it("is felt when I am caught, not when somebody else is", () => {
    const caught = (seat: number): Happening => happening([{ event: "caught", side: "light", seat, by: 2 }]);
    expect(vibrationOf(caught(0), 0).length).toBeGreaterThan(1);
    expect(vibrationOf(caught(1), 0)).toEqual([]);
    expect(heard(caught(1))).toEqual(["catch"]);
  });

  it("is felt when the settings say so, and at nothing else", async () => {
    const said = (name: EventInfo["event"], seat: number): Happening =>
      happening([{ event: name, side: "light", seat }]);
    const moments: [string, Happening][] = [
      ["it is your turn", happening([], 1, 0)],
      ["everything flips", said("flipped", 1)],
      ["you are caught", said("caught", 0)],
      ["you go out", said("went_out", 0)],
    ];
    await speak("en");
    const about = t("settings.haptics_about");
    expect(about.split("when ")).toHaveLength(1 + moments.length);
    for (const [words, moment] of moments) {
      expect(about).toContain(`when ${words}`);
      expect(vibrationOf(moment, 0)).not.toEqual([]);
    }
    for (const other of [said("said_uno", 1), said("went_out", 1), said("played", 1), said("drew", 0)])
      expect(vibrationOf(other, 0)).toEqual([]);
  });
});
