import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { table } from "../deciding/fixture";
import { joinTable, RequestRefused } from "../net/api";
import { forgetSeat, tokenOf } from "../net/seats";
import { preferences } from "../state/preferences.svelte";
import type { Room } from "../state/room.svelte";
import type { TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import TakeOver from "./TakeOver.svelte";

vi.mock("../net/api", async (real) => ({
  ...(await real<typeof import("../net/api")>()),
  joinTable: vi.fn(),
}));

const onseated = vi.fn();

function watched(takeover: boolean, more: Partial<TableInfo> = {}, token: string | null = null): void {
  const info = table(more);
  info.settings.takeover = takeover;
  render(TakeOver, { room: { code: "ABCD2345", token, info } as unknown as Room, onseated });
}

beforeEach(async () => {
  await speak("en");
  vi.clearAllMocks();
  forgetSeat("ABCD2345");
  preferences.name = "Zoe";
});

test("a spectator takes the seat of a bot and keeps it", async () => {
  vi.mocked(joinTable).mockResolvedValue({ code: "ABCD2345", seat: 2, token: "t", invite: "", commitment: "" });
  watched(true);
  await fireEvent.click(screen.getByRole("button", { name: "Take a bot’s seat" }));
  await fireEvent.click(screen.getByRole("button", { name: "Ben" }));
  await waitFor(() => expect(onseated).toHaveBeenCalledWith("t"));
  expect(vi.mocked(joinTable).mock.calls[0]![1]).toMatchObject({ name: "Zoe", seat: 2 });
  expect(tokenOf("ABCD2345")).toBe("t");
});

test("only at a table that allows it, that is not locked, and only what nobody else has taken", async () => {
  watched(false);
  watched(true, { locked: true });
  expect(screen.queryByRole("button")).toBeNull();
  const info = table();
  info.seats[1]!.next = "Yan";
  watched(true, { seats: info.seats });
  await fireEvent.click(screen.getByRole("button", { name: "Take a bot’s seat" }));
  expect(screen.queryByRole("button", { name: "Ada" })).toBeNull();
  expect(screen.getByRole("button", { name: "Cleo" })).toBeTruthy();
});

test("whoever is next is told so", () => {
  watched(true, {}, "token");
  expect(screen.getByRole("status").textContent).toBe("You play from the next deal on.");
});

test("a refusal is shown, and nothing is kept", async () => {
  const failure = {
    code: "seat-taken",
    reason: "seat-taken",
    message: "Seat 1 is taken.",
    facts: { seat: 1 },
  } as const;
  vi.mocked(joinTable).mockRejectedValue(new RequestRefused(failure));
  watched(true);
  await fireEvent.click(screen.getByRole("button", { name: "Take a bot’s seat" }));
  await fireEvent.click(screen.getByRole("button", { name: "Ada" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBeTruthy());
  expect(tokenOf("ABCD2345")).toBeNull();
});
