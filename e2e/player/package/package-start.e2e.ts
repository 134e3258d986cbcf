import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { count, isFull } from "../../counts.ts";
import { buildPackage, ROOT, unpack } from "../../deb.ts";
import { readProcessorMs } from "../../processes.ts";
import { residentMiB } from "../../services.ts";
import { createPlayerClient } from "../client.ts";
import { quantile } from "../figures.ts";

const clock = createClock();
const STARTS = count({ ci: 3, full: 10 });
/** As the unit starts it. */
const FLAGS = ["--max-old-space-size=96", "--max-semi-space-size=1", "--optimize-for-size"];
const HOME = "usr/lib/manara-player";

let root: string;

beforeAll(async () => {
  root = await unpack(await buildPackage());
}, 300_000);
afterAll(() => rm(root, { recursive: true }));

async function start(node: string, main: string, env: Record<string, string> = {}) {
  const port = await freePort();
  const dataFolder = await mkdtemp(join(tmpdir(), "player-"));
  const service = await startProcess({
    command: node,
    args: [...FLAGS, main],
    env: { PLAYER_PORT: String(port), PLAYER_DATA_DIR: dataFolder, MALLOC_ARENA_MAX: "2", ...env },
    readyWhen: / is ready at /,
  });
  return { service, url: `https://localhost:${port}`, dataFolder };
}

async function measureStart(node: string, main: string): Promise<number> {
  const { service } = await start(node, main);
  const spentMs = await readProcessorMs(service.pid);
  await service.stop();
  return spentMs;
}

const packaged = () => join(root, HOME, "player/bundle/main.js");
const ownNode = () => join(root, HOME, "bin/node");

it.each([
  ["this Node", () => process.execPath, process.version.startsWith("v20.") ? 0.65 : 0.75],
  ["the Node of the package", ownNode, 0.75],
])(
  "needs at most 0.65 of the processor time for its start, bundled, on Node 20, and 0.75 on 24: %s",
  async (name, node, most) => {
    const plain: number[] = [];
    const bundled: number[] = [];
    // In turns: what else the machine does hits both alike.
    for (let i = 0; i < STARTS; i += 1) {
      plain.push(await measureStart(node(), join(ROOT, "apps/player/dist/main.js")));
      bundled.push(await measureStart(node(), packaged()));
    }
    const [before, after] = [quantile(plain, 0.5), quantile(bundled, 0.5)];
    console.log(
      `${name}: ${before} ms of processor time to ready, bundled ${after} ms, ${(after / before).toFixed(2)}`,
    );
    expect(after / before).toBeLessThanOrEqual(most);
  },
);

it("uses little memory after drawing its screen", async () => {
  const { service, url, dataFolder } = await start(ownNode(), packaged());
  const client = await createPlayerClient({ url, dataFolder });
  const headers = { authorization: `Bearer ${client.token}` };
  const screenshot = () => client.ask({ method: "GET", path: "/api/debug/screenshot", headers });
  await expect.poll(async () => (await screenshot()).status, { timeout: 10_000 }).toBe(200);
  // The first minute collects what the start has left.
  await clock.sleep(isFull ? 60_000 : 5000);
  const megabytes = ((await residentMiB(service)) * 1024 * 1024) / 1e6;
  console.log(`resident with the screen: ${megabytes.toFixed(1)} MB`);
  client.close();
  await service.stop();
  // After a few seconds the rest of the start is still in memory.
  expect(megabytes).toBeLessThan(isFull ? 115 : 135);
});
