import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { KEY } from "../pad/kept.svelte";
import { speak } from "../words/language.svelte";
import ScorePad from "./ScorePad.svelte";

beforeAll(() => speak("en"));
beforeEach(() => {
  localStorage.clear();
  document.body.replaceChildren();
  window.scrollTo = () => undefined;
});

const press = (name: string | RegExp): Promise<boolean> => fireEvent.click(screen.getByRole("button", { name }));
const choose = (name: string | RegExp): Promise<boolean> => fireEvent.click(screen.getByRole("radio", { name }));
const board = (): string[] =>
  within(screen.getByRole("region", { name: "Scores" }))
    .getAllByRole("listitem")
    .map((row) => row.textContent!.replace(/\s+/g, " ").trim());

async function begin(...names: string[]): Promise<void> {
  render(ScorePad, { section: "scores" });
  for (const [n, name] of names.entries()) {
    if (!screen.queryByLabelText(`Name of player ${n + 1}`)) await press("Add a player");
    await fireEvent.input(screen.getByLabelText(`Name of player ${n + 1}`), { target: { value: name } });
  }
  if (names.length === 2) await press("Remove Player 3");
  await press("Start");
}

test("a match on the pad: cards are tapped, points are typed, and who deals next is said", async () => {
  await begin("Ana", "Ben", "Cleo");
  expect(screen.getByText("Ana deals.")).toBeTruthy();
  await choose("Ana");
  await press(/^7, 7 points/);
  await press(/^Wild Draw Two, 50 points/);
  expect(screen.getByText("Still missing: Cleo.")).toBeTruthy();
  await press("Next: Cleo");
  await fireEvent.input(screen.getByLabelText("Or type the points"), { target: { value: "43" } });
  expect(screen.getByText("Ana scores 100 points.")).toBeTruthy();
  await press("Record the round");
  expect(board()[0]).toMatch(/^Ana \+100 100/);
  expect(screen.getByText("Ben deals.")).toBeTruthy();
  await press("Undo: the last round");
  expect(screen.getByText("Ana scores 100 points.")).toBeTruthy();
  await press("Undo: the points of Cleo");
  expect(screen.getByText("Still missing: Cleo.")).toBeTruthy();
});

test("the hand that is being entered stays the same while its cards are tapped", async () => {
  await begin("Ana", "Ben", "Cleo");
  await choose("Ana");
  await press(/^4, /);
  await press(/^4, /);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Ben 8$/ }).checked).toBe(true);
  expect(screen.getByRole("button", { name: "4, 4 points, 2 in this hand" })).toBeTruthy();
  await fireEvent.click(screen.getAllByRole("button", { name: "Take away 4" })[0]!);
  expect(screen.getByRole("radio", { name: /^Ben 4$/ })).toBeTruthy();
});

test("quick: who goes out has won, and the same players play on", async () => {
  await begin("Ana", "Ben");
  await press("Undo: the new match");
  await choose(/^Quick/);
  await press("Start");
  await choose("Ben");
  expect(screen.getByText("Ben wins the match.")).toBeTruthy();
  await press("Record the round");
  expect(screen.getByRole("heading", { name: "Ben won the match" })).toBeTruthy();
  await press("New match, same players");
  expect(screen.getByText("Ben deals.")).toBeTruthy();
  await press("Undo: the new match");
  expect(screen.getByRole("heading", { name: "Ben won the match" })).toBeTruthy();
});

test("players may not have the same name, and a target is a number", async () => {
  await begin("Ana", "Ana", "Ben");
  expect(screen.getByRole("alert").textContent).toBe("Two players are called Ana. Give one of them another name.");
  await fireEvent.input(screen.getByLabelText("Name of player 2"), { target: { value: "Cleo" } });
  await fireEvent.input(screen.getByLabelText("Target"), { target: { value: "0" } });
  await press("Start");
  expect(screen.getByRole("alert").textContent).toBe("The target is a whole number from 1 to 1,000,000.");
});

test("points that no deck has are refused in place", async () => {
  await begin("Ana", "Ben");
  await choose("Ana");
  for (const value of ["9999", "-3", "1.5", "x"]) {
    await fireEvent.input(screen.getByLabelText("Or type the points"), { target: { value } });
    expect(screen.getByRole("alert").textContent).toMatch(/^Points are a whole number from 0 to 1,\d{3}: /);
  }
  await fireEvent.input(screen.getByLabelText("Or type the points"), { target: { value: "12" } });
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a pad that can't be read is told, and a new one is there", () => {
  localStorage.setItem(KEY, "{broken");
  render(ScorePad, { section: "scores" });
  expect(screen.getByRole("alert").textContent).toMatch(/could not be read/);
  expect(screen.getByRole("button", { name: "Start" })).toBeTruthy();
});

test("between two and ten players", async () => {
  render(ScorePad, { section: "scores" });
  for (let n = 3; n < 10; n++) await press("Add a player");
  expect(screen.queryByRole("button", { name: "Add a player" })).toBeNull();
  for (let n = 10; n > 2; n--) await press(`Remove Player ${n}`);
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
});

test("what does this card do?", async () => {
  render(ScorePad, { section: "cards" });
  await fireEvent.click(await screen.findByRole("button", { name: "Wild Draw Color, Dark side" }));
  const answer = screen.getByRole("heading", { name: "Wild Draw Color" }).parentElement!;
  expect(answer.textContent).toContain("draws until a card of that color comes up");
  expect(answer.textContent).toMatch(/Splash and Argentina:.*shown to everyone/s);
  expect(within(answer).getAllByRole("link", { name: "ACT-7" })[0]!.getAttribute("href")).toBe("#/rules/ACT-7");
});

test("in Spanish it says all of it too", async () => {
  await speak("es");
  render(ScorePad, { section: "scores" });
  await press("Empezar");
  await choose("Jugador 1");
  expect(screen.getByText("¿Qué les quedó?")).toBeTruthy();
  await speak("en");
});
