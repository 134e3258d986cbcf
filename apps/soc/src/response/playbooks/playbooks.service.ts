import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import {
  ALL_SITES,
  type Caller,
  formatRefusal,
  isCallerAllowed,
  type Scope,
  toScope,
} from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { YamlReader } from "../../foundation/yaml/yaml-reader.ts";
import {
  type Definition,
  isSameDefinition,
  type Playbook,
  type PlaybookRow,
  type PlaybookVersion,
} from "./playbook.ts";
import { checkPlaybook, type KnownActions } from "./playbook-check.ts";
import { listFilled } from "./playbook-inputs.ts";
import { buildRefusal, readYaml, toYaml, type WrittenYaml } from "./playbook-yaml.ts";
import type { ListPlaybooksQuery, WrittenPlaybook } from "./playbooks.schema.ts";
import { createPlaybooksStore, createPlaybooksWriter, type PlaybooksStore } from "./playbooks.store.ts";
import { toJsonFields } from "./step-template.ts";

export interface PlaybooksServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: PlaybooksStore; showcase: PlaybooksStore };
  actions: KnownActions;
  yaml: Pick<YamlReader, "parse">;
  /** `get` throws not_found. */
  alerts: { get(scope: Scope, alert_id: string): Promise<object> };
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type PlaybooksService = ReturnType<typeof createPlaybooksService>;

/** A playbook that comes with the platform. */
export interface BuiltInPlaybook {
  release: number;
  definition: Definition;
}

/** The fields of a playbook, and their places if they were written as YAML. */
export interface ReadPlaybook {
  value: unknown;
  written?: WrittenYaml;
}

export interface PlaybookChange {
  result: "created" | "updated" | "unchanged";
  playbook: Playbook;
}

const VENDOR = "manara";

export function createPlaybooksService(deps: PlaybooksServiceDeps) {
  const { runtime, stores, actions, yaml: yamlReader, alerts, audit, clock, ids } = deps;

  async function get(id: string): Promise<Playbook> {
    const playbook = await (await runtime.choose(stores)).find(id);
    if (!playbook) throw notFound("playbook", id);
    return playbook;
  }

  /** Only callers who may read the alert get this list, because it shows which fields the alert has. */
  async function readFilled(alert_id: string, caller: Caller | undefined): Promise<string[]> {
    const needs = ["alerts:read"] as const;
    if (caller && !isCallerAllowed(caller, needs)) throw new Problem("forbidden", formatRefusal(caller, needs));
    return listFilled(toJsonFields(await alerts.get(caller ? toScope(caller) : ALL_SITES, alert_id)));
  }

  async function keep(tx: Tx, row: PlaybookRow, action: string): Promise<Playbook> {
    const { release: _, is_edited: __, ...playbook } = row;
    const { id, version, updated_by, updated_at, name, critical, enabled } = playbook;
    await createPlaybooksWriter(tx).insertVersion({
      id: ids.next(),
      playbook_id: id,
      version,
      changed_by: updated_by,
      changed_at: updated_at,
      playbook,
    });
    await audit.record(tx, {
      actor: updated_by,
      action,
      subject_type: "playbook",
      subject_id: id,
      details: { name, version, critical, enabled },
    });
    return playbook;
  }

  async function create(tx: Tx, definition: Definition, by: string, release: number): Promise<Playbook | undefined> {
    const now = clock.now();
    const row: PlaybookRow = {
      ...definition,
      enabled: true,
      version: 1,
      release,
      is_edited: release === 0,
      updated_by: by,
      created_at: now,
      updated_at: now,
    };
    return (await createPlaybooksWriter(tx).insert(row)) ? keep(tx, row, "playbook.created") : undefined;
  }

  async function change(tx: Tx, current: PlaybookRow, definition: Definition, by: string, release?: number) {
    const row: PlaybookRow = {
      ...current,
      ...definition,
      version: current.version + 1,
      ...(release === undefined ? { is_edited: true } : { release }),
      updated_by: by,
      updated_at: updatedAt(current, clock.now()),
    };
    await createPlaybooksWriter(tx).update(row);
    return keep(tx, row, "playbook.updated");
  }

  async function store(tx: Tx, definition: Definition, by: string, ifMatch?: string): Promise<PlaybookChange> {
    const current = await createPlaybooksWriter(tx).lock(definition.id);
    if (current) {
      requireMatch(ifMatch, current);
      if (isSameDefinition(current, definition)) {
        const { release: _, is_edited: __, ...playbook } = current;
        return { result: "unchanged", playbook };
      }
      return { result: "updated", playbook: await change(tx, current, definition, by) };
    }
    const playbook = await create(tx, definition, by, 0);
    if (!playbook) throw new Problem("conflict", `playbook '${definition.id}' is being created by another caller`);
    return { result: "created", playbook };
  }

  function checked(id: string | undefined, value: unknown, written?: WrittenYaml): Definition {
    const { definition, misfits } = checkPlaybook(id, value, actions);
    if (!definition) throw buildRefusal(misfits, written);
    return definition;
  }

  async function read({ yaml, ...fields }: WrittenPlaybook): Promise<ReadPlaybook> {
    if (yaml === undefined) return { value: fields };
    if (Object.keys(fields).length > 0) throw invalidField("yaml", "must be the only field");
    const [written, ...others] = await readYaml(yamlReader, yaml);
    if (!written || others.length > 0) throw invalidField("yaml", "must be one playbook");
    return { value: written.value, written };
  }

  return {
    get,

    /** Parses the YAML of a caller, outside of a transaction. */
    read,
    readAll: (yaml: string): Promise<WrittenYaml[]> => readYaml(yamlReader, yaml),

    async list({ for_alert, ...query }: ListPlaybooksQuery, caller?: Caller): Promise<Page<Playbook>> {
      const filled = for_alert === undefined ? undefined : await readFilled(for_alert, caller);
      return (await runtime.choose(stores)).list({ ...query, filled });
    },

    async versions(id: string, query: PageQuery): Promise<Page<PlaybookVersion>> {
      await get(id);
      return (await runtime.choose(stores)).versions(id, query);
    },

    async yaml(id: string): Promise<string> {
      return toYaml(await get(id));
    },

    /** Creates the playbook or stores a new version. */
    async put(tx: Tx, caller: Caller, id: string, body: ReadPlaybook, ifMatch?: string): Promise<PlaybookChange> {
      return store(tx, checked(id, body.value, body.written), caller.username, ifMatch);
    },

    /** Imports all playbooks or none. */
    async importAll(tx: Tx, caller: Caller, playbooks: readonly WrittenYaml[]): Promise<{ items: PlaybookChange[] }> {
      const definitions = playbooks.map((written) => checked(undefined, written.value, written));
      const items: PlaybookChange[] = [];
      for (const definition of definitions) items.push(await store(tx, definition, caller.username));
      return { items };
    },

    async validate(body: WrittenPlaybook) {
      const { value, written } = await read(body);
      // The id is optional here.
      const id = typeof value === "object" && value !== null && "id" in value ? undefined : "unnamed";
      const { definition, misfits } = checkPlaybook(id, value, actions);
      return {
        valid: definition !== undefined,
        critical: definition?.critical ?? false,
        steps_total: definition?.steps.length ?? 0,
        problems: misfits.map(({ path, message }) => {
          const place = written?.findPlace(path);
          return { field: path.join("."), message, line: place?.line ?? null, column: place?.column ?? null };
        }),
      };
    },

    async toggle(tx: Tx, caller: Caller, id: string): Promise<Playbook> {
      const writer = createPlaybooksWriter(tx);
      const current = await writer.lock(id);
      if (!current) throw notFound("playbook", id);
      const enabled = !current.enabled;
      // Not a new version, because the definition is unchanged; the audit log records the caller.
      const row = { ...current, enabled, updated_at: updatedAt(current, clock.now()) };
      await writer.update(row);
      await audit.record(tx, {
        actor: caller.username,
        action: enabled ? "playbook.enabled" : "playbook.disabled",
        subject_type: "playbook",
        subject_id: id,
        details: { name: current.name, version: current.version, enabled },
      });
      const { release: _, is_edited: __, ...playbook } = row;
      return playbook;
    },

    /** Installs newer releases of the built-in playbooks. Edited playbooks are not changed. */
    async seed(tx: Tx, builtIns: readonly BuiltInPlaybook[]): Promise<void> {
      for (const { release, definition } of builtIns) {
        const found = await createPlaybooksStore(tx).find(definition.id);
        if (!found) {
          await create(tx, definition, VENDOR, release);
          continue;
        }
        const current = await createPlaybooksWriter(tx).lock(definition.id);
        if (!current || current.is_edited || current.release >= release) continue;
        await change(tx, current, definition, VENDOR, release);
      }
    },
  };
}
