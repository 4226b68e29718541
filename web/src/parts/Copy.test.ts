import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { speak } from "../words/language.svelte";
import Copy from "./Copy.svelte";

const LINK = "https://flipdeck.example/#/t/7K3M-Q2XA";

/** What the browser allows: the clipboard, and the old way by selection. */
function allowing(clipboard: boolean, selection: boolean | (() => never)): void {
  const writeText = (): Promise<void> => (clipboard ? Promise.resolve() : Promise.reject(new Error("not allowed")));
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as unknown as Clipboard);
  document.execCommand = typeof selection === "boolean" ? () => selection : selection;
}

const copy = async (): Promise<void> => {
  await fireEvent.click(screen.getByRole("button", { name: "Copy the link" }));
};

beforeEach(async () => {
  await speak("en");
  vi.restoreAllMocks();
});

test.each([
  ["by the clipboard", true, false],
  ["by selection, where there is no clipboard", false, true],
])("a text is copied %s", async (_, clipboard, selection) => {
  allowing(clipboard, selection);
  render(Copy, { text: LINK, label: "Copy the link" });
  await copy();
  expect(await screen.findByText("Copied")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

const throwing = (): never => {
  throw new Error("no such command");
};

test.each([
  ["refuses", false],
  ["does not know how", throwing],
] as const)("where the browser %s, that is said, and the text is there to be copied by hand", async (_, selection) => {
  allowing(false, selection);
  render(Copy, { text: LINK, label: "Copy the link" });
  await copy();
  expect((await screen.findByRole("alert")).textContent).toMatch(/does not let this page copy/);
  const field = screen.getByRole<HTMLInputElement>("textbox");
  expect(field.value).toBe(LINK);
  expect(document.activeElement).toBe(field);
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, LINK.length]);
  expect(screen.queryByText("Copied")).toBeNull();
  expect(document.querySelector("textarea")).toBeNull();

  allowing(true, false);
  await copy();
  expect(await screen.findByText("Copied")).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
});
