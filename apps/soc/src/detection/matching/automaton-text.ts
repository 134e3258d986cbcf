/** A text as bytes for an automaton: ASCII unchanged, and 0 for every other character. */
export interface PlainText {
  bytes: Uint8Array;
  /** The same memory, read as four-byte words. */
  words: Int32Array;
  length: number;
  isAscii: boolean;
}

const MAX_CHARACTER_BYTES = 4;
const REUSED_BYTES = 65_536;
/** Characters beyond ASCII whose lower case is, or begins with, an ASCII letter. */
const ASCII_OF: ReadonlyMap<number, number> = new Map([
  [0x0130, 0x69],
  [0x017f, 0x73],
  [0x212a, 0x6b],
]);

/**
 * Creates a converter to plain text. Copying the text once is faster than reading each character from the string. A
 * result is valid until the next call.
 */
export function createPlainText(): (text: string) => PlainText {
  const reused = createBuffer(REUSED_BYTES);
  return (text) => {
    const plain = text.length <= REUSED_BYTES ? reused : createBuffer(text.length);
    plain.length = text.length;
    // In UTF-8 the byte count equals the character count only if the text is pure ASCII.
    plain.isAscii = plain.buffer.write(text) === text.length;
    if (!plain.isAscii) writePlain(text, plain.bytes);
    return plain;
  };
}

function createBuffer(length: number) {
  // A text with characters beyond ASCII needs more bytes than characters. The buffer has room for one more character,
  // so that the two lengths differ even if the write is truncated.
  const memory = new ArrayBuffer(Math.ceil(length / 4) * 4 + MAX_CHARACTER_BYTES);
  const [bytes, words] = [new Uint8Array(memory), new Int32Array(memory)];
  return { buffer: Buffer.from(memory), bytes, words, length, isAscii: true };
}

function writePlain(text: string, bytes: Uint8Array): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes[at] = code < 0x80 ? code : (ASCII_OF.get(code) ?? 0);
  }
}
