// A notification of the device when it is our turn and the page is not seen.  Nobody is asked for the permission but
// whoever turns the switch on.

const TAG = "turn"; // a later one replaces it

/** The device can show notifications: without TLS only a page on the same computer may. */
export const canNotify = (): boolean => typeof Notification !== "undefined" && isSecureContext;

/** Whether the device lets us, once it has been asked; asked again, it answers as before. */
export async function askToNotify(): Promise<boolean> {
  if (!canNotify()) return false;
  return (await Notification.requestPermission()) === "granted";
}

let shown: Notification | null = null;

export async function notify(title: string, text: string): Promise<void> {
  if (!canNotify() || Notification.permission !== "granted") return;
  const options = { body: text, tag: TAG, icon: "/icon.svg" };
  try {
    shown = new Notification(title, options);
    shown.onclick = () => (window.focus(), forgetNotification());
  } catch {
    // phones leave it to the worker of an installed page
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, options);
  }
}

/** The page is seen again, or the turn is over. */
export function forgetNotification(): void {
  shown?.close();
  shown = null;
}
