import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, expect, it } from "vitest";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { detectionsPlatform } from "../../../testing/worlds/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/worlds/feature-app.ts";
import { pushToRing } from "./ring-rules.ts";
import type { SendToCell } from "./send-to-cell.ts";

const CELLS = [
  { name: "first", url: "https://first.example", key_id: "0".repeat(64), ring: 1 },
  { name: "second", url: "https://second.example", key_id: "1".repeat(64), ring: 2 },
];
const RULE = `title: Whoami of a service
id: 5a4c6d1e-0000-4000-8000-000000000001
level: low
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: whoami.exe}, condition: selection}
`;

const platforms = new Map<string, TestPlatform>();
const apps = new Map<string, Frame>();
let folder: string;

beforeAll(async () => {
  for (const { name } of CELLS) {
    const platform = await testPlatform("real");
    platforms.set(name, platform);
    apps.set(name, (await detectionsPlatform(platform, absentLogStore())).app);
  }
  folder = await mkdtemp(join(tmpdir(), "rings-"));
  await writeFile(join(folder, "whoami.yml"), RULE);
}, 120_000);

afterAll(async () => {
  for (const platform of platforms.values()) await platform.close();
  await rm(folder, { recursive: true });
});

const send: SendToCell = async ({ name }, method, path, body) => {
  const asked = { method, url: `/api/v1${path}`, headers: { "x-role": "detection" }, ...(body && { payload: body }) };
  const answer = await apps.get(name)?.inject(asked);
  return { status: answer?.statusCode ?? 503, retryAfterSeconds: 0, text: answer?.body ?? "" };
};

async function push(ring: number, options = {}) {
  const lines: string[] = [];
  const clock = { sleep: async () => undefined };
  const deps = { cells: CELLS, folder, ring, send, clock, print: (line: string) => lines.push(line) };
  return { code: await pushToRing(deps, { isDryRun: false, isPruning: false, ...options }), lines };
}

async function countRules(cell: string): Promise<number> {
  const answer = await apps.get(cell)?.inject({ url: "/api/v1/detections/rules", headers: { "x-role": "detection" } });
  return answer?.json().total;
}

it("pushes rules to a ring only when all rings before have them", async () => {
  const early = await push(2);
  expect(early.code).toBe(1);
  expect(early.lines.at(-1)).toBe("cell 'first' of ring 1 is not like the folder: nothing was pushed to ring 2");
  expect([await countRules("first"), await countRules("second")]).toEqual([0, 0]);

  expect((await push(1, { isDryRun: true })).code).toBe(1);
  expect((await push(1)).code).toBe(0);
  expect([await countRules("first"), await countRules("second")]).toEqual([1, 0]);

  expect((await push(2)).code).toBe(0);
  expect(await countRules("second")).toBe(1);
  expect((await push(2, { isDryRun: true })).code).toBe(0);
  await expect(push(3)).rejects.toThrow("--ring: no cell is in ring 3");
});
