import { render, screen } from "@testing-library/svelte";
import { beforeAll, expect, test } from "vitest";
import { OPTIONS } from "../../wire";
import { speak } from "../../words/language.svelte";
import type { ShownRule } from "../../words/rulebook";
import OptionField from "./OptionField.svelte";
import { Order } from "./order.svelte";

beforeAll(() => speak("en"));

test("a choice for research, which the book has, is not offered", () => {
  const values = ["112", "108", "mini"].map((value) => ({ value, text: `Deck ${value}`, usual: value === "112" }));
  const rule = { id: "deck", name: "Deck", text: "How many cards.", values } as unknown as ShownRule;
  const order = new Order({ editions: [{ name: "classic", options: { deck: 112 } }], options: [], levels: [] });
  render(OptionField, { order, rule, info: OPTIONS.find(({ name }) => name === "deck")! });
  expect(screen.getAllByRole("radio").map((each) => each.getAttribute("value"))).toEqual(["112", "108"]);
});
