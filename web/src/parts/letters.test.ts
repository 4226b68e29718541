import { expect, test } from "vitest";
import { firstLetters } from "./letters";

test("a short text stays as it is", () => {
  expect(firstLetters("Ana", 20)).toBe("Ana");
  expect(firstLetters("", 20)).toBe("");
});

test("a long one is cut between letters, never within one", () => {
  expect(firstLetters("Maximiliano Alejandro de la Vega", 20)).toBe("Maximiliano Alejandr");
  expect(firstLetters("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301e\u0301");
  expect(firstLetters("Ana Ben", 4)).toBe("Ana");
});
