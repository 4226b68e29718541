import { expect, test } from "vitest";
import { pathOf } from "./invite-link";

test.each([
  ["7K3MQ2XA", "#/table/7K3M-Q2XA"],
  [" 7k3m–q2xa ", "#/table/7K3M-Q2XA"],
  ["7K3M Q2XA", "#/table/7K3M-Q2XA"],
  ["OIL0-0000", "#/table/0110-0000"],
  ["https://cards.example/table/7K3M-Q2XA", "#/table/7K3M-Q2XA"],
  ["https://cards.example/#/table/7K3M-Q2XA", "#/table/7K3M-Q2XA"],
  ["Come and play: http://192.0.2.7:8000/#/table/7k3m-q2xa (bring snacks)", "#/table/7K3M-Q2XA"],
  ["https://cards.example/#/seat/aB-3_x", "#/seat/aB-3_x"],
  ["https://cards.example/#/seat/aB-3_x?t=5f0e", "#/seat/aB-3_x?t=5f0e"],
  ["Look at this: https://cards.example/#/replay/A-b?seat=1&round=2&step=30.", "#/replay/A-b?seat=1&round=2&step=30"],
  ["https://cards.example/#/replay/ABC?round=2", "#/replay/ABC?round=2"],
])("%s leads to %s", (pasted, path) => {
  expect(pathOf(pasted)).toBe(path);
});

test.each(["", "hello", "7K3M", "7K3M-Q2XU", "7K3M-Q2XAA", "https://elsewhere.example/"])(
  "%s leads nowhere",
  (pasted) => {
    expect(pathOf(pasted)).toBeNull();
  },
);
