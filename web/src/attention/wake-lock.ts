// Keeps the screen on (Screen Wake Lock).  The browser gives the lock back whenever the page is hidden: it is taken again
// when the page is seen.

export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function take(): Promise<void> {
    if (over || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    if (lock && !lock.released) return;
    try {
      const taken = await navigator.wakeLock.request("screen");
      if (over) void taken.release();
      else lock = taken;
    } catch {
      // the battery is low, or the browser does not want to
    }
  }

  const shown = (): void => void take();
  document.addEventListener("visibilitychange", shown);
  void take();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", shown);
    void lock?.release().catch(() => undefined);
  };
}
