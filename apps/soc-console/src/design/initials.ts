const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function firstLetters(word: string, count: number): string {
  return Array.from(letters.segment(word), ({ segment }) => segment)
    .slice(0, count)
    .join("");
}

/** Two letters of a name: "Layla Aziz" and "layla.aziz" give LA, "layla" gives LA. */
export function initials(name: string): string {
  const [first = "", second] = name.split(/[\s._@-]+/u).filter((word) => word !== "");
  const short = second === undefined ? firstLetters(first, 2) : firstLetters(first, 1) + firstLetters(second, 1);
  return short.toLocaleUpperCase();
}
