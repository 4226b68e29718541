import { render, screen } from "@testing-library/svelte";
import { beforeAll, expect, test } from "vitest";
import { speak } from "../../words/language.svelte";
import { isLoopback } from "./loopback";
import OnlyHere from "./OnlyHere.svelte";

beforeAll(() => speak("en"));

test.each(["127.0.0.1", "127.1.2.3", "localhost", "flip.localhost", "[::1]"])("%s is this computer", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(["192.168.0.7", "cards.example", "localhost.example", "10.127.0.1", "[fe80::1]"])("%s is not", (host) => {
  expect(isLoopback(host)).toBe(false);
});

test("an invitation that only this computer can open says so, and names the way out", () => {
  render(OnlyHere, { host: "127.0.0.1" });
  expect(screen.getByText(/Only this computer can open this link/).textContent).toContain("flipdeck serve --lan");
});

test("others say nothing", () => {
  const { container } = render(OnlyHere, { host: "192.168.0.7" });
  expect(container.textContent?.trim()).toBe("");
});
