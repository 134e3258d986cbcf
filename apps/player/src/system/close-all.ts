import type { Log } from "@kit/log";

/** Closes the parts one after the other, also after one that fails. */
export async function closeAll(log: Pick<Log, "error">, parts: readonly { close(): unknown }[]): Promise<void> {
  for (const part of parts) {
    try {
      await part.close();
    } catch (error) {
      log.error({ err: error }, "part failed to close");
    }
  }
}
