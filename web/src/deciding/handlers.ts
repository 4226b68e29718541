// The handler of each action, for its key and its button.

import type { Choice } from "./choice.svelte";
import { perform, type Action } from "./keys";

export function handlersOf(choice: Choice): Record<Action, () => void> {
  const call = (place: number): void => {
    const color = choice.colors[place];
    if (color !== undefined) choice.call(color);
  };
  return {
    draw: () => choice.say("draw"),
    play: () => choice.playIt(),
    keep: () => choice.say("keep"),
    accept: () => choice.say("accept"),
    challenge: () => choice.say("challenge"),
    uno: () => choice.uno(),
    catch: () => choice.catch(),
    color1: () => call(0),
    color2: () => call(1),
    color3: () => call(2),
    color4: () => call(3),
    next: () => choice.nextPlayable(),
    sort: () => choice.sortOtherwise(),
    skip: () => choice.skip(),
    backs: () => void (choice.backs = !choice.backs),
    log: () => perform("log"),
    help: () => void (choice.help = !choice.help),
  };
}
