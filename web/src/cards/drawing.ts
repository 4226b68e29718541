// A face as the inside of an SVG of 100 by 140.  Every face is put together once; a table of ten shows a hundred cards
// and turns all of them over at the same time.

import { colorOf, colorsOf, isWild, UNKNOWN, type FaceText, type Side } from "../game/faces";
import { SYMBOLS, WILDS } from "../wire";
import { largeGlyph, smallGlyph, type Glyph } from "./glyphs";
import { inkOf, STOCKS, type Ink, type Stock } from "./palette";
import { placed, placingOf, sizeOf } from "./placing";
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

interface FaceFacts {
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
    const corners = cornerOf(facts).flatMap((each) => [each, ...put("rotate(180 50 70)", [each])]);
    drawing = written([...ground(facts), ...middle(facts), ...corners]);
    drawn.set(key, drawing);
  }
  return drawing;
}

const AT_ONCE = 4; // faces: a millisecond or two
const PAUSE = 16; // milliseconds: a frame

/** Draws all faces beforehand, a few at a time: when everything turns over, there is enough to do. */
export function drawAll(big: boolean): () => void {
  const rest = (["light", "dark"] as const).flatMap((side) => {
    const colored = colorsOf(side).flatMap((color) => SYMBOLS[side].map((symbol) => color + symbol));
    return [...colored, ...WILDS[side], UNKNOWN].map((face) => ({ face, side }));
  });
  const some = (): void => {
    for (const { face, side } of rest.splice(0, AT_ONCE)) drawingOf(face, side, big);
    if (rest.length) timer = setTimeout(some, PAUSE);
  };
  let timer = setTimeout(some, PAUSE);
  return () => clearTimeout(timer);
}

type Paint = Record<string, string | number>;

interface Path {
  d: string;
  paint: Paint;
  /** where it is put, as SVG has it */
  at: string;
}

const path = (d: string, paint: Paint): Path[] => [{ d, paint, at: "" }];

const put = (transform: string, paths: readonly Path[]): Path[] =>
  paths.map((each) => ({ ...each, at: `${transform} ${each.at}` }));

/** Paths where they belong.  Those that follow each other and are painted alike are one: an element less on each card. */
function written(paths: readonly Path[]): string {
  const elements: { d: string; paint: string }[] = [];
  for (const each of paths) {
    const { d, paint } = inPlace(each);
    const last = elements.at(-1);
    if (last?.paint === paint) last.d += d;
    else elements.push({ d, paint });
  }
  return elements.map(({ d, paint }) => `<path d="${d}"${paint}/>`).join("");
}

function inPlace({ d, paint, at }: Path): { d: string; paint: string } {
  const placing = placingOf(at);
  const width = Number(paint["stroke-width"]) * sizeOf(placing);
  const sized = width ? { ...paint, "stroke-width": +width.toFixed(3) } : paint;
  const attributes = Object.entries(sized).map(([name, value]) => ` ${name}="${value}"`);
  return { d: at.trim() ? placed(d, placing) : d, paint: attributes.join("") };
}

const quarters = (side: Side, each: (ink: Ink, n: number) => Path[]): Path[] =>
  colorsOf(side).flatMap((color, n) => each(inkOf(color), n));

/** The color, the rays or rings on it, and the border around it. */
function ground({ face, side, stock, ink, index }: FaceFacts): Path[] {
  const color = isWild(face)
    ? quarters(side, ({ hex }, n) => path(QUARTERS[n]!, { fill: hex }))
    : path(CARD, { fill: ink?.hex ?? stock.hidden });
  const light =
    side === "light"
      ? path(RAYS, { fill: stock.paper, opacity: 0.13 })
      : path(RINGS, { fill: "none", stroke: stock.paper, "stroke-width": 6, opacity: 0.17 });
  const frame = path(framePath(index.tab), { fill: stock.paper, "fill-rule": "evenodd" });
  const edge = path(CARD, { fill: "none", stroke: stock.edge, "stroke-width": 1.2 });
  return [...color, ...light, ...frame, ...edge];
}

/** The large shape with the symbol on it; on a wild, all four shapes around it. */
function middle({ face, side, stock, ink, index }: FaceFacts): Path[] {
  const center = `translate(50 70) scale(${index.middle})`;
  const outlined = { fill: stock.paper, stroke: stock.ink, "stroke-width": side === "light" ? 2.6 : 1.6 };
  const symbol = (drop: number, scale: number): Path[] =>
    put(`translate(0 ${drop}) scale(${scale})`, glyph(largeGlyph(face), stock));
  if (ink) {
    const { drop, scale } = SEAT[ink.shape];
    return put(center, [...path(shapePath(ink.shape, 32), outlined), ...symbol(drop, scale)]);
  }
  if (isWild(face)) {
    const shapes = quarters(side, ({ shape }, n) =>
      put(
        `translate(${QUARTER_SEATS[n]})`,
        path(shapePath(shape, n % 2 ? 7 : 10), { ...outlined, "stroke-width": 1.6 }),
      ),
    );
    return [...shapes, ...put(center, [...path(circle(21), outlined), ...symbol(0, 0.76)])];
  }
  const around =
    side === "light"
      ? path(SUNBURST, { stroke: stock.ink, "stroke-width": 3, "stroke-linecap": "round", opacity: 0.8 })
      : path(STARS, { fill: stock.ink, opacity: 0.8 });
  return put(center, [...around, ...path(circle(24), outlined), ...symbol(0, 0.9)]);
}

/** Top left the index, top right the mark of the side. */
function cornerOf({ face, side, stock, ink, index }: FaceFacts): Path[] {
  const { x, y, scale, below, size } = index;
  const symbol = put(`translate(${x} ${y}) scale(${scale})`, glyph(smallGlyph(face), stock));
  const small = { stroke: stock.ink, "stroke-width": 1.1, "stroke-linejoin": "round" };
  let shape: Path[] = [];
  if (ink) shape = path(shapePath(ink.shape, size), { fill: ink.hex, ...small });
  else if (isWild(face))
    shape = quarters(side, ({ hex }, n) =>
      put(`rotate(${90 * n})`, path(`M0 0L${-size} ${-size}H${size}Z`, { fill: hex, ...small })),
    );
  const mark = side === "light" ? { d: SUN, width: 1.3 } : { d: MOON, width: 0 };
  const painted = { fill: stock.ink, stroke: stock.ink, "stroke-width": mark.width, "stroke-linecap": "round" };
  return [...symbol, ...put(`translate(${x} ${below})`, shape), ...put("translate(89 11)", path(mark.d, painted))];
}

function glyph(parts: Glyph, stock: Stock): Path[] {
  return parts.flatMap(({ as, d, width = 0, put: transform = "" }) => {
    if (as === "solid") return put(transform, path(d, { fill: stock.ink }));
    const line = { fill: "none", stroke: as === "gap" ? stock.paper : stock.ink, "stroke-width": width };
    return put(transform, path(d, { ...line, "stroke-linecap": "round", "stroke-linejoin": "round" }));
  });
}
