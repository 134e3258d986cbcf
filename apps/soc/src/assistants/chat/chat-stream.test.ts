import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import type { ChatEvent } from "./chat-event.ts";
import { sendEvents } from "./chat-stream.ts";

const token = (text: string): ChatEvent => ({ event: "token", data: { text } });

/** Creates a connection whose reader reads only if `reads` is true. */
function createSink(reads: boolean) {
  const sink = { written: [] as string[], pending: 0, ended: 0, wasCut: 0 };
  return {
    ...sink,
    write(text: string) {
      this.written.push(text);
      if (!reads) this.pending += text.length;
    },
    pendingBytes() {
      return this.pending;
    },
    end() {
      this.ended += 1;
    },
    cut() {
      this.wasCut += 1;
    },
  };
}

it("sends each event as one frame in order and ends the stream", async () => {
  async function* events() {
    yield token("one\r\n\n: two");
    yield token("three");
  }
  const sink = createSink(true);
  await sendEvents(events(), sink, { clock: createClock(), gone: new AbortController().signal });
  expect(sink.written).toEqual([
    'event: token\ndata: {"text":"one\\r\\n\\n: two"}\n\n',
    'event: token\ndata: {"text":"three"}\n\n',
  ]);
  expect(sink).toMatchObject({ ended: 1, wasCut: 0 });
});

it("creates no more events for a slow reader and disconnects it", async () => {
  const clock = createFakeClock();
  let made = 0;
  let isReleased = false;
  async function* events() {
    try {
      for (;;) {
        made += 1;
        yield token("x".repeat(1000));
      }
    } finally {
      isReleased = true;
    }
  }
  const sink = createSink(false);
  const sending = sendEvents(events(), sink, { clock, gone: new AbortController().signal });
  await clock.advance(0);
  await clock.advance(9000);
  expect(sink.wasCut).toBe(0);
  const madeBefore = made;
  // 64 KiB and the event that exceeds them.
  expect(sink.pendingBytes()).toBeLessThan(68_000);
  await clock.advance(3000);
  await sending;
  expect(made).toBe(madeBefore);
  expect(sink).toMatchObject({ ended: 0, wasCut: 1 });
  expect(isReleased).toBe(true);
});

it("disconnects a reader that does not read the end of an answer", async () => {
  const clock = createFakeClock();
  async function* events() {
    yield token("one");
  }
  const sink = createSink(false);
  const sending = sendEvents(events(), sink, { clock, gone: new AbortController().signal });
  await clock.advance(0);
  await clock.advance(11_000);
  await sending;
  expect(sink).toMatchObject({ ended: 1, wasCut: 1 });
});

it("sends a comment every 15 seconds during a slow answer", async () => {
  const clock = createFakeClock();
  async function* events() {
    await clock.sleep(40_000);
    yield token("late");
  }
  const sink = createSink(true);
  const sending = sendEvents(events(), sink, { clock, gone: new AbortController().signal });
  await clock.advance(0);
  await clock.advance(14_999);
  expect(sink.written).toEqual([]);
  await clock.advance(25_001);
  await clock.advance(10);
  await sending;
  const beat = ": heartbeat\n\n";
  expect(sink.written).toEqual([beat, beat, 'event: token\ndata: {"text":"late"}\n\n']);
});
