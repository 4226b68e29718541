import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import type { Room } from "../state/room.svelte";
import english from "virtual:rulebook/en";
import { preferences } from "../state/preferences.svelte";
import { table } from "../deciding/fixture";
import { speak, t } from "../words/language.svelte";
import { Reader } from "../words/rulebook";
import Menu from "./Menu.svelte";
import { exampleScene } from "./table.fixture";

beforeAll(() => speak("en"));

const command = vi.fn();
beforeEach(() => command.mockClear());

const SETTINGS = { edition: "splash", options: { stacking: true }, turn_seconds: 0, public: false, chat: false };

const menu = (more: Partial<Room> = {}) => ({
  onclose: () => {},
  room: {
    code: "7K3MQ2XA",
    you: 0,
    seated: true,
    manages: true,
    transfer: null,
    command,
    info: { phase: "playing", seats: exampleScene().seats, watching: 0, settings: SETTINGS },
    ...more,
  } as unknown as Room,
});

describe("the speed of the bots", () => {
  it("is for the host to choose, and remembered", async () => {
    render(Menu, menu({ info: table() }));
    const speed = screen.getByRole("combobox", { name: "Speed of the bots" });
    await fireEvent.change(speed, { target: { value: "fast" } });
    expect(command).toHaveBeenCalledWith({ type: "speed", speed: "fast" });
    expect(preferences.speed).toBe("fast");
  });

  it("is told to everybody else", () => {
    render(Menu, menu({ info: table(), manages: false }));
    expect(screen.queryByRole("combobox", { name: "Speed of the bots" })).toBeNull();
    expect(screen.getByText(/^Speed of the bots: normal/)).toBeTruthy();
  });
});

describe("leaving", () => {
  it("is asked about first", async () => {
    render(Menu, menu());
    await fireEvent.click(screen.getByRole("button", { name: "Leave the table" }));
    expect(command).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole("button", { name: "Leave" }));
    expect(command).toHaveBeenCalledWith({ type: "leave" });
  });

  it("is just a way out for somebody who looks on", () => {
    render(Menu, menu({ you: null, seated: false, manages: false }));
    expect(screen.getByRole("link", { name: "Stop watching" }).getAttribute("href")).toBe("#/");
    expect(screen.queryByRole("button", { name: "Continue on another device" })).toBeNull();
  });
});

test("the edition and the house rules in force are there", async () => {
  render(Menu, menu());
  const rules = screen.getByRole("region", { name: "What is played" });
  expect(rules.textContent).toContain(t("edition.splash"));
  const name = new Reader(english, "splash").rule("stacking")!.name;
  expect(await within(rules).findByText(name)).toBeTruthy();
});

describe("the host", () => {
  it("can let a bot play for somebody who is away, and for nobody else", async () => {
    render(Menu, menu());
    expect(screen.getAllByRole("button", { name: /^Let a bot/ }).map((button) => button.textContent!.trim())).toEqual([
      "Let a bot play for Ben",
    ]);
    await fireEvent.click(screen.getByRole("button", { name: "Let a bot play for Ben" }));
    expect(command).toHaveBeenCalledWith({ type: "seat_bot", seat: 1 });
  });

  it("alone can do that", () => {
    render(Menu, menu({ manages: false }));
    expect(screen.queryByRole("button", { name: /^Let a bot/ })).toBeNull();
  });
});

describe("another device", () => {
  it("gets a link when there is one", async () => {
    render(Menu, menu());
    await fireEvent.click(screen.getByRole("button", { name: "Continue on another device" }));
    expect(command).toHaveBeenCalledWith({ type: "transfer" });
  });

  it("is told how long the link is good", () => {
    render(Menu, menu({ transfer: { secret: "abc", seconds: 600 } }));
    expect(screen.getByRole("status").textContent).toContain("within 10 minutes");
    expect((screen.getByLabelText("Link for the other device") as HTMLInputElement).value).toMatch(
      /\/#\/seat\/abc\?t=cf1d$/,
    );
  });
});
