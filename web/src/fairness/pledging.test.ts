import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { FakeTable, table, view } from "../deciding/fixture";
import { FakeSocket } from "../net/fake-socket";
import type { Fairness, TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Alarm from "./Alarm.svelte";
import { keepCommitment } from "./commitments";
import { keptFor, pledgesSeen } from "./kept-values";
import { Pledging } from "./pledging.svelte";
import { pledgeOf } from "./secret";

const OTHER = "ab".repeat(32); // somebody's value
let tables = 0;
let fake: FakeTable;
let pledging: Pledging;
let commitment: string;

beforeAll(() => speak("en"));

/** A table of its own for every test: what was kept once stays kept. */
beforeEach(() => {
  tables++;
  commitment = String(1000 + tables).repeat(16);
  fake = new FakeTable(null, [], info("waiting"));
  pledging = new Pledging(fake.room);
});

function info(phase: TableInfo["phase"], fairness: Partial<Fairness> = {}, match = 1): TableInfo {
  const empty = { seed: null, secret: null, pledges: [null, null, null, null], values: [], unopened: [] };
  return table({ code: `ABCD${2000 + tables}`, match, phase, fairness: { commitment, ...empty, ...fairness } });
}

const sent = (type: string): Record<string, string>[] =>
  FakeSocket.last.sent.filter((each) => each.type === type) as unknown as Record<string, string>[];
const pledged = (): string => sent("pledge").at(-1)!.pledge!;
const own = (match = 1): string => keptFor(`ABCD${2000 + tables}`, match)!.value!;
const pledges = (mine: string | null = pledged()): (string | null)[] => [mine, pledgeOf(commitment, OTHER), null, null];

function look(next: TableInfo): void {
  keepCommitment(next);
  pledging.look(next);
}

/** From the waiting room to the open pledges. */
function start(shown = (): (string | null)[] => pledges()): void {
  look(info("waiting"));
  look(info("waiting", { pledges: shown() }));
  look(info("starting", { pledges: shown() }));
}

test("a value is pledged once, opened when the match is starting, and all is well", () => {
  start();
  expect(sent("pledge")).toHaveLength(1);
  expect(pledged()).toBe(pledgeOf(commitment, own()));
  expect(own()).toMatch(/^[0-9a-f]{64}$/);
  expect(sent("open").map(({ value }) => value)).toEqual([own()]);
  look(info("playing", { pledges: pledges(), values: [own(), OTHER, null, null] }));
  look(info("over", { pledges: pledges(), values: [own(), OTHER, null, null] }));
  expect(pledging.alarm).toBeNull();
  expect(pledgesSeen(commitment)).toEqual(pledges());
});

test("the value is not said before the match is starting, nor to a server that shows another pledge", () => {
  look(info("waiting"));
  look(info("waiting", { pledges: pledges() }));
  expect(sent("open")).toEqual([]);
  look(info("starting", { pledges: pledges("f".repeat(64)) }));
  expect(sent("open")).toEqual([]);
  expect(pledging.alarm).toBe("pledge");
});

test("a server that was restarted is told the value again, and one that was not is not", () => {
  start();
  look(info("starting", { pledges: pledges() }));
  expect(sent("open")).toHaveLength(1);
  fake.answer("ack");
  fake.welcome(null, [], info("starting", { pledges: pledges() }));
  look(fake.room.info!);
  expect(sent("open")).toHaveLength(2);
});

test("a page that is loaded anew has the value that it pledged", () => {
  look(info("waiting"));
  const before = pledged();
  pledging = new Pledging(fake.room);
  look(info("waiting", { pledges: [before, null, null, null] }));
  expect(sent("pledge")).toHaveLength(1);
  look(info("starting", { pledges: [before, null, null, null] }));
  expect(pledgeOf(commitment, sent("open")[0]!.value!)).toBe(before);
});

test("the pledge of another device, or of somebody who sat here before, is replaced by ours", () => {
  look(info("waiting", { pledges: ["f".repeat(64), null, null, null] }));
  expect(pledged()).toBe(pledgeOf(commitment, own()));
});

test("every match has a value of its own, and those before the last are forgotten", () => {
  start();
  const first = own();
  look(info("over", { pledges: pledges(), values: [own(), OTHER, null, null] }));
  const before = commitment;
  commitment = "c0".repeat(32);
  look(info("waiting", {}, 2));
  expect(own(2)).not.toBe(first);
  expect(pledgesSeen(before)).not.toBeNull();
  look(info("over", { pledges: pledges(), values: [own(2), OTHER, null, null] }, 2));
  expect(pledgesSeen(before)).toBeNull();
});

test("who watches pledges nothing, and still sees whether the values fit", () => {
  fake.room.you = null;
  look(info("waiting"));
  look(info("starting", { pledges: pledges(null) }));
  expect([...sent("pledge"), ...sent("open")]).toEqual([]);
  look(info("playing", { pledges: pledges(null), values: [null, OTHER, null, null] }));
  expect(pledging.alarm).toBeNull();
  look(info("playing", { pledges: pledges(null), values: [null, own1(), null, null] }));
  expect(pledging.alarm).toBe("unfit");
});

const own1 = (): string => "12".repeat(32);

test.each([
  ["missing", (): Partial<Fairness> => ({ pledges: pledges(), values: [null, OTHER, null, null], unopened: [0] })],
  ["missing", (): Partial<Fairness> => ({ pledges: pledges(), values: [null, null, null, null] })],
  ["unfit", (): Partial<Fairness> => ({ pledges: pledges(), values: [own(), own1(), null, null] })],
  // the pledges are changed together with the values: those that were frozen count
  [
    "unfit",
    (): Partial<Fairness> => ({
      pledges: [pledged(), pledgeOf(commitment, own1()), null, null],
      values: [own(), own1(), null, null],
    }),
  ],
  ["missing", (): Partial<Fairness> => ({ pledges: [null, null, null, null], values: [null, null, null, null] })],
] as const)("an alarm is raised: %s", (alarm, dealt) => {
  start();
  look(info("playing", dealt()));
  expect(pledging.alarm).toBe(alarm);
});

test("an alarm is raised when the commitment or a start is taken back", () => {
  start();
  look(info("waiting", { pledges: pledges() }));
  expect(pledging.alarm).toBe("again");
  commitment = "c1".repeat(32);
  look(info("waiting"));
  expect(pledging.alarm).toBe("commitment");
  look(info("waiting", {}, 2));
  expect(pledging.alarm).toBeNull();
});

test("whoever came too late to pledge hears no alarm", () => {
  look(info("waiting"));
  look(info("starting", { pledges: pledges(null) }));
  look(info("playing", { pledges: pledges(null), values: [null, OTHER, null, null] }));
  expect(pledging.alarm).toBeNull();
});

test("the alarm is told at once, and can be closed", async () => {
  render(Alarm, { pledging });
  expect(screen.getByRole("alert").textContent.trim()).toBe("");
  start();
  look(info("playing", { pledges: pledges(), values: [null, OTHER, null, null], unopened: [0] }));
  flushSync();
  expect(screen.getByRole("alert").textContent).toMatch(/The number of this browser is not in the deal/);
  screen.getByRole("button", { name: "Close" }).click();
  await Promise.resolve();
  flushSync();
  expect(screen.getByRole("alert").textContent.trim()).toBe("");
});

test("a pledge that is refused, because the match has begun, is nobody’s business", () => {
  look(info("waiting"));
  const { cmd_id } = sent("pledge")[0]!;
  fake.tell({
    type: "refused",
    code: "not-now",
    reason: "begun",
    message: "…",
    cmd_id: cmd_id!,
    version: 3,
    facts: {},
  });
  expect(fake.room.refusal).toBeNull();
  fake.room.command({ type: "start" });
  fake.answer("refused");
  expect(fake.room.refusal).not.toBeNull();
});

test("who did not open is named in the log, once", () => {
  const dealt = info("playing", { pledges: pledges(OTHER), values: [OTHER, null, null, null], unopened: [1] });
  fake.update(view(), [], dealt);
  fake.update(view(), [], { ...dealt });
  const named = fake.room.log.flatMap((line) => (line.kind === "seat" ? [line.changed] : []));
  expect(named).toEqual([{ seat: 1, what: "unopened" }]);
});
