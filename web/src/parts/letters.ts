// Letters as people count them: one may be several characters.

/** The first letters of a text; without trailing space, as a name is shown. */
export function firstLetters(text: string, most: number): string {
  const letters = [...new Intl.Segmenter().segment(text)];
  return letters.length <= most
    ? text
    : letters
        .slice(0, most)
        .map(({ segment }) => segment)
        .join("")
        .trim();
}
