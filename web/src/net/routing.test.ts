import { expect, test } from "vitest";
import routes from "./routes.json";
import { routed, routeOf, withRoute } from "./routing";

test.each(Object.entries(routes))("the key of %s is the server's, however the code is spelt", (code, key) => {
  expect(routeOf(code)).toBe(key);
  expect(routeOf(` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`)).toBe(key);
  expect(routed("/ws", code)).toBe(`/ws?t=${key}`);
});

test("a path without a key is as it was, and a key from outside does no harm", () => {
  expect(withRoute("/api/transfers", null)).toBe("/api/transfers");
  expect(withRoute("/api/transfers", "a&b=c#d")).toBe("/api/transfers?t=a%26b%3Dc%23d");
});
