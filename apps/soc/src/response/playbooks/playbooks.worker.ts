import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";
import type { BuiltInPlaybook, PlaybooksService } from "./playbooks.service.ts";

export interface PlaybooksWorkerDeps {
  db: Kysely<Tables>;
  playbooks: Pick<PlaybooksService, "seed">;
  builtIns: () => Promise<readonly BuiltInPlaybook[]>;
  isAvailable: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const RETRY_MS = 1000;

/** Installs the built-in playbooks once, as soon as the database is available. */
export function createPlaybooksWorker({ db, playbooks, builtIns, isAvailable, clock, log }: PlaybooksWorkerDeps) {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function seed(): Promise<boolean> {
    if (!(await isAvailable())) return false;
    const released = await builtIns();
    await db.transaction().execute((tx) => playbooks.seed(tx, released));
    return true;
  }

  async function seedOnce(): Promise<void> {
    while (!closing.signal.aborted) {
      const isDone = await seed().catch((error: unknown) => {
        log.warn({ err: error }, "built-in playbook installation failed; retrying");
        return false;
      });
      if (isDone) return;
      await clock.sleep(RETRY_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    start(): void {
      running ??= seedOnce();
    },

    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
