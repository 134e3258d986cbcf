import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { CaseTemplateBody } from "./case-templates.schema.ts";

export type CaseTemplate = Static<typeof CaseTemplateBody>;

export const TEMPLATE_FIELDS = [
  ...(["name", "title_prefix", "description", "severity"] as const),
  ...(["tags", "tasks", "sla"] as const),
] as const satisfies readonly (keyof CaseTemplate)[];

export const NEWEST_FIRST: Order<CaseTemplate> = newestFirst("created_at");

/** The fields that a caller sends to open a case; missing fields come from the template. */
export interface CaseDraft {
  title: string;
  description?: string | undefined;
  severity?: Severity | undefined;
  tags?: readonly string[] | undefined;
}

const DEFAULT_SEVERITY = "medium";
const MAX_TITLE = 500;

/** Fields of the caller take precedence; tags are merged. */
export function fillDraft({ title, description, severity, tags = [] }: CaseDraft, template: CaseTemplate | undefined) {
  const whole = `${template?.title_prefix ?? ""}${title}`;
  if (whole.length > MAX_TITLE) throw invalidField("title", `must be at most ${MAX_TITLE} characters with its prefix`);
  return {
    title: whole,
    description: description || template?.description || "",
    severity: severity ?? template?.severity ?? DEFAULT_SEVERITY,
    tags: [...new Set([...tags, ...(template?.tags ?? [])])],
  };
}
