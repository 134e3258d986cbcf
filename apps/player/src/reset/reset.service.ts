import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import type { ResetStore } from "./reset.store.ts";

export interface ResetServiceDeps {
  store: ResetStore;
  /** Stops all sound and completes pending writes. */
  quiet: () => void;
  /** Deletes copies of the store, and files of it that were moved aside. */
  removeCopies: () => void;
  /** No person may pair while the token changes. Returns the function that ends this. */
  suspendPairing: () => () => void;
  /** Creates a new token; the former one is invalid from then on. */
  renewToken: () => Promise<void>;
  /** Creates a new certificate authority: the former owner's phones trust the old one. */
  replaceAuthority: () => Promise<void>;
  /** One for each service with state in memory: it reads the emptied store and notifies its clients. */
  reloads: readonly (() => void)[];
  /** Both may take long: they run after the answer was sent. */
  dropSockets: () => Promise<void>;
  forgetNetworks: () => void;
  events: Pick<Events, "emit">;
  log: Pick<Log, "info" | "error">;
}
export type ResetService = ReturnType<typeof createResetService>;

/** Restores the state of a new device. The files of the memory card, the firmware and the process stay. */
export function createResetService(deps: ResetServiceDeps) {
  const { store, quiet, suspendPairing, removeCopies, renewToken, replaceAuthority, reloads } = deps;
  const { dropSockets, forgetNetworks, events, log } = deps;
  let running: Promise<void> | undefined;

  async function eraseEverything(): Promise<void> {
    quiet();
    const resumePairing = suspendPairing();
    try {
      store.eraseAll();
      removeCopies();
      await replaceAuthority();
      await renewToken();
    } finally {
      resumePairing();
    }
    for (const reload of reloads) reload();
    log.info({}, "reset to factory state");
    events.emit("system", { phase: "reset", wakes_at: null });
    forgetNetworks();
    dropSockets().catch((error: unknown) => log.error({ err: error }, "closing the sockets failed"));
  }

  return {
    /**
     * If it fails before the end, the former token is still valid, so that the client can retry. The button and a page
     * may ask at the same time: then it happens once.
     */
    reset(): Promise<void> {
      running ??= eraseEverything().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
