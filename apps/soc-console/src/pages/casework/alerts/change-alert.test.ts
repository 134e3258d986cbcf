import { expect, it } from "vitest";
import { ApiError } from "../../../app/server/api-error.ts";
import type { Alert } from "./alerts-client.ts";
import { changeAlert } from "./change-alert.ts";

const SEEN = {
  id: "a-1",
  status: "new",
  assignee: null,
  severity: "high",
  verdict: null,
  resolution: null,
  case_id: null,
  occurrence_count: 1,
  updated_at: "2026-11-18T08:00:00.000Z",
} as unknown as Alert;

/** Returns the given versions one after the other, and refuses a change of any other version than the current one. */
function serviceWith(...versions: readonly Alert[]) {
  const read: Alert[] = [...versions];
  let present = read.shift() ?? SEEN;
  return {
    change: ({ updated_at }: Pick<Alert, "updated_at">, patch: object) =>
      updated_at === present.updated_at
        ? Promise.resolve({ body: { ...present, ...patch }, etag: undefined, changeId: "c-1" })
        : Promise.reject(
            new ApiError({ status: 409, detail: `If-Match: the current version is "${present.updated_at}"` }),
          ),
    read: () => {
      const found = present;
      present = read.shift() ?? present;
      return Promise.resolve(found);
    },
  };
}

const later = (seconds: number, changes: Partial<Alert> = {}): Alert => ({
  ...SEEN,
  ...changes,
  updated_at: `2026-11-18T08:00:0${seconds}.000Z`,
});

it("retries when the alert has only recurred", async () => {
  const service = serviceWith(later(1, { occurrence_count: 2 }));
  expect(await changeAlert(service, SEEN, { assignee: "noor" })).toMatchObject({
    kind: "made",
    body: { assignee: "noor", occurrence_count: 2 },
  });
});

it.each([{ assignee: "yara" }, { status: "resolved" }, { severity: "low" }] as const)(
  "does not overwrite the decision of another user: %o",
  async (decision) => {
    const theirs = later(1, decision);
    const change = await changeAlert(serviceWith(theirs), SEEN, { assignee: "noor" });
    expect(change).toEqual({ kind: "conflict", theirs });
  },
);

it("gives up on an alert that recurs faster than it can be changed", async () => {
  const service = serviceWith(...[1, 2, 3, 4, 5, 6].map((seconds) => later(seconds)));
  await expect(changeAlert(service, SEEN, { assignee: "noor" })).rejects.toThrow(/^If-Match/);
});
