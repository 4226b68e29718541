import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const told = (levels: string[]): Response => Response.json({ editions: [], options: [], levels });

test("all levels until the server has said what it can play; it is asked once", async () => {
  const asked = vi.fn(() => Promise.resolve(told(["rookie", "casual", "regular"])));
  vi.stubGlobal("fetch", asked);
  const { askForLevels, nearestLevel, offeredLevels } = await import("./levels.svelte");
  expect(offeredLevels()).toHaveLength(5);
  expect(nearestLevel("master")).toBe("master");
  await Promise.all([askForLevels(), askForLevels()]);
  expect(offeredLevels()).toEqual(["rookie", "casual", "regular"]);
  expect(nearestLevel("master")).toBe("regular");
  expect(nearestLevel("casual")).toBe("casual");
  expect(asked).toHaveBeenCalledTimes(1);
});

test("a server that can't be reached is asked again the next time", async () => {
  const asked = vi.fn(() => Promise.reject(new TypeError("no line")));
  vi.stubGlobal("fetch", asked);
  const { askForLevels, offeredLevels } = await import("./levels.svelte");
  await askForLevels();
  await askForLevels();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(offeredLevels()).toHaveLength(5);
});
