// The color of the browser's own frame is that of the room.

const PAPER = "--paper";

export function followTheme(): void {
  const frame = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
  if (!frame) return;
  const write = (): void => {
    const paper = getComputedStyle(document.body).getPropertyValue(PAPER).trim();
    if (paper) frame.content = paper;
  };
  new MutationObserver(write).observe(document.documentElement, { attributeFilter: ["data-side"] });
  write();
}
