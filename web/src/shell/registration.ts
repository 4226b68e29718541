// Registers the service worker, where the browser has one: over https and on this computer.

export const WORKER = "/sw.js";
const IDLE_MS = 3000;

/** Asks for what is wanted without a network and not in the shell, such as texts of one language: a worker that answers
    for this page keeps it. */
export function keepForLater(load: () => Promise<unknown>): void {
  if ("serviceWorker" in navigator && navigator.serviceWorker.controller)
    setTimeout(() => void load().catch(() => undefined), IDLE_MS);
}

/** After the page is there, so that nothing it needs waits for what the worker gets. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = (): void => void navigator.serviceWorker.register(WORKER).catch(() => undefined);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
