// Where the others sit: on an arc over the top, clockwise from the left of whoever sits at the bottom.  Pixels go in
// and pixels come out; nothing in here knows a screen.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How much is shown of somebody: from large to a flat strip for a phone on its side. */
export type Space = "grand" | "roomy" | "chip" | "flat";

export interface Seating {
  space: Space;
  /** in seat order: up the left side, over the top, down the right side */
  places: Box[];
  /** what is left for the piles */
  middle: Box;
}

interface Measure {
  space: Space;
  narrowest: number;
  widest: number;
  height: number;
  /** the least that the piles need beside it */
  middle: { width: number; height: number };
}

const MEASURES: readonly Measure[] = [
  { space: "grand", narrowest: 196, widest: 240, height: 158, middle: { width: 380, height: 330 } },
  { space: "roomy", narrowest: 136, widest: 190, height: 122, middle: { width: 280, height: 210 } },
  { space: "chip", narrowest: 64, widest: 120, height: 88, middle: { width: 184, height: 168 } },
  { space: "flat", narrowest: 64, widest: 150, height: 60, middle: { width: 150, height: 112 } },
];
const LAST = MEASURES[MEASURES.length - 1]!;
const GAP = 6;
const WIDEST_TABLE = 1360; // people at a table want to be near each other
const BEND = 0.4; // of a place's height: how far the ends of the top row hang down

/** One way to spread them: so many at each side, the rest along the top. */
interface Way {
  measure: Measure;
  side: number;
  top: number;
  width: number;
  /** the top row lies between the sides, not above them */
  between: boolean;
}

export function seating(others: number, width: number, height: number): Seating {
  const table = Math.min(width, WIDEST_TABLE);
  for (const measure of MEASURES) {
    const best = waysOf(measure, others, table).filter((way) => fits(way, table, height))[0];
    if (best) return placed(best, width, table, height);
  }
  const each = Math.max(1, Math.min(LAST.widest, columns(others, table))); // nothing fits: one row, as it comes
  return placed({ measure: LAST, side: 0, top: others, width: each, between: false }, width, table, height);
}

const columns = (count: number, width: number): number => (width - GAP * (count - 1)) / count;

/** All ways worth a thought, the best first: wide places, then an arc rather than rows, then full sides. */
function waysOf(measure: Measure, others: number, width: number): Way[] {
  const ways: Way[] = [];
  for (let side = 0; others - 2 * side >= Math.max(1, side); side++) {
    const top = others - 2 * side;
    const beside = side ? (width - measure.middle.width) / 2 - GAP : Infinity;
    for (const between of side ? [true, false] : [false]) {
      const each = Math.min(measure.widest, beside, columns(between ? top + 2 : top, width));
      if (each >= measure.narrowest) ways.push({ measure, side, top, width: each, between });
    }
  }
  return ways.sort((a, b) => b.width - a.width || Number(b.between) - Number(a.between) || b.side - a.side);
}

/** How far the top row reaches down. */
const depth = ({ measure, between, top }: Way): number => measure.height * (between && top > 1 ? 1 + BEND : 1);

/** Where the sides begin. */
const sidesFrom = (way: Way): number => (way.between ? way.measure.height * BEND * 1.5 : way.measure.height + GAP);

function fits(way: Way, width: number, height: number): boolean {
  const { measure, side } = way;
  const tall = side * (measure.height + GAP) - GAP;
  const free = width - (side ? 2 * (way.width + GAP) : 0);
  return (
    (side === 0 || sidesFrom(way) + tall <= height) &&
    free >= measure.middle.width &&
    height - depth(way) - GAP >= measure.middle.height
  );
}

function placed(way: Way, whole: number, width: number, height: number): Seating {
  const { measure, side, top } = way;
  const left = (whole - width) / 2;
  const box = (x: number, y: number): Box => ({ x: left + x, y, width: way.width, height: measure.height });
  const sides = sideHeights(way, height);
  const aside = side ? way.width + GAP : 0;
  const row = topRow(way, width, way.between ? aside : 0).map(({ x, y }) => box(x, y));
  return {
    space: measure.space,
    places: [...sides.map((y) => box(0, y)).reverse(), ...row, ...sides.map((y) => box(width - way.width, y))],
    middle: {
      x: left + aside,
      y: top ? depth(way) + GAP : 0,
      width: width - 2 * aside,
      height: Math.max(0, height - (top ? depth(way) + GAP : 0)),
    },
  };
}

/** The tops of the places at a side, from above. */
function sideHeights(way: Way, height: number): number[] {
  const { measure, side } = way;
  const from = sidesFrom(way);
  const spare = Math.max(0, height - from - side * (measure.height + GAP) + GAP);
  const between = side > 1 ? Math.min(measure.height / 2, spare / side) : 0;
  const start = from + Math.min(measure.height / 2, (spare - between * (side - 1)) / 3);
  return Array.from({ length: side }, (_, n) => start + n * (measure.height + GAP + between));
}

function topRow({ measure, top, width, between }: Way, whole: number, aside: number): { x: number; y: number }[] {
  const room = whole - 2 * aside;
  const step = room / top;
  return Array.from({ length: top }, (_, n) => {
    const off = top > 1 ? (2 * n) / (top - 1) - 1 : 0; // -1 at the left end, 1 at the right
    return { x: aside + step * (n + 0.5) - width / 2, y: between ? measure.height * BEND * off * off : 0 };
  });
}

/** Cards in a row that has `width`: how far apart they begin, overlapping when there are many. */
export function spread(cards: number, card: number, width: number, loose = 0.72): number {
  return cards < 2 ? 0 : Math.min(card * loose, Math.max(0, width - card) / (cards - 1));
}

const LARGEST_RING = 430;
const SMALLEST_RING = 96;

/** A ring that is smaller has no room for words in it. */
export const SMALL_RING = 190;
/** The width of a card on a pile, in parts of the ring: two cards side by side just fit into it. */
export const PILE_CARD = 0.29;
const BADGE = 16; // what is owed stands on the pile

/** From the middle of the ring to just above the piles in it. */
export const abovePiles = (ring: number): number => (ring * PILE_CARD * 7) / 5 / 2 + BADGE;

/** The diameter of the ring around the piles. */
export function ringOf({ width, height }: Box): number {
  return Math.max(SMALLEST_RING, Math.min(LARGEST_RING, width, height) - 8);
}
