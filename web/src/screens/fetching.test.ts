import { render, screen, waitFor } from "@testing-library/svelte";
import type { Component } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { table } from "../deciding/fixture";
import { editions } from "../net/api";
import TableRules from "../parts/TableRules.svelte";
import { loadBook, speak } from "../words/language.svelte";
import NewTable from "./NewTable.svelte";
import RuleBook from "./RuleBook.svelte";

vi.mock("../words/language.svelte", async (real) => ({
  ...(await real<typeof import("../words/language.svelte")>()),
  loadBook: vi.fn(),
}));
vi.mock("../net/api", async (real) => ({ ...(await real<typeof import("../net/api")>()), editions: vi.fn() }));

beforeEach(async () => {
  vi.mocked(loadBook).mockReset();
  await speak("en");
  vi.mocked(editions).mockResolvedValue({ editions: [], options: [] } as unknown as Awaited<
    ReturnType<typeof editions>
  >);
});

const settings = { ...table().settings, options: { stacking: true } };

test.each<[string, Component<any>, object]>([
  ["a new table", NewTable, {}],
  ["the rule book", RuleBook, { rule: null }],
  ["the rules of a table", TableRules, { settings }],
])("%s without its book says so, and can be tried again", async (_, screenOf, props) => {
  vi.mocked(loadBook).mockRejectedValue(new TypeError("Failed to fetch dynamically imported module"));
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  render(screenOf, props);
  expect((await screen.findByRole("alert")).textContent).toMatch(/could not be loaded/);
  expect(screen.queryByText("Loading …")).toBeNull();
  screen.getByRole("button", { name: "Try again" }).click();
  expect(reload).toHaveBeenCalledOnce();
  reload.mockRestore();
});

test("a book in another language that can't be fetched leaves the one that is open", async () => {
  const { default: book } = await import("virtual:rulebook/en");
  vi.mocked(loadBook).mockResolvedValueOnce(book).mockRejectedValue(new TypeError("cut"));
  render(RuleBook, { rule: null });
  expect(await screen.findByRole("searchbox")).toBeTruthy();
  await speak("es");
  await waitFor(() => expect(loadBook).toHaveBeenCalledTimes(2));
  expect(screen.getByRole("searchbox")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});
