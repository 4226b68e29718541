// The score pad of this browser: what was tapped is kept after every tap, and told to nobody.

import { after, padOf, type Pad, type PadAction } from "./actions";
import { readActions } from "./reading";

export const KEY = "score pad";

const isSameField = (last: PadAction | undefined, next: PadAction): boolean =>
  last?.do === "type" && next.do === "type" && last.seat === next.seat;

export class KeptPad {
  #actions = $state.raw<readonly PadAction[]>([]);
  #pad = $state.raw<Pad | null>(null);
  /** there was something, and it could not be read */
  damaged = $state(false);
  /** the browser keeps nothing: when the page is closed it is gone */
  unkept = $state(false);

  constructor() {
    this.#read();
  }

  /** null: no match has begun */
  get pad(): Pad | null {
    return this.#pad;
  }

  /** what `undo` takes back; null: there is nothing */
  get last(): PadAction | null {
    return this.#actions.at(-1) ?? null;
  }

  /** Follows what another tab does with the same pad; within a component only. */
  follow(): void {
    $effect(() => {
      const changed = ({ key }: StorageEvent): void => void (key === KEY && this.#read());
      addEventListener("storage", changed);
      return () => removeEventListener("storage", changed);
    });
  }

  /** Does it, if it can follow what was done. */
  do(action: PadAction): boolean {
    const next = after(this.#pad, action);
    if (next === null) return false;
    // a new match leaves the one before it to go back to, and no more
    const begun = action.do === "start" ? this.#actions.findLastIndex((each) => each.do === "start") : 0;
    const rest = this.#actions.slice(Math.max(0, begun));
    if (isSameField(rest.at(-1), action)) rest.pop(); // digit by digit it is one step
    this.#keep([...rest, action], next);
    return true;
  }

  undo(): void {
    const rest = this.#actions.slice(0, -1);
    this.#keep(rest, padOf(rest) ?? null);
  }

  #read(): void {
    let text: string | null = null;
    try {
      text = localStorage.getItem(KEY);
    } catch {
      this.unkept = true;
    }
    const actions = text === null ? [] : readActions(text);
    this.damaged = actions === null;
    this.#actions = actions ?? [];
    this.#pad = padOf(this.#actions) ?? null;
  }

  #keep(actions: readonly PadAction[], pad: Pad | null): void {
    this.#actions = actions;
    this.#pad = pad;
    this.damaged = false;
    try {
      localStorage.setItem(KEY, JSON.stringify(actions));
      this.unkept = false;
    } catch {
      this.unkept = true;
    }
  }
}
