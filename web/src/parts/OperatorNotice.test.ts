import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeAll, expect, test } from "vitest";
import { FakeTable, view } from "../deciding/fixture";
import { speak } from "../words/language.svelte";
import OperatorNotice from "./OperatorNotice.svelte";

beforeAll(() => speak("en"));

const say = (fake: FakeTable, text: string): void => {
  fake.tell({ type: "notice", text });
  flushSync();
};

/** Every text that appears in the live region, in order, as a reader would say it. */
function listening(): string[] {
  const heard: string[] = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof HTMLElement) heard.push(node.textContent.trim());
  }).observe(screen.getByRole("status"), { childList: true });
  return heard;
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("a notice of the operator is shown with whose it is, and goes when it is closed", () => {
  const fake = new FakeTable(view());
  render(OperatorNotice, { room: fake.room });
  expect(screen.getByRole("status").textContent.trim()).toBe("");
  expect(screen.queryByRole("button")).toBeNull();

  say(fake, "We restart at nine.");
  expect(screen.getByRole("status").textContent).toContain("From whoever runs this server: We restart at nine.");
  screen.getByRole("button", { name: "Close" }).click();
  flushSync();
  expect(screen.getByRole("status").textContent.trim()).toBe("");
  expect(screen.queryByRole("button")).toBeNull();
});

test("screen readers say each notice once, also when another comes and when the line was cut in between", async () => {
  const fake = new FakeTable(view());
  render(OperatorNotice, { room: fake.room });
  const heard = listening();
  say(fake, "One.");
  await settled();
  say(fake, "Two.");
  await settled();
  fake.welcome(view({ to_act: 1 }), []);
  flushSync();
  await settled();
  expect(heard).toEqual(["From whoever runs this server: One.", "From whoever runs this server: Two."]);
  expect(screen.getByRole("status").getAttribute("aria-atomic")).toBe("false"); // or the first would be read again
});

test("markup in a notice is text, and of many notices the last are kept", () => {
  const fake = new FakeTable(view());
  render(OperatorNotice, { room: fake.room });
  for (const number of [1, 2, 3, 4]) say(fake, `<b>${number}</b>`);
  const texts = [...screen.getByRole("status").querySelectorAll(".text")].map((each) => each.textContent);
  expect(texts).toEqual(["<b>2</b>", "<b>3</b>", "<b>4</b>"]);
});
