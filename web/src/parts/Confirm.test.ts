import { fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, test, vi } from "vitest";
import { speak } from "../words/language.svelte";
import Confirm from "./Confirm.svelte";

/** Somebody has pressed the button, and is asked. */
async function asked(): Promise<() => void> {
  await speak("en");
  const onconfirm = vi.fn();
  render(Confirm, { label: "Leave", question: "Leave the table?", yes: "Yes, leave", onconfirm });
  screen.getByRole("button", { name: "Leave" }).click();
  await tick();
  await tick();
  return onconfirm;
}

test("nothing happens before somebody is sure, and the keyboard begins at the safe side", async () => {
  const onconfirm = await asked();
  expect(screen.getByRole("group").textContent).toContain("Leave the table?");
  expect(document.activeElement?.textContent).toBe("No");
  expect(onconfirm).not.toHaveBeenCalled();
  screen.getByRole("button", { name: "Yes, leave" }).click();
  await tick();
  expect(onconfirm).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Leave" })).toBeTruthy();
});

test("Escape is no, and the keyboard is where it was", async () => {
  const onconfirm = await asked();
  await fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  await tick();
  expect(screen.queryByRole("group")).toBeNull();
  expect(document.activeElement?.textContent?.trim()).toBe("Leave");
  expect(onconfirm).not.toHaveBeenCalled();
});
