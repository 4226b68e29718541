import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { table } from "../deciding/fixture";
import { joinTable, lookAt, RequestRefused } from "../net/api";
import { preferences } from "../state/preferences.svelte";
import { speak } from "../words/language.svelte";
import Door from "./Door.svelte";

vi.mock("../net/api", async (real) => ({
  ...(await real<typeof import("../net/api")>()),
  lookAt: vi.fn(),
  joinTable: vi.fn(),
}));

const onseated = vi.fn();

/** A table that waits, with its host in the first seat; `taken` are those of others. */
function waiting(...taken: number[]): void {
  const info = table({ phase: "waiting" });
  const seats = info.seats.map((seat) =>
    seat.seat === 0 || taken.includes(seat.seat)
      ? ({ ...seat, kind: "person" } as const)
      : ({ ...seat, kind: "empty", name: null } as const),
  );
  vi.mocked(lookAt).mockResolvedValue({ ...info, seats });
}

beforeEach(async () => {
  await speak("en");
  vi.clearAllMocks();
  preferences.name = "Eva";
  waiting();
  vi.mocked(joinTable).mockResolvedValue({ code: "ABCD2345", token: "token" } as Awaited<ReturnType<typeof joinTable>>);
});

const token: unknown = expect.stringMatching(/^[\w-]{22}$/);
const sitDown = async (): Promise<void> => {
  await fireEvent.click(await screen.findByRole("button", { name: "Sit down" }));
};
const atTheDoor = (): void => void render(Door, { code: "ABCD2345", onseated, onwatch: () => undefined });

test("whoever chooses no seat gets any that is free", async () => {
  atTheDoor();
  await sitDown();
  expect(joinTable).toHaveBeenCalledWith("ABCD2345", { name: "Eva", seat: null, token });
  await waitFor(() => expect(onseated).toHaveBeenCalledWith("token"));
});

test("whoever chooses a seat gets that one, and can think again", async () => {
  atTheDoor();
  await fireEvent.click(await screen.findByRole("radio", { name: "Seat 3, free" }));
  await sitDown();
  expect(joinTable).toHaveBeenLastCalledWith("ABCD2345", { name: "Eva", seat: 2, token });
  await fireEvent.click(screen.getByRole("radio", { name: "Any free seat" }));
  await sitDown();
  expect(joinTable).toHaveBeenLastCalledWith("ABCD2345", { name: "Eva", seat: null, token });
});

test.each([
  ["en", "Sit down", /^Seat 3/, "Somebody else has taken this seat. Choose another."],
  ["es", "Sentarse", /^Asiento 3/, "Otra persona ocupó este asiento. Elige otro."],
  ["es-AR", "Sentarse", /^Asiento 3/, "Otra persona ocupó este asiento. Elegí otro."],
] as const)("a seat that is gone is told without a wrong number, and is not asked for again: %s", async (...told) => {
  const [language, button, name, sentence] = told;
  await speak(language);
  const failure = {
    code: "seat-taken",
    reason: "seat-taken",
    message: "Seat 2 is taken.",
    facts: { seat: 2 },
  } as const;
  atTheDoor();
  await fireEvent.click(await screen.findByRole("radio", { name }));
  waiting(2);
  vi.mocked(joinTable).mockRejectedValueOnce(new RequestRefused(failure));
  await fireEvent.click(screen.getByRole("button", { name: button }));
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  await waitFor(() => expect(screen.queryByRole("radio", { name })).toBeNull());
  await fireEvent.click(screen.getByRole("button", { name: button }));
  expect(joinTable).toHaveBeenLastCalledWith("ABCD2345", { name: "Eva", seat: null, token });
});
