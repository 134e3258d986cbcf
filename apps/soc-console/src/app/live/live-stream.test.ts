import { describe, expect, it } from "vitest";
import { type LiveMessage, type StreamSource, startLiveStream } from "./live-stream.ts";

function start() {
  const sent: LiveMessage[] = [];
  const tasks: { delayMs: number; task: () => void }[] = [];
  const sources: {
    open: () => void;
    event: (text: string) => void;
    reset: () => void;
    fail: (isOver: boolean) => void;
  }[] = [];
  const stop = startLiveStream({
    send: (message) => sent.push(message),
    after: (delayMs, task) => {
      tasks.push({ delayMs, task });
      return () => undefined;
    },
    open: () => {
      const source = {
        open: (): void => undefined,
        event: (_text: string): void => undefined,
        reset: (): void => undefined,
        fail: (_isOver: boolean): void => undefined,
      };
      sources.push({
        open: () => source.open(),
        event: (text) => source.event(text),
        reset: () => source.reset(),
        fail: (isOver) => source.fail(isOver),
      });
      return {
        onOpen: (task) => {
          source.open = task;
        },
        onEvent: (task) => {
          source.event = task;
        },
        onReset: (task) => {
          source.reset = task;
        },
        onFailure: (task) => {
          source.fail = task;
        },
        close: () => undefined,
      } satisfies StreamSource;
    },
  });
  return { sent, tasks, sources, stop };
}

const event = (id: string) =>
  JSON.stringify({ type: "alert.created", actor: "a", subject_type: "alert", subject_id: id, at: "", data: {} });

describe("the stream of changes", () => {
  it("delivers the events of 250 ms as one batch", () => {
    const { sent, tasks, sources } = start();
    sources[0]?.open();
    for (const id of ["1", "2", "3"]) sources[0]?.event(event(id));
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.delayMs).toBe(250);
    tasks[0]?.task();
    expect(sent.at(-1)).toMatchObject({
      kind: "events",
      events: [{ subject_id: "1" }, { subject_id: "2" }, { subject_id: "3" }],
    });
  });

  it("loses no event when the browser reconnects", () => {
    const { sent, sources } = start();
    sources[0]?.open();
    sources[0]?.fail(false);
    sources[0]?.open();
    expect(sent.filter(({ kind }) => kind === "reset")).toEqual([]);
    expect(sent.at(-1)).toEqual({ kind: "state", state: "live" });
  });

  it("reconnects after a refusal with growing delays, and reports missed events", () => {
    const { sent, tasks, sources } = start();
    for (let count = 0; count < 7; count += 1) {
      sources.at(-1)?.fail(true);
      tasks.at(-1)?.task();
    }
    expect(tasks.map(({ delayMs }) => delayMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    sources.at(-1)?.open();
    expect(sent.slice(-2)).toEqual([{ kind: "reset" }, { kind: "state", state: "live" }]);
  });

  it("reports events that the service lost", () => {
    const { sent, sources } = start();
    sources[0]?.reset();
    expect(sent.at(-1)).toEqual({ kind: "reset" });
  });
});
