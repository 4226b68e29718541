import { expect, test } from "vitest";
import { cacheName, handlingOf, outdated } from "./policy";

const HERE = "https://cards.example";
const get = (path: string): { method: string; url: string } => ({ method: "GET", url: HERE + path });

test.each([
  "/api/tables",
  "/api/tables/7K3M-Q2XA",
  "/ws",
  "/health",
  "/metrics",
  "/table/7K3M-Q2XA",
  "/sw.js",
  "/rules",
])("%s is left to the server", (path) => {
  expect(handlingOf(get(path), HERE)).toBe("untouched");
});

test("the page and its files are kept", () => {
  expect(handlingOf(get("/"), HERE)).toBe("page");
  expect(handlingOf(get("/?source=home"), HERE)).toBe("page");
  expect(handlingOf(get("/assets/index-1.js"), HERE)).toBe("file");
});

test("what is sent, and what is asked of others, is left alone", () => {
  expect(handlingOf({ method: "POST", url: `${HERE}/` }, HERE)).toBe("untouched");
  expect(handlingOf({ method: "GET", url: "https://other.example/assets/a.js" }, HERE)).toBe("untouched");
});

test("only caches of other versions of ours are outdated", () => {
  const names = [cacheName("new"), cacheName("old"), "somebody else's"];
  expect(outdated(names, "new")).toEqual([cacheName("old")]);
});
