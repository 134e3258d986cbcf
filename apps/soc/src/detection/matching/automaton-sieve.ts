import type { PlainText } from "./automaton-text.ts";

/** Finds the parts of a text that could contain one of many texts, by testing only one four-byte word in every few. */
export interface Sieve {
  /** Appends the start and end of each part. Parts do not overlap, and together they contain every occurrence. */
  findParts(text: PlainText, parts: number[]): void;
  sizeBytes: number;
}

const WORD = 4;
/** The shortest text that contains a whole aligned word at any offset. */
const MIN_TEXT_LENGTH = 2 * WORD - 1;
const LOWER_CASE = 0x20_20_20_20;
const MIN_BITS = 10;
const MAX_BITS = 20;
// The table stays less than one percent full; otherwise random collisions would produce too many false hits.
const SPARE_BITS = 7;

/** Undefined if the shortest text is too short for this method. */
export function createSieve(texts: readonly string[]): Sieve | undefined {
  const shortest = Math.min(...texts.map(({ length }) => length));
  if (shortest < MIN_TEXT_LENGTH) return undefined;
  const longest = Math.max(...texts.map(({ length }) => length));
  const stride = Math.floor((shortest - WORD + 1) / WORD);
  const rarest = texts.flatMap((text) => pickRarestWords(text, stride * WORD));
  const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, Math.ceil(Math.log2(rarest.length)) + SPARE_BITS));
  const shift = 32 - bits;
  const isKnown = new Uint8Array(1 << bits);
  for (const word of rarest) isKnown[hashOf(word) >>> shift] = 1;

  const look = (words: Int32Array, word: number) => isKnown[hashOf(words[word] ?? 0) >>> shift] ?? 0;

  /** The next word that is in the table. Almost none is: testing four words per branch takes two thirds of the time. */
  function nextFrom(words: Int32Array, first: number, end: number): number {
    let word = first;
    while (
      word + 3 * stride < end &&
      (look(words, word) |
        look(words, word + stride) |
        look(words, word + 2 * stride) |
        look(words, word + 3 * stride)) ===
        0
    ) {
      word += 4 * stride;
    }
    while (word < end && look(words, word) === 0) word += stride;
    return word;
  }

  return {
    sizeBytes: isKnown.byteLength,
    findParts({ words, length }, parts) {
      const wordEnd = length >> 2;
      let from = 0;
      let to = 0;
      for (let word = nextFrom(words, 0, wordEnd); word < wordEnd; word = nextFrom(words, word + stride, wordEnd)) {
        const start = (word + 1) * WORD - longest;
        if (start > to) {
          if (to > from) parts.push(from, to);
          from = start;
        }
        to = Math.min(length, word * WORD + longest);
      }
      if (to > from) parts.push(from, to);
    },
  };
}

/** Both cases of a letter have the same hash; a few other characters also collide. */
function hashOf(word: number): number {
  return Math.imul(word | LOWER_CASE, 0x9e_37_79_b1);
}

/** For each offset of the text between two tested words, the rarest of its words that will be tested. */
function pickRarestWords(text: string, distance: number): number[] {
  return Array.from({ length: distance }, (_, first) => {
    let best = text.slice(first, first + WORD);
    for (let at = first; at + WORD <= text.length; at += distance) {
      const word = text.slice(at, at + WORD);
      if (rarityOf(word) > rarityOf(best)) best = word;
    }
    return toWord(best);
  });
}

/** An estimate: most log text consists of words, paths and numbers. */
function rarityOf(word: string): number {
  let rarity = 0;
  for (const character of word)
    rarity += /[etaoinsrcdmwl0-9 ]/.test(character) ? 0 : /[a-z\\./]/.test(character) ? 1 : 3;
  return rarity;
}

/** Four bytes in the byte order of this machine. */
function toWord(text: string): number {
  const word = new Int32Array(1);
  Buffer.from(word.buffer).write(text, "latin1");
  return word[0] ?? 0;
}
