import { expect, test } from "vitest";
import { PUBLIC_TURN_SECONDS, type Editions } from "../../wire";
import { Order, within } from "./order.svelte";

const KNOWN: Editions = {
  editions: [
    { name: "classic", options: { deck: 112, stacking: false, target: 500, own_backs: "shown" } },
    { name: "splash", options: { deck: 108, stacking: false, target: 500, own_backs: "shown" } },
  ],
  options: [],
  levels: ["rookie", "regular"],
};

test("only what is otherwise than in the edition is sent", () => {
  const order = new Order(KNOWN);
  expect(order.request("Ana").settings?.options).toEqual({});
  order.options.stacking = true;
  order.options.deck = "112"; // a choice is a text, and still the edition's own
  expect(order.request("Ana").settings?.options).toEqual({ stacking: true });
});

test("another edition brings its own options, and what was changed stays changed", () => {
  const order = new Order(KNOWN);
  order.choose("splash");
  expect(order.options).toEqual({ deck: 108, stacking: false, target: 500, own_backs: "shown" });
  order.options.stacking = true;
  order.options.deck = 112; // otherwise than in this edition, but not than in the next
  order.choose("classic");
  expect(order.changed).toEqual(["stacking"]);
  expect(order.options).toEqual({ deck: 112, stacking: true, target: 500, own_backs: "shown" });
});

test("bots sit where they were put, and a table full of them begins at once", () => {
  const order = new Order(KNOWN);
  order.seats = 3;
  order.bots[1] = "rookie";
  order.bots[5] = "regular"; // a seat that is not at the table any more
  expect(order.request("Ana")).toMatchObject({ bots: { "1": "rookie" } });
  expect(order.full).toBe(false);
  order.fill("regular");
  expect(order.request("Ana")).toMatchObject({ bots: { "1": "regular", "2": "regular" } });
  expect(order.full).toBe(true);
});

test("nobody looks on where players don't see their own backs", () => {
  const order = new Order(KNOWN);
  expect(order.request("Ana").settings?.watchers).toBe(true);
  order.options.own_backs = "hidden";
  expect(order.request("Ana").settings?.watchers).toBe(false);
});

test("a number stays whole and in its range", () => {
  expect([within(3.4, 0, 10, 2), within(99, 0, 10, 2), within(-1, 0, 10, 2), within(NaN, 0, 10, 2)]).toEqual([
    3, 10, 0, 2,
  ]);
});

test("a table that is open to all always has a clock", () => {
  const order = new Order(KNOWN);
  order.open(true);
  expect(order.request("Ana").settings).toMatchObject({ public: true, turn_seconds: PUBLIC_TURN_SECONDS });
  order.turnSeconds = 15;
  order.open(false);
  order.open(true);
  expect(order.turnSeconds).toBe(15);
});

test("only spectators who are let in can chat", () => {
  const order = new Order(KNOWN);
  order.watchersChat = true;
  expect(order.request("Ana").settings?.watchers_chat).toBe(true);
  order.watchers = false;
  expect(order.request("Ana").settings?.watchers_chat).toBe(false);
});
