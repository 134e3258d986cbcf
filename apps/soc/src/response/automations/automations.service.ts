import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, listPermissions } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Playbook } from "../playbooks/playbook.ts";
import type { PlaybooksService } from "../playbooks/playbooks.service.ts";
import {
  type Author,
  type Automation,
  type AutomationRow,
  buildAutomation,
  type Firing,
  isBinding,
  patchAutomation,
} from "./automation.ts";
import type { CreateAutomationRequest, UpdateAutomationRequest } from "./automations.schema.ts";
import {
  type AutomationsStore,
  createAutomationsStore,
  createAutomationsWriter,
  MAX_AUTOMATIONS,
} from "./automations.store.ts";

export interface AutomationsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: AutomationsStore; showcase: AutomationsStore };
  playbooks: Pick<PlaybooksService, "get">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type AutomationsService = ReturnType<typeof createAutomationsService>;

export function createAutomationsService({ runtime, stores, playbooks, audit, clock, ids }: AutomationsServiceDeps) {
  async function requireSound(tx: Tx, row: AutomationRow, isBound: boolean): Promise<void> {
    const playbook = await playbooks.get(row.playbook_id).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.kind !== "not_found") throw error;
      throw invalidField("playbook_id", error.message, { cause: error });
    });
    if (isBound && playbook.critical && !row.may_execute) throw refuseCritical(playbook);
    const isTaken = await createAutomationsWriter(tx).isNameTaken(row);
    if (isTaken) throw new Problem("conflict", `name: automation '${row.name}' already exists`);
  }

  async function lock(tx: Tx, id: string, ifMatch: string | undefined): Promise<AutomationRow> {
    const row = await createAutomationsWriter(tx).lock(id);
    if (!row) throw notFound("automation", id);
    requireMatch(ifMatch, row);
    return row;
  }

  async function record(tx: Tx, { username }: Caller, action: string, row: AutomationRow): Promise<void> {
    const { id, name, condition, playbook_id, enabled, cooldown_minutes } = row;
    await audit.record(tx, {
      actor: username,
      action,
      subject_type: "automation",
      subject_id: id,
      details: { name, condition, playbook_id, enabled, cooldown_minutes },
    });
  }

  async function get(id: string): Promise<Automation> {
    const automation = await (await runtime.choose(stores)).find(id);
    if (!automation) throw notFound("automation", id);
    return automation;
  }

  async function stored(tx: Tx, id: string): Promise<Automation> {
    const automation = await createAutomationsStore(tx).find(id);
    if (!automation) throw notFound("automation", id);
    return automation;
  }

  return {
    get,

    async list(query: PageQuery): Promise<Page<Automation>> {
      return (await runtime.choose(stores)).list(query);
    },

    /** Lists the matching alerts with their outcomes. */
    async listFirings(id: string, query: PageQuery): Promise<Page<Firing>> {
      const automation = await get(id);
      return (await runtime.choose(stores)).listFirings(automation.id, query);
    },

    async create(tx: Tx, caller: Caller, request: CreateAutomationRequest): Promise<Automation> {
      const writer = createAutomationsWriter(tx);
      const row = buildAutomation(request, ids.next(), toAuthor(caller), clock.now());
      if ((await writer.count()) >= MAX_AUTOMATIONS) {
        throw new Problem("conflict", `the limit of ${MAX_AUTOMATIONS} automations is reached`);
      }
      await requireSound(tx, row, true);
      if (!(await writer.insert(row))) {
        throw new Problem("conflict", `name: automation '${row.name}' already exists`);
      }
      await record(tx, caller, "automation.created", row);
      return stored(tx, row.id);
    },

    async update(
      tx: Tx,
      caller: Caller,
      id: string,
      patch: UpdateAutomationRequest,
      ifMatch?: string,
    ): Promise<Automation> {
      if (Object.keys(patch).length === 0) throw invalidField("body", "must contain a field of an automation");
      const row = await lock(tx, id, ifMatch);
      const changed = patchAutomation(row, patch, toAuthor(caller), updatedAt(row, clock.now()));
      await requireSound(tx, changed, isBinding(patch));
      const { id: _, ...fields } = changed;
      await createAutomationsWriter(tx).update(row.id, fields);
      await record(tx, caller, "automation.updated", changed);
      return stored(tx, row.id);
    },

    async remove(tx: Tx, caller: Caller, id: string, ifMatch?: string) {
      const row = await lock(tx, id, ifMatch);
      await createAutomationsWriter(tx).delete(row.id);
      await record(tx, caller, "automation.deleted", row);
      return { deleted: true, id: row.id };
    },
  };
}

function toAuthor(caller: Caller): Author {
  return { username: caller.username, permissions: listPermissions(caller) };
}

/** An automation executes on behalf of the caller who binds it, so that caller needs the permission to execute. */
function refuseCritical({ id }: Pick<Playbook, "id">): Problem {
  return new Problem(
    "forbidden",
    `playbook_id: '${id}' is critical, and binding it to an automation requires soar:execute`,
  );
}
