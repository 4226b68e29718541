import { describe, expect, test } from "vitest";
import { EDITIONS, OPTIONS } from "../wire";
import { isOffered, optionsOf, readOption } from "./options";

describe("the options of a table", () => {
  test("are those of its edition", () => {
    expect(optionsOf("classic", {})).toMatchObject({ deck: 112, wilds_match_in_challenge: false, scoring: "points" });
    expect(optionsOf("mild-wild", {})).toMatchObject({ wilds_match_in_challenge: true, first_dealer: "chosen" });
    expect(optionsOf("splash", {}).deck).toBe(108);
  });

  test("but for what was changed, by the server's values or by the texts of a record", () => {
    expect(optionsOf("mild-wild", { wilds_match_in_challenge: false }).wilds_match_in_challenge).toBe(false);
    const changed = { stacking: "on", hand_size: "3", deck: "108", start_side: "dark" };
    expect(optionsOf("classic", changed)).toMatchObject({
      stacking: true,
      hand_size: 3,
      deck: 108,
      start_side: "dark",
    });
  });

  test("of an edition that a newer server has are the usual ones", () => {
    expect(optionsOf("tomorrow", { tomorrow: true })).toEqual(optionsOf("classic", {}));
  });
});

test("what no table offers is read where a record has it", () => {
  expect(optionsOf("classic", { deck: "mini", most_moves: "20" })).toMatchObject({ deck: "mini", most_moves: 20 });
  expect(readOption("most_moves", 2000)).toBe(2000);
  expect(readOption("most_moves", "1000001")).toBeUndefined();
  expect(["deck", "opening_ignored", "most_moves", "tomorrow"].map(isOffered)).toEqual([true, true, false, false]);
});

test("every option reads its own values, and no other", () => {
  for (const { name, kind } of OPTIONS)
    for (const edition of EDITIONS) {
      const value = optionsOf(edition, {})[name as keyof ReturnType<typeof optionsOf>];
      expect(readOption(name, value), `${name} of ${edition}`).toBe(value);
      expect(readOption(name, kind === "switch" ? 7 : "nonsense")).toBeUndefined();
    }
  expect(readOption("hand_size", "99")).toBeUndefined();
  expect(readOption("pairing", "on")).toBeUndefined();
});
