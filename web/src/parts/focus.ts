// Focus management: when the focused element disappears, something near it gets the focus, so that keyboard users don't
// lose their place.  It is never a control that makes a move, which one more key press would trigger.

const CAN_HAVE_IT = "button:not(:disabled), a[href], select:not(:disabled), summary";

export function keepFocus(main: HTMLElement): () => void {
  let last: HTMLElement[] = []; // what had the focus last, and what lies around it
  let waiting = 0;

  function came({ target }: FocusEvent): void {
    last = [];
    for (let at = target as HTMLElement | null; at && at !== main; at = at.parentElement) last.push(at);
  }

  /** A click elsewhere gives up the focus. */
  function went({ target }: FocusEvent): void {
    setTimeout(() => {
      if (document.activeElement === document.body && (target as HTMLElement) === last[0] && !isGone(last[0]))
        last = [];
    });
  }

  const isGone = (element: HTMLElement): boolean => !element.isConnected || element.matches(":disabled");

  function look(): void {
    waiting = 0;
    const [had, ...around] = last;
    if (document.activeElement !== document.body || !had || !isGone(had)) return;
    near(around.filter((each) => each.isConnected)).focus({ preventScroll: true });
  }

  function near(around: readonly HTMLElement[]): HTMLElement {
    const [closest] = around;
    const dialog = closest?.closest<HTMLElement>("dialog[open]");
    if (dialog) return dialog;
    if (closest?.closest(".table")) return main;
    for (const each of around) {
      const found = each.querySelector<HTMLElement>(CAN_HAVE_IT);
      if (found) return found;
    }
    return main;
  }

  // A frame later: some know better where it should go, and see to it themselves.
  const observer = new MutationObserver(() => (waiting ||= requestAnimationFrame(look)));
  observer.observe(main, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  main.addEventListener("focusin", came);
  main.addEventListener("focusout", went);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(waiting);
    main.removeEventListener("focusin", came);
    main.removeEventListener("focusout", went);
  };
}
