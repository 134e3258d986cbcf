import { Worker } from "node:worker_threads";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { afterEach, expect, it } from "vitest";
import { startYamlThread } from "../../../testing/servers/yaml-thread.ts";
import { createYamlReader, type YamlReader, type YamlReaderDeps } from "./yaml-reader.ts";

const READY = 'const { parentPort } = require("node:worker_threads"); parentPort.postMessage("ready");';
const clock = createClock();
let reader: YamlReader;
let started: Worker[] = [];

function open(startThread: () => Promise<Worker>, limits: Partial<YamlReaderDeps> = {}) {
  const start = async () => {
    const thread = await startThread();
    started.push(thread);
    return thread;
  };
  reader = createYamlReader({ startThread: start, clock, log: silentLog, ...limits });
  return reader;
}

/** A thread that runs the script for each text. */
const running = (script: string) => async () =>
  new Worker(`${READY} parentPort.on("message", ({ text }) => { ${script} });`, { eval: true });

afterEach(async () => {
  await reader.close();
  started = [];
});

it("parses texts in a thread, in any number", async () => {
  open(startYamlThread, { maxWaiting: 200 });
  const texts = Array.from({ length: 100 }, (_, at) => `a: ${at}`);
  const parsed = await Promise.all(texts.map((text) => reader.parse(text)));
  expect(parsed.map(([document]) => document?.value)).toEqual(texts.map((_, at) => ({ a: at })));
  expect(started).toHaveLength(1);
});

it("names the field of a text that it refuses, and continues with the next one", async () => {
  open(startYamlThread);
  const refused = { kind: "invalid", field: "yaml" };
  await expect(reader.parse("[".repeat(13_000))).rejects.toMatchObject({
    ...refused,
    message: "yaml: must be at most 50 levels deep",
  });
  await expect(reader.parse("a: [")).rejects.toMatchObject(refused);
  await expect(reader.parse("a: 1")).resolves.toEqual([{ value: { a: 1 } }]);
  expect(started).toHaveLength(1);
});

it("ends a thread that takes too long and starts another one", async () => {
  open(running('if (text === "slow") for (;;); parentPort.postMessage({ state: "read", documents: [] });'), {
    parseMs: 300,
  });
  await expect(reader.parse("slow")).rejects.toMatchObject({
    kind: "invalid",
    message: "yaml: could not be parsed within 0.3 seconds",
  });
  await expect(reader.parse("fast")).resolves.toEqual([]);
  expect(started).toHaveLength(2);
});

it.each([
  ["exits", "process.exit(3)"],
  ["throws", 'throw new Error("broken")'],
  ["exceeds its memory", "const all = []; for (;;) all.push(new Array(1e5).fill(all.length));"],
])("replaces a thread that %s", async (_, script) => {
  const limits = { maxOldGenerationSizeMb: 32 };
  const broken = `${READY} parentPort.on("message", ({ text }) => { if (text === "bad") { ${script} } parentPort.postMessage({ state: "read", documents: [] }); });`;
  open(async () => new Worker(broken, { eval: true, resourceLimits: limits }), { parseMs: 60_000 });
  await expect(reader.parse("bad")).rejects.toMatchObject({ kind: "invalid", message: "yaml: could not be parsed" });
  await expect(reader.parse("good")).resolves.toEqual([]);
  expect(started).toHaveLength(2);
});

it("refuses with a reason when too many texts wait", async () => {
  open(running('setTimeout(() => parentPort.postMessage({ state: "read", documents: [] }), 100);'), { maxWaiting: 2 });
  const answers = await Promise.allSettled([reader.parse("1"), reader.parse("2"), reader.parse("3")]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(answers[2]).toMatchObject({
    reason: { kind: "unavailable", message: "too many YAML texts wait to be parsed", retryAfterSeconds: 5 },
  });
  await expect(reader.parse("4")).resolves.toEqual([]);
});

it("is unavailable while its thread cannot start", async () => {
  open(async () => new Worker("/nothing/main-yaml.js"));
  await expect(reader.parse("a: 1")).rejects.toMatchObject({ kind: "unavailable" });
});
