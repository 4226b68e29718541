// Applies SVG transforms to paths once, when a face is drawn, instead of leaving them to the browser on every card of the
// table: a flip would pay for every transform and every group a hundred times.

export type Point = readonly [number, number];

/** Points are complex numbers here: every one is turned and scaled by a factor, then moved. */
export interface Placing {
  factor: Point;
  move: Point;
}

const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;
const numbersIn = (text: string): number[] => (text.match(NUMBER) ?? []).map(Number);
const times = ([x, y]: Point, [a, b]: Point): Point => [x * a - y * b, x * b + y * a];
const plus = ([x, y]: Point, [a, b]: Point): Point => [x + a, y + b];
const written = (numbers: readonly number[]): string => numbers.map((each) => +each.toFixed(3)).join(" ");

export const sizeOf = ({ factor }: Placing): number => Math.hypot(...factor);

/** Of a transform as SVG has it: rotate, translate and scale, the last of them done first. */
export function placingOf(transform: string): Placing {
  let all: Placing = { factor: [1, 0], move: [0, 0] };
  for (const [, kind, inside] of transform.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const { factor, move } = stepOf(kind!, numbersIn(inside!));
    all = { factor: times(all.factor, factor), move: plus(all.move, times(all.factor, move)) };
  }
  return all;
}

function stepOf(kind: string, [one = 0, x = 0, y = 0]: number[]): Placing {
  if (kind === "translate") return { factor: [1, 0], move: [one, x] };
  if (kind === "scale") return { factor: [one, 0], move: [0, 0] };
  const angle = (one * Math.PI) / 180;
  const factor: Point = [Math.cos(angle), Math.sin(angle)];
  return { factor, move: plus([x, y], times(factor, [-x, -y])) }; // rotate, around x and y
}

const LENGTHS: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, q: 4, a: 7 };

const known = new Map<string, string>();

/** A path as it is when it has been placed; cards of four colors have the same symbol in the same place. */
export function placed(d: string, placing: Placing): string {
  const key = `${d} ${placing.factor} ${placing.move}`;
  let path = known.get(key);
  if (path === undefined) known.set(key, (path = place(d, placing)));
  return path;
}

function place(d: string, placing: Placing): string {
  let here: Point = [0, 0];
  let path = "";
  for (const [, letter, inside] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const kind = letter!.toLowerCase();
    const relative = letter === kind;
    const numbers = numbersIn(inside!);
    const put = (point: Point): Point => {
      const turned = times(point, placing.factor);
      return relative ? turned : plus(turned, placing.move);
    };
    if (kind === "z") path += "Z";
    for (let n = 0; kind !== "z" && n < numbers.length; n += LENGTHS[kind]!) {
      const own = numbers.slice(n, n + LENGTHS[kind]!);
      const arc = kind === "a" ? own.splice(0, 5) : [];
      const [x, y] = relative ? [0, 0] : here;
      if (kind === "h") own.push(y);
      else if (kind === "v") own.unshift(x);
      const points = Array.from({ length: own.length / 2 }, (_, k): Point => [own[2 * k]!, own[2 * k + 1]!]);
      const straight = kind === "h" || kind === "v" ? (relative ? "l" : "L") : letter!;
      path += straight + written([...arcPlaced(arc, placing), ...points.flatMap(put)]);
      here = relative ? plus(here, points.at(-1)!) : points.at(-1)!;
    }
  }
  return path;
}

/** Its radii, how it is turned, and its two flags. */
function arcPlaced([wide, high, turn, ...flags]: number[], placing: Placing): number[] {
  if (wide === undefined || high === undefined || turn === undefined) return [];
  const size = sizeOf(placing);
  const [x, y] = placing.factor;
  return [wide * size, high * size, turn + (Math.atan2(y, x) * 180) / Math.PI, ...flags];
}
