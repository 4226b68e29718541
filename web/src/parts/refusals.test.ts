import { beforeEach, expect, test } from "vitest";
import { RequestRefused } from "../net/api";
import type { Failure } from "../wire";
import { speak } from "../words/language.svelte";
import { closeReason, refusalText } from "./refusals";

const failure = (code: Failure["code"], reason: string, facts: Failure["facts"] = {}): RequestRefused =>
  new RequestRefused({ code, reason, message: "In English.", facts });

beforeEach(() => speak("es"));

test("a refused request is told in the language of the page", () => {
  expect(refusalText(failure("no-such-path", "no-such-path"))).toBe("En esta dirección no hay nada: revísala.");
  expect(refusalText(new Error("no server"))).toContain("No se puede llegar al servidor");
});

test("what its answer says goes into the sentence, before what the page knows", () => {
  const few = { deck: 112, hand_size: 20, players: 10 };
  const sentence = refusalText(failure("bad-option", "deck-too-small", few));
  expect(sentence).toContain("10");
  expect(sentence).not.toBe("In English.");
  expect(refusalText(failure("bad-option", "deck-too-small"), few)).toBe(sentence);
  expect(refusalText(failure("bad-option", "deck-too-small", few), { deck: 1, hand_size: 1, players: 1 })).toBe(
    sentence,
  );
});

test("what the operator has to say about it stands after the sentence, as it was said", () => {
  const closed = "Quien administra este servidor cerró esta mesa.";
  const facts = { word: "Too many <b>complaints</b>." };
  expect(refusalText(failure("closed-by-operator", "closed-by-operator", facts))).toBe(
    `${closed} “Too many <b>complaints</b>.”`,
  );
  const bye = { type: "bye", code: "closed-by-operator", message: "In English.", facts } as const;
  expect(closeReason(bye, null)).toEqual({
    code: "closed-by-operator",
    sentence: `${closed} “Too many <b>complaints</b>.”`,
  });
  expect(closeReason({ ...bye, code: "kept-out", facts: {} }, null)?.sentence).toContain("no deja entrar");
});
