import { isUtf8 } from "node:buffer";

/** A piece of a stream: its audio without metadata, and the titles that came with it. */
export interface Part {
  audio: Buffer;
  titles: string[];
}

const NOTHING = Buffer.alloc(0);
const LENGTH_UNIT = 16;
const MAX_TITLE_LENGTH = 200;

// Titles contain quotes and semicolons, unescaped: only both together, before the next name or at the end, close the
// title.
const STREAM_TITLE = /StreamTitle='(.*?)'(?:;\s*[a-z]+=|;?\s*$)/is;

/**
 * Removes the metadata from a stream, however it was cut into chunks. After every interval of audio comes one byte with
 * the length of the metadata in units of 16 bytes, then the metadata. Without an interval, everything is audio.
 */
export function createIcyReader(intervalBytes: number | undefined): (chunk: Buffer) => Part {
  if (intervalBytes === undefined) return (chunk) => ({ audio: chunk, titles: [] });
  let audioLeft = intervalBytes;
  let block = NOTHING;

  /** Takes the bytes of the block from the chunk, and returns the block when it is complete. */
  function fillBlock(chunk: Buffer): Buffer | undefined {
    const sizeBytes = 1 + LENGTH_UNIT * (block[0] ?? chunk[0] ?? 0);
    block = Buffer.concat([block, chunk.subarray(0, sizeBytes - block.length)]);
    return block.length === sizeBytes ? block : undefined;
  }

  return (chunk) => {
    const audio: Buffer[] = [];
    const titles: string[] = [];
    for (let rest = chunk; rest.length > 0; ) {
      if (audioLeft > 0) {
        const piece = rest.subarray(0, audioLeft);
        audio.push(piece);
        audioLeft -= piece.length;
        rest = rest.subarray(piece.length);
        continue;
      }
      const filledBefore = block.length;
      const complete = fillBlock(rest);
      rest = rest.subarray(block.length - filledBefore);
      if (!complete) continue;
      const title = parseTitle(complete.subarray(1));
      if (title !== undefined) titles.push(title);
      block = NOTHING;
      audioLeft = intervalBytes;
    }
    return { audio: Buffer.concat(audio), titles };
  };
}

/** The metadata interval of a server that mixes titles into its audio. */
export function parseInterval(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^[1-9]\d{0,8}$/.test(header) ? Number(header) : undefined;
}

/** The title in a block of metadata; undefined when it contains none. */
export function parseTitle(metadata: Buffer): string | undefined {
  const text = (isUtf8(metadata) ? metadata.toString("utf8") : metadata.toString("latin1")).replace(/\0+$/, "");
  const title = STREAM_TITLE.exec(text)?.[1];
  if (title === undefined) return undefined;
  const printable = title.replace(/\p{Cc}/gu, "").trim();
  return Array.from(printable).slice(0, MAX_TITLE_LENGTH).join("");
}
