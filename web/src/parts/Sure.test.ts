import { fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, test, vi } from "vitest";
import { speak } from "../words/language.svelte";
import Sure from "./Sure.svelte";

/** Somebody has pressed the button, and is asked. */
async function asked(): Promise<() => void> {
  await speak("en");
  const onsure = vi.fn();
  render(Sure, { label: "Leave", question: "Leave the table?", yes: "Yes, leave", onsure });
  screen.getByRole("button", { name: "Leave" }).click();
  await tick();
  await tick();
  return onsure;
}

test("nothing happens before somebody is sure, and the keyboard begins at the safe side", async () => {
  const onsure = await asked();
  expect(screen.getByRole("group").textContent).toContain("Leave the table?");
  expect(document.activeElement?.textContent).toBe("No");
  expect(onsure).not.toHaveBeenCalled();
  screen.getByRole("button", { name: "Yes, leave" }).click();
  await tick();
  expect(onsure).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Leave" })).toBeTruthy();
});

test("Escape is no, and the keyboard is where it was", async () => {
  const onsure = await asked();
  await fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  await tick();
  expect(screen.queryByRole("group")).toBeNull();
  expect(document.activeElement?.textContent?.trim()).toBe("Leave");
  expect(onsure).not.toHaveBeenCalled();
});
