// A face for everybody who has a name: the same name always has the same face.

export interface Portrait {
  /** of the ground it is drawn on, in degrees */
  hue: number;
  head: number;
  eyes: number;
  mouth: number;
  hair: number;
}

export const HEADS = 3;
export const EYES = 5;
export const MOUTHS = 5;
export const HAIRS = 7;

/** FNV-1a, with its bits stirred once more: names that differ in a letter look different. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ letter.codePointAt(0)!, 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
  return (sum ^ (sum >>> 13)) >>> 0;
}

export function portrait(name: string): Portrait {
  let rest = hash(name.trim().toLowerCase());
  const next = (choices: number): number => {
    const chosen = rest % choices;
    rest = Math.floor(rest / choices);
    return chosen;
  };
  return { hue: next(24) * 15, head: next(HEADS), eyes: next(EYES), mouth: next(MOUTHS), hair: next(HAIRS) };
}
