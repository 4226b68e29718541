import { expect, test } from "vitest";
import { Choice } from "./choice.svelte";
import { event, FakeTable, table, view } from "./fixture";

const WILD = ["W/T5=R", "W/T5=Y", "W/T5=G", "W/T5=B"];
const said = (moves: string[]): string[] => moves.map((move) => `${move}!`);

function sitting(...args: ConstructorParameters<typeof FakeTable>): { fake: FakeTable; choice: Choice } {
  const fake = new FakeTable(...args);
  return { fake, choice: new Choice(fake.room) };
}

test("a card that fits is played at once and shown as pending, and nothing else goes out meanwhile", () => {
  const { fake, choice } = sitting(view({ hand: ["G4/P2", "R7/O1", "R2/V2"], legal: ["R7/O1", "R2/V2", "draw"] }));
  expect(choice.canPlay(1)).toBe(true);
  choice.play(1);
  choice.play(2);
  choice.say("draw");
  expect(fake.moves).toEqual(["R7/O1"]);
  expect(fake.room.pending).toMatchObject({ card: "R7/O1", place: 1 });
  expect(choice.canPlay(1)).toBe(false);
});

test("a card that does not fit is not sent; why is said", () => {
  const { fake, choice } = sitting(view({ hand: ["G4/P2", "R7/O1"], legal: ["R7/O1", "draw"] }));
  choice.play(0);
  expect(fake.moves).toEqual([]);
  expect(choice.note).toEqual({ says: "no_fit", card: "G4/P2" });
  choice.play(1);
  expect(choice.note).toBeNull();
});

test("a play that is refused is taken back", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1", "G4/P2", "G5/P2"], legal: ["R7/O1", "draw"] }));
  choice.play(0);
  fake.answer("refused");
  expect(fake.room.pending).toBeNull();
  expect(choice.canPlay(0)).toBe(true);
});

test("a wild waits for its color, and can be put away", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1", "W/T5", "G1/P1"], legal: ["R7/O1", ...WILD, "draw"] }));
  choice.play(1);
  expect(fake.moves).toEqual([]);
  expect(choice.colors).toEqual(["R", "Y", "G", "B"]);
  expect(choice.back()).toBe(true);
  expect(choice.colors).toEqual([]);
  choice.play(1);
  choice.call("G");
  expect(fake.moves).toEqual(["W/T5=G"]);
  expect(choice.wild).toBeNull();
});

test("a wild that can't be played any more does not wait for a color", () => {
  const hand = ["R7/O1", "W/T5", "G1/P1"];
  const { fake, choice } = sitting(view({ hand, legal: WILD }));
  choice.play(1);
  fake.update(view({ hand, legal: WILD }), [event("said_uno", { seat: 2 })]);
  choice.settle();
  expect(choice.wild).not.toBeNull(); // somebody's UNO is no reason to ask again
  fake.update(view({ hand, to_act: 1 }), []);
  choice.settle();
  expect(choice.wild).toBeNull();
});

test("a color for a wild that turned up is called without a card", () => {
  const { fake, choice } = sitting(view({ phase: "color", top: "W", color: null, legal: ["color G", "color R"] }));
  expect(choice.colors).toEqual(["R", "G"]);
  choice.call("B");
  choice.call("G");
  expect(fake.moves).toEqual(["color G"]);
});

test("UNO before the play goes with it, with a wild too", () => {
  const hand = ["R7/O1", "W/T5"];
  const legal = ["R7/O1", "R7/O1!", ...WILD, ...said(WILD), "draw"];
  const { fake, choice } = sitting(view({ hand, to_act: 1 }));
  expect(choice.unoOpen).toBe(true);
  choice.uno();
  fake.update(view({ hand, legal }));
  choice.settle();
  expect(choice.armed).toBe(true);
  choice.play(1);
  choice.call("B");
  expect(fake.moves).toEqual(["W/T5=B!"]);
});

test("UNO can be taken back before the play, and a hand that grows forgets it", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1", "R8/P2"], legal: ["R7/O1", "R7/O1!", "draw"] }));
  choice.uno();
  choice.uno();
  choice.play(0);
  expect(fake.moves).toEqual(["R7/O1"]);
  choice.uno();
  fake.update(view({ hand: ["R8/P2", "G1/P1", "G2/P1"], to_act: 1 }), [event("drew", { seat: 0, card: "G1/P1" })]);
  choice.settle();
  expect(choice.armed).toBe(false);
  expect(choice.unoOpen).toBe(false);
});

test("UNO after the play is said late", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1"], to_act: 1, legal: ["uno"], catchable: [0] }));
  choice.uno();
  expect(fake.moves).toEqual(["uno"]);
});

test("UNO while the play is on its way follows it at once", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1", "R8/P2"], legal: ["R7/O1", "R7/O1!", "draw"] }));
  choice.play(0);
  choice.uno();
  expect(fake.moves).toEqual(["R7/O1", "uno"]);
});

test("UNO while the play is held goes out when the play has happened", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1", "R8/P2"], legal: ["R7/O1", "R7/O1!", "draw"] }));
  choice.play(0);
  fake.answer("held");
  choice.uno();
  expect(fake.moves).toEqual(["R7/O1"]);
  fake.update(view({ hand: ["R8/P2"], to_act: 1, legal: ["uno"], catchable: [0] }), [
    event("played", { seat: 0, card: "R7/O1" }),
  ]);
  choice.settle();
  choice.settle();
  expect(fake.moves).toEqual(["R7/O1", "uno"]);
});

test("only who can be caught is offered", () => {
  const { fake, choice } = sitting(view({ to_act: 1, legal: ["catch 1", "catch 2", "catch 3"], catchable: [0, 2] }));
  expect(choice.catches).toEqual([2]);
  choice.catch(1);
  choice.catch();
  expect(fake.moves).toEqual(["catch 2"]);
});

test("catching does not wait for a play of one's own", () => {
  const hand = ["R7/O1", "R8/P2", "G1/P1"];
  const { fake, choice } = sitting(view({ hand, legal: ["R7/O1", "draw", "catch 2"], catchable: [2] }));
  choice.play(0);
  choice.catch();
  expect(fake.moves).toEqual(["R7/O1", "catch 2"]);
});

test("the drawn card is found in the hand and played or kept", () => {
  const hand = ["R7/O1", "G4/P2"];
  const { fake, choice } = sitting(view({ hand, legal: ["R7/O1", "draw"] }));
  const drawn = { phase: "drawn", drawn: "R7/O1", legal: ["R7/O1", "keep"] } as const;
  fake.update(view({ hand: [...hand, "R7/O1"], ...drawn, legal: [...drawn.legal] }));
  choice.settle();
  expect(choice.drawn).toBe(2); // of two alike, the one that came last
  expect([choice.drawnFits, choice.mustKeep]).toEqual([true, false]);
  expect(choice.place).toBe(2);
  choice.say("keep");
  expect(fake.moves).toEqual(["keep"]);
});

test("a drawn card that does not fit can only be kept", () => {
  const hand = ["R7/O1", "G4/P2"];
  const { fake, choice } = sitting(view({ hand, phase: "drawn", drawn: "G4/P2", legal: ["keep", "catch 2"] }));
  expect(choice.drawn).toBe(1);
  expect([choice.drawnFits, choice.mustKeep]).toEqual([false, true]);
  choice.playIt();
  expect(choice.note).toEqual({ says: "no_fit", card: "G4/P2" });
  choice.say("keep");
  expect(choice.mustKeep).toBe(false); // it is on its way
  expect(fake.moves).toEqual(["keep"]);
});

test("out of turn, a card to jump in with is offered", () => {
  const { fake, choice } = sitting(view({ hand: ["G4/P2", "R5/O1"], to_act: 2, legal: ["R5/O1"] }));
  expect(choice.jumps).toEqual([1]);
  choice.playIt();
  expect(fake.moves).toEqual(["R5/O1"]);
});

test("nothing is offered to a seat that a bot plays", () => {
  const info = table();
  info.seats[0]!.sits_in = true;
  const { choice } = sitting(view({ hand: ["R7/O1"], legal: ["R7/O1", "draw"] }), [], info);
  expect(choice.acts).toBe(false);
  expect(choice.canPlay(0)).toBe(false);
  expect(choice.offers.draw).toBe(false);
});

test("backs are offered where one's own can be seen", () => {
  expect(sitting(view({ hand: ["R7/O1"] })).choice.backsKnown).toBe(true);
  expect(sitting(view({ hand: ["R7/?"] })).choice.backsKnown).toBe(false);
});

test("what lies open is put away one after the other", () => {
  const { fake, choice } = sitting(view({ hand: ["R7/O1"], legal: ["draw"] }));
  choice.backs = choice.help = true;
  fake.room.shownHand = { seat: 1, cards: [], side: "light" };
  const left = (): unknown[] => [choice.help, fake.room.shownHand !== null, choice.backs];
  choice.back();
  expect(left()).toEqual([false, true, true]);
  choice.back();
  expect(left()).toEqual([false, false, true]);
  choice.back();
  expect(left()).toEqual([false, false, false]);
  expect(choice.back()).toBe(false);
});

test("UNO is offered with two cards when one of them can be played, not when neither can", () => {
  const hand = ["B7/P2", "G4/P3"];
  expect(sitting(view({ hand, legal: ["draw"] })).choice.unoOpen).toBe(false);
  expect(sitting(view({ hand, legal: ["B7/P2", "B7/P2!", "draw"] })).choice.unoOpen).toBe(true);
  expect(sitting(view({ hand, to_act: 1, legal: [] })).choice.unoOpen).toBe(true); // one may arm it before one's turn
});
