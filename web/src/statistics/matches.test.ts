import { beforeEach, describe, expect, test } from "vitest";
import { table, view } from "../deciding/fixture";
import { finishedMatches, forgetMatches, noteMatch, totalsOf } from "./matches.svelte";

const over = (replay: string, winner: number) => ({
  you: 0,
  info: table({
    phase: "over",
    replay,
    rounds: [
      { number: 1, winner: 0, points: [20, 0, 0, 0], scores: [20, 0, 0, 0] },
      { number: 2, winner, points: [0, 500, 0, 0], scores: [20, 500, 0, 0] },
    ],
  }),
  view: view({ winners: [winner], scores: [winner === 0 ? 520 : 20, 500, 0, 0] }),
});

beforeEach(forgetMatches);

describe("one's own matches", () => {
  test("are kept once each, in this browser", () => {
    noteMatch(over("first", 0));
    noteMatch(over("first", 0));
    noteMatch(over("second", 1));
    expect(finishedMatches().map(({ match, won, roundsWon }) => [match, won, roundsWon])).toEqual([
      ["first", true, 2],
      ["second", false, 1],
    ]);
    expect(JSON.parse(localStorage.getItem("matches")!)).toEqual(finishedMatches());
    expect(totalsOf(finishedMatches())).toEqual({ matches: 2, won: 1, rounds: 4, roundsWon: 3, best: 520 });
  });

  test("are not those that were only watched, or that a bot played to the end, or that go on", () => {
    const { info, view: seen } = over("first", 0);
    noteMatch({ info, view: seen, you: null });
    noteMatch({ info: { ...info, phase: "playing" }, view: seen, you: 0 });
    const away = info.seats.map((seat) => ({ ...seat, sits_in: seat.seat === 0 }));
    noteMatch({ info: { ...info, seats: away }, view: seen, you: 0 });
    noteMatch({ info, view: { ...seen, winners: [] }, you: 0 }); // it became too long
    expect(finishedMatches()).toEqual([]);
  });

  test("survive what somebody else wrote in their place", () => {
    localStorage.setItem("matches", '[{"match": 7}, null, "x"]');
    noteMatch(over("first", 0));
    expect(finishedMatches()).toHaveLength(1);
    localStorage.setItem("matches", "{");
    noteMatch(over("second", 0));
    expect(finishedMatches().map(({ match }) => match)).toEqual(["second"]);
  });

  test("are gone when they are deleted", () => {
    noteMatch(over("first", 0));
    forgetMatches();
    expect(localStorage.getItem("matches")).toBeNull();
    expect(totalsOf(finishedMatches())).toEqual({ matches: 0, won: 0, rounds: 0, roundsWon: 0, best: 0 });
  });
});
