// Whole matches of the rules (tests/wire/test_scores_of_the_page.py), entered into the pad card by card.

import { expect, test } from "vitest";
import { EDITIONS, type Edition } from "../wire";
import { padOf, type PadAction } from "./actions";
import matches from "./matches.json";
import { readActions, SCORINGS } from "./reading";
import type { Scoring } from "./scoring";

interface ToldRound {
  dealer: number;
  side: string;
  out: number | null;
  hands: string[][];
  points: number[];
  scores: number[];
  winners: number[];
}

const entered = ({ side, out, hands }: ToldRound): PadAction[] => [
  { do: "side", side: side as "light" | "dark" },
  { do: "out", seat: out },
  ...(out === null ? [] : hands.flatMap((hand, seat) => hand.map((symbol) => ({ do: "add" as const, seat, symbol })))),
  { do: "record" },
];

test.each(matches.map((match) => [match.edition, match.scoring, match.players, match] as const))(
  "%s, %s: a match of %d has the points, winners and dealers of the rules",
  (edition, scoring, players, match) => {
    const names = Array.from({ length: players }, (_, seat) => `Player ${seat}`);
    const terms = { names, target: match.target, dealer: match.rounds[0]!.dealer };
    const actions: PadAction[] = [{ do: "start", ...terms, edition: edition as Edition, scoring: scoring as Scoring }];
    for (const round of match.rounds) {
      expect(padOf(actions)?.dealer).toBe(round.dealer);
      actions.push(...entered(round));
      const pad = padOf(actions);
      expect(pad?.rounds.at(-1)).toMatchObject({ winner: round.out, points: round.points, scores: round.scores });
      expect(pad?.scores).toEqual(round.scores);
      expect(pad?.winners).toEqual(round.winners);
    }
    expect(readActions(JSON.stringify(actions))).toEqual(actions);
  },
);

test("every edition and every way of scoring is among them", () => {
  const tried = new Set(matches.map(({ edition, scoring }) => `${edition} ${scoring}`));
  expect(tried.size).toBe(EDITIONS.length * SCORINGS.length);
});
