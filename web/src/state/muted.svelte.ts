// Whom this window does not want to hear: for oneself alone, nobody else is told.

const KEY = "muted ";

/** By name: names at a table differ, also those of spectators. */
export class Muted {
  #names = $state.raw<ReadonlySet<string>>(new Set());

  constructor(readonly code: string) {
    this.#names = new Set(kept(KEY + code));
  }

  has(name: string | null | undefined): boolean {
    return this.#names.has(name ?? "");
  }

  set(name: string, on: boolean): void {
    const names = new Set(this.#names);
    if (on) names.add(name);
    else names.delete(name);
    this.#names = names;
    try {
      sessionStorage.setItem(KEY + this.code, JSON.stringify([...names])); // a reload is no reason to hear them again
    } catch {
      // for as long as the page lives
    }
  }
}

function kept(key: string): string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
