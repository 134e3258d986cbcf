import type { LogStore } from "../../src/ports/log-store.ts";
import { sampleLog, startLogStore } from "./log-engine.ts";

/** The id of the log that a shared log store contains at start. */
export const STORED_LOG_ID = "01980000-0000-7000-8000-00000000109a";

/** Starts one log engine for all platforms of a test file. The caller must stop it. */
export async function startSharedLogStore(): Promise<{ logStore: LogStore; stop: () => Promise<void> }> {
  const { store, stop } = await startLogStore();
  const log = sampleLog({ id: STORED_LOG_ID, source: "world", host: "srv-7", message: "something was logged" });
  await store.insert([log], { token: STORED_LOG_ID });
  return { logStore: store, stop };
}
