import { beforeEach, expect, test } from "vitest";
import { codesOfSeats, forgetSeat, keepSeat, tokenOf, tokenToSitWith } from "./seats";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("seats are known by their codes, the newest first", () => {
  keepSeat("AAAA-AAAA", "one");
  keepSeat("BBBB-BBBB", "two");
  keepSeat("CCCC-CCCC", "three");
  keepSeat("aaaa aaaa", "four"); // the same table again
  expect(codesOfSeats()).toEqual(["AAAAAAAA", "CCCCCCCC", "BBBBBBBB"]);
  expect(tokenOf("AAAA-AAAA")).toBe("four");
  forgetSeat("CCCC-CCCC");
  expect(codesOfSeats()).toEqual(["AAAAAAAA", "BBBBBBBB"]);
  expect(tokenOf("CCCC-CCCC")).toBeNull();
});

test("seats whose age nobody noted come last, and a spoilt note is no matter", () => {
  localStorage.setItem("seat DDDDDDDD", "old");
  keepSeat("EEEE-EEEE", "new");
  expect(codesOfSeats()).toEqual(["EEEEEEEE", "DDDDDDDD"]);
  localStorage.setItem("seats", "{");
  expect(codesOfSeats().sort()).toEqual(["DDDDDDDD", "EEEEEEEE"]);
  keepSeat("FFFF-FFFF", "newest");
  expect(tokenOf("FFFF-FFFF")).toBe("newest");
  expect(codesOfSeats()[0]).toBe("FFFFFFFF");
});

test("one sits down with the same token until one sits, and with another at another table", () => {
  const token = tokenToSitWith("GGGG-GGGG");
  expect(token).toMatch(/^[\w-]{22}$/);
  expect(tokenToSitWith("gggg gggg")).toBe(token);
  expect(tokenToSitWith("HHHH-HHHH")).not.toBe(token);
  expect(codesOfSeats()).toEqual([]);
  keepSeat("GGGG-GGGG", token);
  expect(tokenOf("GGGG-GGGG")).toBe(token);
  expect(tokenToSitWith("GGGG-GGGG")).not.toBe(token);
});

test("a token to sit down with outlives the page", () => {
  sessionStorage.setItem("pending seat JJJJJJJJ", "from-before-the-reload");
  expect(tokenToSitWith("JJJJ-JJJJ")).toBe("from-before-the-reload");
});
