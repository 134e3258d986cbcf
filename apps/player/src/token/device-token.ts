import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { readIfExists } from "../storage/durable-file.ts";
import { openToken, replaceToken, type StoredToken, UNPAIRED_FILE } from "./token.ts";

export interface DeviceTokenDeps {
  dataFolder: string;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "warn">;
  /** Called with a token that the owner has not seen yet. */
  onNew: (token: StoredToken) => void;
}

/** The device's one token, and whether a person has ever used it. */
export type DeviceToken = Awaited<ReturnType<typeof openDeviceToken>>;

export async function openDeviceToken({ dataFolder, ids, log, onNew }: DeviceTokenDeps) {
  let stored = await openToken(dataFolder, ids);
  const mark = join(dataFolder, UNPAIRED_FILE);
  // A storage that cannot be written holds neither: then no person can know the token.
  const isStored = (await readIfExists(stored.path)) !== undefined;
  let isPaired = isStored && (await readIfExists(mark)) === undefined;
  let removal = Promise.resolve();
  let isRenewing = false;

  async function removeMark(): Promise<void> {
    await rm(mark, { force: true }).catch((error: unknown) =>
      log.warn({ err: error }, "recording the first use of the token failed"),
    );
  }

  return {
    current: (): string => stored.value,

    /** Announces the token if this start created it. */
    announce(): void {
      if (stored.isNew) onNew(stored);
    },

    /** False until a person has paired or used the token. */
    isPaired: (): boolean => isPaired,

    /** Call when a person has proved to know the current token. Cheap to repeat. */
    markPaired(): void {
      if (isPaired || isRenewing) return;
      isPaired = true;
      removal = removeMark();
    },

    /** Creates a new token, which no person has used; the former one is invalid from then on. */
    async renew(): Promise<void> {
      isRenewing = true;
      try {
        await removal;
        stored = await replaceToken(dataFolder, ids);
        isPaired = false;
      } finally {
        isRenewing = false;
      }
      onNew(stored);
    },
  };
}
