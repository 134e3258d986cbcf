import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProcess } from "@kit/testing/process";
import { onTestFinished } from "vitest";

const NATS = new URL("../../.ci/nats-server", import.meta.url).pathname;

/** One server of NATS with durable streams, and its address. It is stopped with the test. */
export async function startNats(): Promise<string> {
  const program = execFileSync(NATS, { encoding: "utf8", timeout: 300_000 }).trim();
  const folder = await mkdtemp(join(tmpdir(), "soc-nats-"));
  const port = await freePort();
  const settings = join(folder, "nats.conf");
  const store = JSON.stringify(join(folder, "data"));
  await writeFile(
    settings,
    `listen: 127.0.0.1:${port}\nmax_payload: 8MB\njetstream { store_dir: ${store}, sync_interval: always }\n`,
  );
  const server = await startProcess({ command: program, args: ["-c", settings], readyWhen: /Server is ready/ });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return `nats://127.0.0.1:${port}`;
}
