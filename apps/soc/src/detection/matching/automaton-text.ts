/** A text as bytes that an automaton can read: ASCII as it is, and 0 for what is beyond it. */
export interface PlainText {
  bytes: Uint8Array;
  /** The same bytes, four at a time. */
  words: Int32Array;
  length: number;
  isAscii: boolean;
}

const LONGEST_CHARACTER = 4;
const KEPT_BYTES = 65_536;
/** Letters beyond ASCII that are another case of one within, or begin with one in the other case. */
const ASCII_OF: ReadonlyMap<number, number> = new Map([
  [0x0130, 0x69],
  [0x017f, 0x73],
  [0x212a, 0x6b],
]);

/**
 * A function that makes plain texts. To ask a text for each of its characters costs more than to copy it once.
 * What it returns is valid until the next call.
 */
export function createPlainText(): (text: string) => PlainText {
  const kept = createHolder(KEPT_BYTES);
  return (text) => {
    const plain = text.length <= KEPT_BYTES ? kept : createHolder(text.length);
    plain.length = text.length;
    // As UTF-8 a text has as many bytes as characters only if it is all ASCII.
    plain.isAscii = plain.buffer.write(text) === text.length;
    if (!plain.isAscii) writePlain(text, plain.bytes);
    return plain;
  };
}

function createHolder(length: number) {
  // A text that is not all ASCII is cut off where the memory ends, which must be beyond its length to be noticed.
  const memory = new ArrayBuffer(Math.ceil(length / 4) * 4 + LONGEST_CHARACTER);
  const [bytes, words] = [new Uint8Array(memory), new Int32Array(memory)];
  return { buffer: Buffer.from(memory), bytes, words, length, isAscii: true };
}

function writePlain(text: string, bytes: Uint8Array): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes[at] = code < 0x80 ? code : (ASCII_OF.get(code) ?? 0);
  }
}
