import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { vi } from "vitest";

const FETCH = join(import.meta.dirname, "../../../../.ci/nats-server");

export interface NatsNode {
  port: number;
  /** The id of its process, while it runs. */
  pid(): number | undefined;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The output of the server since its last start. */
  output(): string;
}

export interface NatsServers {
  /** The value for SOC_STREAM. */
  url: string;
  nodes: NatsNode[];
  stop(): Promise<void>;
}

/** Starts real servers on loopback, each with its own folder: a single server or a cluster of three. */
export async function startNatsServers(count: 1 | 3): Promise<NatsServers> {
  const program = execFileSync(FETCH, { encoding: "utf8", timeout: 300_000 }).trim();
  const folder = mkdtempSync(join(tmpdir(), "nats-"));
  const ports = await Promise.all(
    Array.from({ length: count }, async () => [await freePort(), await freePort()] as const),
  );
  const routes = ports.map(([, clusterPort]) => `nats://127.0.0.1:${clusterPort}`);
  const nodes = ports.map(([port, clusterPort], index): NatsNode => {
    const settings = join(folder, `${index}.conf`);
    writeFileSync(
      settings,
      `server_name: node-${index}
      listen: 127.0.0.1:${port}
      max_payload: 8MB
      jetstream { store_dir: ${JSON.stringify(join(folder, String(index)))}, sync_interval: always }
      ${count > 1 ? `cluster { name: soc, listen: 127.0.0.1:${clusterPort}, routes: ${JSON.stringify(routes)} }` : ""}`,
    );
    let running: StartedProcess | undefined;
    return {
      port,
      pid: () => running?.pid,
      async start() {
        running = await startProcess({ command: program, args: ["-c", settings], readyWhen: /Server is ready/ });
      },
      async kill() {
        await running?.stop("SIGKILL");
      },
      output: () => running?.output() ?? "",
    };
  });
  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await untilFormed(nodes, count);
  } catch (error) {
    const outputs = nodes.map((node) => node.output()).join("\n");
    await stop();
    throw new Error(`the servers did not form a cluster:\n${outputs}`, { cause: error });
  }
  return { url: nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(","), nodes, stop };
}

/** Waits for the cluster: each server reports ready before a leader is elected. */
async function untilFormed(nodes: readonly NatsNode[], count: 1 | 3): Promise<void> {
  const connection = await connect({ servers: nodes.map(({ port }) => `127.0.0.1:${port}`) });
  const { streams } = await jetstreamManager(connection, { checkAPI: false });
  await vi.waitFor(() => streams.add({ name: "probe", num_replicas: count }), { timeout: 120_000, interval: 250 });
  await streams.delete("probe");
  await connection.close();
}
