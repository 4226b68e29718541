// Large screens: everything grows, text by the size of the root (base.css), and by the same factor what is measured in
// pixels.

const LARGE = "(min-width: 1600px)"; // as in base.css
const USUAL = 16;

/** How much larger than usual things are drawn on this screen. */
export function screenScale(): number {
  if (typeof matchMedia !== "function" || !matchMedia(LARGE).matches) return 1;
  return Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL || 1);
}
