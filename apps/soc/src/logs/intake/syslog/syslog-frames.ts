const LINE_FEED = 0x0a;
const NUL = 0x00;
const DIGITS = 10;
const COUNT = /^[1-9]\d{0,8} </;

export interface Frame {
  text: string;
  /** The message was longer than the limit and was truncated. */
  isCut: boolean;
  /** The frame's own sender, if frames of several senders are mixed. */
  sender?: string;
}

export interface Frames {
  /** Returns the messages that are complete now. */
  push(chunk: Buffer): Frame[];
  /** Returns the incomplete message at the end of the connection. */
  end(): Frame[];
}

/**
 * RFC 6587: messages in a stream, each preceded by its octet count or ended by a line feed (some senders use NUL). The
 * start of each message shows its framing. At most `maxBytes` of a message are kept, and the rest is skipped.
 */
export function createFrames(maxBytes: number): Frames {
  let held: Buffer = Buffer.alloc(0);
  /** The number of bytes to skip of a counted message, or "line" to skip to the end of the line. */
  let skipping: number | "line" = 0;

  function skip(): boolean {
    if (skipping === "line") {
      const end = lineEnd(held);
      held = end < 0 ? Buffer.alloc(0) : held.subarray(end + 1);
      if (end >= 0) skipping = 0;
      return end >= 0;
    }
    const taken = Math.min(skipping, held.length);
    held = held.subarray(taken);
    skipping -= taken;
    return skipping === 0;
  }

  function counted(head: string): Frame | undefined {
    const start = head.indexOf(" ") + 1;
    const size = Number(head.slice(0, start - 1));
    const kept = Math.min(size, maxBytes);
    if (held.length < start + kept) return undefined;
    const text = decodeText(held.subarray(start, start + kept));
    held = held.subarray(start + kept);
    skipping = size - kept;
    return { text, isCut: size > kept };
  }

  function line(): Frame | undefined {
    const end = lineEnd(held);
    if (end >= 0 && end <= maxBytes) {
      const text = decodeText(held.subarray(0, end));
      held = held.subarray(end + 1);
      return { text, isCut: false };
    }
    if (end < 0 && held.length <= maxBytes) return undefined;
    const text = decodeText(held.subarray(0, maxBytes));
    held = held.subarray(maxBytes);
    skipping = "line";
    return { text, isCut: true };
  }

  function next(): Frame | undefined {
    const head = held.subarray(0, DIGITS + 1).toString("latin1");
    if (COUNT.test(head)) return counted(head);
    // It may still become an octet count.
    if (head.length <= DIGITS && /^[1-9]\d*( ?)$/.test(head)) return undefined;
    return line();
  }

  return {
    push(chunk) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const frames: Frame[] = [];
      while (held.length > 0) {
        if (skipping !== 0 && !skip()) break;
        const frame = next();
        if (!frame) break;
        if (frame.text !== "") frames.push(frame);
      }
      return frames;
    },
    end() {
      const rest = skipping === 0 ? decodeText(held) : "";
      held = Buffer.alloc(0);
      return rest === "" ? [] : [{ text: rest, isCut: false }];
    },
  };
}

function lineEnd(held: Buffer): number {
  const feed = held.indexOf(LINE_FEED);
  const nul = held.subarray(0, feed < 0 ? held.length : feed).indexOf(NUL);
  return nul < 0 ? feed : nul;
}

function decodeText(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/[\r\n\0]+$/, "");
}
