import type { PlainText } from "./automaton-text.ts";

/** Tells which parts of a text could hold one of many texts, by a look at one word of four bytes in every few. */
export interface Sieve {
  /** Adds where parts begin and end that overlap nowhere and together hold every occurrence. */
  findParts(text: PlainText, parts: number[]): void;
  sizeBytes: number;
}

const WORD = 4;
/** The shortest text that has a whole word of the text around it wherever it stands. */
const SHORTEST = 2 * WORD - 1;
const LOWER_CASE = 0x20_20_20_20;
const FEWEST_BITS = 10;
const MAX_BITS = 20;
// Fewer than one in a hundred of the places of the table is taken, or chance would find too much.
const SPARE_BITS = 7;

/** Undefined when the shortest text is too short to be found this way. */
export function createSieve(texts: readonly string[]): Sieve | undefined {
  const shortest = Math.min(...texts.map(({ length }) => length));
  if (shortest < SHORTEST) return undefined;
  const longest = Math.max(...texts.map(({ length }) => length));
  const stride = Math.floor((shortest - WORD + 1) / WORD);
  const telling = texts.flatMap((text) => pickRarestWords(text, stride * WORD));
  const bits = Math.min(MAX_BITS, Math.max(FEWEST_BITS, Math.ceil(Math.log2(telling.length)) + SPARE_BITS));
  const shift = 32 - bits;
  const isKnown = new Uint8Array(1 << bits);
  for (const word of telling) isKnown[hashOf(word) >>> shift] = 1;

  const look = (words: Int32Array, word: number) => isKnown[hashOf(words[word] ?? 0) >>> shift] ?? 0;

  /** The next look that finds something. Nearly none does: one decision for four of them takes two thirds of the time. */
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

/** The same for both cases of a letter; a few other characters share one, too. */
function hashOf(word: number): number {
  return Math.imul(word | LOWER_CASE, 0x9e_37_79_b1);
}

/** For each place at which the text can stand between two looks, the rarest of its words that will be looked at. */
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

/** A guess: most of what is logged are words, paths and numbers. */
function rarityOf(word: string): number {
  let rarity = 0;
  for (const character of word)
    rarity += /[etaoinsrcdmwl0-9 ]/.test(character) ? 0 : /[a-z\\./]/.test(character) ? 1 : 3;
  return rarity;
}

/** Four bytes as they stand in the memory of this machine. */
function toWord(text: string): number {
  const word = new Int32Array(1);
  Buffer.from(word.buffer).write(text, "latin1");
  return word[0] ?? 0;
}
