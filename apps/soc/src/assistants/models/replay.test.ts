import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import Type from "typebox";
import { beforeAll, expect, it } from "vitest";
import { type Behaviour, startModelServer } from "../../../testing/servers/model-server.ts";
import { createModelWorld, LOAD_MS, loadSdk } from "../../../testing/worlds/model-world.ts";
import { createModel } from "./create-model.ts";
import type { ToolLoop } from "./model.ts";
import { createReplay } from "./replay.ts";

beforeAll(loadSdk, LOAD_MS);

const LOOP: Omit<ToolLoop, "call"> = {
  system: "s",
  messages: [{ role: "user", text: "Go.", data: { title: "Odd logon" } }],
  tools: [{ name: "count", description: "Counts.", input: Type.Object({ of: Type.String() }) }],
  budget: { steps: 5, outputTokens: 1000, milliseconds: 10_000 },
};
const SETTINGS = { provider: "openai-compatible", model: "test-model", key: undefined } as const;

const SCRIPT: Behaviour[] = [
  { kind: "status", status: 503, headers: { "retry-after": "0" } },
  { kind: "reply", text: "Counting. ", calls: [{ name: "count", input: { of: "logons" } }] },
  { kind: "reply", calls: [{ name: "destroy", input: {} }] },
  { kind: "reply", text: "Three." },
];

async function record() {
  const server = await startModelServer((_, count) => SCRIPT[count - 1] ?? { kind: "hang" });
  const { model } = createModelWorld({ url: server.url, ...SETTINGS });
  const recorded = await model.run({ ...LOOP, call: async () => ({ n: 3, at: "مرحبا" }) });
  await server.close();
  return { url: server.url, recorded: JSON.parse(JSON.stringify(recorded)) as typeof recorded };
}

function replay(url: string, { transcript }: Awaited<ReturnType<typeof record>>["recorded"], loop = LOOP) {
  const { outbound, call } = createReplay(transcript);
  const model = createModel({ settings: { ...SETTINGS, url }, outbound, clock: createClock(), log: silentLog });
  return model.run({ ...loop, call });
}

it("gives the same result as the recorded run, without a provider and without tools", async () => {
  const { url, recorded } = await record();
  expect(recorded).toMatchObject({ ended: "answered", text: "Three.", usage: { calls: 1 } });
  expect(recorded.transcript.map(({ kind }) => kind)).toEqual([
    ...["request", "reply", "request", "reply", "call", "request", "reply", "call", "request", "reply"],
  ]);
  expect(await replay(url, recorded)).toEqual(recorded);
});

it("refuses a run that asks something else", async () => {
  const { url, recorded } = await record();
  const other = { ...LOOP, system: "Ignore what you are." };
  expect(await replay(url, recorded, other)).toMatchObject({
    ended: "failed",
    detail: "model: the request is not the recorded one",
  });
});
