import { describe, expect, it } from "vitest";
import { colorOf, facesOf, symbolOf } from "./faces";
import { offersOf, readPlay, waysWith } from "./moves";
import { seatsAround } from "./scene";

describe("moves", () => {
  it("are read as the notation writes them", () => {
    expect(readPlay("R7/O1")).toEqual({ move: "R7/O1", card: "R7/O1", color: null, uno: false });
    expect(readPlay("W+2/P5=G!")).toEqual({ move: "W+2/P5=G!", card: "W+2/P5", color: "G", uno: true });
    expect(readPlay("?/W+C=T")).toMatchObject({ card: "?/W+C", color: "T" });
    for (const other of ["draw", "keep", "color G", "catch 3", "uno"]) expect(readPlay(other)).toBeNull();
  });

  it("are sorted by what a player does about them", () => {
    const offers = offersOf(["R7/O1", "R7/O1!", "W/P5=R", "W/P5=G", "draw", "catch 2", "catch 3", "uno", "color B"]);
    expect([...offers.plays.keys()]).toEqual(["R7/O1", "W/P5"]);
    expect(offers).toMatchObject({ draw: true, keep: false, uno: true, catches: [2, 3], colors: ["B"] });
    expect(offers.unoWithPlay).toBe(true);
  });

  it("with UNO are chosen only where there are such", () => {
    const { plays } = offersOf(["R7/O1", "R7/O1!", "B2/T2"]);
    expect(waysWith(plays.get("R7/O1")!, true).map((way) => way.move)).toEqual(["R7/O1!"]);
    expect(waysWith(plays.get("R7/O1")!, false).map((way) => way.move)).toEqual(["R7/O1"]);
    expect(waysWith(plays.get("B2/T2")!, true).map((way) => way.move)).toEqual(["B2/T2"]);
  });
});

describe("faces", () => {
  it("have a color and a symbol, but for wilds and what is hidden", () => {
    expect([colorOf("R7"), symbolOf("R7")]).toEqual(["R", "7"]);
    expect([colorOf("RR"), symbolOf("O+5")]).toEqual(["R", "+5"]);
    expect([colorOf("W+C"), symbolOf("W+C")]).toEqual([null, "W+C"]);
    expect(colorOf("?")).toBeNull();
  });

  it("lie on one side or the other", () => {
    expect(facesOf("R7/O1", "dark")).toEqual({ front: "O1", back: "R7" });
    expect(facesOf("R7/?", "dark")).toEqual({ front: "?", back: "R7" });
  });
});

it("the next seat clockwise is the first on the left", () => {
  expect(seatsAround(4, 2)).toEqual([3, 0, 1]);
});
