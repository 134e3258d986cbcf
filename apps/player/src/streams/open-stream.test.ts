import { PassThrough } from "node:stream";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField, Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import type { AudioSource } from "./audio-source.ts";
import { openStream } from "./open-stream.ts";
import type { StreamEvent } from "./stream.ts";

const URL = "http://radio.example/live";
const unreachable = new Problem("unavailable", "url: the connection failed");
const noAudio = new Problem("failed", "url: leads to text/html, not to audio");
const refused = invalidField("url", "must start with http:// or https:// and a host");
const wrongAddress = new Problem("unavailable", "url: must lead to a public address", { code: "address_forbidden" });

/** A stream on a fake network, a fake relay and a fake clock, all driven by the test. */
function listen(retryMinutes = 30, isSaved = false) {
  let onEmitted: (count: number) => void = () => undefined;
  const clock = createFakeClock();
  const events: StreamEvent[] = [];
  const errors: object[] = [];

  const attempts: { atMs: number; settle: (answer: AudioSource | Error) => void; signal: AbortSignal }[] = [];
  const connect = (_url: string, signal: AbortSignal) =>
    new Promise<AudioSource>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      const settle = (answer: AudioSource | Error) => (answer instanceof Error ? reject(answer) : resolve(answer));
      attempts.push({ atMs: clock.monotonicMs(), settle, signal });
    });

  const outlets: { received: string; isEnded: boolean; leave: () => void; release: () => void }[] = [];
  let isFull = false;
  const relay = {
    open(contentType: string, leave: () => void) {
      let release = (): void => undefined;
      const outlet = { received: "", isEnded: false, leave, release: () => release() };
      outlets.push(outlet);
      return {
        contentType,
        location: `loopback ${outlets.length}`,
        write(audio: Buffer, signal: AbortSignal) {
          outlet.received += audio.toString();
          return new Promise<void>((resolve, reject) => {
            release = resolve;
            signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
            if (!isFull) resolve();
          });
        },
        end: () => {
          outlet.isEnded = true;
        },
      };
    },
  };

  const log = { ...silentLog, error: (fields: object) => errors.push(fields) };
  const stream = openStream({ url: URL, isSaved }, (event) => onEmitted(events.push(event)), {
    connect,
    relay,
    clock,
    log,
    retryMinutes: () => retryMinutes,
  });

  /** The events since the last call. */
  const takeEvents = async (): Promise<StreamEvent[]> => {
    await clock.advance(0);
    return events.splice(0);
  };

  const refuse = async (problem: Error): Promise<void> => {
    attempts.at(-1)?.settle(problem);
    await clock.advance(0);
  };

  /** Answers the last attempt with audio. */
  const answer = async ({ contentType = "audio/mpeg", hasTitles = true, first = "first" } = {}) => {
    const body = new PassThrough({ objectMode: true }).on("error", () => undefined);
    const { signal, settle } = attempts.at(-1) ?? {};
    signal?.addEventListener("abort", () => body.destroy(signal.reason));
    const send = async (audio: string, ...titles: string[]): Promise<void> => {
      body.write({ audio: Buffer.from(audio), titles });
      await clock.advance(0);
    };
    const end = async (): Promise<void> => {
      body.end();
      await clock.advance(0);
    };
    const breakOff = async (): Promise<void> => {
      body.destroy(new Problem("unavailable", "url: the connection broke"));
      await clock.advance(0);
    };
    settle?.({ contentType, hasTitles, parts: body });
    await send(first);
    return { send, end, breakOff };
  };

  const closeOnEvent = (): void => {
    onEmitted = () => stream.close();
  };

  const fill = (): void => {
    isFull = true;
  };

  return { clock, stream, errors, attempts, outlets, takeEvents, refuse, answer, fill, closeOnEvent };
}

const waiting = (retryInMs: number) => ({ type: "waiting", retryInMs });
const ready = (location: string) => ({ type: "ready", location });
const connected = { type: "connected" };

describe("a reachable stream", () => {
  it("connects immediately, emits ready when its audio arrives, and is forwarded from its first byte", async () => {
    const { attempts, answer, takeEvents, outlets } = listen();
    expect(attempts).toHaveLength(1);
    expect(await takeEvents()).toEqual([]);
    const source = await answer();
    await source.send(" second");
    expect(await takeEvents()).toEqual([connected, ready("loopback 1")]);
    expect(outlets).toMatchObject([{ received: "first second", isEnded: false }]);
  });

  it("emits its titles when they change", async () => {
    const { answer, takeEvents } = listen();
    const source = await answer();
    await takeEvents();
    for (const title of ["", "A", "A", "B", ""]) await source.send("x", title);
    expect(await takeEvents()).toEqual([
      { type: "title", title: "A" },
      { type: "title", title: "B" },
      { type: "title", title: "" },
    ]);
  });

  it("a reachable stream is read no faster than the engine reads it", async () => {
    const { answer, takeEvents, outlets, fill } = listen();
    const source = await answer();
    fill();
    await source.send(" held");
    await source.send(" back");
    await source.end();
    await takeEvents();
    expect(outlets[0]?.received).toBe("first held");
    expect(await takeEvents()).toEqual([]);
    outlets[0]?.release();
    await takeEvents();
    expect(outlets[0]?.received).toBe("first held back");
    outlets[0]?.release();
    expect(await takeEvents()).toEqual([waiting(1000)]);
  });
});

describe("a break", () => {
  it.each(["end", "breakOff"] as const)("by %s is bridged: the engine keeps its load", async (how) => {
    const { answer, takeEvents, outlets, attempts, clock } = listen();
    const source = await answer();
    await source.send("x", "A");
    await takeEvents();
    await source[how]();
    expect(await takeEvents()).toEqual([waiting(1000)]);
    await clock.advance(999);
    expect(attempts).toHaveLength(1);
    await clock.advance(1);
    expect(attempts).toHaveLength(2);
    await answer({ first: " again" });
    expect(await takeEvents()).toEqual([connected]);
    expect(outlets).toMatchObject([{ received: "firstx again", isEnded: false }]);
  });

  it("makes the engine load again when the format has changed", async () => {
    const { answer, takeEvents, outlets, clock } = listen();
    const source = await answer();
    await source.send("x", "A");
    await source.end();
    await takeEvents();
    await clock.advance(1000);
    await answer({ contentType: "audio/aacp", hasTitles: false });
    expect(await takeEvents()).toEqual([connected, { type: "title", title: "" }, ready("loopback 2")]);
    expect(outlets).toMatchObject([
      { received: "firstx", isEnded: true },
      { received: "first", isEnded: false },
    ]);
  });

  it("a break is retried after 1 s, then every 2 s for 5 minutes, then every 30 s, and given up after 30 minutes", async () => {
    const { attempts, refuse, takeEvents, clock } = listen(30);
    while ((await takeEvents()).at(-1)?.type !== "failed") {
      await refuse(unreachable);
      await clock.advance(1000);
    }
    const expected = [0, 1];
    while ((expected.at(-1) ?? 0) < 300) expected.push((expected.at(-1) ?? 0) + 2);
    while ((expected.at(-1) ?? 0) + 30 <= 1800) expected.push((expected.at(-1) ?? 0) + 30);
    expect(attempts.map(({ atMs }) => atMs / 1000)).toEqual(expected);
    expect(attempts).toHaveLength(1 + 151 + 49);
  });

  it("reports in the end how long it was retried, and nothing afterwards", async () => {
    const { refuse, takeEvents, clock, attempts, outlets, answer } = listen(1);
    await (await answer()).end();
    await takeEvents();
    await clock.advance(1000);
    for (let second = 1; second < 59; second += 2) {
      await refuse(unreachable);
      expect(await takeEvents()).toEqual([waiting(2000)]);
      await clock.advance(2000);
    }
    await refuse(unreachable);
    const problem = { kind: "unavailable", message: "url: no steady audio came for 1 min", cause: unreachable };
    expect(await takeEvents()).toMatchObject([{ type: "failed", problem }]);
    await clock.advance(600_000);
    expect([await takeEvents(), attempts.length, outlets[0]?.isEnded]).toEqual([[], 31, true]);
  });

  it("a break is retried without limit when the limit is 0", async () => {
    const { refuse, takeEvents, clock } = listen(0);
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await refuse(unreachable);
      await clock.advance(60_000);
    }
    await refuse(unreachable);
    expect((await takeEvents()).at(-1)).toEqual(waiting(30_000));
  });

  it("counts to the previous outage until audio has sounded for ten seconds", async () => {
    const { answer, takeEvents, clock, stream } = listen();
    const first = await answer();
    stream.setAudible(true);
    await clock.advance(9999);
    await first.send("x");
    await first.breakOff();
    expect((await takeEvents()).at(-1)).toEqual(waiting(1000));
    await clock.advance(1000);
    const second = await answer();
    await clock.advance(9999);
    await second.send("x");
    await second.breakOff();
    expect((await takeEvents()).at(-1)).toEqual(waiting(2000));
    await clock.advance(2000);
    const third = await answer();
    await clock.advance(10_000);
    await third.send("x");
    await third.breakOff();
    expect((await takeEvents()).at(-1)).toEqual(waiting(1000));
  });
});

describe("a connection that gives no sound", () => {
  it("a connection that gives no sound is broken off after thirty seconds, tried again, and given up like one that fails", async () => {
    const { answer, takeEvents, clock, attempts } = listen(2);
    const failed = async () => (await takeEvents()).some(({ type }) => type === "failed");
    while (!(await failed())) {
      const source = await answer();
      const count = attempts.length;
      for (let second = 0; second < 40 && attempts.length === count; second += 1) {
        await clock.advance(1000);
        await source.send("x");
      }
    }
    expect(attempts.map(({ atMs }) => atMs / 1000)).toEqual([0, 31, 63, 95]);
  });

  it("counts from the moment in which the engine fell silent", async () => {
    const { answer, takeEvents, clock, stream } = listen();
    const source = await answer();
    stream.setAudible(true);
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1000);
      await source.send("x");
    }
    stream.setAudible(false);
    await takeEvents();
    await clock.advance(29_000);
    await source.send("x");
    expect(await takeEvents()).toEqual([]);
    await clock.advance(1000);
    await source.send("x");
    expect(await takeEvents()).toEqual([waiting(1000)]);
  });
});

describe("an engine that cannot continue", () => {
  it.each(["reconnect", "leave"] as const)("after %s gets the audio again, at another address", async (how) => {
    const { answer, takeEvents, stream, outlets, attempts, clock } = listen();
    await answer();
    await takeEvents();
    if (how === "reconnect") stream.reconnect();
    else outlets[0]?.leave();
    expect(await takeEvents()).toEqual([waiting(1000)]);
    expect([attempts[0]?.signal.aborted, outlets[0]?.isEnded]).toEqual([true, true]);
    await clock.advance(1000);
    await answer({ first: "again" });
    expect(await takeEvents()).toEqual([connected, ready("loopback 2")]);
    expect(outlets[1]?.received).toBe("again");
  });

  it("gets the audio again also when it had stopped reading", async () => {
    const { answer, takeEvents, outlets, fill, errors } = listen();
    fill();
    await answer();
    await takeEvents();
    outlets[0]?.leave();
    expect([await takeEvents(), errors]).toEqual([[waiting(1000)], []]);
  });

  it("counts as one break, also when it is reported twice", async () => {
    const { answer, takeEvents, stream, outlets, clock, attempts } = listen();
    await answer();
    await takeEvents();
    outlets[0]?.leave();
    expect(await takeEvents()).toEqual([waiting(1000)]);
    stream.reconnect();
    await clock.advance(1000);
    expect(attempts).toHaveLength(2);
    stream.reconnect();
    await answer();
    expect(await takeEvents()).toEqual([connected, ready("loopback 2")]);
  });

  it("loads again after a break that it did not survive", async () => {
    const { answer, takeEvents, stream, clock } = listen();
    await (await answer()).end();
    await takeEvents();
    stream.reconnect();
    await clock.advance(1000);
    await answer();
    expect(await takeEvents()).toEqual([connected, ready("loopback 2")]);
  });

  it("an engine that cannot continue does not cause a busy loop for a stream that it cannot decode", async () => {
    const { answer, takeEvents, stream, clock, attempts } = listen(1);
    while ((await takeEvents()).at(-1)?.type !== "failed") {
      await answer();
      stream.reconnect();
      await clock.advance(0);
      await clock.advance(1000);
    }
    expect(attempts.map(({ atMs }) => atMs / 1000)).toEqual([0, ...Array.from({ length: 30 }, (_, i) => 1 + 2 * i)]);
  });
});

describe("permanent failures", () => {
  it.each([
    ["is refused by the guard", refused],
    ["leads to an address that is not public", wrongAddress],
    ["is not audio", noAudio],
  ])("end the stream immediately when it %s", async (_why, problem) => {
    const { refuse, takeEvents, clock, attempts } = listen();
    await refuse(problem);
    expect(await takeEvents()).toEqual([{ type: "failed", problem }]);
    expect(attempts[0]?.signal.aborted).toBe(true);
    await clock.advance(60_000);
    expect([await takeEvents(), attempts.length]).toEqual([[], 1]);
  });

  it("are temporary once there was audio, unless the guard refuses the URL itself", async () => {
    const { refuse, answer, takeEvents, clock, attempts } = listen();
    await (await answer()).end();
    await clock.advance(1000);
    await takeEvents();
    await refuse(noAudio);
    expect(await takeEvents()).toEqual([waiting(2000)]);
    expect(attempts[1]?.signal.aborted).toBe(true);
    await clock.advance(2000);
    await refuse(wrongAddress);
    expect(await takeEvents()).toEqual([waiting(2000)]);
    await clock.advance(2000);
    await refuse(refused);
    expect(await takeEvents()).toEqual([{ type: "failed", problem: refused }]);
  });

  it("are temporary of a saved station, whose router may have no line", async () => {
    const { refuse, answer, takeEvents, clock } = listen(30, true);
    for (const problem of [wrongAddress, noAudio]) {
      await refuse(problem);
      await clock.advance(2000);
    }
    await takeEvents();
    await answer();
    expect(await takeEvents()).toEqual([connected, ready("loopback 1")]);
  });

  it("of our own code are logged and end the stream", async () => {
    const { refuse, takeEvents, errors } = listen();
    await refuse(new TypeError("boom"));
    expect(await takeEvents()).toMatchObject([
      { type: "failed", problem: { kind: "failed", message: "url: internal error" } },
    ]);
    expect(errors).toMatchObject([{ err: { message: "boom" } }]);
  });
});

describe("close", () => {
  it.each([0, 500, 1000])("ends everything %d ms after a break", async (ms) => {
    const { answer, takeEvents, stream, clock, attempts, outlets, errors } = listen();
    await (await answer()).end();
    await clock.advance(ms);
    await takeEvents();
    stream.close();
    stream.close();
    const count = attempts.length;
    await clock.advance(600_000);
    expect([await takeEvents(), attempts.length, attempts.at(-1)?.signal.aborted]).toEqual([[], count, true]);
    expect([outlets[0]?.isEnded, errors]).toEqual([true, []]);
  });

  it("takes effect immediately in a listener of connected", async () => {
    const { answer, takeEvents, closeOnEvent, outlets } = listen();
    closeOnEvent();
    await answer();
    expect([await takeEvents(), outlets]).toEqual([[connected], []]);
  });

  it("takes effect immediately in a listener of a title", async () => {
    const { answer, takeEvents, closeOnEvent } = listen();
    const source = await answer();
    await takeEvents();
    closeOnEvent();
    await source.send("x", "A", "B");
    expect(await takeEvents()).toEqual([{ type: "title", title: "A" }]);
  });

  it("ends a stream that flows, and one that has not answered yet", async () => {
    for (const isFlowing of [true, false]) {
      const { answer, takeEvents, stream, attempts } = listen();
      if (isFlowing) await answer();
      await takeEvents();
      stream.close();
      expect([await takeEvents(), attempts[0]?.signal.aborted]).toEqual([[], true]);
    }
  });
});
