import { beforeEach, expect, test } from "vitest";
import { codesOfSeats, forgetSeat, keepSeat, tokenOf } from "./seats";

beforeEach(() => localStorage.clear());

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
