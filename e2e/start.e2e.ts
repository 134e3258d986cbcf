import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { expect, it } from "vitest";

const clock = createClock();
const isGone = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );

it("prints both addresses within 60 s of npm start, and ends both products within 10 s of SIGTERM", async () => {
  const folder = await mkdtemp(join(tmpdir(), "start-"));
  const [playerPort, socPort] = [await freePort(), await freePort()];
  const start = clock.monotonicMs();
  const started = await startProcess({
    command: "npm",
    args: ["start"],
    env: {
      PLAYER_PORT: String(playerPort),
      PLAYER_TLS: "off",
      PLAYER_DATA_DIR: join(folder, "player"),
      SOC_PORT: String(socPort),
      SOC_DATA_DIR: join(folder, "soc"),
    },
    readyWhen: /Manara (Player|SOC) is ready at [\s\S]*Manara (Player|SOC) is ready at /,
    withinMs: 60_000,
  });
  console.log(`npm start: both ready after ${Math.round(clock.monotonicMs() - start)} ms`);
  const [player, soc] = [`http://localhost:${playerPort}/`, `http://localhost:${socPort}/`];
  for (const url of [player, soc]) {
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  }
  const stop = clock.monotonicMs();
  await started.stop("SIGTERM");
  await expect.poll(async () => (await isGone(player)) && (await isGone(soc)), { timeout: 10_000 }).toBe(true);
  expect(clock.monotonicMs() - stop).toBeLessThan(10_000);
});
