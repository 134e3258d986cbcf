import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { changesBetween, requireSome } from "../../foundation/records/field-changes.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { requireOrder } from "../case-sla/sla.ts";
import { type CaseTemplate, TEMPLATE_FIELDS } from "./case-template.ts";
import type { CreateTemplateRequest, UpdateTemplateRequest } from "./case-templates.schema.ts";
import { type CaseTemplatesStore, createCaseTemplatesWriter } from "./case-templates.store.ts";

export interface CaseTemplatesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: CaseTemplatesStore; showcase: CaseTemplatesStore };
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type CaseTemplatesService = ReturnType<typeof createCaseTemplatesService>;

const MAX_TEMPLATES = 200;

export function createCaseTemplatesService({ runtime, stores, audit, clock, ids }: CaseTemplatesServiceDeps) {
  async function lock(tx: Tx, template_id: string, ifMatch: string | undefined): Promise<CaseTemplate> {
    const found = await createCaseTemplatesWriter(tx).lock(template_id);
    if (!found) throw notFound("case template", template_id);
    requireMatch(ifMatch, found);
    return found;
  }

  async function record(tx: Tx, { username }: Caller, action: string, { id }: CaseTemplate, details: object) {
    const subject = { subject_type: "case_template", subject_id: id };
    await audit.record(tx, { actor: username, action: `case_template.${action}`, ...subject, details });
  }

  return {
    async list(query: PageQuery): Promise<Page<CaseTemplate>> {
      return (await runtime.choose(stores)).list(query);
    },

    async get(template_id: string): Promise<CaseTemplate> {
      const found = await (await runtime.choose(stores)).find(template_id);
      if (!found) throw notFound("case template", template_id);
      return found;
    },

    async create(tx: Tx, caller: Caller, request: CreateTemplateRequest): Promise<CaseTemplate> {
      requireTemplate(request);
      const { name, title_prefix = "", description = "", severity = null, tags = [], tasks = [], sla = null } = request;
      const now = clock.now();
      const template: CaseTemplate = {
        id: ids.next(),
        ...{ name, title_prefix, description, severity, tags: [...new Set(tags)], tasks, sla },
        created_by: caller.username,
        created_at: now,
        updated_at: now,
      };
      const writer = createCaseTemplatesWriter(tx);
      if ((await writer.count()) >= MAX_TEMPLATES) {
        throw new Problem("conflict", `there are at most ${MAX_TEMPLATES} case templates`);
      }
      if (!(await writer.insert(template))) throw nameTaken(name);
      await record(tx, caller, "created", template, { name });
      return template;
    },

    async update(
      tx: Tx,
      caller: Caller,
      template_id: string,
      request: UpdateTemplateRequest,
      ifMatch?: string,
    ): Promise<CaseTemplate> {
      requireSome(request, TEMPLATE_FIELDS);
      requireTemplate(request);
      const writer = createCaseTemplatesWriter(tx);
      await writer.count();
      const current = await lock(tx, template_id, ifMatch);
      const tags = [...new Set(request.tags ?? current.tags)];
      const next = { ...current, ...request, tags, updated_at: updatedAt(current, clock.now()) };
      const changes = changesBetween(current, next, TEMPLATE_FIELDS);
      if (changes.length === 0) return current;
      if (!(await writer.update(next))) throw nameTaken(next.name);
      await record(tx, caller, "updated", next, { changes });
      return next;
    },

    async remove(tx: Tx, caller: Caller, template_id: string, ifMatch?: string) {
      const found = await lock(tx, template_id, ifMatch);
      await createCaseTemplatesWriter(tx).remove(found.id);
      const { name, title_prefix, description, severity, tags, tasks, sla } = found;
      await record(tx, caller, "deleted", found, { name, title_prefix, description, severity, tags, tasks, sla });
      return { deleted: true, id: found.id };
    },
  };
}

function nameTaken(name: string): Problem {
  return new Problem("conflict", `name: case template '${name}' already exists`, { field: "name" });
}

function requireTemplate(request: UpdateTemplateRequest): void {
  requireStorable(request);
  if (request.name !== undefined && request.name.trim() === "") {
    throw invalidField("name", "must not be blank");
  }
  if (request.sla) requireOrder("sla", request.sla);
}
