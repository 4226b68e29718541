import { describe, expect, it } from "vitest";
import type { Scene } from "../game/scene";
import type { ViewInfo } from "../wire";
import { handOf, keyed } from "./hands";

const hand = (faces: string, side: "light" | "dark" = "dark") => ({ faces: faces.split(" ").filter(Boolean), side });

describe("the keys of a hand", () => {
  const before = keyed(null, hand("T3 P5 T3 V1"));

  it("stay with the cards when one is played", () => {
    expect(keyed(before, hand("T3 T3 V1")).keys).toEqual([0, 2, 3]);
  });

  it("are new for cards that were drawn", () => {
    expect(keyed(before, hand("T3 P5 T3 V1 T3 O2")).keys).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("stay by place when everything is turned over", () => {
    expect(keyed(before, hand("R1 R2 R3", "light")).keys).toEqual([0, 1, 2]);
    expect(keyed(before, hand("R1 R2 R3 R4 R5", "light")).keys).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("what is seen of a hand", () => {
  const view = { side: "light", others: [{ seat: 1, backs: ["T3", "W"] }] } as unknown as ViewInfo;

  it("is the other side of it", () => {
    expect(handOf({ view, open: null } as Scene, 1)).toEqual({ faces: ["T3", "W"], side: "dark" });
  });

  it("is the side in play where all cards are open", () => {
    expect(handOf({ view, open: [[], ["R7/T3", "W/W"]] } as unknown as Scene, 1)).toEqual({
      faces: ["R7", "W"],
      side: "light",
    });
  });
});
