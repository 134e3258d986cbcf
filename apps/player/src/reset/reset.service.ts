import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import type { ResetStore } from "./reset.store.ts";

export interface ResetServiceDeps {
  store: ResetStore;
  /** Stops all sound and completes pending writes. */
  quiet: () => void;
  /** Deletes copies of the store, and files of it that were moved aside. */
  removeCopies: () => void;
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
  const { store, quiet, removeCopies, renewToken, replaceAuthority, reloads } = deps;
  const { dropSockets, forgetNetworks, events, log } = deps;
  return {
    /** If it fails before the end, the former token is still valid, so that the client can retry. */
    async reset(): Promise<void> {
      quiet();
      store.eraseAll();
      removeCopies();
      await replaceAuthority();
      await renewToken();
      for (const reload of reloads) reload();
      log.info({}, "reset to factory state");
      events.emit("system", { phase: "reset", wakes_at: null });
      forgetNetworks();
      dropSockets().catch((error: unknown) => log.error({ err: error }, "closing the sockets failed"));
    },
  };
}
