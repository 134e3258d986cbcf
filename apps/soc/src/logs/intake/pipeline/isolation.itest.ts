import process from "node:process";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../../testing/harness/feature-app.ts";
import { createIntake, type IntakeOptions } from "../../../../testing/harness/shippers-intake.ts";
import { startLogStore } from "../../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../../foundation/caller/caller.ts";
import type { LogEvent } from "../../../ports/log-event.ts";
import { readJsonEvents } from "../formats/json-events.ts";
import { readSyslog } from "../formats/syslog-message.ts";

// The full proof runs alone on its machine; other runs share it.
const SLACK = process.env.PROVE === "full" ? 1 : 8;
const MAX_ANSWER_MS = 5000 * SLACK;
const MAX_OTHER_MS = 2000 * SLACK;
const clock = createClock();
let logs: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let inserts = 0;
let gate: (batch: readonly LogEvent[]) => Promise<void>;

beforeAll(async () => {
  logs = await startLogStore();
  platform = await testPlatform("real");
  await platform.runtime.truth();
});
afterAll(async () => {
  await platform.close();
  await logs.stop();
});
beforeEach(() => {
  inserts = 0;
  gate = async () => undefined;
});

const logStore: IntakeOptions["logStore"] = {
  async insert(batch, options) {
    inserts += 1;
    await gate(batch);
    await logs.store.insert(batch, options);
  },
  count: (...asked) => logs.store.count(...asked),
};

const startIntake = (name: string) => createIntake({ db: platform.db, logStore, name });

async function listMessages(source: string): Promise<string[]> {
  const where = { sql: "source = {source:String}", parameters: { source } };
  const all = {
    scope: ALL_SITES,
    where,
    time: "ingested_at" as const,
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
  };
  const found = await logs.store.search({ ...all, order: "oldest", limit: 10_000 });
  return found.map(({ message }) => message).toSorted();
}

const refuseUnnamed = async (batch: readonly LogEvent[]) => {
  if (batch.some(({ message }) => message.startsWith("poison")))
    throw new Problem("invalid", "batch: cannot be stored");
};

describe("a level that is the name of an Object.prototype member", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "stores such a level as info: %s",
    async (word) => {
      const { intake } = startIntake("members");
      const events = readJsonEvents(JSON.stringify({ level: word, message: word, source: "s-members" }));
      const cef = readSyslog(`<13>CEF:0|a|b|c|d|${word}|${word}|`, clock.now());
      const taken = await intake.accept([...events, { ...cef, source: "s-members" }], {
        format: "json",
        sender: "key:x",
      });
      await intake.close();
      expect(taken).toMatchObject({ accepted: 2, rejected: 0 });
      expect((await listMessages("s-members")).filter((message) => message === word)).toHaveLength(2);
    },
  );

  it("does not delay a batch of 10,000 events or a concurrent log of another sender", {
    timeout: 60_000,
  }, async () => {
    const { intake } = startIntake("crowd");
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `{"message":"m ${n}","source":"s-crowd","level":"${n % 2 === 0 ? "constructor" : "info"}"}`,
    );
    const events = readJsonEvents(lines.join("\n"));
    const startMs = clock.monotonicMs();
    const batch = intake.accept(events, { format: "json", sender: "key:crowd" });
    await clock.sleep(300);
    const otherMs = clock.monotonicMs();
    await intake.accept(readJsonEvents('{"message":"other","source":"s-other"}'), {
      format: "json",
      sender: "key:other",
    });
    expect(clock.monotonicMs() - otherMs).toBeLessThan(MAX_OTHER_MS);
    expect(await batch).toMatchObject({ accepted: 10_000, rejected: 0 });
    expect(clock.monotonicMs() - startMs).toBeLessThan(MAX_ANSWER_MS);
    await intake.close();
  });
});

describe("rows that only the log store refuses", () => {
  it("isolates bad rows with a bounded number of inserts, without delaying the log of another sender", {
    timeout: 60_000,
  }, async () => {
    const { intake } = startIntake("bounded");
    gate = refuseUnnamed;
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `{"message":"${n % 2 === 0 ? "poison" : "fine"} ${n}","source":"s-bounded"}`,
    );
    const startMs = clock.monotonicMs();
    const batch = intake.accept(readJsonEvents(lines.join("\n")), { format: "json", sender: "key:poison" });
    await clock.sleep(300);
    const otherMs = clock.monotonicMs();
    const other = readJsonEvents('{"message":"other","source":"s-beside"}');
    await intake.accept(other, { format: "json", sender: "key:other" });
    expect(clock.monotonicMs() - otherMs).toBeLessThan(MAX_OTHER_MS);
    const { accepted, rejected, dead_letter_ids } = await batch;
    expect(clock.monotonicMs() - startMs).toBeLessThan(MAX_ANSWER_MS);
    await intake.close();
    expect(inserts).toBeLessThan(150);
    expect(accepted + rejected).toBe(10_000);
    expect(dead_letter_ids).toHaveLength(rejected);
    expect(await listMessages("s-bounded")).toHaveLength(accepted);
  });

  it("stores the chunks of other senders in the same group", async () => {
    const { intake } = startIntake("neighbours");
    gate = refuseUnnamed;
    const send = (sender: string, message: string) =>
      intake.accept(readJsonEvents(JSON.stringify({ message, source: "s-group" })), { format: "json", sender });
    const taken = await Promise.all([
      ...Array.from({ length: 7 }, (_, n) => send(`key:${n}`, `fine ${n}`)),
      send("key:bad", "poison"),
    ]);
    await intake.close();
    expect(taken.map(({ accepted }) => accepted)).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
    expect(await listMessages("s-group")).toHaveLength(7);
  });

  it("stores every other row once if the process crashes between two pieces of a named batch", async () => {
    const { intake } = startIntake("crashing");
    const rows = ["a", "b", "c", "d", "e", "poison", "g", "h"];
    const body = rows.map((message) => JSON.stringify({ message, source: "s-pieces" })).join("\n");
    const origin = { format: "json", sender: "key:pieces", batchId: "pieces" } as const;
    const send = () => intake.accept(readJsonEvents(body), origin);
    gate = async (batch) => {
      await refuseUnnamed(batch);
      // The first half is stored; the process ends before it stores the second half.
      if (batch.length < rows.length && batch.some(({ message }) => message === "e")) throw new Error("ended");
    };
    await expect(send()).rejects.toThrow("ended");
    gate = refuseUnnamed;
    const taken = await send();
    expect(taken).toMatchObject({ accepted: 7, rejected: 1 });
    expect(await send()).toEqual(taken);
    await intake.close();
    expect(await listMessages("s-pieces")).toEqual(["a", "b", "c", "d", "e", "g", "h"]);
  });
});
