// Registers the service worker, where the browser has one: over https and on this computer.

export const WORKER = "/sw.js";

/** After the page is there, so that nothing it needs waits for what the worker gets. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = (): void => void navigator.serviceWorker.register(WORKER).catch(() => undefined);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
