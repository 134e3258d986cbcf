import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createTryWrite } from "./try-write.ts";

function setUp() {
  const clock = createFakeClock();
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const disk = { isFull: true, written: [] as string[] };
  const write = (what: string) => () => {
    if (disk.isFull) throw new Problem("failed", "storage: the device's storage is full");
    disk.written.push(what);
  };
  return { clock, emitted, disk, write, tryWrite: createTryWrite({ events, clock, log: silentLog }) };
}

it("never throws, and reports a failing storage once", () => {
  const { tryWrite, write, emitted } = setUp();
  tryWrite(write("one"));
  tryWrite(write("two"));
  expect(emitted).toEqual([
    { type: "error", data: { code: "storage", message: "storage: the device's storage is full" } },
  ]);
  const wrong = () => {
    throw new TypeError("our own error");
  };
  expect(() => tryWrite(wrong, "wrong")).not.toThrow();
});

it("repeats the last write of each name as soon as there is room", async () => {
  const { tryWrite, write, disk, clock } = setUp();
  tryWrite(write("old position"), "position");
  tryWrite(write("volume"), "volume");
  tryWrite(write("position"), "position");
  tryWrite(write("without a name"));
  await clock.advance(60_000);
  expect(disk.written).toEqual([]);
  disk.isFull = false;
  await clock.advance(30_000);
  expect(disk.written).toEqual(["volume", "position"]);
  await clock.advance(60_000);
  expect(disk.written).toHaveLength(2);
});

it("repeats them after another write that succeeded, and at the close", () => {
  const { tryWrite, write, disk } = setUp();
  tryWrite(write("position"), "position");
  disk.isFull = false;
  tryWrite(write("other"));
  expect(disk.written).toEqual(["other", "position"]);
  disk.isFull = true;
  tryWrite(write("volume"), "volume");
  disk.isFull = false;
  tryWrite.close();
  expect(disk.written.at(-1)).toBe("volume");
});

it("does not repeat a write that can never succeed, nor one of erased data", async () => {
  const { tryWrite, write, disk, clock } = setUp();
  let attempts = 0;
  tryWrite(() => {
    attempts += 1;
    throw new TypeError("our own error");
  }, "wrong");
  tryWrite(write("erased"), "erased");
  tryWrite.forget();
  disk.isFull = false;
  await clock.advance(90_000);
  expect([attempts, disk.written]).toEqual([1, []]);
});
