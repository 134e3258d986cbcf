/** One event as sent on the wire. All clients receive the same bytes. */
export interface Frame {
  type: string;
  seq: number;
  bytes: Buffer;
}

/** Decides which frames a client receives, and when, so that a slow client does not consume memory. */
export interface Outbox {
  /** Takes the next frame. Returns the frames that may be sent now, in the order of `seq`. */
  push(frame: Frame, bufferedBytes: number): Frame[];
  /** Returns the frames that were held back and may be sent now. */
  flush(bufferedBytes: number): Frame[];
}

export const MAX_BUFFERED_BYTES = 256 * 1024;

export function createOutbox(): Outbox {
  // By type: only the newest frame is worth sending late. A map keeps the order in which its keys were set.
  const held = new Map<string, Frame>();

  function flush(bufferedBytes: number): Frame[] {
    const due: Frame[] = [];
    let bytes = bufferedBytes;
    for (const frame of held.values()) {
      if (bytes > MAX_BUFFERED_BYTES) break;
      bytes += frame.bytes.length;
      due.push(frame);
    }
    for (const { type } of due) held.delete(type);
    return due;
  }

  return {
    flush,
    push(frame, bufferedBytes) {
      held.delete(frame.type);
      held.set(frame.type, frame);
      const due = flush(bufferedBytes);
      // A position that cannot be sent now is outdated by the time it can.
      held.delete("position");
      return due;
    },
  };
}
