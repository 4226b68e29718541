import { waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const cut = (): never => {
  throw new TypeError("Failed to fetch dynamically imported module");
};

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("cut")));
  localStorage.clear();
  document.body.innerHTML = '<div id="app"></div>';
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["es"]);
});

afterEach(() => {
  vi.doUnmock("virtual:words/es");
  vi.doUnmock("virtual:words/en");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("the page begins in the language of the browser", async () => {
  await import("./main");
  await waitFor(() => expect(document.body.textContent).toContain("Jugar ahora"));
});

test("a language that can't be fetched is English instead", async () => {
  vi.doMock("virtual:words/es", cut);
  await import("./main");
  await waitFor(() => expect(document.body.textContent).toContain("Play now"));
  expect(document.documentElement.lang).toBe("en");
});

test("without any words there is a plain sentence, not an empty page", async () => {
  vi.doMock("virtual:words/es", cut);
  vi.doMock("virtual:words/en", cut);
  await import("./main");
  expect(document.querySelector("[role=alert]")?.textContent).toMatch(/could not be loaded.*reload it/);
});
