import { render } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeTable, view } from "../deciding/fixture";
import { preferences } from "../state/preferences.svelte";
import { speak } from "../words/language.svelte";
import NotifySwitch from "./NotifySwitch.svelte";
import TurnSignals from "./TurnSignals.svelte";

const told: { title: string; closed: boolean }[] = [];
let answer: NotificationPermission;
let asked = 0;

class FakeNotification {
  static permission: NotificationPermission = "default";
  static requestPermission(): Promise<NotificationPermission> {
    asked += 1;
    FakeNotification.permission = answer;
    return Promise.resolve(answer);
  }
  readonly entry: { title: string; closed: boolean };
  onclick: (() => void) | null = null;
  constructor(title: string) {
    told.push((this.entry = { title, closed: false }));
  }
  close(): void {
    this.entry.closed = true;
  }
}

let hidden = false;
const show = (on: boolean): void => {
  hidden = !on;
  document.dispatchEvent(new Event("visibilitychange"));
  flushSync();
};

let held: string[];
const locks: { released: boolean; release: () => Promise<void> }[] = [];

beforeEach(async () => {
  await speak("en");
  document.head.innerHTML = '<link rel="icon" href="/icon.svg" type="image/svg+xml" />';
  document.title = "Table – Flipdeck";
  told.length = asked = locks.length = 0;
  held = [];
  hidden = false;
  answer = "granted";
  FakeNotification.permission = "granted";
  preferences.notify = preferences.awake = true;
  vi.stubGlobal("Notification", FakeNotification);
  vi.stubGlobal("isSecureContext", true);
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => (hidden ? "hidden" : "visible"));
  const badge = (name: string) => (): Promise<void> => (held.push(name), Promise.resolve());
  Object.assign(navigator, { setAppBadge: badge("badge"), clearAppBadge: badge("none") });
  Object.defineProperty(navigator, "wakeLock", {
    configurable: true,
    value: {
      request: () => {
        const lock = { released: false, release: () => ((lock.released = true), Promise.resolve()) };
        locks.push(lock);
        return Promise.resolve(lock);
      },
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  preferences.notify = false;
});

const icon = (): string | null => document.querySelector("link")!.getAttribute("href");
const sit = (): { turnOf: (seat: number) => void; leave: () => void } => {
  const table = new FakeTable(view({ to_act: null }));
  const { unmount } = render(TurnSignals, { room: table.room });
  const turnOf = (to_act: number): void => (table.update(view({ to_act })), flushSync());
  return { turnOf, leave: () => void unmount() };
};

describe("whose turn it is", () => {
  test("is told by the title, the icon and the badge", () => {
    const { turnOf, leave } = sit();
    expect(document.title).toBe("Table – Flipdeck");
    turnOf(1);
    expect([document.title, icon()]).toEqual(["Ada’s turn – Flipdeck", "/icon.svg"]);
    turnOf(0);
    expect([document.title, icon(), held.at(-1)]).toEqual(["● Your turn – Flipdeck", "/icon-turn.svg", "badge"]);
    leave();
    expect([document.title, icon(), held.at(-1)]).toEqual(["Table – Flipdeck", "/icon.svg", "none"]);
  });

  test("is notified to whoever looks elsewhere, once, and forgotten when they look", () => {
    const { turnOf } = sit();
    turnOf(1);
    show(false);
    turnOf(0);
    expect(told).toEqual([{ title: "Your turn", closed: false }]);
    show(true);
    expect(told).toEqual([{ title: "Your turn", closed: true }]);
  });

  test("is notified to nobody who sees it, or has not asked for it", () => {
    const { turnOf } = sit();
    turnOf(0);
    turnOf(1);
    preferences.notify = false;
    show(false);
    turnOf(0);
    expect(told).toEqual([]);
    expect(asked).toBe(0);
  });
});

describe("the switch for notifications", () => {
  test("asks the device, and nobody else does", async () => {
    preferences.notify = false;
    const { getByRole } = render(NotifySwitch);
    expect(asked).toBe(0);
    getByRole("switch").click();
    await vi.waitFor(() => expect(asked).toBe(1));
    expect(preferences.notify).toBe(true);
  });

  test("goes back when the device refuses, and says why", async () => {
    preferences.notify = false;
    answer = "denied";
    const { getByRole, findByText } = render(NotifySwitch);
    getByRole("switch").click();
    await findByText(/does not let this page/);
    expect(preferences.notify).toBe(false);
  });

  test("can't be had where the device has none", () => {
    vi.stubGlobal("isSecureContext", false);
    const { getByRole } = render(NotifySwitch);
    expect((getByRole("switch") as HTMLInputElement).disabled).toBe(true);
  });
});

describe("the screen", () => {
  test("stays on while somebody sits at the table, also after the page was hidden", async () => {
    const { leave } = sit();
    await vi.waitFor(() => expect(locks).toHaveLength(1));
    await Promise.resolve();
    locks[0]!.released = true; // as browsers do when a page is hidden
    show(false);
    expect(locks).toHaveLength(1);
    show(true);
    await vi.waitFor(() => expect(locks).toHaveLength(2));
    await Promise.resolve();
    leave();
    expect(locks[1]!.released).toBe(true);
    show(true);
    expect(locks).toHaveLength(2);
  });

  test("is nobody's business who looks on, or wants it to go off", () => {
    const { room } = new FakeTable(view({ to_act: null }));
    room.you = null;
    render(TurnSignals, { room });
    preferences.awake = false;
    sit();
    expect(locks).toEqual([]);
  });
});
