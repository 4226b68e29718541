// A reactive countdown; its timer runs only while a mounted component reads it.

import { createSubscriber } from "svelte/reactivity";

const EVERY_MS = 250;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, EVERY_MS);
  return () => clearInterval(timer);
});

/** Whole seconds until `at` of performance.now(), never below 0. */
export function secondsUntil(at: number): number {
  subscribe();
  return Math.max(0, Math.ceil((at - performance.now()) / 1000));
}
