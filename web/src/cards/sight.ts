// How far apart two colors look, also to the color-blind.  Only tests need it; the page does not load it.

export const SIGHTS = ["normal", "protan", "deutan", "tritan"] as const;
export type Sight = (typeof SIGHTS)[number];

type Three = readonly [number, number, number];
type Matrix = readonly [Three, Three, Three];

/** Complete deficiencies, for linear RGB (Machado, Oliveira and Fernandes, 2009). */
const DEFICIENT: Record<Exclude<Sight, "normal">, Matrix> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Three = [0.95047, 1, 1.08883];

const times = (matrix: Matrix, [a, b, c]: Three): Three =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Three;

function linear(hex: string): Three {
  const channel = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** A color of the screen as CIE L*a*b*, the way these eyes see it. */
export function seenBy(sight: Sight, hex: string): Three {
  const light = linear(hex);
  const seen = sight === "normal" ? light : times(DEFICIENT[sight], light);
  const [x, y, z] = times(TO_XYZ, seen.map((value) => Math.min(1, Math.max(0, value))) as unknown as Three);
  const curve = (value: number): number =>
    value > 216 / 24389 ? Math.cbrt(value) : (value * 24389) / 27 / 116 + 4 / 29;
  const [fx, fy, fz] = [curve(x / WHITE[0]), curve(y / WHITE[1]), curve(z / WHITE[2])];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** The contrast of WCAG: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const bright = (hex: string): number => times(TO_XYZ, linear(hex))[1] + 0.05;
  const [a, b] = [bright(one), bright(other)];
  return Math.max(a, b) / Math.min(a, b);
}

/** How far apart two L*a*b* colors lie (CIE 1976): simple, and too large between strong colors. */
export const distance = (one: Three, other: Three): number => Math.hypot(...one.map((value, n) => value - other[n]!));

const degrees = (radians: number): number => ((radians * 180) / Math.PI + 360) % 360;
const cosine = (angle: number): number => Math.cos((angle * Math.PI) / 180);
const sine = (angle: number): number => Math.sin((angle * Math.PI) / 180);
const dimmed = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));

/** CIEDE2000 of two L*a*b* colors; 1 is just to be seen. */
export function difference([l1, a1, b1]: Three, [l2, a2, b2]: Three): number {
  const stretch = 1.5 - 0.5 * dimmed((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const [h1, h2] = [degrees(Math.atan2(b1, a1 * stretch)), degrees(Math.atan2(b2, a2 * stretch))];
  const gray = c1 * c2 === 0;
  const turn = gray ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const hue = gray ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const chroma = (c1 + c2) / 2;
  const off = ((l1 + l2) / 2 - 50) ** 2;
  const weight =
    1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63);
  const light = (l2 - l1) / (1 + (0.015 * off) / Math.sqrt(20 + off));
  const strong = (c2 - c1) / (1 + 0.045 * chroma);
  const hued = (2 * Math.sqrt(c1 * c2) * sine(turn / 2)) / (1 + 0.015 * chroma * weight);
  const twist = -2 * dimmed(chroma) * sine(60 * Math.exp(-(((hue - 275) / 25) ** 2)));
  return Math.sqrt(light ** 2 + strong ** 2 + hued ** 2 + twist * strong * hued);
}
