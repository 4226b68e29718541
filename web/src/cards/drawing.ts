// A face as the inside of an SVG of 100 by 140.  Every face is put together once; a table of ten shows a hundred cards
// and turns all of them over at the same time.

import { colorOf, colorsOf, isWild, type FaceText, type Side } from "../game/faces";
import { largeGlyph, smallGlyph, type Glyph } from "./glyphs";
import { inkOf, STOCKS, type Ink, type Stock } from "./palette";
import {
  CARD,
  circle,
  framePath,
  MOON,
  QUARTERS,
  QUARTER_SEATS,
  RAYS,
  RINGS,
  SEAT,
  shapePath,
  STARS,
  SUN,
  SUNBURST,
} from "./shapes";

/** The index in the corner: its tab, where the symbol and the small shape are in it, how large, and what is left. */
const INDEX = {
  usual: { tab: { width: 21, height: 37 }, x: 15.5, y: 16.5, scale: 0.48, below: 34.5, size: 5.2, middle: 1 },
  big: { tab: { width: 28, height: 48 }, x: 18.5, y: 20, scale: 0.62, below: 44, size: 6.8, middle: 0.84 },
};

interface Facts {
  face: FaceText;
  side: Side;
  stock: Stock;
  /** none: a wild, or a face that is not known */
  ink: Ink | null;
  index: (typeof INDEX)["usual"];
}

const drawn = new Map<string, string>();

export function drawingOf(face: FaceText, side: Side, big: boolean): string {
  const key = `${face} ${side} ${big}`;
  let drawing = drawn.get(key);
  if (drawing === undefined) {
    const color = colorOf(face);
    const ink = color === null ? null : inkOf(color);
    const facts = { face, side, stock: STOCKS[side], ink, index: big ? INDEX.big : INDEX.usual };
    const corner = cornerOf(facts);
    drawing = ground(facts) + middle(facts) + corner + put("rotate(180 50 70)", corner);
    drawn.set(key, drawing);
  }
  return drawing;
}

type Attributes = Record<string, string | number>;

const path = (d: string, attributes: Attributes): string =>
  `<path d="${d}"${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("")}/>`;

const put = (transform: string, content: string): string => `<g transform="${transform}">${content}</g>`;

const quarters = (side: Side, each: (ink: Ink, n: number) => string): string =>
  colorsOf(side)
    .map((color, n) => each(inkOf(color), n))
    .join("");

/** The color, the rays or rings on it, and the border around it. */
function ground({ face, side, stock, ink, index }: Facts): string {
  const color = isWild(face)
    ? quarters(side, ({ hex }, n) => path(QUARTERS[n]!, { fill: hex }))
    : path(CARD, { fill: ink?.hex ?? stock.hidden });
  const light =
    side === "light"
      ? path(RAYS, { fill: stock.paper, opacity: 0.13 })
      : path(RINGS, { fill: "none", stroke: stock.paper, "stroke-width": 6, opacity: 0.17 });
  const frame = path(framePath(index.tab), { fill: stock.paper, "fill-rule": "evenodd" });
  return color + light + frame + path(CARD, { fill: "none", stroke: stock.edge, "stroke-width": 1.2 });
}

/** The large shape with the symbol on it; on a wild, all four shapes around it. */
function middle({ face, side, stock, ink, index }: Facts): string {
  const center = `translate(50 70) scale(${index.middle})`;
  const outlined = { fill: stock.paper, stroke: stock.ink, "stroke-width": side === "light" ? 2.6 : 1.6 };
  const symbol = (drop: number, scale: number): string =>
    put(`translate(0 ${drop}) scale(${scale})`, glyph(largeGlyph(face), stock));
  if (ink) {
    const { drop, scale } = SEAT[ink.shape];
    return put(center, path(shapePath(ink.shape, 32), outlined) + symbol(drop, scale));
  }
  if (isWild(face)) {
    const shapes = quarters(side, ({ shape }, n) =>
      path(shapePath(shape, n % 2 ? 7 : 10), {
        ...outlined,
        "stroke-width": 1.6,
        transform: `translate(${QUARTER_SEATS[n]})`,
      }),
    );
    return shapes + put(center, path(circle(21), outlined) + symbol(0, 0.76));
  }
  const around =
    side === "light"
      ? path(SUNBURST, { stroke: stock.ink, "stroke-width": 3, "stroke-linecap": "round", opacity: 0.8 })
      : path(STARS, { fill: stock.ink, opacity: 0.8 });
  return put(center, around + path(circle(24), outlined) + symbol(0, 0.9));
}

/** Top left the index, top right the mark of the side. */
function cornerOf({ face, side, stock, ink, index }: Facts): string {
  const { x, y, scale, below, size } = index;
  const symbol = put(`translate(${x} ${y}) scale(${scale})`, glyph(smallGlyph(face), stock));
  const small = { stroke: stock.ink, "stroke-width": 1.1, "stroke-linejoin": "round" };
  let shape = "";
  if (ink) shape = path(shapePath(ink.shape, size), { fill: ink.hex, ...small });
  else if (isWild(face))
    shape = quarters(side, ({ hex }, n) =>
      path(`M0 0L${-size} ${-size}H${size}Z`, { fill: hex, ...small, transform: `rotate(${90 * n})` }),
    );
  const mark = side === "light" ? { d: SUN, width: 1.3 } : { d: MOON, width: 0 };
  return (
    symbol +
    (shape && put(`translate(${x} ${below})`, shape)) +
    path(mark.d, {
      fill: stock.ink,
      stroke: stock.ink,
      "stroke-width": mark.width,
      "stroke-linecap": "round",
      transform: "translate(89 11)",
    })
  );
}

function glyph(parts: Glyph, stock: Stock): string {
  return parts
    .map(({ as, d, width = 0, put: transform }) => {
      const placed: Attributes = transform ? { transform } : {};
      if (as === "solid") return path(d, { fill: stock.ink, ...placed });
      const line = { fill: "none", stroke: as === "gap" ? stock.paper : stock.ink, "stroke-width": width };
      return path(d, { ...line, "stroke-linecap": "round", "stroke-linejoin": "round", ...placed });
    })
    .join("");
}
