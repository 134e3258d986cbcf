import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Base, Registrations, Work } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { createFinder, filterByTitle, MAX_SEARCHED } from "../../foundation/search/finder.ts";
import { actionsRoutes } from "./actions.routes.ts";
import { type ReleasedPlaybook, toPlaybooks } from "./built-in-playbooks.ts";
import type { Playbook } from "./playbook.ts";
import { playbooksRoutes } from "./playbooks.routes.ts";
import { createPlaybooksService, type PlaybooksServiceDeps } from "./playbooks.service.ts";
import { createPlaybooksStore, createShowcasePlaybooksStore } from "./playbooks.store.ts";
import { createPlaybooksWorker } from "./playbooks.worker.ts";

export interface PlaybooksNeeds extends Pick<PlaybooksServiceDeps, "alerts"> {
  actions: ActionRegistry;
  /** Reads the built-in playbooks. It takes 0.25 s, which must not delay the start. */
  builtIns: () => Promise<readonly ReleasedPlaybook[]>;
}

export function createPlaybooks(base: Base, { actions, alerts, builtIns }: PlaybooksNeeds) {
  const { db, runtime, changes, audit, yaml, clock, ids, log } = base;
  let shown: Playbook[] | undefined;
  const playbooks = createPlaybooksService({
    runtime,
    stores: {
      database: createPlaybooksStore(db),
      showcase: createShowcasePlaybooksStore(async () => (shown ??= toPlaybooks(await builtIns(), clock.now()))),
    },
    actions,
    yaml,
    alerts,
    audit,
    clock,
    ids,
  });
  const seeding = createPlaybooksWorker({
    db,
    playbooks,
    builtIns,
    isAvailable: async () => (await runtime.truth()).is_database_available,
    clock,
    log,
  });
  return {
    services: { playbooks },
    registrations: {
      routes: [playbooksRoutes(playbooks, changes), actionsRoutes(actions)],
      /** The approvals and executions of the demo name playbooks that the worker would install later. */
      storeDemo: async (tx: Tx) => playbooks.seed(tx, await builtIns()),
      readers: { playbook: ["playbooks:read"] as const },
      finders: [
        createFinder("playbook", ["playbooks:read"], async (_caller, q, limit) => {
          const { items } = await playbooks.list({ limit: MAX_SEARCHED });
          const found = items.map(({ id, name, description, updated_at: at }) => {
            return { id, title: name, subtitle: description, at };
          });
          return filterByTitle(found, q, limit);
        }),
      ],
      createWork: (): Work => ({ background: () => [seeding] }),
    } satisfies Registrations,
  };
}
