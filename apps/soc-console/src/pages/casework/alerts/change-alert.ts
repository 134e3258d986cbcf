import { ApiError } from "../../../app/server/api-error.ts";
import { listDifferences } from "./alert-item.ts";
import type { Alert, AlertPatch, AlertsClient } from "./alerts-client.ts";

const MAX_ATTEMPTS = 4;

type ChangeClient = Pick<AlertsClient, "change" | "read">;
type ChangeResponse = Awaited<ReturnType<ChangeClient["change"]>>;

/** Result of a change: done, or another user decided on the alert in the meantime. */
export type AlertChange =
  | ({ kind: "made" } & Pick<ChangeResponse, "body" | "changeId">)
  | { kind: "conflict"; theirs: Alert };

function isOtherVersion(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.message.startsWith("If-Match: ");
}

/** Changes an alert as this user sees it. A recurrence is no conflict; a decision of another user is. */
export async function changeAlert(client: ChangeClient, seen: Alert, patch: AlertPatch): Promise<AlertChange> {
  let current = seen;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { body, changeId } = await client.change(current, patch);
      return { kind: "made", body, changeId };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isOtherVersion(error)) throw error;
    }
    current = await client.read(seen.id);
    if (listDifferences(seen, current).length > 0) return { kind: "conflict", theirs: current };
  }
}
