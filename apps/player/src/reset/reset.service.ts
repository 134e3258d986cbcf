import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import type { ResetStore } from "./reset.store.ts";

export interface ResetServiceDeps {
  store: ResetStore;
  /** Makes silence, and writes what it still has to write. */
  quiet: () => void;
  /** Makes a new token; the former one opens nothing from then on. */
  renewToken: () => Promise<void>;
  /** One for each service that remembers what it has read: it reads the emptied store, and tells its clients. */
  reloads: readonly (() => void)[];
  /** Both may take their time: the answer is on its way by then. */
  dropSockets: () => Promise<void>;
  forgetNetworks: () => void;
  events: Pick<Events, "emit">;
  log: Pick<Log, "info" | "error">;
}
export type ResetService = ReturnType<typeof createResetService>;

/** Back to the state of a new device. The memory card's files and the firmware stay, and so does the process. */
export function createResetService(deps: ResetServiceDeps) {
  const { store, quiet, renewToken, reloads, dropSockets, forgetNetworks, events, log } = deps;
  return {
    /** When it fails half-way, the former token is still good, so that it can be asked for again. */
    async reset(): Promise<void> {
      quiet();
      store.eraseAll();
      await renewToken();
      for (const reload of reloads) reload();
      log.info({}, "everything was reset");
      events.emit("system", { phase: "reset", wakes_at: null });
      forgetNetworks();
      dropSockets().catch((error: unknown) => log.error({ err: error }, "the sockets could not be dropped"));
    },
  };
}
