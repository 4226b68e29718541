import { beforeEach, expect, test } from "vitest";
import { actionOf, ACTIONS, keyFor, keysOn, onAction, perform, resetKeys, setKey, turnKeys } from "./keys";

beforeEach(resetKeys);

const press = (key: string, more: KeyboardEventInit = {}, target: HTMLElement = document.body): KeyboardEvent => {
  let seen!: KeyboardEvent;
  const look = (event: Event): void => void (seen = event as KeyboardEvent);
  target.addEventListener("keydown", look, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
  return seen;
};

test("no two actions begin with the same key", () => {
  expect(new Set(ACTIONS.map(keyFor)).size).toBe(ACTIONS.length);
});

test("a key does what it is for, capital or small", () => {
  expect(actionOf(press("d"))).toBe("draw");
  expect(actionOf(press("D", { shiftKey: true }))).toBe("draw");
  expect(actionOf(press("?", { shiftKey: true }))).toBe("help");
  expect(actionOf(press("q"))).toBeNull();
});

test("keys with a modifier belong to the browser, held keys count once", () => {
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }, { isComposing: true }])
    expect(actionOf(press("d", more))).toBeNull();
});

test("whoever types is not playing", () => {
  const field = document.body.appendChild(document.createElement("textarea"));
  expect(actionOf(press("d", {}, field))).toBeNull();
  field.remove();
});

test("a key can be changed, and the old one does nothing any more", () => {
  expect(setKey("draw", "Z")).toBeNull();
  expect(keyFor("draw")).toBe("z");
  expect(actionOf(press("z"))).toBe("draw");
  expect(actionOf(press("d"))).toBeNull();
});

test("a key that another action has is not given away", () => {
  expect(setKey("draw", "k")).toEqual({ why: "taken", by: "keep" });
  expect(setKey("draw", "F5")).toEqual({ why: "unfit" });
  expect(setKey("draw", " ")).toEqual({ why: "unfit" });
  expect(keyFor("draw")).toBe("d");
});

test("keys can be switched off, one by one and all", () => {
  expect(setKey("draw", "")).toBeNull();
  expect(setKey("keep", "")).toBeNull(); // none is not a key that somebody has
  expect(actionOf(press("d"))).toBeNull();
  expect(actionOf(press("u"))).toBe("uno");
  turnKeys(false);
  expect(keysOn()).toBe(false);
  expect(actionOf(press("u"))).toBeNull();
  turnKeys(true);
  expect(actionOf(press("u"))).toBe("uno");
});

test("the last who listens for an action is called, until they stop", () => {
  const heard: string[] = [];
  const stop = onAction("log", () => heard.push("first"));
  onAction("log", () => heard.push("second"));
  stop(); // it is not theirs any more
  perform("log");
  expect(heard).toEqual(["second"]);
});
