import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Base } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { type ReleasedPlaybook, toPlaybooks } from "./built-in-playbooks.ts";
import { playbooksRoutes } from "./playbooks.routes.ts";
import { createPlaybooksService } from "./playbooks.service.ts";
import { createShowcasePlaybooksStore } from "./playbooks.showcase.ts";
import { createPlaybooksStore } from "./playbooks.store.ts";
import { createPlaybooksWorker } from "./playbooks.worker.ts";

export interface PlaybooksNeeds {
  actions: ActionRegistry;
  /** The playbooks that come with the platform. */
  builtIns: readonly ReleasedPlaybook[];
}

export function createPlaybooks(base: Base, { actions, builtIns }: PlaybooksNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const playbooks = createPlaybooksService({
    runtime,
    stores: {
      database: createPlaybooksStore(db),
      showcase: createShowcasePlaybooksStore(toPlaybooks(builtIns, clock.now())),
    },
    actions,
    audit,
    clock,
    ids,
  });
  const seeding = createPlaybooksWorker({
    db,
    playbooks,
    builtIns: async () => builtIns,
    isAvailable: async () => (await runtime.truth()).is_database_available,
    clock,
    log,
  });
  return {
    playbooks,
    routes: [playbooksRoutes(playbooks, changes)],
    /** The approvals and executions of the demo name playbooks that the service would install a moment later. */
    storeDemo: (tx: Tx) => playbooks.seed(tx, builtIns),
    readers: { playbook: ["playbooks:read"] as const },
    serving: [seeding],
  };
}
