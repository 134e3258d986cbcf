import { showValue } from "../../../app/changes/show-value.ts";
import type { Case, CasePage } from "./cases-client.ts";

/** The fields of a case that people edit. */
export const EDITED_FIELDS = [
  "title",
  "severity",
  "status",
  "description",
  "assignee",
  "requires_human_approval",
  "due_at",
  "mitre_techniques",
  "tags",
] as const satisfies readonly (keyof Case)[];
export type EditedField = (typeof EDITED_FIELDS)[number];
export type CasePatch = { -readonly [Field in EditedField]?: Case[Field] };

export interface FieldConflict {
  field: EditedField;
  /** The value that the page showed. */
  before: string;
  theirs: string;
  /** Undefined if only the others changed it. */
  mine: string | undefined;
  by: string | undefined;
  at: string | undefined;
}

/** What others changed since this page loaded the case, who did it, and what this user wanted. */
export function findConflicts(
  before: Case,
  theirs: Case,
  mine: CasePatch,
  history: CasePage["history"],
): FieldConflict[] {
  return EDITED_FIELDS.filter((field) => showValue(before[field]) !== showValue(theirs[field])).map((field) => {
    const change = history?.find((entry) => entry.at > before.updated_at && namesField(entry.details, field));
    return {
      field,
      before: showValue(before[field]),
      theirs: showValue(theirs[field]),
      mine: field in mine ? showValue(mine[field]) : undefined,
      by: change?.actor,
      at: change?.at,
    };
  });
}

/** `details.changes` has an object for each changed field. */
function namesField(details: object, field: string): boolean {
  const changes = new Map<string, unknown>(Object.entries(details)).get("changes");
  return Array.isArray(changes) && changes.some((change: { field?: unknown } | null) => change?.field === field);
}
