import { invalidField } from "@kit/problem";
import type { Change } from "../../foundation/audit/audit.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import { type Alert, applyAlertPatch, type CHANGED_COLUMNS, describeChange } from "../alerts/alert.ts";
import { replaceTagKeys } from "../alerts/alert-filters.ts";
import type { UpdateAlertRequest } from "../alerts/alerts.schema.ts";
import type { BulkUpdateRequest } from "./bulk-changes.schema.ts";

type ChangedColumn = (typeof CHANGED_COLUMNS)[number];

/** The part of an alert that a bulk change reads. */
export type ChangedAlert = Pick<Alert, ChangedColumn | "id" | "case_id" | "rule_id"> & { filter_keys: string[] };

/** The values of an alert before a change, as JSON. */
export type ValuesBefore = Pick<ChangedAlert, ChangedColumn>;

export type BulkPatch = Omit<BulkUpdateRequest, "ids" | "filter" | "except_ids" | "expected_total">;

const MAX_TAGS = 50;

/** Returns the alert after the change, by the same rules as a change of one alert. */
export function patchAlert(alert: ChangedAlert, patch: BulkPatch, by: string, now: Date): ChangedAlert {
  const { tags_add = [], tags_remove = [], ...fields } = patch;
  const tags = [...new Set([...(fields.tags ?? alert.tags), ...tags_add])].filter((tag) => !tags_remove.includes(tag));
  if (tags.length > MAX_TAGS)
    throw invalidField("tags_add", `alert '${alert.id}' would have more than ${MAX_TAGS} tags`);
  const hasTags = [patch.tags, patch.tags_add, patch.tags_remove].some((given) => given !== undefined);
  const wanted: UpdateAlertRequest = hasTags ? { ...fields, tags } : fields;
  const changed = { ...alert, ...applyAlertPatch(alert, wanted, by, now), updated_at: updatedAt(alert, now) };
  return { ...changed, filter_keys: replaceTagKeys(alert.filter_keys, changed.tags) };
}

/** Restores the previous values. Counts and keys that have been added since then stay. */
export function restoreAlert(alert: ChangedAlert, before: ValuesBefore): ChangedAlert {
  const restored = { ...alert, ...before };
  return { ...restored, filter_keys: replaceTagKeys(alert.filter_keys, restored.tags) };
}

/** The actor, the action and the change that it belongs to. */
export type ChangeOrigin = Pick<Change, "actor" | "action"> & { change_id: string };

/** Builds the same audit entry as for a change of one alert, with the id of the bulk change. */
export function toEntry(
  { change_id, ...doing }: ChangeOrigin,
  { previous, changed }: { previous: ChangedAlert; changed: ChangedAlert },
): Change {
  return {
    ...doing,
    subject_type: "alert",
    subject_id: changed.id,
    details: { ...describeChange(previous, changed), change_id },
  };
}
