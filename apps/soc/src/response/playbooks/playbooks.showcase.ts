import { pageInMemory } from "../../foundation/lists/order.ts";
import { DEFAULT_LIMIT, toPage } from "../../foundation/lists/page.ts";
import { idAfter, ORDER, type Playbook } from "./playbook.ts";
import { fitsAlert } from "./playbook-inputs.ts";
import { NEWEST_VERSION_FIRST, type PlaybooksStore } from "./playbooks.store.ts";

export function createShowcasePlaybooksStore(read: () => Promise<readonly Playbook[]>): PlaybooksStore {
  const sorted = async () => (await read()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    async list(query) {
      const after = idAfter(query);
      const skip = query.skip ?? 0;
      const fitting = (await sorted()).filter(
        ({ enabled, critical, inputs }) =>
          (query.filled === undefined || fitsAlert(inputs, query.filled)) &&
          (query.enabled === undefined || query.enabled === enabled) &&
          (query.critical === undefined || query.critical === critical),
      );
      const rows = fitting
        .filter(({ id }) => after === undefined || id > after)
        .slice(skip, skip + (query.limit ?? DEFAULT_LIMIT) + 1);
      return toPage({ query, order: ORDER, rows, total: { total: fitting.length }, positionOf: ({ id }) => [id] });
    },

    find: async (id) => (await sorted()).find((playbook) => playbook.id === id),

    async versions(id, query) {
      const known = (await sorted()).filter((playbook) => playbook.id === id);
      const versions = known.map((playbook) => ({
        id: SHOWCASE_VERSION,
        playbook_id: playbook.id,
        version: playbook.version,
        changed_by: playbook.updated_by,
        changed_at: playbook.updated_at,
        playbook,
      }));
      return pageInMemory(versions, NEWEST_VERSION_FIRST, query);
    },
  };
}

/** All showcase playbooks can share one version id, because each has one version. */
const SHOWCASE_VERSION = "019a0000-0000-7000-8000-000000000001";
