import { invalidField, Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import type { Static } from "typebox";
import type { Alert } from "../../alerts/module.ts";
import type { Permission } from "../../foundation/caller/permissions.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { parseAlertQuery, toAlertPredicate } from "../../logs/module.ts";
import type {
  AutomationBody,
  CreateAutomationRequest,
  FiringBody,
  UpdateAutomationRequest,
} from "./automations.schema.ts";

/** Starts a playbook for each new alert that matches its condition. */
export type Automation = Static<typeof AutomationBody>;
export interface AutomationRow extends Omit<Automation, "fired_24h"> {
  /** Everyone who has saved it. Under four eyes, none of them may decide about what it starts. */
  authors: string[];
  /** Whether the caller who bound it to its playbook had soar:execute, which a critical playbook requires. */
  may_execute: boolean;
  /** The permissions of that caller: it starts no step that they could not start. Null if an earlier release stored it. */
  permissions: Permission[] | null;
}
export type Firing = Static<typeof FiringBody>;

const MAX_PARAMETER_BYTES = 64 * 1024;
const DEFAULT_COOLDOWN_MINUTES = 0;

export const NEWEST_AUTOMATION_FIRST: Order<Automation> = newestFirst("created_at");

export const NEWEST_FIRING_FIRST: Order<Firing> = newestFirst("at", "alert_id");

/** The caller who saves an automation, and the permissions of that caller. */
export interface Author {
  username: string;
  permissions: Permission[];
}

export function buildAutomation(
  request: CreateAutomationRequest,
  id: string,
  { username: created_by, permissions }: Author,
  now: Date,
): AutomationRow {
  return checked({
    id,
    name: request.name,
    condition: request.condition,
    playbook_id: request.playbook_id,
    parameters: request.parameters ?? {},
    enabled: request.enabled ?? true,
    cooldown_minutes: request.cooldown_minutes ?? DEFAULT_COOLDOWN_MINUTES,
    last_fired_at: null,
    created_by,
    authors: [created_by],
    may_execute: permissions.includes("soar:execute"),
    permissions,
    created_at: now,
    updated_at: now,
  });
}

export function patchAutomation(
  row: AutomationRow,
  patch: UpdateAutomationRequest,
  { username, permissions }: Author,
  updated_at: Date,
): AutomationRow {
  const authors = [...new Set([...row.authors, username])];
  const bound = isBinding(patch) && { may_execute: permissions.includes("soar:execute"), permissions };
  return checked({ ...row, ...patch, ...bound, authors, updated_at });
}

/** Reports whether the patch changes what is started, or when. A new name or a pause does not. */
export function isBinding({ playbook_id, parameters, condition, enabled }: UpdateAutomationRequest): boolean {
  return enabled === true || [playbook_id, parameters, condition].some((field) => field !== undefined);
}

function checked(row: AutomationRow): AutomationRow {
  requireStorable(row);
  if (Buffer.byteLength(JSON.stringify(row.parameters)) > MAX_PARAMETER_BYTES) {
    throw invalidField("parameters", `must be at most ${MAX_PARAMETER_BYTES} bytes`);
  }
  requireCondition(row.condition);
  return row;
}

/** Throws for an invalid condition with its position, before an alert arrives. */
export function requireCondition(text: string): void {
  if (parseCondition(text).kind === "all") {
    throw invalidField("condition", "must select alerts; '*' matches every title");
  }
}

/** Reports whether the automation started its playbook too recently in a site. */
export function isCoolingDown(
  { cooldown_minutes }: Pick<Automation, "cooldown_minutes">,
  last_fired_at: Date | undefined,
  now: Date,
): boolean {
  return last_fired_at !== undefined && now.getTime() - last_fired_at.getTime() < cooldown_minutes * 60_000;
}

function parseCondition(text: string): Condition {
  try {
    return parseAlertQuery(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.kind, error.message.replace(/^query:/, "condition:"), {
      field: "condition",
      code: error.code,
      cause: error,
    });
  }
}

/** Compiles a condition into a predicate over alerts. */
export function toConditionPredicate(condition: string): (alert: Alert) => boolean {
  return toAlertPredicate(parseCondition(condition));
}
