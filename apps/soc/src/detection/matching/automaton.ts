import { createSieve } from "./automaton-sieve.ts";
import type { PlainText } from "./automaton-text.ts";

/** Finds which of many texts occur in a text, in one pass and ignoring the case of ASCII letters. */
export interface Automaton {
  /** Appends the index of a text for each of its occurrences. */
  scan(text: PlainText, found: number[]): void;
  sizeBytes: number;
}

const ASCII = 128;
const ROOT = 0;
const NOTHING = -1;

/**
 * An Aho–Corasick automaton with all transitions precomputed, in typed arrays: objects took ten times the memory. The
 * texts must be lower-case ASCII, distinct and not empty.
 */
export function createAutomaton(texts: readonly string[]): Automaton {
  const { letterOf, letterCount } = buildAlphabet(texts);
  const trie = buildTrie(texts, letterOf, letterCount);
  const suffixes = addSteps(trie, letterCount);
  const steps = markedSteps(trie, suffixes, letterCount);
  const { textAt } = trie;

  function report(node: number, found: number[]): void {
    for (let at = node; at !== ROOT; at = suffixes[at] ?? ROOT) {
      const place = textAt[at] ?? NOTHING;
      if (place !== NOTHING) found.push(place);
    }
  }

  function scanPart(bytes: Uint8Array, from: number, to: number, found: number[]): void {
    let row = 0;
    for (let at = from; at < to; at += 1) {
      const letter = letterOf[bytes[at] ?? 0] ?? 0;
      const step = steps[row + letter] ?? 0;
      row = step >> 1;
      if ((step & 1) === 1) report(row / letterCount, found);
    }
  }

  const sieve = createSieve(texts);
  const parts: number[] = [];
  return {
    sizeBytes: steps.byteLength + suffixes.byteLength + textAt.byteLength + (sieve?.sizeBytes ?? 0),
    scan(text, found) {
      if (!sieve) {
        scanPart(text.bytes, 0, text.length, found);
        return;
      }
      parts.length = 0;
      sieve.findParts(text, parts);
      for (let at = 0; at < parts.length; at += 2) scanPart(text.bytes, parts[at] ?? 0, parts[at + 1] ?? 0, found);
    },
  };
}

/** Letter 0 represents every character that occurs in no text, including NUL. */
function buildAlphabet(texts: readonly string[]) {
  const letterOf = new Uint8Array(ASCII);
  let letterCount = 1;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (letterOf[code] !== 0) continue;
      letterOf[code] = letterCount;
      letterCount += 1;
    }
  }
  for (let upper = 0x41; upper <= 0x5a; upper += 1) letterOf[upper] = letterOf[upper + 0x20] ?? 0;
  return { letterOf, letterCount };
}

interface Trie {
  /** One row per node with the child for each letter; 0 means no child, because no transition leads to the root. */
  next: Int32Array;
  nodeCount: number;
  /** The index of the text that ends at a node. */
  textAt: Int32Array;
}

function buildTrie(texts: readonly string[], letterOf: Uint8Array, letterCount: number): Trie {
  const maxNodes = texts.reduce((sum, { length }) => sum + length, 1);
  const next = new Int32Array(maxNodes * letterCount);
  const textAt = new Int32Array(maxNodes).fill(NOTHING);
  let nodeCount = 1;
  for (const [place, text] of texts.entries()) {
    let node = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const cell = node * letterCount + (letterOf[text.charCodeAt(at)] ?? 0);
      if (next[cell] === 0) {
        next[cell] = nodeCount;
        nodeCount += 1;
      }
      node = next[cell] ?? ROOT;
    }
    textAt[node] = place;
  }
  return { next: next.slice(0, nodeCount * letterCount), nodeCount, textAt: textAt.slice(0, nodeCount) };
}

/**
 * Fills in the missing transitions breadth-first: each leads to where the longest proper suffix would lead. Returns for
 * each node the nearest suffix at which a text ends.
 */
function addSteps({ next, nodeCount, textAt }: Trie, letterCount: number): Int32Array {
  const fallback = new Int32Array(nodeCount);
  const suffixes = new Int32Array(nodeCount);
  const queue = new Int32Array(nodeCount);
  let end = 1;

  function addStep(node: number, letter: number): void {
    const cell = node * letterCount + letter;
    const child = next[cell] ?? ROOT;
    const other = node === ROOT ? ROOT : (next[(fallback[node] ?? ROOT) * letterCount + letter] ?? ROOT);
    if (child === ROOT) {
      next[cell] = other;
      return;
    }
    fallback[child] = other;
    suffixes[child] = textAt[other] === NOTHING ? (suffixes[other] ?? ROOT) : other;
    queue[end] = child;
    end += 1;
  }

  for (let at = 0; at < end; at += 1) {
    for (let letter = 0; letter < letterCount; letter += 1) addStep(queue[at] ?? ROOT, letter);
  }
  return suffixes;
}

/** Each transition as the offset of the target row, with the lowest bit set if a text ends there. */
function markedSteps({ next, textAt }: Trie, suffixes: Int32Array, letterCount: number): Int32Array {
  return next.map((node) => {
    const ends = (textAt[node] ?? NOTHING) !== NOTHING || suffixes[node] !== ROOT;
    return ((node * letterCount) << 1) | Number(ends);
  });
}
