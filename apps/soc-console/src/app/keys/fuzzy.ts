export interface FuzzyMatch {
  /** Higher is better. */
  score: number;
  /** Positions of the matching letters, as UTF-16 units of the text. */
  places: number[];
}

const AT_WORD = 8;
const IN_A_ROW = 5;
const AT_START = 4;

/**
 * Whether the letters of `wanted` occur in `text` in this order, ignoring case. Letters at the start of words and
 * consecutive letters score highest. Undefined if a letter is missing; an empty text matches everything.
 */
export function fuzzyMatch(wanted: string, text: string): FuzzyMatch | undefined {
  const letters = Array.from(wanted.toLowerCase().replaceAll(/\s+/g, ""));
  const folded = text.toLowerCase();
  // Lower case may be longer than the text (İ), which would shift the positions. Compare such a text as it is.
  return matchFrom(letters, folded.length === text.length ? folded : text, 0, new Map());
}

type MatchCache = Map<string, FuzzyMatch | undefined>;

/**
 * The better of two matches: the next letter at the start of a word, or at its next position. Each position is
 * evaluated once.
 */
function matchFrom(letters: readonly string[], text: string, start: number, known: MatchCache): FuzzyMatch | undefined {
  const [letter, ...rest] = letters;
  if (letter === undefined) return { score: -text.length / 100, places: [] };
  const place = `${letters.length} ${start}`;
  if (!known.has(place)) known.set(place, findBest(letter, rest, text, start, known));
  return known.get(place);
}

function findBest(
  letter: string,
  rest: readonly string[],
  text: string,
  start: number,
  known: MatchCache,
): FuzzyMatch | undefined {
  let best: FuzzyMatch | undefined;
  for (const place of new Set([text.indexOf(letter, start), findAtWord(text, letter, start)])) {
    const after = place < 0 ? undefined : matchFrom(rest, text, place + letter.length, known);
    if (!after) continue;
    const score = after.score + scoreAt(text, place, start);
    if (!best || score > best.score) best = { score, places: [place, ...after.places] };
  }
  return best;
}

function findAtWord(text: string, letter: string, start: number): number {
  for (let at = text.indexOf(letter, start); at >= 0; at = text.indexOf(letter, at + 1)) {
    if (isWordStart(text, at)) return at;
  }
  return -1;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** `start` is the position after the previous letter, or 0 for the first letter. */
function scoreAt(text: string, place: number, start: number): number {
  return (
    1 +
    (isWordStart(text, place) ? AT_WORD : 0) +
    (start > 0 && place === start ? IN_A_ROW : 0) +
    (place === 0 ? AT_START : 0) -
    (start > 0 ? Math.min(3, place - start) : 0)
  );
}
