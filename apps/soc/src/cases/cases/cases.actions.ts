import { invalidField, notFound } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { AlertChanges } from "../../alerts/module.ts";
import { type Action, type ActionContext, type ChangeAction, toCaller } from "../../foundation/actions/action.ts";
import { ALL_SITES, pairTexts, type Scope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { CreateTaskRequest } from "./case-items.schema.ts";
import type { CaseItemsService } from "./case-items.service.ts";
import { CreateCaseRequest } from "./cases.schema.ts";
import type { CasesService } from "./cases.service.ts";

export interface CaseActionsDeps {
  alerts: Pick<AlertChanges, "lockOne">;
  cases: Pick<CasesService, "open" | "find" | "addSite" | "listSitesIn">;
  items: Pick<CaseItemsService, "addComment" | "addTask">;
}

const closed = { additionalProperties: false } as const;
const CaseId = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));

const { title, severity, description, assignee } = CreateCaseRequest.properties;
const CaseParams = Type.Object({ title, severity, description, assignee }, closed);
const CommentParams = Type.Object({ case_id: CaseId, body: Type.String({ minLength: 1, maxLength: 20_000 }) }, closed);
const TaskParams = Type.Object(
  { case_id: CaseId, title: CreateTaskRequest.properties.title, assignee: CreateTaskRequest.properties.assignee },
  closed,
);

/** The playbook actions on cases. */
export function createCaseActions({ alerts, cases, items }: CaseActionsDeps): Action[] {
  /** Returns the open case of the execution or of its alert, because a second case would split the investigation. */
  async function openCase(tx: Tx, { alert_id, case_id, scope }: ActionContext): Promise<string | undefined> {
    const alert = alert_id === null ? undefined : await alerts.lockOne(tx, scope, alert_id);
    const known = case_id ?? alert?.case_id ?? null;
    const found = known === null ? undefined : await cases.find(tx, scope, known);
    return found && found.status !== "resolved" && found.status !== "closed" ? found.id : undefined;
  }

  /** Texts of a playbook may contain content of every site that the execution reads. */
  async function addSites(tx: Tx, case_id: string, scope: Scope): Promise<void> {
    const known = await cases.listSitesIn(tx, case_id);
    for (const { id, name } of scope === ALL_SITES ? [] : pairTexts(scope)) {
      if (!known.includes(id) && !known.includes(name)) await cases.addSite(tx, case_id, name);
    }
  }

  async function findCaseId(tx: Tx, named: string | undefined, context: ActionContext): Promise<string> {
    const { scope } = context;
    const alert = context.alert_id === null ? undefined : await alerts.lockOne(tx, scope, context.alert_id);
    const case_id = named ?? context.case_id ?? alert?.case_id ?? null;
    if (case_id === null)
      throw invalidField("case_id", "is required because neither the execution nor its alert has a case");
    if (!(await cases.find(tx, scope, case_id))) throw notFound("case", case_id);
    if (alert && alert.case_id !== case_id) await cases.addSite(tx, case_id, alert.site);
    await addSites(tx, case_id, scope);
    return case_id;
  }

  const create: ChangeAction = {
    name: "case.create",
    opensCase: true,
    kind: "change",
    params: CaseParams,
    async describe(params) {
      const { title: named } = Value.Parse(CaseParams, params);
      return { summary: `Opens a case '${named}' unless one exists`, sends: [] };
    },
    async apply(tx, params, context) {
      const known = await openCase(tx, context);
      if (known !== undefined) return { case_id: known, created: false };
      const alert_ids = context.alert_id === null ? [] : [context.alert_id];
      const caller = toCaller(context);
      const opened = await cases.open(tx, caller, { ...Value.Parse(CaseParams, params), alert_ids });
      if (context.scope === ALL_SITES) await cases.addSite(tx, opened.id, null);
      await addSites(tx, opened.id, context.scope);
      return { case_id: opened.id, created: true };
    },
  };

  const comment: ChangeAction = {
    name: "case.comment",
    kind: "change",
    params: CommentParams,
    async describe(params) {
      return { summary: `Adds a comment to the case: ${Value.Parse(CommentParams, params).body}`, sends: [] };
    },
    async apply(tx, params, context) {
      const { case_id: named, body } = Value.Parse(CommentParams, params);
      const case_id = await findCaseId(tx, named, context);
      const { id } = await items.addComment(tx, toCaller(context), case_id, { body });
      return { case_id, comment_id: id };
    },
  };

  const task: ChangeAction = {
    name: "case.task",
    kind: "change",
    params: TaskParams,
    async describe(params) {
      return { summary: `Adds a task to the case: ${Value.Parse(TaskParams, params).title}`, sends: [] };
    },
    async apply(tx, params, context) {
      const { case_id: named, ...request } = Value.Parse(TaskParams, params);
      const case_id = await findCaseId(tx, named, context);
      const { id } = await items.addTask(tx, toCaller(context), case_id, request);
      return { case_id, task_id: id };
    },
  };

  return [create, comment, task];
}
