import { expect, it } from "vitest";
import { plainCode, readRoute, shownCode } from "./route.svelte";

it("an address names a screen, and codes are read in any way they are written", () => {
  expect(readRoute("")).toEqual({ screen: "home" });
  expect(readRoute("#/table/7k3m-q2xa")).toEqual({ screen: "table", code: "7K3MQ2XA" });
  expect(readRoute("#/seat/abc_-1")).toEqual({ screen: "seat", secret: "abc_-1", key: null });
  expect(readRoute("#/seat/abc_-1?t=5f0e")).toEqual({ screen: "seat", secret: "abc_-1", key: "5f0e" });
  expect(readRoute("#/rules/FLIP-1")).toEqual({ screen: "rules", rule: "FLIP-1" });
  expect(readRoute("#/replay/xyz?seat=2&round=3&step=41")).toEqual({
    screen: "replay",
    name: "xyz",
    seat: 2,
    round: 3,
    step: 41,
  });
  expect(readRoute("#/replay/xyz?step=-1&round=1e9")).toMatchObject({ seat: null, round: 1, step: 0 });
  for (const seat of ["", "-1", "77", "one"])
    expect(readRoute(`#/replay/xyz?seat=${seat}`)).toMatchObject({ seat: null });
  for (const cut of ["7k3m-q2x", "7k3m-q2xab", "uuuu-uuuu"])
    expect(readRoute(`#/table/${cut}`)).toEqual({ screen: "lost" });
  expect(readRoute("#/summary")).toEqual({ screen: "summary" });
  expect(readRoute("#/pad")).toEqual({ screen: "pad", section: "scores" });
  expect(readRoute("#/pad/cards")).toEqual({ screen: "pad", section: "cards" });
  expect(readRoute("#/nothing/here")).toEqual({ screen: "lost" });
  expect(shownCode(plainCode(" 7k3mq2xa "))).toBe("7K3M-Q2XA");
});
