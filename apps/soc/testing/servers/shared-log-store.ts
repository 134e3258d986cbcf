import type { LogStore } from "../../src/logs/search/log-store.ts";
import { sampleLog, startLogStore } from "./log-engine.ts";

/** The id of the one log that a shared log store begins with. */
export const STORED_LOG_ID = "01980000-0000-7000-8000-00000000109a";

/** One log engine for all the platforms of a test file. Whoever starts it stops it. */
export async function startSharedLogStore(): Promise<{ logStore: LogStore; stop: () => Promise<void> }> {
  const { store, stop } = await startLogStore();
  const log = sampleLog({ id: STORED_LOG_ID, source: "world", host: "srv-7", message: "something was logged" });
  await store.insert([log], { token: STORED_LOG_ID });
  return { logStore: store, stop };
}
