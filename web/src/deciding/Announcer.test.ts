import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeAll, expect, test } from "vitest";
import type { EventInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Announcer from "./Announcer.svelte";
import { event, FakeTable, table, view } from "./fixture";

beforeAll(() => speak("en"));

/** Every text that appears in a live region, in order, as a reader would say it. */
function listening(fake: FakeTable): { polite: string[]; assertive: string[] } {
  const { container } = render(Announcer, { room: fake.room });
  const heard = { polite: [] as string[], assertive: [] as string[] };
  const listen = (region: Element, texts: string[]): void => {
    const read = (nodes: Iterable<Node>): void => {
      for (const node of nodes) if (node instanceof HTMLElement && node.textContent) texts.push(node.textContent);
    };
    read(region.children);
    new MutationObserver((changes) => changes.forEach((change) => read(change.addedNodes))).observe(region, {
      childList: true,
    });
  };
  listen(container.querySelector("[role=log]")!, heard.polite);
  listen(container.querySelector("[role=alert]")!, heard.assertive);
  return heard;
}

const settled = async (): Promise<void> => {
  await tick();
  await new Promise((resolve) => setTimeout(resolve, 0));
};

const played = (seat: number, card: string, side: EventInfo["side"] = "light"): EventInfo =>
  event("played", { seat, card, side });

test("nothing old is read to somebody who comes", async () => {
  const heard = listening(new FakeTable(view({ to_act: 1 }), [played(1, "R7/?"), played(2, "R8/?")]));
  await settled();
  expect(heard).toEqual({ polite: [], assertive: [] });
});

test("every event is read once, and once only when the line was cut in between", async () => {
  const fake = new FakeTable(view({ to_act: 1 }), [played(3, "R1/?")]);
  const heard = listening(fake);
  fake.update(view({ to_act: 2 }), [played(1, "R7/?")]);
  await settled();
  fake.welcome(view({ to_act: 3 }), [played(2, "R8/?"), event("drew", { seat: 3, card: "?/P1" })]);
  await settled();
  fake.welcome(view({ to_act: 3 }), []);
  await settled();
  fake.update(view({ to_act: 1 }), [event("kept", { seat: 3 })]);
  await settled();
  expect(heard.polite).toEqual(["Light side. Ada: red 7.", "Ben: red 8. Cleo draws 1.", "Cleo keeps the card."]);
});

test("updates that come at once are all read", async () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const heard = listening(fake);
  for (const seat of [1, 2, 3, 1]) fake.update(view({ to_act: 2 }), [event("kept", { seat })]);
  await settled();
  expect(heard.polite).toHaveLength(4);
});

test("the deal is read when the match begins before our eyes", async () => {
  const fake = new FakeTable(null, [], table({ phase: "waiting" }));
  fake.update(view({ to_act: 1 }), [event("dealt", { seat: 1, cards: ["?/P1", "?/P2"] })], table());
  const heard = listening(fake);
  await settled();
  expect(heard.polite).toEqual(["Light side. Ada got 2 cards."]);
});

test("after a flip a card is said with its side", async () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const heard = listening(fake);
  fake.update(view({ side: "dark", to_act: 2 }), [event("flipped", { seat: 1, side: "dark", card: "G1/V7" })]);
  fake.update(view({ side: "dark", to_act: 3 }), [played(2, "B1/V8", "dark")]);
  await settled();
  expect(heard.polite).toEqual(["Everything flips to the dark side, on top: purple 7.", "Ben: purple 8."]);
});

test("your turn and UNO interrupt, each once", async () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const heard = listening(fake);
  fake.update(view({ hand: ["R7/O1"], legal: ["R7/O1", "draw"] }), [played(3, "R8/?"), event("said_uno", { seat: 3 })]);
  await settled();
  fake.update(view({ hand: ["R7/O1"], legal: ["R7/O1", "draw"] }), [event("caught", { seat: 2, by: 1 })]);
  await settled();
  expect(heard.assertive).toEqual(["Cleo said UNO! Your turn."]);
  expect(heard.polite).toEqual(["Light side. Cleo: red 8.", "Ada catches Ben without UNO."]);
});

test("a turn that follows one's own is announced again", async () => {
  const fake = new FakeTable(view({ hand: ["VE/O1", "R1/P1"], legal: ["draw"] }));
  const heard = listening(fake);
  await settled();
  fake.update(view({ hand: ["R1/P1"], legal: ["R1/P1", "draw"] }), [played(0, "VE/O1")]);
  await settled();
  expect(heard.assertive).toEqual(["Your turn. None of your cards can be played.", "Your turn."]);
});

test("a card of one's own that was just drawn is named once, with what to do about it", async () => {
  const fake = new FakeTable(view({ hand: ["G4/P2"], legal: ["draw"] }));
  const heard = listening(fake);
  await settled();
  const drew = event("drew", { seat: 0, card: "B1/P1" });
  fake.update(view({ hand: ["G4/P2", "B1/P1"], phase: "drawn", drawn: "B1/P1", legal: ["keep"] }), [drew]);
  await settled();
  fake.update(view({ hand: ["G4/P2", "B1/P1"], to_act: 1 }), [event("kept", { seat: 0 })]);
  await settled();
  expect(heard.assertive.slice(1)).toEqual(["You drew blue 1. It doesn’t fit, so you keep it."]);
  expect(heard.polite).toEqual(["You keep the card."]);
});

test("of several cards drawn on a turn all are named", async () => {
  const fake = new FakeTable(view({ hand: ["G4/P2"], legal: ["draw"] }));
  const heard = listening(fake);
  const drew = ["B1/P1", "R1/P1"].map((card) => event("drew", { seat: 0, card }));
  fake.update(
    view({ hand: ["G4/P2", "B1/P1", "R1/P1"], phase: "drawn", drawn: "R1/P1", legal: ["R1/P1", "keep"] }),
    drew,
  );
  await settled();
  expect(heard.polite).toEqual(["Light side. You draw blue 1 and red 1."]);
});

test("several events of one move are one sentence, and what we drew is named in it", async () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const heard = listening(fake);
  fake.update(view({ to_act: 2 }), [
    played(1, "R+1/?"),
    event("drew", { seat: 0, card: "B1/P1" }),
    event("skipped", { seat: 0 }),
  ]);
  await settled();
  expect(heard.polite).toEqual(["Light side. Ada: red Draw One. You draw blue 1 and miss your turn."]);
});

test("hands that are laid open are for the results, and not read out", async () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const heard = listening(fake);
  const left = event("laid_open", { seat: 2, cards: ["R1/P1", "R2/P1"] });
  fake.update(view({ to_act: null }), [event("went_out", { seat: 1 }), left], table({ phase: "between" }));
  await settled();
  expect(heard.polite).toEqual(["Ada goes out."]);
});

test("why something was refused is read too", async () => {
  const fake = new FakeTable(view({ hand: ["R1/P1", "R2/P1", "R3/P1"], legal: ["R1/P1", "draw"] }));
  const heard = listening(fake);
  fake.room.move("R1/P1", 0);
  fake.answer("refused");
  await settled();
  expect(heard.polite).toHaveLength(1);
});

test("who leaves and who comes back is said like an event", async () => {
  const info = table();
  Object.assign(info.seats[1]!, { kind: "person", level: null });
  const fake = new FakeTable(view(), [], info);
  const heard = listening(fake);
  const gone = structuredClone(info);
  Object.assign(gone.seats[1]!, { sits_in: true, left: true });
  fake.update(view(), [], gone);
  await settled();
  fake.update(view(), [], info);
  await settled();
  expect(heard.polite).toEqual(["Ada has left the table. A bot takes over.", "Ada is back."]);
});
