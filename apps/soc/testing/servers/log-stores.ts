import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import type { MemberStore } from "../../src/adapters/clickhouse/member.ts";
import { createFederatedLogStore } from "../../src/adapters/federation/federated-log-store.ts";
import { agentOn, ENGINE_URL, type LogEngine } from "../../src/adapters/log-engine/log-engine.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { createEngineFactory } from "./log-engine.ts";

const clock = createClock();
const ENGINE_BYTES = 2 * 1024 ** 3;

export interface StartedLogStores {
  /** One store, or a federation. */
  store: LogStore;
  /** The engines in the order of the stores; `down` kills one immediately, and `up` restarts it on its folder. */
  engines: readonly StoppableEngine[];
  stop: () => Promise<void>;
}

export interface StoppableEngine {
  /** The store of this engine alone. */
  store: MemberStore;
  engine: () => LogEngine;
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Starts this many engines with a log store over them. A single one is used directly, as in the product. */
export async function startLogStores(count: number, folders: readonly string[] = []): Promise<StartedLogStores> {
  const started = await Promise.all(Array.from({ length: count }, (_, place) => startEngine(folders[place])));
  const stores = started.map(({ store }, place) => ({ name: `log store ${place + 1} of ${count}`, store }));
  const [first] = started;
  if (!first) throw new Error("at least one log store is required");
  const store = count === 1 ? first.store : createFederatedLogStore({ stores, clock });
  await store.migrate();
  return {
    store,
    engines: started,
    async stop() {
      await store.close();
      for (const each of started) await each.stop();
    },
  };
}

async function startEngine(given?: string) {
  const folder = given ?? mkdtempSync(join(tmpdir(), "log-engine-"));
  const create = await createEngineFactory(folder, { memoryBytes: ENGINE_BYTES });
  let engine = create();
  await engine.start();
  const agent = agentOn(() => engine.socketPath());
  const store = createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays: 36_500 });
  return {
    store,
    engine: () => engine,
    async down() {
      const pid = engine.pid();
      const closing = engine.close();
      sendSignal(pid, "SIGKILL");
      await closing;
    },
    async up() {
      engine = create();
      await engine.start();
    },
    async stop() {
      await engine.close();
      agent.destroy();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
